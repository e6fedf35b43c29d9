"""What the machine and its operator decide: read once, at start-up, from flags and the environment."""

import dataclasses
import importlib.util
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from playground.errors import InvalidInput

DEFAULT_MODEL = "smollm2"
SERVER_PREFIX = "server:"
"""Before the id of a model that is asked through PLAYGROUND_SERVER."""
_HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}", re.ASCII)
Read = Callable[[str, str], Any]
"""The value that a text spells, from it and the name to blame: `--port` or `PORT`."""


class Option(NamedTuple):
    """How a setting is chosen: by `flag`, else by the environment's `variable`, else its default."""

    variable: str
    read: Read
    about: str
    """One line of help."""
    default: str = ""
    """The default in words, where its value alone doesn't tell."""
    secret: bool = False
    """It is never printed."""


def _option(default: Any, option: Option) -> Any:
    made = {"default_factory": default} if callable(default) else {"default": default}
    return field(repr=not option.secret, metadata={"option": option}, **made)


def _cache_dir() -> Path:
    chosen = os.environ.get("PLAYGROUND_CACHE")  # also for a process that reads no settings
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "constrained-decoding-playground"


def _text(text: str, name: str) -> str:
    return text


def _number(least: int = 1, most: int = 2**31) -> Read:
    """Reads a whole number in a range."""

    def read(text: str, name: str) -> int:
        if not text.isdecimal() or not least <= int(text[:20]) <= most:
            raise InvalidInput(
                f"{name} is {text[:40]!r}.",
                f"Set it to a whole number from {least} to {most}.",
            )
        return int(text)

    return read


def _switch(text: str, name: str) -> bool:
    """On or off."""
    value = {"1": True, "on": True, "true": True, "0": False, "off": False, "false": False}.get(
        text.lower()
    )
    if value is None:
        raise InvalidInput(f"{name} is {text[:40]!r}.", "Set it to on or off.")
    return value


def _models(text: str, name: str) -> tuple[str, ...]:
    """The operator's list, each name of it one that could be a model's: nothing is looked up."""
    models = tuple(dict.fromkeys(model.strip() for model in text.split(",") if model.strip()))
    for model in models:
        if model.startswith("toy:"):
            raise InvalidInput(
                f"{name} names {model[:80]!r}.", "Leave it out: the toys are always offered."
            )
        served = model.startswith(SERVER_PREFIX) and model != SERVER_PREFIX
        known = model == DEFAULT_MODEL or served or _HUB_ID.fullmatch(model) is not None
        if not known and not _is_folder(model):
            raise InvalidInput(
                f"{name} names {model[:80]!r}, which is no model.",
                f"Use {DEFAULT_MODEL}, the path of a folder on this machine, a hub id of the form "
                f"owner/name, or {SERVER_PREFIX}ID for a model of PLAYGROUND_SERVER.",
            )
    return models


def _is_folder(name: str) -> bool:
    try:
        return Path(name).expanduser().is_dir()
    except (OSError, ValueError, RuntimeError):  # too long, a NUL byte, no such user
        return False


def _folder(text: str, name: str) -> Path:
    return Path(text)


def _server(text: str, name: str) -> str:
    """The address of the operator's model server, without a slash at its end."""
    try:
        parts = urlsplit(text)
        plain = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        plain = plain and not (parts.username or parts.query or parts.fragment)
    except ValueError:
        plain = False
    if not plain or not text.isascii() or not text.isprintable() or " " in text:
        raise InvalidInput(
            f"{name} is no address of a server.",
            "Set it to one like http://localhost:8000/v1; a key goes into PLAYGROUND_SERVER_KEY.",
        )
    return text.rstrip("/")


def _threads() -> int:
    return max(1, (os.cpu_count() or 2) - 1)


def _host() -> str:
    # A hosted Space is reached from outside its container; a laptop should not be.
    return "0.0.0.0" if "SPACE_ID" in os.environ else "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of one process. This list is the only one: the flags of `app.py`, the variables of the
    environment, the help and the table at the start come from it."""

    host: str = _option(
        _host,
        Option("HOST", _text, "address to listen on", "127.0.0.1; 0.0.0.0 on a Space"),
    )
    port: int = _option(
        7860,
        Option(
            "PORT", _number(most=65_535), "port to listen on", "7860, or the first free one after"
        ),
    )
    models: tuple[str, ...] = _option(
        (DEFAULT_MODEL,),
        Option(
            "PLAYGROUND_MODELS",
            _models,
            "models that a visitor may choose besides the toys, by commas",
        ),
    )
    cache: Path = _option(  # noqa: RUF009 - a factory, called for each
        _cache_dir,
        Option(
            "PLAYGROUND_CACHE",
            _folder,
            "folder for converted weights, compiled constraints and studies, of this user alone",
            "in the user's cache folder",
        ),
    )
    cache_mb: int = _option(
        512,
        Option("PLAYGROUND_CACHE_MB", _number(), "most MB of compiled constraints kept on disk"),
    )
    rows_mb: int = _option(
        1024,
        Option(
            "PLAYGROUND_ROWS_MB",
            _number(least=16),
            "most MB of a model's logits, keys and values kept",
        ),
    )
    threads: int = _option(
        _threads,
        Option("PLAYGROUND_THREADS", _number(most=1024), "torch threads", "cores minus one"),
    )
    compile_seconds: float = _option(
        20,
        Option("PLAYGROUND_COMPILE_SECONDS", _number(most=3600), "longest compilation, seconds"),
    )
    compile_mb: int = _option(
        2048,
        Option("PLAYGROUND_COMPILE_MB", _number(least=256), "address space of one compilation, MB"),
    )
    visitor_rate: int = _option(
        20,
        Option(
            "PLAYGROUND_VISITOR_RATE",
            _number(most=10_000),
            "requests a second of one visitor, over time; five seconds' worth may come at once",
        ),
    )
    visitor_requests: int = _option(
        16,
        Option(
            "PLAYGROUND_VISITOR_REQUESTS",
            _number(most=10_000),
            "requests of one visitor that are answered at one time",
        ),
    )
    requests: int = _option(
        200,
        Option(
            "PLAYGROUND_REQUESTS",
            _number(least=8, most=2_000),
            "requests of all visitors that are answered at one time",
        ),
    )
    sessions: int = _option(
        200,
        Option(
            "PLAYGROUND_SESSIONS",
            _number(most=10_000),
            "pages whose state the server keeps; the longest unused goes first, and nothing is lost",
        ),
    )
    mcp: bool = _option(
        False,
        Option(
            "PLAYGROUND_MCP",
            _switch,
            "on: the endpoints for programs are tools of an MCP server too (needs requirements-mcp.txt)",
            "off",
        ),
    )
    server: str = _option(
        "",
        Option(
            "PLAYGROUND_SERVER",
            _server,
            "an OpenAI-compatible server, up to and with /v1",
            "none",
        ),
    )
    server_key: str = _option(
        "",
        Option(
            "PLAYGROUND_SERVER_KEY",
            _text,
            "its bearer token; others on this machine can read a flag, so rather the variable",
            "none",
            secret=True,
        ),
    )
    server_requests: int = _option(
        1,
        Option(
            "PLAYGROUND_SERVER_REQUESTS",
            _number(most=64),
            "requests to it at one time; beyond 1 some servers answer a seed differently each time",
        ),
    )

    @classmethod
    def from_env(cls) -> "Settings":
        """The settings of this environment, as `read_settings` without flags."""
        return read_settings({})[0]


OPTIONS: Mapping[str, Option] = {
    each.name: each.metadata["option"] for each in dataclasses.fields(Settings)
}
"""Every setting, by its name."""


def flag_of(name: str) -> str:
    """The flag of a setting: `--cache-mb` of `cache_mb`."""
    return f"--{name.replace('_', '-')}"


def read_settings(flags: Mapping[str, str]) -> tuple[Settings, dict[str, str]]:
    """The settings, and where each comes from: its flag, its variable, or `default`.

    Args:
        flags: by the name of the setting, the texts of those that were given. One wins over the
            environment, which is then not read; an empty variable counts as none.

    Raises:
        InvalidInput: a text spells no value of its setting; it is named by its flag or variable.
    """
    values: dict[str, Any] = {}
    sources = dict.fromkeys(OPTIONS, "default")
    for name, option in OPTIONS.items():
        text, source = flags.get(name), flag_of(name)
        if text is None:
            text, source = os.environ.get(option.variable, "").strip(), option.variable
            # An operator who wants no model at all sets an empty list.
            empty = name == "models" and option.variable in os.environ
            if not text and not empty:
                continue
        values[name] = option.read(text.strip(), source)
        sources[name] = source
    return Settings(**values), sources


def require_mcp(settings: Settings) -> None:
    """
    Raises:
        InvalidInput: the MCP server is on, but its package isn't installed; Gradio would say nothing.
    """
    if settings.mcp and importlib.util.find_spec("mcp") is None:
        raise InvalidInput(
            "The MCP server is on, but its package is not installed.",
            "Install it with pip install -r requirements-mcp.txt, or leave --mcp out.",
            flag_of("mcp"),
        )


def told(settings: Settings, sources: Mapping[str, str]) -> str:
    """The settings as a table of three columns: name, value, where it comes from. No secret is in it."""
    rows = []
    for name, option in OPTIONS.items():
        value = getattr(settings, name)
        text = ", ".join(value) if isinstance(value, tuple) else str(value)
        text = ("off", "on")[value] if isinstance(value, bool) else text
        text = ("set" if value else "none") if option.secret else text or "none"
        rows.append((name, text, sources[name]))
    first, second = (max(len(row[at]) for row in rows) for at in (0, 1))
    return "\n".join(f"  {name:{first}}  {text:{second}}  {source}" for name, text, source in rows)
