"""JSON found in a model's output: the fence, the preamble and the postscript cut off, no character
inside changed.

Which value is taken, where a text has several:

1. The text's own beginning: an object or array that it starts with. What follows an answer is a
   closing remark, or a model that runs on with examples of its own.
2. Else the first fence whose whole body is one JSON value. A fence is its writer's own mark of where
   the answer is; so a scalar counts there, and `[1]` in the prose before doesn't.
3. Else the first object or array in a fence, else the first outside, that isn't slight. Slight are
   `{}`, `[]` and arrays of small numbers: `[ ]` is a tick box and `[1]` a footnote more often than
   an answer.
4. Else the first slight one, unless some other value was begun and broke.

A scalar in prose never counts: every number, and the word "true", would be one. Part of a broken
value never counts either. A value was begun once a key and its colon have been read, or if only the
end of the text breaks it: then all up to the bracket that closes it (brackets in double quotes not
counted), or to the end of the text, belongs to it. A bracket that breaks before that is prose, as in
`use {x} like this`: the search goes on where it breaks, or right after a `{`, since what looks like
its first key may be prose as well (`begin with {" and`).

The time is linear. A value is read from a bracket only if no earlier reading took that bracket as
structure. Where two readings overlap, the later one began inside a string of the earlier, and as long
as both last, one is inside a string exactly where the other is outside (a backslash, which could
change that, ends the reading that is outside). A third would have to begin inside a string of both.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from string import ascii_letters, digits

from playground.constraints.position import line_column
from playground.decoding.accept import Accept, is_json
from playground.study.scan import BLANK, MAX_DEPTH, Scan, scan

_START = re.compile(r'\{(?=[ \t\n\r]*+["}])|\[(?=[ \t\n\r]*+[\]\[{"\-0-9tfn])')
"""A bracket that a JSON value could start with."""
_OPENING = re.compile(r"[{\[]")
_SLIGHT = re.compile(
    r"\{[ \t\n\r]*+\}"
    r"|\[[ \t\n\r]*+(?:[0-9]{1,3}+[ \t\n\r]*+(?:,[ \t\n\r]*+[0-9]{1,3}+[ \t\n\r]*+)*+)?+\]"
)
_BRACKET = re.compile(r'"(?:[^"\\]++|\\.)*+"?|(?P<opening>[{\[])|(?P<closing>[}\]])', re.DOTALL)
_MARK = re.compile(r"`{3,}|~{3,}")
_INFO = re.compile(r"[A-Za-z][A-Za-z0-9_+.#-]*+")
_INFO_LETTERS = ascii_letters + digits + "_+.#-"


class NoJson(ValueError):
    """The text has no JSON that could be cut out; the message, a sentence or two, says why and where."""


@dataclass(frozen=True, slots=True)
class Salvaged:
    """JSON cut out of a text."""

    json: str
    """`text[start:end]`, which parses."""
    start: int
    end: int
    how: tuple[str, ...]
    """What was cut off, of "fence", "preamble" and "postscript" in this order; () where the whole
    text is JSON."""


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced part of a text: its marks included, `text[start:end]`; its body, `text[inside:outside]`."""

    start: int
    inside: int
    outside: int
    end: int


def salvage(text: str) -> Salvaged:
    """The JSON value in `text`, by the rule that the module states. It takes linear time.

    Raises:
        NoJson: there is none, or only a broken one.
    """
    if is_json(text):
        return Salvaged(text, 0, len(text), ())
    for value, fence in _ranked(text):
        start, end = value.start, value.stop
        return Salvaged(text[start:end], start, end, cut_off(text, start, end, fence))
    raise NoJson(_why(text))


def fences(text: str) -> list[Fence]:
    """The fenced parts, in order: three or more backticks or tildes, words on the same line, a body,
    and at the end of a line as many marks again; to the end of the text where these are missing.
    A fence on one line counts where nothing else is on the line.

    None of them starts inside a JSON string: there, a quote follows before the line ends.
    """
    found: list[Fence] = []
    opened: tuple[int, int, str] | None = None  # start, inside, mark
    at = 0
    for line in text.split("\n"):
        marks = list(_MARK.finditer(line))
        if marks and opened:
            if not line[marks[-1].end() :].strip(BLANK) and marks[-1][0].startswith(opened[2]):
                closing = marks[-1]
                found.append(Fence(*opened[:2], at + closing.start(), at + closing.end()))
                opened = None
        elif len(marks) == 1:
            mark = marks[0]
            if not line[: mark.start()].strip(BLANK) or '"' not in line[mark.end() :]:
                opened = (at + mark.start(), min(at + len(line) + 1, len(text)), mark[0])
        elif marks and _fills_line(line, marks[0], marks[-1]):
            inside, outside = _without_info(text, at + marks[0].end(), at + marks[-1].start())
            found.append(Fence(at + marks[0].start(), inside, outside, at + marks[-1].end()))
        at += len(line) + 1
    if opened:
        found.append(Fence(*opened[:2], len(text), len(text)))
    return found


def outermost(text: str, start: int, end: int) -> Iterator[Scan]:
    """The objects and arrays that `text[start:end]` has or begins, in order, none inside another:
    those that are whole, and those that break."""
    while opening := _START.search(text, start, end):
        found = scan(text, opening.start(), end)
        if found.whole:
            start = found.stop
        elif found.keyed or found.deep or found.cut:
            start = _closing(text, found, end)
        else:
            start = found.stop if found.open[-1] == "[" else found.bracket + 1
            continue
        yield found


def is_slight(text: str, value: Scan) -> bool:
    """The value is `{}`, `[]` or an array of numbers below 1,000: a footnote more often than not."""
    return _SLIGHT.fullmatch(text, value.start, value.stop) is not None


def cut_off(text: str, start: int, end: int, fence: Fence | None) -> tuple[str, ...]:
    """What `text[start:end]`, which stands in `fence`, leaves out: "fence", "preamble", "postscript"."""
    if fence:
        before = text[: fence.start] + text[fence.inside : start]
        after = text[end : fence.outside] + text[fence.end :]
        fenced = True
    else:
        before, opened = _without_opening(text[:start])
        after, closed = _without_closing(text[end:])
        fenced = opened or closed
    parts = (fenced, "fence"), (bool(before.strip(BLANK)), "preamble")
    return tuple(
        name for there, name in (*parts, (bool(after.strip(BLANK)), "postscript")) if there
    )


def _ranked(text: str) -> Iterator[tuple[Scan, Fence | None]]:
    """The values in the order in which they are taken, each with its fence."""
    first = scan(text, 0, len(text))
    if first.whole and first.bracket >= 0 and not is_slight(text, first):
        yield first, None
    found = fences(text)
    for fence in found:
        body = scan(text, fence.inside, fence.outside)
        if body.whole and not text[body.stop : fence.outside].strip(BLANK):
            yield body, fence
    slight = None
    broken = False
    for value, around in _everything(text, found):
        if value.whole and not is_slight(text, value):
            yield value, around
        broken = broken or not value.whole
        slight = slight or (value, around)
    if slight and not broken:
        yield slight


def _everything(text: str, found: list[Fence]) -> Iterator[tuple[Scan, Fence | None]]:
    """What is outermost in each fence, then in the whole text."""
    for fence in found:
        for value in outermost(text, fence.inside, fence.outside):
            yield value, fence
    for value in outermost(text, 0, len(text)):
        yield value, None


def _closing(text: str, broken: Scan, end: int) -> int:
    """After the bracket that closes the broken value; `end` where none does."""
    depth = len(broken.open)
    for bracket in _BRACKET.finditer(text, broken.stop, end):
        depth += bool(bracket["opening"]) - bool(bracket["closing"])
        if not depth:
            return bracket.end()
    return end


def _fills_line(line: str, first: re.Match[str], last: re.Match[str]) -> bool:
    """The line is a whole fence: marks, body, marks."""
    around = line[: first.start()] + line[last.end() :]
    return last[0].startswith(first[0]) and not around.strip(BLANK)


def _without_info(text: str, inside: int, outside: int) -> tuple[int, int]:
    """The body of a fence on one line: without the word before it, unless that is all."""
    info = _INFO.match(text, inside, outside)
    if info and text[info.end() : outside].strip(BLANK):
        inside = info.end()
    return inside, outside


def _without_opening(before: str) -> tuple[str, bool]:
    """What stands before a value, without the mark that opens a fence; whether there was one."""
    head = before.rstrip(BLANK).rstrip(_INFO_LETTERS).rstrip(BLANK)
    if head.endswith(("```", "~~~")):
        return head.rstrip(head[-1]), True
    return before, False


def _without_closing(after: str) -> tuple[str, bool]:
    """What stands after a value, without the mark that closes a fence; whether there was one."""
    tail = after.lstrip(BLANK)
    if tail.startswith(("```", "~~~")):
        return tail.lstrip(tail[0]), True
    return after, False


def _why(text: str) -> str:
    """Why nothing was found, with the place where the first object or array breaks."""
    if not text.strip(BLANK):
        return "The text is empty."
    found = next((each for each, _ in _everything(text, fences(text)) if not each.whole), None)
    if found is None:
        opening = _START.search(text) or _OPENING.search(text)
        if opening is None:
            return "The text has no JSON object or array."
        found = scan(text, opening.start(), len(text))
    kind = "object" if text[found.start] == "{" else "array"
    line, column = line_column(text, found.start)
    start = f"The {kind} that starts at line {line}, column {column}"
    if found.deep:
        return f"{start} is nested more than {MAX_DEPTH} levels deep."
    if found.cut:
        return f"{start} isn't finished: the text ends before it does."
    line, column = line_column(text, found.stop)
    return f"{start} is no JSON from line {line}, column {column} on."


def salvaging(schema: Accept) -> Accept:
    """`schema`, asked about the JSON that `salvage` finds in a text."""
    judge, reason = schema.judge, schema.why

    def judged(text: str) -> bool:
        try:
            return judge is not None and judge(salvage(text).json)
        except NoJson:
            return False

    def why(text: str) -> str:
        try:
            return "" if reason is None else reason(salvage(text).json)
        except NoJson as error:
            return str(error)

    return Accept("salvaged", judged, why, cut=True)
