"""What a study's report is made of: texts made safe, tables, bars, things that open."""

import html
import re
from collections.abc import Iterable, Sequence

from playground.study.readings import Auc, Bounds, Cost, Paired, Rate
from playground.views.numbers import DASH, probability

LONGEST = 2_000
"""Characters of a prompt or an output that are shown."""
LABEL = 200
"""Characters of a text inside a line that are shown."""

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def safe(text: str) -> str:
    """`text` as HTML's text or a quoted attribute: nothing in it is markup, what has no glyph is
    shown by a sign, and halves of surrogate pairs stand as escapes."""
    plain = text.encode("utf-8", "backslashreplace").decode()
    return html.escape(_CONTROL.sub(_sign, plain))


def _sign(found: re.Match[str]) -> str:
    code = ord(found[0])
    return chr(0x2421 if code == 0x7F else 0x2400 + code)


def said(text: str) -> str:
    """A visitor's or a model's text inside a line, cut at LABEL: its direction ends where it ends."""
    shown = text if len(text) <= LABEL else f"{text[: LABEL - 1]}…"
    return f"<bdi>{safe(shown)}</bdi>"


def quoted(text: str, longest: int | None = LONGEST) -> str:
    """A longer text in a box of its own, cut at `longest`; whole if None."""
    more = 0 if longest is None else len(text) - longest
    cut = f"\n… {more:,} characters more" if more > 0 else ""
    return f'<pre dir="auto" tabindex="0">{safe(text[:longest])}{cut}</pre>'


def opening(title: str, body: str) -> str:
    """A line that opens `body`; both are HTML."""
    return f"<details><summary>{title}</summary>{body}</details>"


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[str]], words: int = 1) -> str:
    """A table that scrolls where it is too wide; cells are HTML, the first one of a row names it.

    Args:
        words: so many columns, the first ones, hold words rather than numbers.
    """
    first = "".join(
        f'<th scope="col"{_words(at, words)}>{cell}</th>' for at, cell in enumerate(head)
    )
    body = "".join(
        f'<tr><th scope="row">{row[0]}</th>'
        + "".join(f"<td{_words(at, words)}>{cell}</td>" for at, cell in enumerate(row[1:], 1))
        + "</tr>"
        for row in rows
    )
    return (
        f'<p class="quiet">{safe(caption)}</p>'
        f'<div class="scroll" tabindex="0" role="region" aria-label="{safe(caption)}"><table>'
        f"<thead><tr>{first}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _words(at: int, words: int) -> str:
    return ' class="words"' if 0 < at < words else ""


def points(found: Paired) -> str:
    """A difference of two rates with its interval, in points of a hundred."""
    if found.difference is None or found.lower is None or found.upper is None:
        return DASH
    value, low, high = (_points(each) for each in (found.difference, found.lower, found.upper))
    return f"{value} points<small>interval {low} to {high}</small>"


def _points(value: float) -> str:
    """With a sign and one digit, more where it would read as 0: two rates of 1,000 prompts differ
    by 0.1 at least."""
    digits = 1
    while value and digits < 6 and abs(100 * value) < 0.5 * 10**-digits:
        digits += 1
    return f"{100 * value + 0.0:+.{digits}f}".replace("-", "−")


def share(rate: Rate, strong: bool = False) -> str:
    """A rate with its interval; the share is put forward only if `strong`."""
    if rate.value is None:
        return DASH
    value = probability(rate.value)
    return (f"<b>{value}</b>" if strong else value) + f"<small>{ends(rate)}</small>"


def ends(rate: Rate) -> str:
    """The interval of a rate in words."""
    if rate.lower is None or rate.upper is None:
        return "no interval"
    return f"{probability(rate.lower)} to {probability(rate.upper)}"


def of(rate: Rate) -> str:
    """A rate as a count: `3 of 50`, with its share and interval under it."""
    if rate.value is None:
        return f"0 of 0<small>{DASH}</small>"
    return f"{rate.count} of {rate.n}<small>{probability(rate.value)}, {ends(rate)}</small>"


def per_valid(cost: Cost) -> str:
    """What a valid output took, all others paid; in the mean of an output under it."""
    return f"{amount(cost.per_valid)}<small>{amount(cost.mean)} an output</small>"


def amount(value: float | None) -> str:
    """A count or a mean of counts."""
    return DASH if value is None else f"{value:,.1f}".removesuffix(".0")


def score(auc: Auc) -> str:
    """An AUC with its interval, or why there is none."""
    if auc.value is None or auc.lower is None or auc.upper is None:
        return f"{DASH}<small>{auc.positives} and {auc.negatives}</small>"
    return f"{auc.value:.2f}<small>{auc.lower:.2f} to {auc.upper:.2f}</small>"


def proved(bounds: Bounds, of: str) -> str:
    """A mean that is known between bounds, over so many of what `of` names."""
    low, high = (f"{end:.4g}".replace("-", "−") for end in (bounds.lower, bounds.upper))
    value = low if low == high else f"{low} to {high}"
    return f"{value}, proved, over {bounds.n} {of}"


def bar(label: str, parts: Iterable[tuple[str, float]], rate: Rate | None) -> str:
    """A bar from 0 to 1: shares by the class of their pattern, and a mark with its interval."""
    out, start = [], 0.0
    for name, size in parts:
        if size > 0:
            out.append(f'<i class="{name}" style="left:{_at(start)};width:{_at(size)}"></i>')
        start += size
    if rate is not None and rate.lower is not None and rate.upper is not None:
        width = _at(rate.upper - rate.lower)
        out.append(f'<b style="left:{_at(rate.lower)};width:{width}"></b>')
    if rate is not None and rate.value is not None:
        out.append(f'<u style="left:{_at(rate.value)}"></u>')
    return f'<span>{label}</span><div class="bar">{"".join(out)}</div>'


def bars(title: str, each: Iterable[str]) -> str:
    """Bars one under another over a scale; the numbers stand in a table beside."""
    scale = (
        '<span></span><div class="scale"><span>0 %</span><span>50 %</span><span>100 %</span></div>'
    )
    return (
        f'<figure><figcaption>{safe(title)}</figcaption><div class="bars" aria-hidden="true">'
        f"{''.join(each)}{scale}</div></figure>"
    )


def _at(share: float) -> str:
    return f"{100 * share:.3f}%"
