"""The page's scripts and styles joined: nothing is lost, and a name always means the same bytes."""

import graphlib
import gzip
import re

import pytest
from fastapi import FastAPI
from fastapi.responses import HTMLResponse
from fastapi.testclient import TestClient
from playwright.sync_api import Page

from playground.ui.joined import (
    FOREVER,
    STATIC,
    STILL,
    Early,
    head,
    joined_routes,
    modules,
    presenting,
    scripts,
    styles,
    wrapped,
)

SOURCE = """// A module.
import { a, b as c } from './other.js';
import { d } from '../core/more.js';

const own = 1;
export const one = a + own;
export async function two() { return c(d); }
export class Three {}
"""


def test_a_module_becomes_a_function_of_what_it_needs() -> None:
    assert wrapped(SOURCE, "some/main.js").splitlines() == [
        "'some/main.js': ($need) => {",
        "// A module.",
        "const { a, b: c } = $need('some/other.js');",
        "const { d } = $need('core/more.js');",
        "",
        "const own = 1;",
        "const one = a + own;",
        "async function two() { return c(d); }",
        "class Three {}",
        "return { one, two, Three };",
        "},",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "import a from './a.js';",
        "import * as a from './a.js';",
        "import './a.js';",
        "import { a } from 'elsewhere';",
        "import {",
        "export default 1;",
        "export let a = 1;",
        "export { a };",
        "export * from './a.js';",
    ],
)
def test_another_form_is_refused_with_its_place(line: str) -> None:
    with pytest.raises(ValueError, match=r"some/main\.js:2: can't be joined"):
        wrapped(f"const x = 1;\n{line}\n", "some/main.js")


def test_every_module_is_there_and_no_import_goes_round() -> None:
    joined = modules().body.decode("utf-8")
    needs: dict[str, list[str]] = {}
    for path in STATIC.glob("*/*.js"):
        name = path.relative_to(STATIC).as_posix()
        needs[name] = re.findall(r"\$need\('([^']+)'\)", wrapped(path.read_text("utf-8"), name))
        assert joined.count(f"\n'{name}': ($need) => {{") == 1
    assert len(needs) > 100
    assert {each for found in needs.values() for each in found} <= set(needs)
    list(graphlib.TopologicalSorter(needs).static_order())


def test_a_browser_keeps_them_for_ever_and_finds_them_by_the_pages_head() -> None:
    app = FastAPI()
    joined_routes(app)
    client = TestClient(app)
    addresses = set(re.findall(r'"(/app-static/joined/[^"]+)"', head()))
    files = (modules(), scripts(), styles(), presenting())
    assert addresses == {each.address for each in files}
    for each in files:
        assert gzip.decompress(each.packed) == each.body
        for accepted, encoding in (("gzip, br", "gzip"), ("identity", None)):
            answer = client.get(each.address, headers={"accept-encoding": accepted})
            assert answer.status_code == 200
            assert answer.content == each.body
            assert answer.headers.get("content-encoding") == encoding
            assert answer.headers["cache-control"] == FOREVER
            assert answer.headers["content-type"].startswith(each.media_type)
    assert client.get("/app-static/joined/modules-0000000000000000.js").status_code == 404


@pytest.mark.parametrize("page", ["<html><head><title>a</title></head></html>", "<p>no head</p>"])
def test_the_page_names_its_files_and_begins_with_what_must_come_first(page: str) -> None:
    app = FastAPI()
    app.add_api_route("/", lambda: HTMLResponse(page))
    app.add_api_route("/other", lambda: HTMLResponse(page))
    app.add_middleware(Early)
    client = TestClient(app)
    answer = client.get("/")
    assert answer.text == page.replace("<head>", f"<head>{STILL.decode()}")
    assert int(answer.headers["content-length"]) == len(answer.content)
    assert all(file.address in answer.headers["link"] for file in (styles(), scripts(), modules()))
    assert client.get("/other").text == page


@pytest.mark.browser
def test_a_page_at_rest_asks_for_no_frames(page: Page, app_url: str) -> None:
    page.add_init_script(
        """const frame = window.requestAnimationFrame.bind(window);
        window.framesAsked = 0;
        window.requestAnimationFrame = (work) => { window.framesAsked += 1; return frame(work); };"""
    )
    page.goto(app_url)
    page.locator("#stage .pg-col").first.wait_for(timeout=30_000)
    page.wait_for_function(
        """async () => {
            const before = window.framesAsked;
            await new Promise((done) => setTimeout(done, 500));
            return before > 0 && window.framesAsked === before;
        }""",
        timeout=20_000,
    )
