"""Numbers and tokens as the screens print them: small chances honestly, blanks visible.

The browser prints the same words (static/stage/format.js); a test holds the two together.
"""

import math
from decimal import ROUND_HALF_UP, Decimal

DASH = "–"

_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_WORDS = ((12, "trillion"), (9, "billion"), (6, "million"))


def probability(p: float | None) -> str:
    """A chance in 0..1 as words; a dash for None.

    From 1 % one decimal, from 0.01 % two, below it odds: 0.612 -> `61.2 %`, 0.0043 -> `0.43 %`,
    0.000043 -> `1 in 23,000`. Only exactly 0 is `0`, and only exactly 1 is `100 %`.
    """
    if p is None or math.isnan(p):
        return DASH
    if p <= 0.0:
        return "0"
    if p >= 1.0:
        return "100 %"
    return _inside(p, math.log10(p))


def chance_of_bits(b: float) -> str:
    """The chance 2^-b in words, for b >= 0 bits, also where it is too small for a float."""
    return "100 %" if b <= 0 else _inside(2.0**-b if b < 1000 else 0.0, -b * math.log10(2))


def bits(b: float | None) -> str:
    """An amount of information: `9.0 bits`; `∞ bits` for None, where all mass is blocked."""
    if b is None or b == math.inf:
        return "∞ bits"
    if b == 0:
        return "0 bits"
    if 0 < b < 0.05:
        return "< 0.1 bits"
    return f"{_fixed(b, 0 if b >= 1000 else 1)} bits".replace("-", "−")


def visible(text: str) -> str:
    """`text` with blanks and line ends shown by signs."""
    for blank, shown in ((" ", "␣"), ("\n", "↵"), ("\r", "⇤"), ("\t", "⇥"), ("\u00a0", "⍽")):
        text = text.replace(blank, shown)
    return text


def _fixed(x: float, digits: int) -> str:
    """`x` with so many decimals; an exact half rounds up, as browsers do."""
    return f"{Decimal(x).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP):,f}"


def _inside(p: float, log10p: float) -> str:
    if p >= 0.01:
        percent = _fixed(100 * p, 1)
        return "> 99.9 %" if percent == "100.0" else f"{percent} %"
    if p >= 1e-4:
        percent = _fixed(100 * p, 2)
        return "1.0 %" if percent == "1.00" else f"{percent} %"
    return _one_in(-log10p)


def _one_in(size: float) -> str:
    exponent = math.floor(size + 1e-12)
    mantissa = float(f"{10 ** (size - exponent):.1f}")
    if mantissa >= 10:
        mantissa, exponent = mantissa / 10, exponent + 1
    if exponent < 6:
        return f"1 in {mantissa * 10**exponent:,.0f}"
    for least, word in _WORDS:
        if least <= exponent < 15:
            return f"1 in {mantissa * 10 ** (exponent - least):.3g} {word}"
    power = f"10{str(exponent).translate(_SUPERSCRIPT)}"
    return f"1 in {power}" if mantissa == 1 else f"1 in {mantissa:.2g}·{power}"
