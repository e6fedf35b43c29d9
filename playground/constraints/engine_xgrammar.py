"""The engine "xgrammar": a pushdown automaton with masks made ahead for each of its states."""

from typing import Any

from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.notes import Note
from playground.constraints.pushdown import Matcher
from playground.constraints.pushdown_compile import Kept, PushdownEngine
from playground.constraints.xgrammar_matcher import XGrammarMatcher, compiled, tokenizer
from playground.constraints.xgrammar_quiet import unpacked, without
from playground.vocabulary import Vocabulary

NOTE = Note(
    "warning",
    "engine",
    "",
    "xgrammar is shown as it is shipped. It drops some keywords of JSON Schema without a word, so "
    "that invalid texts can come out; those known are listed. Halves of surrogate pairs, which "
    "aren't UTF-8, count as characters.",
)


def _tokenizer(vocabulary: Vocabulary) -> Any:
    import xgrammar  # takes seconds: it imports torch

    return tokenizer(xgrammar, vocabulary)


_TOKENIZERS = Kept(_tokenizer)


def _roots(payload: bytes, vocabulary: Vocabulary) -> tuple[Matcher, Matcher | None]:
    import xgrammar

    text, said = unpacked(payload.decode())
    grammar = xgrammar.Grammar.deserialize_json(text)

    def root(over: Vocabulary) -> Matcher:
        info = _TOKENIZERS.of(over)
        with without(said):
            made = compiled(xgrammar, info, grammar)
        return XGrammarMatcher(xgrammar.GrammarMatcher(made), len(over))

    return root(BYTES), None if vocabulary is BYTES else root(vocabulary)


XGRAMMAR = PushdownEngine(
    "xgrammar",
    "xgrammar",
    "A pushdown automaton: grammars and recursive schemas to any depth. Some keywords of JSON "
    "Schema are not enforced.",
    NOTE,
    _roots,
)
"""What vLLM, SGLang and others use."""
