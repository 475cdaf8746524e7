"""Events on their way to the store."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import ClassVar

import pytest

from search_core.domain.reply import SearchEvent
from search_core.errors import StorageError
from search_core.health.recorder import EventRecorder

from .played_events import DAY_AGO, event

PATIENCE_S = 20


class PlayedStore:
    """Keeps events in a list; fails with its ``fault`` and hangs behind its ``gate``."""

    label: ClassVar[str] = "시험 기록"

    def __init__(self) -> None:
        self.kept: list[SearchEvent] = []
        self.batches: list[int] = []
        self.fault: Exception | None = None
        self.unreadable = False
        self.gate = threading.Event()
        self.gate.set()
        self.tried = threading.Event()
        self.closed = False

    def append(self, events: Sequence[SearchEvent]) -> None:
        self.tried.set()
        assert self.gate.wait(PATIENCE_S)
        if self.fault is not None:
            raise self.fault
        self.kept.extend(events)
        self.batches.append(len(events))

    def recent(self, since: datetime, limit: int) -> list[SearchEvent]:
        if self.unreadable:
            raise StorageError("Redis is silent.", korean="Redis가 답하지 않아요.")
        newest = sorted((each for each in self.kept if each.timestamp >= since), key=lambda each: each.timestamp, reverse=True)
        return newest[:limit]

    def close(self) -> None:
        self.closed = True

    def wait_for_first_try(self) -> None:
        assert self.tried.wait(PATIENCE_S)


@pytest.fixture
def store() -> Iterator[PlayedStore]:
    made = PlayedStore()
    yield made
    made.gate.set()


def numbered(count: int, start: int = 0) -> list[SearchEvent]:
    return [event(minutes_ago=600 - number, result_count=number) for number in range(start, start + count)]


def read(recorder: EventRecorder, limit: int = 10_000):
    return recorder.recent(DAY_AGO, limit)


def test_what_is_recorded_is_read(store: PlayedStore):
    """Reading waits for events on their way; no event before the span comes, and not more than wanted."""
    recorder = EventRecorder(store, flush_s=PATIENCE_S)
    events = numbered(3)
    for each in events:
        recorder.record(each)
    found, state = read(recorder)
    assert list(found) == events[::-1]
    assert store.kept == events
    assert (state.label, state.working, state.korean) == ("시험 기록", True, "")
    recorder.record(event(minutes_ago=60 * 25))
    assert list(recorder.recent(DAY_AGO, 2)[0]) == events[:0:-1]
    recorder.close()
    assert store.closed


def test_recording_does_not_wait_for_the_store(store: PlayedStore):
    """While the store hangs, events are taken all the same; what piles up is written in batches."""
    recorder = EventRecorder(store, flush_s=0.01)
    store.gate.clear()
    events = numbered(401)
    recorder.record(events[0])
    store.wait_for_first_try()
    for each in events[1:]:
        recorder.record(each)
    found, state = read(recorder)
    assert (found, store.kept, state.working) == ((), [], True)
    store.gate.set()
    recorder.close()
    assert store.batches == [1, 200, 200]
    assert store.kept == events


def test_what_a_failing_store_does_not_take_is_lost(store: PlayedStore, caplog: pytest.LogCaptureFixture):
    """It is told with a note, and not written later; both turns are logged once."""
    caplog.set_level(logging.INFO, "search_core.health.recorder")
    recorder = EventRecorder(store, flush_s=PATIENCE_S)
    store.fault = StorageError("The disk is full.", korean="디스크가 가득 찼어요.")
    events = numbered(3)
    for each in events[:2]:
        recorder.record(each)
        found, state = read(recorder)
    assert (list(found), state.working) == ([], False)
    assert state.korean == "디스크가 가득 찼어요. 그동안의 기록은 남지 않았어요."
    store.fault = None
    recorder.record(events[2])
    found, state = read(recorder)
    assert (list(found), state.working, state.korean) == (events[2:], True, "")
    assert store.kept == events[2:]
    assert [record.getMessage() for record in caplog.records] == [
        "The event store does not work, events of this time are not kept: The disk is full.",
        "The event store works again",
    ]
    recorder.close()


def test_an_unreadable_store_leaves_what_this_process_knows(store: PlayedStore):
    """When the store cannot be read, the last events of this process are shown with a note."""
    recorder = EventRecorder(store, remembered=3, flush_s=PATIENCE_S)
    store.kept = [event(provider="another-process")]
    events = numbered(5)
    for each in events:
        recorder.record(each)
        read(recorder)
    store.unreadable = True
    for _ in range(3):
        found, state = read(recorder)
        assert list(found) == events[:1:-1]
        assert (state.working, state.korean) == (False, "Redis가 답하지 않아요. 이 앱이 켜진 뒤의 최근 기록만 보여 드려요.")
    assert list(recorder.recent(events[3].timestamp, 9)[0]) == events[:2:-1]
    assert list(recorder.recent(DAY_AGO, 2)[0]) == events[:2:-1]
    store.unreadable = False
    found, state = read(recorder)
    assert (len(found), state.working) == (6, True)
    assert recorder.remembered() == tuple(events[:1:-1])
    recorder.close()


def test_an_event_the_store_cannot_take_holds_nobody_up(store: PlayedStore, caplog: pytest.LogCaptureFixture):
    """What a store can never take is lost with its batch and a note, the next is written, and no log tells its text."""
    caplog.set_level(logging.INFO, "search_core.health.recorder")
    recorder = EventRecorder(store, flush_s=PATIENCE_S)
    lost, good = numbered(2)
    store.fault = UnicodeEncodeError("utf-8", "비밀 질문", 0, 1, "surrogates not allowed")
    recorder.record(lost)
    _, state = read(recorder)
    assert (state.working, state.korean) == (False, "저장소에 쓸 수 없는 기록이 있었어요. 그동안의 기록은 남지 않았어요.")
    store.fault = None
    recorder.record(good)
    _, state = read(recorder)
    assert store.kept == [good]
    assert state.working
    assert caplog.messages == [
        "Search events were not kept: UnicodeEncodeError",
        "The event store does not work, events of this time are not kept: An event cannot be written.",
        "The event store works again",
    ]
    recorder.close()
