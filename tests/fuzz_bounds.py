"""Looks for a bound that does not contain the truth: random models, constraints and budgets.

    python -m tests.fuzz_bounds --minutes 60 --seed 1

Every claim of every snapshot is held against an enumeration that shares nothing with the search
(`tests.exact.enumerate`). It prints a line a minute; a violation, or an exception, is printed with
what it takes to see it again, and ends with status 1. `--only N` runs one case.
"""

import argparse
import json
import sys
import time
import traceback
import warnings
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from playground.decoding import masses
from playground.decoding.masses import MassTree
from playground.decoding.sampling import Sampling
from playground.decoding.trace import Outcome, Problem, Standing
from playground.exact import posterior as posterior_module
from playground.exact.posterior import snapshot
from playground.exact.search import follow
from playground.models.rows import RowStore
from playground.models.toy import ToyModel
from playground.models.toyspec import EOS
from playground.vocabulary import Vocabulary
from tests.exact.checks import complaints
from tests.exact.enumerate import Ambiguous, Law, TooLarge, Truth, toy_law, truth_of
from tests.exact.problems import LiveDouble, automaton, every_budget, toy

MOST_PREFIXES = 1500
MOST_CHECKS = 30
JSON_TOKENS = (
    '{', '}', '"', 'a', 'b', ':', ',', ' ', '1', '2', '0', '-', 't', 'r', 'u', 'e', 'f', 'l', 's',
    'n', '[', ']', '{"', '":', '"a"', '"a":', 'true', 'null', '12', '",', 'al', ', ', '": ',
)  # fmt: skip
SCHEMAS: tuple[Any, ...] = (
    {"type": "boolean"},
    {"enum": ["a", "ab", 1, None]},
    {"type": "integer", "minimum": 0, "maximum": 22},
    {"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"],
     "additionalProperties": False},
    {"type": "object", "properties": {"a": {"enum": ["a", "b"]}, "b": {"enum": [1, 2]}},
     "required": ["a"], "additionalProperties": False},
    {"type": "array", "items": {"enum": [1, "a"]}, "maxItems": 2},
    {"anyOf": [{"const": "ab"}, {"type": "null"}]},
    {"type": "string", "maxLength": 2, "pattern": "^[ab]*$"},
)  # fmt: skip


@dataclass
class Case:
    """One drawn problem."""

    problem: Problem
    law: Law
    pattern: str
    start: Standing
    batch: int
    aim: Any
    top: int
    more: int
    about: dict[str, Any] = field(default_factory=dict)
    lucky: bool = True
    follows: bool = False

    def dull(self, truth: Truth) -> bool:
        """Little to be wrong about; one in ten of these is run all the same."""
        return not self.lucky and (not truth.z or len(truth.reached) < 8 or len(truth.texts) < 2)


def regex_of(rng: np.random.Generator, letters: str, depth: int = 3) -> str:
    """A random regex over some letters."""
    kind = rng.integers(0, 9) if depth else 0
    piece = lambda: regex_of(rng, letters, depth - 1)  # noqa: E731
    if kind <= 1:
        return "".join(rng.choice(list(letters), size=rng.integers(1, 4)))
    if kind == 2:
        return f"[{''.join(rng.choice(list(letters), size=2, replace=False))}]"
    if kind == 3:
        return f"({piece()}|{piece()})"
    if kind in (4, 5):
        return piece() + piece()
    low = int(rng.integers(0, 3))
    return f"({piece()})" + str(
        rng.choice(["*", "+", "?", f"{{{low},{low + rng.integers(0, 3)}}}"])
    )


def weights_of(rng: np.random.Generator, count: int, mild: bool) -> np.ndarray:
    """Random weights, from even to absurd."""
    kind = rng.integers(0, 2 if mild else 5)
    if kind == 0:
        weights = rng.random(count)
    elif kind == 1:
        weights = rng.choice([1.0, 0.5, 0.1, 0.01], size=count)
    elif kind == 2:
        weights = 10.0 ** -rng.uniform(0, 9, size=count)
    elif kind == 3:
        weights = 10.0 ** -rng.uniform(0, 40, size=count)
    else:
        weights = 10.0 ** -rng.uniform(0, 300, size=count)
    weights[rng.random(count) < rng.choice([0, 0, 0.2, 0.5])] = 0
    if rng.random() < 0.3:
        weights[-1] = max(weights[-1], weights.max())  # EOS: short runs are seen whole
    if not weights.any():
        weights[rng.integers(count)] = 1
    return np.asarray(weights, dtype=np.float64)


def rules_of(rng: np.random.Generator, tokens: list[str], mild: bool) -> list[dict[str, Any]]:
    """A random table."""
    rules: list[dict[str, Any]] = []
    names = [*tokens, EOS]
    for _ in range(rng.integers(0, 6)):
        rule: dict[str, Any] = {}
        kind = rng.integers(0, 4)
        if kind in (0, 3):
            rule["last"] = str(rng.choice(tokens))
        if kind == 1:
            rule["prefix"] = [str(token) for token in rng.choice(tokens, size=rng.integers(0, 3))]
        if kind in (2, 3):
            rule["position"] = int(rng.integers(0, 5))
        rules.append(rule)
    for rule in [*rules, {}]:
        if rng.random() < 0.2:
            spread = rng.choice([1, 10] if mild else [1, 10, 300, 5000])
            chosen = [name for name in names if rng.random() < 0.9] or names
            rule["logits"] = {name: float(rng.normal() * spread) for name in chosen}
            rule["logits"] = {n: max(-1e4, min(1e4, x)) for n, x in rule["logits"].items()}
        else:
            weights = weights_of(rng, len(names), mild)
            rule["p"] = dict(zip(names, weights.tolist(), strict=True))
        if rule not in rules:
            rules.append(rule)
    return rules


def constraint_of(rng: np.random.Generator) -> tuple[str, str, list[str]]:
    """Kind, source, and the texts of a vocabulary for it."""
    draw = rng.random()
    if draw < 0.2:
        schema = SCHEMAS[rng.integers(len(SCHEMAS))]
        kept = [t for t in JSON_TOKENS if len(t) == 1 or rng.random() < 0.5]
        return "schema", json.dumps(schema), kept
    letters = str(rng.choice(["ab", "abc", "abcd"]))
    longer = {
        "".join(rng.choice(list(letters), size=rng.integers(2, 5)))
        for _ in range(rng.integers(0, 5))
    }
    texts = [*letters, *sorted(longer)]
    if rng.random() < 0.15:
        texts.remove(str(rng.choice(list(letters))))  # not every byte is a token
    if draw < 0.4:
        words = {
            "".join(rng.choice(list(letters), size=rng.integers(1, 7)))
            for _ in range(rng.integers(1, 7))
        }
        return "choices", "\n".join(sorted(words)), texts
    return "regex", regex_of(rng, letters), texts


def sampling_of(rng: np.random.Generator, filters: bool) -> dict[str, Any]:
    """Random settings."""
    settings: dict[str, Any] = {}
    if rng.random() < 0.4:
        settings["temperature"] = float(rng.choice([0.05, 0.3, 0.7, 1.5, 4.0]))
    if filters and rng.random() < 0.3:
        if rng.random() < 0.6:
            settings["top_k"] = int(rng.integers(1, 5))
        if rng.random() < 0.6:
            settings["top_p"] = float(np.round(rng.uniform(0.2, 0.99), 3))
        settings["mask_order"] = str(rng.choice(["after-filters", "before-filters"]))
    return settings


def drawn(seed: int, number: int, mild: bool) -> Case:
    """Case `number` of a seed."""
    rng = np.random.default_rng([seed, number])
    kind, source, texts = constraint_of(rng)
    max_tokens = int(rng.integers(1, 10)) if kind != "schema" else int(rng.integers(4, 14))
    live = bool(rng.random() < 0.5)
    noise = float(rng.choice([0.0, 1e-4, 1.9e-4])) if live else 0.0
    sampling = sampling_of(rng, filters=not noise)
    about = {
        "kind": kind, "source": source, "max_tokens": max_tokens, "sampling": sampling,
        "live": live, "noise": noise, "tokens": texts,
    }  # fmt: skip
    prompt: tuple[int, ...] = ()
    store = 2**24
    model: Any
    if live:
        ends = int(rng.integers(1, 3))
        tokens = (*(text.encode() for text in texts), *[None] * (ends + 1))
        eos = frozenset(range(len(texts), len(texts) + ends))
        spread = float(rng.choice([0.5, 2.0, 6.0]))
        one_sided = bool(rng.random() < 0.5)
        model = LiveDouble(Vocabulary(tokens, eos), number, spread, noise, one_sided)
        prompt = (0,) * int(rng.integers(0, 3))
        store = int(rng.choice([2**24, 3000]))
        law = model.law(prompt)
        about |= {"ends": ends, "spread": spread, "one_sided": one_sided, "store": store}
    else:
        spec = toy(texts, rules_of(rng, texts, mild))
        model, law = ToyModel(spec), toy_law(spec)
        about["rules"] = spec.model_dump(mode="json")["rules"]
    constraint, pattern = automaton(model.vocabulary, kind, source, "none")
    problem = Problem(model, constraint, RowStore(store), prompt, Sampling(**sampling), max_tokens)
    start = Standing.start(problem)
    for _ in range(int(rng.choice([0, 0, 0, 1, 2]))):
        allowed = np.flatnonzero(constraint.mask(start.state))
        if not len(allowed):
            break
        after = start.after(int(rng.choice(allowed)))
        if after.outcome is Outcome.RUNNING:
            start = after
    about["start"] = start.tokens
    batch, aim = int(rng.choice([1, 1, 2, 3, 5])), str(rng.choice(["both", "z"]))
    top, more = int(rng.choice([1, 2, 3, 32])), int(rng.choice([1, 2, 4]))
    about |= {"batch": batch, "aim": aim, "TOP": top, "MORE": more}
    lucky = bool(rng.random() < 0.1)
    follows = about["follows"] = bool(rng.random() < 0.3)
    return Case(problem, law, pattern, start, batch, aim, top, more, about, lucky, follows)


def tried(case: Case, counts: Counter[str]) -> list[str]:
    """What is false in the claims about one case, at the first budget where something is."""
    problem = case.problem
    try:
        truth: Truth = truth_of(
            case.law,
            problem.model.vocabulary,
            case.pattern,
            max_tokens=problem.max_tokens,
            sampling=problem.sampling,
            start=case.start.tokens,
            most=MOST_PREFIXES,
        )
    except TooLarge:
        counts["too large"] += 1
        return []
    except Ambiguous:
        counts["ambiguous"] += 1
        return []
    if case.dull(truth):
        counts["dull"] += 1
        return []
    masses.TOP, masses.MORE = case.top, case.more
    tree = MassTree(problem, case.start)
    follower = np.random.default_rng(len(truth.reached))
    runs = list(truth.runs)
    every = max(1, len(truth.reached) // case.batch // MOST_CHECKS)
    lowest, highest = -np.inf, np.inf
    for step, claims in enumerate(every_budget(tree, case.batch, case.aim)):
        if case.follows and runs and follower.random() < 0.3:  # draws of other methods come between
            follow(tree, runs[follower.integers(len(runs))])
            claims = snapshot(tree)
        low, high = claims.log_z.lower, claims.log_z.upper
        # Each token that is looked into widens a mass by delta.
        slack = tree.delta * problem.max_tokens + 1e-12 * max(1.0, abs(low) if low > -np.inf else 1)
        if low < lowest - slack or high > highest + slack:
            return [f"step {step}: log Z went from {lowest}, {highest} to {low}, {high}"]
        lowest, highest = max(low, lowest), min(high, highest)
        if step % every == 0 or claims.status == "exact":
            counts["snapshots"] += 1
            counts["claims"] += 5 * len(claims.texts) + len(tree.nodes) + 10
            wrong = complaints(tree, claims, truth)
            if wrong:
                return [f"step {step}: {line}" for line in wrong]
    counts["problems"] += 1
    counts["live" if case.about["live"] else "toys"] += 1
    counts["with a rest"] += case.top < 32
    counts["settled"] += bool(len(tree.sure))
    counts["cut"] += bool(truth.cut)
    counts["dead ends"] += bool(truth.dead)
    counts["nothing valid"] += not truth.z
    counts["noisy"] += bool(case.about["noise"])
    return []


def report(seed: int, number: int, mild: bool, about: dict[str, Any], wrong: list[str]) -> None:
    """All that it takes to see a violation again."""
    again = f"python -m tests.fuzz_bounds --seed {seed} --only {number}" + " --mild" * mild
    print(f"VIOLATION in case {number}: {again}")
    for line in wrong[:20]:
        print("   ", line)
    print(json.dumps(about, default=str), flush=True)


def main() -> int:
    """Status 1 if a claim was false."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, help="run this one case")
    parser.add_argument("--mild", action="store_true", help="no absurdly small weights")
    parser.add_argument("--go-on", action="store_true", help="don't stop at a violation")
    chosen = parser.parse_args()
    warnings.simplefilter("error")
    posterior_module.SHOWN = 10**6
    started = told = time.monotonic()
    counts: Counter[str] = Counter()
    number = chosen.only or 0
    while True:
        about: dict[str, Any] = {}
        try:
            case = drawn(chosen.seed, number, chosen.mild)
            about = case.about
            wrong = tried(case, counts)
        except Exception:  # noqa: BLE001 - whatever it is, it is a finding
            wrong = traceback.format_exc().splitlines()[-12:]
        if wrong:
            counts["violations"] += 1
            report(chosen.seed, number, chosen.mild, about, wrong)
            if not chosen.go_on:
                return 1
        now = time.monotonic()
        number += 1
        over = now - started > 60 * chosen.minutes or chosen.only is not None
        if over or now - told > 60:
            told = now
            print(f"{(now - started) / 60:.1f} min, {number} cases:", dict(counts), flush=True)
        if over:
            return 1 if counts["violations"] else 0


if __name__ == "__main__":
    sys.exit(main())
