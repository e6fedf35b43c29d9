"""Studies keep their laws: what a row says of a toy is the toy's own arithmetic, however it is run."""

import math
from collections import Counter
from pathlib import Path

import pytest

from playground.constraints.spec import ConstraintSpec
from playground.errors import InvalidInput
from playground.posed import constraint_of, items_of, question
from playground.session import Playground
from playground.settings import Settings
from playground.studies import Progress, Studies, Study
from playground.study.checkpoint import Checkpoint
from playground.study.items import SETS, Item
from playground.study.row import Row
from playground.study.spec import StudySpec
from playground.study.summary import summarise
from playground.study.within import Within

TWO_STEP = ConstraintSpec(kind="regex", source="(A|B)x")
Q = 0.109
P_V = {"Ax": 0.009 / Q, "Bx": 0.1 / Q}
MASKED = {"Ax": 0.9, "Bx": 0.1}


def spec_of(count: int, **changed: object) -> StudySpec:
    items = tuple(Item(id=f"i{n}", prompt=f"prompt {n}", gold="Ax") for n in range(count))
    plain = {"model": "toy:two-step", "constraint": TWO_STEP, "valid": "language", "items": items}
    return StudySpec.model_validate({**plain, "n": count, **changed})


@pytest.fixture
def studies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Studies:
    monkeypatch.setenv("PLAYGROUND_CACHE", str(tmp_path / "cache"))
    return Studies(Playground(Settings.from_env()))


def last(progress: list[Progress]) -> Progress:
    return progress[-1]


def rows_of(studies: Studies, spec: StudySpec) -> tuple[Row, ...]:
    found = last(list(studies.run(studies.prepare(spec))))
    assert found.done
    return found.rows


def test_a_row_of_each_method_says_what_the_toy_s_table_says(studies: Studies) -> None:
    rows = rows_of(studies, spec_of(3, methods=("ask", "strict", "cars"), draws=30, exact_rows=50))
    chances = {"A": {"x": 0.9 * 0.01, "y": 0.9 * 0.99}, "B": {"x": 0.1}}
    for row in rows:
        assert row.log_p == pytest.approx(math.log(chances[row.text[0]][row.text[1]]))
        assert row.valid == row.in_language == (row.text in P_V)
        if row.valid:
            assert row.length == len(row.path) == 3, "two tokens and the end"
            assert row.category == ("right" if row.text == "Ax" else "wrong")
        if row.method == "strict":
            assert row.valid
            assert row.bits == pytest.approx({"Ax": -math.log2(0.01), "Bx": 0.0}[row.text])
        if row.method == "ask" and not row.valid:
            assert row.category == "invalid"
    assert {row.text for row in rows if row.method == "ask"} >= {"Ay"}


def test_z_tv_and_the_squeeze_of_a_text_are_proved(studies: Studies) -> None:
    for row in rows_of(studies, spec_of(2, methods=("strict",), draws=20, exact_rows=50)):
        assert row.z == pytest.approx((Q, Q))
        tv = MASKED["Ax"] - P_V["Ax"]
        assert row.tv == pytest.approx((tv, tv))
        bits = math.log2(MASKED[row.text] / P_V[row.text])
        assert row.squeeze == pytest.approx((bits, bits))


def test_shares_come_within_six_deviations_of_the_laws_they_are_drawn_from(
    studies: Studies,
) -> None:
    """Wide enough that no seed matters: such a distance has a chance below 1e-8."""
    count, draws = 25, 100
    rows = rows_of(studies, spec_of(count, methods=("ask", "strict", "rejection"), draws=draws))
    by_method = {name: [row for row in rows if row.method == name] for name in ("ask", "strict")}
    for name, share in (("ask", Q), ("strict", MASKED["Ax"])):
        hits = sum(row.valid if name == "ask" else row.text == "Ax" for row in by_method[name])
        n = count * draws
        assert abs(hits - n * share) < 6 * math.sqrt(n * share * (1 - share)), name
    q = summarise(spec_of(count, methods=("ask", "strict", "rejection"), draws=draws), rows).q
    assert q is not None
    assert q.rate.n == count, "one draw a prompt: trials are independent"


def test_prompts_draw_from_streams_of_their_own(studies: Studies) -> None:
    """Else one lucky stream would be counted once a prompt, and no interval would hold."""
    rows = rows_of(studies, spec_of(8, methods=("ask",), draws=100))
    drawn = [tuple(row.text for row in rows if row.index == index) for index in range(8)]
    assert len(set(drawn)) == 8


def test_a_draw_that_its_own_judge_broke_off_is_invalid_not_cut_off(studies: Studies) -> None:
    """Rejection stops at the first token that no valid text begins with, far below max_tokens."""
    rows = rows_of(studies, spec_of(1, methods=("rejection", "parallel-3", "cars"), draws=30))
    broken = [row for row in rows if row.text == "Ay"]
    assert broken
    assert {row.category for row in broken} == {"invalid"}


def test_methods_at_one_prompt_share_their_streams(studies: Studies) -> None:
    """Where ask is valid, the first run of parallel-3 is that very run."""
    rows = rows_of(studies, spec_of(40, methods=("ask", "parallel-3")))
    first = {(row.index, row.method): row for row in rows}
    valid = [index for index in range(40) if first[index, "ask"].valid]
    for index in valid:
        assert first[index, "parallel-3"].text == first[index, "ask"].text


def chunk_by_chunk(study: Study, path: Path, order: list[int]) -> Checkpoint:
    with Checkpoint(path, study.spec, study.provenance()) as checkpoint:
        for chunk in order:
            rows = study.run(chunk)
            assert rows is not None
            checkpoint.add(chunk, rows)
        return checkpoint


def test_chunks_in_any_order_give_the_same_table(studies: Studies, tmp_path: Path) -> None:
    spec = spec_of(30, methods=("ask", "retry", "strict", "cars"), draws=2)
    study = studies.prepare(spec)
    straight = last(list(studies.run(study)))
    assert straight.chunks == 4
    held = chunk_by_chunk(study, tmp_path / "s.jsonl", [2, 0, 3, 1])
    shuffled = list(studies.run(study, held))
    assert [each.fresh for each in shuffled] == [0], "nothing was run again"
    assert shuffled[-1].done
    assert shuffled[-1].rows == straight.rows
    assert summarise(spec, shuffled[-1].rows) == summarise(spec, straight.rows)


def test_a_study_goes_on_where_its_file_ends(studies: Studies, tmp_path: Path) -> None:
    study = studies.prepare(spec_of(30, methods=("ask", "strict")))
    straight = last(list(studies.run(study)))
    path = tmp_path / "s.jsonl"
    chunk_by_chunk(study, path, [0, 2])
    with Checkpoint(path, study.spec, study.provenance()) as checkpoint:
        resumed = list(studies.run(study, checkpoint))
    assert [each.chunks_done for each in resumed] == [2, 3, 4]
    assert resumed[-1].fresh == 2
    assert resumed[-1].rows == straight.rows


def test_a_cancelled_study_keeps_whole_chunks_and_is_not_done(studies: Studies) -> None:
    study = studies.prepare(spec_of(30, methods=("ask",)))
    seen: list[Progress] = []
    for progress in studies.run(study, cancelled=lambda: len(seen) == 2):
        seen.append(progress)
    assert not seen[-1].done
    assert {row.index for row in seen[-1].rows} == set(range(8))
    assert study.run(0, lambda: True) is None


def test_progress_tells_what_is_left(studies: Studies) -> None:
    progress = list(studies.run(studies.prepare(spec_of(20, methods=("ask",)))))
    assert [each.chunks_done for each in progress] == [0, 1, 2, 3]
    assert progress[0].left is None
    assert progress[-1].left == 0
    pace = progress[1].seconds
    assert progress[1].left == pytest.approx(2 * pace)


def test_the_same_seed_gives_the_same_rows_and_another_one_others(studies: Studies) -> None:
    spec = spec_of(8, methods=("ask",), draws=50)
    other = spec.model_copy(update={"sampling": spec.sampling.model_copy(update={"seed": 1})})
    assert rows_of(studies, spec) == rows_of(studies, spec)
    texts = [Counter(row.text for row in rows_of(studies, each)) for each in (spec, other)]
    assert texts[0] != texts[1]


def test_the_prompt_is_the_instruction_with_hints_and_schema_before_the_text() -> None:
    found = SETS["contracts"]
    spec = StudySpec(prompts="builtin:contracts", n=1, show_schema=True, hints=tuple(found.hints))
    builtin, items = items_of(spec)
    assert builtin is found
    constraint = constraint_of(spec, builtin)
    asked = question(spec, builtin, constraint, items[0])
    head = found.instruction.partition("{input}")[0]
    assert asked.startswith(head)
    places = [asked.index(hint) for hint in found.hints.values()]
    assert places == sorted(places)
    assert places[-1] < asked.index(constraint.source) < asked.index(items[0].prompt)


def test_own_prompts_stand_alone_unless_an_instruction_holds_them() -> None:
    spec = spec_of(1)
    assert question(spec, None, TWO_STEP, spec.items[0]) == "prompt 0"
    put = spec.model_copy(update={"instruction": "Say {input} now."})
    assert question(put, None, TWO_STEP, spec.items[0]) == "Say prompt 0 now."


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"items": (), "prompts": "builtin:nothing"}, "no prompts called"),
        ({"items": (), "prompts": "tickets"}, "no prompts called"),
        (
            {"items": (), "prompts": "builtin:sentiment", "split": "train"},
            "no prompts of the split",
        ),
        ({"constraint": None}, "no constraint"),
        ({"valid": "schema"}, "no schema to judge by"),
        ({"hints": ("x",), "items": (), "prompts": "builtin:tickets"}, "no hint"),
        ({"sampling": {"temperature": 0}}, "temperature 0"),
    ],
)
def test_what_cannot_be_run_says_why(
    studies: Studies, changed: dict[str, object], words: str
) -> None:
    with pytest.raises(InvalidInput, match=words):
        studies.prepare(spec_of(1, **changed))


@pytest.mark.parametrize("methods", [("ask", "strict", "parallel-3", "retry"), ("cars",)])
def test_a_chunk_tells_its_runs_as_they_end(studies: Studies, methods: tuple[str, ...]) -> None:
    study = studies.prepare(spec_of(4, methods=methods, draws=2))
    told: list[tuple[int, int, float]] = []

    def listen() -> None:
        told.append((study.within.ended, study.within.of, study.within.share))

    study.within.heard = listen
    rows = study.run(0)
    assert rows is not None
    *within, end = told
    assert end == (0, 0, 0.0), "a chunk that is done is not under way"
    beside = sum(3 if name == "parallel-3" else 1 for name in methods)
    assert {of for _, of, _ in within} == {4 * 2 * beside}
    ended = [count for count, _, _ in within]
    assert ended == sorted(ended)
    assert ended[0] == 0
    assert within[-1] == (4 * 2 * beside, 4 * 2 * beside, pytest.approx(1.0))
    assert all(0 <= share <= 1 for _, _, share in within)
    if "ask" in methods:
        # A token moves the share before any run has ended.
        assert any(count == 0 and share > 0 for count, _, share in within)
    assert rows == Studies(studies.playground).prepare(study.spec).run(0)


def test_a_chunk_under_way_tells_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("playground.study.within.time.monotonic", lambda: now[0])
    within = Within()
    assert within.left(30.0, 3) == 30.0, "none is under way: what was told holds"
    within.tell(0, 10, 0.0)
    now[0] += 4
    within.tell(0, 10, 0.01)
    assert within.left(None, 3) is None
    now[0] += 8
    within.tell(2, 10, 0.5)
    # Prompts read in 4 s, half of the tokens in 8 s: 20 s a chunk, 12 of them gone.
    assert within.left(None, 3) == pytest.approx(48)
    assert within.spent == pytest.approx(12)
    assert within.left(60.0, 3) == pytest.approx(48)
    now[0] += 30
    assert within.left(60.0, 3) == pytest.approx(40), "later chunks have not begun"
    within.tell(0, 0, 0.0)
    assert within.spent == 0
