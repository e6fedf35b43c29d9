"""Nodes of an explanation."""

from typing import Any

Place = tuple[int, int] | None


def leaf(keyword: str, words: str, place: Place, pointer: str = "") -> dict[str, Any]:
    """A node without children; `place` is (line, column), from 1."""
    return {
        "pointer": pointer,
        "keyword": keyword,
        "line": place[0] if place else None,
        "column": place[1] if place else None,
        "words": words,
        "children": [],
    }


def more(number: int, noun: str, pointer: str = "") -> dict[str, Any]:
    """The node that stands for what was left out."""
    return leaf("more", f"And {number:,} more {noun}.", None, pointer)


def shortened(text: str, most: int = 80) -> str:
    """Its beginning on one line."""
    line = " ".join(text.split()) if "\n" in text else text
    return line if len(line) <= most else f"{line[: most - 1]}…"


def joined(words: list[str], link: str = "or") -> str:
    """`a, b or c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {link} {words[-1]}"
