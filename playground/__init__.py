"""A playground that shows, with real numbers, what constrained decoding does to a language model.

In a notebook:

    import playground

    problem = playground.open(model="toy:two-step", regex="(A|B)x")
    problem.step().figure_bits()
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["__version__", "open"]

if TYPE_CHECKING:
    from playground.notebook import pose as open


def __getattr__(name: str) -> Any:
    """`open`, imported when it is first asked for: importing the package stays instant."""
    if name != "open":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from playground.notebook import pose

    return pose
