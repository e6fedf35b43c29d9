"""Speed of what proves and samples p_V: rows that bounds and exact samples need, draws a second."""

import json
import math
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from playground.decoding.accept import SYNTAX
from playground.decoding.cars import Cars
from playground.decoding.masses import MassTree
from playground.decoding.rejection import Rejection
from playground.decoding.run import Draw
from playground.decoding.trace import Problem
from playground.demo import load_demos
from playground.exact.posterior import Posterior
from playground.exact.search import Budget, search
from playground.models.rows import RowStore
from playground.problem import parse_problem
from playground.session import Playground
from tests.bench_rows import Row, seconds

SKY = 'Pick the word that is most similar to "sky". The word is:'
SKY_REGEX = " (skill|cloud)"
DRAWS = 64
LONGEST = 48
"""Tokens after which a draw is cut."""
SAMPLES = 30
SEEDS = 20
CAP = 2000
"""Rows after which the curve of schema sizes gives up."""
PROPERTIES: dict[str, tuple[dict[str, Any], Any]] = {
    "intent": ({"enum": ["refund", "billing", "bug", "account", "other"]}, "billing"),
    "priority": ({"enum": ["low", "normal", "high", "urgent"]}, "normal"),
    "team": ({"enum": ["money", "web", "people"]}, "money"),
    "mood": ({"enum": ["calm", "upset", "angry"]}, "upset"),
    "escalate": ({"type": "boolean"}, False),
    "summary": ({"type": "string", "maxLength": 40}, "charged twice this month"),
}
"""Fields of a ticket, and what the worked example in the prompt has for each."""
CURVE = (
    ("intent",),
    ("intent", "priority"),
    ("intent", "priority", "team"),
    ("intent", "priority", "team", "mood"),
    ("intent", "summary"),
)
"""Schemas of growing size; the last has a free text."""


def opened(
    playground: Playground,
    kind: str,
    source: str,
    prompt: str,
    *,
    chat: bool,
    max_tokens: int = 64,
    seed: int = 0,
) -> Problem:
    """A problem of SmolLM2 at temperature 1, with a row store of its own: nothing is known yet."""
    spec = parse_problem(
        {
            "model": "smollm2",
            "prompt": prompt,
            "chat": chat,
            "constraint": {"kind": kind, "source": source, "whitespace": "none"},
            "max_tokens": max_tokens,
            "sampling": {"temperature": 1.0, "seed": seed},
        }
    )
    return anew(playground.open(spec).problem)


def anew(problem: Problem, seed: int = 0) -> Problem:
    """`problem` with an empty row store, and another seed."""
    sampling = problem.sampling.model_copy(update={"seed": seed})
    return replace(problem, rows=RowStore(1_000_000_000), sampling=sampling)


def sky(playground: Playground) -> Problem:
    """The issue's sky prompt: Z is 2.14e-6, and masking gives the wrong word 87 % of the time."""
    return opened(playground, "regex", SKY_REGEX, SKY, chat=False)


def ticket(playground: Playground, fields: Sequence[str]) -> Problem:
    """The triage schema with `fields`, in a chat prompt with one worked example."""
    schema = {
        "type": "object",
        "properties": {name: PROPERTIES[name][0] for name in fields},
        "required": list(fields),
        "additionalProperties": False,
    }
    example = json.dumps({name: PROPERTIES[name][1] for name in fields}, separators=(",", ":"))
    prompt = (
        "Classify the support ticket as JSON.\n"
        f'Ticket: "My card was charged twice this month." -> {example}\n'
        'Ticket: "The app crashes when I open settings." ->'
    )
    return opened(playground, "schema", json.dumps(schema), prompt, chat=True)


def bracket(problem: Problem, budget: Budget) -> tuple[Posterior, float]:
    """What a search proves within `budget`, and its seconds, the prompt's among them."""
    started = time.perf_counter()
    *_, last = search(MassTree(problem), budget)
    return last, time.perf_counter() - started


def drawing(playground: Playground, n: int = 16) -> Row:
    """Rejection that shares the prompt against `generate` once a draw, as long and as random.

    A judge of the whole text keeps every rejected draw going to EOS or `LONGEST`, as `generate`
    does. Of the 64 calls, `n` are made, half before ours and half after it.
    """
    import torch

    demo = load_demos()["ticket-triage"]
    spec = demo.problem.model_copy(update={"max_tokens": LONGEST})
    problem = anew(playground.open(spec).problem)
    model: Any = problem.model
    module = model._plain._model
    ids = torch.tensor([problem.prompt])
    eos = sorted(problem.model.vocabulary.eos_ids)
    lengths: list[int] = []

    def one(number: int) -> int:
        torch.manual_seed(number)
        with torch.inference_mode():
            out = module.generate(
                ids,
                attention_mask=torch.ones_like(ids),
                do_sample=True,
                temperature=1.0,
                top_k=0,
                top_p=1.0,
                max_new_tokens=LONGEST,
                eos_token_id=eos,
                pad_token_id=eos[0],
            )
        return int(out.shape[1] - ids.shape[1])

    one(0)
    theirs = seconds(lambda: lengths.extend(map(one, range(n // 2))))
    started = time.perf_counter()
    draws = list(Rejection().draws(problem, DRAWS, accept=SYNTAX))
    ours = time.perf_counter() - started
    theirs += seconds(lambda: lengths.extend(map(one, range(n // 2, n))))
    theirs *= DRAWS / n
    mean = statistics.mean(len(draw.run.tokens) for draw in draws)
    ratio = theirs / ours
    return (
        f"{DRAWS} separate `generate` calls ({n} timed, {statistics.mean(lengths):.0f} tokens each) "
        f"/ {DRAWS} rejection draws to EOS or {LONGEST} tokens, judged as JSON "
        f"({mean:.0f} tokens each)",
        f"{ratio:.1f} ({theirs:.0f} s / {ours:.1f} s)",
        "at least 8",
        ratio >= 8,
    )


def proving_sky(playground: Playground) -> Iterator[Row]:
    """Rows until the masses of sky are known to 1 %, and rows of exact samples."""
    problem = sky(playground)
    for aim, said, most, batch in (("z", "Z is", 26, 8), ("both", "Z and p~ both are", 80, 16)):
        found, took = bracket(anew(problem), Budget(aim=aim, batch=batch))  # type: ignore[arg-type]
        yield (
            f"sky: rows until {said} known to 1 %, batches of {batch}",
            f"{found.rows_used} ({took:.1f} s; Z in [{found.Z.lower:.4g}, {found.Z.upper:.4g}])",
            f"at most {most}",
            found.stopped == "tolerance" and found.rows_used <= most,
        )
    used, tried = [], []
    for seed in range(SEEDS):
        draws = list(Cars().draws(anew(problem, seed), SAMPLES))
        assert sum(draw.accepted for draw in draws) == SAMPLES
        used.append(draws[-1].rows_used)
        tried.append(len(draws))
    median = statistics.median(used)
    yield (
        f"sky: rows of {SAMPLES} exact samples by cars, median of {SEEDS} seeds",
        f"{median:g} ({min(used)} to {max(used)}; {statistics.median(tried):g} attempts)",
        "at most 25",
        median <= 25,
    )


def proving_tickets(playground: Playground) -> Iterator[Row]:
    """Rows until both masses of the triage schemas are known to 1 %."""
    for fields, most in (
        (("intent", "escalate"), 740),
        (("intent", "priority", "escalate"), 3100),
    ):
        found, took = bracket(ticket(playground, fields), Budget(rows=most + 100))
        yield (
            f"ticket with {', '.join(fields)}: rows until Z and p~ both are known to 1 %",
            f"{found.rows_used} ({took:.0f} s; Z {found.Z.lower:.3g} to {found.Z.upper:.3g})",
            f"at most {most}",
            found.stopped == "tolerance" and found.rows_used <= most,
        )


@dataclass(frozen=True, slots=True)
class Size:
    """What one schema of growing size costs."""

    fields: tuple[str, ...]
    z: Posterior
    both: Posterior
    seconds: float
    draws: Sequence[Draw]
    """Attempts of cars, the accepted ones being exact samples."""
    sampling: float
    """Seconds that they took."""

    @property
    def texts(self) -> str:
        """How many texts are valid."""
        schemas = [PROPERTIES[name][0] for name in self.fields]
        if not all("enum" in schema for schema in schemas):
            return "a free text"
        return str(math.prod(len(schema["enum"]) for schema in schemas))


def sizes(playground: Playground, attempts: int = 300) -> Iterator[Size]:
    """1, 2, 3 and 4 enum fields, and a free text: rows of the bracket, and of the exact samples that
    take over."""
    for fields in CURVE:
        problem = ticket(playground, fields)
        z, _ = bracket(anew(problem), Budget(rows=CAP, aim="z"))
        both, took = bracket(anew(problem), Budget(rows=CAP))
        draws: list[Draw] = []
        cars = Cars(max_attempts=attempts, together=16)
        sampling = seconds(partial(draws.extend, cars.draws(anew(problem), SAMPLES)))
        yield Size(fields, z, both, took, draws, sampling)


def size_table(found: Sequence[Size]) -> str:
    """The curve as Markdown."""
    lines = [
        "| fields | valid texts | Z | rows: Z to 1 % | rows: Z and p~ to 1 % | seconds "
        f"| rows: {SAMPLES} exact samples by cars | seconds |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for size in found:
        accepted = sum(draw.accepted for draw in size.draws)
        sampled = f"{size.draws[-1].rows_used}"
        if accepted < SAMPLES:
            sampled += f", {accepted} accepted of {len(size.draws)}"
        bounds = size.both.Z
        lines.append(
            f"| {', '.join(size.fields)} | {size.texts} | {bounds.lower:.3g} to {bounds.upper:.3g} "
            f"| {rows(size.z, z_only=True)} | {rows(size.both)} | {size.seconds:.1f} "
            f"| {sampled} | {size.sampling:.1f} |"
        )
    return "\n".join(lines)


def rows(found: Posterior, z_only: bool = False) -> str:
    """How many rows it took, or how far it came."""
    if found.stopped == "tolerance":
        return f"{found.rows_used}"
    gap = f"Z ±{100 * (found.Z.upper - found.Z.lower) / (found.Z.upper + found.Z.lower):.0f} %"
    left = "" if z_only else f", {100 * found.open_masked:.0f} % of p~ open"
    return f"not in {found.rows_used} ({gap}{left})"
