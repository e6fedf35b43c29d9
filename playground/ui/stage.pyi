"""The stage: one gr.HTML whose browser side holds the trace and asks only for new tokens."""

from typing import Any

import gradio as gr

from playground.record import Document
from playground.session import Playground
from playground.ui.inputs import server_functions
from playground.views.timeline import figure_templates

MOUNT = """
import('/app-static/stage/main.js').then((stage) => {
  const mounted = stage.mountStage(element, {value: props.value, server, figures: props.figures});
  window.playgroundStage = mounted;
  watch('value', () => mounted.update(props.value));
  watch('notice', () => mounted.notice(props.notice));
}).catch((error) => {
  element.textContent = 'The page could not load its script: ' + error.message + '. Reload it.';
});
"""

class StageView(gr.HTML):
    """The Step stage. `value` is a Doc (playground.session); `notice` is progress or an error.

    The template is static and the script uses textContent alone, so that no token is ever
    read as markup or as a template.
    """

    def __init__(self, value: Document | None = None, **kwargs: Any) -> None:
        kwargs.setdefault("html_template", '<div class="pg-mount"></div>')
        kwargs.setdefault("js_on_load", MOUNT)
        kwargs.setdefault("apply_default_css", False)
        kwargs.setdefault("elem_id", "stage")
        super().__init__(value=value, **kwargs)

    def api_info(self) -> dict[str, Any]:
        """The value is a JSON object."""
        return {"type": "object"}
    from typing import Callable, Literal, Sequence, Any, TYPE_CHECKING
    from gradio.blocks import Block
    if TYPE_CHECKING:
        from gradio.components import Timer
        from gradio.components.base import Component

def stage(playground: Playground, value: Document) -> StageView:
    """A stage that opens on `value` and can ask `playground` for more."""
    return StageView(
        value,
        notice=None,
        figures=figure_templates(),
        server_functions=server_functions(playground),
    )

def notice(error: Document | None = None, words: str = "", done: float | None = None) -> StageView:
    """An update that leaves the trace alone: a card for an error, or a line of progress."""
    progress = {"words": words, "done": done} if words else None
    return StageView(notice={"error": error, "progress": progress})
