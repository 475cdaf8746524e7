from __future__ import annotations

import threading
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from search_core.chat.run_answer import look_for_abandoned
from search_core.domain import MessageState
from search_core.runtime import LoopThread
from search_core.storage import Database
from search_core.storage.conversations import STALE_S, ConversationStore
from search_core.storage.stored_message import INTERRUPTED
from tests.search_core.storage.clocks import Moment
from tests.search_core.storage.sample_records import NOON, answer, question

SOON_S = 60


def test_an_answer_that_no_process_works_on_is_told_as_broken_off(tmp_path: Path):
    """Without anybody looking at the conversation; an answer of a process that lives, and beats in the same store, goes on."""
    clock, told, loop = Moment(NOON), threading.Event(), LoopThread()
    with closing(Database(tmp_path / "maekrak.sqlite")) as database:
        store = ConversationStore(database, now=clock)
        left, held = store.create("minsu").id, store.create("minsu").id
        running = replace(answer("a"), state=MessageState.RUNNING, record=None)
        store.put(left, "minsu", question("q"), running)
        store.put(held, "minsu", question("p"), replace(running, id="b"))
        clock.now += timedelta(seconds=STALE_S + 1)
        store.note_running(["b"])

        def fail() -> int:
            failed = store.fail_interrupted()
            if failed:
                told.set()
            return failed

        look_for_abandoned(loop, fail, 0.01)
        assert told.wait(SOON_S)
        loop.close()
        broken = store.load(left, "minsu").messages[-1]
        assert broken.record is not None
        assert (broken.state, broken.record.error) == (MessageState.FAILED, INTERRUPTED)
        assert store.load(held, "minsu").messages[-1].state is MessageState.RUNNING
