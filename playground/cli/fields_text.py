"""What the tasks of `fields` found, for people who read it in a terminal."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from playground.record import Document
from playground.views.numbers import DASH, probability


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
    allowed = "all allowed" if found["allowed"] is None else f"{found['allowed']:,} allowed"
    lines = [*columns(rows), "", f"{found['combinations']:,} records, {allowed}", *found["notes"]]
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
    kept = report["file"]
    lines.append(f"written to {kept}" if kept else "kept nowhere: add --out FILE")
    return "\n".join(lines)


def predicted_text(report: Document) -> str:
    """Of `predict`."""
    lines = decision_text(report) if report["kind"] == "decision" else scores_text(report)
    return "\n".join(lines)


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
    yield report["counted"]
    yield from dict.fromkeys(each["note"] for each in report["fields"] if each["note"])
    if report["normalised"]:
        for each in report["fields"]:
            flipped = each["flipped"] or "the same"
            yield f"{each['name']}: the mean log p per token would choose {flipped}"
        yield report["warning"]


def evaluation_text(report: Document) -> str:
    """Of `evaluate`."""
    lines = [f"{report['n']['test']} test tickets; 95 % intervals, Clopper-Pearson", ""]
    rows = [["field", "right", "commonest", "NLL", "at T", "ECE", "at T", "chance alone", "T"]]
    for each in report["fields"]:
        rows.append(
            [
                each["name"],
                share(each["accuracy"]),
                probability(each["majority"]),
                _digits(each["nll"]),
                _digits(each["nll_after"]),
                _digits(each["ece"]),
                _digits(each["ece_after"]),
                _digits(each["ece_by_chance"]),
                f"{each['temperature']:.2f}",
            ]
        )
    lines += [*columns(rows), "", f"whole record right: {share(report['record_right'])}", ""]
    lines.append(f"Incoherent: {report['incoherent_means']}.")
    lines += columns([[each["of"], share(each)] for each in report["incoherent"]])
    lines += ["", "Total correlation given the ticket, bits (right answers in brackets)"]
    lines += columns(
        [
            [
                f"{each['a']} and {each['b']}",
                f"{each['value']:.3f} ({each['lower']:.3f} to {each['upper']:.3f})",
                f"[{each['gold']:.3f}]",
            ]
            for each in report["tc"]
        ]
    )
    lines += ["", "Passed on to a person where that costs less than the expected mistake"]
    for name, found in report["policy"].items():
        point = found["expected"]
        lines.append(
            f"{name}: {probability(point['coverage'])} answered, {probability(point['accuracy'])} of "
            f"them right, cost {point['cost']:.3f} a ticket"
        )
    return "\n".join(lines)


def table_text(report: Document) -> str:
    """Of `table`."""
    lines = [f"{report['n']} test tickets; 95 % intervals, Clopper-Pearson", ""]
    lines += columns(table_cells(report))
    lines += ["", *table_words(report)]
    if report["stopped"]:
        lines.append("Stopped: what was done is shown.")
    lines += [f"{row['title']}: {row['note']}" for row in report["rows"]]
    return "\n".join([*lines, "", f"again: {report['command']}"])


def table_cells(report: Document) -> list[list[str]]:
    """The table's head and rows."""
    names = list(report["majority"])
    head = [
        "method",
        "valid",
        *names,
        "record right",
        "incoherent",
        "tokens",
        "passes",
        "time",
        "ECE",
    ]
    rows = [
        [
            row["title"],
            share(row["valid"]),
            *(share(row["fields"].get(name)) for name in names),
            share(row["right"]),
            share(row["incoherent"]),
            _digits(row["tokens"], 1),
            _digits(row["passes"], 1),
            DASH if row["ms"] is None else f"{row['ms']:,.0f} ms",
            _ece(row),
        ]
        for row in report["rows"]
    ]
    return [head, *rows]


def _ece(row: Document) -> str:
    if row["ece"] is None:
        return DASH
    return f"{row['ece']:.3f} (chance alone {row['ece_by_chance']:.3f})"


def table_words(report: Document) -> list[str]:
    """What the table is to be held against."""
    said = ", ".join(
        f"{name} {probability(each['value'])}" for name, each in report["majority"].items()
    )
    timed = max((row["timed"] for row in report["rows"]), default=0)
    return [
        f"Always the commonest training label is right in: {said}. Of the tickets' own labels "
        f"{share(report['gold_incoherent'])} never occur together in training.",
        f"Time: median of the first {timed} tickets, each answered alone from nothing kept. Tokens: "
        "sampled a ticket, in all attempts. Passes: of the model, one after another. Incoherent: of "
        "the records, those whose options never occur together among the training labels. ECE: of the "
        "confidence in the whole answer, 10 bins of equal width; chance alone: what it stays below in "
        "95 % of samples where confidence is exactly right.",
    ]


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


def _digits(value: Any, digits: int = 3) -> str:
    return DASH if value is None else f"{value:.{digits}f}"
