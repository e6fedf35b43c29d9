"""Match a pattern against one string in linear time, without Python's backtracking `re`."""

from functools import lru_cache

from playground.constraints.jsonschema.dfa import Language, TooComplex
from playground.constraints.jsonschema.pattern import Untranslatable, parse


@lru_cache(maxsize=256)
def _languages(pattern: str, wide: bool) -> tuple[Language, ...] | None:
    try:
        return tuple(Language(each.node, each.negated) for each in parse(pattern, wide))
    except (Untranslatable, TooComplex):
        return None


def matches(pattern: object, value: str, wide: bool = False) -> bool | None:
    """`pattern` is found in `value`, in its narrow or wide reading; None where nobody can tell."""
    languages = _languages(str(pattern), wide)
    if languages is None:
        return None
    return all(_accepts(language, value) for language in languages)


def _accepts(language: Language, value: str) -> bool:
    state = language.start
    for char in value:
        after = language.step(state, ord(char))
        if after is None:
            return False
        state = after
    return language.final(state)
