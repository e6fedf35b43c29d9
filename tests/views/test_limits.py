"""The limits that the page tells by itself are those that the server holds."""

import re
from pathlib import Path

import pytest

from playground.errors import InvalidInput
from playground.problem import MAX_PROMPT, parse_problem

SETTINGS = Path(__file__).parents[2] / "static" / "stage" / "settings.js"


@pytest.fixture(scope="module")
def limits() -> dict[str, int]:
    found = re.search(r"LIMITS = \{(.*?)\}", SETTINGS.read_text(encoding="utf-8"))
    assert found is not None
    return {name: int(value) for name, value in re.findall(r"(\w+): (\d+)", found[1])}


def test_a_text_to_follow_may_be_as_long_here_as_there(limits) -> None:
    assert limits["textCharacters"] == MAX_PROMPT


def test_as_many_tokens_can_be_watched_here_as_there(limits) -> None:
    most = limits["watchedTokens"]
    assert len(parse_problem({"watch": list(range(most))}).watch) == most
    with pytest.raises(InvalidInput):
        parse_problem({"watch": list(range(most + 1))})
