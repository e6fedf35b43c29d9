"""Whether what a search claims holds, against an enumeration."""

from decimal import Decimal, localcontext
from math import inf

import numpy as np

from playground.decoding.masses import MassTree
from playground.exact.interval import Interval
from playground.exact.laws import flow, next_tokens
from playground.exact.posterior import Posterior, TextMass
from tests.exact.enumerate import DIGITS, INFINITE, Truth

ROUNDING = Decimal("1e-15")
"""A bound itself is a float64: relative to the value, and to 1 for sums over texts."""

TINY = Decimal("1e-290")
"""Where plain numbers, which aren't bounds, may lose their digits."""


def complaints(tree: MassTree, posterior: Posterior, truth: Truth) -> list[str]:
    """Every claim of `posterior` and of its `tree` that is false, in words; masses that don't add
    up are among them."""
    with localcontext(DIGITS):
        wrong = [
            *_masses(tree, posterior, truth),
            *_texts(tree, posterior, truth),
            *_futures(tree, truth),
            *_next_tokens(tree, truth),
        ]
        if tree.size < 150 or posterior.status == "exact":  # many nodes make it slow
            wrong += [*_flow(tree, truth, 4), *_flow(tree, truth, 120)]
        if truth.z:
            wrong += _inside("TV", posterior.tv, truth.tv, ROUNDING * 10)
            wrong += _inside("KL", posterior.kl, truth.kl, ROUNDING * 10)
        return wrong


def _inside(
    name: str, claim: Interval, value: Decimal, absolute: Decimal = Decimal(0)
) -> list[str]:
    low, high = Decimal(float(claim.lower)), Decimal(float(claim.upper))
    if value == INFINITE:
        return [] if high == INFINITE else [f"{name}: infinite, claimed at most {high:.17g}"]
    slack = max(absolute, abs(value) * ROUNDING)
    if low - slack <= value <= high + slack:
        return []
    return [f"{name}: {value:.17g} is not in [{claim.lower!r}, {claim.upper!r}]"]


def _close(name: str, claim: float, value: Decimal, relative: float) -> list[str]:
    """`claim`, a float, within `relative` of `value`."""
    if abs(Decimal(float(claim)) - value) <= value * Decimal(relative) + TINY:
        return []
    return [f"{name}: {claim!r} is not {value:.17g}"]


def _masses(tree: MassTree, posterior: Posterior, truth: Truth) -> list[str]:
    wrong = _inside("Z", posterior.Z, truth.z)
    log_z = min(truth.z.ln(), Decimal(0)) if truth.z else -INFINITE
    low, high = Decimal(posterior.log_z.lower), Decimal(posterior.log_z.upper)
    if not low <= log_z <= high:
        wrong.append(f"log Z: {log_z:.17g} is not in [{low:.17g}, {high:.17g}]")
    # A row that was evicted is computed again when the rest of its children is opened.
    adds = 1e-9 + float(np.expm1(tree.delta * tree.problem.max_tokens))
    p = posterior.inside + posterior.open + posterior.outside
    if abs(p - 1) > adds:
        wrong.append(f"inside + open + outside = {p!r}")
    q = posterior.found_masked + posterior.open_masked + posterior.cut + posterior.dead
    if abs(q - 1) > adds:
        wrong.append(f"found~ + open~ + cut + dead = {q!r}")
    # An error of a log mass is at most delta a token; a found run has at most max_tokens.
    doubt = 1 + float(np.expm1(tree.delta * tree.problem.max_tokens)) + 1e-12
    for name, part, whole in (
        ("inside", posterior.inside, truth.z),
        ("cut", posterior.cut, truth.cut),
        ("dead", posterior.dead, truth.dead),
    ):
        if Decimal(part) > whole * Decimal(doubt) + TINY:
            wrong.append(f"{name}: {part!r} of only {whole:.17g}")
        if posterior.status == "exact":
            wrong += _close(name, part, whole, doubt - 1)
    if (posterior.status == "exact") != (len(tree.frontier) == 0):
        wrong.append(f"{posterior.status} with {len(tree.frontier)} open")
    return wrong


def _texts(tree: MassTree, posterior: Posterior, truth: Truth) -> list[str]:
    wrong = []
    seen = set()
    for claim in posterior.texts:
        name = repr(claim.text)
        if claim.text in seen:
            wrong.append(f"{name} is listed twice")
        seen.add(claim.text)
        p, q = truth.texts.get(claim.text, (Decimal(0), Decimal(0)))
        if claim.text not in truth.texts and claim.runs:
            wrong.append(f"{name} is not valid")
        wrong += _inside(f"p of {name}", claim.p, p)
        wrong += _inside(f"p~ of {name}", claim.masked, q)
        if truth.z:
            wrong += _inside(f"p_V of {name}", claim.conditional, p / truth.z)
            if p or q:
                squeeze = q / (p / truth.z) if p else INFINITE
                wrong += _inside(f"s of {name}", claim.squeeze, squeeze)
        total = truth.tokenisations.get(claim.text, 0)
        if claim.runs > total or (posterior.status == "exact" and claim.runs != total):
            wrong.append(f"{name}: {claim.runs} tokenisations of {total}")
        if claim.path:
            wrong += _path(claim, truth, tree.delta)
    if posterior.status == "exact" and not posterior.others:
        wrong += [f"{text!r} is missing" for text in truth.texts.keys() - seen]
    return wrong


def _path(claim: TextMass, truth: Truth, delta: float) -> list[str]:
    """The likeliest run found, its log p and the log Z_t of its steps."""
    name, path = repr(claim.text), claim.path
    if truth.spelled.get(path) != claim.text:
        return [f"{name}: the path {path} spells {truth.spelled.get(path)!r}"]
    if len(claim.log_zs) != len(path):
        return [f"{name}: {len(claim.log_zs)} values of Z_t for {len(path)} tokens"]
    wanted = [("log p", claim.log_p, truth.log_p(path), delta * len(path))]
    for i, log_z in enumerate(claim.log_zs):
        wanted.append((f"log Z_{i}", log_z, truth.log_step(path[:i]), delta))
    return [
        f"{name}: {what} is {value!r}, not {given!r}"
        for what, given, value, slack in wanted
        if given != value and not abs(given - value) <= slack + 2e-15 * max(1, abs(value))
    ]


def _futures(tree: MassTree, truth: Truth) -> list[str]:
    """F of every node, as valid mass through it. These bounds aren't widened: each is right to
    delta a token of the longest run."""
    wrong = []
    least, most = (bounds.tolist() for bounds in tree.futures())
    doubt = tree.delta * tree.problem.max_tokens + float(ROUNDING) * 10
    for node in range(len(tree.nodes)):
        run = tree.tokens(node)
        value = truth.log_through(run)
        if value is None and tree.links.rows["log_p"][node] == tree.nodes[node].log_q == -inf:
            continue  # neither law ever comes there
        if value is None:
            wrong.append(f"{run} is no valid prefix")
            continue
        slack = 0.0 if value == -inf else doubt + 2.3e-16 * abs(value) * tree.problem.max_tokens
        if not least[node] - slack <= value <= most[node] + slack:
            wrong.append(
                f"log F through {run}: {value!r}, not in [{least[node]!r}, {most[node]!r}]"
            )
    return wrong


def _next_tokens(tree: MassTree, truth: Truth) -> list[str]:
    """The exact law of the first token, and F after it."""
    wrong = []
    for claim in next_tokens(tree):
        run = (claim.token,)
        through = truth.runs[run][0] if run in truth.runs else truth.through.get(run, Decimal(0))
        reached = truth.runs[run][0] if run in truth.runs else truth.reached.get(run, Decimal(0))
        if reached:
            wrong += _inside(f"F after {run}", claim.future, through / reached)
        if truth.z:
            wrong += _inside(f"p_V of {run}", claim.conditional, through / truth.z)
    return wrong


def _flow(tree: MassTree, truth: Truth, most: int) -> list[str]:
    """The picture of the mass: what is drawn, and what is drawn as one."""
    wrong = []
    drawn = flow(tree, most)
    left: dict[int, Decimal] = {}
    for node in drawn:
        if node.kind == "rest":
            name, valid = f"the rest at {node.parent}", left[node.parent]
        else:
            run = tree.tokens(node.id) if node.kind != "end" else _ended(tree, node.id)
            name = f"{run} of a flow of {most}"
            valid = truth.runs[run][0] if node.kind == "end" else truth.through.get(run, Decimal(0))
            left[node.id] = valid
            if node.parent >= 0:
                left[node.parent] -= valid
        wrong += _inside(name, node.valid, valid, ROUNDING)
        if truth.z:
            wrong += _inside(f"share of {name}", node.share, valid / truth.z, ROUNDING)
    return wrong


def _ended(tree: MassTree, number: int) -> tuple[int, ...]:
    run = tree.found.rows[number - len(tree.nodes)]
    return (*tree.tokens(int(run["node"])), int(run["eos"]))
