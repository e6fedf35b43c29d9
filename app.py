"""Composition root: settings, the shared playground, the web application."""

import argparse
import socket
import threading

from playground.errors import PlaygroundError
from playground.settings import OPTIONS, Settings, flag_of, read_settings, require_mcp, told


def read_flags() -> dict[str, str]:
    """The flags that the command line gives, by the name of their setting.

    Raises:
        SystemExit: with status 2, a flag is unknown; or after --help.
    """
    parser = argparse.ArgumentParser(
        prog="app.py",
        description="Serve the playground's page until interrupted. Each setting is chosen by its flag, "
        "else by the variable of the environment that is named with it.",
        allow_abbrev=False,
    )
    for name, option in OPTIONS.items():
        default = option.default or str(_default(name))
        parser.add_argument(
            flag_of(name),
            dest=name,
            metavar=name.rpartition("_")[2].upper(),
            help=f"{option.about} ({option.variable}; default: {default})".replace("%", "%%"),
        )
    flags = vars(parser.parse_args())
    given = {name: text for name, text in flags.items() if text is not None}
    try:
        for name, text in given.items():
            OPTIONS[name].read(text.strip(), flag_of(name))
    except PlaygroundError as error:
        parser.error(str(error))
    return given


def _default(name: str) -> object:
    value = Settings.__dataclass_fields__[name].default
    return ", ".join(value) if isinstance(value, tuple) else value


def port_of(settings: Settings, chosen: bool) -> int:
    """The port that was asked for; where none was, the first of twenty that nobody listens on.

    Raises:
        SystemExit: it is taken, in words.
    """
    for port in range(settings.port, settings.port + (1 if chosen else 20)):
        try:
            family = socket.getaddrinfo(settings.host, port, type=socket.SOCK_STREAM)[0][0]
            with socket.socket(family) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((settings.host, port))
        except (OSError, UnicodeError, OverflowError):
            continue
        return port
    raise SystemExit(
        f"playground: port {settings.port} of {settings.host} can't be used"
        f"{'' if chosen else ', nor the 19 after it'}. Choose another with --port "
        "or --host."
    )


def main() -> None:
    """Serve the page until interrupted."""
    flags = read_flags()
    try:
        settings, sources = read_settings(flags)
        require_mcp(settings)
    except PlaygroundError as error:
        raise SystemExit(f"playground: {error}") from None
    port = port_of(settings, sources["port"] != "default")
    print(f"Starting the playground with\n{told(settings, sources)}", flush=True)
    # Slow to import, so only once the first lines are out.
    from playground.constraints.compile import warm
    from playground.session import Playground
    from playground.ui.server import create_app
    from playground.ui.serving import serve

    app = create_app(Playground(settings))
    # The first compilation need not wait for its helper process.
    threading.Thread(target=warm, name="warm", daemon=True).start()
    host = "localhost" if settings.host == "0.0.0.0" else settings.host
    print(f"The playground is at http://{host}:{port}  (Ctrl-C stops it)", flush=True)
    serve(app, settings, port)


if __name__ == "__main__":
    main()
