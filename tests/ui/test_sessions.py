"""What Gradio keeps of pages that are gone is let go: its private parts are as this expects."""

from datetime import datetime, timedelta

import gradio as gr
import pytest
from gradio.data_classes import PredictBodyInternal

from playground.ui.sessions import DEAF, IDLE, Sessions
from tests.apart import run_apart
from tests.clock import Clock


@pytest.fixture
def demo():
    with gr.Blocks(analytics_enabled=False) as demo:
        box = gr.Textbox()
        box.submit(lambda text: text, box, box)
    demo.queue()
    gr.mount_gradio_app(__import__("fastapi").FastAPI(), demo, path="/")
    return demo


async def joined(demo, session: str) -> None:
    body = PredictBodyInternal(session_hash=session, data=["x"], fn_index=0, request=None)
    assert (await demo._queue.push(body=body, request=None, username=None))[0]


def test_events_that_nobody_hears_end_and_others_go_on(demo) -> None:
    async def go() -> None:
        clock = Clock(100.0)
        sessions, queue = Sessions(demo, clock), demo._queue
        for name in ("deaf", "heard", "late"):
            await joined(demo, name)
        assert [sessions.pending(name) for name in ("deaf", "nobody")] == [1, 0]
        queue.pending_event_ids_session["deaf"].add("of one that has ended")
        assert sessions.pending("deaf") == 1
        with sessions.listening("heard"):
            await sessions.sweep()
            clock.now += DEAF - 1
            sessions.joined("late")
            await sessions.sweep()
            assert set(queue.pending_messages_per_session) == {"deaf", "heard", "late"}
            clock.now += 2
            await sessions.sweep()
            assert set(queue.pending_messages_per_session) == {"heard", "late"}
            waiting = [
                event.session_hash
                for each in queue.event_queue_per_concurrency_id.values()
                for event in each.queue
            ]
            assert sorted(waiting) == ["heard", "late"]
            assert "deaf" not in queue.pending_event_ids_session

    run_apart(go())


def test_the_state_of_a_page_that_is_not_used_is_dropped(demo) -> None:
    async def go() -> None:
        sessions, holder = Sessions(demo), demo.state_holder
        for name in ("idle", "open", "used"):
            holder[name]
        for name in ("idle", "open"):
            holder.time_last_used[name] = datetime.now() - timedelta(seconds=IDLE + 1)
        with sessions.listening("open"):
            await sessions.sweep()
        assert set(holder.session_data) == set(holder.time_last_used) == {"open", "used"}

    run_apart(go())
