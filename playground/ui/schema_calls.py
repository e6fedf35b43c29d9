"""What the Schema screen asks of the server, by name, and how its requests are read."""

import base64
import zlib
from collections.abc import Callable
from typing import Any

from pydantic import ValidationError

from playground.constraints.pasted_tokenizer import MAX_SOURCE as MAX_TOKENIZER
from playground.constraints.spec import MAX_SOURCE, ConstraintSpec
from playground.errors import InvalidInput
from playground.problem import invalid
from playground.record import Document, spellable
from playground.session import Playground
from playground.ui.inputs import guarded, text_of


def spec_of(payload: Any, key: str = "spec") -> ConstraintSpec:
    """The constraint of a browser's request.

    Raises:
        InvalidInput: it is none, or too long.
    """
    try:
        return ConstraintSpec.model_validate(
            payload.get(key) if isinstance(payload, dict) else None
        )
    except ValidationError as error:
        raise invalid(error) from None


def texts_of(payload: Document) -> list[str]:
    """The test strings of a request; half a character is in no text.

    Raises:
        InvalidInput: they are no list of texts.
    """
    texts = payload.get("texts")
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise InvalidInput("The test strings must be a list of texts.", "Reload the page.", "texts")
    return [whole(text) for text in texts]


def whole(text: str) -> str:
    """`text` with half characters, which UTF-8 can't spell, replaced."""
    return text.encode("utf-8", "replace").decode()


def string_of(payload: Document) -> str:
    """The one text of a request, cut far beyond the longest that is judged."""
    return whole(text_of(payload, "text")[:MAX_SOURCE])


def unpacked(packed: str) -> str:
    """A text that came deflated and in base64, so that a large file fits into a request.

    Raises:
        InvalidInput: it is no such text, or longer than a tokenizer may be.
    """
    try:
        data = base64.b64decode(packed, validate=True)
        reader = zlib.decompressobj(-zlib.MAX_WBITS)
        raw = reader.decompress(data, MAX_TOKENIZER + 1)
        if len(raw) > MAX_TOKENIZER:
            raise InvalidInput(
                f"The file has more than {MAX_TOKENIZER:,} bytes.",
                "Choose a smaller one.",
                "tokenizer",
            )
        if not reader.eof:
            raise ValueError("cut off")
        return raw.decode()
    except (ValueError, zlib.error):
        raise InvalidInput(
            "The file can't be read as text.", "Choose a tokenizer.json.", "tokenizer"
        ) from None


def number_of(payload: Document, key: str) -> int:
    """A whole number of a request, at least 0; 0 where it is missing or something else."""
    value = payload.get(key, 0)
    return value if type(value) is int and 0 <= value < 2**53 else 0


def schema_calls(playground: Playground) -> list[Callable[[Any], Document]]:
    """The calls that the screen makes, by name: each takes one JSON object and returns one."""
    debugger = playground.debugger

    def answered(payload: Any, answer: Callable[[Document], Document]) -> Document:
        # A schema's escapes and a request's texts may hold halves of pairs, which no answer can.
        told = payload if isinstance(payload, dict) else {}
        answer_or_card: Document = spellable(guarded(lambda: answer(told)))
        return answer_or_card

    def judge(payload: Any) -> Document:
        return answered(
            payload,
            lambda told: debugger.judge(spec_of(told), texts_of(told), told.get("formats") is True),
        )

    def analyse(payload: Any) -> Document:
        return answered(payload, lambda told: debugger.analyse(spec_of(told)))

    def conflict(payload: Any) -> Document:
        return answered(payload, lambda told: debugger.conflict(spec_of(told)))

    def coverage(payload: Any) -> Document:
        return answered(payload, lambda told: debugger.coverage(spec_of(told)))

    def examples(payload: Any) -> Document:
        return answered(
            payload, lambda told: debugger.examples(spec_of(told), number_of(told, "seed"))
        )

    def dialects(payload: Any) -> Document:
        return answered(payload, lambda told: debugger.dialects(spec_of(told)))

    def takeaway(payload: Any) -> Document:
        return answered(payload, lambda told: debugger.takeaway(spec_of(told)))

    def difference(payload: Any) -> Document:
        return answered(
            payload,
            lambda told: debugger.difference(spec_of(told, "left"), spec_of(told, "right")),
        )

    def graph(payload: Any) -> Document:
        return answered(
            payload,
            lambda told: debugger.graph(spec_of(told), string_of(told), told.get("tokenizer")),
        )

    def paste(payload: Any) -> Document:
        return answered(payload, lambda told: debugger.paste(unpacked(text_of(told, "packed"))))

    def stepper(payload: Any) -> Document:
        return answered(
            payload,
            lambda told: debugger.stepper(
                spec_of(told), string_of(told), number_of(told, "at"), told.get("tokenizer")
            ),
        )

    def prefix(payload: Any) -> Document:
        return answered(
            payload,
            lambda told: debugger.prefix(spec_of(told), string_of(told), told.get("tokenizer")),
        )

    def index(payload: Any) -> Document:
        return answered(
            payload,
            lambda told: debugger.index(
                spec_of(told), number_of(told, "page"), told.get("tokenizer")
            ),
        )

    def index_state(payload: Any) -> Document:
        return answered(
            payload,
            lambda told: debugger.index_state(
                spec_of(told), number_of(told, "state"), told.get("tokenizer")
            ),
        )

    return [
        judge, analyse, conflict, coverage, examples, dialects, takeaway, difference, graph, paste,
        stepper, prefix, index, index_state,
    ]  # fmt: skip
