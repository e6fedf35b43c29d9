"""Votes of a room: one a voter, bounded, forgotten in time, and nobody's address in it."""

import pytest

from playground import votes as module
from playground.errors import Busy, InvalidInput
from playground.votes import Votes
from tests.clock import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def room(clock: Clock) -> Votes:
    """A room AB23 that its presenter has opened."""
    votes = Votes(clock)
    votes.counts({"room": "AB23", "question": "q"})
    return votes


def ballot(option: int, voter: str, **more: object) -> dict[str, object]:
    return {"room": "AB23", "question": "q", "option": option, "voter": voter, "options": 3, **more}


def test_each_voter_counts_once_and_a_later_vote_replaces_the_first(room: Votes) -> None:
    assert room.vote(ballot(0, "ann")) == {"counts": [1, 0, 0], "voters": 1}
    assert room.vote(ballot(2, "bob")) == {"counts": [1, 0, 1], "voters": 2}
    assert room.vote(ballot(2, "ann")) == {"counts": [0, 0, 2], "voters": 2}
    assert room.counts({"room": "ab23 ", "question": "q", "options": 3})["counts"] == [0, 0, 2]


def test_questions_and_rooms_are_apart(room: Votes) -> None:
    room.vote(ballot(1, "ann"))
    assert room.counts({"room": "AB23", "question": "other"})["voters"] == 0
    assert room.counts({"room": "ZZ99", "question": "q"})["voters"] == 0
    assert room.counts({"room": "AB23", "question": "q"})["voters"] == 1


def test_a_vote_into_a_room_that_nobody_opened_is_told(room: Votes) -> None:
    with pytest.raises(InvalidInput, match="no room XY77"):
        room.vote(ballot(0, "ann", room="XY77"))
    assert "one machine" in Votes.status


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        ({"room": "a"}, "room"),
        ({"room": "<script>"}, "room"),
        ({"room": "A" * 9}, "room"),
        ({"room": 3}, "room"),
        ({"question": ""}, "question"),
        ({"question": "q" * 301}, "question"),
        ({"question": ["q"]}, "question"),
        ({"option": 3}, "option"),
        ({"option": -1}, "option"),
        ({"option": True}, "option"),
        ({"option": "0"}, "option"),
        ({"options": 1}, "options"),
        ({"options": 6}, "options"),
        ({"voter": ""}, "voter"),
        ({"voter": "v" * 81}, "voter"),
        ({"voter": None}, "voter"),
    ],
)
def test_a_forged_vote_is_refused_in_words_and_counts_nothing(room: Votes, wrong, where) -> None:
    with pytest.raises(InvalidInput) as told:
        room.vote({**ballot(0, "ann"), **wrong})
    assert told.value.where == where
    assert room.counts({"room": "AB23", "question": "q"})["voters"] == 0


@pytest.mark.parametrize("payload", [None, 3, [], "x", {}])
def test_what_is_no_request_is_refused(room: Votes, payload) -> None:
    for call in (room.vote, room.counts):
        with pytest.raises(InvalidInput):
            call(payload)


def test_voters_of_a_question_are_bounded(room: Votes, monkeypatch) -> None:
    monkeypatch.setattr(module, "MAX_VOTERS", 3)
    for voter in "abc":
        room.vote(ballot(0, voter))
    with pytest.raises(Busy):
        room.vote(ballot(0, "d"))
    assert room.vote(ballot(1, "a"))["counts"] == [2, 1, 0], "who has voted may change it"


def test_questions_of_a_room_are_bounded_and_the_oldest_goes(room: Votes, monkeypatch) -> None:
    monkeypatch.setattr(module, "MAX_QUESTIONS", 2)
    room.vote(ballot(0, "ann"))
    for question in ("second", "q", "third"):
        room.counts({"room": "AB23", "question": question})
    assert room.counts({"room": "AB23", "question": "q"})["voters"] == 1
    room.counts({"room": "AB23", "question": "fourth"})
    room.counts({"room": "AB23", "question": "fifth"})
    assert room.counts({"room": "AB23", "question": "q"})["voters"] == 0


def test_a_room_is_forgotten_three_hours_after_its_last_use(room: Votes, clock: Clock) -> None:
    room.vote(ballot(0, "ann"))
    clock.now = module.LASTS - 1
    assert room.vote(ballot(0, "bob"))["voters"] == 2
    clock.now += module.LASTS + 1
    with pytest.raises(InvalidInput, match="no room"):
        room.vote(ballot(0, "ann"))


def test_rooms_are_bounded_and_only_an_idle_one_gives_its_place(room, clock, monkeypatch) -> None:
    monkeypatch.setattr(module, "MAX_ROOMS", 2)
    room.counts({"room": "SECOND", "question": "q"})
    with pytest.raises(Busy):
        room.counts({"room": "THIRD", "question": "q"})
    clock.now = module.IDLE + 1
    room.counts({"room": "AB23", "question": "q"})
    room.counts({"room": "THIRD", "question": "q"})
    with pytest.raises(InvalidInput, match="no room SECOND"):
        room.vote(ballot(0, "ann", room="SECOND"))
    assert room.vote(ballot(0, "ann"))["voters"] == 1
