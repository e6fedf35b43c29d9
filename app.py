"""Composition root: settings, the shared playground, the web application."""

import argparse
import os
import socket
import threading

from playground.errors import PlaygroundError
from playground.settings import Settings


def read_flags() -> None:
    """Put the host and the port that the command line names into the environment, over what stands
    there.

    Raises:
        SystemExit: with status 2, a flag is unknown or its value can't be one; or after --help.
    """
    parser = argparse.ArgumentParser(
        prog="app.py",
        description="Serve the playground's page until interrupted.",
        allow_abbrev=False,
    )
    parser.add_argument("--host", help="address to listen on (default: HOST, else 127.0.0.1)")
    parser.add_argument(
        "--port",
        type=port_number,
        help="port to listen on (default: PORT, else the first free one from 7860)",
    )
    flags = parser.parse_args()
    for name, value in (("HOST", flags.host), ("PORT", flags.port)):
        if value is not None:
            os.environ[name] = str(value)


def port_number(text: str) -> int:
    """A port.

    Raises:
        ArgumentTypeError: it is no whole number from 1 to 65535.
    """
    if not text.isdecimal() or len(text) > 5 or not 1 <= int(text) <= 65_535:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no whole number from 1 to 65535")
    return int(text)


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
        f"{'' if chosen else ', nor the 19 after it'}. Choose another with --port "
        "or --host."
    )


def main() -> None:
    """Serve the page until interrupted."""
    read_flags()
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
