"""Many write conversations at once, and nothing that was stored is lost."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from sqlalchemy import func, select

from search_core.domain import AnswerRecord, Conversation, MessageState
from search_core.storage import Database
from search_core.storage.conversations import ConversationStore
from search_core.storage.tables import VIDEOS
from tests.search_core.storage.sample_records import VIDEO, answer, question

THREADS = 8
WRITES = 12


def names(conversation: Conversation) -> list[str]:
    return [message.id for message in conversation.messages]


def test_many_threads_lose_nothing(database: Database):
    """Eight threads with twelve messages each, half in one conversation and half in their own: all are there, in order.

    One that all put again and again is there once, whole, as one of them put it.
    """
    store = ConversationStore(database)
    shared = store.create("me", VIDEO)

    def talk(thread: int) -> str:
        own = store.create("me", VIDEO, f"{thread}").id
        for number in range(WRITES):
            store.put(shared.id if number % 2 else own, "me", question(f"{thread}-{number}"))
            store.put(shared.id, "me", answer("same", MessageState.RUNNING, AnswerRecord(text=f"{thread}" * 1000)))
        return own

    with ThreadPoolExecutor(THREADS) as pool:
        owned = list(pool.map(talk, range(THREADS)))
    for thread, own in enumerate(owned):
        assert names(store.load(own, "me")) == [f"{thread}-{number}" for number in range(0, WRITES, 2)]
    together = store.load(shared.id, "me")
    assert len(together.messages) == len(set(names(together))) == THREADS * (WRITES // 2) + 1
    for thread in range(THREADS):
        mine = [name for name in names(together) if name.startswith(f"{thread}-")]
        assert mine == [f"{thread}-{number}" for number in range(1, WRITES, 2)]
    (same,) = (message.record for message in together.messages if message.id == "same")
    assert same is not None
    assert (len(same.text), len(set(same.text))) == (1000, 1)


def test_a_video_is_neither_lost_nor_left_behind(database: Database):
    """While some begin conversations about a video others delete theirs: nobody is refused, and in the end it is gone."""
    store = ConversationStore(database)

    def come_and_go(_: int) -> None:
        for _ in range(6):
            entry = store.create("me", VIDEO)
            assert store.load(entry.id, "me").video == VIDEO
            store.delete(entry.id, "me")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(come_and_go, range(4)))
    with database.reading() as connection:
        assert connection.execute(select(func.count()).select_from(VIDEOS)).scalar_one() == 0
