"""What a study takes at most: runs, sampled tokens and rows, how much a browser may ask for, and how long."""

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from playground.decoding.mcmc import Mcmc
from playground.errors import InvalidInput
from playground.models.rows import RowStore
from playground.models.server import is_served
from playground.session import Playground
from playground.study.labels import MOST_ATTEMPTS, Label, label_of
from playground.study.row import Row
from playground.study.spec import StudySpec

MOST_OUTPUTS = 10_000
"""Outputs of one study in a browser: prompts times methods times draws."""
MOST_WORK = 4_000_000
"""Most tokens and rows of a study in a browser, all prompts together."""
MOST_OF_PROMPT = 40_000
"""Most of them at one prompt: its chunk is the least that Stop drops, and that others wait for."""
QUESTION = 200
"""Bytes that asking for p(yes) puts around the prompt and its answer, at most."""
PROBED = 24
"""Rows of the pass that is timed where no study has told the pace."""


@dataclass(frozen=True, slots=True)
class Work:
    """What a study takes at most."""

    prompts: int
    outputs: int
    runs: int
    """Of the model."""
    tokens: int
    """Sampled."""
    rows: int
    """Read to bound Z and TV."""
    readings: int
    """Prompts read once more, with an answer: one a valid output, so at most all outputs."""
    read: int
    """Tokens of these readings: a token has at least a byte."""
    longest: int
    """Tokens and rows of the prompt that takes most."""
    gives_up: Mapping[str, int]
    """Label that goes on until it has a valid output -> attempts at one output after which it gives
    up; it is counted with all of them."""

    @property
    def total(self) -> int:
        """Tokens and rows together."""
        return self.tokens + self.rows + self.read


def runs_of(label: Label, spec: StudySpec) -> int:
    """Most runs of the model at one prompt."""
    method = label.method
    if method.name == "retry":
        return spec.draws * (label.attempts or spec.attempts)
    if label.keeps:
        return spec.draws * MOST_ATTEMPTS
    if isinstance(method, Mcmc):
        return spec.draws * (method.steps + 1)
    return spec.draws * int(getattr(method, "beside", 1))


def work_of(spec: StudySpec, sizes: Sequence[int]) -> Work:
    """What the study takes.

    Args:
        spec: the study.
        sizes: bytes of what the model is asked, a number a prompt.
    """
    labels = [label_of(name) for name in spec.methods]
    runs = sum(runs_of(label, spec) for label in labels)
    outputs = len(labels) * spec.draws
    readings = outputs if spec.yes else 0
    read = [readings * (size + QUESTION + spec.max_tokens) for size in sizes]
    each = runs * spec.max_tokens + spec.exact_rows
    return Work(
        prompts=len(sizes),
        outputs=outputs * len(sizes),
        runs=runs * len(sizes),
        tokens=runs * len(sizes) * spec.max_tokens,
        rows=spec.exact_rows * len(sizes),
        readings=readings * len(sizes),
        read=sum(read),
        longest=each + max(read, default=0),
        gives_up={label.name: MOST_ATTEMPTS for label in labels if label.keeps},
    )


def require_small(spec: StudySpec, work: Work) -> None:
    """
    Raises:
        InvalidInput: the study is larger than what is run from a browser.
    """
    where = "size and sampling"
    if work.outputs > MOST_OUTPUTS:
        raise InvalidInput(
            f"{work.prompts:,} prompts, {len(spec.methods)} methods and {spec.draws} draws make "
            f"{work.outputs:,} outputs.",
            f"A study in the browser has at most {MOST_OUTPUTS:,}; the command line has no limit.",
            where,
        )
    if work.longest > MOST_OF_PROMPT:
        raise InvalidInput(
            f"One prompt may take {work.longest:,} tokens and rows: {_of(spec)}.",
            f"At most {MOST_OF_PROMPT:,} at one prompt in the browser: take fewer draws, samples side "
            "by side, tokens or exact rows.",
            where,
        )
    if work.total > MOST_WORK:
        raise InvalidInput(
            f"The study may take {work.total:,} tokens and rows: {_of(spec)}.",
            f"At most {MOST_WORK:,} in the browser: take fewer prompts, draws, tokens or exact rows.",
            where,
        )


def _of(spec: StudySpec) -> str:
    """What the sum is made of."""
    parts = ["sampled tokens"]
    if spec.exact_rows:
        parts.append("rows for exact bounds")
    if spec.yes:
        parts.append("prompts read again for p(yes)")
    return " and ".join(parts)


@dataclass(frozen=True, slots=True)
class Pace:
    """What this server takes, seconds, and how that is known."""

    read: float
    """A token of a prompt, read at once with the others of it."""
    token: float
    """A sampled token, or a row."""
    source: Literal["study", "probe"]
    """`study`: the newest chunk of a study; its tokens' time holds that of its prompts. `probe`: one
    batch, timed for the estimate."""

    def seconds(self, work: Work, prompt: float) -> float:
        """An estimate of the time from above, as far as `work` is an upper bound.

        Args:
            work: what is to be done.
            prompt: mean length of a prompt, tokens.
        """
        read = work.readings * (prompt + QUESTION + work.tokens / work.runs)
        if self.source == "probe":
            read += work.prompts * prompt
        return read * self.read + (work.tokens + work.rows) * self.token


class Paces:
    """The newest pace of each model."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._probed: dict[str, Pace] = {}
        self._studied: dict[str, float] = {}

    def note(self, model: str, rows: tuple[Row, ...], seconds: float) -> None:
        """A chunk has come to these rows in so many seconds. Where more than tokens was asked for,
        they say nothing of a token's time."""
        tokens = sum(row.tokens for row in rows)
        if tokens and all(row.z is None and row.p_yes is None for row in rows):
            with self._lock:
                self._studied[model] = seconds / tokens

    def of(self, playground: Playground, spec: StudySpec, prompt: str) -> Pace | None:
        """The pace of a model that is loaded, timed now where it isn't known yet; None for one that
        isn't, and for a server's."""
        if is_served(spec.model) or playground.hub.status(spec.model).state != "ready":
            return None
        with self._lock:
            known = self._probed.get(spec.model)
        if known is None:
            known = _probe(playground, spec, prompt)
        with self._lock:
            known = self._probed.setdefault(spec.model, known)
            token = self._studied.get(spec.model)
        return known if token is None else Pace(known.read, token, "study")


def _probe(playground: Playground, spec: StudySpec, prompt: str) -> Pace:
    model = playground.hub.get(spec.model)
    start, rows = model.render(prompt, spec.chat), RowStore(256 * 2**20)
    eos = model.vocabulary.eos_ids
    tokens = [token for token in range(PROBED + len(eos)) if token not in eos]
    tokens = [token for token in tokens if token < len(model.vocabulary)][:PROBED]
    begun = time.perf_counter()
    rows.get(model, [start])
    read = time.perf_counter()
    rows.get(model, [(*start, token) for token in tokens])
    took = time.perf_counter() - read
    return Pace((read - begun) / max(1, len(start)), took / len(tokens), "probe")
