"""`python -m playground fields table` and `added`: for people and programs, also where text is cut."""

from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from playground.against_text import generating
from playground.cli import main
from playground.models.loader import ModelHub
from playground.session import Playground
from playground.settings import Settings
from playground.studies import Studies
from tests.cli.studies import refused, report
from tests.ticket_model import NAME, TicketModel


def test_the_table_for_people_and_programs(capsys: Any, model: TicketModel) -> None:
    asked = ["fields", "table", "--model", NAME, "--n", "2"]
    found = report(capsys, *asked)
    assert found["done"]
    assert [row["n"] for row in found["rows"]] == [2] * 8
    assert (found["asked"], found["training"]) == (2, {"train": 1600, "dev": 400})
    assert found["command"] == f"python -m playground fields table --n 2 --model {NAME}"
    assert main([*asked, "--train", "40", "--dev", "10"]) == 0
    captured = capsys.readouterr()
    for words in (
        "2 test tickets;",
        "heads trained on 40 tickets, 10 of dev",
        "--train 40",
        "Masked",
        "Typed, joint",
        "record right",
        "incoherent",
        "ms",
        "ECE",
        "again: ",
    ):
        assert words in captured.out
    assert "Masked" in captured.err, "progress"
    assert "--n is 0" in refused(capsys, *asked[:-1], "0")
    assert "more than the 2,000" in refused(capsys, *asked, "--train", "5000")


def test_an_option_that_is_added_later(capsys: Any, model: TicketModel) -> None:
    asked = ["fields", "added", "--model", NAME]
    found = report(capsys, *asked)
    assert found["chosen"]["n"] == found["others_chosen"]["n"] == len(found["texts"])
    assert found["head"]["chosen"] == 0
    assert main(asked) == 0
    out = capsys.readouterr().out
    for each in found["texts"]:
        assert each["text"] in out
    assert "answers it in 0 of 6 (exact" in out


class Emoji(TicketModel):
    """Writes a `~`, then one emoji after another byte by byte, as far as it may."""

    AFTER: ClassVar = {ord("~"): 0xF0, 0xF0: 0x9F, 0x9F: 0x98, 0x98: 0x80, 0x80: 0xF0}

    def _row(self, last: int) -> np.ndarray:  # type: ignore[override]
        row = super()._row(last)
        row[self.AFTER.get(last, ord("~"))] = 40.0
        return row


def test_a_text_that_is_cut_inside_a_character_counts_as_truncated(
    capsys: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made = Emoji()
    monkeypatch.setattr(ModelHub, "get", lambda *_: made)
    asked = ["fields", "table", "--model", NAME, "--n", "2", "--train", "40", "--dev", "10"]
    found = report(capsys, *asked)
    assert found["done"]
    rows = {row["method"]: row for row in found["rows"]}
    cut = rows["parallel-3"]
    assert (cut["valid"]["count"], cut["n"]) == (0, 2)
    assert "2 of 2 cut off at the token limit." in cut["note"]
    assert all(rate["count"] == 0 for rate in cut["fields"].values())
    assert main(asked) == 0
    assert "2 of 2 cut off at the token limit." in capsys.readouterr().out
    studies = Studies(Playground(Settings(cache=tmp_path)))
    spec = generating(NAME, 2, 0).model_copy(update={"methods": ("parallel-3",)})
    *_, progress = studies.run(studies.prepare(spec))
    for row in progress.rows:
        assert row.category == "truncated"
        assert bytes(row.path).endswith(b"\xf0\x9f\x98"), "the last emoji lacks its end"
        assert row.text.endswith("\N{GRINNING FACE}\N{REPLACEMENT CHARACTER}")
