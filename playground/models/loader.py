"""The models of one process: loaded when first asked for, once, in the background if wanted."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Literal

from playground.errors import ModelUnavailable, PlaygroundError
from playground.models.base import LanguageModel
from playground.models.server import answers_only, is_served
from playground.models.source import locate
from playground.models.toy import TOYS, ToyModel, ToySpec
from playground.settings import Settings

TOY_PREFIX = "toy:"
_EDITED_TOYS = 256


@dataclass(frozen=True, slots=True)
class LoadStatus:
    """How far a model has come."""

    state: Literal["absent", "loading", "ready", "failed"]
    stage: str = ""
    """What is being done, in words."""
    done: float = 0.0
    """0 to 1, roughly in proportion to the time."""
    error: PlaygroundError | None = None


@dataclass(eq=False, slots=True)
class _Load:
    """One attempt at loading, shared by all who wait for it."""

    stage: str = "waiting to start"
    done: float = 0.0
    result: Future[LanguageModel] = field(default_factory=Future)


class ModelHub:
    """Every model that was asked for. Safe to share between threads."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._loads: dict[str, _Load] = {}
        self._edited: OrderedDict[tuple[str, str], ToyModel] = OrderedDict()
        self._toys = {TOY_PREFIX + name: ToyModel(spec) for name, spec in TOYS.items()}

    def names(self) -> tuple[str, ...]:
        """What a visitor may choose: the toys, then the operator's list."""
        return (*self._toys, *self._settings.models)

    def require(self, name: str, where: str = "model") -> None:
        """
        Raises:
            ModelUnavailable: `name` is none of `names`; `where` is its place in what was asked.
        """
        if name not in self.names():
            raise ModelUnavailable(
                f"The model {name[:80]!r} can't be chosen here.",
                f"Choose one of {', '.join(self.names())}.",
                where,
            )

    def get(self, name: str) -> LanguageModel:
        """The model called `name`: one of `names`, a local folder, or a hub id. Loads it now if
        need be; callers who ask at the same time wait for the same load.

        Raises:
            ModelUnavailable: it can't be found or loaded; the next call tries again.
        """
        toy = self._toys.get(name)
        if toy is not None:
            return toy
        if name.startswith(TOY_PREFIX):
            raise ModelUnavailable(
                f"There is no toy called {name.removeprefix(TOY_PREFIX)[:80]!r}.",
                hint=f"Choose one of {', '.join(self.names())}.",
            )
        load, ours = self._join(name)
        if ours:
            self._run(name, load)
        return load.result.result()

    def start(self, name: str) -> None:
        """Load `name` in the background; nothing to do if it is loaded or loading."""
        if name.startswith(TOY_PREFIX):
            return
        load, ours = self._join(name)
        if ours:
            threading.Thread(
                target=self._run, args=(name, load), name=f"load {name}", daemon=True
            ).start()

    def status(self, name: str) -> LoadStatus:
        """Where the loading of `name` stands, without waiting; a failure stays until it is tried
        again."""
        if name in self._toys:
            return LoadStatus("ready", "ready", 1.0)
        with self._lock:
            load = self._loads.get(name)
        if load is None:
            return LoadStatus("absent")
        if not load.result.done():
            return LoadStatus("loading", load.stage, load.done)
        error = load.result.exception()
        if error is None:
            return LoadStatus("ready", "ready", 1.0)
        told = error if isinstance(error, PlaygroundError) else ModelUnavailable(repr(error))
        return LoadStatus("failed", load.stage, load.done, told)

    def toy(self, spec: ToySpec) -> ToyModel:
        """The model of an edited toy; equal tables of the same name give the same object."""
        key = (spec.name, spec.revision)
        with self._lock:
            model = self._edited.get(key) or ToyModel(spec)
            self._edited[key] = model
            self._edited.move_to_end(key)
            while len(self._edited) > _EDITED_TOYS:
                self._edited.popitem(last=False)
            return model

    def _join(self, name: str) -> tuple[_Load, bool]:
        """The load of `name`, and whether the caller is the one to run it."""
        with self._lock:
            load = self._loads.get(name)
            if load is not None and not (load.result.done() and load.result.exception()):
                return load, False
            load = self._loads[name] = _Load()
            return load, True

    def _run(self, name: str, load: _Load) -> None:
        def report(stage: str, done: float) -> None:
            load.stage, load.done = stage, max(done, load.done)  # a conversion may come before

        try:
            load.result.set_result(self._load(name, report))
        except BaseException as error:
            load.result.set_exception(_explained(name, error))
            if not isinstance(error, Exception):
                raise

    def _load(self, name: str, report: Callable[[str, float], None]) -> LanguageModel:
        if is_served(name):
            raise answers_only(name)
        report("looking for the model", 0.0)
        source = locate(name, self._settings, self.names(), report)
        report("starting PyTorch", 0.1)
        from playground.models.hf import load_folder

        return load_folder(
            source.folder, source.name, source.revision, self._settings.threads, report
        )


def _explained(name: str, error: BaseException) -> BaseException:
    """What a visitor is told: transformers and its parts raise errors of every class, bare
    `Exception` too, so all but ours are wrapped, with the original as the cause."""
    if isinstance(error, PlaygroundError) or not isinstance(error, Exception):
        return error
    reason = (str(error).strip() or repr(error)).splitlines()[0][:300]
    missing = isinstance(error, ImportError)
    told = ModelUnavailable(
        f"The model {name!r} can't be loaded: {reason}",
        hint="A package is missing: run `make setup`, or choose a toy."
        if missing
        else "Its folder needs config.json, a tokenizer and safetensors weights of a kind that "
        "transformers knows.",
    )
    told.__cause__ = error
    return told
