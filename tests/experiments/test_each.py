"""Each experiment run whole, stopped, refused; the command that lists them."""

import json

import pytest

from playground.cli import main
from playground.errors import InvalidInput
from playground.experiments.base import MOST, Bench, perform
from playground.experiments.registry import EXPERIMENTS


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_each_experiment_ends_in_a_finding_of_strict_json(bench, name) -> None:
    stages = list(perform(EXPERIMENTS[name], bench))
    assert [stage.finding is None for stage in stages] == [True] * (len(stages) - 1) + [False]
    dones = [stage.share.done for stage in stages]
    assert dones == sorted(dones)
    assert stages[-1].share == (3, 3)
    finding = stages[-1].finding
    document = json.loads(finding.model_dump_json())
    assert json.dumps(document, allow_nan=False)
    assert finding.n == 3
    assert f"experiment {name} --n 3 --seed 0" in finding.command
    assert len(finding.arms) >= 2
    for effect in (finding.effect, *finding.also):
        assert effect.lower <= effect.value <= effect.upper
        assert (effect.value == 0 and not effect.significant) or not effect.proof
    assert any("n = 3" in sentence for sentence in finding.sentences)


def test_the_same_seed_finds_the_same(bench) -> None:
    def found():
        *_, last = perform(EXPERIMENTS["whitespace"], bench)
        return last.finding.model_copy(update={"seconds": 0.0})

    assert found() == found()


@pytest.mark.parametrize("name", ["risk-law", "schema-shown"])
def test_stop_ends_an_experiment_without_a_finding(bench, name) -> None:
    asked = []

    def cancelled() -> bool:
        asked.append(1)
        return len(asked) > 3

    stages = list(perform(EXPERIMENTS[name], Bench(bench.studies, "bytes", 20, 0, cancelled)))
    assert all(stage.finding is None for stage in stages)
    assert stages[-1].share.done < 20


@pytest.mark.parametrize("n", [0, MOST + 1])
def test_a_number_of_prompts_out_of_range_is_refused(bench, n) -> None:
    with pytest.raises(InvalidInput, match=str(n)):
        next(perform(EXPERIMENTS["nesting"], Bench(bench.studies, "bytes", n, 0)))


def test_the_command_lists_what_there_is_and_refuses_what_there_is_not(capsys) -> None:
    assert main(["experiment", "list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["experiments"]
    assert [each["name"] for each in listed] == list(EXPERIMENTS)
    assert main(["experiment", "list"]) == 0
    assert "43.1 %" in capsys.readouterr().out
    assert main(["experiment", "nothing"]) == 2
    assert "no experiment called 'nothing'" in capsys.readouterr().err
