"""The tasks of the Decisions screen on a stand-in for the model, without a browser."""

from collections.abc import Iterator

import pytest

from playground.fields import features
from playground.fields.kept import Kept
from playground.record import Document
from playground.session import Playground
from playground.ui.decisions_work import DecisionsWork
from tests.ticket_model import NAME, TicketModel, with_stand_in
from tests.ui.decisions_driving import Run, asker


@pytest.fixture(scope="module")
def stand_in(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Playground, TicketModel]]:
    """Nothing kept from another file's tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(features, "_MEMORY", Kept())
        yield with_stand_in(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def work(stand_in: tuple[Playground, TicketModel]) -> DecisionsWork:
    return DecisionsWork(stand_in[0], NAME)


@pytest.fixture(scope="module")
def run(work: DecisionsWork) -> Run:
    return asker(work)


@pytest.fixture(scope="module")
def training(run: Run) -> list[Document]:
    """Every document of a short training."""
    return run("train", type="ticket", size=60, spec={"epochs": 3, "seed": 3})


@pytest.fixture(scope="module")
def head(training: list[Document]) -> str:
    return str(training[-1]["head"])
