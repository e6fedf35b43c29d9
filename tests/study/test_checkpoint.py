"""A study's file: whole chunks survive, anything torn is dropped, another study's file is refused."""

import json
from pathlib import Path

import pytest

from playground.errors import InvalidInput
from playground.study.checkpoint import Checkpoint, read_checkpoint
from playground.study.row import Row
from playground.study.spec import StudySpec

SPEC = StudySpec(methods=("ask",), n=24)
MODEL = {"model": "m", "revision": "1"}


def rows(chunk: int) -> tuple[Row, ...]:
    return tuple(
        Row(
            index=chunk * 2 + at, item=f"i{at}", method="ask", draw=0, text="é\u2028\n\"}", tokens=3,
            category="invalid", valid=False, failure="other", in_language=False, in_schema=False,
            in_salvaged=None, in_syntax=False, fields=None, ungrounded=None, steps=3, attempts=1,
            rows=3, log_p=-0.1 * (at + 1), length=3, bits=None, z=(0.1, 1 / 3), path=(1, 2),
        )
        for at in range(2)
    )  # fmt: skip


def filled(path: Path, count: int = 3) -> bytes:
    with Checkpoint(path, SPEC, MODEL) as checkpoint:
        for chunk in range(count):
            checkpoint.add(chunk, rows(chunk))
    return path.read_bytes()


def test_what_was_added_is_there_when_it_is_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "study.jsonl"
    content = filled(path)
    with Checkpoint(path, SPEC, MODEL) as again:
        assert again.chunks == {chunk: rows(chunk) for chunk in range(3)}
    assert path.read_bytes() == content
    assert read_checkpoint(path) == (SPEC, MODEL, {chunk: rows(chunk) for chunk in range(3)})


def test_each_chunk_is_on_disk_when_add_returns(tmp_path: Path) -> None:
    path = tmp_path / "study.jsonl"
    with Checkpoint(path, SPEC, MODEL) as checkpoint:
        for chunk in range(3):
            checkpoint.add(chunk, rows(chunk))
            assert list(read_checkpoint(path)[2]) == list(range(chunk + 1))


def test_a_file_torn_at_any_byte_keeps_its_whole_lines_and_can_be_gone_on_with(
    tmp_path: Path,
) -> None:
    path = tmp_path / "study.jsonl"
    content = filled(path)
    ends = [at + 1 for at, byte in enumerate(content) if byte == ord("\n")]
    assert len(ends) == 4
    for cut in range(len(content)):
        path.write_bytes(content[:cut])
        whole = max(0, sum(end <= cut for end in ends) - 1)
        with Checkpoint(path, SPEC, MODEL) as torn:
            assert list(torn.chunks) == list(range(whole))
            for chunk in range(whole, 3):
                torn.add(chunk, rows(chunk))
        assert path.read_bytes() == content


@pytest.mark.parametrize("damage", [b"\x00", b"[", b"\xff", b'{"chunk":"x'])
def test_a_damaged_line_in_the_middle_drops_itself_and_what_follows(
    tmp_path: Path, damage: bytes
) -> None:
    path = tmp_path / "study.jsonl"
    lines = filled(path).splitlines(keepends=True)
    lines[2] = damage + lines[2][len(damage) :]
    path.write_bytes(b"".join(lines))
    with Checkpoint(path, SPEC, MODEL) as checkpoint:
        assert list(checkpoint.chunks) == [0]
        checkpoint.add(1, rows(1))
    assert list(read_checkpoint(path)[2]) == [0, 1]


def test_chunks_may_come_in_any_order(tmp_path: Path) -> None:
    path = tmp_path / "study.jsonl"
    with Checkpoint(path, SPEC, MODEL) as checkpoint:
        for chunk in (2, 0, 1):
            checkpoint.add(chunk, rows(chunk))
    assert read_checkpoint(path)[2] == {chunk: rows(chunk) for chunk in range(3)}


@pytest.mark.parametrize(
    ("spec", "model", "words"),
    [
        (SPEC.model_copy(update={"n": 25}), MODEL, "other settings"),
        (SPEC, {**MODEL, "revision": "2"}, "another model"),
    ],
)
def test_another_studys_file_is_refused_and_left_as_it_is(
    tmp_path: Path, spec: StudySpec, model: dict[str, str], words: str
) -> None:
    path = tmp_path / "study.jsonl"
    content = filled(path)
    with pytest.raises(InvalidInput, match=words) as caught:
        Checkpoint(path, spec, model)
    assert caught.value.hint
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    "content",
    [b"hello\n", b"\xff\n", b"[]\n", json.dumps({"v": 2}).encode() + b"\n", b"no line end"],
)
def test_a_file_that_is_no_studys_is_refused_and_left_as_it_is(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match=r"notes\.txt"):
        Checkpoint(path, SPEC, MODEL)
    assert path.read_bytes() == content
    with pytest.raises(InvalidInput, match=r"notes\.txt"):
        read_checkpoint(path)


def test_reading_a_missing_file_says_so(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="can't be read"):
        read_checkpoint(tmp_path / "none.jsonl")
