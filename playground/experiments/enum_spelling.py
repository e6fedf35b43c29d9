"""The spelling of an enum's options: the same three meanings under other names."""

import json

from playground.experiments.base import Bench, Experiment, Result, Work, arms_of
from playground.experiments.laws import Field, laws_of, slack, tv
from playground.experiments.statistics import distances, mean, paired_means
from playground.study.prompts.base import closed
from playground.study.prompts.sentiment import SENTIMENT, SENTIMENTS

SPELLINGS = {
    "as asked": SENTIMENTS,
    "synonyms": ("good", "bad", "mixed"),
    "capitals": tuple(word.upper() for word in SENTIMENTS),
    "letters": ("P", "N", "U"),
}
"""Names of positive, negative and neutral; the prompt says the first ones."""


def _run(bench: Bench) -> Work:
    items = SENTIMENT.make()[: bench.n]
    arms, fields = {}, {}
    for name, words in SPELLINGS.items():
        arms[name] = bench.spec(
            items, SENTIMENT.instruction, closed(sentiment={"enum": list(words)})
        )
        options = tuple(json.dumps(word) for word in words)
        fields[name] = [[Field('{"sentiment":', options)]] * len(items)
    found = yield from laws_of(bench, arms, fields)
    laws = {name: [list(law.values()) for (law,) in found[name]] for name in arms}
    gold = [SENTIMENTS.index(item.gold["sentiment"]) for item in items]
    right = {name: [law[at] for law, at in zip(laws[name], gold, strict=True)] for name in arms}
    plain, *others = SPELLINGS
    apart = {
        name: [tv(a, b) for a, b in zip(laws[plain], laws[name], strict=True)] for name in others
    }
    first, *rest = (
        distances(f"TV of the law of the meaning, {name} against {plain}", tvs, slack(bench), bench.seed)
        for name, tvs in apart.items()
    )  # fmt: skip
    return Result(
        n=len(items),
        effect=first,
        also=(
            *rest,
            *(
                paired_means(
                    f"Mass on the right meaning, {name} less {plain}",
                    right[name], right[plain], "share", "exact", bench.seed,
                )
                for name in others
            ),
        ),
        arms=arms_of(
            {name: ", ".join(words) for name, words in SPELLINGS.items()},
            lambda name: (
                mean("mass on the right meaning", right[name], "share", "exact", bench.seed),
                *(
                    mean(f"p({word})", [law[at] for law in laws[name]], "share", "exact", bench.seed)
                    for at, word in enumerate(SENTIMENTS)
                ),
            ),
        ),
        notes=(
            "The prompt is the same in all arms and says positive, negative, neutral: a mask that "
            "spells them otherwise makes the model choose among words that it would not write.",
        ),
    )  # fmt: skip


ENUM_SPELLING = Experiment(
    name="enum-spelling",
    title="The spelling of the options",
    question="Does the same decision come out under other names for its options?",
    about=(
        "One prompt, one decision of three, four spellings of its options in the constraint. The "
        "law of the meaning is computed exactly for each review."
    ),
    n=60,
    run=_run,
)
