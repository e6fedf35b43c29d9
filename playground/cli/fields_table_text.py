"""What `fields table` and `fields added` found, for people who read it in a terminal."""

from playground.cli.fields_text import between, columns, digits, share, tickets_said
from playground.record import Document
from playground.views.numbers import DASH, probability

_SHOWN = 90
"""Characters of a text in a row."""


def table_text(report: Document) -> str:
    """Of `table`."""
    trained = report["training"]
    lines = [
        f"{tickets_said(report['n'], report['asked'])}; 95 % intervals, Clopper-Pearson",
        f"heads trained on {trained['train']:,} tickets, {trained['dev']:,} of dev",
        "",
    ]
    lines += columns(table_cells(report))
    lines += ["", *table_words(report)]
    if report["stopped"]:
        missing = "".join(f" {each}." for each in report["missing"])
        lines.append(f"Stopped: what was done is shown.{missing}")
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
            digits(row["tokens"], 1),
            digits(row["passes"], 1),
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


def added_text(report: Document) -> str:
    """Of `added`."""
    rows = [["p_V", "chosen", "text"]]
    for each in (*report["texts"], *report["others"]):
        line = " ".join(each["text"].split())
        text = line if len(line) <= _SHOWN else f"{line[:_SHOWN]}..."
        rows.append([f"{between(each['p_V'])} ({each['known']})", each["chosen"], text])
    ours = columns(rows)
    cut = len(report["texts"]) + 1
    title = f"p_V: of {report['option']}, over the options of {report['field']}"
    return "\n".join(
        [title, "", *ours[:cut], "", "and test tickets, for which it is wrong", *ours[cut:], "",
         added_words(report)]
    )  # fmt: skip


def added_words(report: Document) -> str:
    """The figure in sentences."""
    head, option = report["head"], report["option"]
    right, wrong = report["chosen"], report["others_chosen"]
    return (
        f"An option added to {report['field']} after training, {option}, on {head['n']} built-in texts "
        f"that ask for it: a head trained before answers it in {head['chosen']} of {head['n']} "
        f"({head['known']}). The model that scores the options reads it in its prompt, with no training, "
        f"and finds it likeliest in {right['count']} of {right['n']}, {share(right)}; on {wrong['n']} test "
        f"tickets for which it is wrong in {wrong['count']}, {share(wrong)}. The chance that a text that "
        f"asks for it gives it more p_V than one of those tickets: {share(report['told_apart'])}. "
        "Estimates with 95 % intervals: rates Clopper-Pearson, the chance Newcombe's score interval."
    )
