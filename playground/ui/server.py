"""The web server around Gradio: static files, health, size limits and security headers."""

import gzip
import importlib.util
from collections.abc import Awaitable, Callable, MutableMapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import gradio as gr
from fastapi import FastAPI
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles

from playground.session import Playground
from playground.ui.frame import build
from playground.ui.theme import theme
from playground.views.export import standalone_template

STATIC = Path(__file__).parents[2] / "static"
MAX_BODY = 3_000_000
"""Largest request body, bytes: room for a refused megabyte of text to be refused in words."""
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
TOO_LARGE = {
    "what": f"The request is larger than {MAX_BODY:,} bytes.",
    "where": "",
    "hint": "Shorten the prompt, the constraint or the pasted text; nothing was changed.",
    "line": None,
    "column": None,
}
Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class TooLarge(Exception):
    """A body grew past MAX_BODY."""


class Guard:
    """Pure ASGI, so that event streams aren't buffered: no uploads, bounded bodies, headers."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if "/gradio_api/upload" in scope["path"]:
            await JSONResponse({"detail": "uploads are off"}, 404)(scope, receive, send)
            return
        refused = JSONResponse({"detail": TOO_LARGE["what"], "error": TOO_LARGE}, 413)
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if not declared.isdigit() or int(declared) > MAX_BODY:
            await refused(scope, receive, send)
            return
        seen, started = 0, False

        async def bounded() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > MAX_BODY:
                raise TooLarge
            return message

        async def with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message["headers"] = [*message["headers"], *HEADERS]
            await send(message)

        try:
            await self.app(scope, bounded, with_headers)
        except TooLarge:
            if not started:
                await refused(scope, receive, send)


class Revalidated(StaticFiles):
    """Static files that a browser keeps but always asks about, so an update is seen at once."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        """The file, with `cache-control: no-cache`."""
        response = super().file_response(*args, **kwargs)
        response.headers["cache-control"] = "no-cache"
        return response


@lru_cache(maxsize=1)
def plotly_script() -> bytes:
    """plotly.js from the installed plotly package, compressed once."""
    spec = importlib.util.find_spec("plotly")
    if spec is None or spec.origin is None:
        raise RuntimeError("plotly is not installed")
    script = Path(spec.origin).parent / "package_data" / "plotly.min.js"
    return gzip.compress(script.read_bytes(), 6)


def create_app(playground: Playground) -> FastAPI:
    """The whole web application: Gradio at `/`, static files, health."""

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)

    @app.get("/healthz")
    def healthz() -> dict[str, str]:
        return {"status": "ok"}

    @app.get("/readyz")
    def readyz() -> JSONResponse:
        models = {name: playground.hub.status(name).state for name in playground.settings.models}
        ready = all(state == "ready" for state in models.values())
        return JSONResponse({"ready": ready, "models": models}, 200 if ready else 503)

    @app.get("/app-static/plotly.min.js")
    def plotly() -> Response:
        return Response(
            plotly_script(),
            media_type="text/javascript",
            headers={"content-encoding": "gzip", "cache-control": "public, max-age=86400"},
        )

    @app.get("/app-static/standalone.html")
    def standalone() -> Response:
        return Response(standalone_template(STATIC), media_type="text/html")

    app.mount("/app-static", Revalidated(directory=STATIC))
    app.add_middleware(Guard)
    mounted: FastAPI = gr.mount_gradio_app(
        app,
        build(playground),
        path="/",
        theme=theme(),
        head="".join(
            f'<link rel="stylesheet" href="/app-static/{name}.css">'
            for name in (
                "shell",
                "stage",
                "panels",
                "compare",
                "squeezing",
                "schema",
                "levels",
                "study",
                "decisions",
            )
        )
        + '<link rel="icon" href="/app-static/icon.svg" type="image/svg+xml">'
        + "".join(
            f'<script src="/app-static/{name}.js" defer></script>' for name in ("shell", "rail")
        ),
        show_error=False,
        run_history=False,
        enable_monitoring=False,
        max_file_size="1mb",
        footer_links=[],
        ssr_mode=False,
        app_kwargs={"docs_url": None, "redoc_url": None, "openapi_url": None},
    )
    return mounted
