"""The registry of engines: how a constraint becomes an automaton, by name."""

from collections.abc import Mapping

from playground.constraints.engine import Engine
from playground.constraints.engine_auto import AutoEngine
from playground.constraints.engine_bytes import BytesEngine
from playground.constraints.engine_llguidance import LLGuidanceEngine
from playground.constraints.engine_outlines import OutlinesEngine
from playground.constraints.engine_xgrammar import XGrammarEngine

_BYTES, _XGRAMMAR, _LLGUIDANCE = BytesEngine(), XGrammarEngine(), LLGuidanceEngine()

ENGINES: Mapping[str, Engine] = {
    "bytes": _BYTES,
    "outlines": OutlinesEngine(),
    "xgrammar": _XGRAMMAR,
    "llguidance": _LLGUIDANCE,
    "auto": AutoEngine(_BYTES, _LLGUIDANCE, _XGRAMMAR),
}
