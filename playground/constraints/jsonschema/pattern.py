r"""A `pattern` (ECMA 262 syntax, found anywhere in the string) as trees over whole strings.

Dialects differ in what `\d`, `\w`, `\s` and `.` hold: ECMA says ASCII digits, Python's `re`, which
the reference judge uses, all Unicode digits. So a pattern has a *narrow* reading, matched under
both, and a *wide* one, matched under either: to offer a string use the first, to exclude one
("keys that don't match") exclude the second. Then the mask is right under both.
"""

import re
import re._parser as sre  # type: ignore[import-not-found]  # private, but parses exactly `re`
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from playground.constraints.jsonschema.charset import (
    ALL,
    ASCII,
    DIGIT,
    Ranges,
    chars,
    complement,
    intersect,
    minus,
    normal,
    union,
)
from playground.constraints.jsonschema.rx import (
    ANYTHING,
    EPSILON,
    Rx,
    alt,
    cat,
    char,
    lengths,
    rep,
    size,
)

MAX_SIZE = 10_000
"""Longest pattern, in characters, when its repetitions are written out."""


class Untranslatable(Exception):
    """The pattern uses something that a regular language over characters can't express here."""


@dataclass(frozen=True, slots=True)
class Required:
    """One language that a string must be in, or with `negated` must not be in."""

    node: Rx
    negated: bool = False


_WORD = normal([(48, 57), (65, 90), (95, 95), (97, 122)])
_NOT_ASCII = complement(ASCII)
_SPACE_BOTH = union(
    chars("\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000"), ((0x2000, 0x200A),)
)
_SPACE_EITHER = union(_SPACE_BOTH, chars("\x1c\x1d\x1e\x1f\x85\ufeff"))
_DOT = {False: minus(ALL, chars("\n\r\u2028\u2029")), True: minus(ALL, chars("\n"))}


@lru_cache(maxsize=1)
def _unicode_digits() -> Ranges:
    return normal(
        (code, code) for code in range(0x20000) if unicodedata.category(chr(code)) == "Nd"
    )


def _category(name: str, wide: bool) -> Ranges:
    """A category's narrow or wide set; a negated one is the complement of the other reading."""
    if "NOT_" in name:
        return complement(_category(name.replace("NOT_", ""), not wide))
    if name == "CATEGORY_DIGIT":
        return _unicode_digits() if wide else DIGIT
    if name == "CATEGORY_WORD":
        return union(_WORD, _NOT_ASCII) if wide else _WORD
    return _SPACE_EITHER if wide else _SPACE_BOTH


@lru_cache(maxsize=256)
def parse(pattern: str, wide: bool = False) -> tuple[Required, ...]:
    """The languages whose intersection is the strings that `pattern` is found in.

    Raises:
        Untranslatable: with the reason, for people.
    """
    text = re.sub(r"\(\?<(?![=!])", "(?P<", pattern)
    for construct, name in ((r"\\[pP]\{", r"\p{...}"), (r"\\c[A-Za-z]", r"\c")):
        if re.search(r"(?<!\\)(?:\\\\)*" + construct, text):
            raise Untranslatable(f"it uses {name}")
    try:
        tree = sre.parse(text)
    except (re.error, RecursionError, OverflowError) as error:
        raise Untranslatable(f"it does not parse ({error})") from None
    if tree.state.flags & ~re.UNICODE:
        raise Untranslatable("it sets flags inside the pattern")
    found = tuple(_required(list(tree), wide))
    if any(size(each.node) > MAX_SIZE for each in found):
        raise Untranslatable("it repeats too often")
    return found


def _required(items: list[Any], wide: bool) -> Iterable[Required]:
    """Look-aheads right after a leading `^` become languages of their own."""
    looks: list[Required] = []
    if items and _is(items[0], "AT", "AT_BEGINNING"):
        while len(items) > 1 and str(items[1][0]) in ("ASSERT", "ASSERT_NOT"):
            op, (direction, body) = items.pop(1)
            if direction != 1:
                raise Untranslatable("it uses look-behind")
            negated = str(op) == "ASSERT_NOT"
            looks.append(Required(_searched([items[0], *body], wide != negated), negated))
    return [Required(_searched(items, wide)), *looks]


def _is(item: Any, op: str, argument: str) -> bool:
    return str(item[0]) == op and str(item[1]) == argument


def _searched(items: list[Any], wide: bool) -> Rx:
    """The whole strings in which the sequence is found."""
    out = []
    for begin, node, end in _anchored(items, wide):
        tail = alt(EPSILON, char(chars("\n"))) if end and wide else EPSILON
        out.append(cat(EPSILON if begin else ANYTHING, node, tail if end else ANYTHING))
    return alt(*out)


def _anchored(items: list[Any], wide: bool) -> list[tuple[bool, Rx, bool]]:
    """Ways to match the sequence: (starts at the string's start, tree, ends at its end)."""
    if not any(_has_anchor(item) for item in items):
        return [(False, cat(*(_tree(item, wide) for item in items)), False)]
    ways = [(False, EPSILON, False)]
    for item in items:
        found = _item_ways(item, wide)
        ways = [
            (begin or (here and not _nonempty(node)), cat(node, part), end or stop)
            for begin, node, end in ways
            for here, part, stop in found
            # A `^` after something, or anything after a `$`, matches only the empty text between.
            if not (here and _nonempty(node)) and not (end and _nonempty(part))
        ]
        if len(ways) > 64:
            raise Untranslatable("its anchors combine in too many ways")
    return ways


def _nonempty(node: Rx) -> bool:
    """The tree matches no empty text; one that may match it can't stand before `^` or after `$`."""
    span = lengths(node)
    if span is None or span[0] > 0:
        return True
    if span[1] != 0:
        raise Untranslatable("an anchor stands beside something optional")
    return False


def _item_ways(item: Any, wide: bool) -> list[tuple[bool, Rx, bool]]:
    op, argument = str(item[0]), item[1]
    if op == "AT":
        if str(argument) in ("AT_BEGINNING", "AT_BEGINNING_STRING"):
            return [(True, EPSILON, False)]
        if str(argument) in ("AT_END", "AT_END_STRING"):
            return [(False, EPSILON, True)]
        raise Untranslatable(r"it uses the word boundary \b")
    if not _has_anchor(item):
        return [(False, _tree(item, wide), False)]
    if op == "BRANCH":
        return [way for branch in argument[1] for way in _anchored(list(branch), wide)]
    if op == "SUBPATTERN" and not argument[1] and not argument[2]:
        return _anchored(list(argument[3]), wide)
    if op in ("MAX_REPEAT", "MIN_REPEAT") and tuple(argument[:2]) == (0, 1):
        return [(False, EPSILON, False), *_anchored(list(argument[2]), wide)]
    raise Untranslatable("it repeats an anchor")


def _has_anchor(item: Any) -> bool:
    op, argument = str(item[0]), item[1]
    if op == "AT":
        return True
    if op == "BRANCH":
        return any(_has_anchor(part) for branch in argument[1] for part in branch)
    if op == "SUBPATTERN":
        return any(_has_anchor(part) for part in argument[3])
    if op in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return any(_has_anchor(part) for part in argument[2])
    return False


_REFUSED = {
    "ASSERT": "it uses look-ahead or look-behind",
    "ASSERT_NOT": "it uses look-ahead or look-behind",
    "GROUPREF": "it uses a back-reference",
    "GROUPREF_EXISTS": "it uses a conditional group",
    "ATOMIC_GROUP": "it uses an atomic group",
    "POSSESSIVE_REPEAT": "it uses a possessive repetition",
}


def _tree(item: Any, wide: bool) -> Rx:
    op, argument = str(item[0]), item[1]
    if op == "LITERAL":
        return char(normal([(argument, argument)]))
    if op == "NOT_LITERAL":
        return char(complement(normal([(argument, argument)])))
    if op == "ANY":
        return char(_DOT[wide])
    if op == "IN":
        return char(_class(argument, wide))
    if op == "BRANCH":
        return alt(*(cat(*(_tree(part, wide) for part in branch)) for branch in argument[1]))
    if op == "SUBPATTERN":
        if argument[1] or argument[2]:
            raise Untranslatable("it sets flags inside the pattern")
        return cat(*(_tree(part, wide) for part in argument[3]))
    if op in ("MAX_REPEAT", "MIN_REPEAT"):
        low, high, body = argument
        top = None if str(high) == "MAXREPEAT" else int(high)
        return rep(cat(*(_tree(part, wide) for part in body)), int(low), top)
    raise Untranslatable(_REFUSED.get(op, f"it uses {op.lower()}"))


def _class(items: list[Any], wide: bool) -> Ranges:
    negated = bool(items) and str(items[0][0]) == "NEGATE"
    reading = wide != negated
    found: Ranges = ()
    for item in items:
        op, argument = str(item[0]), item[1]
        if op == "LITERAL":
            found = union(found, normal([(argument, argument)]))
        elif op == "RANGE":
            found = union(found, normal([argument]))
        elif op == "CATEGORY":
            found = union(found, _category(str(argument), reading))
    return complement(found) if negated else intersect(found, ALL)
