"""genlm-control's SMC on sky beside the exact search and cars: `make bench-genlm`.

genlm-control has an environment of its own; this file runs there too (`--theirs`), so it imports
nothing of the house at the top. Both sides get the same weights, prompt ids, ends and threads, and
every run starts with nothing read. They take turns seed by seed, so that a busy machine slows both.
"""

import argparse
import asyncio
import json
import math
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PARTICLES = 100
THRESHOLD = 0.5
SEEDS = 20
SAMPLERS = {"awrs": "AWRS", "direct": "exact mask"}
RIGHT = "cloud"


async def theirs() -> None:
    """Run genlm-control on the task in the first line of standard input, once for each seed in the
    lines that follow; a line of JSON for each run on standard output."""
    from importlib.metadata import version

    import numpy as np
    import torch
    from genlm.control import AWRS, BoolFSA, PromptedLLM, direct_token_sampler

    task = json.loads(sys.stdin.readline())
    torch.set_num_threads(task["threads"])
    llm = PromptedLLM.from_name(
        task["folder"],
        backend="hf",
        eos_byte_strings=[end.encode() for end in task["ends"]],
        prompt_ids=task["prompt"],
        hf_opts={"torch_dtype": torch.float32, "device_map": None},
    )
    rows = 0

    def count(_: Any, inputs: Any, named: Any) -> None:
        nonlocal rows
        rows += len(named["input_ids"] if "input_ids" in named else inputs[0])

    llm.model.model.register_forward_pre_hook(count, with_kwargs=True)
    mask = BoolFSA.from_regex(task["regex"])
    # The automaton over tokens is built once and not timed, as ours isn't.
    fsa = mask.coerce(llm, f=b"".join)
    product = llm * fsa

    async def run(kind: str, seed: int) -> dict[str, Any]:
        nonlocal rows
        llm.model.clear_cache()
        np.random.seed(seed)  # noqa: NPY002 its resampling draws from the global stream
        torch.manual_seed(seed)
        rows = 0
        started = time.perf_counter()
        sampler = AWRS(llm, fsa, seed=seed) if kind == "awrs" else direct_token_sampler(product)
        found = await sampler.smc(
            n_particles=PARTICLES, ess_threshold=THRESHOLD, max_tokens=task["max_tokens"]
        )
        posterior = found.decoded_posterior
        seconds = time.perf_counter() - started
        await sampler.cleanup()
        right = sum(p for text, p in posterior.items() if text.strip() == RIGHT)
        return {
            "kind": kind,
            "version": version("genlm-control"),
            "seed": seed,
            "p": float(right),
            "log_z": float(found.log_ml),
            "ess": float(found.ess),
            "rows": rows,
            "seconds": seconds,
        }

    for kind in SAMPLERS:
        await run(kind, 2**31)  # what is built on first use isn't timed
    for line in sys.stdin:
        print(json.dumps([await run(kind, int(line)) for kind in SAMPLERS]), flush=True)


def ours(problem: Any, seed: int) -> Iterator[dict[str, Any]]:
    """The search to 1 %, and exact samples."""
    from playground.decoding.cars import Cars
    from playground.exact.search import Budget
    from tests.bench_exact import SAMPLES, anew, bracket

    found, seconds = bracket(anew(problem), Budget())
    p = next(t.conditional for t in found.texts if t.text.decode().strip() == RIGHT)
    yield {
        "kind": "search",
        "p": (p.lower + p.upper) / 2,
        "low": p.lower,
        "high": p.upper,
        "log_z": math.log((found.Z.lower + found.Z.upper) / 2),
        "rows": found.rows_used,
        "seconds": seconds,
    }
    started = time.perf_counter()
    draws = list(Cars().draws(anew(problem, seed), SAMPLES))
    seconds = time.perf_counter() - started
    kept = [draw.text.decode().strip() for draw in draws if draw.accepted]
    yield {
        "kind": "cars",
        "p": kept.count(RIGHT) / len(kept),
        "rows": draws[-1].rows_used,
        "seconds": seconds,
    }


def table(found: dict[str, list[dict[str, Any]]], truth: dict[str, float]) -> str:
    """What each method did over its runs, as Markdown."""
    said = {
        "search": f"ours: search to 1 %, p_V in [{truth['low']:.5f}, {truth['high']:.5f}]",
        "cars": "ours: 30 exact samples by cars",
        **{
            kind: f"genlm-control {found[kind][0]['version']}: SMC, {PARTICLES} particles, {name}"
            for kind, name in SAMPLERS.items()
        },
    }
    lines = [
        "| method | seconds | rows | error of p_V(cloud), median; largest | p_V(cloud) below .5 |",
        "| --- | --- | --- | --- | --- |",
    ]
    for kind, words in said.items():
        runs = found[kind]
        errors = [abs(run["p"] - truth["p"]) for run in runs]
        wrong = sum(run["p"] < 0.5 for run in runs)
        lines.append(
            f"| {words} | {statistics.median(run['seconds'] for run in runs):.2f} "
            f"| {statistics.median(run['rows'] for run in runs):g} "
            f"| {statistics.median(errors):.4f}; {max(errors):.4f} | {wrong} of {len(runs)} |"
        )
    return "\n".join(lines)


def reference(playground: Any) -> dict[str, float]:
    """p_V of cloud to 1e-6, by the search let run on."""
    from playground.exact.search import Budget
    from tests.bench_exact import anew, bracket, sky

    found, _ = bracket(anew(sky(playground)), Budget(rows=3000, tolerance=1e-7))
    p = next(t.conditional for t in found.texts if t.text.decode().strip() == RIGHT)
    return {"p": (p.lower + p.upper) / 2}


def main() -> int:
    """Measure both, print, and with --write put the table into the README."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--theirs", action="store_true", help="run genlm-control: a task on stdin")
    parser.add_argument("--python", default=".venv-genlm/bin/python", help="of its environment")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--write", action="store_true")
    flags = parser.parse_args()
    if flags.theirs:
        asyncio.run(theirs())
        return 0

    from playground.models.gguf import converted, find_gguf
    from playground.session import Playground
    from playground.settings import Settings
    from tests.bench import written
    from tests.bench_exact import SKY_REGEX, sky

    settings = Settings.from_env()
    playground = Playground(settings)
    problem = sky(playground)
    vocabulary = problem.model.vocabulary
    folder, _ = converted(find_gguf(), settings.cache, lambda *_: None)
    ends = [vocabulary.name(i) for i in sorted(vocabulary.eos_ids)]
    task = {
        "folder": str(folder),
        "prompt": list(problem.prompt),
        "ends": ends,
        "regex": SKY_REGEX,
        "threads": settings.threads,
        "max_tokens": problem.max_tokens,
    }
    found: dict[str, list[dict[str, Any]]] = {}
    truth = reference(playground)
    command = [flags.python, "-P", "-W", "ignore", __file__, "--theirs"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as other:
        assert other.stdin
        assert other.stdout
        print(json.dumps(task), file=other.stdin, flush=True)
        for seed in range(flags.seeds):
            print(seed, file=other.stdin, flush=True)
            line = other.stdout.readline()
            if not line:
                raise SystemExit("genlm-control's side ended early: its error is above.")
            for run in (*json.loads(line), *ours(problem, seed)):
                found.setdefault(run["kind"], []).append(run)
                print(json.dumps(run), flush=True)
        other.stdin.close()
    truth |= {side: found["search"][0][side] for side in ("low", "high")}
    text = table(found, truth)
    print(f"\np_V(cloud) = {truth['p']:.6f}\n{text}")
    if flags.write:
        written("bench-genlm", text)
    never = all(run["p"] >= 0.5 for kind in ("search", "cars") for run in found[kind])
    faster = statistics.median(r["seconds"] for r in found["search"]) < statistics.median(
        r["seconds"] for r in found["awrs"]
    )
    print(f"ours never wrong: {never}; the search faster than AWRS: {faster}")
    return 0 if never and faster else 1


if __name__ == "__main__":
    sys.exit(main())
