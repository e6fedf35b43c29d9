"""Runs of a method, advanced together token by token, and what each comes to: a `Draw`."""

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from math import inf
from typing import TypeVar

from playground.constraints.automaton import State
from playground.decoding.accept import Accept
from playground.decoding.chance import Categorical, Choose
from playground.decoding.laws import BATCH, Law, Laws
from playground.decoding.sampling import require_random
from playground.decoding.trace import Outcome, Problem
from playground.errors import InvalidInput
from playground.models.base import Prefix

Cancelled = Callable[[], bool]
"""Asked before each batch of model calls; True ends the draws, keeping those already yielded."""


def never() -> bool:
    """Nobody cancels."""
    return False


@dataclass(frozen=True, eq=False, slots=True)
class Run:
    """One finished run, light: no candidate tables."""

    tokens: Prefix
    """Output ids, EOS included."""
    outcome: Outcome
    log_p: float
    """log p(tokens), nats: after temperature and filters."""
    log_proposal: float
    """log of the chance that the method had to draw these tokens, nats."""
    log_z: tuple[float, ...]
    """log Z_t of every step that was taken while the text was a prefix of a valid one."""


@dataclass(frozen=True, eq=False, slots=True)
class Draw:
    """What a method hands out."""

    run: Run
    text: bytes
    log_weight: float
    """log of an importance weight, nats: log p - log proposal of a valid run from masked, engine
    order, asap, importance and smc (the mean of exp is Z), and -inf of one that isn't. From the
    other methods 0, and -inf for a draw that stands for nothing: not accepted, or for
    unconstrained without an end."""
    accepted: bool
    index: int
    """From 0; that of the attempt for rejection, cars and conditional."""
    rows_used: int
    """Distinct rows that the draws up to this one needed."""
    log_bound: float = 0.0
    """log of a proved upper bound on Z after this draw, from methods that learn one; never
    increasing."""
    attempts: int = 1
    """Runs that it took."""
    spent: int = 0
    """Tokens sampled in all of them."""
    steps: int = 0
    """Of these the ones that had to come one after another."""
    given: int = 0
    """Tokens that the run begins with, which nobody sampled."""
    log_given: float = 0.0
    """log p of these, nats."""


@dataclass(frozen=True, eq=False, slots=True)
class Course:
    """A run under way. A value: going on gives a new one."""

    problem: Problem
    state: State | None
    """Where the automaton stands; None once the text has left the language."""
    tokens: Prefix = ()
    outcome: Outcome = Outcome.RUNNING
    states: tuple[State | None, ...] = ()
    """Before each token."""
    log_p: tuple[float, ...] = ()
    log_proposal: tuple[float, ...] = ()
    log_z: tuple[float, ...] = ()
    asked: int = 0
    """Rows that it read: one a token, and one more where it ended without a token."""

    @classmethod
    def start(cls, problem: Problem) -> "Course":
        """Before the first token."""
        return cls(problem, problem.constraint.initial)

    @property
    def ended(self) -> bool:
        """Its last token is EOS."""
        return self.tokens[-1:] != () and self.tokens[-1] in self.problem.model.vocabulary.eos_ids

    @property
    def text(self) -> bytes:
        """The output so far."""
        return self.problem.constraint.vocabulary.decode(self.tokens)

    def after(self, token: int, law: Law, log_proposal: float, strays: bool = False) -> "Course":
        """With one more token; a `strays` run goes on after the text has left the language, and is
        called REJECTED when it ends there, by EOS or by max_tokens."""
        problem, state, outcome = self.problem, self.state, Outcome.RUNNING
        tokens = (*self.tokens, token)
        inside = law.mask is not None and bool(law.mask[token])
        if token in problem.model.vocabulary.eos_ids:
            outcome = Outcome.ACCEPTED if inside else Outcome.REJECTED
        elif not inside and not strays:
            outcome = Outcome.REJECTED
        elif len(tokens) >= problem.max_tokens:
            outcome = Outcome.TRUNCATED if inside else Outcome.REJECTED
        else:
            state = problem.constraint.advance(state, token) if inside else None
        return Course(
            problem,
            state,
            tokens,
            outcome,
            (*self.states, self.state),
            (*self.log_p, float(law.logprobs[token])),
            (*self.log_proposal, log_proposal),
            self.log_z if law.mask is None else (*self.log_z, law.log_z),
            self.asked + 1,
        )

    def stopped(self, outcome: Outcome) -> "Course":
        """Ended here by its row, without a token."""
        return replace(self, outcome=outcome, asked=self.asked + 1)

    def cut(self, length: int) -> "Course":
        """As it stood before token `length`."""
        if length >= len(self.tokens):
            return self
        return Course(
            self.problem,
            self.states[length],
            self.tokens[:length],
            Outcome.RUNNING,
            self.states[:length],
            self.log_p[:length],
            self.log_proposal[:length],
            self.log_z[:length],
            length,
        )

    def run(self) -> Run:
        """Its record."""
        return Run(self.tokens, self.outcome, sum(self.log_p), sum(self.log_proposal), self.log_z)


T = TypeVar("T")
Walk = Generator[Course, Law, T]
"""A run, or several after one another, as a coroutine: it yields where it stands, is sent the law
there, and returns what it comes to."""
Rule = Callable[[Law], Categorical | None]
"""The law to draw the next token from; None at a dead end."""


def walk(
    course: Course, run: int, choose: Choose, rule: Rule, strays: bool = False
) -> Walk[Course]:
    """`course`, continued to its end by `rule` with the streams of `run`."""
    while course.outcome is Outcome.RUNNING:
        law = yield course
        proposal = rule(law)
        if proposal is None:
            return course.stopped(Outcome.DEAD_END)
        token = choose(proposal, run, len(course.tokens))
        course = course.after(token, law, float(proposal.logprobs[token]), strays)
    return course


def lockstep(laws: Laws, walks: Iterable[Walk[T]], cancelled: Cancelled = never) -> Iterator[T]:
    """What the walks return, in their order. At most `BATCH` are under way, and all of them step
    together, so that they share model calls; it ends early when `cancelled`."""
    waiting = enumerate(walks)
    under_way: dict[int, tuple[Walk[T], Course]] = {}
    done: dict[int, T] = {}
    following = 0

    def move(index: int, going: Walk[T], law: Law | None) -> None:
        try:
            under_way[index] = going, next(going) if law is None else going.send(law)
        except StopIteration as stop:
            under_way.pop(index, None)
            done[index] = stop.value

    while True:
        while len(under_way) < BATCH and (new := next(waiting, None)) is not None:
            move(*new, None)
        while following in done:
            yield done.pop(following)
            following += 1
        if not under_way or cancelled():
            return
        places = [course for _, course in under_way.values()]
        for (index, (going, _)), law in zip(list(under_way.items()), laws.at(places), strict=True):
            move(index, going, law)


class Needed:
    """Counts the distinct rows that runs needed: a tree of prefixes, one number each."""

    def __init__(self) -> None:
        self._children: dict[tuple[int, int], int] = {}
        self._asked: set[int] = set()
        self._starts: dict[Prefix, int] = {}

    def __len__(self) -> int:
        return len(self._asked)

    def ask(self, place: int) -> None:
        """The row at `place` was needed; 0 is the empty output after the first prompt."""
        self._asked.add(place)

    def after(self, place: int, token: int) -> int:
        """The place one token on."""
        return self._children.setdefault((place, token), len(self._children) + 1)

    def add(self, course: Course) -> None:
        """Every row that a run read; runs after different prompts have none in common."""
        place = self._starts.setdefault(course.problem.prompt, -len(self._starts))
        for depth in range(course.asked):
            self.ask(place)
            if depth < len(course.tokens):
                place = self.after(place, course.tokens[depth])


def drawn(
    course: Course,
    index: int,
    accept: Accept,
    needed: Needed,
    log_weight: float | None = None,
    log_bound: float = 0.0,
) -> Draw:
    """The draw that `course` comes to; without a weight it weighs 1 if accepted, else 0."""
    text = course.text
    accepted = accept(course.outcome, course.ended, text)
    if log_weight is None:
        log_weight = 0.0 if accepted else -inf
    run, rows, spent = course.run(), len(needed), len(course.tokens)
    return Draw(run, text, log_weight, accepted, index, rows, log_bound, 1, spent, spent)


def importance_weight(course: Course) -> float:
    """log p - log proposal of a valid run, nats, -inf of any other: exp of it has mean Z."""
    if course.outcome is not Outcome.ACCEPTED:
        return -inf
    log_p = sum(course.log_p)
    return log_p if log_p == -inf else log_p - sum(course.log_proposal)


def require_drawable(problem: Problem, n: int) -> None:
    """
    Raises:
        InvalidInput: nothing is random at temperature 0, or `n` is below 1.
    """
    require_random(problem.sampling)
    if n < 1:
        raise InvalidInput(f"The number of draws is {n}.", "It must be at least 1.", "n")
