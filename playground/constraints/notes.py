"""Remarks of a lowering: what the compiled constraint does not enforce, or narrows, in words."""

from dataclasses import dataclass
from typing import Literal

Level = Literal["not-enforced", "partly", "info", "warning"]


@dataclass(frozen=True, slots=True)
class Note:
    """One remark about one keyword of a constraint."""

    level: Level
    """`not-enforced`: the mask ignores the keyword; `partly`: it enforces a part, the message says
    which; `info`: the mask is narrower than the schema; `warning`: the schema itself is odd."""
    keyword: str
    """The JSON Schema keyword, or the topic: `order`, `escapes`, ..."""
    pointer: str
    """JSON pointer of the place in the schema; empty for the root and for the whole."""
    message: str
    """One or two sentences for people."""
