"""The command line prints the screens' numbers, and one line for a user's error."""

import json
import math
import os
import subprocess
import sys

import pytest

from playground.cli import main

TWO_STEP = ["step", "--model", "toy:two-step", "--regex", "(A|B)x", "--raw-prompt", ""]


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYGROUND_CACHE", str(tmp_path))


def report(capsys, *args: str) -> dict:
    assert main([*args, "--json"]) == 0
    text = capsys.readouterr().out

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is not strict JSON")

    return json.loads(text, parse_constant=refuse)


def test_the_a_path_of_two_step_costs_nothing_and_then_a_hundredth(capsys) -> None:
    run = report(capsys, *TWO_STEP, "--temperature", "1", "--seed", "0", "--follow", "Ax")
    zs = [math.exp(step["log_z"]) for step in run["steps"]]
    assert zs == pytest.approx([1.0, 0.01, 1.0], rel=1e-12)
    assert run["outcome"] == "accepted"
    assert run["text"] == "Ax"
    assert math.exp(run["log_z_total"]) == pytest.approx(0.01, rel=1e-12)


def test_a_run_has_the_documented_fields(capsys) -> None:
    run = report(capsys, *TWO_STEP)
    assert set(run) == {"provenance", "constraint", "outcome", "text", "log_z_total", "steps"}
    assert set(run["steps"][0]) == {
        "state", "token", "token_id", "log_z", "log_weight", "bits", "allowed", "may_stop",
        "forced", "argmax_blocked", "candidates",
    }  # fmt: skip
    assert set(run["steps"][0]["candidates"][0]) == {
        "token", "token_id", "logit", "p", "masked", "allowed", "rank",
    }  # fmt: skip
    assert run["outcome"] == "accepted"


def test_following_a_text_ends_at_its_first_blocked_token(capsys) -> None:
    run = report(capsys, *TWO_STEP, "--follow", "Ay")
    assert run["outcome"] == "rejected"
    assert [step["token"] for step in run["steps"]] == ["A", "y"]


def test_a_dead_end_is_an_outcome_and_prints_null_for_minus_infinity(capsys) -> None:
    args = ["step", "--model", "toy:two-step", "--regex", "Bx", "--top-k", "1"]
    run = report(capsys, *args)
    assert (run["outcome"], run["steps"]) == ("dead_end", [])
    forced = report(capsys, *args, "--follow", "Bx")
    assert forced["steps"][0]["log_z"] is None
    assert forced["steps"][0]["bits"] is None


def test_text_output_names_the_blocked_argmax(capsys) -> None:
    assert main([*TWO_STEP, "--follow", "Ax"]) == 0
    out = capsys.readouterr().out
    assert "argmax blocked" in out
    assert "accepted: 'Ax'" in out


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["step", "--model", "toy:nowhere", "--regex", "a"], "nowhere"),
        (
            ["step", "--model", "/no/such/folder", "--regex", "a", "--prompt", "x"],
            "/no/such/folder",
        ),
        ([*TWO_STEP[:4], "(A", "--raw-prompt", ""], "column"),
        ([*TWO_STEP, "--temperature", "-1"], "temperature"),
        ([*TWO_STEP, "--max-tokens", "0"], "max tokens"),
        ([*TWO_STEP, "--top-p", "nan"], "top-p"),
        ([*TWO_STEP, "--follow", "Aq"], "q"),
        (["step", "--model", "toy:sky", "--schema", "/no/such/file"], "--schema"),
        (["step", "--model", "toy:sky", "--type", "colour"], "colour"),
        (["step", "--model", "toy:sky", "--engine", "abacus", "--regex", "skill"], "abacus"),
        (["step", "--regex", "a"], "--prompt"),
        (["step", "--model", "toy:sky", "--regex", "rain"], "can't spell"),
    ],
)
def test_a_users_error_is_one_line_and_status_two(args, words, capsys) -> None:
    assert main(args) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert len(captured.err.strip().splitlines()) == 1
    assert words in captured.err


def test_unknown_flags_are_one_line_and_status_two() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "playground", "step", "--colour", "blue"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_reader_that_leaves_early_is_no_error() -> None:
    command = f"{sys.executable} -m playground step --model toy:two-step --regex '(A|B)x' --json | head -c 5"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, timeout=60, check=False
    )
    assert done.stdout == b'{"pro'
    assert b"Traceback" not in done.stderr


def test_a_followed_text_gets_its_verdict_and_place_in_words(capsys) -> None:
    assert main([*TWO_STEP, "--follow", "Ay"]) == 0
    out = capsys.readouterr().out
    assert "BLOCKED" in out
    assert "INVALID at byte 2 (line 1, column 2): got 'y', expected x" in out
    assert main([*TWO_STEP, "--follow", "A"]) == 0
    assert "INCOMPLETE: still needs 'x'" in capsys.readouterr().out
    run = report(capsys, *TWO_STEP, "--follow", "Ay")
    assert run["follow"]["verdict"] == "invalid"


def test_a_product_of_zero_says_why(capsys) -> None:
    args = ["--regex", "Bx", "--top-k", "1", "--mask-order", "before-filters"]
    assert main(["step", "--model", "toy:two-step", *args]) == 0
    assert "product of Z_t: 0, as the filters leave p" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "stdin", "words"),
    [
        ([*TWO_STEP, "--run", "-1"], b"", "--run"),
        ([*TWO_STEP, "--run", "x"], b"", "--run"),
        ([*TWO_STEP, "--temperature", "1e-320"], b"", "temperature"),
        (["step", "--model", "toy:age", "--schema", "-"], b"\xff\xfe{", "UTF-8"),
    ],
)
def test_hostile_values_are_one_line_and_status_two(args, stdin, words) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "playground", *args],
        input=stdin,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert len(done.stderr.decode().strip().splitlines()) == 1
    assert words in done.stderr.decode()


def test_a_terminal_without_unicode_still_gets_the_run() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "playground", "step", "--model", "toy:sky", "--choices", "skill,é"],
        capture_output=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert (done.returncode, done.stderr) == (0, b"")


EXACT = ["exact", "--model", "toy:two-step", "--regex", "(A|B)x"]


def test_exact_has_the_documented_fields_and_the_numbers_of_the_hand(capsys) -> None:
    found = report(capsys, *EXACT)
    assert {
        "Z", "status", "inside", "outside", "open", "open_masked", "cut", "dead", "rows_used",
        "rows_computed", "seconds", "texts", "tv", "kl",
    } <= set(found)  # fmt: skip
    assert {"text", "p", "p_V", "masked", "squeeze"} <= set(found["texts"][0])
    assert found["status"] == "exact"
    assert found["Z"]["lower"] <= 0.109 <= found["Z"]["upper"]
    assert found["inside"] == pytest.approx(0.109, rel=1e-12)
    by_text = {row["text"]: row for row in found["texts"]}
    assert by_text["Ax"]["p_V"]["lower"] == pytest.approx(0.009 / 0.109, rel=1e-9)
    assert by_text["Bx"]["masked"]["upper"] == pytest.approx(0.1, rel=1e-9)


def test_a_small_budget_leaves_bounds_around_the_truth(capsys) -> None:
    found = report(capsys, *EXACT, "--budget", "2", "--tolerance", "0")
    assert found["status"] == "bounded"
    assert found["stopped"] == "rows"
    assert found["rows_used"] == 2
    assert found["Z"]["lower"] < 0.109 < found["Z"]["upper"]


def test_compare_has_the_documented_fields(capsys) -> None:
    found = report(capsys, "compare", *EXACT[1:], "--methods", "masked,rejection,cars", "--n", "30")
    assert set(found["methods"]) == {"masked", "rejection", "cars"}
    assert {"draws", "accepted", "rows_used", "rows_computed", "seconds", "texts", "tv_to_p_V"} <= (
        set(found["methods"]["cars"])
    )
    assert found["methods"]["cars"]["accepted"] == 30
    assert found["q"]["acceptance"]["n"] == 30
    assert found["exact"]["status"] == "exact"


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ([*EXACT, "--temperature", "0"], "temperature"),
        ([*EXACT, "--budget", "0"], "--budget"),
        (["compare", *EXACT[1:], "--methods", "masked,foo"], "'foo' is no method"),
        (["compare", *EXACT[1:], "--n", "0"], "at least 1"),
        (["compare", *EXACT[1:], "--accept", "schema"], "no schema"),
    ],
)
def test_a_proof_that_cant_be_made_is_one_line(capsys, args, words) -> None:
    assert main(args) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def test_the_reports_can_be_read_by_people(capsys) -> None:
    assert main(EXACT) == 0
    assert "0.08257" in capsys.readouterr().out
    assert main(["compare", *EXACT[1:], "--n", "20"]) == 0
    assert "rejection" in capsys.readouterr().out
