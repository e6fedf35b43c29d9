"""Those who wait for one model share its passes: nobody starves, fails by others, or gets their rows."""

import threading
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.logspace import Logits
from playground.models.base import LanguageModel, Prefix
from playground.models.rows import RowStore
from playground.models.scheduler import PART, PIECE, SHARE, SHORT, TOGETHER, Job, Scheduler
from playground.models.waves import TAIL, WAVE
from tests.models.echo import PackedEcho, Spoken

MUCH = 10**9
TOLERANCE = 1e-4
PROMPT = (1, *range(3, 43))


class Held(PackedEcho):
    """An echo whose passes wait for the test: one at a time, each noted when it begins."""

    def __init__(self, refused: int = -1) -> None:
        super().__init__("held")
        self.passes: list[tuple[str, tuple[int, ...]]] = []
        self.refused = refused
        self.held = False
        self.began, self.go = threading.Semaphore(0), threading.Semaphore(0)

    def note(self, kind: str, tokens: Prefix) -> None:
        self.passes.append((kind, tokens))
        self.began.release()
        if self.held:
            assert self.go.acquire(timeout=20)
        if self.refused in tokens:
            raise ValueError("refused")

    def extend(self, past: Sequence[Spoken], tokens: Prefix) -> tuple[Logits, Spoken]:
        self.note("piece", tokens)
        return super().extend(past, tokens)

    def extend_packed(
        self, after: Sequence[Sequence[Spoken] | int], tokens: Prefix
    ) -> tuple[Logits, tuple[Spoken, ...]]:
        self.note("packed", tokens)
        return super().extend_packed(after, tokens)


class Room:
    """Threads that want rows of one model, started one after the other."""

    def __init__(self, model: LanguageModel, rows: RowStore) -> None:
        self.model, self.rows = model, rows
        self.threads: dict[str, threading.Thread] = {}
        self.got: dict[str, Logits] = {}
        self.errors: dict[str, Exception] = {}
        self.counted: dict[str, int] = {}

    def ask(self, name: str, prefixes: Sequence[Prefix]) -> None:
        """Ask in a thread, and come back once it waits (or is done)."""

        def work() -> None:
            try:
                self.got[name] = self.rows.get(self.model, prefixes)
            except Exception as error:  # noqa: BLE001 - the test looks at it
                self.errors[name] = error
            self.counted[name] = self.rows.computed_here

        self.begin(name, work)

    def begin(self, name: str, work: Callable[[], None]) -> None:
        waiting = self.scheduler.waiting
        thread = self.threads[name] = threading.Thread(target=work, daemon=True)
        thread.start()
        while self.scheduler.waiting == waiting and thread.is_alive():
            pass

    @property
    def scheduler(self) -> Scheduler:
        return self.rows.scheduler(self.model)

    def served(self, name: str) -> bool:
        """Whether this thread ends without another pass."""
        self.threads[name].join(5)
        return not self.threads[name].is_alive()

    def leave(self) -> None:
        assert all(self.served(name) for name in self.threads)
        assert self.scheduler.waiting == 0


def held_room(model: Held, rows: RowStore) -> Room:
    """A room in which one visitor's pass has begun and waits; others come meanwhile."""
    room = Room(model, rows)
    model.held, model.began = True, threading.Semaphore(0)
    room.ask("first", [(1, 1)])
    assert model.began.acquire(timeout=20)
    return room


def one_pass(model: Held) -> tuple[str, tuple[int, ...]]:
    """Let the pass that is under way end; the one that then begins."""
    model.go.release()
    assert model.began.acquire(timeout=20)
    return model.passes[-1]


def finish(model: Held, room: Room) -> None:
    model.held = False
    model.go.release()
    room.leave()


# ---- steps share passes


def test_steps_that_wait_share_one_pass_whatever_their_prompts_are() -> None:
    model, rows = Held(), RowStore(MUCH)
    prompts = [(n, *PROMPT) for n in range(TOGETHER)]
    for prompt in prompts:
        rows.get(model, [prompt])
    model.passes.clear()
    room = held_room(model, rows)
    for n, prompt in enumerate(prompts):
        room.ask(str(n), [(*prompt, n)])
    finish(model, room)
    assert [kind for kind, _ in model.passes] == ["piece", "packed"]
    assert sorted(model.passes[1][1]) == list(range(TOGETHER))
    for n, prompt in enumerate(prompts):
        assert np.array_equal(room.got[str(n)], model.logits([(*prompt, n)]))
        assert room.counted[str(n)] == 1, "a row counts for the thread that asked"
    assert rows.batches == {1: TOGETHER + 1, TOGETHER: 1}


def test_a_step_alone_is_run_alone_and_the_same_row_once() -> None:
    model, rows = Held(), RowStore(MUCH)
    rows.get(model, [PROMPT])
    rows.get(model, [(*PROMPT, 5)])
    assert [kind for kind, _ in model.passes] == ["piece", "piece"]
    room = held_room(model, rows)
    for name in "abc":
        room.ask(name, [(*PROMPT, 6)])
    finish(model, room)
    assert model.passes[3:] == [("piece", (6,))]
    assert sum(room.counted[name] for name in "abc") == 1
    assert rows.computed == 4


def test_of_many_steps_a_pass_takes_a_part_in_order_of_arrival() -> None:
    model, rows = Held(), RowStore(MUCH)
    room = held_room(model, rows)
    count = 3 * PART * TOGETHER
    for n in reversed(range(count)):  # those with the smallest tokens come last
        room.ask(str(n), [(n + 2, n + 2)])
    parts = []
    while count:
        parts.append(min(count, max(TOGETHER, count // PART)))
        count -= parts[-1]
    for _ in parts:
        assert one_pass(model)[0] == "packed"
    finish(model, room)
    assert [len(tokens) for _, tokens in model.passes[1:]] == [2 * part for part in parts]
    served = [max(tokens) for _, tokens in model.passes[1:]]
    assert served == sorted(served, reverse=True)


def test_a_part_whose_ends_are_long_takes_no_more_than_fits_a_pass() -> None:
    model, rows = Held(), RowStore(MUCH)
    room = held_room(model, rows)
    for n in range(TOGETHER):
        room.ask(str(n), [(n + 2,) * TAIL])
    passes = -(-TOGETHER * TAIL // WAVE)
    for _ in range(passes):
        assert one_pass(model)[0] == "packed"
    finish(model, room)
    assert [len(tokens) for _, tokens in model.passes[1:]] == [WAVE] * passes


# ---- long work and steps


def test_a_step_is_served_in_the_pass_after_that_of_a_search() -> None:
    model, rows = Held(), RowStore(MUCH)
    rows.get(model, [PROMPT])
    rows.get(model, [(9, *PROMPT)])
    model.passes.clear()
    room = held_room(model, rows)
    room.ask("search", [(*PROMPT, n // 40, n % 40) for n in range(400)])
    one_pass(model)
    assert len(model.passes[-1][1]) == WAVE, "alone, a search has whole passes"
    for turn in range(5):
        room.ask(f"step {turn}", [(9, *PROMPT, turn)])
        _, tokens = one_pass(model)
        assert len(tokens) == 1 + SHARE, "the step joined, and the search went on"
        one_pass(model)
        assert room.served(f"step {turn}")
    finish(model, room)
    want = [(*PROMPT, n // 40, n % 40) for n in range(400)]
    assert np.array_equal(room.got["search"], model.logits(want))
    assert room.counted["search"] == 400


def test_a_crowd_of_steps_leaves_long_work_its_share() -> None:
    model, rows = Held(), RowStore(MUCH)
    rows.get(model, [PROMPT])
    model.passes.clear()
    room = held_room(model, rows)
    room.ask("search", [(*PROMPT, n) for n in range(3 * SHARE)])
    for turn in range(4):
        for n in range(WAVE):  # more than fit, before every pass
            room.ask(f"{turn}.{n}", [(*PROMPT, 100 + turn, n)])
        one_pass(model)
    assert room.served("search"), "three shares of three passes"
    finish(model, room)


def test_searches_of_several_visitors_take_turns() -> None:
    model, rows = Held(), RowStore(MUCH)
    rows.get(model, [PROMPT])
    room = held_room(model, rows)
    for name in range(3):
        room.ask(str(name), [(*PROMPT, 1000 * name + n) for n in range(4 * WAVE)])
    whose = [one_pass(model)[1][-1] // 1000 for _ in range(9)]
    finish(model, room)
    assert whose == [0, 1, 2] * 3


def test_steps_and_the_pieces_of_a_long_prompt_alternate() -> None:
    model, rows = Held(), RowStore(MUCH)
    room = held_room(model, rows)
    room.ask("prompt", [tuple(n % 7 for n in range(PIECE + 3 * SHORT))])
    one_pass(model)
    seen = []
    for turn in range(6):
        room.ask(f"step {turn}", [(8, turn)])
        seen.append(len(one_pass(model)[1]))
    finish(model, room)
    assert seen[:4] == [2, SHORT, 3, SHORT], "a step waits for one piece, and that is short"
    long = tuple(n % 7 for n in range(PIECE + 3 * SHORT))
    assert np.array_equal(room.got["prompt"], model.logits([long]))


def test_a_turn_that_was_asked_for_comes_between_steps() -> None:
    model, rows = Held(), RowStore(MUCH)
    room, order = held_room(model, rows), []

    def scoring() -> None:
        for _ in range(3):
            with room.scheduler.turn():
                order.append(len(model.passes))

    room.begin("scoring", scoring)
    room.ask("search", [(2, n) for n in range(3 * WAVE)])
    room.ask("step", [(3, 3)])
    finish(model, room)
    assert len(order) == 3
    assert order[0] == 1, "it came first"
    assert 3 in model.passes[1][1], "then the step"
    assert order[-1] <= 6, "in turn with the search"


# ---- what fails, and who leaves


def test_an_error_is_raised_where_it_belongs_and_nowhere_else() -> None:
    model, rows = Held(refused=66), RowStore(MUCH)
    rows.get(model, [PROMPT])
    room = held_room(model, rows)
    for n in (5, 66, 7):
        room.ask(str(n), [(*PROMPT, n)])
    room.ask("search", [(*PROMPT, 8, n) for n in range(5)])
    room.ask("its own fault", [(*PROMPT, 9, n) for n in range(64, 68)])
    finish(model, room)
    assert set(room.errors) == {"66", "its own fault"}
    for n in (5, 7):
        assert np.array_equal(room.got[str(n)], model.logits([(*PROMPT, n)]))
    assert np.array_equal(room.got["search"], model.logits([(*PROMPT, 8, n) for n in range(5)]))
    assert np.array_equal(rows.get(model, [(*PROMPT, 4)]), model.logits([(*PROMPT, 4)]))


def test_who_is_interrupted_leaves_nothing_behind() -> None:
    class Interrupted(Held):
        def extend(self, past: Sequence[Spoken], tokens: Prefix) -> tuple[Logits, Spoken]:
            got = super().extend(past, tokens)
            if tokens == (1, 1):
                raise KeyboardInterrupt
            return got

    model, rows = Interrupted(), RowStore(MUCH)
    room = Room(model, rows)
    model.held = True

    def leading() -> None:
        with pytest.raises(KeyboardInterrupt):
            rows.get(model, [(1, 1)])

    room.begin("leading", leading)
    assert model.began.acquire(timeout=20)
    for name in "abcd":
        room.ask(name, [(2, ord(name))])
    finish(model, room)
    assert len(room.got) == 4
    assert rows.held[0] == 4


def test_the_scheduler_does_not_keep_a_model_alive() -> None:
    import gc
    import weakref

    rows, model = RowStore(MUCH), PackedEcho()
    rows.get(model, [(1, 2), (1, 3)])
    gone = weakref.ref(model)
    del model
    gc.collect()
    assert gone() is None


# ---- the same rows as alone


@settings(max_examples=25)
@given(
    st.lists(
        st.lists(
            st.lists(st.integers(0, 3), min_size=1, max_size=3 * TAIL), min_size=1, max_size=12
        ),
        min_size=2,
        max_size=8,
    ),
    st.sampled_from([0, 3000, 30_000, MUCH]),
)
def test_rows_are_right_whoever_asks_at_once_and_whatever_is_evicted(
    asked: list[list[list[int]]], budget: int
) -> None:
    rows, model = RowStore(budget), PackedEcho("packed", 40)
    gate, wrong = threading.Barrier(len(asked)), []

    def visit(wanted: list[Prefix]) -> None:
        gate.wait()
        for prefixes in (wanted[:1], wanted, wanted[-1:]):
            if not np.array_equal(rows.get(model, prefixes), model.logits(prefixes)):
                wrong.append(prefixes)

    threads = [
        threading.Thread(target=visit, args=([tuple(prefix) for prefix in wanted],))
        for wanted in asked
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert not wrong
    assert rows.nbytes <= budget
    assert rows.scheduler(model).waiting == 0


def test_a_real_model_gives_many_threads_the_rows_of_plain_passes(llama: LanguageModel) -> None:
    rows, worst = RowStore(MUCH), []
    gate = threading.Barrier(9)

    def step(seed: int) -> None:
        path = (seed + 3, *PROMPT)
        gate.wait()
        for token in range(8):
            path = (*path, 50 + (seed + token) % 9)
            worst.append(np.abs(rows.get(llama, [path]) - llama.logits([path])).max())

    def search() -> None:
        gate.wait()
        leaves = [(*PROMPT, 60 + n // 12, n % 12 + 3) for n in range(100)]
        worst.append(np.abs(rows.get(llama, leaves) - llama.logits(leaves)).max())

    threads = [threading.Thread(target=step, args=(seed,)) for seed in range(8)]
    threads.append(threading.Thread(target=search))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive()
    assert len(worst) == 8 * 8 + 1
    assert max(worst) < TOLERANCE


def test_a_job_knows_what_it_is() -> None:
    owner = PackedEcho().provenance
    assert Job().exclusive
    step, search = Job.of([(owner, (1,))]), Job.of([(owner, (2,)), (owner, (1,))])
    assert step.single
    assert not step.exclusive
    assert search.long
    assert search.first == (owner, (1,))
    assert not search.over
