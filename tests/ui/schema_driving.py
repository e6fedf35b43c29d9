"""How the tests drive the Schema screen: as a visitor would, by what is seen on it."""

from playwright.sync_api import Locator, Page, expect

BROKEN = """{
  "type": "object",
  "properties": {
    "reasoning": {"type": "string", "maxLength": 40},
    "mood": {"type": "string", "enum": ["calm", "tense", 3]},
    "level": {"type": "integer", "minimum": 1, "maxium": 9},
    "tags": {"type": "array", "items": {"enum": ["a", "b"]}, "uniqueItems": true, "maxItems": 3}
  },
  "required": ["reasoning", "mood", "level"],
  "additionalProperties": false
}"""
"""A misspelt keyword in line 6, one that no automaton enforces in line 7, a bad option in line 5."""
GOOD = '{"reasoning": "ok", "mood": "calm", "level": 3}'


def settled(page: Page) -> None:
    """Wait until the newest constraint was judged and analysed."""
    page.wait_for_function(
        """() => { const now = window.playgroundScreens?.schema?.state.get();
            return now && !now.busy && now.judged && (now.analysis || now.trouble); }""",
        timeout=60_000,
    )


def paste(page: Page, source: str) -> None:
    """Put `source` in the place of what the editor holds, as a paste does."""
    page.locator("#schema .cm-content").click()
    page.keyboard.press("Control+a")
    page.evaluate(
        """(text) => { const data = new DataTransfer(); data.setData('text/plain', text);
            document.querySelector('#schema .cm-content').dispatchEvent(
              new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}));
        }""",
        source,
    )
    told = "(text) => window.playgroundScreens?.schema?.state.get().source === text"
    page.wait_for_function(told, arg=source)
    settled(page)


def source(page: Page) -> str:
    """What the editor holds."""
    return str(page.evaluate("window.playgroundScreens?.schema?.state.get().source"))


def problem(screen: Locator, text: str) -> Locator:
    """The item of the list of what is wrong that says `text`."""
    return screen.locator(".sc-problems-card .sc-problem").filter(has_text=text)


def row(screen: Locator, number: int) -> Locator:
    """The test string of that number, from 1."""
    return screen.locator(".sc-string").nth(number - 1)


def fill(page: Page, screen: Locator, number: int, text: str, should: str = "pass") -> None:
    """Write a test string and say what it should do."""
    row(screen, number).locator("textarea").fill(text)
    toggle = row(screen, number).locator(".sc-should")
    if toggle.get_attribute("data-should") != should:
        toggle.click()
    expect(toggle).to_have_attribute("data-should", should)


def keep_one(page: Page, screen: Locator) -> None:
    """Remove the test strings but one."""
    while screen.locator(".sc-string").count() > 1:
        row(screen, 1).get_by_role("button", name="Remove this string").click()


def standing(screen: Locator, number: int) -> Locator:
    """The sign of a test string: as it should be or not."""
    return row(screen, number).locator(".sc-standing")


def caret(screen: Locator) -> Locator:
    """The byte that the stepper stands at."""
    return screen.locator(".sc-cell[aria-current]")
