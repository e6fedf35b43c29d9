"""A recording is JSON, is the same each time, and stops when it is told to."""

import json
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from playground.errors import Cancelled, InvalidInput
from playground.lessons.lesson import Beat, Claim, Lesson, Scene, scene
from playground.lessons.recording import record, record_scene, steps_with_law, timeless
from playground.record import Document
from playground.session import Playground


def doors(**more: object) -> Scene:
    return scene("toy:two-step", "regex", "(A|B)x", **more)


def lesson_of(*beats: Beat, **scenes: Scene) -> Lesson:
    claim = Claim.model_validate({"text": "So it is.", "checks": [{"fact": "steps", "value": 2}]})
    return Lesson(
        slug="s", title="T", question="Q?", minutes=1, scenes=scenes, beats=beats, claims=(claim,)
    )


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    problem=st.sampled_from(
        [
            ("toy:two-step", "regex", "(A|B)x"),
            ("toy:two-step", "free", ""),
            ("toy:sky", "choices", "skill\nblue"),
            ("toy:binary-len-3", "regex", "[01]{3}"),
            ("toy:age", "regex", "[0-9]+"),
        ]
    ),
    draws=st.integers(0, 4),
    law=st.booleans(),
    seed=st.integers(0, 50),
    method=st.sampled_from(["masked", "unconstrained"]),
)
def test_any_recording_goes_through_json_unchanged(
    playground: Playground, problem, draws, law, seed, method
) -> None:
    model, kind, source = problem
    recorded = record_scene(
        playground,
        scene(model, kind, source, draws=draws, law=law and kind != "free", method=method,
              max_tokens=6, sampling={"seed": seed}),
    )  # fmt: skip
    assert json.loads(json.dumps(recorded, allow_nan=False)) == recorded


def test_a_scene_is_recorded_the_same_whatever_was_recorded_before(
    playground: Playground, ax: Document
) -> None:
    again = record_scene(
        playground,
        doors(path=("A", "x"), law=True, methods=("masked", "rejection"), n=40,
              strings=({"text": "Ax", "should": "pass"}, {"text": "Ay", "should": "fail"})),
        steps=(0, 1),
    )  # fmt: skip
    assert again != ax, "times differ"
    assert timeless(again) == timeless(ax)


def test_other_numbers_are_another_recording(playground: Playground, ax: Document) -> None:
    other = record_scene(playground, doors(path=("B", "x"), law=True))
    assert timeless(other["page"]) != timeless(ax["page"])


def test_a_scene_holds_what_it_asks_for_and_nothing_else(playground: Playground) -> None:
    bare = record_scene(playground, doors(path=("A",)))
    assert [name for name, part in bare.items() if part is not None] == ["page"]
    assert [step["taken"]["text"] for step in bare["page"]["steps"]] == ["A"]


def test_the_exact_law_is_recorded_for_the_beats_that_show_it(playground: Playground) -> None:
    lesson = lesson_of(
        Beat(text="one", step=0, exact=True),
        Beat(text="two", exact=True),
        Beat(text="three", scene="other", step=1),
        popular=doors(path=("A", "x")),
        other=doors(path=("B", "x")),
    )
    assert steps_with_law(lesson, "popular") == (0, None)
    recorded = record(playground, lesson)["scenes"]
    assert recorded["other"]["exact"] is None
    laws = recorded["popular"]["exact"]
    assert set(laws) == {"0", "1"}
    opened = playground.open(doors().problem)
    a = opened.problem.model.encode("A")[0]
    (law,) = [each for each in laws["0"]["tokens"] if each["token_id"] == a]
    assert law["exact"]["lower"] == pytest.approx(0.009 / 0.109)
    assert laws["1"]["future"]["upper"] == pytest.approx(0.01)


def test_a_path_of_texts_and_draws_goes_on_by_the_seed(playground: Playground) -> None:
    def taken(seed: int) -> list[str]:
        page = record_scene(playground, doors(draws=2, sampling={"seed": seed}))["page"]
        return [step["taken"]["text"] for step in page["steps"]]

    runs = {tuple(taken(seed)) for seed in range(30)}
    assert runs == {("A", "x"), ("B", "x")}
    assert taken(3) == taken(3)


def test_a_path_that_is_no_run_is_told(playground: Playground) -> None:
    for path in (("Q",), (99,)):
        with pytest.raises(InvalidInput):
            record_scene(playground, doors(path=path))


@pytest.mark.parametrize("after", [0, 1, 3, 10])
def test_recording_stops_when_told(playground: Playground, after: int) -> None:
    asked = count()
    with pytest.raises(Cancelled):
        record_scene(
            playground,
            doors(draws=2, law=True, methods=("rejection",), n=2_000),
            lambda: next(asked) >= after,
        )
