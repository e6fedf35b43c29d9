"""What the machine and its operator decide: read from the environment once, at start-up."""

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from playground.errors import InvalidInput

DEFAULT_MODEL = "smollm2"
SERVER_PREFIX = "server:"
"""Before the id of a model that is asked through PLAYGROUND_SERVER."""
_HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}", re.ASCII)


def _cache_dir() -> Path:
    chosen = os.environ.get("PLAYGROUND_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "constrained-decoding-playground"


def _number(name: str, default: int, least: int = 1, most: int = 2**31) -> int:
    """A whole number from the environment.

    Raises:
        InvalidInput: it isn't one, or out of range.
    """
    text = os.environ.get(name, "").strip()
    if not text:
        return default
    if not text.isdecimal() or not least <= int(text[:20]) <= most:
        raise InvalidInput(
            f"{name} is {text[:40]!r}.", f"Set it to a whole number from {least} to {most}.", name
        )
    return int(text)


def _models() -> tuple[str, ...]:
    """The operator's list, each name of it one that could be a model's: nothing is looked up.

    Raises:
        InvalidInput: one can't be, or is a toy's.
    """
    text = os.environ.get("PLAYGROUND_MODELS", DEFAULT_MODEL)
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    for name in names:
        if name.startswith("toy:"):
            raise InvalidInput(
                f"PLAYGROUND_MODELS names {name[:80]!r}.",
                "Leave it out: the toys are always offered.",
                "PLAYGROUND_MODELS",
            )
        served = name.startswith(SERVER_PREFIX) and name != SERVER_PREFIX
        known = name == DEFAULT_MODEL or served or _HUB_ID.fullmatch(name) is not None
        if not known and not _is_folder(name):
            raise InvalidInput(
                f"PLAYGROUND_MODELS names {name[:80]!r}, which is no model.",
                f"Use {DEFAULT_MODEL}, the path of a folder on this machine, a hub id of the form "
                f"owner/name, or {SERVER_PREFIX}ID for a model of PLAYGROUND_SERVER.",
                "PLAYGROUND_MODELS",
            )
    return names


def _is_folder(name: str) -> bool:
    try:
        return Path(name).expanduser().is_dir()
    except (OSError, ValueError, RuntimeError):  # too long, a NUL byte, no such user
        return False


def _server() -> str:
    """The address of the operator's model server, without a slash at its end; empty for none.

    Raises:
        InvalidInput: it is no http address.
    """
    text = os.environ.get("PLAYGROUND_SERVER", "").strip()
    if not text:
        return ""
    try:
        parts = urlsplit(text)
        plain = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        plain = plain and not (parts.username or parts.query or parts.fragment)
    except ValueError:
        plain = False
    if not plain or not text.isascii() or not text.isprintable() or " " in text:
        raise InvalidInput(
            "PLAYGROUND_SERVER is no address of a server.",
            "Set it to one like http://localhost:8000/v1; a key goes into PLAYGROUND_SERVER_KEY.",
            "PLAYGROUND_SERVER",
        )
    return text.rstrip("/")


def _threads() -> int:
    return _number("PLAYGROUND_THREADS", max(1, (os.cpu_count() or 2) - 1), most=1024)


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of one process; every field has an environment variable PLAYGROUND_<NAME>."""

    models: tuple[str, ...] = (DEFAULT_MODEL,)
    """Names that a visitor may choose besides the toys: the operator's list (comma separated)."""
    cache: Path = field(default_factory=_cache_dir)
    """Folder for converted weights, compiled constraints, and what the model has read of the built-in
    texts; made with mode 0700."""
    cache_mb: int = 512
    """Size cap of the compiled constraints on disk, MB."""
    rows_mb: int = 1024
    """Budget of the row store (logits, keys and values), MB."""
    threads: int = field(default_factory=_threads)
    """Torch threads; cores minus one unless set."""
    host: str = "127.0.0.1"
    port: int = 7860
    compile_seconds: float = 20.0
    """Wall-clock limit of one compilation, seconds."""
    compile_mb: int = 2048
    """Address-space limit of one compilation, MB."""
    server: str = ""
    """Address of an OpenAI-compatible server, up to and with `/v1`; empty: none."""
    server_key: str = field(default="", repr=False)
    """Sent to it as a bearer token."""
    server_requests: int = 1
    """Requests to it at a time. With more than one a server that seeds its whole process, rather than
    each request, gives other answers at each run."""

    @classmethod
    def from_env(cls) -> "Settings":
        """The settings of this environment.

        Raises:
            InvalidInput: a variable that must be a number isn't, or is out of range; a name in
                PLAYGROUND_MODELS can't be a model's; or PLAYGROUND_SERVER is no address.
        """
        env = os.environ
        # A hosted Space is reached from outside its container; a laptop should not be.
        host = "0.0.0.0" if "SPACE_ID" in env else "127.0.0.1"
        return cls(
            models=_models(),
            cache_mb=_number("PLAYGROUND_CACHE_MB", 512),
            rows_mb=_number("PLAYGROUND_ROWS_MB", 1024, least=16),
            host=env.get("HOST") or host,
            port=_number("PORT", 7860, most=65_535),
            compile_seconds=_number("PLAYGROUND_COMPILE_SECONDS", 20, most=3600),
            compile_mb=_number("PLAYGROUND_COMPILE_MB", 2048, least=256),
            server=_server(),
            server_key=env.get("PLAYGROUND_SERVER_KEY", "").strip(),
            server_requests=_number("PLAYGROUND_SERVER_REQUESTS", 1, most=64),
        )
