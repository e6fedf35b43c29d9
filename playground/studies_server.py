"""Studies whose answers come from an OpenAI-compatible server: ask, retry and strict, nothing else.

The law is the server's: what it draws from at this temperature and top-p. Where it takes them, top-k
and min-p are switched off; else they are as its operator set them, and the provenance says so. Its
answers are judged as a model's are, and seeded, request by request; whether the same seed gives the
same answer is up to the server.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from playground import __version__
from playground.companions import asked_again
from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.compile import compile_constraint
from playground.constraints.sources import schema_text
from playground.constraints.spec import ConstraintSpec
from playground.decoding.run import Cancelled, never
from playground.decoding.sampling import require_random
from playground.errors import InvalidInput
from playground.models.completions import Completion
from playground.models.server import (
    Ask,
    Dialect,
    Refused,
    Server,
    answers_only,
    is_served,
    server_of,
)
from playground.opened import Opened
from playground.posed import accepts_of, constraint_of, items_of, question
from playground.problem import MAX_PROMPT
from playground.schema.verdict import mask_verdict
from playground.settings import SERVER_PREFIX
from playground.studies import Studies, Study
from playground.study.answer import Answer
from playground.study.labels import Label, label_of
from playground.study.row import Row, judged
from playground.study.spec import StudySpec

LABELS = ("ask", "retry", "strict")
"""What can be done by sampling texts alone."""


@dataclass(frozen=True, eq=False, slots=True)
class Served:
    """A model of a server, and what it takes."""

    server: Server
    model: str
    dialect: Dialect
    way: str | None
    """How it is asked to constrain; None where no method asks."""
    requests: int
    """At a time."""


@dataclass(frozen=True, eq=False, slots=True)
class ServedStudy(Study):
    """A study that a server answers. It has no problems to open."""

    served: Served
    refusal: Callable[[str], str]
    """What the mask's language has against a text, in a sentence."""

    def provenance(self) -> Mapping[str, Any]:
        """The server's model; never its address."""
        served = self.served
        return {
            "model": self.spec.model,
            "revision": "",
            "dtype": "",
            "kind": "server",
            "device": "server",
            "engine": f"the server's, by {served.way}" if served.way else "",
            "filters": "as asked" if served.dialect.filters else "the server's own top-k and min-p",
            "app": __version__,
        }

    def run(self, chunk: int, cancelled: Cancelled = never) -> tuple[Row, ...] | None:
        """The rows of one chunk; None when cancelled, once the requests under way are answered.

        Raises:
            ModelUnavailable: the server can't be reached, fails, or refuses.
        """
        asked = [
            (index, label_of(name), draw)
            for index in self.chunks[chunk]
            for name in self.spec.methods
            for draw in range(self.spec.draws)
        ]

        def work(each: tuple[int, Label, int]) -> Row | None:
            index, label, draw = each
            if cancelled():
                return None
            answer = self._answer(index, label, draw, cancelled)
            return judged(index, self.items[index], label.name, draw, answer, self.judges)

        with ThreadPoolExecutor(self.served.requests) as pool:
            rows = list(_all_or_cancel(pool, work, asked))
        if cancelled() or None in rows:
            return None
        return tuple(row for row in rows if row is not None)

    def _answer(self, index: int, label: Label, draw: int, cancelled: Cancelled) -> Answer:
        """One output: of retry the last attempt. A later one that the server refuses, as its prompt
        is longer by the answer that failed, is none."""
        attempts = self.spec.attempts if label.name == "retry" else 1
        prompt, spent, made = self.prompts[index], 0, 0
        got, accepted = Completion("", False, 0, None, 0), False
        while made < attempts and not accepted and len(prompt) <= MAX_PROMPT:
            try:
                got = self._completed(prompt, label, index, draw, made)
            except Refused:
                if not made:
                    raise
                break
            made, spent = made + 1, spent + got.tokens
            accepted, error = self._judged(got, label)
            prompt = asked_again(self.prompts[index], got.text, error)
            if cancelled():
                break
        return Answer(
            text=got.text,
            ended=got.ended,
            accepted=accepted,
            tokens=spent,
            steps=spent,
            attempts=made,
            rows=spent,
            log_p=got.log_p,
            length=got.length,
        )

    def _completed(
        self, prompt: str, label: Label, index: int, draw: int, attempt: int
    ) -> Completion:
        spec, served = self.spec, self.served
        sampling = spec.sampling
        entropy = (sampling.seed, index, draw, attempt)
        ask = Ask(
            max_tokens=spec.max_tokens,
            temperature=sampling.temperature,
            top_p=sampling.top_p,
            top_k=sampling.top_k,
            seed=int(np.random.SeedSequence(entropy).generate_state(1)[0] >> 1),
        )
        strict = label.name == "strict"
        schema = json.loads(schema_text(self.constraint) or "null") if strict else None
        way = served.way if strict else None
        return served.server.complete(served.model, served.dialect, prompt, ask, way, schema)

    def _judged(self, got: Completion, label: Label) -> tuple[bool, str]:
        """Whether an output is valid by the V of its label, and if not, why."""
        accept = self.accepts[label.name]
        if not got.ended and not accept.cut:
            return False, f"It was cut off after {got.tokens} tokens, before its end."
        if accept.judge is None or accept.why is None:
            return self.judges.language(got.text), self.refusal(got.text)
        valid = accept.judge(got.text)
        return valid, "" if valid else accept.why(got.text)


class ServedStudies(Studies):
    """`Studies`, on models of the operator's server as well."""

    def prepare(self, spec: StudySpec, cancelled: Cancelled | None = None) -> Study:
        """As `Studies.prepare`; for a model of the server it is asked what it takes.

        Raises:
            PlaygroundError: what is wrong with the prompts, the constraint or the server; or the
                study needs more than texts.
        """
        if not is_served(spec.model):
            return super().prepare(spec, cancelled)
        require_random(spec.sampling)
        builtin, items = items_of(spec)
        constraint = constraint_of(spec, builtin)
        require_texts(spec, constraint)
        prompts = tuple(question(spec, builtin, constraint, item) for item in items)
        if not all(prompt.strip() for prompt in prompts):
            raise InvalidInput("A prompt is empty.", "Write what to ask.", "prompts")
        judges = self._judges(spec, constraint, builtin)
        served = self._served(spec)
        compiled = compile_constraint(
            constraint, BYTES, cache=self.playground.cache, limits=self.playground.limits
        )

        def unopened(index: int) -> Opened:
            raise answers_only(spec.model)

        def refusal(text: str) -> str:
            return str(mask_verdict(compiled.automaton, text)["message"])

        accepts = accepts_of(spec, constraint)
        return ServedStudy(
            spec, items, constraint, prompts, judges, accepts, unopened, served, refusal
        )

    def _served(self, spec: StudySpec) -> Served:
        server = server_of(self.playground.settings)
        model = spec.model.removeprefix(SERVER_PREFIX)
        dialect = server.dialect(model)
        if spec.sampling.top_k and not dialect.filters:
            raise InvalidInput(
                "This server takes no top-k.", "Leave it at 0, or use top-p.", "sampling.top_k"
            )
        way = server.way(model, dialect) if "strict" in spec.methods else None
        if "strict" in spec.methods and way is None:
            raise InvalidInput(
                "This server doesn't constrain: asked for a schema that one text matches, it wrote "
                "another.",
                "Leave strict out, or use a server with structured outputs, as vLLM and llama.cpp "
                "have.",
                "methods",
            )
        return Served(server, model, dialect, way, self.playground.settings.server_requests)


def require_texts(spec: StudySpec, constraint: ConstraintSpec) -> None:
    """The study can be done by sampling texts.

    Raises:
        InvalidInput: it can't; says what needs the whole vocabulary.
    """
    others = [name for name in spec.methods if name not in LABELS]
    if others:
        raise InvalidInput(
            f"{others[0]!r} can't be asked of a server, which sends texts alone.",
            f"Use {', '.join(LABELS)}, or a model on this machine.",
            "methods",
        )
    needs = {
        "p(yes)": spec.yes,
        "bounds on Z and TV": spec.exact_rows > 0,
        "a bare prompt, without the chat template": not spec.chat,
    }
    for what, asked in needs.items():
        if asked:
            raise InvalidInput(
                f"A server can't give {what}.", "Leave it out, or use a model on this machine."
            )
    if "strict" in spec.methods and schema_text(constraint) is None:
        raise InvalidInput(
            "A server constrains by a JSON Schema, which this constraint has not.",
            "Leave strict out, or use a model on this machine.",
            "methods",
        )


def only_model(server: Server) -> str:
    """The name of the server's only model, for a study.

    Raises:
        InvalidInput: it has none or several.
        ModelUnavailable: it can't be reached.
    """
    found = server.models()
    if len(found) != 1:
        shown = ", ".join(SERVER_PREFIX + name for name in found[:20]) or "none"
        raise InvalidInput(
            f"The server names {len(found)} models.", f"Choose by --model: {shown}.", "--server"
        )
    return SERVER_PREFIX + found[0]


def _all_or_cancel(
    pool: ThreadPoolExecutor,
    work: Callable[[tuple[int, Label, int]], Row | None],
    asked: list[tuple[int, Label, int]],
) -> Iterator[Row | None]:
    """The rows in order; after an error what hasn't begun is left out."""
    futures = [pool.submit(work, each) for each in asked]
    try:
        for future in futures:
            yield future.result()
    finally:
        for future in futures:
            future.cancel()
