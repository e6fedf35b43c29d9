"""A study as one HTML file that loads nothing and runs nothing: to read, to print, to send."""

from collections.abc import Mapping, Sequence
from typing import Any

from playground.study.prompts.base import Item
from playground.study.recommend import Recommendation
from playground.study.row import Row
from playground.study.summary import Summary
from playground.views.numbers import DASH
from playground.views.study_parts import opening, quoted, safe, said
from playground.views.study_style import STYLE
from playground.views.study_tables import (
    categories,
    disagreements,
    failures,
    fields,
    methods,
    pairs,
    signs,
)

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""Of the file: whatever stands in it, it loads nothing and runs nothing."""


def report_html(
    document: Mapping[str, Any],
    summary: Summary,
    recommendation: Recommendation,
    rows: Sequence[Row],
    items: Sequence[Item],
    date: str,
) -> str:
    """The report.

    Args:
        document: of `study_document`: `spec`, `provenance`, `command` and `done` are read.
        summary: of `rows`.
        recommendation: of `summary`.
        rows: of the study, for the examples.
        items: its prompts, by index.
        date: of the report, as it should be printed.
    """
    by_place = {(row.index, row.method, row.draw): row for row in rows}
    name = document["spec"]["prompts"]
    body = [
        _head(document, summary, date),
        _advice(recommendation),
        methods(summary),
        categories(summary),
        failures(summary, by_place, items),
        fields(summary),
        pairs(summary),
        *(disagreements(pair, by_place, items) for pair in summary.disagreements),
        signs(summary),
        _asked(document, len(items)),
        _meaning(summary),
    ]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>Study of {safe(name)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(part for part in body if part)
        + "\n</main>\n</body>\n</html>\n"
    )


def _whole(text: str) -> str:
    """A sentence whose numbers keep their percent sign at the end of a line."""
    return safe(text).replace(" %", "\u00a0%")


def _head(document: Mapping[str, Any], summary: Summary, date: str) -> str:
    model = document["provenance"].get("model", document["spec"]["model"])
    parts = [
        f"<h1>Study of {said(document['spec']['prompts'])}</h1>",
        f'<p class="quiet">{summary.prompts:,} prompts, {len(summary.methods)} methods, '
        f"{summary.rows:,} outputs of {said(str(model))}. {safe(date)}</p>",
    ]
    if not document["done"]:
        parts.append(
            f'<p class="note"><b>Not finished.</b> {summary.rows:,} of {summary.expected:,} outputs '
            "are there: the first prompts, not a random part of them.</p>"
        )
    if summary.small:
        parts.append(
            f'<p class="note"><b>Few prompts.</b> {summary.prompts} are too few to rank methods by '
            "their shares: read the intervals.</p>"
        )
    return "".join(parts)


def _advice(found: Recommendation) -> str:
    reasons = "".join(f"<li>{_whole(reason.text)}</li>" for reason in found.reasons)
    return (
        f"<section><h2>What to use</h2><p><b>{safe(found.title)}</b></p><ul>{reasons}</ul>"
        '<p class="quiet">A rule of thumb on q, the share of unconstrained outputs that are valid; '
        "no proof.</p></section>"
    )


MEANT = {
    "n": "prompts to ask",
    "salvage": "retry and prefill are judged by the JSON found in the text: fences and words around "
    "it are left out first",
    "yes": "the model is asked of each valid answer whether it is right: p(yes)",
    "attempts": "most runs of a retry at one answer",
    "exact_rows": "positions that the model may read at each prompt to bound Z and TV; 0: not asked",
    "mask_order": "whether the mask comes before or after top-k and top-p",
    "torch_threads": "digits depend on them, as on what shares a batch",
}
"""What a setting is, where its name doesn't say it."""


def _asked(document: Mapping[str, Any], prompts: int) -> str:
    """The spec, the model, and the command; `prompts` are those that there are to ask."""
    spec = {**document["spec"], "n": prompts}
    settings = {
        name: value
        for name, value in spec.items()
        if name not in ("items", "constraint", "instruction", "sampling", "markers")
    }
    settings |= spec["sampling"]
    listed = "".join(
        f"<dt>{safe(str(name).replace('_', ' '))}</dt><dd>{said(_plain(value))}{_meant(name)}</dd>"
        for name, value in {**settings, **document["provenance"]}.items()
    )
    parts = [f"<dl>{listed}</dl>"]
    if spec["instruction"]:
        parts.append(opening("The instruction", quoted(spec["instruction"], None)))
    if spec["constraint"]:
        constraint = spec["constraint"]
        title = f"The constraint: {constraint['kind']}, engine {constraint['engine']}"
        parts.append(opening(safe(title), quoted(constraint["source"], None)))
    parts.append(f"<h3>To run it again</h3>{quoted(document['command'], None)}")
    return f"<section><h2>What was asked</h2>{''.join(parts)}</section>"


def _meant(name: str) -> str:
    return f"<small>{safe(MEANT[name])}</small>" if name in MEANT else ""


def _plain(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(_plain, value)) or DASH
    if isinstance(value, bool):
        return "yes" if value else "no"
    return DASH if value is None else str(value)


def _meaning(summary: Summary) -> str:
    used = dict.fromkeys(each.judge for each in summary.methods)
    judges = "".join(
        f"<li>{', '.join(said(m.label) for m in summary.methods if m.judge == judge)}: "
        f"{safe(summary.judges[judge])}</li>"
        for judge in used
    )
    laws = "".join(f"<li>{said(each.label)}: {safe(each.law)}</li>" for each in summary.methods)
    return (
        f"<section><h2>What the words mean</h2><p>{safe(summary.covers)}</p>"
        f"<h3>Valid is</h3><ul>{judges}</ul><h3>Draws are from</h3><ul>{laws}</ul></section>"
    )
