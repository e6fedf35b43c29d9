"""A demo: a problem worth looking at, and where to look first. One file each in `demos/`."""

import importlib.util
from dataclasses import dataclass
from pathlib import Path

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


def load_demos(folder: Path = FOLDER) -> dict[str, Demo]:
    """Every demo of `folder` by slug, in menu order.

    Raises:
        ValueError: a file has no DEMO, or a slug that isn't its name.
    """
    demos = []
    for path in sorted(folder.glob("[!_]*.py")):
        spec = importlib.util.spec_from_file_location(f"demos.{path.stem}", path)
        if spec is None or spec.loader is None:
            raise ValueError(f"{path.name} can't be loaded")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        demo = getattr(module, "DEMO", None)
        if not isinstance(demo, Demo) or demo.slug != path.stem.replace("_", "-"):
            raise ValueError(f"{path.name} must define DEMO with the slug of its name")
        demos.append(demo)
    return {demo.slug: demo for demo in sorted(demos, key=lambda d: (d.order, d.slug))}
