"""What a hostile visitor types or does: others are served, and every refusal is in words."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from playground.constraints.cache import CompileCache
from playground.constraints.compile import Compiled, Limits, compile_constraint
from playground.constraints.engine_bytes import compile_core
from playground.constraints.slots import QUICK_PLACES, SLOW, SLOW_PLACES
from playground.constraints.spec import ConstraintSpec
from playground.constraints.words import shortened
from playground.errors import BudgetExceeded, Cancelled, InvalidInput, PlaygroundError
from playground.settings import Settings
from playground.vocabulary import Vocabulary

Compile = Callable[..., Compiled]
LONG = Limits(seconds=60)
BYTES = Vocabulary((*(bytes([byte]) for byte in range(256)), None), frozenset({256}))


def regex(source: str) -> ConstraintSpec:
    return ConstraintSpec(kind="regex", source=source)


def exploding(number: int) -> ConstraintSpec:
    """One of many that need more time and memory than there is."""
    return regex(f"(a|b)*a(a|b){{{20 + number}}}")


@contextmanager
def explosions(count: int) -> Iterator[list[PlaygroundError]]:
    """So many endless compilations meanwhile, and what became of those that have ended."""
    stop, ended = threading.Event(), []

    def explode(number: int) -> None:
        try:
            compile_core(exploding(number), LONG, stop.is_set)
        except PlaygroundError as error:
            ended.append(error)

    visitors = [threading.Thread(target=explode, args=(number,)) for number in range(count)]
    for visitor in visitors:
        visitor.start()
    try:
        yield ended
    finally:
        stop.set()
        for visitor in visitors:
            visitor.join()


def test_a_small_constraint_is_served_while_every_place_is_wanted_by_slow_ones() -> None:
    """Whatever the others do, quick places come free: all of them at most twice before its turn."""
    with explosions(QUICK_PLACES + SLOW_PLACES + 1) as ended:
        time.sleep(0.2)
        started = time.monotonic()
        compile_core(regex("ab"), LONG, None)
        assert time.monotonic() - started < 12  # 20 s and more when slow ones keep their places
        until = time.monotonic() + 20
        while time.monotonic() < until and len(ended) < 3:
            time.sleep(0.1)
        busy = [error for error in ended if "busy with other large constraints" in str(error)]
        assert len(busy) == 3  # more than SLOW_PLACES don't go on
        assert all(isinstance(error, BudgetExceeded) for error in busy)
        assert all("minute" in error.hint for error in busy)
        started = time.monotonic()
        compile_core(regex("abc"), LONG, None)
        assert time.monotonic() - started < 4  # slow ones hold slow places alone


def test_patience_bounds_the_wait_for_a_place(letters: Vocabulary) -> None:
    with explosions(QUICK_PLACES):
        time.sleep(0.3)
        started = time.monotonic()
        with pytest.raises(BudgetExceeded, match="busy compiling other constraints") as caught:
            compile_constraint(regex("ab"), letters, patience=0.2)
        assert time.monotonic() - started < SLOW - 0.5
        assert caught.value.hint


def test_patience_bounds_the_wait_for_anothers_compilation(
    tmp_path: Path, letters: Vocabulary
) -> None:
    cache, stop = CompileCache(Settings(cache=tmp_path)), threading.Event()

    def first() -> None:
        with pytest.raises(Cancelled):
            compile_constraint(exploding(0), letters, cache=cache, cancelled=stop.is_set)

    visitor = threading.Thread(target=first)
    visitor.start()
    time.sleep(0.3)
    with pytest.raises(BudgetExceeded, match="busy compiling other constraints"):
        compile_constraint(exploding(0), letters, cache=cache, patience=0.2)
    stop.set()
    visitor.join()


def test_a_cancelled_child_is_gone_in_a_moment() -> None:
    """From the first True of `cancelled`, with the child in the midst of its work."""
    compile_core(regex("ab"), LONG, None)  # the fork server has started
    told: list[float] = []
    began = time.monotonic()

    def cancelled() -> bool:
        if time.monotonic() - began > 0.5:
            told.append(time.monotonic())
        return bool(told)

    with pytest.raises(Cancelled):
        compile_core(exploding(0), LONG, cancelled)
    assert len(told) == 1
    assert time.monotonic() - told[0] < 0.2


@pytest.mark.parametrize(
    ("source", "column"),
    [
        (r'{"enum":["\ud800","a"]}', 11),
        (r'{"type":"string","foo\ud800":1}', 22),
        (r'{"properties":{"\uDC00":{"type":"integer"}},"required":["\uDC00"]}', 17),
        (r'{"const":"\udc00\ud800"}', 11),
        (r'{"description":"é \ud83d!"}', 19),
    ],
)
def test_half_of_a_surrogate_pair_in_a_schema_has_a_place(source: str, column: int) -> None:
    with pytest.raises(InvalidInput, match="half of a surrogate pair") as caught:
        compile_constraint(ConstraintSpec(kind="schema", source=source), BYTES)
    assert (caught.value.line, caught.value.column) == (1, column)
    str(caught.value).encode()


def test_both_halves_are_a_character(compiled: Compile) -> None:
    made = compiled("schema", r'{"const":"\ud83d\ude00 \\ud800"}', BYTES)
    dfa = made.automaton.dfa
    assert dfa.final[dfa.walk(0, '"😀 \\\\ud800"'.encode())[-1]]


@pytest.mark.parametrize("kind", ["free", "regex", "choices", "schema", "pydantic", "type"])
def test_half_of_a_pair_in_a_source_has_a_place(kind: str, letters: Vocabulary) -> None:
    """Where it comes past the check of the specification's own type."""
    spec = ConstraintSpec.model_construct(
        kind=kind, source="ab\nc\ud800", engine="bytes", whitespace="one"
    )
    with pytest.raises(InvalidInput, match="half of a surrogate pair") as caught:
        compile_constraint(spec, letters)
    assert (caught.value.line, caught.value.column) == (2, 2)
    str(caught.value).encode()


def test_an_engine_with_half_of_a_pair_in_its_name_is_refused(letters: Vocabulary) -> None:
    with pytest.raises(InvalidInput, match="no engine") as caught:
        compile_constraint(ConstraintSpec(engine="\ud800"), letters)
    str(caught.value).encode()


@pytest.mark.parametrize(
    ("kind", "source"),
    [
        ("schema", '\ufeff{"const":\r\n"a"}\r\n'),
        ("pydantic", "\ufeffclass A(BaseModel):\r\n    a: int\r\n"),
    ],
)
@pytest.mark.parametrize("engine", ["bytes", "outlines"])
def test_a_byte_order_mark_is_skipped(
    compiled: Compile, kind: str, source: str, engine: str
) -> None:
    made = compiled(kind, source, BYTES, engine=engine)
    plain = compiled(kind, source.removeprefix("\ufeff").replace("\r", ""), BYTES, engine=engine)
    assert made.report.regex == plain.report.regex
    view = made.automaton.describe(made.automaton.initial, b"")
    assert view.pointer == ""


def test_what_completes_a_long_text_is_told_in_short(compiled: Compile) -> None:
    made = compiled("regex", "é{5000}", BYTES)
    automaton = made.automaton
    view = automaton.describe(0, b"")
    assert view.needs == "é" * 100 + "… and 9,800 more bytes"
    automaton.dfa.to_final  # noqa: B018  # once for the automaton
    started = time.perf_counter()
    for state in range(0, 10_000, 100):
        assert len(automaton.describe(state).needs) < 1000
        assert len(automaton.dfa.completion(state, 200)) <= 200
    assert time.perf_counter() - started < 5  # 50 ms a state
    (last,) = (state for state in range(len(automaton.dfa)) if automaton.is_final(state))
    assert automaton.describe(last).needs == ""


def test_a_text_is_shortened_between_characters() -> None:
    assert shortened(b"ab\n") == "ab\\n"
    assert shortened(b"a" * 200) == "a" * 200
    assert shortened(b"a" * 201) == "a" * 200 + "… and 1 more bytes"
    for lead in range(1, 5):
        text = b"a" * lead + "😀".encode() * 100
        shown, _, rest = shortened(text).partition("… and ")
        assert set(shown) == {"a", "😀"}
        assert len(shown.encode()) + int(rest.split()[0]) == len(text)


def test_a_far_state_without_a_text_stands_at_the_root(compiled: Compile) -> None:
    made = compiled("schema", json.dumps({"const": "a" * 25_000}), BYTES)
    view = made.automaton.describe(24_000)
    assert view.pointer == ""
    assert "long text" in view.words
