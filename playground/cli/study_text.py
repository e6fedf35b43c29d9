"""A study for people who read it in a terminal."""

from typing import Any

from playground.record import Document
from playground.study.row import CATEGORIES, EXPLAINED
from playground.views.numbers import DASH, probability

HEAD = f"{'method':<14} {'valid':>7}  {'95 % interval':<18} {'right':>9} {'tokens/valid':>12} {'runs/valid':>10}"


def text(report: Document) -> str:
    """The document of `study`, or of a sweep, as plain text."""
    lines = _sweep(report) if "sweep" in report else _study(report)
    return "\n".join([*lines, "", f"again: {report['command']}"])


def _study(report: Document) -> list[str]:
    summary = report["summary"]
    some = "" if report["done"] else f" (stopped; {summary['expected']} were asked for)"
    lines = [
        f"{report['spec']['prompts']}: {summary['prompts']} prompts, {summary['rows']} rows{some}, "
        f"{report['provenance'].get('model', report['spec']['model'])}",
        "",
        HEAD,
    ]
    lines += [_method(method) for method in summary["methods"]]
    if summary["small"]:
        lines.append("Few prompts: read the intervals, not the shares.")
    judges = {method["label"]: method["judge"] for method in summary["methods"]}
    for judge in dict.fromkeys(judges.values()):
        labels = ", ".join(label for label, by in judges.items() if by == judge)
        lines.append(f"valid of {labels}: {summary['judges'][judge]}")
    lines += ["", *_categories(summary), *_failures(summary), *_signs(summary)]
    lines += ["", summary["covers"], "", *_recommendation(report["recommendation"])]
    return lines


def _method(method: Document) -> str:
    right = method["right"]
    of_all = DASH if right["value"] is None else probability(right["value"])
    return (
        f"{method['label']:<14} {_share(method['valid']):>7}  {_ends(method['valid']):<18} "
        f"{of_all:>9} {_amount(method['tokens']['per_valid']):>12} "
        f"{_amount(method['attempts']['per_valid']):>10}"
    )


def _categories(summary: Document) -> list[str]:
    columns = [method["categories"] for method in summary["methods"]]
    kinds = [kind for kind in CATEGORIES if any(each[kind]["count"] for each in columns)]
    lines = [f"{'method':<14}" + "".join(f"{CATEGORIES[kind]:>22}" for kind in kinds)]
    for method in summary["methods"]:
        counts = "".join(f"{method['categories'][kind]['count']:>22}" for kind in kinds)
        lines.append(f"{method['label']:<14}{counts}")
    said = [f"{CATEGORIES[kind]}: {EXPLAINED[kind]}" for kind in kinds if kind in EXPLAINED]
    return [*lines, *said]


def _failures(summary: Document) -> list[str]:
    lines = [
        f"{method['label']:<14} {failure['count']:>5}  {failure['words']}. {failure['advice']}"
        for method in summary["methods"]
        for failure in method["failures"]
    ]
    return ["", "Why outputs are invalid as they stand", *lines] if lines else []


def _signs(summary: Document) -> list[str]:
    """Fields, disagreements, alarms, AUC and bounds, where there are any."""
    lines = []
    for method in summary["methods"]:
        for name, field in method["fields"].items() if method["valid"]["count"] else ():
            shown = repr(name) if name else "the answer"
            lines.append(f"{method['label']}: {shown} right in {_rate(field['of_valid'])} of valid")
        for pointer, found in method["ungrounded"].items() if method["valid"]["count"] else ():
            lines.append(f"{method['label']}: {pointer} isn't in the source in {_rate(found)}")
        for auc, sign in (("log_p_auc", "low log p"), ("yes_auc", "low p(yes)")):
            if (found := method[auc])["value"] is not None:
                lines.append(f"{method['label']}: {_auc(sign, found)}")
        if method["bits"]["mean"] is not None:
            lines.append(f"{method['label']}: masked away {method['bits']['mean']:.1f} bits a run")
    lines += [
        f"{pair['constrained']} and {pair['conditional']} differ in {_rate(pair['share'])}"
        for pair in summary["disagreements"]
        if pair["share"]["n"]
    ]
    for alarm in summary["alarms"]:
        if (mean := alarm["drop"]["mean"]) is not None:
            lines.append(
                f"{alarm['constrained']}: {abs(mean):.2f} nats a token {'below' if mean > 0 else 'above'} "
                f"{alarm['free']}" + (", alarm" if alarm["raised"] else "")
            )
    for name in ("z", "tv"):
        if (bounds := summary[name]) is not None:
            lines.append(
                f"mean {name.upper()} over {bounds['n']} prompts, proved: "
                f"{bounds['lower']:.4g} .. {bounds['upper']:.4g}"
            )
    return ["", *lines] if lines else []


def _auc(sign: str, found: Document) -> str:
    """An AUC; that the sign flags wrong answers only where its interval is above chance."""
    flags = f"; {sign} flags them" if found["lower"] > 0.5 else ""
    figures = f"{found['value']:.2f} [{found['lower']:.2f}, {found['upper']:.2f}]"
    return f"AUC of {sign} for wrong answers {figures}{flags}"


def _recommendation(found: Document) -> list[str]:
    return [
        f"By the rule of thumb: {found['title']}",
        *(f"- {r['text']}" for r in found["reasons"]),
    ]


def _sweep(report: Document) -> list[str]:
    """The valid rate of each method at each value."""
    lines = [f"{report['sweep']:<12} {'method':<14} {'valid':>7}  95 % interval"]
    lines += [
        f"{study['value']:<12g} {method['label']:<14} {_share(method['valid']):>7}  "
        f"{_ends(method['valid'])}"
        for study in report["studies"]
        for method in study["summary"]["methods"]
    ]
    lines.append("Each value has the same prompts and seed, so that rows hang together.")
    return lines if report["done"] else [*lines, "Stopped before the last value."]


def _share(rate: Document) -> str:
    return DASH if rate["value"] is None else probability(rate["value"])


def _ends(rate: Document) -> str:
    if rate["lower"] is None:
        return DASH
    return f"{probability(rate['lower'])} to {probability(rate['upper'])}"


def _rate(rate: Document) -> str:
    ends = "" if rate["lower"] is None else f" ({_ends(rate)})"
    return f"{rate['count']} of {rate['n']}{ends}"


def _amount(value: Any) -> str:
    return DASH if value is None else f"{value:,.1f}"
