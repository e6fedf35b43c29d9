"""The report of a study loads nothing, runs nothing, shows every text as text, and fits a phone."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from playground.study.classes import CLASSES
from playground.study.export import study_document
from playground.study.prompts.base import Item
from playground.study.recommend import recommend
from playground.study.row import CATEGORIES, Row
from playground.study.spec import StudySpec
from playground.study.summary import summarise
from playground.views import study_tables
from playground.views.study import POLICY, report_html
from playground.views.study_parts import LONGEST, safe

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</pre></main><style>*{display:none}</style>",
    "\u202eright to left\u2066 أهلا שלום",
    "half \ud800 a pair\x00\x1b[2J",
    "&lt;b&gt; &amp; {{value}} ${x} <!-- -->",
)
VOID = {"meta", "br", "img", "link", "input", "hr"}


class Page(HTMLParser):
    """The elements of a page, checked to be closed in order."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.said: list[str] = []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.said.append(data)

    @property
    def text(self) -> str:
        return "".join(self.said)


def rows(text: str, methods: tuple[str, ...], prompts: int) -> Iterator[Row]:
    """Outputs of every kind, each with `text`; constrained ones are valid."""
    kinds, classes = list(CATEGORIES), list(CLASSES)
    for index in range(prompts):
        for at, method in enumerate(methods):
            kind = "right" if method == "strict" and index % 2 else kinds[(index + at) % 5]
            valid = kind in ("right", "wrong", "valid")
            yield Row(
                index=index, item=f"i{index}", method=method, draw=0, text=f"{text}{index}{at}",
                category=kind, valid=valid, tokens=5, steps=5, attempts=1, rows=5, length=5,
                failure=None if valid else classes[(index + at) % len(classes)],
                in_language=valid, in_schema=valid, in_salvaged=valid, in_syntax=valid,
                fields={text[:60]: kind == "right"} if kind in ("right", "wrong") else None,
                ungrounded=("/a",) if valid else None, p_yes=0.4 if valid else None,
                log_p=-4.0 - index % 3, bits=3.0 if method == "strict" else None,
                z=(0.1, 0.2), tv=(0.3, 0.4), squeeze=(0.5, 0.6) if valid else None,
            )  # fmt: skip


def page(
    text: str = "plain", prompts: int = 12, done: bool = True, date: str = "2031-02-03"
) -> tuple[str, StudySpec]:
    methods = ("ask", "strict", "parallel-3")
    plain = text.encode("utf-8", "replace").decode()
    items = tuple(
        Item.model_construct(id=f"i{n}", prompt=text, gold={plain[:60]: 1}, source="")
        for n in range(prompts)
    )
    spec = _spec(plain, methods, items)
    found = list(rows(plain, methods, prompts))
    summary = summarise(spec, found)
    advice = recommend(summary)
    document = study_document(spec, {"model": text, "revision": text}, text, summary, advice, done)
    return report_html(document, summary, advice, found, items, date), spec


def _spec(text: str, methods: tuple[str, ...], items: tuple[Item, ...]) -> StudySpec:
    own = [{"id": each.id, "prompt": "p", "gold": each.gold} for each in items]
    return StudySpec.model_validate(
        {
            "prompts": text[:200],
            "model": text[:200],
            "instruction": text,
            "items": own,
            "n": len(items),
            "methods": methods,
            "constraint": {"kind": "schema", "source": text},
        }
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_what_was_typed_or_sampled_is_text_and_nothing_else(text: str) -> None:
    plain, hostile = (Page(page(each)[0]) for each in ("plain", text))
    allowed = {tag for tag, _ in plain.tags}
    assert {tag for tag, _ in hostile.tags} == allowed
    assert not allowed & {"script", "img", "link", "iframe", "object", "a", "form", "base"}
    assert [tag for tag, _ in hostile.tags] == [tag for tag, _ in plain.tags]
    for tag, attributes in hostile.tags:
        assert not [
            name for name in attributes if name.startswith("on") or name in ("src", "href")
        ], tag
    assert hostile.open == []


def test_the_file_loads_nothing_and_says_so_to_the_browser() -> None:
    source = page()[0]
    metas = [attributes for tag, attributes in Page(source).tags if tag == "meta"]
    assert {"http-equiv": "Content-Security-Policy", "content": POLICY} in metas
    assert "script" not in POLICY
    assert not re.search(r"url\(|@import|https?:|src=|javascript:", source)


def test_the_policy_stands_before_everything_that_it_rules() -> None:
    source = page(HOSTILE[0])[0]
    assert (
        source.index("Content-Security-Policy") < source.index("<title>") < source.index("<style>")
    )


def test_every_chart_has_a_table_beside_it() -> None:
    for section in page()[0].split("<section>")[1:]:
        assert section.count("<table>") >= section.count("<figure>"), section[:60]
    assert page()[0].count("<figure>") >= 3


def test_a_bar_is_as_long_as_its_share() -> None:
    source, _ = page(prompts=10)
    assert {float(width) for width in re.findall(r"width:([0-9.]+)%", source)}
    stacked = source.split("Valid is not right</h2>")[1].split("<table>")[0]
    for bar in stacked.split('<div class="bar">')[1:]:
        widths = [
            float(w)
            for w in re.findall(r'<i class="\w+" style="left:[0-9.]+%;width:([0-9.]+)%', bar)
        ]
        assert sum(widths) == pytest.approx(100, abs=0.01)


def test_each_class_of_failure_has_an_example_that_opens() -> None:
    source, _ = page(prompts=55)
    texts = Page(source).text
    for words in CLASSES.values():
        assert f"{words}: ask" in texts
    assert source.count("<details>") == source.count("</details>") >= len(CLASSES)


def test_what_is_judged_after_salvage_is_marked_in_its_rows() -> None:
    methods = ("ask", "retry")
    items = tuple(Item(id=f"i{n}", prompt="p", source="", gold=None) for n in range(12))
    spec = _spec("plain", methods, items).model_copy(update={"salvage": True})
    summary = summarise(spec, list(rows("plain", methods, 12)))
    assert [each.judge for each in summary.methods] == ["schema", "salvaged"]
    assert "after salvage</small>" in study_tables.pairs(summary)
    assert study_tables.methods(summary).count("<small>after salvage</small>") == 1
    alone = summary.model_copy(update={"methods": summary.methods[:1], "pairs": ()})
    assert "after salvage" not in study_tables.methods(alone)


def test_few_prompts_and_unfinished_studies_are_said_at_the_top() -> None:
    few = page(prompts=6, done=False)[0]
    top = few[: few.index("<section>")]
    assert "Few prompts" in top
    assert "Not finished" in top
    many = page(prompts=60)[0]
    assert "Few prompts" not in many
    assert "Not finished" not in many
    assert "<b>" not in few.split("<h2>Methods</h2>")[1].split("</section>")[0].replace(
        "<b style", ""
    )
    assert re.search(r"<td><b>\d", many)


def test_what_was_asked_and_how_to_ask_again_and_when() -> None:
    text = Page(page("named", date="7 May 2031")[0]).text
    for words in ("7 May 2031", "To run it again", "named", "temperature", "seed", "What to use"):
        assert words in text


def test_long_outputs_are_cut_and_say_so_but_what_was_asked_is_whole() -> None:
    source = page("x" * 7000)[0]
    outputs, asked = source.split("<h2>What was asked</h2>")
    assert "5,002 characters more" in outputs  # an output has two digits after its text
    assert "x" * (LONGEST + 1) not in outputs
    assert asked.count("x" * 7000) == 3, "the instruction, the constraint and the command"


def test_signs_without_a_glyph_are_shown() -> None:
    assert safe("a\x00\x1b\x7f\ud800<") == "a␀␛␡\\ud800&lt;"
    assert safe("tab\tline\n") == "tab\tline\n"


def test_a_study_without_a_row_has_a_report_too() -> None:
    spec = StudySpec(methods=("ask", "strict"))
    summary = summarise(spec, [])
    advice = recommend(summary)
    document = study_document(spec, {}, "again", summary, advice, False)
    assert Page(report_html(document, summary, advice, [], [], "today")).open == []


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (1200, "dark"), (390, "light")])
def test_it_fits_the_window_in_light_dark_and_on_a_phone(
    chromium: Any, tmp_path: Path, width: int, scheme: str
) -> None:
    file = tmp_path / "report.html"
    file.write_text(page(HOSTILE[1] + "x" * 200)[0], encoding="utf-8")
    context = chromium.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    try:
        window, asked, spoken = context.new_page(), [], []
        window.on("request", lambda request: asked.append(request.url))
        window.on("console", lambda message: spoken.append(message.text))
        window.goto(file.as_uri())
        assert window.evaluate("document.documentElement.scrollWidth") <= width
        assert asked == [file.as_uri()]
        assert spoken == []
        paper = window.evaluate("getComputedStyle(document.body).backgroundColor")
        assert paper == ("rgb(11, 15, 25)" if scheme == "dark" else "rgb(255, 255, 255)")
        window.locator("summary").first.click()
        assert window.locator("details[open] pre").first.is_visible()
        if width == 390:
            narrow = (
                "[...document.querySelectorAll('summary')].every(s => s.offsetWidth <= innerWidth)"
            )
            assert window.evaluate(narrow)
    finally:
        context.close()
