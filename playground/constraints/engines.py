"""The registry of engines: how a constraint becomes an automaton, by name."""

from collections.abc import Mapping

from playground.constraints.engine import Engine
from playground.constraints.engine_bytes import BytesEngine
from playground.constraints.engine_outlines import OutlinesEngine

ENGINES: Mapping[str, Engine] = {
    "bytes": BytesEngine(),
    "outlines": OutlinesEngine(),
}
