"""Numbers print honestly, and the browser prints the same words."""

import json
import math
import shutil
import subprocess
from pathlib import Path

import pytest

from playground.views.numbers import bits, chance_of_bits, probability, visible

FORMAT = Path(__file__).parents[2] / "static" / "stage" / "format.js"


@pytest.mark.parametrize(
    ("p", "words"),
    [
        (0.612, "61.2 %"),
        (0.0043, "0.43 %"),
        (0.000043, "1 in 23,000"),
        (0.00001, "1 in 100,000"),
        (1 / 4.3e6, "1 in 4.3 million"),
        (0.0, "0"),
        (1.0, "100 %"),
        (0.99999999, "> 99.9 %"),
        (0.00995, "1.0 %"),
        (1e-30, "1 in 10³⁰"),
        (None, "–"),
    ],
)
def test_a_probability_prints_as_the_screens_say(p: float | None, words: str) -> None:
    assert probability(p) == words


@pytest.mark.parametrize("exponent", range(1, 300, 7))
def test_nothing_but_zero_prints_as_zero_and_nothing_but_one_as_certain(exponent: int) -> None:
    small = 10.0**-exponent
    assert probability(small) not in ("0", "0.0 %", "0.00 %", "–")
    if 1.0 - small < 1.0:
        assert probability(1.0 - small) != "100 %"


def test_bits_say_no_information_only_for_exactly_none() -> None:
    assert (bits(0.0), bits(0.01), bits(9.04), bits(None)) == (
        "0 bits",
        "< 0.1 bits",
        "9.0 bits",
        "∞ bits",
    )


def test_the_chance_of_many_bits_is_printed_where_a_float_would_underflow() -> None:
    assert 2.0**-5000 == 0.0
    assert chance_of_bits(5000).startswith("1 in ")
    assert chance_of_bits(1) == "50.0 %"
    assert chance_of_bits(0) == "100 %"


def test_blanks_are_visible() -> None:
    assert visible(" a\n\t") == "␣a↵⇥"


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node to run the browser's code")
def test_the_browser_prints_the_same_words() -> None:
    chances = [0.0, 1.0, 0.5, 0.999, 0.9999999, 0.01, 0.00995, 0.0099, 1e-4, 9.99e-5]
    chances += [10.0 ** -(k / 3) for k in range(1, 180)]
    amounts = [0.0, 0.01, 0.05, 0.96, 9.04, 12.5, 999.9, 1234.5, 0.1, 0.0499]
    sums = [0.5, 3.0, 12.0, 60.0, 400.0, 1074.0, 5000.0]
    script = f"""
        import {{ prob, bits, logProb }} from {json.dumps(FORMAT.as_uri())};
        const [p, b, s] = {json.dumps([chances, amounts, sums])};
        console.log(JSON.stringify([p.map((each) => prob(each).text), b.map(bits),
          s.map((each) => logProb(-each * Math.LN2).text)]));
    """
    node = subprocess.run(
        ["node", "--input-type=module", "-e", script], capture_output=True, text=True, check=True
    )
    shown, spent, products = json.loads(node.stdout)
    assert [probability(p) for p in chances] == shown
    assert [bits(b) for b in amounts] == spent
    assert [chance_of_bits(s) for s in sums] == products
    assert math.prod(chances) == 0.0  # the list holds a true zero
