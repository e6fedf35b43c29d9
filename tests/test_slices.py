"""Slices: work that hands over in the midst of an item, gives every item once, and can be ended."""

import threading
from collections.abc import Callable, Iterator

import pytest

from playground.slices import Slices


def counting(n: int, asked_between: int) -> Callable[[Callable[[], bool]], Iterator[int]]:
    """Items 0..n-1, each after asking `asked_between` times whether to end."""

    def make(cancelled: Callable[[], bool]) -> Iterator[int]:
        for i in range(n):
            for _ in range(asked_between):
                if cancelled():
                    return
            yield i

    return make


@pytest.mark.parametrize("seconds", [0.0, 0.001, 10.0])
def test_every_item_comes_once_and_in_order_however_long_the_turns(seconds: float) -> None:
    turns = Slices(counting(40, 3))
    items: list[int] = []
    while not turns.ended:
        items += turns.take(seconds)
    assert items == list(range(40))
    assert turns.take(seconds) == []


def test_it_hands_over_before_an_item_is_done() -> None:
    turns = Slices(counting(1, 5))
    assert turns.take(0.0) == []
    assert not turns.ended
    turns.close()


def test_it_works_only_in_its_turn() -> None:
    worked: list[int] = []

    def make(cancelled: Callable[[], bool]) -> Iterator[int]:
        for i in range(3):
            worked.append(i)
            cancelled()
            yield i

    turns = Slices(make)
    assert worked == []
    turns.take(0.0)
    seen = list(worked)
    assert seen == [0]
    assert worked == seen
    turns.close()


def test_what_fails_keeps_the_items_before_it_and_its_error() -> None:
    def make(cancelled: Callable[[], bool]) -> Iterator[int]:
        yield 1
        raise ValueError("no more")

    turns = Slices(make)
    assert turns.take(10.0) == [1]
    assert turns.ended
    assert str(turns.error) == "no more"


def test_cancelling_ends_it_in_its_own_way_and_closing_in_any() -> None:
    stop = threading.Event()

    def make(cancelled: Callable[[], bool]) -> Iterator[str]:
        while not cancelled():
            yield "work"
        yield "last"

    turns = Slices(make, stop.is_set)
    turns.take(0.0)
    stop.set()
    items: list[str] = []
    while not turns.ended:
        items += turns.take(0.0)
    assert items[-1] == "last"

    endless = Slices(lambda cancelled: iter(int, 1))
    endless.take(0.0)
    before = threading.active_count()
    endless.close()
    assert endless.ended
    assert threading.active_count() < before


def test_the_meter_is_read_where_the_work_is_done() -> None:
    here = threading.local()

    def make(cancelled: Callable[[], bool]) -> Iterator[int]:
        for i in range(5):
            here.count = i + 1
            yield i

    turns = Slices(make, meter=lambda: getattr(here, "count", 0))
    turns.take(10.0)
    assert turns.metered == 5
