"""A phrase grammar: texts with holes, filled from rules that may hold holes again, by a seed."""

import random
import re
from collections.abc import Mapping, Sequence

Rules = Mapping[str, Sequence[str]]
"""Symbol -> its alternatives. `{symbol}` in an alternative is a hole; one alternative of every
rule, the first, must lead to an end without recursion."""

HOLE = re.compile(r"\{(\w+)\}")
DEEPEST = 6
"""Levels after which a rule takes its first alternative."""


class Phrases:
    """Draws texts from rules. Equal rules and equal states of `rng` give equal texts."""

    def __init__(self, rules: Rules, rng: random.Random) -> None:
        self.rules = rules
        self.rng = rng
        self._drawn: set[tuple[str, str]] = set()

    def fill(self, text: str, fixed: dict[str, str]) -> str:
        """`text` without holes.

        Args:
            text: holes are `{symbol}`.
            fixed: symbols that are settled for the whole text. A symbol that starts with `the_`
                is settled when first drawn, and added.

        No alternative is drawn twice by one object as long as its rule has others.

        Raises:
            KeyError: a hole has neither a fixed text nor a rule.
        """
        return self._fill(text, fixed, 0)

    def _fill(self, text: str, fixed: dict[str, str], depth: int) -> str:
        def hole(match: re.Match[str]) -> str:
            symbol = match[1]
            if symbol in fixed:
                return fixed[symbol]
            chosen = self._choose(symbol, depth)
            filled = self._fill(chosen, fixed, depth + 1)
            if symbol.startswith("the_"):
                fixed[symbol] = filled
            return filled

        return HOLE.sub(hole, text)

    def _choose(self, symbol: str, depth: int) -> str:
        alternatives = self.rules[symbol]
        if depth >= DEEPEST:
            return alternatives[0]
        fresh = [each for each in alternatives if (symbol, each) not in self._drawn]
        chosen = self.rng.choice(fresh or alternatives)
        self._drawn.add((symbol, chosen))
        return chosen


def skeleton(template: str) -> str:
    """A template with all of its holes alike: what its texts have in common."""
    return HOLE.sub("{}", template).casefold()


def capital(text: str) -> str:
    """The first letter as a capital, the rest as it is."""
    return text[:1].upper() + text[1:]
