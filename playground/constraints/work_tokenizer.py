"""The child's part of a pasted tokenizer.json: its vocabulary, and texts cut by it."""

import json
import re
from typing import Any

from playground.constraints.limits import Limits
from playground.errors import InvalidInput
from playground.models.encoder import Encoder
from playground.models.tokens import vocabulary_of
from playground.vocabulary import Vocabulary

MAX_VOCABULARY = 1_000_000
"""Most tokens accepted."""
CONTEXT = 100_000
_END = re.compile(
    r"</s>|<\|?(?:im_end|endoftext|end_of_text|eot_id|eos|eot|end|end_of_turn|eom_id)\|?>"
    r"|<[|｜]end[▁_]of[▁_]sentence[|｜]>|\[EOS\]|\[SEP\]"
)
"""What a token that ends a text is usually called; a tokenizer.json doesn't say which it is."""


class Pasted:
    """A `tokenizers.Tokenizer` with what is asked of one of transformers."""

    bos_token_id = None
    chat_template = None
    eos_token_id: int | None = None

    def __init__(self, source: str) -> None:
        """
        Raises:
            InvalidInput: it is no tokenizer.json.
        """
        from tokenizers import Tokenizer

        try:
            self.backend_tokenizer = Tokenizer.from_str(source)
        except Exception as error:  # the library raises Exception itself, for whatever is wrong
            raise InvalidInput(
                f"This is no tokenizer.json: {str(error)[:200]}",
                "Paste the whole file tokenizer.json of a model.",
                "tokenizer",
            ) from error
        if self.backend_tokenizer.get_vocab_size() > MAX_VOCABULARY:
            raise InvalidInput(
                f"The tokenizer has more than {MAX_VOCABULARY:,} tokens.", "", "tokenizer"
            )
        self.added_tokens_decoder = self.backend_tokenizer.get_added_tokens_decoder()
        self.all_special_ids = [i for i, each in self.added_tokens_decoder.items() if each.special]

    def get_vocab(self) -> dict[str, int]:
        """Piece -> id, added tokens included."""
        return dict(self.backend_tokenizer.get_vocab())

    def vocabulary(self) -> Vocabulary:
        """The byte-exact vocabulary. Where no token is named like an end, one more stands for it.

        Raises:
            ModelUnavailable: its tokens have no bytes of their own.
        """
        size = max(self.get_vocab().values(), default=-1) + 1
        ends = [i for i, each in self.added_tokens_decoder.items() if _END.fullmatch(each.content)]
        if ends:
            return vocabulary_of(self, size, ends)
        found = vocabulary_of(self, size + 1, [size])
        return Vocabulary(found.tokens, found.eos_ids, {**found.names, size: "<end>"})


def work(request: dict[str, Any], _limits: Limits) -> tuple[dict[str, Any], bytes]:
    """Read `source`, a tokenizer.json, and cut each of `texts`.

    Returns:
        The head `{"ids": [[int]], "eos": [int], "names": {id: name}}`, and the tokens as a JSON
        list of Latin-1 strings and nulls, empty unless `vocabulary` is asked for.
    """
    pasted = Pasted(request["source"])
    vocabulary = pasted.vocabulary()
    head: dict[str, Any] = {"eos": sorted(vocabulary.eos_ids), "names": dict(vocabulary.names)}
    encoder = Encoder(pasted, vocabulary, CONTEXT) if request["texts"] else None
    head["ids"] = [list(encoder.alone(text)) for text in request["texts"]] if encoder else []
    if not request["vocabulary"]:
        return head, b""
    tokens = [None if text is None else text.decode("latin-1") for text in vocabulary.tokens]
    return head, json.dumps(tokens).encode()
