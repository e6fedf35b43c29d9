"""Composition root: settings, the shared playground, the web application."""

import socket
import threading

from playground.errors import PlaygroundError
from playground.settings import Settings


def free_port(host: str, first: int) -> int:
    """`first`, or the next of twenty ports that nobody listens on."""
    for port in range(first, first + 20):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if probe.connect_ex((host if host != "0.0.0.0" else "127.0.0.1", port)):
                return port
    raise SystemExit(f"Ports {first} to {first + 19} are all in use; set PORT.")


def main() -> None:
    """Serve the page until interrupted."""
    try:
        settings = Settings.from_env()
    except PlaygroundError as error:
        raise SystemExit(f"playground: {error}") from None
    port = free_port(settings.host, settings.port)
    print("Starting the playground ...", flush=True)
    # Slow to import, so only once the first line is out.
    import uvicorn

    from playground.constraints.compile import warm
    from playground.session import Playground
    from playground.ui.server import create_app

    app = create_app(Playground(settings))
    # The first compilation need not wait for its helper process.
    threading.Thread(target=warm, name="warm", daemon=True).start()
    print(f"The playground is at http://{settings.host}:{port}  (Ctrl-C stops it)", flush=True)
    uvicorn.run(app, host=settings.host, port=port, log_level="warning")


if __name__ == "__main__":
    main()
