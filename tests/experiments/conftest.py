"""What the tests of experiments share: a playground, and a bench on a model over bytes."""

import pytest

from playground.experiments.base import Bench
from playground.session import Playground
from playground.settings import Settings
from playground.studies import Studies
from tests.experiments.bytemodel import ByteModel


@pytest.fixture(scope="module")
def playground(tmp_path_factory):
    return Playground(Settings(cache=tmp_path_factory.mktemp("cache")))


@pytest.fixture(scope="module")
def bench(playground):
    model, before = ByteModel(), playground.hub.get
    playground.hub.get = lambda name: model if name == "bytes" else before(name)
    return Bench(Studies(playground), "bytes", 3, 0)
