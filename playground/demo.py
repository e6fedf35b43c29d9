"""A demo: a problem worth looking at, and where to look first. One file each in `demos/`."""

import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from playground.problem import ProblemSpec

FOLDER = Path(__file__).parents[1] / "demos"


@dataclass(frozen=True, slots=True)
class Demo:
    """One preset of the Step screen."""

    slug: str
    """Short name: the file's name with hyphens."""
    title: str
    question: str
    """What to ask oneself, in one sentence."""
    problem: ProblemSpec
    path: tuple[str, ...] = ()
    """Tokens already taken when it opens, as text; toys only."""
    cursor: int = 0
    """Step shown first, from 0."""
    order: int = 100
    """Place in the menu, toys before the real model."""

    @property
    def toy(self) -> bool:
        """It runs on a toy table: exact, and with no model to load."""
        return self.problem.on_toy


class Placed(Protocol):
    """What stands in a menu."""

    @property
    def slug(self) -> str: ...
    @property
    def order(self) -> int: ...


T = TypeVar("T", bound=Placed)


def defined(folder: Path, package: str, name: str, kind: type[T]) -> dict[str, T]:
    """What every file of `folder` defines under `name`, by slug, in menu order.

    Raises:
        ValueError: a file has no such thing, or one with a slug that isn't its name.
    """
    found = sorted(_found(folder, package, name, kind), key=lambda each: (each.order, each.slug))
    return {each.slug: each for each in found}


def _found(folder: Path, package: str, name: str, kind: type[T]) -> Iterator[T]:
    for path in sorted(folder.glob("[!_]*.py")):
        spec = importlib.util.spec_from_file_location(f"{package}.{path.stem}", path)
        if spec is None or spec.loader is None:
            raise ValueError(f"{path.name} can't be loaded")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        each = getattr(module, name, None)
        if not isinstance(each, kind) or each.slug != path.stem.replace("_", "-"):
            raise ValueError(f"{path.name} must define {name} with the slug of its name")
        yield each


def load_demos(folder: Path = FOLDER) -> dict[str, Demo]:
    """Every demo of `folder` by slug, in menu order.

    Raises:
        ValueError: a file has no DEMO, or a slug that isn't its name.
    """
    return defined(folder, "demos", "DEMO", Demo)
