"""Small texts that count things by city, for the experiment on dynamic keys."""

import random
from functools import cache

from playground.study.items import Item

SEED = "cities 1"
COUNT = 60
CITIES = (
    "Lisbon", "Oslo", "Lyon", "Graz", "Turin", "Bergen", "Ghent", "Malaga", "Riga", "Porto",
    "Bremen", "Leeds", "Cork", "Varna", "Split", "Odense",
)  # fmt: skip
OPENINGS = (
    "Orders of last week by city.",
    "Where our guests came from:",
    "The list of returned parcels is in.",
    "Tickets sold, by office.",
)
SENTENCES = (
    "{city} had {count}.",
    "There were {count} in {city}.",
    "{count} were counted in {city}.",
    "From {city}: {count}.",
)


@cache
def items() -> tuple[Item, ...]:
    """The texts, the same at every call; gold is {city: count} in the text's order."""
    rng = random.Random(SEED)
    return tuple(_text(rng, at) for at in range(COUNT))


def _text(rng: random.Random, at: int) -> Item:
    cities = rng.sample(CITIES, rng.randint(2, 4))
    gold = {city: rng.randint(2, 90) for city in cities}
    said = [rng.choice(SENTENCES).format(city=city, count=count) for city, count in gold.items()]
    return Item(id=f"cities-{at + 1:03}", prompt=" ".join([rng.choice(OPENINGS), *said]), gold=gold)
