"""What the tests of lessons share: the toys, and a small lesson whose numbers are checked by hand."""

from collections.abc import Callable
from typing import Any

import pytest

from playground.lessons.lesson import Lesson, scene
from playground.lessons.recording import record_scene
from playground.record import Document
from playground.session import Playground
from playground.settings import Settings


@pytest.fixture(scope="session")
def playground(tmp_path_factory: pytest.TempPathFactory) -> Playground:
    """The toys, with caches of their own."""
    return Playground(Settings(cache=tmp_path_factory.mktemp("cache")))


@pytest.fixture(scope="session")
def ax(playground: Playground) -> Document:
    """The two-step toy taken along A, x, with all that a scene can ask for."""
    popular = scene(
        "toy:two-step",
        "regex",
        "(A|B)x",
        path=("A", "x"),
        law=True,
        methods=("masked", "rejection"),
        n=40,
        strings=({"text": "Ax", "should": "pass"}, {"text": "Ay", "should": "fail"}),
    )
    return record_scene(playground, popular, steps=(0, 1))


@pytest.fixture
def own() -> Callable[..., dict[str, Any]]:
    """Makes a teacher's lesson as the page sends it, with fields of it changed."""

    def make(**changed: Any) -> dict[str, Any]:
        lesson = Lesson.model_validate(
            {
                "slug": "my-own",
                "title": "My own",
                "question": "Which door?",
                "minutes": 3,
                "scenes": {
                    "doors": scene(
                        "toy:two-step", "regex", "(A|B)x", path=("A", "x"), law=True
                    ).model_dump(mode="json")
                },
                "beats": [
                    {"text": "Both are allowed.", "step": 0, "exact": True},
                    {"text": "Only x is left.", "step": 1, "highlight": "z"},
                    {"text": "Here is the law.", "view": "squeezing"},
                ],
                "claims": [
                    {
                        "text": "Z is 0.109.",
                        "checks": [
                            {"fact": "Z", "relation": "near", "value": 0.109, "within": 1e-9}
                        ],
                    }
                ],
                **changed,
            }
        )
        return lesson.model_dump(mode="json")

    return make
