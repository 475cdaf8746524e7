"""Many write at once, and are killed while they write: nothing that was kept is lost."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from sqlalchemy import func, select

from search_core.domain import AnswerRecord, Conversation, MessageState
from search_core.storage import Database
from search_core.storage.conversations import ConversationStore
from search_core.storage.tables import CONVERSATIONS, VIDEOS
from tests.loopback.postgresql import PostgreSQLServer
from tests.search_core.storage.sample_records import VIDEO, answer, question

ROOT = Path(__file__).parents[3]
THREADS = 8
WRITES = 25
TALKERS = 3
SAID = 10
"""Messages each talker has said are kept before it is killed."""


def names(conversation: Conversation) -> list[str]:
    return [message.id for message in conversation.messages]


def test_many_threads_lose_nothing(database: Database):
    """Eight threads with 25 messages each, half in one conversation and half in their own: all are there, in order."""
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
        for _ in range(10):
            entry = store.create("me", VIDEO)
            assert store.load(entry.id, "me").video == VIDEO
            store.delete(entry.id, "me")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(come_and_go, range(4)))
    with database.reading() as connection:
        for table in (CONVERSATIONS, VIDEOS):
            assert connection.execute(select(func.count()).select_from(table)).scalar_one() == 0


@contextmanager
def talker(address: Path | str, conversation: str, prefix: str) -> Iterator[subprocess.Popen[str]]:
    """Run a process that writes messages, and kill it as kill -9 does at the end."""
    command = [sys.executable, "-m", "tests.search_core.storage.killed_talker", conversation, prefix]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdin is not None
        process.stdin.write(f"{address}\n")
        process.stdin.flush()
        try:
            yield process
        finally:
            process.kill()


def test_what_a_killed_process_had_kept_is_there(database: Database, address: Path | str):
    """Three processes write into one conversation and are killed while they do: what they said is kept is there, whole."""
    store = ConversationStore(database)
    entry = store.create("me", VIDEO)
    said = []
    with ExitStack() as stack:
        talkers = [stack.enter_context(talker(address, entry.id, f"{number}")) for number in range(TALKERS)]
        for process in talkers:
            assert process.stdout is not None
            said += [process.stdout.readline().strip() for _ in range(SAID)]
        for process in talkers:
            process.kill()
        for process in talkers:
            said += [line.strip() for line in process.stdout if line.endswith("\n")]
    kept = store.load(entry.id, "me").messages
    assert set(said) - {message.id for message in kept} == set()
    assert len(said) >= TALKERS * SAID
    assert all(message == answer(message.id) for message in kept)
    store.put(entry.id, "me", question("after"))
    assert names(store.load(entry.id, "me"))[-1] == "after"


def test_what_a_killed_server_had_kept_is_there():
    """A PostgreSQL that is killed and started again has every message whose put had returned."""
    now = 100.0
    with PostgreSQLServer() as server:
        database = Database(server.new_database(), monotonic=lambda: now)
        store = ConversationStore(database)
        entry = store.create("me", VIDEO)
        for number in range(20):
            store.put(entry.id, "me", replace(question(f"{number}"), text=f"{number}"))
        server.kill()
        server.start()
        assert names(store.load(entry.id, "me")) == [f"{number}" for number in range(20)]
        database.close()
