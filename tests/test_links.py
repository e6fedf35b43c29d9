"""Links: the same packing in Python and in the browser, bounded, and refused in words."""

import base64
import json
import os
import random
import shutil
import subprocess
import time
import tracemalloc
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground import links
from playground.cli import main
from playground.constraints.spec import ConstraintSpec
from playground.decoding.sampler import SAMPLERS, run
from playground.demo import load_demos
from playground.errors import InvalidInput
from playground.models.toy import TOYS
from playground.opened import staged
from playground.page import problem_document
from playground.problem import ProblemSpec
from playground.session import Playground
from playground.settings import Settings

DEMOS = load_demos()
TOOL = Path(__file__).parent / "js" / "links_tool.mjs"
HOSTILE = (
    "<script>alert(1)</script>", "${x}", "{{7*7}}", "`", "\u202eRTL", "NUL \0", "half \ud800",
    "\udc00", "\r\n\t\u2028", '"\\"', "\ufeff", "👩‍👧", "__proto__", "=1+1",
)  # fmt: skip
NO_MODEL = pytest.mark.skipif(
    os.environ.get("PLAYGROUND_NO_MODEL") == "1",
    reason="PLAYGROUND_NO_MODEL=1: without the default model",
)
ADDRESS = "https://example-space.hf.space/"
"""As long as where the page is usually opened."""


def _whole(text: str) -> str:
    """`text` without halves that stand side by side: JSON makes one character of them."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


TEXT = st.text(st.characters(codec=None), max_size=40).map(_whole)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda each: st.lists(each, max_size=4) | st.dictionaries(TEXT, each, max_size=4),
    max_leaves=12,
)


def browser(*requests: Any) -> list[Any]:
    """What the page's own modules answer; tests/js/links_tool.mjs says what may be asked."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    done = subprocess.run(
        [node, str(TOOL)], input=json.dumps(requests), capture_output=True, text=True, timeout=60,
        check=True,
    )  # fmt: skip
    answers: list[Any] = json.loads(done.stdout)
    return answers


def squeezed(raw: bytes) -> str:
    """Bytes as a link holds them, whatever they are."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return base64.urlsafe_b64encode(packer.compress(raw) + packer.flush()).rstrip(b"=").decode()


@given(VALUES)
@settings(max_examples=300, deadline=None)
def test_any_state_comes_out_as_it_went_in(value: Any) -> None:
    assert links.unpack(links.pack({"x": value})) == {"v": links.VERSION, "x": value}


def test_the_browser_and_python_read_each_other() -> None:
    draw = random.Random(3)
    states = [{"x": text, text: [text]} for text in HOSTILE]
    states += [
        {"x": [draw.random(), draw.randrange(2**53), "é" * i, None, True]} for i in range(20)
    ]
    packed = browser(*({"pack": state} for state in states))
    assert [links.unpack(each) for each in packed] == [{"v": 1, **state} for state in states]
    read = browser(*({"unpack": links.pack(state)} for state in states))
    assert [each["state"] for each in read] == [{"v": 1, **state} for state in states]


def test_both_refuse_the_same_links() -> None:
    whole = {"v": 1, "p": {"prompt": "a prompt that can be cut"}, "l": [[[1, 2, 3]]]}
    packed = links.pack(whole)
    draw = random.Random(5)
    bad = [packed[:at] for at in range(len(packed))]
    bad += [
        packed[:at] + draw.choice("ABCxyz019-_") + packed[at + 1 :] for at in range(len(packed))
    ]
    bad += ["".join(draw.choices("ABCxyz019-_", k=draw.randrange(1, 60))) for _ in range(300)]
    bad += ["a%", "é", " ", "A" * (links.MOST_READ + 1), packed + "AAAA"]
    bad += [
        squeezed(text.encode())
        for text in ("null", "7", "[]", '{"v":"1"}', '{"v":-1}', '{"v":0}', '{"v":2}', "{}", "NaN")
    ]
    bad += [squeezed(b'{"v":1,"x":"\xff"}'), squeezed(b'{"v":1,"x":NaN}'), squeezed(b"[" * 100_000)]
    for each, told in zip(bad, browser(*({"unpack": each} for each in bad)), strict=True):
        try:
            found = links.unpack(each)
        except InvalidInput:
            # Node lets a packing pass whose last bits alone are missing: nothing is lost with them.
            assert "error" in told or told["state"] == whole, each[:80]
        else:
            assert told == {"state": found}, each[:80]


def test_a_bomb_is_refused_at_once_and_with_little_memory() -> None:
    bomb = squeezed(bytes(20_000_000))
    assert len(bomb) < links.MOST_READ
    tracemalloc.start()
    begun = time.perf_counter()
    with pytest.raises(InvalidInput, match="unpacks to more than 500,000 bytes"):
        links.unpack(bomb)
    seconds, (_, most) = time.perf_counter() - begun, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert seconds < 0.5
    assert most < 4 * links.MOST_BYTES


def test_the_limits_are_those_of_the_page() -> None:
    source = (TOOL.parents[2] / "static/links/pack.js").read_text()
    for name in ("VERSION", "MOST_PACKED", "MOST_READ", "MOST_BYTES", "MOST_SCANNED"):
        assert f"export const {name} = {getattr(links, name)};" in source


def test_an_older_state_goes_through_every_step_to_this_version() -> None:
    table = {0: lambda state: {**state, "a": 1}, 1: lambda state: {**state, "b": state["a"] + 1}}
    assert links.migrated({"v": 0, "x": 1}, table, 2) == {"v": 2, "x": 1, "a": 1, "b": 2}
    with pytest.raises(InvalidInput, match="older version"):
        links.migrated({"v": 0}, {1: table[1]}, 2)
    with pytest.raises(InvalidInput, match="newer version"):
        links.migrated({"v": 3}, table, 2)


def test_every_example_is_the_same_problem_here_and_in_the_browser() -> None:
    examples = links.examples_document(DEMOS)
    specs = []
    for demo in DEMOS.values():
        sampling = demo.problem.sampling.model_copy(update={"seed": 7})
        other = {"sampling": sampling, "prompt": "\u202e <b> ${x}"}
        specs += [demo.problem, demo.problem.model_copy(update=other)]
    states = [links.step_state(spec, (1, 2), "r", DEMOS, cursor=1, run=3) for spec in specs]
    made = browser(
        *(
            {"state": {"problem": problem_document(spec), "edited": False, "examples": examples}}
            for spec in specs
        )
    )
    read = browser(*({"open": {"state": state, "examples": examples}} for state in states))
    for spec, state, part, found in zip(specs, states, made, read, strict=True):
        assert links.problem_of(state, DEMOS) == spec
        assert {name: state[name] for name in ("d", "p") if name in state} == part
        assert found["problem"] == spec.model_dump(mode="json")
        assert found["run"]["lanes"] == [{"path": [1, 2], "parent": 0, "at": 0, "run": 3}]
    named = [state["d"][0] for state in states[::2]]
    assert named == list(DEMOS), "an example is its name"


def test_an_edited_toy_travels_whole_and_its_own_table_does_not() -> None:
    table = TOYS["sky"]
    own = ProblemSpec(model="toy:sky", toy=table)
    assert "toy" not in links.step_state(own, (), "r", {}).get("p", {})
    edited = table.model_copy(update={"tokens": (*table.tokens, "rain")})
    state = links.step_state(ProblemSpec(model="toy:sky", toy=edited), (), "r", DEMOS)
    assert links.problem_of(json.loads(json.dumps(state)), DEMOS).toy == edited


@pytest.mark.parametrize(
    "state",
    [{"d": 7}, {"d": ["nothing", "x"]}, {"d": ["sky", "x"]}, {"d": [[], {}]}, {"p": 7},
     {"p": {"constraint": 7}}, {"p": {"unknown": 1}}, {"p": {"max_tokens": 10**9}}],
)  # fmt: skip
def test_a_problem_that_is_none_is_refused(state: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        links.problem_of(state, DEMOS)


def test_the_command_prints_the_link_of_its_run(capsys: pytest.CaptureFixture[str]) -> None:
    main(["step", "--model", "toy:two-step", "--regex", "(A|B)x", "--link", "--json", "--run", "2"])
    told = json.loads(capsys.readouterr().out)
    screen, _, packed = told["link"].partition("?")
    state = links.unpack(packed)
    assert screen == "#step"
    spec = links.problem_of(state, DEMOS)
    assert spec.constraint.source == "(A|B)x"
    tokens = [step["token_id"] for step in told["steps"]]
    assert state["l"] == [[tokens, 0, 0, 2]]
    assert state["c"] == len(tokens) - 1
    assert state["r"] == TOYS["two-step"].revision


def test_a_run_too_long_for_a_link_is_refused_in_words() -> None:
    draw = random.Random(1)
    source = "".join(draw.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=30_000))
    spec = ProblemSpec(constraint=ConstraintSpec(kind="choices", source=source))
    with pytest.raises(InvalidInput, match="at most 16,000 are made"):
        links.link_of("step", links.step_state(spec, (), "r", DEMOS))


def test_a_recording_is_found_by_problem_run_and_revision(monkeypatch: pytest.MonkeyPatch) -> None:
    from playground.lessons.recording import record
    from playground.lessons.shelf import load_lessons

    playground = Playground(Settings())
    lesson = load_lessons()["two-step"]
    found = record(playground, lesson)
    monkeypatch.setattr(links, "recording_of", lambda slug: found if slug == "two-step" else None)
    scene = lesson.scenes["popular"]
    page = found["scenes"]["popular"]["page"]
    ids = [step["taken"]["id"] for step in page["steps"]]
    revision = page["provenance"]["revision"]
    kept = links.recorded_run(scene.problem, ids[:1], revision)
    assert kept is not None
    assert kept["provenance"]["kind"] == "recorded"
    assert kept["recorded"] == lesson.title
    assert page["provenance"]["kind"] == "toy", "the recording itself stays as it is"
    assert links.recorded_run(scene.problem, ids, "another") is None
    assert links.recorded_run(scene.problem, [*ids, 0], revision) is None
    warm = scene.problem.sampling.model_copy(update={"temperature": 0.5})
    assert (
        links.recorded_run(scene.problem.model_copy(update={"sampling": warm}), ids, revision)
        is None
    )


def length_of(spec: ProblemSpec, tokens: int, playground: Playground, named: bool = True) -> int:
    """Characters of the whole link to a run of so many tokens, at its last one; not `named`: with
    the whole problem in it, no example's name."""
    opened = staged(playground.open(spec))
    trace = begun = opened.trace(opened.beginning)
    for trace in run(begun, SAMPLERS[spec.method], 0):
        if len(trace.steps) == tokens:
            break
    path = [step.token for step in trace.steps]
    revision = opened.problem.model.provenance.revision
    state = links.step_state(spec, path, revision, DEMOS if named else {}, cursor=len(path) - 1)
    return len(ADDRESS + links.link_of("step", state))


def test_links_are_short_on_toys() -> None:
    playground = Playground(Settings())
    assert length_of(DEMOS["two-step"].problem, 20, playground) < 300
    assert len(f"{ADDRESS}?lesson=country-currency&beat=12") < 300


@NO_MODEL
@pytest.mark.parametrize("slug", ["sky-real", "ticket-triage"])
def test_links_to_a_real_run_can_be_scanned(slug: str) -> None:
    playground = Playground(Settings())
    spec = DEMOS[slug].problem
    assert length_of(spec, 20, playground) < 300
    assert length_of(spec, 20, playground, named=False) < links.MOST_SCANNED
