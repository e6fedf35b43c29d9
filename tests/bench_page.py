"""How soon a recorded lesson is on the page, and what a step of it costs the browser, in a Chromium."""

import statistics
from collections.abc import Iterator

from playwright.sync_api import Browser, Page

from tests.bench_rows import Row
from tests.bench_schema import browsing
from tests.find_browser import installed

LESSON = "token-states"
BEAT = 1
"""A beat that plays SmolLM2 from its recording, on the Step screen."""
OPENINGS = 9
STEPS = 60

PAINTED = """
// When the beat stands on the page: its text, and the bars of its step.
const look = () => {
  const text = document.querySelector('.lesson-text');
  const bars = document.querySelector('#stage .pg-col');
  if (text?.checkVisibility() && text.textContent.trim() && bars?.checkVisibility()) {
    requestAnimationFrame(() => { window.paintedAt = performance.now(); });
  } else requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
COST = """async ([keys, pause]) => {
  const rest = (ms) => new Promise((done) => setTimeout(done, ms));
  const frame = () => new Promise((done) => requestAnimationFrame(() => done(performance.now())));
  const place = () => document.querySelector('#stage .pg-head').textContent;
  const seen = [];
  for (const key of keys) {
    await rest(pause);
    const before = place();
    const begun = performance.now();
    const first = frame();
    document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
    await null;
    document.body.getBoundingClientRect();
    const handled = performance.now() - begun;
    // What the page does in its next frame lies between two callbacks of that frame.
    const last = new Promise((done) => requestAnimationFrame(() => {
      document.body.getBoundingClientRect();
      done(performance.now());
    }));
    seen.push([handled + (await last) - (await first), place() !== before]);
  }
  return seen;
}"""


def opening(browser: Browser, address: str) -> tuple[float, float]:
    """Seconds from asking for the page until the beat stands on it: with an empty cache, and once
    more in the same window."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script(PAINTED)
    took = []
    for _ in range(2):
        page = context.new_page()
        page.goto(address, wait_until="commit")
        page.wait_for_function("window.paintedAt", timeout=60_000)
        took.append(page.evaluate("window.paintedAt") / 1000)
        page.wait_for_timeout(1_000)
        page.close()
    context.close()
    return took[0], took[1]


def costs(page: Page, keys: list[str]) -> list[float]:
    """Milliseconds of script, style and layout by key, of those that moved."""
    page.evaluate(COST, [keys[:6], 120])  # warm
    return [ms for ms, moved in page.evaluate(COST, [keys, 120]) if moved]


def page_rows() -> Iterator[Row]:
    """The rows of the table that need a browser."""
    if installed() is None:
        yield ("a recorded lesson in a browser", "no Chromium here", "under 1.5 s", False)
        return
    with browsing() as (url, browser):
        address = f"{url}/?lesson={LESSON}&beat={BEAT}"
        opening(browser, address)  # the server's first page is its slowest
        cold, warm = zip(*(opening(browser, address) for _ in range(OPENINGS)), strict=True)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(address)
        page.locator(".lesson-text").wait_for(timeout=60_000)
        page.locator("#stage .pg-col").first.wait_for(timeout=60_000)
        page.wait_for_timeout(2_000)
        seen = costs(page, ["ArrowLeft", "ArrowRight"] * (STEPS // 2))
    for name, took, most in (("an empty", cold, 3.0), ("a warm", warm, 1.5)):
        middle = statistics.median(took)
        yield (
            f"a recorded lesson on the page, from the request to its beat and bars, {name} browser "
            f"cache ({len(took)} openings)",
            f"{middle:.2f} s (largest {max(took):.2f} s)",
            f"median under {most} s",
            middle < most,
        )
    worst = statistics.quantiles(seen, n=20)[-1]
    yield (
        f"a recorded step by key: script, style and layout ({len(seen)} steps)",
        f"p95 {worst:.1f} ms (median {statistics.median(seen):.1f} ms)",
        "p95 under 16 ms",
        worst < 16,
    )
