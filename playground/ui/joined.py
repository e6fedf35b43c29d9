"""The page's own scripts and styles, joined: few requests, under names that change with their content.

The files of `static/` are plain modules that run as they are. A page of some 150 of them asks 150
times, at every visit, and waits for each layer of imports; a classroom does so at one moment.
"""

import base64
import gzip
import hashlib
import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

STATIC = Path(__file__).parents[2] / "static"
STYLES = (
    "shell", "stage", "panels", "compare", "squeezing", "schema",
    "levels", "study", "decisions", "lesson", "links",
)  # fmt: skip
"""In the order in which they override each other."""
PRESENTING = "present"
"""The style sheet that the browser reads only while presenting."""
SCRIPTS = ("refused", "connection", "shell", "rail", "links")
"""What runs as soon as the page is read, in this order."""
FOREVER = "public, max-age=31536000, immutable"

_IMPORT = re.compile(r"import \{ (.+) \} from '(\.[^']+)';")
_EXPORT = re.compile(r"export (?:(?:async )?function|const|class) ([A-Za-z_$][\w$]*)")
_LOOSE = re.compile(r"\s*(?:import\b(?!\()|export\b)")
_AS = re.compile(r"(\S+) as (\S+)")
_END = """
const $made = {};
/** What the module of that path in static/ exports. It runs when it is first asked for. */
export function need(path) {
  if (!(path in $made)) $made[path] = $modules[path](need);
  return $made[path];
}
"""


@dataclass(frozen=True, slots=True)
class Joined:
    """One file for many."""

    name: str
    media_type: str
    body: bytes
    packed: bytes
    """The same, as gzip."""

    @property
    def address(self) -> str:
        """Where the page finds it."""
        return f"/app-static/joined/{self.name}"

    def answer(self, request: Request) -> Response:
        """It as a response that a browser never asks for again."""
        headers = {"cache-control": FOREVER, "vary": "accept-encoding"}
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(self.body, media_type=self.media_type, headers=headers)
        headers["content-encoding"] = "gzip"
        return Response(self.packed, media_type=self.media_type, headers=headers)


def _joined(kind: str, ending: str, media_type: str, text: str) -> Joined:
    body = text.encode("utf-8")
    name = f"{kind}-{hashlib.sha256(body).hexdigest()[:16]}.{ending}"
    return Joined(name, media_type, body, gzip.compress(body, 6, mtime=0))


def wrapped(source: str, path: str) -> str:
    """A module as a function of `$need` that returns what it exports.

    Args:
        source: its text, each import and export at the head of a line of its own.
        path: its place under `static/`, with which what it imports is found.

    Raises:
        ValueError: it has another form.
    """
    names: list[str] = []
    lines = []
    folder = posixpath.dirname(path)
    for number, line in enumerate(source.splitlines(), 1):
        if match := _IMPORT.fullmatch(line.strip()):
            taken = _AS.sub(r"\1: \2", match[1])
            wanted = posixpath.normpath(posixpath.join(folder, match[2]))
            line = f"const {{ {taken} }} = $need('{wanted}');"
        elif match := _EXPORT.match(line):
            names.append(match[1])
            line = line.removeprefix("export ")
        elif _LOOSE.match(line):
            raise ValueError(f"{path}:{number}: can't be joined: {line.strip()[:80]!r}")
        lines.append(line)
    return "\n".join(
        [f"'{path}': ($need) => {{", *lines, f"return {{ {', '.join(names)} }};", "},"]
    )


def join_modules(static: Path) -> str:
    """Every module under the folders of `static` as one, whose `need(path)` gives what one exports.

    Raises:
        ValueError: one can't be joined.
    """
    paths = sorted(path.relative_to(static).as_posix() for path in static.glob("*/*.js"))
    parts = [wrapped((static / path).read_text("utf-8"), path) for path in paths]
    return "\n".join(["const $modules = {", *parts, "};", _END])


def _texts(static: Path, names: Iterable[str], ending: str) -> str:
    return "\n".join((static / f"{name}.{ending}").read_text("utf-8") for name in names)


@lru_cache(maxsize=1)
def modules() -> Joined:
    """The modules of the page."""
    return _joined("modules", "js", "text/javascript", join_modules(STATIC))


@lru_cache(maxsize=1)
def scripts() -> Joined:
    """The scripts that run first."""
    return _joined("scripts", "js", "text/javascript", _texts(STATIC, SCRIPTS, "js"))


@lru_cache(maxsize=1)
def styles() -> Joined:
    """The style sheets of the page."""
    return _joined("styles", "css", "text/css", _texts(STATIC, STYLES, "css"))


@lru_cache(maxsize=1)
def presenting() -> Joined:
    """The style sheet of presenting."""
    return _joined("presenting", "css", "text/css", _texts(STATIC, (PRESENTING,), "css"))


def module_js(path: str) -> str:
    """The promise of what a module exports, as JavaScript."""
    return f"import('{modules().address}').then(({{ need }}) => need('{path}'))"


def head() -> str:
    """The page's own part of the document's head, which Gradio puts there once it runs."""
    icon = base64.b64encode((STATIC / "icon.svg").read_bytes()).decode()
    return (
        f'<link rel="stylesheet" href="{styles().address}">'
        f'<link rel="stylesheet" class="presenting-style" media="not all" href="{presenting().address}">'
        # A browser asks for it again whenever the address changes, at every step of a linked run.
        f'<link rel="icon" href="data:image/svg+xml;base64,{icon}">'
        f'<script src="{scripts().address}" data-modules="{modules().address}" defer></script>'
    )


STILL = b"""<script>(() => {
const frame = window.requestAnimationFrame.bind(window), clock = /performance\\.now\\(\\)[^;]*\\/1e3/;
window.requestAnimationFrame = (work) => (clock.test(work) ? 0 : frame(work));
})();</script>"""
"""Gradio's loader of the page leaves its clock running when it goes, a frame after the other for ever,
though nothing shows the time: 5 % of a core, and of a phone's battery. Comes before Gradio's own
scripts, which keep the function as they find it."""
_HEAD = b"<head>"


class Early:
    """What the page wants before Gradio runs: the joined files, named in a header so that a browser asks
    for them at once, and the first lines of its head."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        kinds = ("preload; as=style", "preload; as=script", "modulepreload")
        files = (styles(), scripts(), modules())
        links = [f"<{file.address}>; rel={kind}" for file, kind in zip(files, kinds, strict=True)]
        self._link = (b"link", ", ".join(links).encode())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        begun: Message | None = None

        async def passed(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = message  # its length is known with the first part of the body
                return
            if begun is not None:
                start, begun = begun, None
                headers = [*start["headers"], self._link]
                body = message.get("body", b"")
                if _HEAD in body:
                    message = {**message, "body": body.replace(_HEAD, _HEAD + STILL, 1)}
                    headers = [longer(header, len(STILL)) for header in headers]
                await send({**start, "headers": headers})
            await send(message)

        page = scope["type"] == "http" and scope["path"] == "/"
        await self.app(scope, receive, passed if page else send)


def longer(header: tuple[bytes, bytes], more: int) -> tuple[bytes, bytes]:
    """A header of a body that has become `more` bytes longer."""
    name, value = header
    return (name, str(int(value) + more).encode()) if name == b"content-length" else header


def joined_routes(app: FastAPI) -> None:
    """Serve them. A page that was opened before an update asks for names that are gone, and is told to
    reload by what it then can't load."""
    found = {each.name: each for each in (modules(), scripts(), styles(), presenting())}

    @app.get("/app-static/joined/{name}")
    async def joined(request: Request, name: str) -> Response:
        each = found.get(name)
        return each.answer(request) if each else Response("Not found", 404, media_type="text/plain")
