"""From a model's name to a local folder: the wheel's SmolLM2, a folder, or a hub repository."""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playground.errors import ModelUnavailable
from playground.models.gguf import converted, find_gguf
from playground.settings import Settings

DEFAULT = "smollm2"
DEFAULT_ON_HUB = "HuggingFaceTB/SmolLM2-135M-Instruct"
_HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]{0,95}(/[A-Za-z0-9][\w.-]{0,95})?")
_WANTED = ["*.json", "*.safetensors", "*.model", "*.txt", "*.jinja"]
_TOKENIZER = ["*.json", "*.model", "*.txt", "*.jinja"]
_UNWANTED = ["*/*", "consolidated*"]
_LONGEST_NAME = 500
_SAMPLES = 64
_SAMPLE_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Source:
    """Where a model's files are."""

    folder: Path
    name: str
    """For its provenance."""
    revision: str
    """12 hex digits: of the GGUF's SHA-256, the hub's commit, or the folder's contents."""


def locate(
    name: str, settings: Settings, choices: tuple[str, ...], report: Callable[[str, float], None]
) -> Source:
    """The folder of model `name`, fetched or converted if need be.

    Raises:
        ModelUnavailable: not found, no safetensors, or no network; says what to do.
    """
    if name == DEFAULT:
        return _default(settings, choices, report)
    path = Path(name).expanduser() if len(name) <= _LONGEST_NAME else None
    if path is not None and path.is_dir():
        _require_safetensors(path, name)
        report("reading the folder", 0.1)
        return Source(path.resolve(), path.resolve().name, folder_hash(path))
    if not _HUB_ID.fullmatch(name):
        raise _unknown(name, choices, "it is no folder here and can't be a hub id")
    folder = _from_hub(name, choices, report)
    _require_safetensors(folder, name)
    return Source(folder, name, folder.name[:12])


def _default(
    settings: Settings, choices: tuple[str, ...], report: Callable[[str, float], None]
) -> Source:
    """SmolLM2 from its wheel; where that isn't installed, as on a hosted Space that only knows
    requirements.txt, the same model from the hub."""
    try:
        file = find_gguf()
    except ModelUnavailable as missing:
        try:
            folder = _from_hub(DEFAULT_ON_HUB, choices, report)
        except ModelUnavailable:
            raise missing from None
        return Source(folder, DEFAULT, folder.name[:12])
    folder, digest = converted(file, settings.cache, report)
    return Source(folder, DEFAULT, digest[:12])


def tokenizer_folder(name: str, choices: tuple[str, ...]) -> Path:
    """The folder with the tokenizer of model `name`; from the hub no weights are fetched.

    Raises:
        ModelUnavailable: not found, or no network; says what to do.
    """
    path = Path(name).expanduser() if len(name) <= _LONGEST_NAME else None
    if path is not None and path.is_dir():
        return path.resolve()
    repository = DEFAULT_ON_HUB if name == DEFAULT else name
    if not _HUB_ID.fullmatch(repository):
        raise _unknown(name, choices, "it is no folder here and can't be a hub id")
    return _from_hub(repository, choices, lambda _stage, _done: None, _TOKENIZER)


def folder_hash(folder: Path) -> str:
    """12 hex digits of the files' names, sizes and contents; of a file above 256 KiB, of 64 samples
    of 4 KiB spread over it, so that gigabytes of weights cost milliseconds."""
    digest = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if not path.is_file() or path.suffix not in {".json", ".safetensors", ".model", ".jinja"}:
            continue
        size = path.stat().st_size
        digest.update(f"{path.name}\n{size}\n".encode())
        with path.open("rb") as file:
            if size <= _SAMPLES * _SAMPLE_BYTES:
                digest.update(file.read())
                continue
            for sample in range(_SAMPLES):
                file.seek(sample * (size - _SAMPLE_BYTES) // (_SAMPLES - 1))
                digest.update(file.read(_SAMPLE_BYTES))
    return digest.hexdigest()[:12]


def _from_hub(
    name: str,
    choices: tuple[str, ...],
    report: Callable[[str, float], None],
    wanted: list[str] = _WANTED,
) -> Path:
    """The snapshot of a hub repository: its safetensors and tokenizer, none of its code."""
    from huggingface_hub import constants, snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError
    from huggingface_hub.utils.tqdm import disable_progress_bars

    offline = bool(constants.HF_HUB_OFFLINE)
    report("looking in the hub's cache" if offline else "fetching from the hub", 0.05)
    disable_progress_bars()
    try:
        return Path(
            snapshot_download(
                name,
                allow_patterns=wanted,
                ignore_patterns=_UNWANTED,
                local_files_only=offline,
            )
        )
    except LocalEntryNotFoundError as error:
        why = (
            "it isn't in the hub's cache here and HF_HUB_OFFLINE is set"
            if offline
            else "it isn't in the hub's cache here and the hub can't be reached"
        )
        raise _unknown(name, choices, why) from error
    except (HfHubHTTPError, HFValidationError, OSError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else repr(error)
        raise _unknown(name, choices, f"the hub says: {reason}") from error


def _require_safetensors(folder: Path, name: str) -> None:
    if not any(folder.glob("*.safetensors")):
        raise ModelUnavailable(
            f"The model {name!r} has no safetensors weights.",
            hint="Only safetensors are read, as other formats can run code; convert it with "
            "save_pretrained.",
            where=str(folder),
        )


def _unknown(name: str, choices: tuple[str, ...], why: str) -> ModelUnavailable:
    short = name if len(name) <= 80 else name[:80] + "…"
    return ModelUnavailable(
        f"There is no model {short!r}: {why}.",
        hint=f"Choose one of {', '.join(choices)}; a folder with safetensors; or a hub id.",
    )
