"""Rules of a study that a reader of its table relies on."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import ValidationError

from playground.constraints.spec import ConstraintSpec
from playground.decoding.accept import Accept
from playground.decoding.methods import METHODS
from playground.decoding.sampling import Sampling
from playground.decoding.trace import Outcome
from playground.errors import InvalidInput
from playground.models.toy import EOS, Rule, ToyModel, ToySpec
from playground.problem import MAX_PROMPT, ProblemSpec
from playground.session import Playground
from playground.settings import Settings
from playground.studies import Studies
from playground.study.answer import answer_of
from playground.study.checkpoint import Checkpoint, read_checkpoint
from playground.study.items import Item
from playground.study.labels import MOST_ATTEMPTS, NAMED, label_of
from playground.study.recommend import recommend
from playground.study.runner import chunks, kept
from playground.study.salvage import salvaging
from playground.study.spec import StudySpec
from playground.study.summary import Summary, summarise
from tests.experiments.bytemodel import ByteModel

REGEX = ConstraintSpec(kind="regex", source="(A|B)x")
WORDS = ("A", "B", "x", "y", "Yes", "No")


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Studies:
    return Studies(Playground(Settings(cache=tmp_path_factory.mktemp("cache"))))


def asked(count: int, **changes) -> StudySpec:
    items = tuple(Item(id=f"i{at}", prompt=f"prompt {at}") for at in range(count))
    usual = {"model": "toy:two-step", "constraint": REGEX, "valid": "language", "n": count}
    return StudySpec.model_validate({**usual, "items": items, **changes})


@pytest.mark.parametrize(
    ("runs", "sizes"), [(1, [8, 8, 4]), (5, [8, 8, 4]), (16, [4] * 5), (300, [1] * 20)]
)
def test_a_chunk_holds_fewer_prompts_the_more_runs_each_needs(runs, sizes) -> None:
    found = chunks(20, runs)
    assert [len(each) for each in found] == sizes
    assert [index for each in found for index in each] == list(range(20))


def test_a_study_counts_the_runs_side_by_side_and_the_draws(studies) -> None:
    study = studies.prepare(asked(9, methods=("ask", "parallel-3"), draws=4))
    assert {len(chunk) for chunk in study.chunks} == {4, 1}


def test_a_prompt_that_is_too_long_is_named_before_anything_runs(studies) -> None:
    items = [Item(id="fine", prompt="p"), Item(id="endless", prompt="p" * MAX_PROMPT)]
    with pytest.raises(InvalidInput, match="endless"):
        studies.prepare(asked(2, items=items, instruction="Answer: {input}"))


def test_hints_are_those_of_the_set_and_own_prompts_have_none(studies) -> None:
    with pytest.raises(InvalidInput, match="no hint 'nonsense'"):
        studies.prepare(asked(1, hints=("nonsense",)))


def test_a_method_whose_draws_need_weights_is_not_counted() -> None:
    for name, method in METHODS.items():
        if method.weighted:
            with pytest.raises(ValidationError, match="by weights"):
                asked(1, methods=(name,))
        else:
            assert label_of(name).method is method


def test_the_law_of_a_label_speaks_of_what_it_is_given() -> None:
    assert label_of("strict").law == METHODS["masked"].law
    assert label_of("prefill").law == "p given that the answer begins with the token '{'"
    assert "mixture" in label_of("retry-prefill").law


def test_what_is_given_is_no_part_of_what_the_model_wrote(studies) -> None:
    opened = studies.playground.open(
        ProblemSpec(model="toy:two-step", constraint=REGEX, prefill="A", attempts=1)
    )
    (draw, *_) = METHODS["retry"].draws(opened.problem, 1)
    answer = answer_of(draw, opened.problem.model.vocabulary.eos_ids, 64, 3, False)
    assert answer.path[0] == opened.problem.prefill[0]
    assert answer.length == len(answer.path) - 1 == answer.tokens
    alone = ToyModel(studies.playground.hub.get("toy:two-step").spec)  # type: ignore[attr-defined]
    log_a = alone.logits([()])[0][opened.problem.prefill[0]]
    assert answer.log_p == pytest.approx(draw.run.log_p - log_a)


def test_p_yes_is_read_from_the_raw_logits_whatever_the_filters(studies) -> None:
    """With top-k 1 the filtered law has neither word; the weights of the table say .25 of both."""
    table = ToySpec(
        name="asked",
        tokens=WORDS,
        rules=(
            Rule(prefix=("A",), p={"x": 1.0}),
            Rule(prefix=("A", "x"), p={EOS: 1.0}),
            Rule(p={"A": 0.6, "Yes": 0.1, "No": 0.3}),
        ),
    )
    spec = asked(1, methods=("strict",), yes=True, sampling={"top_k": 1})
    study = studies.prepare(spec.model_copy(update={"yes": False}))
    opened = studies.playground.open(ProblemSpec(toy=table, constraint=REGEX))
    study = replace(
        study,
        spec=spec,
        open=lambda index: replace(opened, problem=replace(opened.problem, sampling=spec.sampling)),
    )
    (row,) = study.run(0) or ()
    assert row.text == "Ax"
    assert row.p_yes == pytest.approx(0.25)


def test_salvage_looks_into_a_run_that_was_cut_off_and_the_schema_does_not() -> None:
    schema = Accept("schema", lambda text: json.loads(text) == {"a": 1}, lambda text: "no")
    text = b'Sure: {"a": 1} and then'
    assert salvaging(schema)(Outcome.TRUNCATED, False, text)
    assert not salvaging(schema)(Outcome.TRUNCATED, False, b'Sure: {"a": 2} and')
    assert not schema(Outcome.TRUNCATED, False, b'{"a": 1}')


def test_pydantic_sources_have_one_judge(studies) -> None:
    source = "class M(BaseModel):\n    age: int\n"
    constraint = ConstraintSpec(kind="pydantic", source=source)
    spec = asked(1, model="smollm2", constraint=constraint, valid="schema")
    judges = studies._judges(spec, constraint, None)
    assert judges.schema is not None
    assert judges.schema({"age": "5"})  # Pydantic reads the text as a number
    assert not judges.schema({"age": "five"})


def test_both_readers_of_a_file_stop_at_its_first_damaged_chunk(studies, tmp_path: Path) -> None:
    study = studies.prepare(asked(20))
    path = tmp_path / "study.jsonl"
    with Checkpoint(path, study.spec, study.provenance()) as kept:
        for chunk in range(3):
            kept.add(chunk, study.run(chunk) or ())
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], b'{"chunk": 1, "rows": [{}]}\n', lines[3]]))
    assert set(read_checkpoint(path)[2]) == {0}
    with Checkpoint(path, study.spec, study.provenance()) as kept:
        assert set(kept.chunks) == {0}


NOTHING = Accept("schema", lambda _: False)
TREE = Path(__file__).parents[2]


def test_a_method_that_finds_nothing_valid_gives_up_and_says_so(studies) -> None:
    spec = asked(2, methods=("cars", "ask"), draws=2)
    study = replace(studies.prepare(spec), accepts=dict.fromkeys(spec.methods, NOTHING))
    rows = [row for row in study.run(0) or () if row.method == "cars"]
    assert [(row.index, row.draw) for row in rows] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    for row in rows:
        assert (row.category, row.valid, row.failure) == ("gave_up", False, None)
        assert row.attempts == MOST_ATTEMPTS
    found = summarise(spec, rows)
    cars = found.methods[0]
    assert (cars.valid.count, cars.valid.n, cars.categories["gave_up"].count) == (0, 4, 4)
    assert (cars.categories["invalid"].count, cars.unclassed) == (0, 0)
    (reason,) = (each for each in recommend(found).reasons if "gave up" in each.text)
    assert reason.numbers == {"count": 4, "n": 4, "attempts": MOST_ATTEMPTS}


def test_that_nothing_valid_is_left_is_known_and_no_giving_up(studies) -> None:
    """Ax and its end are three tokens: with two, a bound of 0 on Z is proved."""
    study = studies.prepare(asked(1, methods=("cars",), max_tokens=2))
    (row,) = study.run(0) or ()
    assert row.category in ("invalid", "truncated")
    assert row.attempts < MOST_ATTEMPTS


def test_what_was_drawn_where_it_did_not_give_up_has_the_law_p_v(studies) -> None:
    """One attempt a draw, each by a memory that knows nothing: q = .109, and p_V(Ax) = .009 / .109
    where p~ gives .9."""
    opened = studies.playground.open(ProblemSpec(model="toy:two-step", constraint=REGEX))
    drawn = []
    for seed in range(800):
        problem = replace(opened.problem, sampling=Sampling(seed=seed))
        (draw,) = kept(METHODS["cars"].draws(problem, 1), 1, most=1)
        drawn += [draw.text] if draw.accepted else []
    sigmas = 4.5
    assert len(drawn) == pytest.approx(87.2, abs=sigmas * (87.2 * 0.891) ** 0.5)
    share = 0.009 / 0.109
    spread = (share * (1 - share) / len(drawn)) ** 0.5
    assert drawn.count(b"Ax") / len(drawn) == pytest.approx(share, abs=sigmas * spread)


def test_a_label_that_may_give_up_says_after_how_many_attempts() -> None:
    for name in ("cars", "conditional"):
        assert f"did not give up, as it does after {MOST_ATTEMPTS} attempts" in label_of(name).law
    for name in ("rejection", *(each.name for each in NAMED)):
        assert "give up" not in label_of(name).law


def test_the_labels_that_there_are_are_named_once() -> None:
    with pytest.raises(ValueError, match="is no method") as error:
        label_of("guess")
    names = str(error.value).partition("there are ")[2].split(", ")
    assert len(names) == len(set(names))
    assert {"retry", "parallel-N", "cars"} <= set(names)


def test_the_threads_of_torch_are_in_the_provenance_of_what_torch_computes(studies) -> None:
    study = studies.prepare(asked(1))
    assert "torch_threads" not in study.provenance(), "a toy has none"
    opened = study.open(0)
    live = replace(opened, problem=replace(opened.problem, model=ByteModel()))
    provenance = replace(study, open=lambda _: live, threads=3).provenance()
    assert provenance["torch_threads"] == 3


def test_a_study_goes_on_with_as_many_threads_and_a_file_without_them_as_it_is(
    tmp_path: Path,
) -> None:
    spec, model = asked(1), {"model": "m"}
    Checkpoint(tmp_path / "old", spec, model).__exit__(None, None, None)
    Checkpoint(tmp_path / "old", spec, {**model, "torch_threads": 3}).__exit__(None, None, None)
    new = tmp_path / "new"
    Checkpoint(new, spec, {**model, "torch_threads": 2}).__exit__(None, None, None)
    with pytest.raises(InvalidInput, match="a study with 2 torch threads"):
        Checkpoint(new, spec, {**model, "torch_threads": 3})
    with pytest.raises(InvalidInput, match="another model"):
        Checkpoint(new, spec, {"model": "other", "torch_threads": 3})


def test_studies_that_were_kept_before_still_load(tmp_path: Path) -> None:
    recorded = TREE / "static" / "study" / "recorded.jsonl"
    spec, provenance, found = read_checkpoint(recorded)
    assert found
    copy = tmp_path / "study.jsonl"
    shutil.copyfile(recorded, copy)
    with Checkpoint(copy, spec, {**provenance, "torch_threads": 1}) as checkpoint:
        assert checkpoint.chunks == found
    document = json.loads((TREE / "demos/studies/tickets-500/summary.json").read_text())
    for method in document["summary"]["methods"]:
        method["categories"].pop("gave_up", None)  # as a file of before it was counted
    old = Summary.model_validate(document["summary"])
    assert old.rows == 1500
    assert recommend(old).choice == document["recommendation"]["choice"]
