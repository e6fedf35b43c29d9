"""The words and figures of a study's report: prompts that there are, points, one word for an outcome."""

import re

import pytest

from playground.study.export import study_document
from playground.study.labels import MOST_ATTEMPTS
from playground.study.readings import Paired, paired
from playground.study.recommend import recommend
from playground.study.row import Row
from playground.study.summary import summarise
from playground.views.study import report_html
from playground.views.study_parts import points
from tests.study.rows import row, spec

KINDS = ("right", "wrong", "invalid", "truncated")


def report(rows: list[Row], *methods: str, n: int) -> str:
    """The report of own prompts, one an index, of a study that asked for `n`."""
    study = spec([{"a": True}] * (max(each.index for each in rows) + 1), *methods)
    study = study.model_copy(update={"n": n, "exact_rows": 5})
    summary = summarise(study, rows)
    advice = recommend(summary)
    document = study_document(study, {"model": "m"}, "again", summary, advice, True)
    return report_html(document, summary, advice, rows, study.items, "today")


def test_the_report_counts_the_prompts_that_there_are() -> None:
    source = report([row(index, "ask", "right") for index in range(3)], "ask", n=50)
    assert re.search(r"<dt>n</dt><dd><bdi>3</bdi>", source)
    assert "<bdi>50</bdi>" not in source


def test_settings_whose_names_say_little_are_explained_where_they_stand() -> None:
    asked = report([row(0, "ask", "right")], "ask", n=1).split("<h2>What was asked</h2>")[1]
    for name in ("exact rows", "salvage", "mask order", "attempts"):
        assert re.search(rf"<dt>{name}</dt><dd><bdi>[^<]*</bdi><small>\w", asked), name


def outcomes(only_a: int, only_b: int, same: int) -> Paired:
    """So many prompts of each kind."""
    apart = [(True, False)] * only_a + [(False, True)] * only_b
    return paired([*apart, *[(True, True)] * same])


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (outcomes(0, 10, 0), "−100.0 points<small>"),
        (outcomes(10, 0, 0), "+100.0 points<small>"),
        (outcomes(3, 1, 16), "+10.0 points<small>"),
        (outcomes(1, 0, 2499), "+0.04 points<small>"),
        (outcomes(2, 2, 6), "+0.0 points<small>"),
        (paired([]), "–"),
    ],
)
def test_a_difference_of_two_rates_is_in_points(found: Paired, words: str) -> None:
    assert points(found).startswith(words)
    assert "%" not in points(found)


def test_pairs_are_printed_in_points_alone() -> None:
    rows = [row(index, "ask", "invalid") for index in range(10)]
    rows += [row(index, "strict", "right") for index in range(10)]
    source = report(rows, "ask", "strict", n=10)
    section = source.split("<h2>Method against method</h2>")[1].split("</section>")[0]
    assert section.count("−100.0 points") == 2
    assert "%" not in section.split("<tbody>")[1]


def test_one_word_for_what_the_token_limit_cut_and_it_is_explained_once() -> None:
    rows = [row(index, "ask", KINDS[index % 4]) for index in range(8)]
    source = report([*rows, row(8, "ask", "gave_up", failure=None)], "ask", n=9)
    section = source.split("<h2>Valid is not right</h2>")[1].split("</section>")[0]
    assert "</i>truncated</li>" in section
    assert f"gave up: no valid answer in {MOST_ATTEMPTS} attempts" in section
    words = re.findall(r"cut off", re.sub(r' aria-label="[^"]*"', "", section))
    assert len(words) == 1
