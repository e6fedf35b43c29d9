"""The exported file: modules joined into one script; a page that works alone."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from playground.views.export import (
    PLACEHOLDER,
    embedded_json,
    stage_bundle,
    standalone_html,
    standalone_template,
)

STATIC = Path(__file__).parents[2] / "static"
HOSTILE = (
    "</script><script>window.x=1</script>",
    "<img src=x onerror=window.x=2>",
    "<!--",
    "]]>",
    "${window.x=3}",
    "{{7*7}}",
    "\\u003c/script>",
    "</style>",
    PLACEHOLDER,
    " \u2028\n\t",
)


def written(folder: Path, **modules: str) -> Path:
    """A static folder with stage modules and empty style sheets."""
    (folder / "stage").mkdir(parents=True, exist_ok=True)
    for name, text in modules.items():
        (folder / "stage" / f"{name}.js").write_text(text)
    for name in ("stage.css", "panels.css"):
        (folder / name).write_text(".pg { color: red; }\n")
    return folder


def test_modules_come_after_what_they_import_and_each_once(tmp_path: Path) -> None:
    static = written(
        tmp_path,
        main="import { b } from './b.js';\nimport { a } from './a.js';\n"
        "export function mountStage() { return a + b; }\n",
        b="import { a } from './a.js';\nexport const b = a + 1;\n",
        a="export const a = 1;\n",
        unused="export const never = 0;\n",
    )
    bundle = stage_bundle(static)
    assert re.findall(r"^// (\w+)\.js$", bundle, re.MULTILINE) == ["a", "b", "main"]
    assert not re.search(r"^\s*(import|export)\b", bundle, re.MULTILINE)
    assert "never" not in bundle


@pytest.mark.parametrize(
    ("module", "complaint"),
    [
        ("export const a = 1;\nconst mine = 2;\n", "main.js:2: 'mine' is also declared in a.js"),
        ("export default function a() {}\n", "a.js:1: can't be joined"),
        ("export { a } from './c.js';\n", "a.js:1: can't be joined"),
        ("export const a = 1;\nconst b = await import('./c.js');\n", "a.js:2: can't be joined"),
        ("import { mountStage } from './main.js';\nexport const a = 1;\n", "circle"),
        ("import { gone } from './gone.js';\nexport const a = 1;\n", "no such module"),
        ("import { a as b } from './c.js';\nexport const a = 1;\n", "a.js:1: can't be joined"),
        ("const a = 1;\n", "a.js does not export 'a'"),
        ("export const a = '</script>';\n", "would end"),
        ("export const a = import.meta.url;\n", "can't be joined"),
    ],
)
def test_a_module_that_cant_be_joined_is_refused_with_its_place(
    tmp_path: Path, module: str, complaint: str
) -> None:
    main = "import { a } from './a.js';\nconst mine = a;\nexport function mountStage() {}\n"
    with pytest.raises(ValueError, match=re.escape(complaint)):
        stage_bundle(written(tmp_path, main=main, a=module))


def test_a_style_sheet_that_loads_something_is_refused(tmp_path: Path) -> None:
    static = written(tmp_path, main="export function mountStage() {}\n")
    standalone_template(static)
    (static / "panels.css").write_text("@font-face { src: url(/fonts/a.woff2); }")
    with pytest.raises(ValueError, match="load nothing"):
        standalone_template(static)


def test_the_template_has_one_place_for_a_document_and_asks_for_nothing() -> None:
    template = standalone_template(STATIC)
    assert template.count(PLACEHOLDER) == 1
    outside = r"(?:src|href)=[\"']|https?://(?!www\.w3\.org/2000/svg)|\bimport\s*\("
    assert not re.search(outside, template)


def test_no_text_of_a_document_can_end_the_script_that_holds_it() -> None:
    document = {"text": list(HOSTILE)}
    held = embedded_json(document)
    assert "<" not in held
    assert json.loads(held) == document
    with pytest.raises(ValueError, match="JSON compliant"):
        embedded_json({"z": float("nan")})


def test_a_document_that_names_the_placeholder_is_put_in_once(tmp_path: Path) -> None:
    static = written(tmp_path, main="export function mountStage() {}\n")
    page = standalone_html({"text": PLACEHOLDER}, static)
    held = re.search(r'id="document">(.*?)</script>', page, re.DOTALL)
    assert held is not None
    assert json.loads(held[1]) == {"text": PLACEHOLDER}


@pytest.mark.browser
@pytest.mark.parametrize("width", [1280, 390])
def test_an_exported_file_opens_offline_and_steps_and_hostile_tokens_stay_text(
    chromium: Any, tmp_path: Path, width: int, document: Callable[..., dict[str, Any]]
) -> None:
    file = tmp_path / "run.html"
    file.write_text(standalone_html(document(HOSTILE), STATIC), encoding="utf-8")
    context = chromium.new_context(offline=True, viewport={"width": width, "height": 800})
    page = context.new_page()
    asked: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on(
        "console",
        lambda message: wrong.append(message.text) if message.type == "error" else None,
    )
    page.goto(file.as_uri())
    page.wait_for_selector(".pg-state-words", state="attached", timeout=10_000)
    for index, text in enumerate(HOSTILE):
        words = page.evaluate("document.querySelector('.pg-state-words').textContent")
        assert words == f"expects {text}"
        assert page.evaluate("document.querySelector('.pg-state-name').textContent") == f"q{index}"
        page.keyboard.press("ArrowRight")
        page.evaluate("new Promise((done) => requestAnimationFrame(done))")
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert page.evaluate("window.x") is None
    assert page.locator(".pg img, .pg script, .pg b b").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert asked == [file.as_uri()]
    assert wrong == []
    context.close()
