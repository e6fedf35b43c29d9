"""A link: a screen's state, packed into the part of the address that no server sees.

`#<screen>?<base64url(deflate-raw(JSON))>`; static/links/ reads and writes the same form.
"""

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from playground.demo import Demo
from playground.errors import InvalidInput
from playground.lessons.shelf import load_lessons, recording_of
from playground.models.toy import TOYS
from playground.problem import ProblemSpec, parse_problem
from playground.record import Document

VERSION: Final = 1
"""Of the states that are written."""
MOST_PACKED: Final = 16_000
"""Longest packed state that is made, characters: longer links break in mails and chats."""
MOST_READ: Final = 32_000
"""Longest that is read."""
MOST_BYTES: Final = 500_000
"""Most bytes that one is unpacked to: a short text can be made to unpack to gigabytes."""
MOST_SCANNED: Final = 1_800
"""Longest address that a phone reads well from a QR code, characters."""
MIGRATIONS: dict[int, Callable[[Document], Document]] = {}
"""What brings a state of an older version to the next one, by the older one's number."""

PARTS: Final = ("constraint", "sampling", "markers")
"""The parts of a problem of which a link holds only the fields that differ."""
_LETTERS = re.compile(r"[A-Za-z0-9_-]+")
_AGAIN = "Copy the whole link again, or ask for a new one."
_BROKEN = "The link can't be read: a part of it is missing or was changed."


def pack(state: Mapping[str, Any]) -> str:
    """A screen's state in the letters of an address; `v` is put to it.

    Raises:
        ValueError: it holds a number that JSON can't spell.
    """
    text = json.dumps(
        {"v": VERSION, **state}, ensure_ascii=False, allow_nan=False, separators=(",", ":")
    )
    squeezed = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    # Half of a surrogate pair becomes an escape, as in the browser, so that any text comes back.
    raw = squeezed.compress(text.encode("utf-8", "backslashreplace")) + squeezed.flush()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def unpack(packed: str) -> Document:
    """What `pack` made. Nothing in it is checked but its version.

    Raises:
        InvalidInput: it is no whole link, too large, or of a version that isn't read.
    """
    if not _LETTERS.fullmatch(packed):
        raise InvalidInput(_BROKEN, _AGAIN, "link")
    if len(packed) > MOST_READ:
        raise InvalidInput(
            f"The link has {len(packed):,} characters; at most {MOST_READ:,} are read.",
            "Ask for the trace as a file instead.",
            "link",
        )
    try:
        raw = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
        plain = json.loads(_inflated(raw).decode("utf-8"), parse_constant=_no_number)
    except (ValueError, zlib.error, RecursionError):
        raise InvalidInput(_BROKEN, _AGAIN, "link") from None
    return migrated(plain)


def _no_number(name: str) -> None:
    """JSON has no such number, whatever the reader allows."""
    raise ValueError(f"{name} is no JSON")


def _inflated(raw: bytes) -> bytes:
    """What was packed, whole.

    Raises:
        InvalidInput: it is more than MOST_BYTES.
        ValueError: it ends early, or something follows it.
        zlib.error: it was never packed.
    """
    reader = zlib.decompressobj(-zlib.MAX_WBITS)
    found = reader.decompress(raw, MOST_BYTES + 1)
    if len(found) > MOST_BYTES:
        raise InvalidInput(
            f"The link unpacks to more than {MOST_BYTES:,} bytes, which no link of the page does.",
            "It was not made by the page; nothing of it was opened.",
            "link",
        )
    if not reader.eof or reader.unused_data:
        raise ValueError("not one whole packing")
    return found


def migrated(
    plain: Any,
    table: Mapping[int, Callable[[Document], Document]] = MIGRATIONS,
    now: int = VERSION,
) -> Document:
    """A state as the version `now` has it, through the steps of `table`.

    Raises:
        InvalidInput: it is no state, or no step leads from its version.
    """
    version = plain.get("v") if isinstance(plain, dict) else None
    if type(version) is not int or version < 0:
        raise InvalidInput(_BROKEN, _AGAIN, "link")
    if version > now:
        raise InvalidInput(
            f"The link was made by a newer version of the page: its form is {version}, and up to "
            f"{now} is read here.",
            "Open it where it was made.",
            "link",
        )
    state: Document = plain
    for older in range(version, now):
        if older not in table:
            raise InvalidInput(
                f"The link was made by an older version of the page: its form {version} can no "
                "longer be read.",
                "Ask for a new link, or set the problem up again.",
                "link",
            )
        state = {**table[older](state), "v": older + 1}
    return state


def difference(base: Document, problem: Document) -> Document:
    """The fields of `problem` that `base` has otherwise; of PARTS, only their fields."""
    found: Document = {}
    for name, value in problem.items():
        if base[name] == value:
            continue
        found[name] = (
            {part: each for part, each in value.items() if base[name][part] != each}
            if name in PARTS
            else value
        )
    return found


def over(base: Document, partial: Document) -> Document:
    """`base` with such a difference over it."""
    parts: Document = {n: {**base[n], **partial[n]} for n in PARTS if n in partial}
    return {**base, **partial, **parts}


def mark_of(spec: ProblemSpec) -> str:
    """Six hex digits of an example's problem: a link that names the example holds them, so that one
    that has changed is not taken for it."""
    return hashlib.sha256(spec.model_dump_json().encode()).hexdigest()[:6]


def examples_document(demos: Mapping[str, Demo]) -> Document:
    """What the browser makes and reads links with: the usual problem, and the examples as what
    differs from it."""
    usual = ProblemSpec().model_dump(mode="json")
    return {
        "usual": usual,
        "demos": {
            slug: {
                "mark": mark_of(demo.problem),
                "problem": difference(usual, demo.problem.model_dump(mode="json")),
            }
            for slug, demo in demos.items()
        },
    }


def step_state(
    spec: ProblemSpec,
    path: Sequence[int],
    revision: str,
    demos: Mapping[str, Demo],
    cursor: int = 0,
    run: int = 0,
) -> Document:
    """The state of the Step screen for one run.

    Args:
        spec: the problem.
        path: ids of the tokens taken.
        revision: of the model that the numbers are of.
        demos: the examples that it may name.
        cursor: the step shown, from 0.
        run: the stream that its draws come from.
    """
    if spec.toy is not None and TOYS.get(spec.toy.name) == spec.toy and spec.on_toy:
        spec = spec.model_copy(update={"toy": None, "model": f"toy:{spec.toy.name}"})
    whole, given = spec.model_dump(mode="json"), examples_document(demos)
    parts: list[Document] = [{"p": difference(given["usual"], whole)}]
    for slug, each in given["demos"].items():
        demo = over(given["usual"], each["problem"])
        if demo["model"] == whole["model"]:
            parts.append({"d": [slug, each["mark"]], "p": difference(demo, whole)})
    short = [{name: part for name, part in each.items() if part} for each in parts]
    best = min(short, key=lambda part: len(json.dumps(part, ensure_ascii=False)))
    lane = [list(path), 0, 0, run] if run else [list(path)]
    return {**best, "l": [lane], "c": cursor, "r": revision}


def problem_of(state: Document, demos: Mapping[str, Demo]) -> ProblemSpec:
    """The problem of a state.

    Raises:
        InvalidInput: it is none, or of an example that isn't here or has changed.
    """
    named, partial = state.get("d"), state.get("p", {})
    base = ProblemSpec()
    if named is not None:
        slug, mark = named if isinstance(named, list) and len(named) == 2 else (None, None)
        if not isinstance(slug, str) or slug not in demos:
            raise InvalidInput(
                "The link is about an example that isn't here.",
                "Open it where it was made.",
                "link",
            )
        base = demos[slug].problem
        if mark != mark_of(base):
            raise InvalidInput(
                f"The example {slug!r} has changed since the link was made.",
                "Ask for a new link.",
                "link",
            )
    whole = base.model_dump(mode="json")
    if not isinstance(partial, dict) or any(
        name in PARTS and not isinstance(part, dict) for name, part in partial.items()
    ):
        raise InvalidInput(_BROKEN, _AGAIN, "link")
    return parse_problem(over(whole, partial))


def link_of(screen: str, state: Mapping[str, Any]) -> str:
    """The part of an address that opens `state` on a screen.

    Raises:
        InvalidInput: it would be longer than MOST_PACKED.
    """
    packed = pack(state)
    if len(packed) > MOST_PACKED:
        raise InvalidInput(
            f"The link would have {len(packed):,} characters; at most {MOST_PACKED:,} are made.",
            "Keep the run as JSON instead.",
            "link",
        )
    return f"#{screen}?{packed}"


def recorded_run(spec: ProblemSpec, path: Sequence[int], revision: str) -> Document | None:
    """The page of a lesson's recording that begins with this run, made with this revision, its kind
    "recorded" and its lesson's title under "recorded"; None where no lesson has it."""
    asked = spec.model_copy(update={"watch": ()})
    for slug, lesson in load_lessons().items():
        for name, scene in lesson.scenes.items():
            if scene.problem.model_copy(update={"watch": ()}) != asked:
                continue
            recording = recording_of(slug) or {"scenes": {}}
            page: Document | None = recording["scenes"].get(name, {}).get("page")
            if page is None or page["provenance"]["revision"] != revision:
                continue
            if [step["taken"]["id"] for step in page["steps"]][: len(path)] == list(path):
                provenance = {**page["provenance"], "kind": "recorded"}
                return {**page, "provenance": provenance, "recorded": lesson.title}
    return None
