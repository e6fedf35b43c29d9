"""A problem ready to be stepped: its model, its compiled constraint, its rendered prompt."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from playground.constraints.compile import Compiled
from playground.constraints.healed import Healed
from playground.decoding.sampler import SAMPLERS, taken
from playground.decoding.trace import Outcome, Problem, Standing, Step, Trace
from playground.errors import InvalidInput
from playground.models.base import LanguageModel, Prefix
from playground.problem import ProblemSpec


@dataclass(frozen=True, eq=False, slots=True)
class Opened:
    """A problem ready to be stepped, and what compiling its constraint said."""

    spec: ProblemSpec
    problem: Problem
    compiled: Compiled
    healed: Healed | None = None
    """What was taken from the prompt's end, where `spec.heal` asks for it."""

    @property
    def toy(self) -> bool:
        """Its model is a toy's table."""
        return self.problem.model.provenance.kind == "toy"

    @property
    def lead(self) -> bytes:
        """What every text begins with that isn't part of the answer: the prompt's own last bytes."""
        return b"" if self.healed is None else self.healed.lead

    @property
    def beginning(self) -> Prefix:
        """The tokens that a run on the Step screen begins with: the prefill of a free answer."""
        return self.problem.prefill if self.spec.method == "unconstrained" else ()

    def gives(self, tokens: Prefix) -> bool:
        """The last of `tokens` was given, not sampled: all of them are how the run begins."""
        return len(tokens) > 0 and tokens == self.beginning[: len(tokens)]

    def spelled(self, text: str) -> Prefix:
        """The tokens of a run whose answer is `text`: where the prompt was healed, its last bytes
        and the text are spelled as one, or after the token taken off if they are half a character.

        Raises:
            InvalidInput: the vocabulary can't spell it.
        """
        model = self.problem.model
        try:
            return model.encode(self.lead.decode("utf-8") + text)
        except UnicodeDecodeError:
            assert self.healed is not None
            return (self.healed.token, *model.encode(text))

    def walk(self, path: Sequence[int]) -> Standing:
        """Where the run of `path` stands; no model call.

        Raises:
            InvalidInput: the path goes on after the run has ended, or isn't made of token ids.
        """
        standing = Standing.start(self.problem)
        for count, token in enumerate(path):
            if standing.outcome is not Outcome.RUNNING or type(token) is not int:
                raise InvalidInput(
                    f"The run ends after token {count} of the path's {len(path)}.",
                    "Step back or start again.",
                    "path",
                )
            check_token(self.problem.model, token)
            standing = standing.after(token)
        return standing

    def trace(self, path: Sequence[int]) -> Trace:
        """The record of `path`, cut where the run has ended; its rows are read in one pass."""
        problem = self.problem
        standing, known = Standing.start(problem), []
        for token in path:
            if standing.outcome is not Outcome.RUNNING or not 0 <= token < len(
                problem.model.vocabulary
            ):
                break
            known.append(token)
            standing = standing.after(token)
        problem.rows.prime(problem.model, problem.prompt, tuple(known[:-1]))
        trace = Trace.start(problem)
        sampler = SAMPLERS[self.spec.method]
        for token in known:
            step = taken(trace.standing, sampler, token, self.spec.watch)
            trace = trace.extended(self.certain(step, trace.tokens))
        return trace

    def certain(self, step: Step, before: Prefix) -> Step:
        """`step` after the tokens `before`; a token that is given is proposed for certain."""
        return replace(step, log_proposal=0.0) if self.gives((*before, step.token)) else step


OTHERWISE_MASKED = ("json-mode", "think")
"""Stepwise methods that mask by another constraint than the problem's own."""


def staged(opened: Opened) -> Opened:
    """The problem as the Step screen draws it: masked by what its method masks by.

    Raises:
        PlaygroundError: that can't be made of this constraint or model.
    """
    problem, companion = opened.problem, opened.problem.companion()
    match opened.spec.method:
        case "json-mode":
            problem = replace(problem, constraint=companion.json())
        case "think":
            problem = replace(problem, constraint=companion.marked())
    return replace(opened, problem=problem)


def check_token(model: LanguageModel, token: Any) -> int:
    """`token`, when it is an id of the model's vocabulary.

    Raises:
        InvalidInput: it isn't.
    """
    if type(token) is not int or not 0 <= token < len(model.vocabulary):
        raise InvalidInput(f"There is no token {token!r} in this vocabulary.", where="token")
    return token
