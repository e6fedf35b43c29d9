"""Rules of a study that a reader of its table relies on."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import ValidationError

from playground.constraints.spec import ConstraintSpec
from playground.decoding.accept import Accept
from playground.decoding.methods import METHODS
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
from playground.study.labels import label_of
from playground.study.runner import chunks
from playground.study.salvage import salvaging
from playground.study.spec import StudySpec

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
