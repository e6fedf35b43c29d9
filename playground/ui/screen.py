"""A screen whose browser side draws documents: one gr.HTML beside the rail, and what it may ask."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import gradio as gr

from playground.session import Playground
from playground.ui.inputs import server_functions
from playground.ui.joined import module_js
from playground.ui.opening import MAX_OPENING
from playground.ui.rail import Rail
from playground.ui.streaming import Streaming

GIVEN = """server, methods: plain(props.methods), figures: plain(props.figures),
      ask: (what) => trigger('run', what)"""
"""What the scripts of these screens are given."""
_MOUNT = """
// Props are live proxies: the screen gets copies.
const plain = (value) => JSON.parse(JSON.stringify(value ?? null));
%(before)s
let begun = false;
const begin = () => {
  if (begun || %(early)s) return;
  begun = true;
  Promise.all([%(module)s, %(first)s]).then(([{ mount }, first]) => {
    const screen = mount(element, { %(given)s });
    window.playgroundScreens = { ...window.playgroundScreens, %(name)s: screen };
    watch('value', () => screen.show(plain(props.value)));
    watch('notice', () => screen.notice(plain(props.notice)));
  }).catch((error) => {
    element.textContent = 'The page could not load its script: ' + error.message + '. Reload it.';
  });
};
window.addEventListener('playground-screen', begin);
begin();
"""


def mount_script(
    name: str, given: str, *, before: str = "", first: str = "null", at_once: bool = False
) -> str:
    """The script of a `gr.HTML` that mounts `static/<name>/main.js` in it, when the screen is first
    shown: most visits begin on another one.

    Args:
        name: of the screen.
        given: the properties of the object that `mount` gets beside the element, as JavaScript;
            `server`, `props`, `trigger` and `plain`, which copies a prop, are there, and `first`.
        before: lines of JavaScript that come first.
        first: a promise that is waited for, as JavaScript; `given` may use what it brings.
        at_once: mount it when the page opens, shown or not.
    """
    early = "false" if at_once else f"document.body.dataset.screen !== '{name}'"
    parts = {"name": name, "given": given, "before": before, "first": first, "early": early}
    parts["module"] = module_js(f"{name}/main.js")
    return _MOUNT % parts


def screen_view(playground: Playground, streaming: Streaming, name: str, **props: Any) -> gr.HTML:
    """The screen of `static/<name>/main.js`, empty until it asks for a run. Its template is static
    and its script uses textContent alone, so that no token is ever read as markup."""
    return gr.HTML(
        None,
        html_template='<div class="screen-mount"></div>',
        js_on_load=mount_script(name, GIVEN, at_once=True),
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
