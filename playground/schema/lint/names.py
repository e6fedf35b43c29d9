"""What a field's name says about its part in an answer."""

import re

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")

REASONING = frozenset(
    {
        "analysis",
        "because",
        "cot",
        "evidence",
        "explain",
        "explanation",
        "justification",
        "rationale",
        "reason",
        "reasoning",
        "reasons",
        "scratchpad",
        "thinking",
        "thought",
        "thoughts",
        "why",
    }
)
JUDGEMENT = frozenset(
    {
        "answer",
        "approved",
        "category",
        "class",
        "classification",
        "conclusion",
        "confidence",
        "decision",
        "diagnosis",
        "eligible",
        "emotion",
        "grade",
        "intent",
        "judgement",
        "judgment",
        "label",
        "outcome",
        "polarity",
        "prediction",
        "priority",
        "probability",
        "rating",
        "relevance",
        "relevant",
        "recommendation",
        "risk",
        "score",
        "sentiment",
        "severity",
        "spam",
        "stance",
        "topic",
        "toxic",
        "toxicity",
        "urgency",
        "valid",
        "verdict",
    }
)
WRITTEN = frozenset(
    {
        "answer",
        "body",
        "comment",
        "content",
        "description",
        "headline",
        "message",
        "note",
        "notes",
        "paragraph",
        "poem",
        "prompt",
        "question",
        "reply",
        "response",
        "story",
        "summary",
        "text",
        "title",
        "translation",
    }
)
"""What a model writes itself: it is never missing from the source."""
CLOSED = frozenset(
    {
        "category",
        "emotion",
        "intent",
        "label",
        "level",
        "polarity",
        "priority",
        "sentiment",
        "severity",
        "stance",
        "status",
        "tone",
        "urgency",
    }
)
"""Names of what usually comes from a short list."""
FACTS = frozenset(
    {
        "color",
        "colour",
        "country",
        "currency",
        "encoding",
        "format",
        "gender",
        "kind",
        "language",
        "locale",
        "method",
        "mode",
        "size",
        "timezone",
        "type",
        "unit",
        "units",
        "version",
    }
)
"""Names of what is looked up or set, not judged, though it may be one of a few options."""
ASKS = frozenset({"can", "did", "does", "has", "have", "is", "should", "was", "were"})
"""A name that begins so asks a question with yes or no as its answer."""


def words(name: str) -> tuple[str, ...]:
    """The words of a name in lower case: `dueDate`, `due_date` -> due, date."""
    return tuple(word.lower() for word in _WORD.findall(name[:200]))


def is_reasoning(name: str) -> bool:
    """A place to think before answering."""
    found = words(name)
    return not REASONING.isdisjoint(found) or found[-2:] == ("thought", "chain")


def is_judgement(name: str) -> bool:
    """An answer that has to be worked out."""
    return not JUDGEMENT.isdisjoint(words(name)) and not is_reasoning(name)


def is_fact(name: str) -> bool:
    """A setting or a fact, not a judgement."""
    found = words(name)
    return bool(found) and found[-1] in FACTS


def is_written(name: str) -> bool:
    """Text that the model writes itself."""
    found = words(name)
    return bool(found) and found[-1] in WRITTEN


def asks(name: str) -> bool:
    """`is_paid`, `hasChildren`: a question to be answered with yes or no."""
    found = words(name)
    return len(found) > 1 and found[0] in ASKS


def alike(names: list[str]) -> list[list[str]]:
    """Groups of names that differ in one word and share the rest, such as `effective_date` and
    `termination_date`; each name in one group at most."""
    groups: dict[str, list[str]] = {}
    for name in names:
        found = words(name)
        if len(found) > 1:
            for shared in dict.fromkeys((found[0], found[-1])):
                groups.setdefault(shared, []).append(name)
    out: list[list[str]] = []
    taken: set[str] = set()
    for group in sorted(groups.values(), key=len, reverse=True):
        left = [name for name in group if name not in taken]
        if len(left) > 1:
            out.append(left)
            taken.update(left)
    return sorted(out, key=lambda group: names.index(group[0]))
