"""What the machine and its operator decide: read from the environment once, at start-up."""

import os
from dataclasses import dataclass, field
from pathlib import Path


def _cache_dir() -> Path:
    chosen = os.environ.get("PLAYGROUND_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "constrained-decoding-playground"


def _threads() -> int:
    chosen = os.environ.get("PLAYGROUND_THREADS")
    return int(chosen) if chosen else max(1, (os.cpu_count() or 2) - 1)


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of one process; every field has an environment variable PLAYGROUND_<NAME>."""

    models: tuple[str, ...] = ("smollm2",)
    """Names that a visitor may choose besides the toys: the operator's list (comma separated)."""
    cache: Path = field(default_factory=_cache_dir)
    """Folder for converted weights and compiled constraints; made with mode 0700."""
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

    @classmethod
    def from_env(cls) -> "Settings":
        """The settings of this environment.

        Raises:
            ValueError: a variable that must be a number isn't.
        """
        env = os.environ
        models = env.get("PLAYGROUND_MODELS", "smollm2")
        return cls(
            models=tuple(name.strip() for name in models.split(",") if name.strip()),
            cache_mb=int(env.get("PLAYGROUND_CACHE_MB", "512")),
            rows_mb=int(env.get("PLAYGROUND_ROWS_MB", "1024")),
            host=env.get("HOST", env.get("GRADIO_SERVER_NAME", "127.0.0.1")),
            port=int(env.get("PORT", env.get("GRADIO_SERVER_PORT", "7860"))),
            compile_seconds=float(env.get("PLAYGROUND_COMPILE_SECONDS", "20")),
            compile_mb=int(env.get("PLAYGROUND_COMPILE_MB", "2048")),
        )
