"""The web application around Gradio: static files, health, and the guard before it all."""

import gzip
import importlib.util
from functools import lru_cache
from pathlib import Path
from typing import Any

import gradio as gr
from fastapi import FastAPI
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles

from playground.session import Playground
from playground.ui.frame import build
from playground.ui.guard import Guard
from playground.ui.joined import STATIC, Early, head, joined_routes
from playground.ui.lessons import lesson_routes
from playground.ui.limits import Limits
from playground.ui.sessions import Sessions
from playground.ui.stopping import STOPPING
from playground.ui.theme import theme
from playground.views.export import standalone_template


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
    settings = playground.settings
    limits = Limits(settings.visitor_rate, settings.visitor_requests, settings.requests)
    demo = build(playground)
    # A request may wait in its thread for a place to compile in: it must not keep others' out.
    demo.max_threads = settings.requests + 40
    demo.state_session_capacity = settings.sessions
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)

    @app.get("/healthz")
    async def healthz() -> dict[str, str]:
        return {"status": "ok"}

    @app.get("/readyz")
    async def readyz() -> JSONResponse:
        # The toys, the lessons and every recording need no model, and one loads when it is first
        # chosen: none of them keeps visitors away.
        models = {name: playground.hub.status(name).state for name in settings.models}
        ready = not STOPPING.begun
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

    lesson_routes(app, playground)
    joined_routes(app)
    app.mount("/app-static", Revalidated(directory=STATIC))
    app.add_middleware(Early)
    app.add_middleware(Guard, limits=limits, sessions=Sessions(demo))
    mounted: FastAPI = gr.mount_gradio_app(
        app,
        demo,
        path="/",
        theme=theme(),
        head=head(),
        show_error=False,
        run_history=False,
        enable_monitoring=False,
        mcp_server=settings.mcp,
        max_file_size="1mb",
        footer_links=[],
        ssr_mode=False,
        app_kwargs={"docs_url": None, "redoc_url": None, "openapi_url": None},
    )
    return mounted
