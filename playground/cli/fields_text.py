"""What the tasks of `fields` found, for people who read it in a terminal."""

import json
from collections.abc import Iterator, Sequence

from playground.record import Document
from playground.views.numbers import DASH, probability


def tickets_said(n: int, asked: int | None) -> str:
    """How many test tickets the numbers are of, and that there are no more where more were asked."""
    more = f" ({asked:,} were asked; there are no more)" if asked is not None and asked > n else ""
    return f"{n} test ticket{'' if n == 1 else 's'}{more}"


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines whose cells stand under one another."""
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(str.ljust, row, wide)).rstrip() for row in rows]


def share(rate: Document | None) -> str:
    """A rate with its interval; a dash for none."""
    if rate is None or rate["value"] is None:
        return DASH
    if rate["lower"] is None:
        return probability(rate["value"])
    ends = f"{probability(rate['lower'])} to {probability(rate['upper'])}"
    return f"{probability(rate['value'])} ({ends})"


def between(ends: Sequence[float]) -> str:
    """A probability between two bounds: one number where they print alike."""
    low, high = map(probability, ends)
    return low if low == high else f"{low} to {high}"


def type_text(report: Document) -> str:
    """Of `types`."""
    found = report["type"]
    rows = [[each["name"], each["kind"], ", ".join(each["options"])] for each in found["fields"]]
    total = found["combinations"]
    # How many are allowed is the note of a type with rules.
    said = f"{total:,} record{'' if total == 1 else 's'}" + (
        ", all allowed" if found["allowed"] is None else ""
    )
    lines = [*columns(rows), "", said, *found["notes"]]
    lines += [f"{each['what']} {each['hint']}" for each in report["reasons"]]
    if report["free"]:
        lines.append(
            f"Left out, to be generated once these are decided: {', '.join(report['free'])}."
        )
    return "\n".join([*lines, f"hash {report['hash']}"])


def training_text(report: Document) -> str:
    """Of `train`."""
    sizes, epochs = report["sizes"], report["epochs"]
    lines = [
        f"{sizes['train']:,} tickets to train on, {sizes['dev']:,} of dev; losses in nats a record"
    ]
    if epochs:
        names = list(epochs[0]["dev_accuracy"])
        head = ["epoch", "train loss", "dev loss", *(f"{name} right on dev" for name in names)]
        rows = [
            [
                f"{each['epoch']}{' best' if each['epoch'] == report['best'] else ''}",
                f"{each['train_loss']:.3f}",
                f"{each['dev_loss']:.3f}",
                *(probability(each["dev_accuracy"][name]) for name in names),
            ]
            for each in epochs
        ]
        lines += ["", *columns([head, *rows]), ""]
    if report["stopped"]:
        kept = " The best epoch is kept." if report["parameters"] else " No head was made."
        lines.append(f"Stopped.{kept}")
    if report["parameters"]:
        warm = ", ".join(f"{name} {value:.2f}" for name, value in report["temperatures"].items())
        lines.append(f"{report['parameters']:,} parameters in {report['seconds']:.1f} s; temperatures "
                     f"fitted on dev: {warm}")  # fmt: skip
    for name, labels in report["untaught"]:
        lines.append(f"No built-in ticket has {name} {' or '.join(labels)}: training on them can't "
                     "teach it, it only makes it rarer.")  # fmt: skip
    kept = report["file"]
    lines.append(f"written to {kept}" if kept else "kept nowhere: add --out FILE")
    return "\n".join(lines)


def predicted_text(report: Document) -> str:
    """Of `predict`."""
    lines = decision_text(report) if report["kind"] == "decision" else scores_text(report)
    return "\n".join([*lines, *explained_text(report)])


def explained_text(report: Document) -> Iterator[str]:
    """The free texts that followed, and that nobody decided them."""
    found = report["explained"]
    if found is None:
        return
    names = ", ".join(report["free"])
    yield ""
    yield found["text"]
    yield f"{found['tokens']} decoding steps" + (
        "" if found["finished"] else ", cut off before its end"
    )
    yield (
        f"Only the typed fields are decided. Generated with them given: {names}. The law is that of the "
        f"mask for this constraint, {found['law']}."
    )


def decision_text(report: Document) -> Iterator[str]:
    """By a head."""
    rows = [["field", "decided", "confidence", "marginal", "all options"]]
    for each in report["fields"]:
        options = each["options"]
        law = ", ".join(f"{option['label']} {probability(option['p'])}" for option in options)
        numbers = probability(each["confidence"]), probability(each["marginal"])
        rows.append([each["name"], options[each["decided"]]["label"], *numbers, law])
    yield from columns(rows)
    yield ""
    yield json.dumps(report["record"], ensure_ascii=False)
    yield from report["stands"]
    yield (
        f"p of this record {probability(report['p_record'])}; total correlation "
        f"{report['tc_bits']:.3f} bits: {report['known']}"
    )
    cut = ", its end left out" if report["truncated"] else ""
    ms = report["ms"]
    yield f"{report['tokens']} tokens read{cut} in {ms['prefill']:.0f} ms, decided in {ms['head']:.1f} ms"


def scores_text(report: Document) -> Iterator[str]:
    """By the model's own scores."""
    rows = [["field", "likeliest", "p_V of each option", "none of these"]]
    for each in report["fields"]:
        law = ", ".join(f"{option['label']} {between(option['p_V'])}" for option in each["options"])
        rows.append([each["name"], each["best"], law, f"{between(each['none'])} ({each['known']})"])
    yield from columns(rows)
    yield ""
    if report["record"] is not None:
        yield json.dumps(report["record"], ensure_ascii=False)
        yield from report["stands"]
    yield report["counted"]
    yield from dict.fromkeys(each["note"] for each in report["fields"] if each["note"])
    if report["normalised"]:
        for each in report["fields"]:
            flipped = each["flipped"] or "the same"
            yield f"{each['name']}: the mean log p per token would choose {flipped}"
        yield report["warning"]


def evaluation_text(report: Document) -> str:
    """Of `evaluate`."""
    said = tickets_said(report["n"]["test"], report["asked"])
    lines = [f"{said}; 95 % intervals, Clopper-Pearson", ""]
    rows = [["field", "right", "commonest", "NLL", "at T", "ECE", "at T", "chance alone", "T"]]
    for each in report["fields"]:
        rows.append(
            [
                each["name"],
                share(each["accuracy"]),
                probability(each["majority"]),
                digits(each["nll"]),
                digits(each["nll_after"]),
                digits(each["ece"]),
                digits(each["ece_after"]),
                digits(each["ece_by_chance"]),
                f"{each['temperature']:.2f}",
            ]
        )
    lines += [*columns(rows), "", f"whole record right: {share(report['record_right'])}", ""]
    lines.append(f"Incoherent: {report['incoherent_means']}.")
    lines += columns([[each["of"], share(each)] for each in report["incoherent"]])
    lines += ["", *correlation_text(report)]
    lines += ["", "Passed on to a person where that costs less than the expected mistake"]
    policies = report["policy"].items()
    lines += [f"{name}: {_point(found['expected'])}" for name, found in policies]
    if report["n"]["dev"] is None:
        return "\n".join([*lines, "", "The file doesn't say which tickets were the head's dev: no "
                          "threshold is chosen."])  # fmt: skip
    lines += [
        "",
        f"Passed on below a confidence that costs least on {report['n']['dev']} tickets of dev",
    ]
    for name, found in policies:
        least = found["least"]
        lines.append(f"{name}, below {probability(least['threshold'])}: {_point(least)}")
    return "\n".join(lines)


def correlation_text(report: Document) -> list[str]:
    """What two fields say of each other: once the ticket is read, and before it is."""
    rows = [["Total correlation, bits", "given the ticket", "", "over all tickets", ""],
            ["", "this head, mean (95 %)", "right answers", "this head", "right answers"]]  # fmt: skip
    for each in report["tc"]:
        rows.append(
            [
                f"{each['a']} and {each['b']}",
                f"{each['value']:.3f} ({each['lower']:.3f} to {each['upper']:.3f})",
                *(f"{each[name]:.3f}" for name in ("gold", "mixed", "gold_mixed")),
            ]
        )
    return [
        *columns(rows),
        "Given the ticket: what the fields still say of each other once it is read, and a factorised "
        "head loses. Over all tickets: before any is read, most of which the ticket explains.",
    ]


def _point(found: Document) -> str:
    """A policy's outcome on test."""
    right = DASH if found["accuracy"] is None else probability(found["accuracy"])
    ends = f"{found['cost_low']:.3f} to {found['cost_high']:.3f}"
    same = "the same for every ticket here; of others of their kind " if found["same"] else ""
    return (
        f"{probability(found['coverage'])} answered, {right} of them right, cost "
        f"{found['cost']:.3f} a ticket ({same}{ends})"
    )


def coherence_text(report: Document) -> str:
    """Of `country`."""
    (a, b), joint, product = report["names"], report["joint"], report["product"]
    rows = [[a, b, "together", "each alone"]]
    for at, first in enumerate(report["options"]["a"]):
        for to, second in enumerate(report["options"]["b"]):
            rows.append([first, second, probability(joint[at][to]), probability(product[at][to])])
    wrong = ", ".join(f"{name} {probability(p)}" for name, p in report["incoherent"].items())
    return "\n".join(
        [
            *columns(rows),
            "",
            f"total correlation {report['tc_bits']:g} bit; incoherent: {wrong}: {report['known']}",
        ]
    )


def digits(value: float | None, places: int = 3) -> str:
    """With so many places after the point; a dash for none."""
    return DASH if value is None else f"{value:.{places}f}"
