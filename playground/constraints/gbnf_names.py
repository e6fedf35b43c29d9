"""Properties found in a sequence of trees, so that a grammar has a rule for each, by its name.

Which parts become a rule changes nothing of the language: a wrong guess is a badly named rule.
"""

from playground.constraints.gbnf_trees import Pool

_BLANKS = frozenset(((32, 32), (9, 10), (13, 13)))


def named(pool: Pool, parts: list[int]) -> list[int]:
    """The parts with `"key": value` pairs made rules of their own."""
    out: list[int] = []
    at = 0
    while at < len(parts):
        key, start = _key(pool, parts, at)
        if key is None:
            out.append(parts[at])
            at += 1
            continue
        end = _value_end(pool, parts, start)
        pair = pool.seq([*parts[at:start], *named(pool, parts[start:end])])
        pool.name(pair, key)
        out.append(pair)
        at = end
    return out


def _key(pool: Pool, parts: list[int], at: int) -> tuple[str | None, int]:
    """The key that begins at a place and where its value begins; None where none does."""
    text, escaped = "", False
    if _char(pool, parts, at) != '"':
        return None, at
    at += 1
    while (char := _char(pool, parts, at)) is not None and (escaped or char != '"'):
        escaped = char == "\\" and not escaped
        text += char
        at += 1
    if char is None:
        return None, at
    at = _after_blanks(pool, parts, at + 1)
    if _char(pool, parts, at) != ":":
        return None, at
    return text, _after_blanks(pool, parts, at + 1)


def _value_end(pool: Pool, parts: list[int], start: int) -> int:
    """Where the value that begins at `start` ends, as far as brackets and quotes tell."""
    depth, quoted, escaped = 0, False, False
    at = start
    while at < len(parts):
        char = _char(pool, parts, at)
        if quoted:
            quoted = char != '"' or escaped
            escaped = char == "\\" and not escaped
            if not quoted and not depth:
                return at + 1
        elif char is None:
            if not depth and at > start and _separates(pool, parts[at]):
                return at
        elif char == '"':
            quoted = True
        elif char in "{[":
            depth += 1
        elif char in "}]":
            if depth <= 1:
                return at + depth
            depth -= 1
        elif char == "," and not depth:
            return at
        at += 1
    return at


def _char(pool: Pool, parts: list[int], at: int) -> str | None:
    """The single character at a place, if that is what stands there."""
    if at >= len(parts) or parts[at] in pool.names:
        return None
    kind, payload, _ = pool.keys[parts[at]]
    return payload if kind == "text" and isinstance(payload, str) and len(payload) == 1 else None


def _after_blanks(pool: Pool, parts: list[int], at: int) -> int:
    while at < len(parts) and _is_blank(pool, parts[at]):
        at += 1
    return at


def _is_blank(pool: Pool, tree: int) -> bool:
    """A repetition of blanks, as it stands between JSON tokens."""
    kind, _, inner = pool.keys[tree]
    if kind != "rep":
        return False
    kind, payload, _ = pool.keys[inner[0]]
    if kind == "text":
        return payload == " "
    return kind == "set" and isinstance(payload, tuple) and set(payload) <= _BLANKS


def _separates(pool: Pool, tree: int) -> bool:
    """What stands between or after values: blanks, or a part that begins with a comma."""
    if _is_blank(pool, tree):
        return True
    if tree in pool.names:
        return False
    kind, payload, inner = pool.keys[tree]
    if kind == "text":
        return str(payload).startswith(",")
    if kind == "seq":
        after = next((part for part in inner if not _is_blank(pool, part)), None)
        return after is not None and _separates(pool, after)
    return bool(inner) and _separates(pool, inner[0])
