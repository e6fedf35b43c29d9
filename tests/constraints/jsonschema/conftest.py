"""A byte automaton of a lowered regex, and the reference judge, for the tests of the lowering."""

import json
import random
import re
from functools import cached_property
from typing import Any

import jsonschema
import pytest
from outlines_core import Index, Vocabulary
from referencing import Registry

from playground.constraints.jsonschema import lower
from playground.constraints.jsonschema.entry import Lowered

BYTES = Vocabulary(256, {bytes([i]): [i] for i in range(256)})


class ByteDfa:
    """The full-match automaton of a regex: asked about texts, and sampled at random."""

    def __init__(self, regex: str) -> None:
        self._index = Index(rf"\x00(?:{regex})\x00\z", BYTES)
        self._start = self._index.get_next_state(self._index.get_initial_state(), 0)

    def accepts(self, text: str | bytes) -> bool:
        state = self._start
        for byte in text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text:
            state = self._index.get_next_state(state, byte) if byte else None
            if state is None:
                return False
        end = self._index.get_next_state(state, 0)
        return end is not None and self._index.is_final_state(end)

    def __len__(self) -> int:
        """How many byte states there are."""
        return len(self._next)

    @cached_property
    def _next(self) -> dict[int, dict[int, int]]:
        return {
            state: {byte: after for byte, after in row.items() if byte < 256}
            for state, row in self._index.get_transitions().items()
        }

    @cached_property
    def _left(self) -> dict[int, int]:
        """Fewest bytes to a final state, for the states that can reach one."""
        ends = self._index.get_final_states()
        before: dict[int, set[int]] = {}
        for state, row in self._next.items():
            for byte, after in row.items():
                if byte:
                    before.setdefault(after, set()).add(state)
        left = {state: 0 for state, row in self._next.items() if row.get(0) in ends}
        todo = list(left)
        for state in todo:
            for earlier in before.get(state, ()):
                if earlier not in left:
                    left[earlier] = left[state] + 1
                    todo.append(earlier)
        return left

    def sample(self, rng: random.Random, longest: int = 150) -> bytes:
        """A random accepted text: any state that can follow is as likely as any other."""
        state, out = self._start, bytearray()
        while True:
            ways: dict[int, list[int]] = {}
            for byte, after in self._next[state].items():
                if byte and after in self._left:
                    ways.setdefault(after, []).append(byte)
            long = len(out) > longest
            if self._left[state] == 0 and (not ways or long or rng.random() < 0.2):
                return bytes(out)
            if long:
                ways = {w: b for w, b in ways.items() if self._left[w] < self._left[state]}
            state = rng.choice(list(ways))
            out.append(rng.choice(ways[state]))


def judge(schema: Any) -> Any:
    """jsonschema's validator for a schema: no format checks, nothing fetched."""
    kind = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
    return kind(schema, registry=Registry())


def invalid_samples(schema: Any, dfa: ByteDfa, count: int = 30, seed: int = 0) -> list[bytes]:
    """Samples of the automaton that are no JSON, or that the judge refuses."""
    rng, validator = random.Random(seed), judge(schema)
    found = []
    for _ in range(count):
        text = dfa.sample(rng)
        try:
            value = json.loads(text.decode())
        except ValueError:
            found.append(text)
            continue
        if not validator.is_valid(value):
            found.append(text)
    return found


def unenforced(lowered: Lowered) -> set[str]:
    """The keywords that the notes say are not, or not fully, enforced."""
    return {note.keyword for note in lowered.notes if note.level in ("not-enforced", "partly")}


def python_regex(text: str) -> re.Pattern[str]:
    r"""A regex in Rust's syntax for Python's `re`: `\x{...}` is the one thing they spell apart."""
    return re.compile(re.sub(r"\\x\{([0-9a-f]+)\}", lambda m: chr(int(m.group(1), 16)), text))


class Tools:
    """What the tests of this folder share."""

    python_regex = staticmethod(python_regex)

    ByteDfa = ByteDfa
    judge = staticmethod(judge)
    invalid_samples = staticmethod(invalid_samples)
    unenforced = staticmethod(unenforced)

    @staticmethod
    def lower(schema: Any, whitespace: Any = "none") -> tuple[Lowered, ByteDfa]:
        """A schema lowered, and the automaton of its regex."""
        lowered = lower(json.dumps(schema, ensure_ascii=False), whitespace)
        return lowered, ByteDfa(lowered.regex)


@pytest.fixture(scope="session")
def tools() -> type[Tools]:
    return Tools
