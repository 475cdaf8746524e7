"""Many write conversations at once, and nothing that was stored is lost."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from sqlalchemy import func, select

from search_core.domain import AnswerRecord, Conversation, MessageState
from search_core.storage import Database
from search_core.storage.conversations import ConversationStore
from search_core.storage.tables import CONVERSATIONS, VIDEOS
from tests.search_core.storage.sample_records import VIDEO, answer, question

THREADS = 8
WRITES = 12


def names(conversation: Conversation) -> list[str]:
    return [message.id for message in conversation.messages]


def test_many_threads_lose_nothing(database: Database):
    """Eight threads with twelve messages each, half in one conversation and half in their own: all are there, in order."""
    store = ConversationStore(database)
    shared = store.create("me", VIDEO)

    def talk(thread: int) -> str:
        own = store.create("me", VIDEO, f"{thread}").id
        for number in range(WRITES):
            store.put(shared.id if number % 2 else own, "me", question(f"{thread}-{number}"))
        return own

    with ThreadPoolExecutor(THREADS) as pool:
        owned = list(pool.map(talk, range(THREADS)))
    for thread, own in enumerate(owned):
        assert names(store.load(own, "me")) == [f"{thread}-{number}" for number in range(0, WRITES, 2)]
    together = names(store.load(shared.id, "me"))
    assert len(together) == len(set(together)) == THREADS * (WRITES // 2)
    for thread in range(THREADS):
        mine = [name for name in together if name.startswith(f"{thread}-")]
        assert mine == [f"{thread}-{number}" for number in range(1, WRITES, 2)]


def test_a_message_many_write_at_once_is_there_once(database: Database):
    """Threads that put the same message while others read it leave one message, whole, as one of them put it."""
    store = ConversationStore(database)
    entry = store.create("me", None)

    def put(thread: int) -> None:
        for _ in range(5):
            store.put(entry.id, "me", answer("a", MessageState.RUNNING, AnswerRecord(text=f"{thread}" * 1000)))
            assert len(set(text_of(store))) <= 1

    def text_of(store: ConversationStore) -> str:
        record = store.load(entry.id, "me").messages[0].record
        assert record is not None
        assert len(record.text) == 1000
        return record.text

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(put, range(THREADS)))
    assert names(store.load(entry.id, "me")) == ["a"]


def test_a_video_is_neither_lost_nor_left_behind(database: Database):
    """While some begin conversations about a video others delete theirs: nobody is refused, and in the end it is gone."""
    store = ConversationStore(database)

    def come_and_go(thread: int) -> None:
        for _ in range(6):
            entry = store.create("me", VIDEO)
            assert store.load(entry.id, "me").video == VIDEO
            store.delete(entry.id, "me")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(come_and_go, range(4)))
    with database.reading() as connection:
        for table in (CONVERSATIONS, VIDEOS):
            assert connection.execute(select(func.count()).select_from(table)).scalar_one() == 0
