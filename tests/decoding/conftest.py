"""Small exact problems."""

from collections.abc import Callable
from pathlib import Path

import pytest

from playground.opened import Opened
from playground.problem import ProblemSpec
from playground.session import Playground
from playground.settings import Settings

Open = Callable[..., Opened]


@pytest.fixture(scope="session")
def playground(tmp_path_factory: pytest.TempPathFactory) -> Playground:
    folder: Path = tmp_path_factory.mktemp("cache")
    return Playground(Settings(cache=folder))


@pytest.fixture(scope="session")
def open_toy(playground: Playground) -> Open:
    """Open a toy by name, with a regex and sampling settings."""

    def opened(name: str, regex: str, **settings: object) -> Opened:
        sampling = {
            key: settings.pop(key)
            for key in ("temperature", "top_k", "top_p", "mask_order", "seed")
            if key in settings
        }
        return playground.open(
            ProblemSpec.model_validate(
                {
                    "model": f"toy:{name}",
                    "constraint": {"kind": "regex", "source": regex},
                    "sampling": sampling,
                    **settings,
                }
            )
        )

    return opened
