"""What is read off a comparison: q, distances to p_V, the alarm, where the laws disagree."""

import math

from playground.compare import Comparison, weights_hold
from playground.decoding.smc import ess
from playground.exact.estimates import (
    Estimate,
    acceptance,
    distance_slack,
    mean_weight,
    noise_floor,
    share,
)
from playground.exact.interval import Interval
from playground.exact.posterior import Posterior, TextMass
from playground.exact_record import interval_document
from playground.record import Document, number, show
from playground.study.pairs import ALARM
from playground.tally import Tally

DISAGREE = 0.01
"""Least |p~ - p_V| of a text on the list of disagreements."""
LISTED = 12
"""Most disagreements listed."""


def text_shares(tally: Tally) -> dict[bytes, Document]:
    """Each accepted text's share: of the accepted draws, by weight for weighted methods, or of all
    draws for a method whose law is stated of all of them."""
    if tally.method.weighted:
        logs = {text: _logsum(weights) for text, weights in tally.by_text.items()}
        total = _logsum(list(logs.values()))
        if total == -math.inf:
            return {}
        # Self-normalised weights are biased: no interval is claimed.
        return {text: {"value": math.exp(log - total), "p": None} for text, log in logs.items()}
    of = tally.accepted if tally.method.target in ("conditional", "other") else tally.draws
    claims = independent(tally)
    return {
        text: {
            "value": count / of,
            "p": interval_document(share(count, of)) if claims else None,
        }
        for text, count in tally.valid.items()
    }


def independent(tally: Tally) -> bool:
    """Its draws are independent and of one law, so that their shares can claim an interval: not weighed,
    and neither hanging together nor of their law only in the limit."""
    method = tally.method
    return not method.weighted and (method.exact or method.target != "conditional")


def _logsum(logs: list[float]) -> float:
    top = max(logs, default=-math.inf)
    if top == -math.inf:
        return top
    return top + math.log(sum(math.exp(log - top) for log in logs))


def estimates_of_q(state: Comparison) -> Document:
    """q by acceptance of plain draws, by the mean weight of constrained runs, and as certified."""
    ours = state.spec.accept == "language"
    certified = state.posterior.Z if ours and state.posterior is not None else None
    by_acceptance: Estimate | None = None
    by_weight: Estimate | None = None
    for tally in state.tallies.values():
        plain = tally.method.name in ("rejection", "unconstrained")
        if plain and tally.draws > (by_acceptance.n if by_acceptance else 0):
            by_acceptance = acceptance(tally.accepted, tally.draws)
        weighed = ours and weights_hold(state, tally)
        if weighed and tally.draws > (by_weight.n if by_weight else 0):
            by_weight = mean_weight(tally.log_weights, tally.log_first, certified)
    return {
        "acceptance": _estimate(by_acceptance),
        "weights": _estimate(by_weight),
        "certified": certified and interval_document(certified),
        "covers": any(weights_hold(state, tally) for tally in state.tallies.values()),
    }


def _estimate(estimate: Estimate | None) -> Document | None:
    if estimate is None:
        return None
    return {
        "value": estimate.value,
        **interval_document(estimate.interval),
        "n": estimate.n,
    }


def best_q(q: Document) -> Interval | None:
    """The narrowest of the intervals for q: certified, else by acceptance."""
    found = [q[name] for name in ("certified", "acceptance") if q[name] is not None]
    if not found:
        return None
    best = min(found, key=lambda bounds: bounds["upper"] - bounds["lower"])
    return Interval(best["lower"], best["upper"])


def distance(state: Comparison, tally: Tally) -> Document:
    """TV between what a method draws from and p_V, and how it is known."""
    posterior, method = state.posterior, tally.method

    def known(bounds: Interval, status: str, why: str) -> Document:
        return {**interval_document(bounds), "status": status, "why": why}

    if state.spec.accept != "language":
        return off("Another judge accepts here, so the accepted draws have another law.")
    if method.target == "conditional" and method.exact:
        if not tally.accepted:
            return off("Nothing was accepted yet: there are no draws whose law this could be.")
        return known(Interval.point(0.0), "exact", "Every accepted draw has the law p_V.")
    if method.target == "other" and not tally.accepted:
        return off("Nothing was accepted yet.")
    if posterior is None or posterior.Z.upper == 0.0:
        return off("p_V is not known: no search was made, or nothing valid has any mass.")
    if method.target == "p":
        z = posterior.Z
        return known(
            Interval(max(0.0, 1 - z.upper), 1 - z.lower),
            posterior.status,
            "1 - Z: all the mass of invalid texts is misplaced.",
        )
    plain = not state.problem.sampling.filtered
    if method.name == "masked" or (method.name == "engine-order" and plain):
        return known(posterior.tv, posterior.status, "Between the two laws, not the samples.")
    return measured(tally, posterior)


def off(why: str) -> Document:
    """No distance, and the reason."""
    return {"lower": None, "upper": None, "status": "off", "why": why}


def measured(tally: Tally, posterior: Posterior) -> Document:
    """TV of the shares drawn against p_V: an estimate, never below its noise. Its interval holds the
    distance of the law drawn from, by what the bounds of p_V and so few draws leave open."""
    shares = {text: row["value"] for text, row in text_shares(tally).items()}
    law = {text.text: text.conditional for text in posterior.texts}
    if not shares:
        return off("Nothing was accepted yet.")
    # The texts without a line of their own are one cell: merging never raises a distance.
    listed = sum(bounds.middle for bounds in law.values())
    apart = sum(abs(shares.get(text, 0.0) - bounds.middle) for text, bounds in law.items())
    unlisted = sum(share_ for text, share_ in shares.items() if text not in law)
    finished = sum(shares.values())
    apart += abs(unlisted - max(0.0, 1.0 - listed)) + max(0.0, 1.0 - finished)
    value = min(1.0, apart / 2)
    n = tally.accepted
    if tally.method.weighted:
        n = max(1, round(ess(tally.log_weights)))
    floor = noise_floor([bounds.middle for bounds in law.values()], n)
    slack = float(sum(bounds.width for bounds in law.values())) / 2
    slack += distance_slack(len(law) + 1, n)
    return {
        "value": value,
        "lower": max(0.0, value - slack),
        "upper": min(1.0, value + slack),
        "status": "estimated",
        "why": f"From the draws: {floor:.3f} would be noise alone. "
        + (
            "The interval is 95 %."
            if independent(tally)
            else "No coverage is claimed: draws that are weighed, or hang together."
        ),
    }


def alarm(state: Comparison) -> Document:
    """Whether the model finds constrained outputs less likely, token by token, than what it writes
    freely: a sign, not a proof, so what is proved is said beside it. Means are nats a token, under
    p, of the constrained outputs, of all unconstrained runs, of the valid ones by rejection."""
    means = {
        name: tally.mean_log_p
        for name in ("masked", "unconstrained", "rejection")
        if (tally := state.tallies.get(name)) is not None
    }
    constrained = means.get("masked")
    reference = means.get("rejection")
    free = "its own valid outputs"
    if reference is None:
        reference, free = means.get("unconstrained"), "what it writes freely"
    raised = None
    words = "It needs constrained outputs and free ones to compare."
    if constrained is not None and reference is not None and math.isfinite(constrained):
        raised = reference - constrained > ALARM
        than = "less likely than" if raised else "about as likely as"
        words = f"The model finds the constrained outputs {than} {free}."
        tv = state.posterior.tv if state.posterior is not None else None
        if tv is not None and raised and tv.upper < 0.05:
            words += " A false alarm: p~ is proved to be within 5 % of p_V."
        if tv is not None and not raised and tv.lower > 0.1:
            words += f" It stays silent though p~ is proved to be {tv.lower:.2f} or more from p_V."
    return {
        **{
            name: None if (mean := means.get(kind)) is None else number(mean)
            for name, kind in (
                ("constrained", "masked"),
                ("unconstrained", "unconstrained"),
                ("rejection", "rejection"),
            )
        },
        "threshold": ALARM,
        "raised": raised,
        "words": words,
    }


def disagreements(posterior: Posterior | None) -> list[Document]:
    """The texts whose p~ is proved to differ from p_V, the largest difference first."""
    if posterior is None:
        return []

    def apart(text: TextMass) -> float:
        return max(
            text.masked.lower - text.conditional.upper, text.conditional.lower - text.masked.upper
        )

    listed = sorted(posterior.texts, key=apart, reverse=True)
    return [
        {
            "text": show(text.text),
            "p_V": interval_document(text.conditional),
            "masked": interval_document(text.masked),
            "squeeze": interval_document(text.squeeze),
            "path": list(text.path if text.drawn is None else text.drawn.path),
        }
        for text in listed
        if apart(text) > DISAGREE
    ][:LISTED]
