"""The shelf reads one lesson a file, and names a file that holds none."""

from pathlib import Path

import pytest

from playground.lessons.lesson import Beat, Claim, Lesson, scene
from playground.lessons.shelf import (
    FOLDER,
    astray,
    load_lessons,
    recording_of,
    write_recording,
)

SOURCE = (FOLDER / "two_step.py").read_text()


def test_a_lesson_is_found_by_its_slug_in_the_order_of_the_menu(tmp_path: Path) -> None:
    for slug, order in (("second", 2), ("first", 1), ("also-second", 2)):
        text = SOURCE.replace('slug="two-step"', f'slug="{slug}"')
        text = text.replace("order=1", f"order={order}")
        (tmp_path / f"{slug.replace('-', '_')}.py").write_text(text)
    (tmp_path / "_shared.py").write_text("1 / 0")
    assert list(load_lessons(tmp_path)) == ["first", "also-second", "second"]


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("empty.py", '"""Nothing."""\n'),
        ("text.py", 'LESSON = "text"\n'),
        ("other_name.py", SOURCE),
    ],
)
def test_a_file_that_holds_no_lesson_is_named(tmp_path: Path, name: str, source: str) -> None:
    (tmp_path / name).write_text(source)
    with pytest.raises(ValueError, match=name):
        load_lessons(tmp_path)


def test_a_lesson_that_goes_on_with_none_is_told() -> None:
    claim = Claim.model_validate({"text": "c", "checks": [{"fact": "steps", "value": 0}]})
    one = Lesson(
        slug="one", title="T", question="Q?", minutes=1, scenes={"a": scene("toy:sky", "free")},
        beats=(Beat(text="b"),), claims=(claim,), next="two",
    )  # fmt: skip
    (told,) = astray({"one": one})
    assert told == "one goes on with 'two', which is no lesson"
    assert not astray({"one": one, "two": one.model_copy(update={"next": "one"})})


def test_a_recording_is_kept_and_found_and_none_is_none(tmp_path: Path) -> None:
    recording = {"v": 1, "slug": "as-is", "scenes": {"a": {"text": "é \u2028 </script>"}}}
    path = write_recording(recording, tmp_path / "recorded")
    assert path.name == "as-is.json"
    assert recording_of("as-is", tmp_path / "recorded") == recording
    assert recording_of("missing", tmp_path / "recorded") is None
    with pytest.raises(ValueError):
        write_recording({"slug": "bad", "scenes": float("nan")}, tmp_path)
