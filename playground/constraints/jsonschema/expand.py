"""Alternatives multiplied out: a conjunction becomes a list of facts without any choice left."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from playground.constraints.jsonschema import strings
from playground.constraints.jsonschema.facts import Choice, Facts
from playground.constraints.jsonschema.gather import Chosen, Gatherer, Report
from playground.constraints.jsonschema.negate import Negator, Ways, product
from playground.constraints.jsonschema.refs import References, Sub, canonical
from playground.constraints.jsonschema.rx import NEVER
from playground.constraints.notes import Note

MAX_BRANCHES = 64
"""So many combinations of alternatives are written out for one value."""

MAX_PAIRED = 40
"""Alternatives of a `oneOf` without a telling property that are compared in pairs."""


class Expander:
    """Multiplies out `anyOf`, `oneOf`, `not`, `if` and the dependencies of one document."""

    def __init__(self, references: References, report: Report) -> None:
        self._gatherer = Gatherer(references, report)
        self._negator = Negator(references, report)
        self._report = report
        self.references = references
        self._known: dict[Hashable, list[Facts]] = {}
        self._fitting: dict[Hashable, list[Any]] = {}
        self._gathered: dict[Hashable, Facts] = {}

    def facts(self, conjunction: Sequence[Sub]) -> Facts:
        """The facts with all choices still open."""
        key = _key(conjunction)
        if key not in self._gathered:
            self._gathered[key] = self._gatherer.gather(conjunction)
        return self._gathered[key]

    def fitting(self, values: Sequence[Any], conjunction: Sequence[Sub]) -> list[Any]:
        """Those of the listed values that every schema of the conjunction accepts."""
        key = (id(values), _key(conjunction))
        if key not in self._fitting:
            accepts = self.references.accepts
            self._fitting[key] = [v for v in values if all(accepts(sub, v) for sub in conjunction)]
        return self._fitting[key]

    def complement(self, sub: Sub) -> Ways | None:
        """Alternatives that all fail `sub`, or None where that can't be said."""
        return self._negator.negate(sub)

    def branches(self, conjunction: Sequence[Sub]) -> list[Facts]:
        """Facts whose union is what the conjunction allows; those plainly empty are left out.

        Every facts holds the schemas it came from in `visited`. A choice that can't be multiplied
        out is dropped with a note.
        """
        key = _key(conjunction)
        if key not in self._known:
            self._known[key] = self._expand(tuple(conjunction), {}, [MAX_BRANCHES])
        return self._known[key]

    def _expand(
        self,
        conjunction: tuple[Sub, ...],
        chosen: Chosen,
        room: list[int],
        known: Facts | None = None,
    ) -> list[Facts]:
        facts = known or self._gatherer.gather(conjunction, chosen)
        if facts.empty is not None:
            return []
        if not facts.choices:
            return [facts]
        choice = facts.choices[0]
        ways = self._ways(choice, facts)
        possible: list[tuple[Chosen, Facts]] = []
        for way in ways if ways is not None else [()]:
            taken = {**chosen, choice.key: way}
            found = self._gatherer.gather(conjunction, taken)
            if not self._impossible(found):
                possible.append((taken, found))
        alone = len(facts.choices) == 1 and not facts.objects
        if len(possible) - 1 > room[0] and not alone:
            self._skip(choice, "its alternatives multiply with others to too many")
            taken = {**chosen, choice.key: ()}
            return self._expand(conjunction, taken, room)
        if not alone:
            room[0] -= max(0, len(possible) - 1)
        return [
            branch
            for taken, found in possible
            for branch in self._expand(conjunction, taken, room, found)
        ]

    def _impossible(self, facts: Facts) -> bool:
        """It is plain to see that nothing satisfies the facts: a property clashes with itself."""
        if facts.empty is not None:
            return True
        possible = facts.types - _plainly_empty(facts)
        if not possible:
            return True
        if possible != {"object"}:
            return False
        for name in facts.required:
            subs = [layer.properties[name] for layer in facts.objects if name in layer.properties]
            if any(sub.schema is False for sub in subs):
                return True
            asked = self.facts(subs)
            if asked.empty is not None:
                return True
            if asked.enums and not self.fitting(asked.enums[0][0], subs):
                return True
        return False

    def _skip(self, choice: Choice, why: str) -> None:
        message = f"`{choice.keyword}` is NOT enforced: {why}."
        self._report(Note("not-enforced", choice.keyword, choice.pointer, message))

    def _ways(self, choice: Choice, facts: Facts) -> Ways | None:
        """The alternatives of a choice; None (with a note) when they can't be said."""
        owner, schema = choice.owner, choice.owner.schema
        if choice.keyword == "not":
            found = self._negator.negate(owner.inner(schema["not"], "not"))
            if found is None:
                self._skip(choice, "its complement can't be expressed")
            return found
        if choice.keyword == "if":
            return self._conditional(choice, schema)
        if choice.keyword == "oneOf":
            return self._exactly_one(choice, facts)
        return list(choice.options)

    def _conditional(self, choice: Choice, schema: Mapping[str, Any]) -> Ways | None:
        owner = choice.owner
        condition = owner.inner(schema["if"], "if", in_place=True)
        otherwise = self._negator.negate(condition)
        if otherwise is None:
            self._skip(choice, "the complement of the condition can't be expressed")
            return None
        held = [condition]
        if "then" in schema:
            held.append(owner.inner(schema["then"], "then", in_place=True))
        failed = []
        if "else" in schema:
            failed.append(owner.inner(schema["else"], "else", in_place=True))
        return [tuple(held), *((*way, *failed) for way in otherwise)]

    def _exactly_one(self, choice: Choice, facts: Facts) -> Ways | None:
        """Each option, with the options it may overlap negated."""
        options = [option[0] for option in choice.options]
        gathered = [self.facts([option]) for option in options]
        if _all_apart(gathered, facts):
            return [(option,) for option in options]
        if len(options) > MAX_PAIRED:
            self._overlapping(choice)
            return [(option,) for option in options]
        ways: Ways = []
        exact = True
        for i, option in enumerate(options):
            others = []
            for j, other in enumerate(options):
                if i == j or self._disjoint(gathered[i], gathered[j], facts.types, 3):
                    continue
                found = self._negator.negate(other)
                if found is None:
                    exact = False
                else:
                    others.append(found)
            multiplied = product(others)
            if multiplied is None:
                exact, multiplied = False, [()]
            ways.extend((option, *way) for way in multiplied)
        if not exact:
            self._overlapping(choice)
        return ways

    def _overlapping(self, choice: Choice) -> None:
        message = "`oneOf` is enforced as `anyOf`: some alternatives may hold together."
        self._report(Note("partly", "oneOf", choice.pointer, message))

    def _disjoint(self, a: Facts, b: Facts, types: set[str], depth: int) -> bool:
        """No value of these types satisfies both: proved, never guessed."""
        if a.empty is not None or b.empty is not None:
            return True
        for one, other in ((a, b), (b, a)):
            if one.enums:
                return not any(self._holds(other, value) for value in one.enums[0][0])
        common = a.types & b.types & types
        return all(self._disjoint_type(a, b, kind, depth) for kind in common)

    def _holds(self, facts: Facts, value: Any) -> bool:
        """The value may satisfy the schemas that the facts came from."""
        return all(self.references.accepts(sub, value) for sub in facts.visited.values())

    def _disjoint_type(self, a: Facts, b: Facts, kind: str, depth: int) -> bool:
        if kind == "number":
            return a.bounds.meet(b.bounds).empty
        if kind == "string":
            if _apart(a.min_length, a.max_length, b.min_length, b.max_length):
                return True
            both = tuple(each for demand in (*a.demands, *b.demands) for each in demand.languages)
            return bool(a.demands and b.demands) and strings.meet(both, 0, None) == NEVER
        if kind == "array":
            return _apart(a.min_items, a.max_items, b.min_items, b.max_items)
        if kind != "object" or depth == 0:
            return False
        if _apart(a.min_properties, a.max_properties, b.min_properties, b.max_properties):
            return True
        return any(
            self._clash(name, one, other, depth)
            for one, other in ((a, b), (b, a))
            for name in one.required
        )

    def _clash(self, name: str, one: Facts, other: Facts, depth: int) -> bool:
        """`one` requires the property; `other` forbids it, or wants other values in it."""
        mine = [layer.properties[name] for layer in one.objects if name in layer.properties]
        for layer in other.objects:
            if name not in layer.properties:
                closed = layer.additional is not None and layer.additional.schema is False
                if closed and not layer.patterns:
                    return True
            elif layer.properties[name].schema is False:
                return True
            else:
                theirs = self.facts([layer.properties[name]])
                if self._disjoint(self.facts(mine), theirs, theirs.types, depth - 1):
                    return True
        return False


def _key(conjunction: Sequence[Sub]) -> Hashable:
    return tuple((id(sub.schema), sub.scopes) for sub in conjunction)


def _plainly_empty(facts: Facts) -> set[str]:
    """The types whose bounds leave nothing."""
    empty = {"number"} if facts.bounds.empty else set()
    for kind, low, high in (
        ("string", facts.min_length, facts.max_length),
        ("array", facts.min_items, facts.max_items),
        ("object", facts.min_properties, facts.max_properties),
    ):
        if high is not None and high < low:
            empty.add(kind)
    return empty


def _all_apart(options: Sequence[Facts], base: Facts) -> bool:
    """No two options overlap: each lists values, or requires one property with listed values."""
    if all(option.enums for option in options):
        return _distinct([option.enums[0][0] for option in options])
    if not all(base.types & option.types <= {"object"} for option in options):
        return False
    for name in options[0].required if options else ():
        listed = [_tag(option, name) for option in options]
        if all(values is not None for values in listed):
            return _distinct([values for values in listed if values is not None])
    return False


def _tag(facts: Facts, name: str) -> list[Any] | None:
    """The listed values of a required property, if it has any."""
    if name not in facts.required:
        return None
    for layer in facts.objects:
        schema = layer.properties[name].schema if name in layer.properties else None
        if isinstance(schema, dict) and "const" in schema:
            return [schema["const"]]
        if isinstance(schema, dict) and isinstance(schema.get("enum"), list):
            return list(schema["enum"])
    return None


def _distinct(listed: Sequence[Sequence[Any]]) -> bool:
    """No value stands in two lists."""
    sets = [{canonical(value) for value in values} for values in listed]
    return sum(map(len, sets)) == len(set().union(*sets))


def _apart(low_a: int, high_a: int | None, low_b: int, high_b: int | None) -> bool:
    return (high_a is not None and high_a < low_b) or (high_b is not None and high_b < low_a)
