"""Keys that come from the text, against an array of records."""

import json
from typing import Any

from playground.experiments import cities
from playground.experiments.base import Bench, Experiment, Result, Work, arms_of
from playground.experiments.draws import answers, scored, tokens_of, truncated_of
from playground.experiments.statistics import mean, paired_means, paired_rates, rate
from playground.study.answer import Answer
from playground.study.items import Item
from playground.study.prompts.base import closed
from playground.study.salvage import NoJson, salvage

_CITY = {"type": "string", "pattern": "^[A-Z][a-z]{1,14}$"}
_COUNT = {"type": "integer", "minimum": 0, "maximum": 999}
MOST = 6
"""Cities that an answer may name, in both shapes."""
SCHEMAS: dict[str, dict[str, Any]] = {
    "dynamic keys": {
        "type": "object",
        "propertyNames": {"pattern": _CITY["pattern"]},
        "additionalProperties": _COUNT,
        "minProperties": 1,
        "maxProperties": MOST,
    },
    "flat array": {
        "type": "array",
        "items": closed(city=_CITY, count=_COUNT),
        "minItems": 1,
        "maxItems": MOST,
    },
}
ABOUT = {"dynamic keys": '{"Oslo": 12}', "flat array": '[{"city": "Oslo", "count": 12}]'}
INSTRUCTION = (
    "Read the text and answer with JSON that holds every city with its count, in the order of the "
    "text.\n\nText: {input}"
)


def pairs(text: str) -> list[tuple[str, int]]:
    """City and count as an answer lists them, repeated ones included; empty for broken JSON."""
    try:
        found = json.loads(salvage(text).json, object_pairs_hook=list)
    except NoJson:
        return []
    if found and isinstance(found[0], list):  # an array of records
        return [(dict(record)["city"], dict(record)["count"]) for record in found]
    return [(city, count) for city, count in found]


def read(answer: Answer) -> list[tuple[str, int]]:
    """What a finished answer lists; a truncated one counts as empty."""
    return pairs(answer.text) if answer.ended else []


def _run(bench: Bench) -> Work:
    items = cities.items()[: bench.n]
    arms = {
        name: bench.spec(items, INSTRUCTION, schema, max_tokens=96)
        for name, schema in SCHEMAS.items()
    }
    found = yield from answers(bench, arms)
    right = scored(items, found, lambda item, answer: _right(item, read(answer)))
    twice = scored(items, found, lambda _, answer: len(dict(read(answer))) < len(read(answer)))
    tokens, truncated = tokens_of(found), truncated_of(found)
    return Result(
        n=len(items),
        effect=paired_rates(
            "All counts right, dynamic keys less flat array",
            right["dynamic keys"], right["flat array"],
        ),
        also=(
            paired_rates(
                "A city named twice, dynamic keys less flat array",
                twice["dynamic keys"], twice["flat array"],
            ),
            paired_means(
                "Tokens of an answer, dynamic keys less flat array",
                tokens["dynamic keys"], tokens["flat array"], "tokens", "estimated", bench.seed,
            ),
        ),
        arms=arms_of(
            ABOUT,
            lambda name: (
                rate("all right", right[name]),
                rate("a city twice", twice[name]),
                rate("truncated", truncated[name]),
                mean("tokens", tokens[name], "tokens", "estimated", bench.seed),
            ),
        ),
        notes=(
            "Neither mask can forbid a city that was named before: an automaton does not remember "
            "free keys. A parser keeps the last of two equal keys, so that the loss is silent.",
        ),
    )  # fmt: skip


def _right(item: Item, listed: list[tuple[str, int]]) -> bool:
    return dict(listed) == item.gold and len(listed) == len(item.gold)


DYNAMIC_KEYS = Experiment(
    name="dynamic-keys",
    title="Dynamic keys or a flat array",
    question="Is a map with keys from the text harder to fill than a list of records?",
    about=(
        "Texts that count things in two to four cities, answered as an object with cities as keys "
        "or as an array of records, under the same limits. One constrained answer each; it is right "
        "when every city has its count and none is named twice."
    ),
    n=40,
    run=_run,
)
