"""The stage: one gr.HTML whose browser side holds the trace and asks only for new tokens."""

import secrets

import gradio as gr

from playground.record import Document
from playground.session import Playground
from playground.ui.inputs import sent, server_functions
from playground.ui.joined import module_js
from playground.views.timeline import figure_templates

MOUNT = """
// Props are live proxies, and the stage freezes its data: it gets a copy.
const plain = (value) => JSON.parse(JSON.stringify(value ?? null));
Promise.all([$STAGE, $LINKS]).then(([stage, links]) => {
  const mounted = stage.mountStage(element, {
    value: plain(props.value), server, figures: plain(props.figures),
    onSettings: (settings) => trigger('changed', settings),
  });
  links.linkStage(mounted, {
    server, examples: plain(props.links), open: (what) => trigger('open_link', what),
  });
  window.playgroundStage = mounted;
  // Gradio calls this again with an old value too: a page is put on the stage once and then left as it has become.
  const shown = new Set();
  watch('value', () => {
    const serial = props.value?.serial ?? null;
    if (shown.has(serial)) return;
    shown.add(serial);
    mounted.update(plain(props.value));
  });
  watch('notice', () => mounted.notice(plain(props.notice)));
}).catch((error) => {
  element.textContent = 'The page could not load its script: ' + error.message + '. Reload it.';
});
"""


def stage(playground: Playground, value: Document, links: Document) -> gr.HTML:
    """A stage that opens on the page `value` (a document of `session`) and can ask for more; `links`
    is what it makes and reads links with.

    The template is static and the script uses textContent alone, so that no token is ever read
    as markup or as a template. No subclass of gr.HTML: gradio would write a stub beside this file.
    """
    return gr.HTML(
        value,
        html_template='<div class="pg-mount"></div>',
        js_on_load=MOUNT.replace("$STAGE", module_js("stage/main.js")).replace(
            "$LINKS", module_js("links/step.js")
        ),
        apply_default_css=False,
        elem_id="stage",
        notice=None,
        figures=figure_templates(),
        links=links,
        server_functions=[sent(call) for call in server_functions(playground)],
    )


def page(document: Document) -> gr.HTML:
    """An update that puts another page on the stage and ends what was told about progress."""
    value = {**document, "serial": secrets.token_hex(8)}
    return gr.HTML(value=value, notice={"error": None, "progress": None})


def notice(error: Document | None = None, words: str = "", done: float | None = None) -> gr.HTML:
    """An update that leaves the trace alone: a card for an error, or a line of progress."""
    progress = {"words": words, "done": done} if words else None
    return gr.HTML(notice={"error": error, "progress": progress})
