"""200 questions with one right answer each: 100 of arithmetic, 100 that join two given facts.

An answer is a string of at most 20 characters, for both kinds: a whole number in digits, or a word of
the text as it is written there.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from playground.study.prompts import words
from playground.study.prompts.base import Item, PromptSet, closed, distinct

SEED = "reasoning 1"
COUNT = 200
LONGEST = 20
"""Longest answer, in characters."""
LARGEST = 200
"""Largest number that occurs on the way to an answer."""

_ANSWER: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": LONGEST}
VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "answer-only": closed(final_answer=_ANSWER),
    "scratchpad": closed(reasoning={"type": "string", "maxLength": 300}, final_answer=_ANSWER),
}


@dataclass(frozen=True, slots=True)
class Step:
    """One operation of a story."""

    text: str
    """With {n}, and {who} for the person."""
    apply: Callable[[int, int], int]
    least: int
    most: int
    """Bounds of n."""


STEPS: Sequence[Step] = (
    Step("Then {who} buys {n} more.", lambda have, n: have + n, 2, 25),
    Step("A friend brings {n} of them.", lambda have, n: have + n, 2, 20),
    Step("{who} gives {n} away.", lambda have, n: have - n, 1, 20),
    Step("{n} of them get lost.", lambda have, n: have - n, 1, 9),
    Step("Over the year the number grows to {n} times as many.", lambda have, n: have * n, 2, 4),
    Step("{who} sells {n} at the market.", lambda have, n: have - n, 2, 15),
)
OPENINGS = (
    "{who} has {have} {things}.",
    "There are {have} {things} in the box of {who}.",
    "{who} starts with {have} {things}.",
)
QUESTIONS = (
    "How many {things} does {who} have now?",
    "How many {things} are there in the end?",
)
SHARES = (
    "{who} puts them into {n} bags with the same number in each. How many are in one bag?",
    "{n} children share them equally. How many does each child get?",
)
THINGS = ("marbles", "stamps", "apples", "postcards", "buttons", "pencils", "shells", "coins")


@dataclass(frozen=True, slots=True)
class Hop:
    """A kind of question that joins two facts: from a person to a middle, from there to the answer."""

    first: str
    """With {who} and {middle}."""
    second: str
    """With {middle} and {answer}."""
    question: str
    middles: Sequence[str]
    answers: Sequence[str]


HOPS: Mapping[str, Hop] = {
    "river": Hop(
        "{who} lives in {middle}.",
        "The river in {middle} is called {answer}.",
        "What is the river called in the town where {who} lives?",
        ("Ostrel", "Vandry", "Kemmel", "Tarvin", "Lodsee", "Brackwater"),
        ("Ime", "Sorrel", "Wend", "Adra", "Little Tarn", "Quay"),
    ),
    "boat": Hop(
        "{who} sails on the {middle}.",
        "The {middle} is painted {answer}.",
        "What colour is the boat that {who} sails on?",
        ("Petrel", "Sea Fox", "Marigold", "Old Tom", "Curlew", "Northwind"),
        ("green", "yellow", "white", "blue", "orange", "black"),
    ),
    "teacher": Hop(
        "{who} is taught by {middle}.",
        "{middle} plays the {answer}.",
        "Which instrument does the teacher of {who} play?",
        ("Ms Arden", "Mr Bell", "Ms Cho", "Mr Dunn", "Ms Egede", "Mr Falk"),
        ("cello", "flute", "harp", "trumpet", "organ", "drum"),
    ),
    "office": Hop(
        "{who} works in the {middle} team.",
        "The {middle} team sits on floor {answer}.",
        "On which floor does {who} work?",
        ("design", "legal", "sales", "payroll", "research", "press"),
        ("2", "3", "5", "7", "8", "11"),
    ),
    "dog": Hop(
        "The dog of {who} is {middle}.",
        "{middle} was born in {answer}.",
        "In which year was the dog of {who} born?",
        ("Biscuit", "Rufus", "Nala", "Pepper", "Odin", "Waffle"),
        ("2014", "2016", "2017", "2019", "2020", "2022"),
    ),
}
FACTS = 3
"""People in a question of two hops: each has both facts, and one of them is asked about."""


@cache
def items() -> tuple[Item, ...]:
    """The questions, the same at every call; the two kinds in turn."""
    rng = random.Random(SEED)
    return distinct("question", COUNT, partial(_question, rng))


def _question(rng: random.Random, at: int) -> Item:
    return _two_hops(rng) if at % 2 else _arithmetic(rng, 1 + at // 2 % 3)


def _arithmetic(rng: random.Random, operations: int) -> Item:
    """A story of 1 to 3 operations on small numbers; none goes below 1 or above LARGEST."""
    who, things, have = rng.choice(words.FIRST), rng.choice(THINGS), rng.randint(4, 40)
    said = [rng.choice(OPENINGS).format(who=who, have=have, things=things)]
    share = rng.random() < 0.25
    for _ in range(operations - share):
        step = rng.choice(STEPS)
        n = rng.randint(step.least, step.most)
        while not 1 <= step.apply(have, n) <= LARGEST:
            step = rng.choice(STEPS)
            n = rng.randint(step.least, step.most)
        have = step.apply(have, n)
        said.append(step.text.format(who=who, n=n))
    parts = [n for n in range(2, 11) if have % n == 0]
    if share and not parts:
        return _arithmetic(rng, operations)
    if share:
        n = rng.choice(parts)
        have //= n
        said.append(rng.choice(SHARES).format(who=who, n=n))
    else:
        said.append(rng.choice(QUESTIONS).format(who=who, things=things))
    return Item(
        id="",
        prompt=" ".join(said),
        gold={"final_answer": str(have)},
        tags=("arithmetic", f"operations:{operations}"),
    )


def _two_hops(rng: random.Random) -> Item:
    kind = rng.choice(tuple(HOPS))
    hop = HOPS[kind]
    people = rng.sample(words.FIRST, FACTS)
    middles, answers = rng.sample(hop.middles, FACTS), rng.sample(hop.answers, FACTS)
    facts = [
        text.format(who=who, middle=middle, answer=answer)
        for who, middle, answer in zip(people, middles, answers, strict=True)
        for text in (hop.first, hop.second)
    ]
    rng.shuffle(facts)
    return Item(
        id="",
        prompt=" ".join([*facts, hop.question.format(who=people[0])]),
        gold={"final_answer": answers[0]},
        tags=("two-hop", f"about:{kind}"),
    )


REASONING = PromptSet(
    name="reasoning",
    title="Reasoning (200)",
    about=(
        "Arithmetic stories of one to three steps, and questions that join two of the facts given. "
        "Every answer is a short string, so that one schema fits both kinds."
    ),
    schema=VARIANTS["answer-only"],
    instruction=(
        "Answer the question with one JSON object. Its key final_answer holds the answer alone as a "
        "short string: a number in digits, or the word from the text.\n\n{input}"
    ),
    make=items,
    variants=VARIANTS,
)
