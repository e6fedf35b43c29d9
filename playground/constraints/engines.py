"""The registry of engines: how a constraint becomes an automaton, by name."""

from collections.abc import Mapping

from playground.constraints.engine import Engine
from playground.constraints.engine_auto import AutoEngine
from playground.constraints.engine_bytes import BytesEngine
from playground.constraints.engine_llguidance import LLGUIDANCE
from playground.constraints.engine_outlines import OutlinesEngine
from playground.constraints.engine_xgrammar import XGRAMMAR

_BYTES = BytesEngine()

ENGINES: Mapping[str, Engine] = {
    "bytes": _BYTES,
    "outlines": OutlinesEngine(),
    "xgrammar": XGRAMMAR,
    "llguidance": LLGUIDANCE,
    "auto": AutoEngine(_BYTES, LLGUIDANCE, XGRAMMAR),
}
