"""Which texts are patterns of ECMA 262."""

import json
import random
import shutil
import subprocess

import pytest

from playground.constraints.judge_ecma import is_pattern

PATTERNS = (
    *("(?<a>x)", r"\p{L}", "(?<=a)b", "(?<!a)b", r"\u{1F600}", r"\k<a>(?<a>x)", "(?:)", r"\d+"),
    *("a{2}", "a{2,}?", "[]", "[^]", "[a-]", r"[\w\-.]", r"\/", r"\-", r"[\b]", r"\cA", r"\0"),
    *(r"\1(a)", r"[\ud83d\ude00-\ud83d\ude01]", "^$", "", "|", "a||b", "[[a]", "x*?", "(a)*"),
    *(r"\p{Script=Greek}", r"\p{scx=Latn}", r"\p{Lu}", r"\P{ASCII}", r"\p{Alphabetic}"),
)
OTHERS = (
    *("(?P<a>x)", "[", "a{2,1}", "\\", r"\Z", "[b-a]", "*", "(?i)x", r"\a", "(?#c)x", "x*+"),
    *("(?>x)", r"\p{Foo}", r"\p{Greek}", r"\p{Nope=L}", r"\pL", r"\k<b>", "{", "a{", "}", "]"),
    *("(?<a>x)(?<a>y)", r"\1", "(?=a)*", r"\c", r"[\d-x]", "(a", "a)", "a**", "^*", r"\b+"),
    *("(?|a)", "(?<1>a)", r"\x1", r"\u12", r"\u{110000}", "[a", r"\01", r"\_"),
)


@pytest.mark.parametrize("text", PATTERNS)
def test_patterns(text) -> None:
    assert is_pattern(text)


@pytest.mark.parametrize("text", OTHERS)
def test_no_patterns(text) -> None:
    assert not is_pattern(text)


def test_it_lies_between_a_javascript_engine_with_the_flag_u_and_without() -> None:
    """Whatever the strict reader takes is one; nothing is that no reader takes."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no JavaScript engine here")
    parts = [
        *("a", "-", "0", "1", "9", ",", "\\", "^", "$", ".", "*", "+", "?", "(", ")", "[", "]"),
        *("{", "}", "|", "/", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?<a>", "(?<b>", r"\k<a>"),
        *(r"\1", r"\2", r"\d", r"\w", r"\b", r"\B", r"\u{1F600}", r"\u0041", r"\x41", r"\cA"),
        *(r"\0", r"\p{L}", r"\-", "{1}", "{1,}", "{2,1}", "é", "=", r"\ud83d\ude00", "[^", "_"),
    ]
    rng = random.Random(7)
    texts = ["".join(rng.choices(parts, k=rng.randint(1, 6))) for _ in range(5_000)]
    script = """
    const reads = (text, flags) => { try { new RegExp(text, flags); return true; } catch { return false; } };
    const texts = JSON.parse(require('fs').readFileSync(0));
    console.log(JSON.stringify(texts.map((text) => [reads(text, 'u'), reads(text, '')])));
    """
    answer = subprocess.run(
        [node, "-e", script], input=json.dumps(texts), capture_output=True, text=True, check=True
    )
    seen = set()
    for text, (strict, lenient) in zip(texts, json.loads(answer.stdout), strict=True):
        found = is_pattern(text)
        assert found or not strict, text
        assert strict or lenient or not found, text
        seen.add((found, strict))
    assert {(True, True), (False, False)} <= seen
