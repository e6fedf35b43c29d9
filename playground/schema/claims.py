"""What engines publish about their speed: who says so, by whose measurement, and what is seen here."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Claim:
    """One published figure."""

    claim: str
    source: str
    whose: str
    """Whose benchmark it is."""
    beside: str
    """What is measured on this page or by `make bench` that comes nearest to it."""
    figure: str
    """The name of that measurement in `prefix.figures`; empty where there is none here."""


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "The allowed tokens of a state are looked up in O(1) on average.",
        "Willard and Louf 2023, arXiv:2307.09702",
        "The authors' argument for an index built beforehand, with a comparison to Guidance.",
        "The kept mask of a state against a scan of every token.",
        "kept_against_naive",
    ),
    Claim(
        "Masks up to 100 times faster than earlier engines.",
        "XGrammar, Dong et al. 2024, arXiv:2411.15100",
        "The authors', per token, on JSON Schema and JSON grammars.",
        "XGrammar's mask, computed anew, against a scan of every token.",
        "xgrammar_against_naive",
    ),
    Claim(
        "Up to 80 times faster end to end.",
        "XGrammar, Dong et al. 2024, arXiv:2411.15100",
        "The authors', serving Llama 3.1 on an H100 against other engines.",
        "Nothing here: no server under load is run.",
        "",
    ),
    Claim(
        "Up to 5 times less time per output token under load.",
        "vLLM's post on structured decoding, January 2025",
        "The vLLM team's, XGrammar against Outlines as its backends at that time.",
        "Nothing here: no server under load is run.",
        "",
    ),
    Claim(
        "Constraining costs a few percent of a step, or less.",
        "XGrammar and Outlines, in their papers and documentation",
        "The authors', beside models that take tens of milliseconds a token.",
        "The exact mask, computed anew, as a share of mask and forward pass.",
        "mask_share",
    ),
)


def claims(figures: dict[str, float | None]) -> list[dict[str, str | float | None]]:
    """The claims, each beside what was measured here: `figures` by name, ratios or shares."""
    return [
        {
            "claim": each.claim,
            "source": each.source,
            "whose": each.whose,
            "beside": each.beside,
            "figure": each.figure or None,
            "measured": figures.get(each.figure) if each.figure else None,
        }
        for each in CLAIMS
    ]
