"""The language model's own scores of a record's fields: by hand on toys, by enumeration on others."""

import itertools
import json
import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest

from playground.constraints.free import FreeAutomaton
from playground.decoding.sampling import Sampling
from playground.decoding.trace import Problem
from playground.errors import EmptyLanguage, InvalidInput
from playground.exact.interval import Interval
from playground.exact.search import Budget
from playground.fields.length_trap import CAPITAL, LENGTH_TRAP
from playground.fields.record_type import ABSENT, Field, Option, RecordType
from playground.fields.scores import FieldScore, RecordScore
from playground.fields.zero_shot import ZeroShot
from playground.models.base import LanguageModel, Prefix
from playground.models.rows import RowStore
from playground.models.spelling import Speller
from playground.models.toy import ToyModel
from playground.vocabulary import Vocabulary
from tests.exact.problems import LiveDouble, toy

ALL = Budget(rows=10_000, tolerance=0.0, aim="z")


def posed(model: LanguageModel, prompt: Prefix = (), **sampling: float) -> Problem:
    constraint = FreeAutomaton(model.vocabulary)
    return Problem(model, constraint, RowStore(2**24), prompt, Sampling(**sampling))


def choice(name: str, *values: object) -> Field:
    return Field((name,), "choice", tuple(Option(json.dumps(value), value) for value in values))


def record_type(*fields: Field, allowed: frozenset[tuple[int, ...]] | None = None) -> RecordType:
    return RecordType(fields, "{}", allowed)


def last(scores: Iterator[FieldScore]) -> FieldScore:
    *_, score = scores
    return score


def finished(scores: Iterator[RecordScore]) -> RecordScore:
    *_, score = scores
    assert score.finished
    return score


def near(interval: Interval, value: float) -> bool:
    return value in interval and interval.width < 1e-9


def test_length_normalisation_flips_the_answer_of_the_trap() -> None:
    score = last(ZeroShot(posed(ToyModel(LENGTH_TRAP)), CAPITAL).field(0))
    paris, long = score.options
    assert score.status == "exact"
    assert score.stopped == "complete"
    assert near(paris.p, 0.125)
    assert near(long.p, 0.01)
    assert near(paris.conditional, 0.125 / 0.135)
    assert near(score.none_of_these, 0.865)
    assert near(score.margin, 0.115 / 0.135)
    share = 0.01 / 0.135
    assert near(score.entropy, -share * math.log2(share) - (1 - share) * math.log2(1 - share))
    assert (paris.tokens, long.tokens) == (3, 8)
    assert math.exp(paris.per_token) == pytest.approx(0.5)
    assert math.exp(long.per_token) == pytest.approx(0.01 ** (1 / 8))
    assert score.length_normalised == pytest.approx((0.5 / 1.0623413, 0.5623413 / 1.0623413))
    assert score.best is paris
    assert score.proved
    assert score.flipped is long


def test_a_number_ends_where_no_digit_follows_and_its_spellings_add_up() -> None:
    model = ToyModel(
        toy(
            ['{"n":', "1", "0", "10", ",", "x", "}", " "],
            [
                {"prefix": [], "p": {'{"n":': 1}},
                {"prefix": ['{"n":'], "p": {"1": 0.5, "10": 0.1, " ": 0.2, "x": 0.2}},
                {"last": " ", "p": {"1": 0.5, "x": 0.5}},
                {"last": "1", "p": {"0": 0.5, ",": 0.2, "}": 0.1, "x": 0.2}},
                {"last": "0", "p": {"0": 0.5, "}": 0.5}},
                {"p": {",": 1}},
            ],
        )
    )
    score = last(ZeroShot(posed(model), record_type(choice("n", 1, 10))).field(0))
    one, ten = score.options
    # 1: (.5 + .2 x .5) x .3; 10: (.5 + .2 x .5) x .5 x .5 and .1 x 1.
    assert near(one.p, 0.18)
    assert near(ten.p, 0.15 + 0.1)
    assert near(one.conditional, 0.18 / 0.43)
    assert near(score.none_of_these, 0.57)


COUNTRY = toy(
    ['{"country":', '{"currency":', ', "currency":', ' "', '"', "US", "DE", "USD", "EUR", "}"],
    [
        {"prefix": ['{"country":', ' "'], "p": {"US": 0.6, "DE": 0.2, '"': 0.2}},
        {"prefix": ['{"currency":', ' "'], "p": {"USD": 0.3, "EUR": 0.5, '"': 0.2}},
        {
            "prefix": ['{"country":', ' "', "US", '"', ', "currency":', ' "'],
            "p": {"USD": 0.9, "EUR": 0.1},
        },
        {
            "prefix": ['{"country":', ' "', "DE", '"', ', "currency":', ' "'],
            "p": {"USD": 0.4, "EUR": 0.4, '"': 0.2},
        },
        {"last": '{"country":', "p": {' "': 1}},
        {"last": '{"currency":', "p": {' "': 1}},
        {"last": ', "currency":', "p": {' "': 1}},
        {"p": {'"': 1}},
    ],
)
FIELDS = (choice("country", "US", "DE"), choice("currency", "USD", "EUR"))
COHERENT = frozenset({(0, 0), (1, 1)})


def test_parallel_fields_do_not_see_each_other_and_chained_ones_do() -> None:
    asked = ZeroShot(posed(ToyModel(COUNTRY)), record_type(*FIELDS, allowed=COHERENT))
    parallel = finished(asked.record("parallel"))
    assert [field.beginning for field in parallel.fields] == ['{"country":', '{"currency":']
    assert near(parallel.fields[0].law[0], 0.75)
    assert near(parallel.fields[1].law[0], 3 / 8)
    assert parallel.indices == (0, 1)
    assert parallel.allowed is False
    chained = finished(asked.record("autoregressive"))
    assert chained.fields[1].beginning == '{"country": "US", "currency":'
    assert [option.label for option in chained.fields[1].options] == ['"USD"']
    assert near(chained.fields[1].law[0], 1.0)
    assert near(chained.fields[1].none_of_these, 0.1)
    assert chained.indices == (0, 0)
    assert chained.allowed is True
    # {"country": "US", "currency": "USD"} is 9 tokens, and its end.
    assert chained.decoding_steps == 10
    assert chained.counted.startswith("Scored 3 options in")


def test_every_option_of_one_field_moves_the_other_as_computed_by_hand() -> None:
    asked = ZeroShot(posed(ToyModel(COUNTRY)), record_type(*FIELDS))
    *before, moved = asked.moved("country", "currency")
    assert [len(each.laws) for each in before] == [1]
    assert moved.marginal is not None
    assert moved.tv is not None
    assert moved.mean is not None
    # p_V(US) = .75; USD has .9 after US, .5 after DE: .8 in all.
    assert near(moved.marginal[0], 0.8)
    assert near(moved.tv[0], 0.1)
    assert near(moved.tv[1], 0.3)
    assert near(moved.mean, 0.75 * 0.1 + 0.25 * 0.3)


def test_the_order_is_the_askers_and_names_are_checked() -> None:
    kinds = record_type(*FIELDS)
    asked = ZeroShot(posed(ToyModel(COUNTRY)), kinds)
    score = next(asked.record("parallel", ["currency"]))
    assert score.fields[0].name == "currency"
    with pytest.raises(InvalidInput, match="no field"):
        next(asked.record("parallel", ["city"]))
    with pytest.raises(InvalidInput, match="twice"):
        next(asked.record("parallel", ["country", "country"]))
    with pytest.raises(InvalidInput, match="twice"):
        next(asked.moved("country", "country"))
    with pytest.raises(InvalidInput, match="temperature 0"):
        ZeroShot(posed(ToyModel(COUNTRY), temperature=0.0), kinds)


class Double(LiveDouble):
    """A random model that can spell."""

    def encode(self, text: str) -> Prefix:
        return Speller(self.vocabulary).spell(text)


LETTERS = ['"', "a", "b", "ab", '"a', 'b"', '",', '"}', " ", ' "', "1", "11", "1,", "2}", ",", "}"]
FILL = [f'"{x}{y}' for x, y in itertools.product(",}", "ABCDEFGHIJKLMNOPQRST")]


def vocabulary(*tokens: str) -> Vocabulary:
    """Of these and an end."""
    return Vocabulary((*(token.encode() for token in tokens), None), frozenset({len(tokens)}))


VOCABULARY = vocabulary(*LETTERS, *FILL, '{"f":', "z")


def truth(model: Double, prompt: Prefix, texts: Sequence[str], temperature: float) -> list[float]:
    """p of each text, a string or a number: every split into tokens, by plain recursion."""
    ends = [[text] if text[0] == '"' else [text + end for end in " \t\n\r,}"] for text in texts]
    goals = [[f"{blank}{end}".encode() for blank in ("", " ") for end in group] for group in ends]
    mass = [0.0] * len(texts)

    def visit(tokens: Prefix, text: bytes, p: float) -> None:
        row = model.row(prompt + tokens).astype(np.float64) / temperature
        law = np.exp(row - np.logaddexp.reduce(row))
        for token, piece in enumerate(model.vocabulary.tokens):
            if piece is None:
                continue
            whole, q = text + piece, p * float(law[token])
            done = [at for at, group in enumerate(goals) if whole.startswith(tuple(group))]
            if done:
                mass[done[0]] += q
            elif any(goal.startswith(whole) for group in goals for goal in group):
                visit((*tokens, token), whole, q)

    visit((), b"", 1.0)
    return mass


@pytest.mark.parametrize(("seed", "temperature"), [(0, 1.0), (1, 0.5), (2, 2.0)])
def test_the_bounds_hold_the_enumerated_truth_at_every_budget(
    seed: int, temperature: float
) -> None:
    model = Double(VOCABULARY, seed)
    kinds = record_type(choice("f", "ab", "b", 1, 11, 2))
    problem = posed(model, (3,), temperature=temperature)
    texts = ['"ab"', '"b"', "1", "11", "2"]
    masses = truth(model, (3, *model.encode('{"f":')), texts, temperature)
    total = sum(masses)
    for rows in (1, 2, 3, 5, 8, 13, 10_000):
        budget = replace(ALL, rows=rows, batch=1)
        score = last(ZeroShot(problem, kinds, budget).field(0))
        assert score.rows <= rows
        for option, mass in zip(score.options, masses, strict=True):
            assert mass in option.p
            assert mass / total in option.conditional
        assert 1 - total in score.none_of_these
        p = np.array(masses) / total
        assert float(-(p * np.log2(p)).sum()) in score.entropy
        ordered = np.sort(p)
        assert float(ordered[-1] - ordered[-2]) in score.margin
    assert score.status == "exact"
    assert all(option.conditional.width < 0.02 for option in score.options)


def test_the_bounds_of_a_search_that_has_read_one_row_by_hand() -> None:
    model = ToyModel(
        toy(
            ['{"f":', '"a"', '"b', '"', "z", 'a"', 'b"'],
            [
                {"prefix": ['{"f":'], "p": {'"a"': 0.3, '"b': 0.3, '"': 0.2, "z": 0.2}},
                {"prefix": ['{"f":', '"'], "p": {'a"': 0.5, 'b"': 0.5}},
                {"p": {'"': 1}},
            ],
        )
    )
    kinds = record_type(choice("f", "a", "b"))
    score = last(ZeroShot(posed(model), kinds, replace(ALL, rows=1)).field(0))
    a, b = score.options
    # Found: .3 of a. Open: .3 that can only be b, .2 that can be both.
    ends = [(a.p, 0.3, 0.5), (b.p, 0.0, 0.5), (a.conditional, 0.3 / 0.8, 1.0)]
    ends += [(b.conditional, 0.0, 0.5 / 0.8), (score.none_of_these, 0.2, 0.7)]
    for interval, lower, upper in ends:
        assert interval.lower == pytest.approx(lower, abs=1e-9)
        assert interval.upper == pytest.approx(upper, abs=1e-9)
    assert score.status == "bounded"
    assert score.stopped == "rows"
    whole = last(ZeroShot(posed(model), kinds, ALL).field(0))
    assert near(whole.options[0].conditional, 0.5)
    assert near(whole.options[0].p, 0.4)


def test_more_options_at_one_place_than_are_opened_at_once_are_all_counted_once() -> None:
    words = [f"{letter}{digit}" for letter in "ABCDEFGHIJ" for digit in "01234"]
    pieces = [*words, *(f'{word}"' for word in words)]
    model = Double(vocabulary('{"f":', '"', '"z', *pieces), 7)
    score = last(ZeroShot(posed(model), record_type(choice("f", *words)), ALL).field(0))
    masses = truth(model, model.encode('{"f":'), [f'"{word}"' for word in words], 1.0)
    assert score.status == "exact"
    for option, mass in zip(score.options, masses, strict=True):
        assert mass in option.p
        assert mass / sum(masses) in option.conditional
    assert 1 - sum(masses) in score.none_of_these


@pytest.mark.parametrize("favoured", [(10,), (0, 4), (5, 6)])
def test_what_batches_move_a_logit_by_is_inside_the_bounds(favoured: tuple[int, ...]) -> None:
    model = Double(VOCABULARY, 3, noise=1e-4, favoured=frozenset(favoured))
    masses = truth(model, model.encode('{"f":'), ['"ab"', "1"], 1.0)
    score = last(ZeroShot(posed(model), record_type(choice("f", "ab", 1)), ALL).field(0))
    assert score.status == "exact"
    for option, mass in zip(score.options, masses, strict=True):
        assert mass in option.p
        assert option.p.width > 0.0
        assert mass / sum(masses) in option.conditional


def test_every_option_has_a_spelling_to_count_though_the_search_ends_before_it() -> None:
    model = Double(VOCABULARY, 11, spread=4.0)
    kinds = record_type(choice("f", "ab", "b", "aaaaaaa", 1))
    found = []
    for tolerance in (0.2, 0.5):
        budget = replace(ALL, tolerance=tolerance, rows=100)
        score = last(ZeroShot(posed(model), kinds, budget).field(0))
        assert score.stopped == "tolerance"
        assert score.length_normalised is not None
        assert sum(score.length_normalised) == pytest.approx(1.0)
        assert all(option.p.lower > 0 for option in score.options)
        found.append(score.passes)
    assert found[1] <= found[0]


def test_a_live_search_narrows_and_stops_within_its_rows() -> None:
    model = Double(VOCABULARY, 5)
    kinds = record_type(choice("f", "ab", "b", "aab", "bbb"))
    widths = []
    for rows in (1, 4, 16):
        score = last(ZeroShot(posed(model), kinds, replace(ALL, rows=rows)).field(0))
        assert score.rows <= rows
        widths.append(sum(option.conditional.width for option in score.options))
    assert widths == sorted(widths, reverse=True)
    assert widths[0] > widths[-1]


def test_stopping_gives_what_is_known_and_no_more() -> None:
    model = Double(VOCABULARY, 5)
    fields = (choice("f", "ab", "b"), choice("g", "a", "b"))
    calls = itertools.count()
    asked = ZeroShot(posed(model), record_type(*fields), ALL, cancelled=lambda: next(calls) >= 4)
    scores = list(asked.record("parallel"))
    assert len(scores[-1].fields) == 1
    assert not scores[-1].finished
    assert scores[-1].fields[0].stopped == "cancelled"
    assert scores[-1].indices is None


def test_what_the_model_cannot_spell_is_refused_in_words() -> None:
    problem = posed(ToyModel(LENGTH_TRAP))
    with pytest.raises(EmptyLanguage, match="Rome"):
        last(ZeroShot(problem, record_type(choice("capital", "Rome"))).field(0))
    with pytest.raises(InvalidInput, match="city"):
        last(ZeroShot(problem, record_type(choice("city", "Paris"))).field(0))


def test_absent_is_asked_as_null() -> None:
    field = Field(("n",), "choice", (Option("one", 1), Option("left out", ABSENT)))
    model = ToyModel(
        toy(
            ['{"n":', " 1", " null", "}"],
            [
                {"prefix": [], "p": {'{"n":': 1}},
                {"last": '{"n":', "p": {" 1": 0.2, " null": 0.3, "}": 0.5}},
                {"p": {"}": 1}},
            ],
        )
    )
    score = last(ZeroShot(posed(model), record_type(field)).field(0))
    assert near(score.options[1].conditional, 0.6)
    assert "null" in score.note


@pytest.fixture(scope="module")
def real():
    if os.environ.get("PLAYGROUND_NO_MODEL") == "1":
        pytest.skip("PLAYGROUND_NO_MODEL=1: without the default model")
    from playground.session import Playground
    from playground.settings import Settings

    return Playground(Settings.from_env())


@pytest.mark.model
def test_on_smollm2_a_boolean_has_the_mass_of_all_its_tokenisations(real) -> None:
    from playground.problem import ProblemSpec

    kinds = record_type(Field(("escalate",), "boolean", (Option("no", False), Option("yes", True))))
    spec = ProblemSpec(
        model="smollm2", prompt="Is this ticket urgent? The office is on fire. Answer in JSON."
    )
    problem = real.open(spec).problem
    score = last(ZeroShot(problem, kinds, cache=real.cache).field(0))
    model, masses = problem.model, [0.0, 0.0]
    start = problem.prompt + model.encode('{"escalate":')
    goals = [
        tuple(f"{blank}{word}{end}".encode() for blank in ("", " ") for end in " \t\n\r,}")
        for word in ("false", "true")
    ]
    starts = {text[at : at + 1] for group in goals for text in group for at in range(len(text))}
    pieces = [(i, t) for i, t in enumerate(model.vocabulary.tokens) if t and t[:1] in starts]
    stack: list[tuple[Prefix, bytes, float]] = [((), b"", 0.0)]
    while stack:
        path, text, log_p = stack.pop()
        row = problem.rows.get(model, [start + path])[0].astype(np.float64)
        law = row - np.logaddexp.reduce(row)
        for token, piece in pieces:
            whole = text + piece
            done = [at for at, group in enumerate(goals) if whole.startswith(group)]
            if done:
                masses[done[0]] += math.exp(log_p + law[token])
            # Below e^-18 nothing adds up to the widths, at least 1e-5.
            elif log_p + law[token] > -18 and any(
                goal.startswith(whole) for group in goals for goal in group
            ):
                stack.append(((*path, token), whole, log_p + law[token]))
    assert score.stopped == "tolerance"
    assert min(option.p.width for option in score.options) > 1e-5
    assert 1 - sum(masses) in score.none_of_these
    for option, mass in zip(score.options, masses, strict=True):
        assert mass in option.p
        assert mass / sum(masses) in option.conditional
    assert score.none_of_these.width < 0.01
