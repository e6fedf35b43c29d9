"""Composition root: settings, the shared playground, the web application."""

import os
import socket
import threading

from playground.errors import PlaygroundError
from playground.settings import Settings


def port_of(settings: Settings) -> int:
    """The port that was asked for; where none was, the first of twenty that nobody listens on.

    Raises:
        SystemExit: it is taken, in words.
    """
    chosen = bool(os.environ.get("PORT"))
    for port in range(settings.port, settings.port + (1 if chosen else 20)):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((settings.host, port))
            except OSError:
                continue
            return port
    raise SystemExit(
        f"playground: port {settings.port} of {settings.host} can't be used"
        f"{'' if chosen else ', nor the 19 after it'}. Set PORT to a free one."
    )


def main() -> None:
    """Serve the page until interrupted."""
    try:
        settings = Settings.from_env()
    except PlaygroundError as error:
        raise SystemExit(f"playground: {error}") from None
    port = port_of(settings)
    print("Starting the playground ...", flush=True)
    # Slow to import, so only once the first line is out.
    import uvicorn

    from playground.constraints.compile import warm
    from playground.session import Playground
    from playground.ui.server import create_app

    app = create_app(Playground(settings))
    # The first compilation need not wait for its helper process.
    threading.Thread(target=warm, name="warm", daemon=True).start()
    host = "localhost" if settings.host == "0.0.0.0" else settings.host
    print(f"The playground is at http://{host}:{port}  (Ctrl-C stops it)", flush=True)
    uvicorn.run(app, host=settings.host, port=port, log_level="warning")


if __name__ == "__main__":
    main()
