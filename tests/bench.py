"""Speed as ratios measured in one run: `make bench` prints them, WRITE=1 puts them into the README."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from playground.constraints.compile import CompileCache, compile_constraint
from playground.constraints.spec import ConstraintSpec
from playground.demo import load_demos
from playground.session import Playground
from playground.settings import Settings
from tests.bench_exact import drawing, proving_sky, proving_tickets, size_table, sizes
from tests.bench_fields import fields
from tests.bench_rows import Row, seconds, waves
from tests.bench_study import study

ROOT = Path(__file__).parents[1]
STRINGS = json.dumps(
    {
        "type": "object",
        "properties": {key: {"type": "string", "maxLength": 200} for key in "abcd"},
        "required": list("abcd"),
        "additionalProperties": False,
    }
)


def paired(a: Callable[[], Any], b: Callable[[], Any], n: int) -> tuple[float, float, float]:
    """Median seconds of a and b run in turn, and the median of the ratios a/b pair by pair."""
    pairs = [(seconds(a), seconds(b)) for _ in range(n)]
    return (
        statistics.median(x for x, _ in pairs),
        statistics.median(y for _, y in pairs),
        statistics.median(x / y for x, y in pairs),
    )


def live_step(playground: Playground) -> Row:
    """A step of the ticket run with its full record against a bare cached pass of the same token."""
    import torch
    from transformers import DynamicCache

    demo = load_demos()["ticket-triage"]
    opened = playground.open(demo.problem)
    model, path = torch_model(opened.problem.model), []
    prompt = opened.problem.prompt
    cache = DynamicCache()
    with torch.inference_mode():
        model(torch.tensor([prompt]), cache=cache, use_cache=True, logits_to_keep=1)
    playground.replay(demo.problem, [])
    ratios, steps, bares = [], [], []
    for _ in range(40):
        answer: dict[str, Any] = {}

        def step(answer: dict[str, Any] = answer) -> None:
            answer.update(playground.advance(demo.problem, path, {"draw": 0}))

        took = seconds(step)
        if answer["outcome"] != "running":
            break
        token = answer["step"]["taken"]["id"]
        path.append(token)

        def bare(token: int = token) -> None:
            with torch.inference_mode():
                model(
                    torch.tensor([[token]]),
                    cache=cache,
                    use_cache=True,
                    logits_to_keep=1,
                )

        plain = seconds(bare)
        steps.append(took)
        bares.append(plain)
        ratios.append(took / plain)
    ratio = statistics.median(ratios[2:])
    return (
        "one live step with its record / one bare cached forward pass",
        f"{ratio:.2f} ({statistics.median(steps) * 1e3:.0f} ms / "
        f"{statistics.median(bares) * 1e3:.0f} ms)",
        "at most 1.3",
        ratio <= 1.3,
    )


def torch_model(model: Any) -> Any:
    """The torch module inside a live model."""
    plain = getattr(model, "_plain", model)
    return plain._model


def against_outlines(playground: Playground) -> Row:
    """Tokens a second of recorded runs against outlines' generator, same model, schema and prompt."""
    import outlines
    from transformers import AutoTokenizer

    from playground.models.gguf import converted, find_gguf

    demo = load_demos()["ticket-triage"]
    opened = playground.open(demo.problem)
    folder, _ = converted(find_gguf(), playground.settings.cache, lambda *_: None)
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    theirs = outlines.from_transformers(torch_model(opened.problem.model), tokenizer)
    generator = outlines.Generator(theirs, outlines.json_schema(demo.problem.constraint.source))
    prompt = outlines.inputs.Chat([{"role": "user", "content": demo.problem.prompt}])
    counter = iter(range(1, 10_000))

    def ours_rate() -> float:
        run, path, outcome = next(counter), [], "running"
        started = time.perf_counter()
        while outcome == "running":
            answer = playground.advance(demo.problem, path, {"draw": run})
            outcome = answer["outcome"]
            path.append(answer["step"]["taken"]["id"])
        return len(path) / (time.perf_counter() - started)

    def their_rate() -> float:
        started = time.perf_counter()
        text = generator(prompt, max_new_tokens=64, do_sample=True)
        took = time.perf_counter() - started
        return (len(tokenizer.encode(text, add_special_tokens=False)) + 1) / took

    ours_rate(), their_rate()
    pairs = [(ours_rate(), their_rate()) for _ in range(7)]
    ratio = statistics.median(a / b for a, b in pairs)
    return (
        "tokens a second, recorded run / outlines' generator",
        f"{ratio:.2f} ({statistics.median(a for a, _ in pairs):.1f} / "
        f"{statistics.median(b for _, b in pairs):.1f})",
        "at least 1.1",
        ratio >= 1.1,
    )


def compiling(playground: Playground) -> Iterator[Row]:
    """Compile to first mask against outlines_core's token Index, and the same constraint again."""
    import outlines_core
    from outlines_core.json_schema import build_regex_from_schema

    model = playground.hub.get("smollm2")
    vocabulary = model.vocabulary
    spec = ConstraintSpec(kind="schema", source=STRINGS)
    by_bytes: dict[bytes, list[int]] = {}
    for i, text in enumerate(vocabulary.tokens):
        if text:
            by_bytes.setdefault(text, []).append(i)
    theirs = outlines_core.Vocabulary(min(vocabulary.eos_ids), by_bytes)
    regex = build_regex_from_schema(STRINGS)

    def ours() -> None:
        with tempfile.TemporaryDirectory() as folder:
            cache = CompileCache(Settings(cache=Path(folder)))
            compiled = compile_constraint(spec, vocabulary, cache=cache, limits=playground.limits)
            compiled.automaton.mask(compiled.automaton.initial)

    ours()
    a, b, ratio = paired(lambda: outlines_core.Index(regex, theirs), ours, 3)
    yield (
        "outlines_core's token Index / compile to first mask, four strings of maxLength 200",
        f"{ratio:.1f} ({a:.2f} s / {b:.2f} s)",
        "at least 10",
        ratio >= 10,
    )
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(cache=Path(folder))
        compile_constraint(spec, vocabulary, cache=CompileCache(settings), limits=playground.limits)

        def again() -> None:
            compile_constraint(
                spec, vocabulary, cache=CompileCache(settings), limits=playground.limits
            )

        restart = statistics.median(seconds(again) for _ in range(9))
    cache = playground.cache
    compile_constraint(spec, vocabulary, cache=cache, limits=playground.limits)
    same = statistics.median(
        seconds(lambda: compile_constraint(spec, vocabulary, cache=cache, limits=playground.limits))
        for _ in range(9)
    )
    yield (
        "the same constraint again: in memory; from disk, as after a restart",
        f"{same * 1e3:.1f} ms; {restart * 1e3:.1f} ms",
        "at most 10 ms",
        max(same, restart) <= 0.010,
    )


def first_mask(playground: Playground) -> Row:
    """A state's first mask against a scan: each token's bytes walked through the same automaton."""
    vocabulary = playground.hub.get("smollm2").vocabulary
    spec = ConstraintSpec(kind="schema", source=STRINGS)
    compiled = compile_constraint(
        spec, vocabulary, cache=playground.cache, limits=playground.limits
    )
    automaton: Any = compiled.automaton
    dfa = automaton.dfa
    state = dfa.walk(automaton.initial, b'{"a": "x')[-1]  # inside a string: most tokens live

    def scan() -> np.ndarray[Any, Any]:
        mask = np.zeros(len(vocabulary), dtype=bool)
        for i, text in enumerate(vocabulary.tokens):
            mask[i] = bool(text) and len(dfa.walk(state, text)) == len(text) + 1
        return mask

    def walk() -> np.ndarray[Any, Any]:
        return automaton.walk_mask(state)

    walk()
    a, b, ratio = paired(walk, scan, 7)
    assert (walk() == scan()).all(), "the two masks differ"
    return (
        "a state's first mask / naive scan of the vocabulary",
        f"1/{1 / ratio:.0f} ({a * 1e3:.1f} ms / {b * 1e3:.0f} ms)",
        "at most 1/20",
        ratio <= 1 / 20,
    )


def starting() -> Iterator[Row]:
    """A second start of the app: page before torch, and the model against a bare from_pretrained."""
    port = 7900
    code = (
        "import os, sys, threading, time, urllib.request\n"
        "sys.argv=['app.py']\n"
        "import app\n"
        f"url='http://127.0.0.1:{port}/'\n"
        "start=time.perf_counter()\n"
        "def look():\n"
        "    while True:\n"
        "        try:\n"
        "            urllib.request.urlopen(url, timeout=5).read(); break\n"
        "        except OSError: time.sleep(.05)\n"
        "    print(time.perf_counter()-start, 'torch' in sys.modules, flush=True)\n"
        "    os._exit(0)\n"
        "threading.Thread(target=look, daemon=True).start()\n"
        "app.main()\n"  # in the main thread: it hears signals
    )
    env = {**os.environ, "PORT": str(port)}
    out = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, check=True
    ).stdout.split()
    yield (
        "second start: the page answers before torch is imported",
        f"{'no' if out[-1] == 'True' else 'yes'} (after {float(out[-2]):.1f} s)",
        "yes",
        out[-1] == "False",
    )
    ours = (
        "import time; s=time.perf_counter()\n"
        "from playground.models.loader import ModelHub; from playground.settings import Settings\n"
        "ModelHub(Settings.from_env()).get('smollm2'); print(time.perf_counter()-s)\n"
    )
    bare = (
        "import time; s=time.perf_counter()\n"
        "import torch; from transformers import AutoModelForCausalLM, AutoTokenizer\n"
        "torch.set_num_threads(max(1, torch.get_num_threads()-1))\n"
        "f=__import__('sys').argv[1]\n"
        "AutoTokenizer.from_pretrained(f, local_files_only=True)\n"
        "AutoModelForCausalLM.from_pretrained(f, local_files_only=True, dtype='float32')\n"
        "print(time.perf_counter()-s)\n"
    )
    from playground.models.gguf import converted, find_gguf

    folder, _ = converted(find_gguf(), Settings.from_env().cache, lambda *_: None)

    def run(code: str) -> float:
        done = subprocess.run(
            [sys.executable, "-c", code, str(folder)],
            cwd=ROOT, capture_output=True, text=True, check=True,
        )  # fmt: skip
        return float(done.stdout.split()[-1])

    run(ours), run(bare)
    pairs = [(run(ours), run(bare)) for _ in range(5)]
    ratio = statistics.median(a / b for a, b in pairs)
    yield (
        "model ready / bare from_pretrained of the saved model and its tokenizer",
        f"{ratio:.2f} ({statistics.median(a for a, _ in pairs):.1f} s / "
        f"{statistics.median(b for _, b in pairs):.1f} s)",
        "at most 1.5",
        ratio <= 1.5,
    )


def table(rows: list[Row]) -> str:
    """The rows as Markdown."""
    lines = ["| what | seen | target | holds |", "| --- | --- | --- | --- |"]
    lines += [f"| {a} | {b} | {c} | {'yes' if d else '**no**'} |" for a, b, c, d in rows]
    return "\n".join(lines)


def written(name: str, text: str) -> None:
    """Put `text` into the README, between the two comments that bear `name`."""
    readme = ROOT / "README.md"
    before, opening, rest = readme.read_text().partition(f"<!-- {name} -->")
    _, closing, after = rest.partition(f"<!-- /{name} -->")
    if not (opening and closing):
        raise SystemExit(f"README.md has no place for {name}")
    readme.write_text(f"{before}{opening}\n{text}\n{closing}{after}")


def measured(playground: Playground) -> Iterator[Row]:
    """Every row, those that one process measures first."""
    yield live_step(playground)
    yield against_outlines(playground)
    yield from compiling(playground)
    yield first_mask(playground)
    yield from waves(playground)
    yield drawing(playground)
    yield from study(playground)
    yield from fields(playground)
    yield from proving_sky(playground)
    yield from proving_tickets(playground)
    yield from starting()


def main() -> int:
    """Measure, print, and with --write put the tables into the README."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    write = parser.parse_args().write
    started = time.perf_counter()
    playground = Playground(Settings.from_env())
    rows: list[Row] = []
    for row in measured(playground):
        rows.append(row)
        print(f"{row[0]}: {row[1]} (target {row[2]})", flush=True)
    curve = size_table(list(sizes(playground)))
    text = table(rows)
    print(f"\n{text}\n\n{curve}\n\n{time.perf_counter() - started:.0f} s")
    if write:
        written("bench", text)
        written("bench-sizes", curve)
    return 0 if all(row[3] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
