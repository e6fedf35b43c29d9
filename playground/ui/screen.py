"""A screen whose browser side draws documents: one gr.HTML beside the rail, and what it may ask."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import gradio as gr

from playground.session import Playground
from playground.ui.inputs import server_functions
from playground.ui.opening import MAX_OPENING
from playground.ui.rail import Rail
from playground.ui.streaming import Streaming

MOUNT = """
// Props are live proxies: the screen gets copies.
const plain = (value) => JSON.parse(JSON.stringify(value ?? null));
import('/app-static/%(name)s/main.js').then(({ mount }) => {
  const screen = mount(element, {
    server, methods: plain(props.methods), figures: plain(props.figures),
    ask: (what) => trigger('run', what),
  });
  window.playgroundScreens = { ...window.playgroundScreens, %(name)s: screen };
  watch('value', () => screen.show(plain(props.value)));
  watch('notice', () => screen.notice(plain(props.notice)));
}).catch((error) => {
  element.textContent = 'The page could not load its script: ' + error.message + '. Reload it.';
});
"""


def screen_view(playground: Playground, streaming: Streaming, name: str, **props: Any) -> gr.HTML:
    """The screen of `static/<name>/main.js`, empty until it asks for a run. Its template is static
    and its script uses textContent alone, so that no token is ever read as markup."""
    return gr.HTML(
        None,
        html_template='<div class="screen-mount"></div>',
        js_on_load=MOUNT % {"name": name},
        apply_default_css=False,
        elem_id=name,
        notice=None,
        server_functions=[
            streaming.stop,
            *server_functions(playground, "replay", "tokenisations"),
        ],
        **props,
    )


def wire_runs(
    run: Callable[..., AsyncIterator[gr.HTML]], view: gr.HTML, rail: Rail, toy: gr.JSON
) -> None:
    """Let `run` hear what the screen asks: the event, the toy as edited, the rail's values."""
    view.run(
        run,
        [toy, *rail.named()],
        view,
        js="(toy, ...rest) => [window.playgroundStage?.toy() ?? null, ...rest]",
        show_progress="hidden",
        trigger_mode="multiple",
        concurrency_limit=MAX_OPENING,
        api_visibility="private",
    )
