"""The registry of engines: how a constraint becomes an automaton, by name."""

from collections.abc import Mapping

from playground.constraints.engine import Engine
from playground.constraints.engine_bytes import BytesEngine

ENGINES: Mapping[str, Engine] = {
    "bytes": BytesEngine(),
}
