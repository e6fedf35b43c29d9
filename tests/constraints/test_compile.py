"""Compiling: what it refuses, what it keeps, how it is stopped."""

import json
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from playground.constraints.cache import CompileCache
from playground.constraints.child import FORKS, run_child
from playground.constraints.compile import Compiled, Limits, compile_constraint, warm
from playground.constraints.core import Damaged, decode
from playground.constraints.engine_bytes import compile_core
from playground.constraints.spec import ConstraintSpec
from playground.errors import (
    BudgetExceeded,
    Cancelled,
    EmptyLanguage,
    InvalidInput,
    PlaygroundError,
)
from playground.settings import Settings
from playground.vocabulary import Vocabulary

Compile = Callable[..., Compiled]


def regex(source: str, engine: str = "bytes") -> ConstraintSpec:
    return ConstraintSpec(kind="regex", source=source, engine=engine)


def test_free_needs_no_compiling(letters: Vocabulary) -> None:
    compiled = compile_constraint(ConstraintSpec(), letters)
    assert compiled.automaton.mask(compiled.automaton.initial).all()
    assert compiled.report.states == 1


def test_choices_are_lines_and_match_themselves_alone(
    compiled: Compile, letters: Vocabulary
) -> None:
    made = compiled(
        "choices",
        "a.b\r\nabc\n\n c\nabc\n",
        Vocabulary((*(bytes([b]) for b in b"abc. "), None), frozenset({5})),
    )
    dfa = made.automaton.dfa
    for text in (b"a.b", b"abc", b" c"):
        assert dfa.final[dfa.walk(0, text)[-1]]
    assert len(dfa.walk(0, b"axb")) == 2
    assert [note.message for note in made.report.notes] == [
        "'abc' is listed more than once and counts once.",
        "' c' begins or ends with a blank, which counts.",
    ]
    with pytest.raises(InvalidInput, match=r"no choices[.] \(line 1, column 1\)"):
        compiled("choices", "\n \n".replace(" ", ""), letters)


def test_the_report_accounts_for_the_automaton(compiled: Compile, letters: Vocabulary) -> None:
    made = compiled("regex", "^(ab)+c$", letters)
    assert made.report.regex == "(ab)+c"
    assert made.report.states == len(made.automaton.dfa) == 4
    assert made.report.transitions == 4
    assert [note.keyword for note in made.report.notes] == ["anchors"]
    assert made.report.compile_seconds < 20


@pytest.mark.parametrize(
    ("source", "error", "says"),
    [
        ("a(b", InvalidInput, "never closed"),
        (r"ab\p{Foo}", InvalidInput, r"\p{Foo}"),
        (r"a(?-u:\xff)", InvalidInput, r"\xff"),
        ("[a&&b]", EmptyLanguage, "No text satisfies"),
        (r"[^\x00-\x{10FFFF}]", EmptyLanguage, "No text satisfies"),
        ("a{1,4294967295}", BudgetExceeded, "4,294,967,295"),
        ("[a-z]{1000000}", BudgetExceeded, "1,000,000"),
        ("z+", EmptyLanguage, "z"),
        ("(a|z)z", EmptyLanguage, "z"),
    ],
)
def test_what_can_not_be_used_is_refused_in_words(
    letters: Vocabulary, source: str, error: type[PlaygroundError], says: str
) -> None:
    with pytest.raises(error) as caught:
        compile_constraint(regex(source), letters)
    assert says in caught.value.what
    assert caught.value.hint
    if error is InvalidInput:
        assert caught.value.line == 1
        assert caught.value.column == (2 if source[1] == "(" else 3)


def test_a_byte_without_a_token_is_named(smollm2: Vocabulary) -> None:
    with pytest.raises(EmptyLanguage, match=r"no token contains the byte \\x04"):
        compile_constraint(regex(r"ab\x04"), smollm2)
    with pytest.raises(EmptyLanguage, match=r"the byte \\x04 of “a"):
        compile_constraint(regex(r"a[\x04]|\x06+b"), smollm2)


def test_bytes_that_stand_only_inside_longer_tokens_may_not_do() -> None:
    """Every byte is in some token, and still no sequence of tokens spells the text."""
    words = Vocabulary((b"sk", b"y", b"cloud", b"s", None), frozenset({4}))
    made = compile_constraint(regex("sky|k"), words)
    assert made.automaton.mask(0)[0]
    with pytest.raises(EmptyLanguage, match="furthest that one gets is “sk”"):
        compile_constraint(regex("skl?k|sl"), words)


@pytest.mark.parametrize("source", ["(a|b)*a(a|b){20}", r"\w{1,3000}"])
def test_an_explosion_ends_at_its_limits(source: str, letters: Vocabulary) -> None:
    started = time.monotonic()
    with pytest.raises(BudgetExceeded, match=r"stopped: it (takes|needs) more than"):
        compile_constraint(regex(source), letters, limits=Limits(seconds=1.5, megabytes=700))
    assert time.monotonic() - started < 5


def test_memory_is_a_limit_of_its_own() -> None:
    with pytest.raises(BudgetExceeded, match="more than 400 MB of memory"):
        compile_core(regex(r"(a|b)*a(a|b){20}"), Limits(seconds=60, megabytes=400), None)


def test_a_failure_of_ours_is_not_a_visitors_error() -> None:
    with pytest.raises(RuntimeError, match="KeyError"):
        run_child({"engine": "bytes", "kind": "regex"}, Limits())


def test_cancelling_kills_the_child_at_once(letters: Vocabulary) -> None:
    started = time.monotonic()
    with pytest.raises(Cancelled):
        compile_constraint(
            regex("(a|b)*a(a|b){20}"),
            letters,
            cancelled=lambda: time.monotonic() - started > 0.5,
        )
    assert time.monotonic() - started < 1.5
    server = FORKS.server_id
    children = Path(f"/proc/{server}/task/{server}/children")
    if children.is_file():
        assert children.read_text() == ""


def test_a_fork_server_that_dies_is_replaced(letters: Vocabulary) -> None:
    compile_core(regex("ab"), Limits(), None)
    first = FORKS.server_id
    assert first is not None
    os.kill(first, signal.SIGKILL)
    assert decode(compile_core(regex("abc"), Limits(), None)).regex == "abc"
    assert FORKS.server_id != first


def test_the_children_end_with_the_process_that_asked_for_them(tmp_path: Path) -> None:
    """A process that is killed in the middle of a compilation leaves nothing behind."""
    code = (
        "import threading, time\n"
        "from playground.constraints.child import FORKS\n"
        "from playground.constraints.compile import Limits\n"
        "from playground.constraints.engine_bytes import compile_core\n"
        "from playground.constraints.spec import ConstraintSpec\n"
        "spec = ConstraintSpec(kind='regex', source='(a|b)*a(a|b){20}')\n"
        "work = threading.Thread(target=compile_core, args=(spec, Limits(), None), daemon=True)\n"
        "work.start()\n"
        "time.sleep(1)\n"
        "print(FORKS.server_id, flush=True)\n"
        "time.sleep(60)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    server = int(process.stdout.readline())
    listed = Path(f"/proc/{server}/task/{server}/children")
    children = [int(child) for child in listed.read_text().split()] if listed.is_file() else []
    assert len(children) == 1 or not listed.is_file()
    process.kill()
    process.wait()
    process.stdout.close()
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and any(alive(p) for p in (server, *children)):
        time.sleep(0.05)
    assert not any(alive(p) for p in (server, *children))


def alive(process: int) -> bool:
    """It runs; a zombie that nobody has waited for doesn't."""
    try:
        os.kill(process, 0)
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_others_compile_while_one_explodes(letters: Vocabulary) -> None:
    """Two explosions, and a third visitor whose regex takes its usual time."""
    stop = threading.Event()

    def explode() -> None:
        with pytest.raises(Cancelled):
            compile_constraint(regex("(a|b)*a(a|b){20}"), letters, cancelled=stop.is_set)

    visitors = [threading.Thread(target=explode) for _ in range(2)]
    for visitor in visitors:
        visitor.start()
    time.sleep(0.3)
    started = time.monotonic()
    compile_constraint(regex("abc"), letters)
    waited = time.monotonic() - started
    stop.set()
    for visitor in visitors:
        visitor.join()
    assert waited < 8


def test_fifty_visitors_compile_the_same_thing_once(tmp_path: Path, letters: Vocabulary) -> None:
    cache = CompileCache(Settings(cache=tmp_path))
    reports: list[str] = []

    def visit() -> None:
        reports.append(compile_constraint(regex("a[bc]{3}"), letters, cache=cache).report.cached)

    visitors = [threading.Thread(target=visit) for _ in range(50)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join()
    assert sorted(reports) == ["memory"] * 49 + ["no"]


def test_the_same_constraint_again_comes_from_memory_and_from_disk(
    tmp_path: Path, smollm2: Vocabulary
) -> None:
    settings = Settings(cache=tmp_path)
    cache = CompileCache(settings)
    first = compile_constraint(regex("[0-9]{2,5}"), smollm2, cache=cache)
    again = compile_constraint(regex("[0-9]{2,5}"), smollm2, cache=cache)
    assert first.report.cached == "no"
    assert again.report.cached == "memory"
    assert again.automaton is first.automaton
    warm(smollm2)
    seconds = []
    for _ in range(5):
        restarted = CompileCache(settings)
        started = time.perf_counter()
        loaded = compile_constraint(regex("[0-9]{2,5}"), smollm2, cache=restarted)
        seconds.append(time.perf_counter() - started)
        assert loaded.report.cached == "disk"
        assert (loaded.automaton.mask(0) == first.automaton.mask(0)).all()
        assert loaded.report.notes == first.report.notes
    assert min(seconds) < 0.01


def test_the_folder_is_private_and_holds_no_pickles(tmp_path: Path, letters: Vocabulary) -> None:
    cache = CompileCache(Settings(cache=tmp_path))
    compile_constraint(regex("ab"), letters, cache=cache)
    folder = tmp_path / "automata"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    (file,) = folder.iterdir()
    with np.load(file, allow_pickle=False) as arrays:
        assert set(arrays) == {"moves", "classes", "final", "about"}
        assert json.loads(arrays["about"].tobytes())["regex"] == "ab"


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "other"])
def test_a_damaged_file_is_made_again(tmp_path: Path, letters: Vocabulary, damage: str) -> None:
    settings = Settings(cache=tmp_path)
    compile_constraint(regex("ab+c"), letters, cache=CompileCache(settings))
    (file,) = (tmp_path / "automata").iterdir()
    whole = file.read_bytes()
    middle = len(whole) // 2
    file.write_bytes(
        {
            "cut": whole[:middle],
            "flip": whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
            "empty": b"",
            "other": b"x" * 500,
        }[damage]
    )
    again = compile_constraint(regex("ab+c"), letters, cache=CompileCache(settings))
    assert again.report.cached == "no"
    assert file.read_bytes() == whole


def test_what_is_no_automaton_is_not_decoded() -> None:
    whole = compile_core(regex("ab"), Limits(), None)
    assert decode(whole).regex == "ab"
    for content in (b"", b"x" * 100, whole[: len(whole) // 2]):
        with pytest.raises(Damaged):
            decode(content)


def test_the_oldest_files_make_room(tmp_path: Path) -> None:
    cache = CompileCache(Settings(cache=tmp_path, cache_mb=1))
    for number in range(6):
        cache.store(f"{number}", bytes(300_000))
        os.utime(tmp_path / "automata" / f"{number}.npz", (number + 1, number + 1))
        if number == 2:
            assert cache.load("0") is not None  # now it is the last used
    left = {path.stem for path in (tmp_path / "automata").iterdir()}
    assert left == {"0", "4", "5"}


def test_a_disk_that_can_not_be_written_costs_the_cache_only(
    tmp_path: Path, letters: Vocabulary
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    cache = CompileCache(Settings(cache=blocked))
    made = compile_constraint(regex("ab"), letters, cache=cache)
    assert made.report.cached == "no"
    assert compile_constraint(regex("ab"), letters, cache=cache).report.cached == "memory"


def test_memory_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("playground.constraints.cache.MEMORY_BYTES", 100)
    cache = CompileCache(Settings(cache=tmp_path))
    for number in range(5):
        cache.remember(str(number), number, 40)
    assert [cache.recall(str(number)) for number in range(5)] == [None, None, None, 3, 4]


def test_the_fork_server_answers_before_it_has_imported_everything() -> None:
    code = (
        "import sys, playground.constraints.fork_server, playground.constraints.work_bytes as w;"
        "from playground.constraints.limits import Limits;"
        "w.work({'kind': 'regex', 'source': 'ab', 'whitespace': 'one'}, Limits());"
        "print([m for m in ('pydantic', 'torch', 'transformers', 'outlines', 'jsonschema') "
        "if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
