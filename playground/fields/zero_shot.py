"""Fields decided without training: the language model scores the options of each field itself.

After the prompt and the answer up to a field's key, p_V of an option is its share of the mass that
the model gives to the options as texts. What it gives to anything else is "none of these".
"""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from playground.constraints.automaton import TokenAutomaton
from playground.constraints.cache import CompileCache
from playground.constraints.compile import compile_constraint
from playground.constraints.spec import ConstraintSpec
from playground.decoding.run import Cancelled, never
from playground.decoding.sampling import require_random
from playground.decoding.trace import Problem
from playground.errors import InvalidInput
from playground.exact.interval import Interval
from playground.exact.posterior import Posterior, snapshot
from playground.exact.search import Budget, follow, search
from playground.fields.boxes import entropy_bounds, margin_bounds, mixture, tv_between
from playground.fields.option_tree import OptionTree, option_masses
from playground.fields.record_type import RecordType
from playground.fields.scores import FieldScore, Mode, Moved, RecordScore
from playground.fields.wording import OptionWording, beginning, wording_of
from playground.models.base import Prefix

BUDGET: Final = Budget(rows=200, seconds=20.0, tolerance=0.001, aim="z")
"""Of one field: it ends once what is open is a thousandth of the options' mass."""


class ZeroShot:
    """One record type asked of one model at one prompt. Rows are shared by all questions."""

    def __init__(
        self,
        problem: Problem,
        record_type: RecordType,
        budget: Budget = BUDGET,
        cache: CompileCache | None = None,
        cancelled: Cancelled = never,
    ) -> None:
        """
        Args:
            problem: gives model, prompt, rows and the law to sample; its constraint isn't used.
            record_type: what is asked.
            budget: of each field.
            cache: of compiled constraints.
            cancelled: asked before each batch; what is known then is yielded once more.

        Raises:
            InvalidInput: temperature 0, or options that can't be told apart.
        """
        require_random(problem.sampling)
        self._problem, self._type = problem, record_type
        self._budget, self._cache, self._cancelled = budget, cache, cancelled
        for field in record_type.fields:
            wording_of(field)
        self._known: dict[tuple[int, tuple[tuple[int, int], ...]], FieldScore] = {}
        self._asked: dict[tuple[int, tuple[int, ...]], tuple[OptionWording, TokenAutomaton]] = {}

    def field(self, position: int, given: Sequence[tuple[int, int]] = ()) -> Iterator[FieldScore]:
        """The options of one field after the fields of `given`, (position, option) pairs, in their
        order; the last score says why it `stopped`. Asked again, only that one comes.

        Raises:
            InvalidInput: the model can't spell the beginning or read that much.
            PlaygroundError: the options can't be compiled.
        """
        held = self._known.get((position, tuple(given)))
        if held is not None:
            yield held
            return
        score = None
        for score in self._search(position, given):
            yield score
        if score is not None and score.stopped != "cancelled":
            self._known[position, tuple(given)] = score

    def _search(self, position: int, given: Sequence[tuple[int, int]]) -> Iterator[FieldScore]:
        places = self._open_options(position, dict(given))
        wording, automaton = self._constraint(position, places)
        text = beginning(self._type, given, position)
        prompt = self._problem.prompt + self._problem.model.encode(text)
        longest = max(wording.lengths) + 3  # a blank, the end, and room that no run can use up
        problem = replace(
            self._problem, constraint=automaton, prompt=prompt, prefill=(), max_tokens=longest
        )
        tree = OptionTree(problem, wording)
        started = time.monotonic()
        if not self._cancelled():  # the long part; kept apart, so that all fields go on from it
            problem.rows.get(problem.model, [self._problem.prompt])
        for known in search(tree, self._budget, self._cancelled):
            if known.stopped == "tolerance":
                _spell_each(tree, self._budget.rows - tree.rows_used)
                known = snapshot(tree, known.seconds, known.stopped)
            yield self._score(position, text, tree, places, known, time.monotonic() - started)

    def _score(
        self,
        position: int,
        text: str,
        tree: OptionTree,
        places: tuple[int, ...],
        known: Posterior,
        seconds: float,
    ) -> FieldScore:
        field = self._type.fields[position]
        options = option_masses(tree, tuple(field.options[at].label for at in places), places)
        law = [option.conditional for option in options]
        return FieldScore(
            name=field.name,
            position=position,
            beginning=text,
            options=options,
            none_of_these=Interval(1.0 - known.Z.upper, 1.0 - known.Z.lower),
            entropy=entropy_bounds(law),
            margin=margin_bounds(law),
            status=known.status,
            stopped=known.stopped,
            rows=tree.rows_used,
            passes=tree.passes,
            seconds=seconds,
            note=tree.wording.note,
        )

    def record(self, mode: Mode, order: Sequence[str] = ()) -> Iterator[RecordScore]:
        """Every field: each from the prompt with its own key asked (parallel), or after the fields
        before it, decided as their likeliest option (autoregressive).

        Args:
            mode: which of the two.
            order: names of the fields to ask first; the others follow in the type's order.

        Raises:
            InvalidInput: an unknown or repeated name.
        """
        done: list[FieldScore] = []
        for position in self._order(order):
            given = [(score.position, score.best.index) for score in done]
            score = None
            for score in self.field(position, given if mode == "autoregressive" else ()):
                yield self._so_far(mode, [*done, score])
            assert score is not None
            done.append(score)
            if self._cancelled():
                return

    def moved(self, a: str, b: str) -> Iterator[Moved]:
        """The law of `b` after each option of `a`, against their mixture; the last has the TVs
        unless it was cancelled.

        Raises:
            InvalidInput: an unknown name, or twice the same.
        """
        first, second = self._type.position(a), self._type.position(b)
        if first == second:
            raise InvalidInput(f"{a[:80]} is given twice.", "Choose two fields.", "fields")
        *_, given = self.field(first)
        laws: list[FieldScore] = []
        for option in given.options:
            if self._cancelled():
                return
            *_, score = self.field(second, [(first, option.index)])
            laws.append(score)
            yield self._moved(a, b, given, laws)

    def _moved(self, a: str, b: str, given: FieldScore, laws: Sequence[FieldScore]) -> Moved:
        if len(laws) < len(given.options):
            return Moved(a, b, given, tuple(laws), None, None, None)
        size = self._type.fields[self._type.position(b)].size
        boxes = [_whole(score, size) for score in laws]
        marginal = mixture(given.law, boxes)
        tv = tuple(tv_between(box, marginal) for box in boxes)
        (mean,) = mixture(given.law, [[each] for each in tv])
        return Moved(a, b, given, tuple(laws), tuple(marginal), tv, mean)

    def _so_far(self, mode: Mode, scores: Sequence[FieldScore]) -> RecordScore:
        whole = len(scores) == len(self._type.fields)
        if not whole:
            return RecordScore(mode, tuple(scores), None, None, None, False)
        chosen = {score.position: score.best.index for score in scores}
        indices = tuple(chosen[at] for at in range(len(chosen)))
        allowed = self._type.allowed is None or indices in self._type.allowed
        finished = all(score.stopped is not None for score in scores)
        return RecordScore(mode, tuple(scores), indices, allowed, self._steps(indices), finished)

    def _steps(self, indices: Sequence[int]) -> int | None:
        text = json.dumps(self._type.record(indices), ensure_ascii=False)
        try:
            return len(self._problem.model.encode(text)) + 1
        except InvalidInput:
            return None

    def _order(self, order: Sequence[str]) -> list[int]:
        asked = [self._type.position(name) for name in order]
        if len(set(asked)) < len(asked):
            raise InvalidInput("A field is named twice.", "Name each once.", "order")
        return asked + [at for at in range(len(self._type.fields)) if at not in asked]

    def _open_options(self, position: int, given: Mapping[int, int]) -> tuple[int, ...]:
        """The options with which what is given can still become an allowed record."""
        if self._type.allowed is None:
            return tuple(range(self._type.fields[position].size))
        found = {
            indices[position]
            for indices in self._type.allowed
            if all(indices[at] == option for at, option in given.items())
        }
        if not found:
            raise InvalidInput(
                "The schema allows no record with what is given.", "Give other options.", "given"
            )
        return tuple(sorted(found))

    def _constraint(
        self, position: int, places: tuple[int, ...]
    ) -> tuple[OptionWording, TokenAutomaton]:
        held = self._asked.get((position, places))
        if held is not None:
            return held
        field = self._type.fields[position]
        wording = wording_of(field, places)
        compiled = compile_constraint(
            ConstraintSpec(kind="regex", source=wording.regex),
            self._problem.model.vocabulary,
            cache=self._cache,
            cancelled=self._cancelled,
        )
        self._asked[position, places] = wording, compiled.automaton
        return self._asked[position, places]


def _spell_each(tree: OptionTree, most: int) -> None:
    """Open what lies along the tokenizer's own spelling of each option of which no run is known, in
    one pass: at most `most` rows. So every option has a spelling to count tokens of."""
    problem, wording = tree.problem, tree.wording
    found = {wording.decided(tree.texts[text]) for text in tree.found.rows["text"].tolist()}
    known = {each[1] for each in found if each is not None}
    ways: list[Prefix] = []
    for at, (text, *_) in enumerate(wording.spellings):
        if at in known:
            continue
        with suppress(InvalidInput):  # a toy may have other tokens for it
            way = problem.model.encode(f" {text}" if text.startswith('"') else f" {text},")
            if sum(map(len, ways)) + len(way) <= most:
                ways.append(way)
    if not ways:
        return
    steps = dict.fromkeys(way[:end] for way in ways for end in range(1, len(way)))
    problem.rows.get(problem.model, [problem.prompt + step for step in steps])
    before = tree.passes
    for way in ways:
        follow(tree, way)
    tree.passes = before + 1


def _whole(score: FieldScore, size: int) -> list[Interval]:
    """p_V of all `size` options of a field; those that were ruled out have none."""
    box = [Interval.point(0.0)] * size
    for option in score.options:
        box[option.index] = option.conditional
    return box
