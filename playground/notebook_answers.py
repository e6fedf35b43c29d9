"""What a notebook gets back: a report, its caption and provenance, and the page's figures of it."""

import html
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from playground.decoding.trace import Trace
from playground.opened import Opened
from playground.record import Document
from playground.session import Playground
from playground.views.theme import Mode

if TYPE_CHECKING:  # plotly is slow to import
    from playground.views.captions import Figure

STATIC: Final = Path(__file__).parents[1] / "static"


@dataclass(frozen=True)
class Answer:
    """What was found. `report` is the document that the command line prints with --json."""

    report: Document

    @property
    def provenance(self) -> str:
        """Model, revision, precision and engine, and how its numbers are known."""
        made = self.report["provenance"]
        parts = [made["model"], made["revision"], made["dtype"], made.get("engine")]
        return f"{made['kind']}: {', '.join(str(each) for each in parts if each)}"

    @property
    def caption(self) -> str:
        """What was found, in a sentence."""
        raise NotImplementedError

    def _captioned(self, figure: "Figure", mode: Mode) -> "Figure":
        from playground.views.captions import captioned

        return captioned(figure, self.caption, self.provenance, mode=mode)

    def _repr_html_(self) -> str:
        """The caption and the provenance, as a notebook shows them."""
        return f"<p>{html.escape(self.caption)}</p><p><small>{html.escape(self.provenance)}</small></p>"


@dataclass(frozen=True)
class Run(Answer):
    """One run, token by token."""

    playground: Playground
    opened: Opened
    trace: Trace

    @cached_property
    def page(self) -> Document:
        """The document of the Step screen."""
        return self.playground.document(self.opened, self.trace)

    @property
    def text(self) -> str:
        """What was written."""
        return str(self.report["text"])

    @property
    def caption(self) -> str:
        """The text, how it ended, and the bits that the mask cost."""
        from playground.views.numbers import bits
        from playground.views.timeline import running_total

        total = running_total([step["bits"] for step in self.report["steps"]])
        cost = bits(total[-1]) if total else "0 bits"
        return f"{self.text!r}: {self.report['outcome']}, and the mask cost {cost} in all."

    def figure_bits(self, mode: Mode = "light") -> "Figure":
        """-log2 Z_t of each step, and their running total."""
        from playground.views.timeline import timeline_figure

        return self._captioned(timeline_figure(self.page["steps"], mode=mode), mode)

    def figure_entropy(self, mode: Mode = "light") -> "Figure":
        """Entropy before and after the mask at each step, bits."""
        from playground.views.timeline import entropy_figure

        return self._captioned(entropy_figure(self.page["steps"], mode=mode), mode)

    def to_html(self) -> str:
        """The Step screen with this run, as one file that asks nobody."""
        from playground.views.export import standalone_html

        return standalone_html(self.page, STATIC)

    def save_html(self, path: str | Path) -> Path:
        """Write `to_html` to a file and return where it is."""
        found = Path(path)
        found.write_text(self.to_html(), encoding="utf-8")
        return found

    def _repr_html_(self) -> str:
        """The Step screen in a frame of its own: no script of it reaches the notebook."""
        page = html.escape(self.to_html(), quote=True)
        return (
            f'{super()._repr_html_()}<iframe sandbox="allow-scripts" srcdoc="{page}" '
            'style="width:100%;height:640px;border:0"></iframe>'
        )


@dataclass(frozen=True)
class Law(Answer):
    """Proved bounds of a problem's laws."""

    @property
    def caption(self) -> str:
        """Z and TV, between their bounds, and whether they are exact."""
        z, tv = (_between(self.report[key]) for key in ("Z", "tv"))
        return f"Z is {z} and TV(p~, p_V) is {tv} ({self.report['status']})."


@dataclass(frozen=True)
class Comparison(Answer):
    """Methods side by side."""

    @property
    def caption(self) -> str:
        """How many of each method's draws were valid."""
        told = [
            f"{each['title']} {each['accepted']} of {each['draws']}"
            for each in self.report["methods"].values()
        ]
        return f"Valid of the draws: {', '.join(told)}."

    def figure_outcomes(self, mode: Mode = "light") -> "Figure":
        """Every text shown under p_V, p~ and each method's draws, with what is known of it."""
        from playground.views.captions import laws_figure

        return self._captioned(laws_figure(self.report, mode=mode), mode)


@dataclass(frozen=True)
class Sweep(Answer):
    """q and TV over one parameter."""

    @property
    def caption(self) -> str:
        """What was moved, and how many points are exact."""
        points = self.report["points"]
        exact = sum(point["status"] == "exact" for point in points)
        return f"{self.report['parameter']} at {len(points)} values, {exact} of them exact."

    def figure_sweep(self, mode: Mode = "light") -> "Figure":
        """Both curves with their bounds."""
        from playground.views.squeezing import sweep_figure

        return self._captioned(
            sweep_figure(self.report["points"], self.report["parameter"], mode=mode), mode
        )


def _between(bounds: Mapping[str, Any]) -> str:
    low, high = (f"{bounds[side]:.4g}" for side in ("lower", "upper"))
    return low if low == high else f"between {low} and {high}"
