"""The labels under which studies run methods: each is an entry of the registry, and how it is used."""

import re
from dataclasses import dataclass

from playground.decoding.first_valid import FirstValid
from playground.decoding.methods import METHODS, Method

MOST_PARALLEL = 32
KEEPING = ("cars", "conditional")
"""Methods whose draws are attempts: an answer is those up to a valid one."""
MOST_ATTEMPTS = 100
"""Attempts at one draw after which a method of KEEPING gives up."""
PREFILL = "{"
"""The first token of a JSON object, given: the cheapest enforcement there is."""
_PARALLEL = re.compile(r"parallel-([1-9][0-9]?)")


@dataclass(frozen=True, slots=True)
class Label:
    """One column of a study."""

    name: str
    title: str
    method: Method
    attempts: int | None = None
    """Most runs at one output; the study's own if None."""
    prefill: str = ""
    level: str = ""
    """Of the three levels of guarantee: `1`, `1.5`, `2` or `3`; empty for what stands outside."""

    @property
    def keeps(self) -> bool:
        """It goes on until it has a valid answer or gives up."""
        return self.method.name in KEEPING

    @property
    def law(self) -> str:
        """What it draws from, in words."""
        if self.keeps:
            return (
                f"{self.method.law}, given that it did not give up, as it does after "
                f"{MOST_ATTEMPTS} attempts at one draw"
            )
        if not self.prefill:
            return self.method.law
        first = f"p given that the answer begins with the token {self.prefill!r}"
        return first if self.attempts == 1 else f"a mixture: {first}, then as retry"


NAMED = (
    Label("ask", "Ask", METHODS["unconstrained"], level="1"),
    Label("prefill", "Ask, the { given", METHODS["retry"], 1, PREFILL, "1.5"),
    Label("retry", "Ask, parse, retry", METHODS["retry"], level="2"),
    Label("retry-prefill", "Retry, the { given first", METHODS["retry"], None, PREFILL, "2"),
    Label("strict", "Constrained decoding", METHODS["masked"], level="3"),
)
"""Labels with names of their own; beside them `parallel-N`, and every method by its own name."""


def label_of(name: str) -> Label:
    """The label called `name`.

    Raises:
        ValueError: there is none; says which there are.
    """
    for label in NAMED:
        if label.name == name:
            return label
    parallel = _PARALLEL.fullmatch(name)
    if parallel and int(parallel[1]) <= MOST_PARALLEL:
        size = int(parallel[1])
        return Label(name, f"First valid of {size} side by side", FirstValid(size=size))
    if name in METHODS and METHODS[name].weighted:
        raise ValueError(
            f"The draws of {name!r} stand for their law by weights; a study counts them"
        )
    if name in METHODS:
        method = METHODS[name]
        return Label(name, method.title, method)
    counted = [method for method in METHODS if not METHODS[method].weighted]
    known = ", ".join(dict.fromkeys([*(label.name for label in NAMED), "parallel-N", *counted]))
    raise ValueError(f"{name!r} is no method; there are {known}")
