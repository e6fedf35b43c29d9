"""What stands before Gradio: bodies bounded in size and time, limits, headers, closed routes."""

import asyncio
import json
import re
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import ExitStack
from http.cookies import CookieError, SimpleCookie
from typing import Any

from starlette.exceptions import HTTPException

from playground.record import Document, error_document
from playground.ui.inputs import failure_document
from playground.ui.limits import Limits, Refused
from playground.ui.sessions import Sessions
from playground.ui.stopping import CARD, STOPPING

MAX_BODY = 3_000_000
"""Largest request body, bytes: room for a refused megabyte of text to be refused in words."""
MAX_DISCARDED = 20_000_000
"""A larger body than MAX_BODY is read and forgotten up to here, since a client that is cut off while it
sends doesn't hear why."""
BODY_SECONDS = 20.0
"""Longest that a body may take to come in."""
CSP = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self'; base-uri 'self'; form-action 'self'; "
    "frame-ancestors 'self' https://huggingface.co https://*.hf.space"
)
HEADERS = (
    (b"content-security-policy", CSP.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
)
COOKIE = "playground_visitor"
API = "/gradio_api/"
OPEN = re.compile(
    r"(info|openapi\.json|startup-events|theme\.css|app_id|queue/(join|data|status)|cancel|reset"
    r"|heartbeat/[\w-]+|component_server|(call|run|api)/.+|mcp(/.*)?)/?"
)
"""What of Gradio's routes the page and programs use. The others are closed: uploads, files, proxies,
deep links, recordings."""
HELD = re.compile(r"(component_server|(run|api)/.+)/?")
"""Of these, those that are answered when the work is done."""
_COUNTED = re.compile(r"(component_server|queue/join|(call|run|api)/.+)/?")
_SESSION = re.compile(rb'"session_hash"\s*:\s*"([\w-]{1,64})"')
_QUERY = re.compile(rb"(?:^|&)session_hash=([\w-]{1,64})(?:&|$)")
Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class _Answered(Exception):
    """The request ends with this status and card."""

    def __init__(self, status: int, card: Document, seconds: int = 0) -> None:
        super().__init__(status)
        self.status, self.card, self.seconds = status, card, seconds


def _card(what: str, hint: str) -> Document:
    return {"what": what, "where": "", "hint": hint, "line": None, "column": None}


TOO_LARGE = _card(
    f"The request is larger than {MAX_BODY:,} bytes.",
    "Shorten the prompt, the constraint or the pasted text; nothing was changed.",
)
TOO_SLOW = _card(
    f"The request took more than {BODY_SECONDS:g} seconds to arrive.",
    "Check the connection and try again; nothing was changed.",
)
FULL = _card(
    "The server is receiving as much as it can hold.",
    "What is on screen stays. Try again in a few seconds.",
)


UNTOLD = _card(
    "The request can't be answered.", "What is on screen stays. Reload the page and try again."
)


class _Reply:
    """The way back: it adds the headers, and keeps what Gradio says of its own failures to itself."""

    def __init__(self, send: Send, cookie: bytes) -> None:
        self._send = send
        self._cookie = cookie
        self._started = False
        self.broken = False
        """The answer would be a bare 500: a card is to take its place."""

    async def __call__(self, message: Message) -> None:
        """Send a part of the answer."""
        if message["type"] == "http.response.start":
            self.broken = message["status"] == 500
            if not self.broken:
                await self._start(message)
        elif not self.broken:
            await self._send(message)

    async def end(self, answer: _Answered) -> None:
        """Send a card as the whole answer, unless another one has begun."""
        if self._started:
            return
        text = json.dumps({"detail": answer.card["what"], "error": answer.card}).encode()
        size = str(len(text)).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", size)]
        if answer.seconds:
            headers.append((b"retry-after", str(answer.seconds).encode()))
        if answer.status in (408, 413):
            headers.append((b"connection", b"close"))  # the rest of the body isn't wanted
        start = {"type": "http.response.start", "status": answer.status, "headers": headers}
        await self._start(start)
        await self._send({"type": "http.response.body", "body": text})

    async def close(self) -> None:
        """End an answer that has begun."""
        if self._started:
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _start(self, message: Message) -> None:
        self._started = True
        more = [(b"set-cookie", self._cookie)] if self._cookie else []
        message["headers"] = [*message["headers"], *HEADERS, *more]
        await self._send(message)


class Guard:
    """Pure ASGI, so that event streams aren't buffered.

    Args:
        app: what answers what is let through.
        limits: what visitors may ask for.
        sessions: what is swept while the app lives.
    """

    def __init__(self, app: App, limits: Limits, sessions: Sessions) -> None:
        self.app, self.limits, self.sessions = app, limits, sessions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request: let through with its whole body, or answered with a card."""
        if scope["type"] != "http":
            sweeping = asyncio.create_task(self.sessions.keep_sweeping())
            try:
                await self.app(scope, receive, send)
            finally:
                sweeping.cancel()
            return
        cookie = visitor_cookie(scope)
        first = not cookie and scope["path"] == "/"
        reply = _Reply(send, _set_cookie(scope) if first else b"")
        body = bytearray()
        try:
            rest = _route(scope["path"])
            if scope["method"] not in ("GET", "HEAD"):
                if STOPPING.begun:
                    raise _Answered(503, CARD, 5)
                await self._read(scope, receive, body)
            await self._forward(scope, rest, cookie, bytes(body), receive, reply)
            if reply.broken:
                await reply.end(_Answered(500, UNTOLD))
        except _Answered as answer:
            await reply.end(answer)
        except Exception as error:  # noqa: BLE001 - the outermost boundary: told and logged there
            if isinstance(error.__cause__, HTTPException):
                # Of an event stream whose session is gone: its last event has told so.
                await reply.close()
            else:
                await reply.end(_Answered(500, failure_document(error, "request")))
        finally:
            self.limits.release(len(body))

    async def _forward(
        self, scope: Scope, rest: str, cookie: str, body: bytes, receive: Receive, send: Send
    ) -> None:
        asked = scope["method"] == "POST" and _COUNTED.fullmatch(rest) is not None
        visitor = cookie or session_of(scope, body)
        given = False

        async def replayed() -> Message:
            nonlocal given
            if given or scope["method"] in ("GET", "HEAD"):
                return await receive()
            given = True
            return {"type": "http.request", "body": body, "more_body": False}

        try:
            with ExitStack() as within:
                if asked:
                    self.limits.admit(visitor)
                if asked and HELD.fullmatch(rest):
                    within.enter_context(self.limits.answering(visitor))
                if rest.startswith("queue/join"):
                    session = session_of(scope, body)
                    self.limits.bound(self.sessions.pending(session))
                    self.sessions.joined(session)
                if rest.startswith("queue/data"):
                    within.enter_context(self.sessions.listening(session_of(scope, body)))
                await self.app(scope, replayed, send)
        except Refused as refused:
            raise _Answered(429, error_document(refused), refused.seconds) from None

    async def _read(self, scope: Scope, receive: Receive, body: bytearray) -> None:
        """Fill `body`, its bytes counted as held."""
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if not declared.isdigit() or len(declared) > 12 or int(declared) > MAX_DISCARDED:
            raise _Answered(413, TOO_LARGE)
        over, discarded, more = int(declared) > MAX_BODY, 0, True
        try:
            async with asyncio.timeout(BODY_SECONDS):
                while more:
                    message = await receive()
                    if message["type"] != "http.request":
                        raise _Answered(400, TOO_SLOW)  # it hung up; nobody reads this
                    part = message.get("body", b"")
                    more = message.get("more_body", False)
                    over = over or len(body) + len(part) > MAX_BODY
                    if over:
                        discarded += len(part)
                        if discarded > MAX_DISCARDED:
                            break
                    elif not self.limits.receive(len(part)):
                        raise _Answered(503, FULL, 3)
                    else:
                        body += part
            if over:
                raise _Answered(413, TOO_LARGE)
        except TimeoutError:
            raise _Answered(408, TOO_SLOW) from None


def _route(path: str) -> str:
    """What follows API in a path; empty elsewhere."""
    at = path.find(API.rstrip("/"))
    if at < 0:
        return ""
    rest = path[at + len(API) :]
    if not OPEN.fullmatch(rest):
        what = "Uploads are off." if rest.startswith("upload") else "This address isn't served."
        raise _Answered(
            404, _card(what, "Use the page at /, or the endpoints in /gradio_api/info.")
        )
    return rest


def visitor_cookie(scope: Scope) -> str:
    """The visitor's cookie, if it is one of ours; else empty."""
    for name, value in scope["headers"]:
        if name == b"cookie":
            try:
                morsel = SimpleCookie(value.decode("latin-1")).get(COOKIE)
            except CookieError:
                continue
            if morsel is not None and re.fullmatch(r"[\w-]{22}", morsel.value, re.ASCII):
                return str(morsel.value)
    return ""


def _set_cookie(scope: Scope) -> bytes:
    headers = dict(scope["headers"])
    outside = headers.get(b"x-forwarded-proto", b"").split(b",")[0].strip()
    secure = "; Secure" if b"https" in (outside, scope.get("scheme", "").encode()) else ""
    return f"{COOKIE}={secrets.token_urlsafe(16)}; Path=/; HttpOnly; SameSite=Lax{secure}".encode()


def session_of(scope: Scope, body: bytes) -> str:
    """Gradio's session hash in a request, of its address or its body; empty where there is none.
    Inside a visitor's text each quote has a backslash before it, so that none is found there."""
    found = _QUERY.search(scope["query_string"]) or _SESSION.search(body)
    return found[1].decode() if found else ""
