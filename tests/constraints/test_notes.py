"""Notes that say the same of several places, and those about a schema that nobody typed."""

from playground.constraints.notes import Note, gathered, without_lines


def note(pointer: str, message: str = "It is NOT enforced.") -> Note:
    return Note("not-enforced", "uniqueItems", pointer, message)


def test_equal_notes_become_one_that_counts_its_places() -> None:
    notes = [note(f"/{i}") for i in range(7)] + [note("/x", "Another."), note("/y", "Another.")]
    places = {f"/{i}": (10 + i, 3) for i in range(7)} | {"/x": (4, 1), "/y": (4, 9)}
    one, other = gathered(notes, places)
    assert one.pointer == "/0"
    assert one.message == "In 7 places (lines 10, 11, 12, 13, 14 and 2 more): It is NOT enforced."
    assert other.message == "In 2 places (line 4): Another."


def test_a_note_of_one_place_stays_as_it_is_and_the_order_is_kept() -> None:
    notes = [note("/a", "A"), note("/b", "B"), note("/c", "A")]
    assert [each.message for each in gathered(notes)] == ["In 2 places: A", "B"]
    assert gathered(notes[:2], {"/a": (1, 1)}) == notes[:2]


def test_lines_of_a_schema_that_nobody_typed_are_left_out() -> None:
    told = without_lines([note("/a", "Line 12: the schema is odd."), note("/b", "In Line 3: x")])
    assert [each.message for each in told] == ["the schema is odd.", "In Line 3: x"]
