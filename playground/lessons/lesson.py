"""A lesson as data: scenes to look at, beats that go through them, claims and how each is checked."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator, model_validator

from playground.constraints.spec import ConstraintSpec
from playground.problem import ProblemSpec

MOST_WORDS = 25
"""Words of a beat's text: it is read from the last row."""
MOST_EXERCISES = 12

View = Literal["step", "compare", "squeezing", "schema", "levels", "study", "decisions"]
Part = Literal[
    "", "z", "bar", "rows", "strip", "state", "caption", "verdict", "exact", "charts", "prompt", "constraint",
    "cards", "outcomes", "cost", "flow", "leaves", "receipt", "repair", "strings", "explanation", "together",
    "scores",
]  # fmt: skip
"""Parts of the screens that a beat can point at; '' for none."""
Relation = Literal["<", ">", "is", "near"]
Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
Short = Annotated[str, Field(min_length=1, max_length=200)]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class String(_Model):
    """A test string of the Schema screen."""

    text: str = Field(max_length=4_000)
    should: Literal["pass", "fail"]


class Scene(_Model):
    """A problem, how far its run has come, and what is recorded of it."""

    problem: ProblemSpec
    path: tuple[str | int, ...] = Field(default=(), max_length=256)
    """What is taken: texts, encoded alone, and token ids."""
    draws: int = Field(default=0, ge=0, le=256)
    """Tokens drawn after it by the problem's own method and seed, or fewer where the run ends."""
    law: bool = False
    """The exact law is searched: the Squeezing screen, and the facts about laws."""
    methods: tuple[str, ...] = Field(default=(), max_length=12)
    """Compared: the Compare screen."""
    n: int = Field(default=200, ge=1, le=2_000)
    """Draws of each."""
    strings: tuple[String, ...] = Field(default=(), max_length=50)
    """Judged: the Schema screen."""
    place: str = Field(default="", max_length=40)
    """The panel of the Decisions screen."""

    @field_validator("methods")
    @classmethod
    def _known(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        from playground.decoding.methods import METHODS

        for name in names:
            if name not in METHODS:
                raise ValueError(f"{name!r} is no method; there are {', '.join(METHODS)}")
        return names


class Prediction(_Model):
    """A question put before the numbers are shown."""

    question: Short
    options: tuple[Short, ...] = Field(min_length=2, max_length=5)
    answer: int = Field(ge=0)
    """The right option, from 0."""

    @model_validator(mode="after")
    def _there(self) -> Self:
        if self.answer >= len(self.options):
            raise ValueError(f"answer {self.answer} is none of {len(self.options)} options")
        return self


class Beat(_Model):
    """One sentence and what is on screen while it is said."""

    text: str = Field(min_length=1, max_length=300)
    scene: Name | None = None
    """The scene; that of the beat before where it is None, the first one's is the first scene."""
    view: View = "step"
    step: int | None = Field(default=None, ge=0, le=1_024)
    """Step shown, from 0; the last where it is None."""
    highlight: Part = ""
    exact: bool = False
    """The exact law is shown beside the rows."""
    predict: Prediction | None = None
    """Asked first: the rows are behind a curtain until it is answered or lifted."""

    @field_validator("text")
    @classmethod
    def _readable(cls, text: str) -> str:
        if len(words := text.split()) > MOST_WORDS:
            raise ValueError(f"The beat has {len(words)} words; at most {MOST_WORDS} can be read")
        return text


class Check(_Model):
    """One number of a scene against a value: what keeps a claim true."""

    fact: str = Field(max_length=40)
    """A name of `facts.FACTS`."""
    scene: Name | None = None
    """The first one if None."""
    step: int | None = Field(default=None, ge=0, le=1_024)
    """The step of a fact about one, from 0."""
    of: str = Field(default="", max_length=4_000)
    """The token, text, method or string that it is about."""
    relation: Relation = "is"
    value: bool | float | str
    within: float = Field(default=0.0, ge=0)
    """How far "near" is."""

    @field_validator("fact")
    @classmethod
    def _known(cls, name: str, info: ValidationInfo) -> str:
        from playground.lessons.facts import FACTS

        if name not in FACTS:
            raise ValueError(f"{name!r} is no fact; there are {', '.join(FACTS)}")
        return name

    @model_validator(mode="after")
    def _comparable(self) -> Self:
        number = isinstance(self.value, float | int) and not isinstance(self.value, bool)
        if self.relation != "is" and not number:
            raise ValueError(f"{self.value!r} is no number, so it can't be {self.relation!r}")
        if self.relation == "near" and not self.within > 0:
            raise ValueError("near needs a distance above 0 as within")
        return self


class Claim(_Model):
    """A sentence that stands on the page, true while all its checks hold."""

    text: str = Field(min_length=1, max_length=400)
    checks: tuple[Check, ...] = Field(min_length=1, max_length=12)


class Exercise(_Model):
    """A question for the room; its answer is hidden until it was tried."""

    question: str = Field(min_length=1, max_length=600)
    answer: str = Field(min_length=1, max_length=1_200)


class Lesson(_Model):
    """Everything of a lesson but its recording."""

    v: Literal[1] = 1
    slug: Name
    title: Short
    question: Short
    """What the lesson answers."""
    minutes: int = Field(ge=1, le=60)
    scenes: dict[Name, Scene] = Field(min_length=1, max_length=12)
    beats: tuple[Beat, ...] = Field(min_length=1, max_length=20)
    claims: tuple[Claim, ...] = Field(default=(), max_length=20)
    exercises: tuple[Exercise, ...] = Field(default=(), max_length=MOST_EXERCISES)
    notes: str = Field(default="", max_length=4_000)
    """For the teacher."""
    next: Name | None = None
    """The lesson to go on with."""
    order: int = Field(default=100, ge=0, le=10_000)
    """Place in the menu."""

    @model_validator(mode="after")
    def _scenes_are_there(self) -> Self:
        named = [beat.scene for beat in self.beats]
        named += [check.scene for claim in self.claims for check in claim.checks]
        for name in named:
            if name is not None and name not in self.scenes:
                raise ValueError(f"there is no scene {name!r}; there are {', '.join(self.scenes)}")
        return self

    @property
    def first(self) -> str:
        """The name of the first scene."""
        return next(iter(self.scenes))

    @property
    def on_toys(self) -> bool:
        """Every scene runs on a toy: exact, and with no model to load."""
        return all(scene.problem.on_toy for scene in self.scenes.values())

    def scene_of(self, beat: int) -> str:
        """The name of the scene that beat number `beat`, from 0, shows."""
        named = [each.scene for each in self.beats[: beat + 1] if each.scene is not None]
        return named[-1] if named else self.first


def scene(model: str, kind: str, source: str = "", **more: object) -> Scene:
    """A scene whose problem is spelled in one line: fields of ProblemSpec and Scene by name."""
    of_scene = {name: more.pop(name) for name in Scene.model_fields if name in more}
    of_constraint = {name: more.pop(name) for name in ("engine", "whitespace") if name in more}
    constraint = ConstraintSpec.model_validate({"kind": kind, "source": source, **of_constraint})
    problem = ProblemSpec.model_validate({"model": model, "constraint": constraint, **more})
    return Scene.model_validate({"problem": problem, **of_scene})
