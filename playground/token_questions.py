"""What a visitor asks about a constraint in a model's tokens; no model is run for it but for its time."""

import time
from typing import Any

from playground.asked import Constraints, require_texts
from playground.constraints.byte_automaton import ByteAutomaton
from playground.constraints.compile import CompileCache, Compiled, Limits
from playground.constraints.engines import ENGINES
from playground.constraints.pasted_tokenizer import PastedTokenizers
from playground.constraints.sources import schema_text
from playground.constraints.spec import ConstraintSpec
from playground.errors import InvalidInput, PlaygroundError
from playground.models.base import Prefix
from playground.models.tokenizers import Tokenizer, Tokenizers
from playground.record import Document, error_document

MAX_PASS = 64
"""Tokens of the forward pass that a mask's time is set beside, at most."""


class TokenQuestions(Constraints):
    """Tokenizers by name or pasted, and what a constraint does to their tokens."""

    def __init__(self, cache: CompileCache, limits: Limits, tokenizers: Tokenizers) -> None:
        super().__init__(cache, limits)
        self._tokenizers = tokenizers
        self._pasted = PastedTokenizers(limits)

    def tokenizer(self, asked: Any) -> tuple[str, Tokenizer] | None:
        """The tokenizer that a browser asks for: `{"name": a model's}`, `{"pasted": digest}` as
        `paste` gave it, or None.

        Raises:
            PlaygroundError: it isn't held, or can't be chosen.
        """
        match asked:
            case None:
                return None
            case {"name": str(name)}:
                return name, self._tokenizers.of(name)
            case {"pasted": str(digest)}:
                return f"pasted tokenizer {digest[:8]}", self._pasted.get(digest)
        raise InvalidInput("The tokenizer must be a name or a pasted one.", where="tokenizer")

    def paste(self, source: str) -> Document:
        """Keep a pasted tokenizer.json: `{"pasted": digest, "tokens", "ends": [name]}`.

        Raises:
            PlaygroundError: it can't be read.
        """
        digest = self._pasted.keep(source)
        vocabulary = self._pasted.get(digest).vocabulary
        ends = [vocabulary.name(token) for token in sorted(vocabulary.eos_ids)]
        return {"pasted": digest, "tokens": len(vocabulary), "ends": ends}

    def stepper(self, spec: ConstraintSpec, text: str, at: int, tokenizer: Any) -> Document:
        """A text byte by byte and token by token around byte `at`: see `schema.stepper`.

        Raises:
            PlaygroundError: the constraint doesn't compile, the text is too long, or the tokenizer
                isn't there.
        """
        from playground.schema.stepper import Cut, stepper
        from playground.schema.typed import as_typed

        require_texts([text])
        compiled, schema = self.require(spec)
        cut, card = None, None
        found = self.tokenizer(tokenizer)
        if found is not None:
            name, cutter = found
            try:
                over = self.compile(spec, cutter.vocabulary).automaton
                cut = Cut(name, over, cutter.encode(text))
            except PlaygroundError as error:  # the bytes can be told all the same
                card = error_document(error)
        places = {} if schema is None else as_typed(spec, schema).places
        document = stepper(compiled.automaton, text, at, places, cut, schema is not None)
        return {**document, "tokens_error": card}

    def prefix(self, spec: ConstraintSpec, text: str, tokenizer: Any) -> Document:
        """Every engine after the same `text`: see `schema.prefix.compare_engines`; with the share
        of tokens that need no stack, and published claims beside what was measured.

        Raises:
            PlaygroundError: the text is too long, or the tokenizer isn't there.
        """
        from playground.schema.claims import claims
        from playground.schema.independent import independent
        from playground.schema.prefix import compare_engines, reached

        require_texts([text])
        name, cutter = self._cutter(tokenizer)

        def compile_over(engine: str, anew: bool) -> Compiled:
            other = spec.model_copy(update={"engine": engine})
            return self.compile(other, cutter.vocabulary, anew)

        ids = cutter.encode(text)
        titles = {name: engine.title for name, engine in ENGINES.items() if name != "auto"}
        document = compare_engines(titles, compile_over, text, ids)
        figures = {**document["figures"], "mask_share": None}
        step = _step_seconds(cutter, ids)
        document["step_ms"] = None if step is None else 1e3 * step
        if step is not None and document["scan"] is not None:
            walk = document["scan"]["walk_ms"] / 1e3
            figures["mask_share"] = walk / (walk + step)
        document["independent"] = None
        if document["scan"] is not None and schema_text(spec) is not None:
            automaton = compile_over("bytes", False).automaton
            assert isinstance(automaton, ByteAutomaton)
            state, _ = reached(automaton, ids)
            assert isinstance(state, int)
            document["independent"] = independent(automaton, state, text.encode())
        document["claims"] = claims(figures)
        document["vocabulary"] = name
        return document

    def index(self, spec: ConstraintSpec, page: int, tokenizer: Any) -> Document:
        """A page of the index of the exact engine, with the histogram of allowed tokens.

        Raises:
            PlaygroundError: as `prefix`, or the engine has no table of states.
        """
        from playground.schema.index_table import histogram, index_page

        automaton = self._byte_automaton(spec, tokenizer)
        return {**index_page(automaton, page), "histogram": histogram(automaton)}

    def index_state(self, spec: ConstraintSpec, state: int, tokenizer: Any) -> Document:
        """One state of the index, opened.

        Raises:
            PlaygroundError: as `index`, or there is no such state.
        """
        from playground.schema.index_table import index_state

        return index_state(self._byte_automaton(spec, tokenizer), state)

    def _byte_automaton(self, spec: ConstraintSpec, tokenizer: Any) -> ByteAutomaton:
        _, cutter = self._cutter(tokenizer)
        exact = spec.model_copy(update={"engine": "bytes"})
        automaton = self.compile(exact, cutter.vocabulary).automaton
        if not isinstance(automaton, ByteAutomaton):
            raise InvalidInput("Without a constraint there is no index.", "Choose one.")
        return automaton

    def _cutter(self, tokenizer: Any) -> tuple[str, Tokenizer]:
        """The tokenizer asked for; the first live model's where none is."""
        found = self.tokenizer(tokenizer)
        if found is None:
            found = self.tokenizer({"name": self._tokenizers.usual()})
            assert found is not None
        return found


def _step_seconds(cutter: Tokenizer, ids: Prefix) -> float | None:
    """Seconds of one forward pass over `ids`, where `cutter` is a model that is loaded."""
    logits = getattr(cutter, "logits", None)
    if logits is None or not ids:
        return None
    started = time.perf_counter()
    logits([ids[-MAX_PASS:]])
    return time.perf_counter() - started
