"""The order of an enum's options, in the prompt and in the mask."""

import json
from collections.abc import Sequence
from typing import Any

from playground.experiments.base import Bench, Experiment, Result, Work
from playground.experiments.finding import Arm
from playground.experiments.laws import Field, laws_of, slack, tv
from playground.experiments.statistics import distances, mean, paired_means, proved
from playground.study.prompts.base import closed
from playground.study.prompts.sentiment import SENTIMENT, SENTIMENTS

PROOF = "a mask is a set of tokens, and a set has no order"
OPTIONS = tuple(json.dumps(each) for each in SENTIMENTS)
FIELD = Field('{"sentiment":', OPTIONS)
REVERSED = SENTIMENTS[::-1]


def schema(order: Sequence[str]) -> dict[str, Any]:
    """The sentiments in this order."""
    return closed(sentiment={"enum": list(order)})


def _run(bench: Bench) -> Work:
    items = SENTIMENT.make()[: bench.n]

    def arm(shown: Sequence[str], masked: Sequence[str]) -> Any:
        text = json.dumps(schema(shown), indent=2)
        said = (
            "What is the sentiment of the review as a whole? Answer with one JSON object that "
            f"matches this JSON Schema:\n{text}\n\nReview: {{input}}"
        )
        return bench.spec(items, said, schema(masked))

    arms = {
        "as given": arm(SENTIMENTS, SENTIMENTS),
        "reversed": arm(REVERSED, REVERSED),
        "reversed in the mask alone": arm(SENTIMENTS, REVERSED),
    }
    found = yield from laws_of(bench, arms, {name: [[FIELD]] * len(items) for name in arms})
    laws = {name: [list(law.values()) for (law,) in found[name]] for name in arms}
    gold = [SENTIMENTS.index(item.gold["sentiment"]) for item in items]
    right = {name: [law[at] for law, at in zip(laws[name], gold, strict=True)] for name in arms}
    given, turned, mask = (laws[name] for name in arms)
    # The options that change places: the first of either order, where it is first and where last.
    front = [(a[0] + b[-1]) / 2 for a, b in zip(given, turned, strict=True)]
    back = [(a[-1] + b[0]) / 2 for a, b in zip(given, turned, strict=True)]
    return Result(
        n=len(items),
        effect=distances(
            "TV of the law of sentiment between the two orders",
            [tv(a, b) for a, b in zip(given, turned, strict=True)], slack(bench), bench.seed,
        ),
        also=(
            paired_means(
                "An option listed first less listed last", front, back, "share", "exact", bench.seed
            ),
            paired_means(
                "Mass on the right option, as given less reversed",
                right["as given"], right["reversed"], "share", "exact", bench.seed,
            ),
            proved(
                "TV when the order changes in the mask alone",
                [tv(a, b) for a, b in zip(given, mask, strict=True)], PROOF,
            ),
        ),
        arms=tuple(
            Arm(
                name=name,
                about=about,
                measures=(
                    mean("mass on the right option", right[name], "share", "exact", bench.seed),
                    *(
                        mean(f"p({word})", [law[at] for law in laws[name]], "share", "exact", bench.seed)
                        for at, word in enumerate(SENTIMENTS)
                    ),
                ),
            )
            for name, about in zip(
                arms,
                (
                    f"the prompt shows {', '.join(SENTIMENTS)}",
                    f"the prompt shows {', '.join(REVERSED)}",
                    "the prompt as given, the constraint reversed",
                ),
                strict=True,
            )
        ),
        notes=(
            "Order reaches the model through the prompt alone. In the constraint it is no more than "
            "a way to write down a set.",
        ),
    )  # fmt: skip


ENUM_ORDER = Experiment(
    name="enum-order",
    title="The order of the options",
    question="Does an option gain by being listed first?",
    about=(
        "The prompt shows the schema with positive, negative, neutral in this order or reversed. "
        "The law over the three is computed exactly for each review, and so is the distance between "
        "the two laws."
    ),
    n=40,
    run=_run,
)
