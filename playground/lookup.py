"""Looking up tokens at one place of a run: by their text, or what a blocked one would do."""

from collections.abc import Sequence

from playground.decoding.position import NextToken, candidate, next_token
from playground.decoding.trace import Standing
from playground.follow import line_and_column
from playground.opened import Opened, check_token
from playground.record import Document, candidate_document, show

MAX_FOUND = 40
"""Most rows that a search of the vocabulary shows."""


def found(opened: Opened, path: Sequence[int], query: str) -> Document:
    """Tokens whose text contains `query`: exact ones first, then the model's likeliest."""
    standing = opened.walk(path)
    vocabulary = opened.problem.model.vocabulary
    hits = [i for i in range(len(vocabulary)) if query in vocabulary.name(i)] if query else []
    law = next_token(standing)
    exact = [i for i in hits if vocabulary.name(i) == query]
    likely = sorted(hits, key=lambda i: -law.logits[i])[:MAX_FOUND]
    shown = list(dict.fromkeys([*exact, *likely]))[:MAX_FOUND]
    return {"matches": [row(standing, law, i) for i in shown], "total": len(hits)}


def ghost(opened: Opened, path: Sequence[int], token: int) -> Document:
    """What a blocked token would do: the byte at which the text stops being a valid prefix.

    Raises:
        InvalidInput: there is no such token.
    """
    standing = opened.walk(path)
    model = opened.problem.model
    shown = row(standing, next_token(standing), check_token(model, token))
    raw = model.vocabulary.tokens[token] or b""
    alive = raw if shown["killed_at"] is None else raw[: shown["killed_at"]]
    text = standing.text + alive
    line, column = line_and_column(text)
    view = opened.problem.constraint.describe(standing.state, standing.text)
    return {
        "token": shown,
        "text_before": show(standing.text),
        "valid_part": show(alive),
        "bad_part": show(raw[len(alive) :]),
        "offset": len(text),
        "line": line,
        "column": column,
        "expected": shown["expected"] or ([] if alive else list(view.expected)),
        "needs": view.needs,
        "sentence": ghost_sentence(shown, show(raw[len(alive) : len(alive) + 1]), len(text)),
    }


def row(standing: Standing, law: NextToken, token: int) -> Document:
    """One token as a row of the table at `standing`, whose law is `law`."""
    return candidate_document(standing.problem, standing.state, candidate(law, token))


def ghost_sentence(row: Document, byte: str, offset: int) -> str:
    """What goes wrong with a blocked token, in one sentence. `offset` counts from 0, the sentence from 1."""
    if row["eos"]:
        return "The text can't stop here: it isn't complete."
    if row["special"]:
        return f"{row['text']} is a special token: it is no text, so no constraint allows it."
    if row["killed_at"] and not row["expected"]:
        return f"Byte {offset + 1} would be {byte!r}, after a text that nothing more may follow."
    expected = ", ".join(row["expected"]) or "nothing"
    return f"Byte {offset + 1} would be {byte!r}, where only these can follow: {expected}."
