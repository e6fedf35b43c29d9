"""The frame of the page: the top bar and the screens."""

import gradio as gr

from playground.demo import load_demos
from playground.session import Playground
from playground.ui.api import named_endpoints
from playground.ui.lessons import lesson_view
from playground.ui.opening import MAX_OPENING
from playground.ui.step import build_step

TOP_BAR = """
<header class="top-bar">
  <button type="button" class="top-button skip-link" data-do="steps">Skip to the steps</button>
  <h1 class="top-name">Constrained decoding, step by step</h1>
  <nav class="top-tabs" aria-label="Screens">
    <button type="button" class="top-tab" data-screen="step" aria-current="page"
      title="What happened at this token? (1)">Step</button>
    <button type="button" class="top-tab" data-screen="compare"
      title="Same prompt, several ways (2)">Compare</button>
    <button type="button" class="top-tab" data-screen="squeezing"
      title="Where did the probability go? (3)">Squeezing</button>
    <button type="button" class="top-tab" data-screen="schema"
      title="What does the constraint allow, and is it enforced? (4)">Schema</button>
    <button type="button" class="top-tab" data-screen="levels"
      title="Three levels of guarantee, and what each costs (5)">Levels</button>
    <button type="button" class="top-tab" data-screen="study"
      title="How often is it valid, and how often right, over many prompts? (6)">Study</button>
    <button type="button" class="top-tab" data-screen="decisions"
      title="Records decided without writing text (7)">Decisions</button>
  </nav>
  <span class="top-space"></span>
  <button type="button" class="top-button" data-do="lessons" title="Lessons, and lessons of your own">Lessons</button>
  <button type="button" class="top-button only-narrow" data-do="rail" aria-controls="rail">Problem</button>
  <button type="button" class="top-button only-wide" data-do="present"
    title="Large type for a projector (P)">Present</button>
  <button type="button" class="top-button" data-do="share" title="A link to this place (S copies it)">Share</button>
  <button type="button" class="top-button" data-do="theme" title="Light or dark (T)">Theme</button>
  <button type="button" class="top-button" data-do="help" title="Keyboard (?)" aria-label="Keyboard help">?</button>
</header>
"""


def build(playground: Playground) -> gr.Blocks:
    """Every screen, wired to `playground`."""
    demo = gr.Blocks(
        title="Constrained decoding, step by step",
        analytics_enabled=False,
        delete_cache=(3600, 3600),
        fill_width=True,
    )
    with demo:
        gr.HTML(TOP_BAR, elem_id="top", padding=False)
        lesson_view(playground)
        build_step(playground, load_demos())
        named_endpoints(demo, playground)
    demo.queue(default_concurrency_limit=8, max_size=MAX_OPENING)
    demo.state_session_capacity = 200
    return demo
