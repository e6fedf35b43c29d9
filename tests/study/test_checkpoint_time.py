"""What a study's chunks took, kept in its file: every opening counts, and a missing time is no 0."""

import json
from collections.abc import Callable
from pathlib import Path

from playground.study.checkpoint import Checkpoint, read_checkpoint, read_timed
from tests.study.test_checkpoint import MODEL, SPEC, filled, rows


def clock(*times: float) -> Callable[[], float]:
    """A clock that shows these times one after another."""
    return iter(times).__next__


def test_the_time_goes_on_where_a_study_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "study.jsonl"
    with Checkpoint(path, SPEC, MODEL, clock(10, 12, 15.5)) as first:
        assert first.seconds == 0
        first.add(0, rows(0))
        first.add(1, rows(1))
        assert first.seconds == 5.5
    with Checkpoint(path, SPEC, MODEL, clock(1000, 1001)) as again:
        assert again.seconds == 5.5
        again.add(2, rows(2))
        assert again.seconds == 6.5
    *parts, seconds = read_timed(path)
    assert seconds == 6.5
    assert tuple(parts) == read_checkpoint(path)
    assert parts[2] == {chunk: rows(chunk) for chunk in range(3)}


def test_a_chunk_without_its_time_leaves_the_sum_unknown(tmp_path: Path) -> None:
    path = tmp_path / "study.jsonl"
    filled(path, 1)
    assert read_timed(path)[3] is None
    with Checkpoint(path, SPEC, MODEL, clock(0, 4)) as again:
        again.add(1, rows(1))
        assert again.seconds is None
    lines = path.read_text().split("\n")
    for wrong in ("soon", -1, float("nan"), None):
        last = json.dumps({**json.loads(lines[2]), "seconds": wrong})
        path.write_text("\n".join([*lines[:2], last]) + "\n")
        assert read_timed(path)[3] is None
        assert list(read_timed(path)[2]) == [0, 1]
