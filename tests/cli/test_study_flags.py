"""The flags of `study`: what they refuse, and that a printed command names its study."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.cli import main, parser
from playground.cli.study_spec import methods_help, spec_of
from playground.constraints.spec import ConstraintSpec
from playground.decoding.methods import METHODS
from playground.study.checkpoint import Checkpoint
from playground.study.command import command_of
from playground.study.items import SETS
from playground.study.labels import NAMED
from playground.study.spec import StudySpec
from tests.cli.studies import refused, report


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--prompts", "builtin:nothing"], "no prompts called"),
        (["--prompts", "tickets"], "neither a built-in set nor"),
        (["--prompts", "none.csv"], "can't be read"),
        (["--methods", "ask,guess"], "is no method"),
        (["--n", "0"], "at least 1"),
        (["--temperature", "0"], "temperature 0"),
        (["--hint", "nothing", "--model", "toy:two-step"], "no hint"),
        (["--spec", "none.jsonl"], "can't be read"),
        (["--spec", "none.jsonl", "--seed", "1"], "says all settings"),
        (
            ["--valid", "schema", "--regex", "(A|B)x", "--model", "toy:two-step"],
            "no schema to judge by",
        ),
        (["--sweep", "temperature=0,1", "--model", "toy:two-step"], "temperature 0"),
        (["--out", "/dev/null/x", "--model", "toy:two-step"], "can't be made"),
    ],
)
def test_a_users_error_is_one_line_and_exit_2(capsys: Any, args: list[str], words: str) -> None:
    assert words in refused(capsys, "study", *args)


@pytest.mark.parametrize(
    "text", ["temperature", "seed=1,2", "top-p=a", "top-p=", "temperature=1,,2"]
)
def test_a_sweep_of_nothing_is_refused(capsys: Any, text: str) -> None:
    with pytest.raises(SystemExit) as left:
        main(["study", "--sweep", text])
    assert left.value.code == 2
    assert "is no sweep" in capsys.readouterr().err


def test_a_row_that_can_t_be_used_is_named(capsys: Any, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("prompt,id\nhello,a\n,b\n")
    error = refused(capsys, "study", "--model", "toy:sky", "--regex", "a", "--prompts", str(path))
    assert "row 3" in error


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=12)
SPECS = st.builds(
    StudySpec,
    model=st.sampled_from(["smollm2", "toy:sky", "-x"]),
    prompts=st.sampled_from([f"builtin:{name}" for name in SETS]),
    split=st.just("all"),
    n=st.integers(1, 2500),
    constraint=st.none()
    | st.builds(ConstraintSpec, kind=st.just("regex"), source=TEXTS, engine=st.just("outlines"))
    | st.builds(ConstraintSpec, kind=st.just("choices"), source=TEXTS, whitespace=st.just("none")),
    instruction=st.none() | TEXTS,
    show_schema=st.booleans(),
    chat=st.booleans(),
    methods=st.lists(st.sampled_from([label.name for label in NAMED]), min_size=1, max_size=8).map(
        tuple
    ),
    draws=st.integers(1, 100),
    valid=st.sampled_from(["salvaged", "language"]),
    salvage=st.booleans(),
    sampling=st.fixed_dictionaries(
        {
            "temperature": st.floats(0.01, 10),
            "top_k": st.integers(0, 100),
            "top_p": st.floats(0.01, 1),
            "mask_order": st.sampled_from(["after-filters", "before-filters"]),
            "seed": st.integers(0, 2**53 - 1),
        }
    ),
    max_tokens=st.integers(1, 1024),
    attempts=st.integers(1, 10),
    markers=st.builds(dict, open=TEXTS, close=TEXTS),
    yes=st.booleans(),
    exact_rows=st.integers(0, 5000),
)


@settings(deadline=None)
@given(SPECS)
def test_a_command_names_the_very_study_that_it_was_made_of(spec: StudySpec) -> None:
    words = shlex.split(command_of(spec))
    if "--spec" in words:
        markers = (spec.markers.open, spec.markers.close)
        source = "" if spec.constraint is None else spec.constraint.source
        assert "," in source or any(each.startswith("-") or "\\n" in each for each in markers)
        return
    assert spec_of(parser().parse_args(words[3:])) == spec


def test_own_prompts_that_came_from_no_file_are_run_again_from_the_study_s_own(
    tmp_path: Path,
) -> None:
    spec = StudySpec.model_validate({"items": [{"id": "a", "prompt": "x"}], "n": 1})
    file = tmp_path / "study.jsonl"
    Checkpoint(file, spec, {}).__exit__(None, None, None)
    words = shlex.split(command_of(spec, settings=str(file)))
    assert spec_of(parser().parse_args(words[3:])) == spec


def test_the_sets_own_schema_can_be_compiled_in_another_way() -> None:
    args = parser().parse_args(["study", "--whitespace", "none", "--prompts", "builtin:sentiment"])
    spec = spec_of(args)
    assert spec.constraint is not None
    assert spec.constraint.whitespace == "none"
    assert json.loads(spec.constraint.source) == SETS["sentiment"].schema
    words = shlex.split(command_of(spec))
    assert spec_of(parser().parse_args(words[3:])) == spec


def test_a_budget_that_rules_out_retries_changes_the_recommendation(
    capsys: Any, tmp_path: Path
) -> None:
    """Every output of the toy is valid here, and takes 3 steps: 75 ms at 25 ms a step."""
    path = tmp_path / "many.csv"
    path.write_text("\r\n".join(["prompt", *(f"say {n}" for n in range(40))]))
    asked = ["study", "--model", "toy:two-step", "--regex", "[A-Za-z]*", "--prompts", str(path),
             "--methods", "ask,strict"]  # fmt: skip

    def found(*flags: str) -> tuple[str, str, str]:
        document = report(capsys, *asked, *flags)
        advice = document["recommendation"]
        said = " ".join(reason["text"] for reason in advice["reasons"])
        return advice["choice"], said, document["command"]

    choice, said, command = found()
    assert (choice, "attempts fit" in said, "--budget-ms" in command) == ("parallel", False, False)
    choice, said, command = found("--budget-ms", "100")
    assert choice == "parallel"
    assert "latency rules out retries" in said
    assert "--budget-ms 100 --step-ms 25" in command
    choice, said, _ = found("--budget-ms", "100", "--step-ms", "10")
    assert (choice, "3 attempts fit" in said) == ("parallel", True)
    choice, said, _ = found("--budget-ms", "50")
    assert (choice, "the budget has 50 ms" in said) == ("none", True)


@pytest.mark.parametrize("flag", ["--budget-ms", "--step-ms"])
@pytest.mark.parametrize("value", ["0", "-1", "nan", "inf", "soon", "1e12", ""])
def test_a_time_that_is_none_is_refused_in_words(capsys: Any, flag: str, value: str) -> None:
    with pytest.raises(SystemExit) as left:
        main(["study", f"{flag}={value}"])
    assert left.value.code == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert flag in error
    assert "milliseconds above 0" in error


def test_the_help_lists_each_method_once_with_what_it_is() -> None:
    names = [line.split()[0] for line in methods_help().splitlines()[1:] if line[2] != " "]
    assert len(names) == len(set(names))
    counted = {name for name, method in METHODS.items() if not method.weighted}
    assert set(names) == {label.name for label in NAMED} | {"parallel-N"} | counted
    assert "gives up after 100 attempts" in " ".join(methods_help().split())
