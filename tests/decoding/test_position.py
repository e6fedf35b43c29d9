"""The summaries of a position: held while the row that they sum up is, and never another one's."""

from dataclasses import fields, replace

import pytest

from playground.decoding.position import NextToken, Position, next_token, position
from playground.decoding.position import _position as made_anew
from playground.decoding.sampling import Sampling
from playground.decoding.trace import Standing
from playground.models.rows import RowStore
from playground.problem import ProblemSpec


def same(one: Position, other: Position) -> bool:
    return all(getattr(one, each.name) == getattr(other, each.name) for each in fields(Position))


def here(standing: Standing, shown: tuple[int, ...] = ()) -> Position:
    return position(standing, next_token(standing), shown)


@pytest.fixture
def start(open_toy) -> Standing:
    problem = open_toy("sky", "skill|cloud").problem
    return Standing.start(replace(problem, rows=RowStore(2**20)))


def test_the_position_a_run_goes_on_from_is_the_one_that_was_shown(start) -> None:
    shown = here(start)
    listed = shown.candidates[-1].token
    assert here(start, (listed,)) is shown


@pytest.mark.parametrize("rows", ["the same rows", "rows read anew"])
@pytest.mark.parametrize("temperature", [1.0, 0.5])
@pytest.mark.parametrize("regex", ["skill|cloud", "skill|cl.*"])
@pytest.mark.parametrize("shown", [(), (0,), (0, 3)])
def test_what_is_held_is_what_would_be_made(
    start, open_toy, rows: str, temperature: float, regex: str, shown: tuple[int, ...]
) -> None:
    here(start)
    here(start, (1,))
    problem = replace(
        start.problem,
        constraint=open_toy("sky", regex).problem.constraint,
        sampling=Sampling(temperature=temperature),
        rows=start.problem.rows if rows == "the same rows" else RowStore(2**20),
    )
    standing = Standing.start(problem)
    law = next_token(standing)
    assert same(here(standing, shown), made_anew(standing, law, frozenset(shown)))


def test_another_row_of_the_same_prefix_is_summed_up_anew(start) -> None:
    held, law = here(start), next_token(start)
    other = NextToken(law.logits.copy(), law.logprobs, law.mask, law.masked)
    found = position(start, other)
    assert found is not held
    assert same(found, held)


def test_who_watches_more_than_is_held_sees_it_and_nobody_else_does(playground) -> None:
    law = {letter: 0.9 ** ord(letter) for letter in "abcdefghijklmnopqrstuvwxyz"}
    toy = {"name": "letters", "tokens": [*law], "rules": [{"p": {**law, "<eos>": 1.0}}]}
    standing = Standing.start(
        playground.open(
            ProblemSpec.model_validate(
                {
                    "model": "toy:letters",
                    "toy": toy,
                    "constraint": {"kind": "regex", "source": "[a-z]*"},
                }
            )
        ).problem
    )
    few, everyone = here(standing), range(27)
    assert len(few.candidates) < 27
    assert {row.token for row in here(standing, tuple(everyone)).candidates} == {*everyone}
    assert same(here(standing), few)
