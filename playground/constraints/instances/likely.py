"""Values that a person would write, guessed from the schema's own examples, a format, or a name."""

import random
import re
from collections.abc import Iterable
from types import MappingProxyType
from typing import Any

MOST = 24
"""So many guesses are made for one place."""
_LOCAL = "2026-03-14T09:26:53+01:00"
FORMATS = MappingProxyType(
    {
        "date": ("2026-03-14", "2025-11-02"),
        "date-time": ("2026-03-14T09:26:53Z", "2025-11-02T18:05:00Z", _LOCAL),
        "duration": ("PT45M", "P3D"),
        "email": ("ada@example.org", "noor.haddad@example.com"),
        "hostname": ("example.org", "mail.example.com"),
        "ipv4": ("192.0.2.7", "198.51.100.23"),
        "ipv6": ("2001:db8::7",),
        "time": ("09:30:00Z", "18:05:00Z"),
        "uri": ("https://example.org/notes", "https://example.com/books/17"),
        "uuid": ("0b9f3c2e-5d41-4c8a-9e27-6f1d2a3b4c5d",),
    }
)
_PEOPLE = ("Ada Lovelace", "Noor Haddad", "Jonas Berg")
_NAMES: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("email mail", FORMATS["email"]),
    ("url uri website link href homepage", FORMATS["uri"]),
    ("image icon logo picture photo", ("https://example.org/cover.png", "cover.png")),
    ("uuid guid", FORMATS["uuid"]),
    ("host hostname domain server", FORMATS["hostname"]),
    ("ip", FORMATS["ipv4"]),
    ("phone mobile tel fax", ("+44 20 7946 0958", "020 7946 0958")),
    ("first firstname given", ("Ada", "Noor", "Jonas")),
    ("last lastname surname family", ("Lovelace", "Haddad", "Berg")),
    ("zip zipcode postal postcode", ("10115", "90210", 10115)),
    ("street address", ("12 Mill Lane", "Harbour Street 4")),
    ("city town place", ("Oslo", "Lisbon", "Kyoto")),
    ("country", ("Norway", "Japan", "NO")),
    ("location region", ("Oslo", "north-east")),
    ("latitude lat", (59.91, 38.72)),
    ("longitude lon lng", (10.75, -9.14)),
    ("company organization organisation employer vendor", ("Harbour Books", "North Mill Ltd")),
    ("currency", ("EUR", "USD")),
    ("price amount total cost fee salary balance", (24.9, 120, 7.5)),
    ("quantity count number num", (3, 12, 2)),
    ("percent percentage", (25, 80)),
    ("rate ratio share probability confidence score", (0.25, 0.9, 4)),
    ("age", (34, 61)),
    ("year", (2026, 1998, "2026")),
    ("hour hours", (9, 14)),
    ("minute minutes", (30, 45)),
    ("width height length size depth", (40, 12.5, 300)),
    ("timeout seconds interval delay duration", (30, 5, "PT45M")),
    ("port", (8080, 5432)),
    ("language lang locale", ("en", "nb", "en-GB")),
    ("version", ("1.2.0", "2.0.1", 2)),
    ("path file filename dir directory folder", ("notes/plan.txt", "plan.txt")),
    ("color colour", ("blue", "#2a6f97")),
    ("unit", ("kg", "hours")),
    ("status state", ("active", "done")),
    ("type kind category", ("standard", "book")),
    ("tag tags label labels keyword keywords topic", ("draft", "urgent", "travel")),
    ("title subject headline", ("A walk by the river", "Minutes of Tuesday")),
    ("description summary note notes comment message text body remark content",
     ("Arrives on Tuesday morning.", "Please ring twice.")),
    ("user author owner customer person contact creator sender recipient", _PEOPLE),
    ("created updated modified at timestamp", FORMATS["date-time"]),
    ("date day birthday born since until deadline", (*FORMATS["date"], *FORMATS["date-time"])),
    ("time", (*FORMATS["time"], *FORMATS["date-time"], 1773480413)),
    ("id no ref reference code key sku token", ("A-1042", "b7", 1042)),
    ("name", ("Ada Lovelace", "Harbour", "notes")),
)  # fmt: skip
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_HINTS = tuple((frozenset(names.split()), values) for names, values in _NAMES)
_NUMBERS = (3, 12, 5, 40, 1, 2.5, 0.5)
_TEXTS = ("paper", "river", "garden", "north", "two words")


def likely(name: str, schemas: Iterable[dict[str, Any]], rng: random.Random) -> list[Any]:
    """Guesses for the value of the property `name`, or of the items under it, the best first; they
    may not satisfy the schemas.

    Args:
        name: of the nearest property; empty where there is none.
        schemas: that judge the value; their examples, default, format and title are read.
        rng: which of several alike comes first.
    """
    own: list[Any] = []
    said: list[Any] = []
    titles = ""
    for schema in schemas:
        examples = schema.get("examples")
        own += examples[:4] if isinstance(examples, list) else []
        own += [schema[key] for key in ("example", "default") if _says(schema.get(key))]
        asked = schema.get("format")
        said += _mixed(FORMATS.get(asked, ()), rng) if isinstance(asked, str) else []
        titles += f" {schema['title']}" if isinstance(schema.get("title"), str) else ""
    for words in (_words(name), _words(titles[:80])):
        for names, values in _HINTS:
            if words & names:
                said += _mixed(values, rng)
    spare = [*_mixed(_NUMBERS, rng), *_mixed(_TEXTS, rng)]
    spare += [value for values in FORMATS.values() for value in values[:1]]
    spare.append(_LOCAL)
    return [*own, *said[:MOST], *spare]


def _says(default: Any) -> bool:
    return default is not None and default not in ("", [], {})


def _words(name: str) -> frozenset[str]:
    return frozenset(part.lower() for part in _PARTS.findall(name))


def _mixed(values: Iterable[Any], rng: random.Random) -> list[Any]:
    out = list(values)
    rng.shuffle(out)
    return out
