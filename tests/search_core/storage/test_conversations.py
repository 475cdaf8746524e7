"""Conversations are kept as they were, for their owners alone, in SQLite and in PostgreSQL."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from secrets import token_urlsafe

import pytest
from sqlalchemy import func, select, text, update

from search_core.domain.conversation import INTERRUPTED, AnswerRecord, Conversation, Message, MessageKind, MessageState
from search_core.domain.research import ResearchRequest
from search_core.domain.video import video_key
from search_core.errors import ConversationNotFoundError
from search_core.storage.conversations import STALE_S, UNREADABLE, UNREADABLE_VIDEO, ConversationStore, append_research
from search_core.storage.database import Database
from search_core.storage.tables import CONVERSATIONS, MESSAGES, VIDEOS
from tests.search_core.storage.conftest import Moment
from tests.search_core.storage.sample_records import NOON, RECORD, VIDEO, answer, question


@pytest.fixture
def clock() -> Moment:
    return Moment(step=timedelta(microseconds=1))


@pytest.fixture
def store(database: Database, clock: Moment) -> ConversationStore:
    return ConversationStore(database, now=clock)


def rows(database: Database, table) -> int:
    with database.reading() as connection:
        return connection.execute(select(func.count()).select_from(table)).scalar_one()


def states(store: ConversationStore, conversation_id: str) -> dict[str, str]:
    return {message.id: message.state.value for message in store.load(conversation_id, "me").messages}


def test_a_conversation_comes_back_as_it_was(store: ConversationStore):
    """Video, question, answer and a check that stopped are the same when the conversation is opened again, in their order."""
    entry = store.create("하나", VIDEO, "대역폭")
    check = Message(id="c", kind=MessageKind.CHECK, state=MessageState.STOPPED, about="a", record=RECORD, created_at=NOON)
    store.put(entry.id, "하나", question("q"), answer("a"))
    store.put(entry.id, "하나", check)
    opened = store.load(entry.id, "하나")
    assert opened == Conversation(
        entry=replace(entry, messages=3, updated_at=opened.entry.updated_at),
        video=VIDEO,
        messages=(question("q"), answer("a"), check),
    )
    assert (entry.owner, entry.title, entry.video_key, entry.video_title) == ("하나", "대역폭", video_key(VIDEO), VIDEO.title)
    assert opened.entry.updated_at > entry.updated_at
    assert len(entry.id) == len(token_urlsafe(16)), "an id cannot be guessed"
    assert store.load(entry.id, "하나").video is opened.video, "pages ask each time they are drawn: a video is read once"


def test_a_message_takes_the_place_of_its_earlier_state(store: ConversationStore):
    """A message put again stays where it is and shows its last state; of several none is stored where one cannot be."""
    other, entry = store.create("you", None), store.create("", None)
    store.put(other.id, "you", question("q", "너"))
    with pytest.raises(AttributeError):
        store.put(entry.id, "", question("q"), None)  # type: ignore[arg-type]
    assert store.load(entry.id, "").messages == ()
    running = answer("a", MessageState.RUNNING, AnswerRecord(text="두"))
    store.put(entry.id, "", question("q"), running, question("q2"))
    store.put(entry.id, "", answer("a"))
    assert store.load(entry.id, "").messages == (question("q"), answer("a"), question("q2"))
    assert store.load(other.id, "you").messages == (question("q", "너"),)


def test_conversations_are_listed_last_changed_first(store: ConversationStore):
    """A new message moves its conversation to the front; the count of messages is there."""
    first, *_ = (store.create("me", None, title) for title in ("1", "2", "3"))
    store.create("you", None, "not mine")
    store.put(first.id, "me", question("q"), answer("a"))
    assert [(entry.title, entry.messages) for entry in store.entries("me")] == [("1", 2), ("3", 0), ("2", 0)]
    assert store.entries("nobody") == ()


def test_a_conversation_keeps_its_own_version_of_the_video(store: ConversationStore):
    """Corrections do not reach conversations of before; lists go by video, edited or not."""
    before = store.create("me", VIDEO)
    edited = replace(VIDEO, speakers=("박세나",))
    after = store.create("me", edited)
    other, alone = store.create("me", replace(VIDEO, video_id="")), store.create("me", None)
    assert (store.load(before.id, "me").video, store.load(after.id, "me").video) == (VIDEO, edited)
    assert {entry.id for entry in store.entries("me", video_key(VIDEO))} == {before.id, after.id}
    assert [entry.id for entry in store.entries("me", "")] == [alone.id]
    assert {entry.id for entry in store.entries("me")} == {before.id, after.id, other.id, alone.id}


def test_a_conversation_of_another_owner_is_not_there(store: ConversationStore):
    """Whatever is done with another's conversation fails in the words for one that never was, and leaves it as it is."""
    entry = store.create("you", VIDEO, "제목")
    store.put(entry.id, "you", question("q"))
    before = store.load(entry.id, "you")
    texts = set()
    for way in (store.load, store.delete, lambda id_, owner: store.put(id_, owner, question("q2"))):
        for id_, owner in ((entry.id, "me"), (entry.id, ""), ("never", "me"), ("\0\ud800", "me")):
            with pytest.raises(ConversationNotFoundError) as caught:
                way(id_, owner)
            texts.add((str(caught.value), caught.value.korean))
        assert store.load(entry.id, "you") == before
    assert len(texts) == 1


def test_a_deleted_conversation_leaves_nothing(store: ConversationStore, database: Database):
    """Messages go with their conversation, and the video with the last conversation about it."""
    first, second = store.create("me", VIDEO), store.create("me", VIDEO)
    store.put(first.id, "me", question("q"))
    assert rows(database, VIDEOS) == 1
    store.delete(first.id, "me")
    assert (rows(database, MESSAGES), rows(database, VIDEOS)) == (0, 1)
    assert store.load(second.id, "me").video == VIDEO
    store.delete(second.id, "me")
    assert (rows(database, CONVERSATIONS), rows(database, VIDEOS)) == (0, 0)


def test_letters_no_database_keeps_do_not_hinder_saving(store: ConversationStore):
    """NUL and halves of letters in owner, title, video, question and answer become U+FFFD, and all is found again."""
    owner = "me\0"
    entry = store.create(owner, replace(VIDEO, title="t\ud800", video_id="v\0"), "제목\0\udfff")
    store.put(entry.id, owner, question("q\0", "a\0b"), answer("a", record=AnswerRecord(text="x\0\ud83d")))
    opened = store.load(entry.id, owner)
    assert opened.entry.title == "제목\ufffd\ufffd"
    assert opened.video is not None
    assert opened.video.title == "t\ufffd"
    assert [message.text for message in opened.messages] == ["a\ufffdb", ""]
    assert opened.messages[1].record == AnswerRecord(text="x\ufffd\ufffd")
    store.put(entry.id, owner, question("q\0", "다시"))
    assert [message.text for message in store.load(entry.id, owner).messages] == ["다시", ""]


def test_a_record_that_cannot_be_read_hides_nothing_else(store: ConversationStore, database: Database):
    """A message with a broken record, kind or state failed, with what can be read; a video says that it is not whole."""
    entry = store.create("me", VIDEO)
    store.put(entry.id, "me", question("q"), answer("a"), answer("b"), question("q2"), answer("c"))
    with database.writing() as connection:
        connection.execute(update(MESSAGES).where(MESSAGES.c.id == "c").values(kind="song"))
        connection.execute(update(MESSAGES).where(MESSAGES.c.id == "q2").values(state="sung"))
        connection.execute(update(VIDEOS).values(body={"title": "남은 제목", "transcript": 7}))
        for message_id, record in (("a", {"text": "두 배예요", "moments": "soon"}), ("b", [1])):
            connection.execute(update(MESSAGES).where(MESSAGES.c.id == message_id).values(record=record))
        if not database.shared:  # in SQLite a column takes any text
            connection.execute(text("UPDATE messages SET record = '{\"text\": ' WHERE id = 'b'"))
    opened = store.load(entry.id, "me")
    assert opened.messages == (
        question("q"),
        answer("a", MessageState.FAILED, AnswerRecord(text="두 배예요", error=UNREADABLE)),
        answer("b", MessageState.FAILED, AnswerRecord(error=UNREADABLE)),
        replace(question("q2"), state=MessageState.FAILED),
        answer("c", MessageState.FAILED, replace(RECORD, error=UNREADABLE)),
    )
    video = opened.video
    assert video is not None
    assert (video.title, video.transcript, video.warnings) == ("남은 제목", (), (UNREADABLE_VIDEO,))


def test_a_question_is_stored_with_its_moment(store: ConversationStore, database: Database):
    """It is as it was after the end of its process; one that cannot be read is none."""
    entry = store.create("me", VIDEO)
    asked = replace(question("q"), moment_s=3727.5, search="s")
    store.put(entry.id, "me", asked, question("q2"))
    assert store.load(entry.id, "me").messages == (asked, question("q2"))
    with database.writing() as connection:
        connection.execute(update(MESSAGES).where(MESSAGES.c.id == "q").values(record={"moment_s": "soon"}))
        connection.execute(update(MESSAGES).where(MESSAGES.c.id == "q2").values(record=[1]))
    assert store.load(entry.id, "me").messages == (question("q"), question("q2"))


def test_a_running_message_without_a_sign_has_failed(store: ConversationStore, clock: Moment):
    """After STALE_S seconds without a sign a running message failed, with its text until then; put again it is as it was put.

    Putting it again within STALE_S keeps it running.
    """
    entry, goes_on = store.create("me", None), store.create("me", None)
    asked = replace(question("q", ""), state=MessageState.RUNNING)
    store.put(entry.id, "me", question("q0"), asked, answer("a", MessageState.RUNNING, AnswerRecord(text="두 배")))
    store.put(goes_on.id, "me", answer("put", MessageState.RUNNING), answer("ended"))
    clock.advance(seconds=STALE_S - 1)
    assert store.fail_interrupted() == 0
    store.put(goes_on.id, "me", answer("put", MessageState.RUNNING))
    clock.advance(seconds=2)
    assert store.fail_interrupted() == 2
    assert store.fail_interrupted() == 0
    assert store.load(entry.id, "me").messages == (
        question("q0"),
        replace(asked, state=MessageState.FAILED),
        answer("a", MessageState.FAILED, AnswerRecord(text="두 배", error=INTERRUPTED)),
    )
    assert states(store, goes_on.id) == {"put": "running", "ended": "complete"}
    store.put(entry.id, "me", answer("a"))
    assert store.load(entry.id, "me").messages[-1] == answer("a")


@pytest.mark.parametrize("address", ["postgresql"], indirect=True)
def test_a_message_that_is_being_put_is_not_waited_for(store: ConversationStore, database: Database, clock: Moment):
    """In PostgreSQL the search for abandoned messages passes over a row that is locked."""
    entry = store.create("me", None)
    locked = update(MESSAGES).where(MESSAGES.c.id == "a").values(text="locked")
    store.put(entry.id, "me", answer("a", MessageState.RUNNING), answer("b", MessageState.RUNNING))
    clock.advance(seconds=STALE_S + 1)
    with database.writing() as connection:
        connection.execute(locked)
        assert store.fail_interrupted() == 1
    assert store.fail_interrupted() == 1
    assert states(store, entry.id) == {"a": "failed", "b": "failed"}


def research(conversation_id: str) -> ResearchRequest:
    return ResearchRequest(question="HBM4는 얼마나 빠른가?", owner="하나", conversation_id=conversation_id)


def test_a_run_is_put_at_the_end_of_its_conversation(store: ConversationStore, database: Database, clock: Moment):
    """Question and run come after all else and give the conversation a name and a new time; that of another owner stays."""
    entry, others = store.create("하나"), store.create("세리")
    store.put(entry.id, "하나", question("q"))
    with database.writing() as connection:
        append_research(connection, "r", research(entry.id), clock())
        for nowhere in (others.id, "gone"):
            append_research(connection, "u", research(nowhere), clock())
    opened = store.load(entry.id, "하나")
    assert [(message.id, message.kind, message.about) for message in opened.messages[1:]] == [
        ("asked-r", MessageKind.QUESTION, ""),
        ("r", MessageKind.RESEARCH, "asked-r"),
    ]
    assert opened.messages[1].text == opened.entry.title == "HBM4는 얼마나 빠른가?"
    assert opened.entry.updated_at > entry.updated_at
    assert store.load(others.id, "세리") == Conversation(entry=others, video=None)
    clock.advance(seconds=STALE_S + 1)
    assert store.fail_interrupted() == 0


THREADS = 8
WRITES = 12


def test_many_threads_lose_nothing(database: Database):
    """Of eight threads that put twelve messages each into one conversation all are there, in order.

    One that all put again and again is there once, whole, as one of them put it.
    """
    store = ConversationStore(database)
    shared = store.create("me", VIDEO).id

    def talk(thread: int) -> None:
        for number in range(WRITES):
            store.put(shared, "me", question(f"{thread}-{number}"))
            store.put(shared, "me", answer("same", MessageState.RUNNING, AnswerRecord(text=f"{thread}" * 1000)))

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(talk, range(THREADS)))
    messages = {message.id: message.record for message in store.load(shared, "me").messages}
    assert len(messages) == len(store.load(shared, "me").messages) == THREADS * WRITES + 1
    for thread in range(THREADS):
        assert [name for name in messages if name.startswith(f"{thread}-")] == [f"{thread}-{number}" for number in range(WRITES)]
    same = messages["same"]
    assert same is not None
    assert (len(same.text), len(set(same.text))) == (1000, 1)
