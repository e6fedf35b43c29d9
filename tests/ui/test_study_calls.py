"""Studies of a browser without a browser: what is asked, kept, resumed, shared and refused."""

import base64
import io
import itertools
import json
import os
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from playground.errors import Busy, InvalidInput, ModelUnavailable
from playground.record import Document
from playground.session import Playground
from playground.settings import Settings
from playground.study.labels import MOST_ATTEMPTS
from playground.study.spec import MOST_ITEMS
from playground.ui.study_asked import MOST_TEXT, own_document, own_items, study_spec
from playground.ui.study_calls import study_calls
from playground.ui.study_documents import PAGE, labels_document
from playground.ui.study_files import StudyFiles
from playground.ui.study_runs import SWEEPS, StudyRuns, sampled_at
from playground.ui.study_work import MOST_OF_PROMPT, MOST_WORK, Pace, work_of

Calls = dict[str, Callable[[object], Document]]

REGEX = {"kind": "regex", "source": "(A|B)x"}


def csv(prompts: int) -> Document:
    """Own prompts with a gold answer each."""
    lines = "".join(f"p{i},{'Bx' if i % 2 else 'Ax'}\n" for i in range(prompts))
    return {"text": f"prompt,gold\n{lines}", "kind": "csv"}


def told(prompts: int = 20, **more: object) -> Document:
    """The request for a study of a toy on own prompts."""
    spec = {
        "model": "toy:two-step",
        "prompts": "mine.csv",
        "n": MOST_ITEMS,
        "methods": ["ask", "strict"],
        "constraint": REGEX,
        "valid": "language",
        **more,
    }
    spec["n"] = more.get("n", prompts)
    return {"spec": spec, "own": csv(prompts)}


@pytest.fixture
def runs(tmp_path: Path) -> StudyRuns:
    return StudyRuns(Playground(Settings(cache=tmp_path / "cache")))


@pytest.fixture
def calls(runs: StudyRuns) -> Calls:
    made = study_calls(runs)
    return {call.__name__: call for call in made}


def never() -> bool:
    return False


def done(runs: StudyRuns, request: Document) -> tuple[str, Document]:
    """A study that has run to its end: its name and its last document."""
    name, spec = runs.begin(request)
    *_, last = runs.go(name, spec, never)
    assert last["done"]
    return name, last


def test_a_study_grows_by_chunks_and_its_counts_are_those_of_its_rows(
    runs: StudyRuns, calls: Calls
) -> None:
    name, spec = runs.begin(told(20, draws=2))
    documents = list(runs.go(name, spec, never))
    assert [each["prompts_done"] for each in documents] == [0, 8, 16, 20]
    last = documents[-1]
    assert last["done"]
    assert not last["stopped"]
    page = calls["rows"]({"id": name, "method": "strict"})
    assert page["count"] == 40
    valid = next(m for m in last["summary"]["methods"] if m["label"] == "strict")["valid"]
    assert (valid["count"], valid["n"]) == (40, 40)
    json.dumps(last, allow_nan=False)


def test_what_was_stopped_goes_on_and_comes_to_the_same_rows(runs: StudyRuns, calls: Calls) -> None:
    whole, _ = done(runs, told(20, draws=3))
    name, spec = runs.begin(told(20, draws=3))
    after_one = iter([False] * 10_000)
    seen: list[Document] = []

    def stop() -> bool:
        return next(after_one) or (bool(seen) and seen[-1]["chunks_done"] == 1)

    for document in runs.go(name, spec, stop):
        seen.append(document)
    assert seen[-1]["stopped"]
    assert seen[-1]["chunks_done"] == 1
    assert not calls["look"]({"id": name})["done"]
    resumed, same = runs.begin({"id": name})
    assert (resumed, same) == (name, spec)
    first, *_, last = runs.go(resumed, same, never)
    assert first["chunks_done"] == 1
    assert last["done"]
    assert runs.files.read(name).rows == runs.files.read(whole).rows


def test_one_run_at_a_time_holds_a_study(runs: StudyRuns, calls: Calls) -> None:
    name, spec = runs.begin(told(20))
    going = runs.go(name, spec, never)
    next(going)
    assert calls["look"]({"id": name})["elsewhere"]
    assert calls["within"]({"id": name})["held"]
    with pytest.raises(Busy, match="running already"):
        next(runs.go(name, spec, never))
    going.close()
    assert not calls["look"]({"id": name})["elsewhere"]
    assert not calls["within"]({"id": name})["held"]
    *_, last = runs.go(name, spec, never)
    assert last["done"]


def test_studies_take_turns_chunk_by_chunk(runs: StudyRuns) -> None:
    order: list[str] = []
    both = threading.Barrier(2)

    def work(key: str) -> None:
        name, spec = runs.begin(told(64, draws=3))
        both.wait(20)
        for document in runs.go(name, spec, never):
            order.append(key)
            assert document["others"] in (0, 1)

    threads = [threading.Thread(target=work, args=(key,)) for key in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert sorted(order) == ["a"] * 9 + ["b"] * 9
    # Neither has come to its end before the other has had half of its chunks.
    assert all(order[: order.index(key) + 14].count(key) < 14 for key in "ab")


def test_a_step_comes_between_the_rows_of_a_study(runs: StudyRuns) -> None:
    """The study has the turn of studies, and no other lock: a step waits for nothing of it."""
    problem = runs.studies.prepare(study_spec(runs.playground, told(8))).open(0).spec
    with runs._turns["toy"]:
        began = time.monotonic()
        page = runs.playground.advance(problem, (), {"draw": 0})
        assert page["step"] is not None
        assert time.monotonic() - began < 5


def test_a_sweep_asks_the_model_alone_at_each_value(runs: StudyRuns) -> None:
    name, _ = done(runs, told(16, draws=20, exact_rows=10))
    _, spec = runs.begin({"id": name})
    *_, last = runs.sweep(spec, "temperature", (0.3, 1.0, 3.0), never)
    points = {each["at"]: each["rate"] for each in last["sweep"]["points"]}
    assert list(points) == [0.3, 1.0, 3.0]
    assert last["sweep"]["done"]
    # A is nine times likelier than B at T = 1; colder, B and with it the valid Bx vanish.
    assert all(rate["n"] == 16 for rate in points.values())
    assert points[0.3]["count"] <= points[3.0]["count"]
    *_, filtered = runs.sweep(spec, "top_p", (0.5, 1.0), never)
    half, whole = (each["rate"] for each in filtered["sweep"]["points"])
    # The nucleus of a half is A alone, after which x, at 0.01, is never drawn.
    assert half["count"] == 0
    assert whole == points[1.0]
    *_, stopped = runs.sweep(spec, "temperature", (0.3, 1.0), lambda: True)
    assert stopped["sweep"] == {
        "over": "temperature", "points": [], "done": False, "stopped": True
    }  # fmt: skip


def test_every_value_of_a_sweep_can_be_sampled_at(runs: StudyRuns) -> None:
    _, spec = runs.begin(told(8))
    for over, values in SWEEPS.items():
        for value in values:
            swept = sampled_at(spec, over, value)
            assert getattr(swept.sampling, over) == value
            assert swept.methods == ("ask",)
    with pytest.raises(InvalidInput, match="top_p"):
        sampled_at(spec, "top_p", 1.5)


def test_a_disagreement_and_any_row_opens_in_step_at_its_path(
    runs: StudyRuns, calls: Calls
) -> None:
    name, _ = done(runs, told(8, methods=["ask", "strict", "retry"], draws=2))
    for method, drawn_by in (("strict", "masked"), ("ask", "unconstrained")):
        row = calls["row"]({"id": name, "index": 3, "method": method, "draw": 1})
        assert row["prompt"] == "p3"
        assert row["gold"] == "Bx"
        assert row["problem"]["method"] == drawn_by
        from playground.problem import parse_problem

        page = runs.playground.replay(parse_problem(row["problem"]), row["path"])
        text = "".join(step["taken"]["text"] for step in page["steps"] if not step["taken"]["eos"])
        assert text == row["row"]["text"]
    rows = [
        calls["row"]({"id": name, "index": index, "method": method, "draw": 0})
        for method in ("ask", "strict")
        for index in range(8)
    ]
    cut = [each["row"]["method"] for each in rows if each["cut"]]
    refused = [each for each in rows if not each["row"]["in_language"]]
    assert cut == ["ask"] * len(refused) != []
    again = calls["row"]({"id": name, "index": 3, "method": "retry", "draw": 1})
    if again["row"]["attempts"] > 1:
        assert again["path"] == []
        assert "attempt" in again["note"]
    assert "no such row" in calls["row"]({"id": name, "index": 99})["error"]["what"]


def test_the_table_is_paged_and_filtered(runs: StudyRuns, calls: Calls) -> None:
    name, _ = done(runs, told(30))
    first = calls["rows"]({"id": name})
    assert (first["count"], first["pages"], len(first["rows"])) == (60, 3, PAGE)
    last = calls["rows"]({"id": name, "page": 99})
    assert last["page"] == 2
    ask = calls["rows"]({"id": name, "method": "ask", "category": "wrong"})
    assert {row["method"] for row in ask["rows"]} <= {"ask"}
    assert {row["category"] for row in ask["rows"]} <= {"wrong"}
    for page in (-1, 1.5, True, "1", None):
        assert calls["rows"]({"id": name, "page": page})["page"] == 0


def test_the_scatter_has_the_bits_and_the_outcome_of_each_prompt(
    runs: StudyRuns, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, _ = done(runs, told(30, draws=2))
    (strict,) = calls["scatter"]({"id": name})["methods"]  # ask has no mask, so no bits
    assert strict["label"] == "strict"
    assert strict["count"] == 30
    kept = runs.files.read(name).rows
    rows = {row.index: row for row in kept if row.method == "strict" and row.draw == 0}
    for point in strict["points"]:
        row = rows.pop(point["index"])
        assert (point["bits"], point["category"]) == (row.bits, row.category)
        assert point["fields"] == [int(row.category == "right"), 1]
    assert not rows
    counts = Counter(point["category"] for point in strict["points"])
    found = strict["auc"]
    assert (found["positives"], found["negatives"]) == (counts["wrong"], counts["right"])
    monkeypatch.setattr("playground.ui.study_scatter.MOST_POINTS", 4)
    (cut,) = calls["scatter"]({"id": name})["methods"]
    assert (len(cut["points"]), cut["count"], cut["auc"]) == (4, 30, found)
    assert "isn't kept" in calls["scatter"]({"id": "x"})["error"]["what"]


def test_every_file_is_whole(runs: StudyRuns, calls: Calls) -> None:
    name, last = done(runs, told(8))

    def file(kind: str) -> bytes:
        return base64.b64decode(calls["export"]({"id": name, "kind": kind})["base64"])

    assert file("csv").decode("utf-8-sig").count("\r\n") == 17
    import pyarrow.parquet

    assert pyarrow.parquet.read_table(io.BytesIO(file("parquet"))).num_rows == 16
    summary = json.loads(file("json"))
    assert summary["done"]
    assert summary["summary"]["rows"] == last["summary"]["rows"]
    assert file("html").startswith(b"<!DOCTYPE html>") or file("html").startswith(
        b"<!doctype html>"
    )
    assert file("settings") == runs.files.path(name).read_bytes()
    assert "error" in calls["export"]({"id": name, "kind": "exe"})


def test_own_prompts_are_checked_with_row_and_column(calls: Calls) -> None:
    assert calls["check"](csv(5))["count"] == 5
    two = calls["check"]({"text": "prompt,id\na,1\nb,1\n", "kind": "csv"})["error"]
    assert two["where"] == "row 3, column id"
    torn = calls["check"]({"text": '{"prompt": "a"}\n{"prompt": 3}\n', "kind": "jsonl"})["error"]
    assert torn["where"] == "row 2, column prompt"
    large = calls["check"]({"text": "é" * (MOST_TEXT // 2 + 1), "kind": "csv"})["error"]
    assert "bytes" in large["what"]
    for junk in (None, [], "x", {"text": 3}):
        assert calls["check"](junk)["error"]["what"]


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ({"methods": ["nonsense"]}, "no method"),
        ({"methods": []}, "at least one"),
        ({"n": 0}, "at least 1"),
        ({"draws": 100}, "outputs"),
        ({"max_tokens": 1024, "draws": 40}, "tokens"),
        ({"model": "other/model"}, "can't be chosen"),
        ({"items": [{"id": "x", "prompt": "y"}]}, "no study"),
        ({"sampling": {"temperature": -1}}, "at least 0"),
    ],
)
def test_what_a_browser_may_not_ask_is_refused_in_words(
    runs: StudyRuns, part: Document, said: str
) -> None:
    request = told(100, **part)
    with pytest.raises((InvalidInput, ModelUnavailable)) as refused:
        study_spec(runs.playground, request)
    assert said in str(refused.value)
    assert "error" in study_calls(runs)[2](request)


def test_own_prompts_come_back_as_they_were_read(runs: StudyRuns, calls: Calls) -> None:
    name, _ = done(runs, told(9))
    sent = calls["own"]({"id": name})
    assert own_items(sent) == own_items(csv(9))
    builtin = {**told(8), "own": None}
    builtin["spec"] |= {"prompts": "builtin:sentiment", "constraint": None, "valid": "schema"}
    with pytest.raises(InvalidInput, match="built-in"):
        own_document(study_spec(runs.playground, builtin))


def test_the_clock_and_the_pace_count_every_run(runs: StudyRuns, calls: Calls) -> None:
    name, spec = runs.begin(told(24, draws=3))
    first = runs.go(name, spec, never)
    *_, one = itertools.islice(first, 2)
    first.close()
    assert one["chunks_done"] == 1
    assert one["seconds"] > 0
    assert calls["look"]({"id": name})["seconds"] == one["seconds"]
    begun, *more, last = runs.go(name, spec, never)
    # It goes on from there, and its pace is known before it has run a chunk itself.
    assert begun["seconds"] == one["seconds"]
    assert begun["left"] == pytest.approx(2 * one["seconds"])
    times = [each["seconds"] for each in (begun, *more, last)]
    assert times == sorted(set(times))
    assert calls["look"]({"id": name})["seconds"] == last["seconds"]
    assert last["left"] == 0


def test_a_plan_warns_of_golds_that_can_never_be_matched(calls: Calls) -> None:
    schema = '{"type": "object", "properties": {"intent": {"enum": ["billing", "bug"]}}}'
    request = told(2, constraint={"kind": "schema", "source": schema}, valid="schema")
    text = "prompt,gold.intent\na,bug\nb,refunds\n"
    plan = calls["plan"]({**request, "own": {"text": text, "kind": "csv"}})
    assert 'row 3, intent: "refunds" is not one of "billing", "bug"' in plan["golds"]
    assert plan["golds"].startswith("1 gold can never be matched")
    fine = {"text": text.replace("refunds", "Billing "), "kind": "csv"}
    assert calls["plan"]({**request, "own": fine})["golds"] == ""
    assert calls["plan"](told(4))["golds"] == ""


def test_a_plan_bounds_what_the_study_then_takes(runs: StudyRuns, calls: Calls) -> None:
    request = told(10, methods=["ask", "strict", "parallel-3", "retry"], draws=2)
    plan = calls["plan"](request)
    assert plan["outputs"] == 80
    assert plan["runs"] == 10 * 2 * (1 + 1 + 3 + 3)
    assert plan["tokens"] == plan["runs"] * 64
    assert plan["seconds"] > 0
    assert plan["pace"] == "probe"
    name, _ = done(runs, request)
    assert sum(row.tokens for row in runs.files.read(name).rows) <= plan["tokens"]
    assert sum(row.attempts for row in runs.files.read(name).rows) <= plan["runs"]
    assert calls["plan"](request)["pace"] == "study"


def test_what_a_method_that_gives_up_takes_at_most_is_counted_and_named(calls: Calls) -> None:
    plan = calls["plan"](told(10, methods=["cars", "ask", "mcmc"], draws=2))
    assert plan["gives_up"] == {"cars": MOST_ATTEMPTS}
    assert plan["runs"] == 10 * 2 * (MOST_ATTEMPTS + 1 + 11)
    assert calls["plan"](told(10, methods=["ask"]))["gives_up"] == {}


@pytest.mark.parametrize("more", [[], ["cars"], ["conditional"], ["mcmc"]])
def test_a_method_without_an_end_switches_no_limit_off(calls: Calls, more: list[str]) -> None:
    request = told(300, methods=["parallel-32", *more], max_tokens=500)
    refused = calls["plan"](request)["error"]
    assert "tokens" in refused["what"]
    assert refused["where"] == "size and sampling"


def test_exact_rows_and_readings_count_in_the_limit_and_in_the_time(
    runs: StudyRuns, calls: Calls
) -> None:
    plain, exact = calls["plan"](told(100)), calls["plan"](told(100, exact_rows=500))
    assert exact["rows"] == 50_000
    assert exact["seconds"] > 2 * plain["seconds"]
    refused = calls["plan"](told(2500, exact_rows=5000))["error"]["what"]
    assert "may take 12," in refused
    assert "rows for exact bounds" in refused
    spec = study_spec(runs.playground, told(100))
    asked = work_of(spec.model_copy(update={"yes": True}), [1000] * 100)
    assert (asked.readings, asked.outputs) == (200, 200)
    assert asked.read >= 200 * (1000 + 64)
    pace = Pace(0.01, 0.1, "study")
    # Each reading takes the whole prompt again.
    assert pace.seconds(asked, 250) > pace.seconds(work_of(spec, [1000] * 100), 250) + 200 * 2.5
    long = told(100, yes=True, instruction="x" * 4000 + "{input}", methods=["ask"], draws=100)
    assert "prompts read again for p(yes)" in calls["plan"](long)["error"]["what"]


def test_one_prompt_alone_may_not_hold_the_turn(calls: Calls) -> None:
    methods = ["ask", "strict", "parallel-3"]
    refused = calls["plan"](told(8, methods=methods, draws=97, max_tokens=1024))["error"]
    assert f"One prompt may take {5 * 97 * 1024:,} tokens" in refused["what"]
    together = 8 * 5 * 97 * 1024
    assert together < MOST_WORK  # which all prompts are not
    assert f"{MOST_OF_PROMPT:,}" in refused["hint"]
    assert "error" not in calls["plan"](told(8, methods=methods, draws=97, max_tokens=64))


def test_own_prompts_with_half_a_character_are_refused_where_they_stand(calls: Calls) -> None:
    for line in ('{"prompt": "a", "gold": {"a": "\\ud800"}}', '{"prompt": "\\ud800"}'):
        request = told(1)
        request["own"] = {"text": '{"prompt": "a"}\n' + line, "kind": "jsonl"}
        request["spec"]["n"] = 2
        for answer in (calls["check"](request["own"]), calls["plan"](request)):
            assert answer["error"]["where"].startswith("row 2")
    for text in ("prompt,gold\na,\ud800\n", "prompt,gold.a\na,\ud800\n"):
        refused = calls["check"]({"text": text, "kind": "csv"})["error"]
        assert refused["where"].startswith("row 2, column gold")
    named = told(1)
    named["spec"]["prompts"] = "\ud800.csv"
    assert calls["plan"](named)["error"]["what"]


def test_names_are_secrets_of_the_server(runs: StudyRuns, calls: Calls, tmp_path: Path) -> None:
    names = {runs.files.new() for _ in range(50)}
    assert len(names) == 50
    assert runs.files.folder.stat().st_mode & 0o077 == 0
    for name in ("", "x", "../../etc/passwd", "a" * 22 + "/", "recorded2", "a" * 21 + "."):
        assert "isn't kept" in calls["look"]({"id": name})["error"]["what"]
    assert "isn't kept" in calls["look"]({"id": "a" * 22})["error"]["what"]


def test_files_are_bounded_in_number_and_in_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = StudyFiles(tmp_path)
    monkeypatch.setattr("playground.ui.study_files.MOST_FILES", 4)
    monkeypatch.setattr("playground.ui.study_files.MOST_BYTES", 1000)
    monkeypatch.setattr("playground.ui.study_files.MOST_OF_ONE", 300)
    made = []
    for at in range(8):
        name = files.new()
        path = files.path(name)
        path.write_bytes(b"x" * 100)
        made.append(path)
        os.utime(path, (at, at))
    assert [path.exists() for path in made] == [False] * 4 + [True] * 4
    made[-1].write_bytes(b"x" * 650)
    with files.held(made[4].stem):
        files.new()
    # The oldest one is being run, and stays.
    assert [path.exists() for path in made[4:]] == [True, False, False, False]


def written(files: StudyFiles, session: str, at: int) -> Path:
    """A study of a session, last touched at a second."""
    path = files.path(files.new(session))
    path.write_bytes(b"x" * 100)
    os.utime(path, (at, at))
    return path


def test_a_visitor_makes_room_among_their_own_studies_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("playground.ui.study_files.MOST_OF_VISITOR", 3)
    monkeypatch.setattr("playground.ui.study_files.MOST_FILES", 8)
    files = StudyFiles(tmp_path)
    others = [written(files, "other", at) for at in (1, 2)]
    many = [written(files, "many", 10 + at) for at in range(30)]
    assert all(path.exists() for path in others)
    assert [path.exists() for path in many] == [False] * 27 + [True] * 3
    # All places taken: who has a study gives up the oldest of them, who has none takes the oldest.
    written(files, "a", 50), written(files, "b", 51)
    mine = written(files, "c", 52)
    written(files, "c", 53)
    assert not mine.exists()
    assert all(path.exists() for path in others)
    written(files, "d", 54)
    assert [path.exists() for path in others] == [False, True]
    # A study under way is not given up.
    with files.held(others[1].stem):
        written(files, "e", 55)
    assert others[1].exists()
    assert len(list(tmp_path.glob("*.jsonl"))) == 8


def test_of_two_servers_on_one_folder_one_at_a_time_has_a_study(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("playground.ui.study_files.MOST_FILES", 1)
    one, two = StudyFiles(tmp_path), StudyFiles(tmp_path)
    path = written(one, "mine", 1)
    with one.held(path.stem):
        with pytest.raises(Busy, match="running already"), two.held(path.stem):
            pass
        two.new("other")  # which wants its place
        assert path.exists()
    with two.held(path.stem):
        pass
    two.new("other")
    assert list(tmp_path.iterdir()) == []


def test_a_study_that_is_let_go_in_another_thread_is_free(tmp_path: Path) -> None:
    files = StudyFiles(tmp_path)
    name = files.new()
    run = files.held(name)
    with ThreadPoolExecutor(max_workers=1) as thread:
        thread.submit(run.__enter__).result()
    assert files.is_held(name)
    run.__exit__(None, None, None)
    with files.held(name):
        assert files.is_held(name)


def test_a_run_of_a_browser_is_its_visitors(runs: StudyRuns) -> None:
    name, _ = runs.begin(told(8), "someone")
    assert runs.files._owners == {name: "someone"}


def test_a_servers_model_is_asked_with_what_it_can_do(tmp_path: Path) -> None:
    settings = Settings(cache=tmp_path, models=("server:m",), server="http://127.0.0.1:9/v1")
    runs = StudyRuns(Playground(settings))
    plan = {call.__name__: call for call in study_calls(runs)}["plan"]
    asked = told(8, model="server:m", methods=["ask", "retry"])
    found = plan(asked)
    assert (found["model"], found["seconds"], found["outputs"]) == ("server", None, 16)
    assert runs.playground.hub.status("server:m").state == "absent"  # nothing was loaded
    for part, words in (
        ({"methods": ["cars"]}, "'cars' can't be asked of a server"),
        ({"methods": ["parallel-3"]}, "'parallel-3' can't be asked of a server"),
        ({"methods": ["strict"]}, "A server constrains by a JSON Schema"),
        ({"methods": ["ask"], "exact_rows": 5}, "bounds on Z and TV"),
        ({"methods": ["ask"], "yes": True}, "p(yes)"),
    ):
        assert words in plan(told(8, **{"model": "server:m", **part}))["error"]["what"]
    name, spec = runs.begin(asked)
    with pytest.raises(ModelUnavailable, match="server"):  # it is asked, and isn't there
        next(runs.go(name, spec, never))


def test_only_what_says_what_came_out_reads_the_rows_again(
    runs: StudyRuns, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, _ = done(runs, told(8))

    def refused(*_: object) -> None:
        raise AssertionError("summarised")

    monkeypatch.setattr("playground.ui.study_documents.summarise", refused)
    for kind in ("csv", "parquet", "settings"):
        assert "error" not in calls["export"]({"id": name, "kind": kind})
    for kind in ("json", "html"):
        assert "error" in calls["export"]({"id": name, "kind": kind})


def test_a_file_that_has_grown_too_large_ends_as_if_stopped(
    runs: StudyRuns, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("playground.ui.study_runs.MOST_OF_ONE", 150_000)
    name, spec = runs.begin(told(400, draws=4))
    *_, last = runs.go(name, spec, never)
    assert last["stopped"]
    assert 0 < last["chunks_done"] < last["chunks"]


def test_a_missing_recording_is_fine_and_one_that_is_there_can_be_read(
    runs: StudyRuns, calls: Calls, tmp_path: Path
) -> None:
    runs.files.recorded = tmp_path / "recorded.jsonl"
    assert calls["sets"]({})["recorded"] is False
    assert "error" in calls["look"]({"id": "recorded"})
    name, _ = done(runs, told(8))
    runs.files.recorded.write_bytes(runs.files.path(name).read_bytes())
    assert calls["sets"]({})["recorded"] is True
    shown = calls["look"]({"id": "recorded"})
    assert shown["recorded"]
    assert shown["done"]
    with pytest.raises(InvalidInput, match="recorded"), runs.files.held("recorded"):
        pass


def test_sets_say_what_they_are(calls: Calls) -> None:
    found = {each["name"]: each for each in calls["sets"]({})["sets"]}
    assert found["tickets"]["splits"] == {"train": 2000, "test": 500, "all": 2500}
    for each in found.values():
        assert each["about"]
        assert len(each["samples"]) == 3
        assert each["instruction"].count("{input}") == 1


def test_every_label_states_its_law_and_the_usual_ones_their_level() -> None:
    labels = {each["name"]: each for each in labels_document()}
    assert [each["level"] for each in labels.values() if each["level"]] == [
        "1",
        "1.5",
        "2",
        "2",
        "3",
    ]
    assert all(each["law"] and each["title"] for each in labels.values())
    assert {"json-mode", "think", "cars"} <= set(labels)
    assert "masked" not in labels  # it is strict
