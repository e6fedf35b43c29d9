"""The record of one decoding: what was asked, and what happened token by token."""

from dataclasses import dataclass, field, replace
from enum import Enum
from math import inf

from playground.constraints.automaton import State, TokenAutomaton
from playground.decoding.again import Opener
from playground.decoding.sampling import Sampling
from playground.errors import InvalidInput
from playground.models.base import LanguageModel, Prefix
from playground.models.rows import RowStore


class Outcome(Enum):
    """How a run stands."""

    RUNNING = "running"
    ACCEPTED = "accepted"
    """Ended with EOS where the text is valid."""
    REJECTED = "rejected"
    """Took a token that leaves the language."""
    TRUNCATED = "truncated"
    """max_tokens reached first."""
    DEAD_END = "dead_end"
    """No token can be drawn: the filters removed every allowed one, or the model gives them no mass."""


@dataclass(frozen=True, eq=False, slots=True)
class Problem:
    """A model, a constraint, a prompt and the law to sample: all that a method may look at."""

    model: LanguageModel
    constraint: TokenAutomaton
    rows: RowStore
    prompt: Prefix = ()
    sampling: Sampling = field(default_factory=Sampling)
    max_tokens: int = 64
    """Longest run, EOS included."""
    opener: Opener | None = None
    """Makes what some methods need beside the problem."""
    prefill: Prefix = ()
    """Tokens that a first attempt to be repeated begins with, unasked."""
    attempts: int = 3
    """Most runs of an output that is asked for again when it was refused."""

    def companion(self) -> Opener:
        """Who opened it.

        Raises:
            InvalidInput: it was made by hand.
        """
        if self.opener is None:
            raise InvalidInput("This problem has no opener.", "Open it from its spec.")
        return self.opener


@dataclass(frozen=True, slots=True)
class Candidate:
    """One row of the candidate table."""

    token: int
    logit: float
    """Raw, as the model gave it."""
    p: float
    """Model p: after temperature and filters."""
    masked: float
    """What constrained decoding draws from; 0 when blocked."""
    allowed: bool
    rank: int
    """By raw logit, from 1; equal logits share the better rank."""


@dataclass(frozen=True, eq=False, slots=True)
class Position:
    """The next-token law at one prefix, as summaries: never whole rows, so that a trace is small.

    Whole (V,) rows are read again from the row store, by `position.next_token`.
    """

    state: State
    log_z: float
    """log Z_t, nats: the mass of p that the mask keeps; -inf when it keeps none."""
    entropy_before: float
    """Bits, of p."""
    entropy_after: float
    """Bits, of the masked law; nan never: 0 at a dead end."""
    allowed: int
    """Number of allowed tokens, EOS included."""
    may_stop: bool
    forced: bool
    """Exactly one token is allowed."""
    argmax: int
    """The token with the largest raw logit."""
    argmax_blocked: bool
    dead: bool
    """No token can be drawn from the masked law."""
    candidates: tuple[Candidate, ...]
    """Union of raw top-k, allowed top-k, the taken and the watched tokens, by raw logit."""
    other_allowed: tuple[int, float, float]
    """Count, model mass and masked mass of the allowed tokens not among the candidates."""
    other_blocked: tuple[int, float]
    """Count and model mass of the blocked tokens not among the candidates."""

    @property
    def bits(self) -> float:
        """-log2 Z_t, the cost of the mask at this step."""
        return -self.log_z / 0.6931471805599453 + 0.0


@dataclass(frozen=True, eq=False, slots=True)
class Step:
    """One token taken at a position."""

    position: Position
    token: int
    next_state: State | None
    """State after the token; None after EOS or a blocked token."""
    log_p: float
    """log p(token | prefix), nats."""
    log_proposal: float
    """log of the chance that the sampler had to draw it, nats; -inf for a forced, undrawable one."""

    @property
    def log_weight(self) -> float:
        """log p(token) - log proposal(token), nats; equals log Z_t when the mask comes after the
        filters. -inf where p has no mass; inf for a token taken by hand that couldn't be drawn."""
        return self.log_p if self.log_p == -inf else self.log_p - self.log_proposal


@dataclass(frozen=True, eq=False, slots=True)
class Standing:
    """Where a run stands, without its record: all that the next step depends on."""

    problem: Problem
    state: State
    """The automaton's state; that before the last token when it left the language or ended."""
    tokens: Prefix = ()
    """Ids taken so far, EOS included."""
    outcome: Outcome = Outcome.RUNNING

    @classmethod
    def start(cls, problem: Problem) -> "Standing":
        """Before the first token."""
        return cls(problem, problem.constraint.initial)

    @property
    def prefix(self) -> Prefix:
        """What the model conditions on next."""
        return self.problem.prompt + self.tokens

    @property
    def text(self) -> bytes:
        """The output so far."""
        return self.problem.constraint.vocabulary.decode(self.tokens)

    def after(self, token: int) -> "Standing":
        """Where the run stands once `token` is taken.

        Raises:
            ValueError: the run has already ended, or `token` is no id of the vocabulary.
        """
        if self.outcome is not Outcome.RUNNING:
            raise ValueError(f"the run has ended: {self.outcome.value}")
        constraint = self.problem.constraint
        if not 0 <= token < len(constraint.vocabulary):
            raise ValueError(f"token id {token} is outside 0..{len(constraint.vocabulary) - 1}")
        tokens = (*self.tokens, token)
        if not constraint.mask(self.state)[token]:
            return replace(self, tokens=tokens, outcome=Outcome.REJECTED)
        if token in constraint.vocabulary.eos_ids:
            return replace(self, tokens=tokens, outcome=Outcome.ACCEPTED)
        full = len(tokens) >= self.problem.max_tokens
        return replace(
            self,
            tokens=tokens,
            state=constraint.advance(self.state, token),
            outcome=Outcome.TRUNCATED if full else Outcome.RUNNING,
        )

    def stopped(self) -> "Standing":
        """The run, ended here without a token: a dead end."""
        return replace(self, outcome=Outcome.DEAD_END)


@dataclass(frozen=True, eq=False, slots=True)
class Trace:
    """An immutable run and its record: extending it gives a new one, so undo and fork are free."""

    standing: Standing
    steps: tuple[Step, ...] = ()
    """One for each token; a dead end adds none."""

    @classmethod
    def start(cls, problem: Problem) -> "Trace":
        """The empty run."""
        return cls(Standing.start(problem))

    @property
    def problem(self) -> Problem:
        """What was asked."""
        return self.standing.problem

    @property
    def outcome(self) -> Outcome:
        """How the run stands."""
        return self.standing.outcome

    @property
    def tokens(self) -> Prefix:
        """Ids taken so far, EOS included."""
        return self.standing.tokens

    @property
    def log_z(self) -> float:
        """Sum of log Z_t, nats."""
        return sum(step.position.log_z for step in self.steps)

    @property
    def log_weight(self) -> float:
        """Sum of the steps' log weights, nats: the importance weight of the run."""
        return sum(step.log_weight for step in self.steps)

    def extended(self, step: Step) -> "Trace":
        """This run with one more step.

        Raises:
            ValueError: the run has already ended.
        """
        return Trace(self.standing.after(step.token), (*self.steps, step))

    def back(self, n: int = 1) -> "Trace":
        """This run without its last `n` moves; the start when there are fewer. Standing still at a
        dead end was a move: taking it back only sets the run going again."""
        dead = self.outcome is Outcome.DEAD_END
        steps = self.steps[: max(0, len(self.steps) + dead - n)]
        if n <= 0 or (len(steps) == len(self.steps) and not dead):
            return self
        whole = len(steps) == len(self.steps)
        state = self.standing.state if whole else self.steps[len(steps)].position.state
        return Trace(Standing(self.problem, state, self.tokens[: len(steps)]), steps)
