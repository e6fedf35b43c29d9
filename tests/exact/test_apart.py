"""Two laws side by side: the distance lies within its bounds at every budget, and healing's laws."""

import math
from decimal import Decimal
from itertools import zip_longest

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from playground.constraints.healed import HealedAutomaton
from playground.decoding.masses import MassTree
from playground.decoding.trace import Problem
from playground.exact.apart import Law, aligned, conditional, masked, tv_between
from playground.exact.distances import Cells
from playground.exact.interval import Interval
from playground.exact.posterior import known_cells
from playground.models.rows import RowStore
from playground.vocabulary import Vocabulary
from tests.exact.enumerate import Truth
from tests.exact.problems import LiveDouble, automaton, every_budget, finished, toy_problem
from tests.exact.strategies import CONSTRAINTS, FILTERS, toys
from tests.exact.test_containment import known

few = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
BYTES = Vocabulary((b"a", b"b", b"c", None), frozenset({3}))
PAIRS = Vocabulary((b"a", b"b", b"ab", b"ba", b"bb", b"aab", None), frozenset({6}))


def bounds(left: MassTree, right: MassTree, lead: bytes = b"") -> tuple[Interval, Interval]:
    """TV between the two p_V and between the two p~; the right side's texts begin with `lead`."""
    told = [known_cells(tree) for tree in (left, right)]
    places = [
        {text[skip:]: i for i, text in enumerate(texts)}
        for (texts, _), skip in zip(told, (0, len(lead)), strict=True)
    ]
    _, *at = aligned(*places)
    p, q = (
        tv_between(*(law(cells).at(own) for (_, cells), own in zip(told, at, strict=True)))
        for law in (conditional, masked)
    )
    return p, q


def true_tv(left: Truth, right: Truth, lead: bytes = b"") -> tuple[float, float]:
    """The same by enumeration."""
    skipped = {text[len(lead) :]: masses for text, masses in right.texts.items()}
    texts = {*left.texts, *skipped}
    none = (Decimal(0), Decimal(0))
    p = q = Decimal(0)
    for text in texts:
        mine, theirs = left.texts.get(text, none), skipped.get(text, none)
        if left.z and right.z:
            p += abs(mine[0] / left.z - theirs[0] / right.z)
        q += abs(mine[1] - theirs[1])
    q += abs(left.cut + left.dead - right.cut - right.dead)
    return float(p) / 2, float(q) / 2


def hold(left: MassTree, right: MassTree, truths: tuple[Truth, Truth], lead: bytes = b"") -> None:
    """True at every pair of budgets, and one number where both are closed."""
    p, q = true_tv(*truths, lead)
    exists = all(truth.z for truth in truths)
    for _ in zip_longest(every_budget(left), every_budget(right, batch=2)):
        of_p, of_q = bounds(left, right, lead)
        assert of_q.lower - 1e-12 <= q <= of_q.upper + 1e-12
        if exists:
            assert of_p.lower - 1e-12 <= p <= of_p.upper + 1e-12
    if not len(left.frontier) and not len(right.frontier):
        doubt = 40 * max(left.delta, right.delta) * max(left.deepest, right.deepest) + 1e-12
        assert of_q.width <= doubt
        if exists:
            assert of_p.width <= doubt


@few
@given(toys(), CONSTRAINTS, CONSTRAINTS, st.integers(1, 5), FILTERS)
def test_the_distance_between_two_constraints_is_within_its_bounds(
    spec, one, other, max_tokens, filters
) -> None:
    sides = [
        toy_problem(spec, source, kind, max_tokens, **filters) for kind, source in (one, other)
    ]
    truths = [known(*side) for side in sides]
    hold(MassTree(sides[0][0]), MassTree(sides[1][0]), (truths[0], truths[1]))


def healed_problem(problem: Problem) -> tuple[Problem, bytes]:
    """The same with its prompt's last token taken off, and that token's bytes."""
    *prompt, token = problem.prompt
    lead = problem.model.vocabulary.tokens[token] or b""
    constraint = HealedAutomaton(problem.constraint, lead)
    rows, most = RowStore(2**24), problem.max_tokens + 1
    return Problem(problem.model, constraint, rows, tuple(prompt), problem.sampling, most), lead


@few
@given(st.sampled_from(["a+b", "(ab|ba){1,2}", "b?a{1,3}", "abb|bab"]), st.integers(0, 5),
       st.integers(2, 4), st.integers(0, 3))  # fmt: skip
def test_healing_and_its_distance_from_the_plain_law_are_as_enumerated(
    source, last, max_tokens, seed
) -> None:
    model = LiveDouble(PAIRS, seed=seed, noise=5e-5)
    constraint, pattern = automaton(PAIRS, "regex", source)
    plain = Problem(model, constraint, RowStore(2**24), (1, last), max_tokens=max_tokens)
    healed, lead = healed_problem(plain)
    truths = (
        known(plain, model.law((1, last)), pattern),
        known(healed, model.law((1,)), f"{lead.decode()}({pattern})"),
    )
    hold(MassTree(plain), MassTree(healed), truths, lead)


@few
@given(st.sampled_from(["a+b", "[ab]{1,3}", "c|ab|ba", "(ab)*c"]), st.integers(0, 2),
       st.integers(2, 6), st.integers(0, 9))  # fmt: skip
def test_where_every_token_is_a_byte_healing_changes_nothing(source, last, most, seed) -> None:
    model = LiveDouble(BYTES, seed=seed)
    constraint, _ = automaton(BYTES, "regex", source)
    plain = Problem(model, constraint, RowStore(2**24), (1, last), max_tokens=most)
    healed, lead = healed_problem(plain)
    left, right = MassTree(plain), MassTree(healed)
    before, after = finished(left), finished(right)
    assume(before.Z.lower > 0)
    of_p, of_q = bounds(left, right, lead)
    assert of_p.lower == of_q.lower == 0.0
    assert max(of_p.upper, of_q.upper) < 0.02  # what float32 rows leave in doubt
    law = {text.text: (text.conditional.middle, text.masked.middle) for text in before.texts}
    there = {text.text[1:]: (text.conditional.middle, text.masked.middle) for text in after.texts}
    assert there.keys() == law.keys()
    for text, shares in law.items():
        assert there[text] == pytest.approx(shares, abs=1e-6)


MASS = st.sampled_from([0.0, 1e-9, 1e-3, 0.1, 0.5, 1.0])


@st.composite
def sides(draw: st.DrawFn) -> tuple[Cells, np.ndarray, np.ndarray]:
    """What is known of one side, over three texts and one unknown; its p_V and p~, "not finished"
    the last outcome of each."""
    found, settled, below = (np.array([draw(MASS) for _ in range(3)]) for _ in range(3))
    open_p, open_q, lost = draw(MASS), draw(MASS), draw(MASS)
    total = below.sum() + open_q + lost
    assume(total > 0 and found.sum() + settled.sum() + open_p > 0)
    below, open_q, lost = below / total, open_q / total, lost / total
    weights = np.array([draw(MASS) for _ in range(5)])
    weights = weights / weights.sum() if weights.sum() else np.eye(5)[0]
    p = np.append(found + settled * draw(st.sampled_from([0.0, 0.5, 1.0])), 0.0)
    p = p + open_p * draw(st.sampled_from([0.0, 0.5, 1.0])) * weights[:4]
    assume(p.sum() > 0)
    q = np.append(below, [0.0, lost]) + open_q * weights
    cells = Cells(
        found=(found, found, found),
        settled=settled,
        masked=(below, below, below),
        open_p=open_p,
        settled_p=float(settled.sum()),
        open_q=open_q,
        unfinished=lost,
        doubt=0.0,
    )
    return cells, np.append(p / p.sum(), 0.0), q


@settings(max_examples=300, deadline=None)
@given(sides(), sides(), st.permutations(range(3)), st.integers(0, 3))
def test_however_the_open_mass_turns_out_the_distance_is_within_its_bounds(
    left, right, order, shared
) -> None:
    # Text i of the left is text order[i] of the right for the first `shared`; the others, and the
    # unknown text of each side, are nowhere on the other side.
    mine = {f"l{i}".encode(): i for i in range(3)}
    theirs = {(f"l{i}" if i < shared else f"r{i}").encode(): int(order[i]) for i in range(3)}
    texts, *at = aligned(mine, theirs)
    for law, which in ((conditional, 1), (masked, 2)):
        claim = tv_between(law(left[0]).at(at[0]), law(right[0]).at(at[1]))
        p, q = left[which], right[which]
        apart = abs(p[4] - q[4]) + p[3] + q[3]
        for text in texts:
            a = p[mine[text]] if text in mine else 0.0
            b = q[theirs[text]] if text in theirs else 0.0
            apart += abs(a - b)
        assert claim.lower - 1e-12 <= apart / 2 <= claim.upper + 1e-12


def test_nothing_open_is_one_number_and_two_equal_laws_are_not_apart() -> None:
    def law(*shares: float) -> Law:
        exact = np.array([*shares, 0.0])
        return Law(exact, exact, exact, 0.0)

    far = tv_between(law(0.7, 0.3, 0.0), law(0.2, 0.3, 0.5))
    assert far.lower == pytest.approx(0.5, abs=1e-13)
    assert far.width < 1e-13
    same = tv_between(law(0.7, 0.3), law(0.7, 0.3))
    assert (same.lower, same.upper) == (0.0, pytest.approx(0.0, abs=1e-13))
    none = tv_between(law(1.0, 0.0), law(0.0, 1.0))
    assert none.lower == pytest.approx(1.0, abs=1e-13)
    assert none.upper == 1.0


def test_open_mass_counts_once_for_all_texts_together() -> None:
    known_ = np.array([0.3, 0.3, 0.3, 0.0])
    left = Law(known_, known_, known_ + 0.1, 0.1)
    nothing = np.zeros(4)
    right = Law(nothing, nothing, np.full(4, 0.2), 0.2)
    assert tv_between(left, right).lower == pytest.approx(0.7, abs=1e-13)
    assert math.isclose(tv_between(left, right).upper, 1.0)
