"""Options that share their beginning: the choice falls later than it seems."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from playground.constraints.jsonschema.source import step
from playground.schema.lint.rule import Finding, Rule, counted, listing
from playground.schema.lint.scene import Scene
from playground.vocabulary import Vocabulary

LONG = 6
"""Characters: so long a shared beginning spans a token or more."""
MAX_OPTIONS = 500
LONGEST_TOKEN = 24


def _find(scene: Scene) -> Iterator[Finding]:
    for pointer, options, place in _option_lists(scene):
        said = _risk(options, scene.vocabulary, '"' if scene.json is not None else "")
        if said:
            yield Finding(pointer, said, place=place, demo=_demo(options))


def _option_lists(
    scene: Scene,
) -> Iterator[tuple[str, list[str], tuple[int, int] | None]]:
    if scene.spec.kind == "choices":
        lines = [line for line in scene.spec.source.replace("\r\n", "\n").split("\n") if line]
        yield "", list(dict.fromkeys(lines))[:MAX_OPTIONS], (1, 1)
    for sub in scene.subs:
        listed = sub.schema.get("enum")
        if isinstance(listed, list):
            texts = [value for value in listed[:MAX_OPTIONS] if isinstance(value, str)]
            yield step(sub.pointer, "enum"), list(dict.fromkeys(texts)), None


def _risk(options: list[str], vocabulary: Vocabulary | None, opening: str) -> str:
    """What options have in common, as a sentence; empty where there is nothing to say."""
    if len(options) < 2:
        return ""
    inside = _contained(options)
    if inside is not None:
        return f"`{inside[0][:60]}` is the beginning of `{inside[1][:60]}`."
    folded = Counter(option.strip().casefold() for option in options)
    same = next((text for text, times in folded.items() if times > 1), None)
    if same is not None:
        pair = [option for option in options if option.strip().casefold() == same]
        return f"{listing(pair)} differ in capitals or blanks alone."
    shared, group = _longest_shared(options)
    if len(shared) >= LONG:
        return f"{counted(len(group), 'option')} begin with `{shared[:60]}`: {listing(group)}."
    if vocabulary is not None:
        return _by_token(options, vocabulary, opening)
    return ""


def _contained(options: list[str]) -> tuple[str, str] | None:
    """An option that another one goes on from; neighbours in order are enough to find one."""
    ordered = sorted(option for option in options if option)
    return next(((a, b) for a, b in pairwise(ordered) if b.startswith(a)), None)


def _longest_shared(options: Sequence[str]) -> tuple[str, list[str]]:
    """The longest beginning that some (not all) options share, and those options."""
    ordered = sorted(options)
    best = ""
    for a, b in pairwise(ordered):
        shared = _shared(a, b)
        if len(shared) > len(best):
            best = shared
    group = [option for option in ordered if best and option.startswith(best)]
    return (best, group)


def _shared(a: str, b: str) -> str:
    same = takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False))
    return "".join(char for char, _ in same)


def _by_token(options: list[str], vocabulary: Vocabulary, opening: str) -> str:
    """Options whose first token is the same, counted with the vocabulary's longest match."""
    longest = _first_tokens(vocabulary)
    firsts: dict[bytes, list[str]] = {}
    for option in options:
        firsts.setdefault(longest(f"{opening}{option}".encode()), []).append(option)
    token, group = max(firsts.items(), key=lambda item: len(item[1]))
    if len(group) < 2 or len(group) == len(options):
        return ""
    shown = token.decode("utf-8", errors="backslashreplace")
    return (
        f"{counted(len(group), 'option')} of {len(options)} begin with the same token `{shown}`: "
        f"{listing(group)}."
    )


class _first_tokens:
    def __init__(self, vocabulary: Vocabulary) -> None:
        self._known = {text for text in vocabulary.tokens if text}

    def __call__(self, text: bytes) -> bytes:
        for length in range(min(LONGEST_TOKEN, len(text)), 0, -1):
            if text[:length] in self._known:
                return text[:length]
        return text[:1]


def _demo(options: list[str]) -> dict[str, object] | None:
    source = "\n".join(option for option in options if "\n" not in option)
    if len(source) > 2_000:
        return None
    return {
        "title": "See in Step where the choice between the options falls",
        "constraint": {"kind": "choices", "source": source},
        "prompt": "Choose one of the options.",
    }


SQUEEZE = Rule(
    "L014",
    "squeeze-risk",
    "info",
    "The mask weighs one token at a time: options with the same beginning are chosen together first "
    "and among themselves later, and the ends that the model didn't mean are squeezed out. Step "
    "shows by how much for your model; it may be nothing.",
    _find,
)
