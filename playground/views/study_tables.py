"""The tables and bars of a study's report, a section each; empty where there is nothing to say."""

from collections.abc import Mapping, Sequence

from playground.study.method_summary import Failure, MethodSummary, Where
from playground.study.pairs import Disagreements
from playground.study.prompts.base import Item
from playground.study.row import CATEGORIES, EXPLAINED, Row
from playground.study.summary import Summary
from playground.views.numbers import DASH
from playground.views.study_parts import (
    bar,
    bars,
    ends,
    of,
    opening,
    per_valid,
    points,
    proved,
    quoted,
    safe,
    said,
    score,
    share,
    table,
)

SHOWN = 12
"""Disagreements of a pair that are shown; the rows' files hold all."""

DRAWN = 12
"""Fields that are drawn; the table has all."""

Rows = Mapping[tuple[int, str, int], Row]
"""By prompt, label and draw."""


def methods(summary: Summary) -> str:
    """What each method gave, and what it took."""
    gold = summary.gold > 0
    head = ["method", "level", "valid", *(["right", "right of valid"] if gold else [])]
    head += ["tokens a valid", "steps a valid", "runs a valid", "rows a valid"]
    rows = [
        [
            f"{said(each.label)}<small>{safe(each.title)}</small>",
            each.level or DASH,
            share(each.valid, not each.small),
            *([share(each.right), share(each.right_when_valid)] if gold else []),
            *(per_valid(cost) for cost in (each.tokens, each.steps, each.attempts, each.rows)),
        ]
        for each in summary.methods
    ]
    chart = bars(
        "Valid rate: the mark is the share, the line its 95 % interval",
        (
            bar(f"{said(each.label)}{_salvaged(summary, each.label)}", (), each.valid)
            for each in summary.methods
        ),
    )
    caption = (
        "Estimates with 95 % intervals; what a valid output took counts the invalid ones too. Steps "
        "are tokens one after another, rows are positions that the model computed."
    )
    return f"<section><h2>Methods</h2>{chart}{table(caption, head, rows)}</section>"


def _salvaged(summary: Summary, *labels: str) -> str:
    """Which of the labels are judged after salvage; empty where all methods are, or none."""
    by = {each.label: each.judge for each in summary.methods}
    found = [label for label in labels if by[label] == "salvaged"]
    if not found or set(by.values()) == {"salvaged"}:
        return ""
    which = "" if len(labels) == 1 else f"{', '.join(said(each) for each in found)} "
    return f"<small>{which}after salvage</small>"


def categories(summary: Summary) -> str:
    """Right, wrong, invalid, truncated, gave up."""
    kinds = [
        kind for kind in CATEGORIES if any(each.categories[kind].count for each in summary.methods)
    ]
    key = "".join(f'<li><i class="{kind}"></i>{CATEGORIES[kind]}</li>' for kind in kinds)
    chart = bars(
        "What outputs come to: the mark and its line are the valid rate and its 95 % interval",
        (
            bar(
                said(each.label),
                ((kind, each.categories[kind].value or 0.0) for kind in kinds),
                each.valid,
            )
            for each in summary.methods
        ),
    )
    head = ["method", *(CATEGORIES[kind] for kind in kinds)]
    rows = [[said(each.label), *(of(each.categories[kind]) for kind in kinds)] for each in summary.methods]  # fmt: skip
    caption = "; ".join(
        [
            "Outputs of each kind, with 95 % intervals of each share by itself",
            *(f"{CATEGORIES[kind]}: {EXPLAINED[kind]}" for kind in kinds if kind in EXPLAINED),
        ]
    )
    return (
        f'<section><h2>Valid is not right</h2><ul class="key">{key}</ul>{chart}'
        f"{table(caption, head, rows)}</section>"
    )


def failures(summary: Summary, rows: Rows, items: Sequence[Item]) -> str:
    """Classes of what is invalid, with an example of each."""
    failing = [each for each in summary.methods if each.failures]
    if not failing:
        return ""
    classes = {failure.name: failure for each in failing for failure in each.failures}
    head = ["what is wrong", "what to do", *(said(each.label) for each in failing)]
    counts = [{failure.name: failure for failure in each.failures} for each in failing]
    lines = [
        [safe(found.words), safe(found.advice)] + [_failed(column.get(name)) for column in counts]
        for name, found in classes.items()
    ]
    caption = (
        "Outputs that aren't valid JSON of the schema as they stand, by the first thing to mend; "
        "salvage may have saved some. A truncated output is classed here by the first thing to mend, "
        "so that counts of 'truncated' differ from the outcomes above"
    )
    examples = "".join(
        opening(
            f"{safe(failure.words)}: {said(each.label)}, {failure.count} of {each.draws}",
            _example(failure.example, rows, items),
        )
        for each in failing
        for failure in each.failures
    )
    return (
        f"<section><h2>Why outputs are invalid</h2>{table(caption, head, lines, words=2)}"
        f"<h3>An example of each</h3>{examples}</section>"
    )


def _failed(failure: Failure | None) -> str:
    if failure is None:
        return "0"
    saved = failure.count - failure.refused
    return f"{failure.count}" + (f"<small>{saved} salvaged</small>" if saved else "")


def _example(where: Where, rows: Rows, items: Sequence[Item]) -> str:
    row = rows[where.index, where.method, where.draw]
    item = items[row.index]
    return (
        f'<p class="quiet">Prompt {said(item.id)}, draw {row.draw}</p>{quoted(item.prompt)}'
        f'<p class="quiet">Output</p>{quoted(row.text)}'
    )


def fields(summary: Summary) -> str:
    """How often each field is right, and whether the source holds its value."""
    names = list(dict.fromkeys(name for each in summary.methods for name in each.fields))
    pointers = list(dict.fromkeys(name for each in summary.methods for name in each.ungrounded))
    head = ["field", *(said(each.label) for each in summary.methods)]
    parts = []
    if names:
        rows = [[_named(name), *(_field(each, name) for each in summary.methods)] for name in names]
        chart = (
            bar(f"{_named(name)}, {said(each.label)}", (), each.fields[name].of_valid)
            for name in names[:DRAWN]
            for each in summary.methods
            if name in each.fields and each.fields[name].of_valid.n
        )
        parts.append(bars("Right, of valid outputs, with 95 % intervals", chart))
        parts.append(table("Share of valid outputs with the gold value", head, rows))
    if pointers:
        rows = [
            [said(pointer)]
            + [
                of(found) if (found := each.ungrounded.get(pointer)) else "0"
                for each in summary.methods
            ]
            for pointer in pointers
        ]
        parts.append(table("Valid outputs whose value the source doesn't hold", head, rows))
    return f"<section><h2>Field by field</h2>{''.join(parts)}</section>" if parts else ""


def _named(name: str) -> str:
    return said(name) if name else "the answer"


def _field(method: MethodSummary, name: str) -> str:
    return share(method.fields[name].of_valid) if name in method.fields else DASH


def pairs(summary: Summary) -> str:
    """Differences at the same prompts."""
    if not summary.pairs:
        return ""
    rows = [
        [
            f"{said(pair.a)} less {said(pair.b)}{_salvaged(summary, pair.a, pair.b)}",
            what,
            str(found.n),
            points(found),
            f"{found.only_a}",
            f"{found.only_b}",
            f"{found.p:.2g}",
        ]
        for pair in summary.pairs
        for what, found in (("valid", pair.valid), ("right", pair.right))
        if found.difference is not None and found.p is not None
    ]
    head = ["methods", "what", "prompts", "difference", "only the first", "only the second", "p"]
    caption = (
        "Two methods at the same prompts: Tango's interval, McNemar's exact p of that one test; who "
        "looks at many must allow for it"
    )
    return f"<section><h2>Method against method</h2>{table(caption, head, rows, words=2)}</section>"


def disagreements(pair: Disagreements, rows: Rows, items: Sequence[Item]) -> str:
    """Prompts at which constrained decoding and p_V answer differently."""
    if not pair.share.n:
        return ""
    shown = "".join(
        opening(
            f"{said(each.item)}: {_verdict(pair.constrained, each.constrained_right)}, "
            f"{_verdict(pair.conditional, each.conditional_right)}",
            quoted(items[each.index].prompt)
            + "".join(
                f'<p class="quiet">{said(where.method)}</p>'
                f"{quoted(rows[where.index, where.method, where.draw].text)}"
                for where in (each.constrained, each.conditional)
            ),
        )
        for each in pair.listed[:SHOWN]
    )
    more = pair.share.count - min(SHOWN, len(pair.listed))
    rest = f'<p class="quiet">{more} more are in the rows.</p>' if more > 0 else ""
    return (
        f"<section><h2>{said(pair.constrained)} against {said(pair.conditional)}</h2>"
        f"<p>They answer differently at {pair.share.count} of the {pair.share.n} prompts where both "
        f"are valid ({ends(pair.share)}). Two draws of one law differ too, wherever it isn't sure."
        f"</p>{shown}{rest}</section>"
    )


def _verdict(label: str, right: bool | None) -> str:
    return said(label) if right is None else f"{said(label)} {'right' if right else 'wrong'}"


def signs(summary: Summary) -> str:
    """What may flag a wrong answer, what the mask took, what is proved."""
    head = ["method", "log p a token", "AUC of low log p", "p(yes) if right", "p(yes) if wrong"]
    head += ["AUC of p(yes)", "bits masked away"]
    rows = [
        [
            said(each.label),
            _middle(each.mean_log_p.median, "nats"),
            score(each.log_p_auc),
            _middle(each.yes_right.median),
            _middle(each.yes_wrong.median),
            score(each.yes_auc),
            _middle(each.bits.median),
        ]
        for each in summary.methods
    ]
    caption = (
        "Medians; an AUC is the chance that a wrong answer scores worse than a right one, .5 is "
        "chance, with a 95 % interval (approximate), or how many wrong and right ones there are"
    )
    lines = [
        f"Mean log p a token of {said(alarm.free)} less that of {said(alarm.constrained)}: "
        f"{_middle(alarm.drop.mean)} nats{_margin(alarm.drop.lower, alarm.drop.upper)}, "
        f"{'the alarm rings' if alarm.raised else 'no alarm'}."
        for alarm in summary.alarms
        if alarm.drop.mean is not None
    ]
    of_mask = "with V the mask's language"
    proofs = ((f"Mean Z, {of_mask}", summary.z), (f"Mean TV of p~ to p_V, {of_mask}", summary.tv))
    lines += [f"{name}: {proved(found, 'prompts')}." for name, found in proofs if found is not None]
    lines += [
        f"Mean log2 squeeze of {said(each.label)}, {of_mask}: {proved(each.squeeze.mean, 'outputs')}; above 0 "
        f"for {each.squeeze.above}, below for {each.squeeze.below}."
        for each in summary.methods
        if each.squeeze is not None
    ]
    said_ = "".join(f"<li>{line}</li>" for line in lines)
    return (
        f"<section><h2>Signs of trouble</h2>{table(caption, head, rows)}<ul>{said_}</ul></section>"
    )


def _middle(value: float | None, unit: str = "") -> str:
    return DASH if value is None else f"{value:.2f} {unit}".strip().replace("-", "−")


def _margin(lower: float | None, upper: float | None) -> str:
    return "" if lower is None or upper is None else f" ({_middle(lower)} to {_middle(upper)})"
