"""A lesson as one HTML file that asks nobody: a worksheet, its scenes, beats, laws, claims, exercises."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playground.views.export import POLICY, STYLES, embedded_json, stage_bundle, style_sheets
from playground.views.handout_parts import element, provenance_of, scene_of, text
from playground.views.handout_sections import (
    beats_section,
    claims_section,
    exercises_section,
    laws_section,
    notes_section,
    scenes_section,
    worksheet_section,
)

_SCRIPT = """
{
  const { pages } = JSON.parse(document.getElementById('recording').textContent);
  let shown = null;
  const close = () => {
    if (!shown) return;
    shown.stage.remove();
    shown.button.setAttribute('aria-expanded', 'false');
    shown = null;
  };
  for (const button of document.querySelectorAll('[data-scene]')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      const again = shown && shown.button === button;
      close();
      if (again) return;
      const page = { ...pages[button.dataset.scene], cursor: Number(button.dataset.step) };
      const place = document.getElementById(button.getAttribute('aria-controls'));
      shown = { button, stage: mountStage(place, { value: page, server: null }) };
      button.setAttribute('aria-expanded', 'true');
    });
  }
  for (const button of document.querySelectorAll('[data-print]')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      document.body.dataset.print = button.dataset.print;
      window.print();
    });
  }
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const theme = () => document.body.classList.toggle('dark', dark.matches);
  dark.addEventListener('change', theme);
  window.addEventListener('beforeprint', () => document.body.classList.remove('dark'));
  window.addEventListener('afterprint', () => { delete document.body.dataset.print; theme(); });
  theme();
}
"""


def handout_html(form: Mapping[str, Any], static: Path) -> str:
    """The handout of a lesson's JSON form.

    Args:
        form: `{"lesson", "recording" or None, "claims"}`; every text in it is shown as text.
        static: the folder of the page's static files.

    Raises:
        ValueError: as `export.stage_bundle` and `export.style_sheets`, or the form holds a nan.
    """
    lesson, recording = form["lesson"], form["recording"]
    scenes = {} if recording is None else recording["scenes"]
    stepped = {
        scene_of(lesson, index)
        for index, beat in enumerate(lesson["beats"])
        if beat["view"] == "step"
    }
    pages = {name: scene["page"] for name, scene in scenes.items() if name in stepped}
    body = "\n".join(
        (
            worksheet_section(lesson),
            _header(lesson, scenes),
            scenes_section(lesson),
            beats_section(lesson, scenes),
            laws_section(scenes),
            claims_section(form["claims"]),
            exercises_section(lesson),
            notes_section(lesson),
        )
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>{text(lesson["title"])}</title>
<style>
{style_sheets(static, (*STYLES, "handout.css"))}
</style>
</head>
<body class="handout">
<main>
{body}
</main>
<script type="application/json" id="recording">{embedded_json({"pages": pages})}</script>
<script type="module">
{stage_bundle(static)}
{_SCRIPT}
</script>
</body>
</html>
"""


def _header(lesson: Mapping[str, Any], scenes: Mapping[str, Any]) -> str:
    about = f"{lesson['minutes']} minutes"
    prints = "".join(
        element("button", text(words), type="button", hidden="", data_print=what)
        for what, words in (("handout", "Print the handout"), ("worksheet", "Print the worksheet"))
    )
    return element(
        "header",
        element("h1", text(lesson["title"]))
        + element("p", text(lesson["question"]), class_="question")
        + element("p", text(" · ".join((about, *provenance_of(scenes)))), class_="faint")
        + element("p", prints, class_="prints"),
    )
