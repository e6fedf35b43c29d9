"""100 short reviews: positive, negative or neutral. Praise and blame together are settled by a rule.

The verdict that the writer draws decides. Where praise and blame stand side by side with no verdict
or an even one, the review is neutral, and so is a review that only states facts.
"""

import random
from collections.abc import Mapping, Sequence
from functools import cache, partial

from playground.study.prompts import words
from playground.study.prompts.base import Item, PromptSet, closed, distinct
from playground.study.prompts.grammar import Phrases, capital

SEED = "sentiment 1"
COUNT = 100

SENTIMENTS = ("positive", "negative", "neutral")
SCHEMA = closed(sentiment={"enum": list(SENTIMENTS)})

SHAPES: Sequence[tuple[str, str, str]] = (
    ("positive", "plain", "{good} {praise}"),
    ("negative", "plain", "{bad} {blame}"),
    ("neutral", "facts", "{fact} {fact}"),
    ("positive", "plain", "{fact} {praise} {good}"),
    ("negative", "plain", "{blame} {fact} {bad}"),
    ("neutral", "mixed", "{good} {turn} {bad} {even}"),
    ("positive", "mixed", "{bad} {turn} {good} {win}"),
    ("negative", "mixed", "{good} {turn} {bad} {loss}"),
    ("neutral", "mixed", "{bad} {turn} {good} {even}"),
)
"""(sentiment, kind, shape), taken in turn."""

RULES: Mapping[str, Sequence[str]] = {
    "the_thing": (
        "the hotel",
        "this headset",
        "the bakery in {place}",
        "the night train",
        "this vacuum cleaner",
        "the cooking class",
        "the museum in {place}",
        "this rain jacket",
        "the swimming course",
        "the car rental in {place}",
    ),
    "place": words.PLACES,
    "good": (
        "the {side} of {the_thing} was {very} good.",
        "{person} in the service was {very} kind.",
        "the {side} was better than the pictures.",
        "I liked the {side}, and {good}",
        "my {kin} loved it from the first minute.",
    ),
    "bad": (
        "the {side} of {the_thing} was {very} disappointing.",
        "{person} in the service was {very} rude.",
        "the {side} was not as promised.",
        "I did not like the {side}, and {bad}",
        "my {kin} hated it and wanted to leave.",
    ),
    "praise": (
        "I would choose {the_thing} again without a second thought.",
        "Everything about {the_thing} worked at once.",
        "What a lovely surprise, I am {very} pleased.",
        "It was worth every penny.",
    ),
    "blame": (
        "I would not spend money on {the_thing} again.",
        "After {span} it fell apart in every sense.",
        "A waste of an afternoon, I am {very} annoyed.",
        "Nothing about {the_thing} was as it should be.",
    ),
    "side": ("look", "quality", "beginning", "idea", "size", "description", "last part"),
    "fact": (
        "I used {the_thing} in {month}.",
        "it took {span} from order to receipt.",
        "there are two sizes, we had the smaller one.",
        "the booking was made by my {kin}.",
        "the price is the same as last year.",
        "it is open from nine to five.",
        "I was asked to write a review, so here it is.",
        "it comes with a printed leaflet in four languages.",
    ),
    "turn": ("Then again,", "On the other hand,", "But", "Still,", "And yet"),
    "even": (
        "So it evens out.",
        "Neither good nor bad, all in all.",
        "I can't say which weighs more.",
        "I am in two minds about it.",
        "",
    ),
    "win": (
        "All in all I am glad that I went for it.",
        "In the end the good clearly outweighs.",
        "I happily recommend it anyway.",
    ),
    "loss": (
        "All in all I regret it.",
        "In the end that spoilt everything.",
        "I can't recommend it.",
    ),
    "very": ("really", "truly", "surprisingly", "extremely", "quite"),
    "person": ("the lady", "the young man", "the person", "the manager"),
    "kin": ("daughter", "husband", "wife", "neighbour", "mother", "team"),
    "span": ("two days", "a week", "ten minutes", "a month"),
    "month": ("January", "May", "July", "September", "December"),
}


@cache
def items() -> tuple[Item, ...]:
    """The reviews, the same at every call."""
    rng = random.Random(SEED)
    return distinct("review", COUNT, partial(_review, rng))


def _review(rng: random.Random, at: int) -> Item:
    sentiment, kind, shape = SHAPES[at % len(SHAPES)]
    text = Phrases(RULES, rng).fill(shape, {})
    sentences = [capital(each.strip()) for each in text.split(". ")]
    return Item(
        id=str(at), prompt=". ".join(sentences).strip(), gold={"sentiment": sentiment}, tags=(kind,)
    )


SENTIMENT = PromptSet(
    name="sentiment",
    title="Sentiment (100)",
    about=(
        "Short reviews that are positive, negative or neutral. In four of nine praise and blame "
        "stand together, and the verdict that the writer draws decides."
    ),
    schema=SCHEMA,
    instruction=(
        "Is the review positive, negative or neutral as a whole? Answer with one JSON object with "
        "the key sentiment.\n\nReview: {input}"
    ),
    make=items,
)
