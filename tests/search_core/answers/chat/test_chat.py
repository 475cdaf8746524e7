from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from search_core.answers.chat.chat import Chat
from search_core.answers.chat.job import NOT_SAVED, UNEXPECTED, AlreadyCheckedError, AnswerJob, ConversationBusyError
from search_core.domain.conversation import (
    INTERRUPTED,
    AnswerDone,
    AnswerOrigin,
    AnswerRecord,
    Message,
    MessageKind,
    MessageState,
    PassagesChosen,
    WebAnswerFailed,
    WebFailure,
)
from search_core.domain.report import Question, SearchOptions
from search_core.errors import ConversationNotFoundError, EmbeddingError, InputError, QuestionError
from search_core.job import SearchJob
from search_core.storage.database import Database
from tests.search_core.answers.asking import hbm
from tests.search_core.answers.chat.scripted_chat import (
    ME,
    SOON_S,
    Gate,
    Script,
    WatchedStore,
    finished,
    from_video,
    from_web,
    open_chat,
    open_store,
    token,
)

NEVER_S = 1e9


@contextmanager
def asking(folder: Path, *answers: Any, **parts: Any) -> Iterator[tuple[Chat, str, AnswerJob]]:
    """Yield a chat, the id of a conversation about the sample video, and the answer to a question in it."""
    with open_chat(folder, *answers, **parts) as chat:
        entry_id = chat.new(ME, hbm()).id
        yield chat, entry_id, chat.ask(entry_id, ME, "질문")


def ask(chat: Chat, entry_id: str, text: str = "질문") -> AnswerJob:
    """Return an answer when it has ended."""
    job = chat.ask(entry_id, ME, text)
    assert job.wait(SOON_S)
    return job


def last(chat: Chat, entry_id: str) -> Message:
    return chat.open(entry_id, ME).messages[-1]


def record(message: Message) -> AnswerRecord:
    assert message.record is not None
    return message.record


def stored(folder: Path, entry_id: str) -> Message:
    """Return the last message of a conversation as another process reads it."""
    return open_store(folder).load(entry_id, ME).messages[-1]


def test_a_question_and_its_answer_are_stored_as_they_were_published(tmp_path: Path):
    """Another process finds the question, tidied up, the answer with all that its events held, and the video."""
    with open_chat(tmp_path, Script(*from_video("HBM은 빨라요."))) as chat:
        entry_id = chat.new(ME, hbm()).id
        job = ask(chat, entry_id, "  HBM은\n왜 빨라? ")
    conversation = open_store(tmp_path).load(entry_id, ME)
    assert conversation.video == hbm()
    question, answer = conversation.messages
    assert (question.kind, question.text) == (MessageKind.QUESTION, "HBM은 왜 빨라?")
    assert (answer.kind, answer.state, answer.about) == (MessageKind.ANSWER, MessageState.COMPLETE, question.id)
    assert (answer.id, answer) == (job.id, job.snapshot())
    assert (record(answer).text, record(answer).origin) == ("HBM은 빨라요.", AnswerOrigin.MODEL)
    assert record(answer).done == AnswerDone(total_ms=20.0)


def test_a_conversation_is_named_after_its_first_question(tmp_path: Path):
    """The first question gives the title, cut to forty characters."""
    with open_chat(tmp_path) as chat:
        entry = chat.new(ME)
        ask(chat, entry.id, "가나다라마 " * 10)
        ask(chat, entry.id, "두 번째 질문")
        [named] = chat.conversations(ME)
    assert named.title == "가나다라마 가나다라마 가나다라마 가나다라마 가나다라마 가나다라마 가나다…"


def test_a_running_answer_is_read_with_its_words_so_far(tmp_path: Path):
    """Opening the conversation in the middle of an answer shows its words, stored or not; another question is refused."""
    gate = Gate()
    script = Script(token("절반"), gate, finished("절반과 나머지"))
    with asking(tmp_path, script, save_every_s=NEVER_S) as (chat, entry_id, job):
        assert gate.reached.wait(SOON_S)
        running = last(chat, entry_id)
        assert (running.state, record(running).text, chat.job(running.id)) == (MessageState.RUNNING, "절반", job)
        assert (stored(tmp_path, entry_id).state, record(stored(tmp_path, entry_id)).text) == (MessageState.RUNNING, "")
        with pytest.raises(ConversationBusyError):
            chat.ask(entry_id, ME, "질문 둘")
        gate.open()
        assert job.wait(SOON_S)
        assert last(chat, entry_id).record == job.snapshot().record


def test_what_is_finished_is_stored_while_the_answer_goes_on(tmp_path: Path):
    """The answer from the video is in the store before the web's begins."""
    gate, store = Gate(), WatchedStore(Database(tmp_path / "maekrak.sqlite"))
    with asking(tmp_path, Script(finished("절반"), gate), store=store, save_every_s=NEVER_S) as (_, entry_id, job):
        assert store.has_words.wait(SOON_S)
        assert (job.done, record(stored(tmp_path, entry_id)).text) == (False, "절반")


STEPS = (PassagesChosen(passages=()), token("하나"), token(" 둘"), finished("하나 둘"), AnswerDone(total_ms=1.0))


@pytest.mark.parametrize("index", [0, 2, len(STEPS)])
def test_stopping_keeps_the_events_so_far_and_leaves_nothing_running(tmp_path: Path, index: int):
    """Wherever an answer is stopped, its generator is closed, and what was published until then is stored as stopped."""
    gate = Gate()
    script = Script(*STEPS[:index], gate, *STEPS[index:])
    with asking(tmp_path, script, save_every_s=NEVER_S) as (chat, entry_id, job):
        assert gate.reached.wait(SOON_S)
        job.cancel()
        assert job.wait(SOON_S)
        assert script.under_way == 0
        assert [event for _, event in job.events()] == list(STEPS[:index])
        job.cancel()
        assert last(chat, entry_id).state is MessageState.STOPPED
        stopped = stored(tmp_path, entry_id)
        assert chat.ask(entry_id, ME, "다시").id != job.id
    assert (stopped.state, stopped.record, record(stopped).error) == (MessageState.STOPPED, job.snapshot().record, "")


@pytest.mark.parametrize(
    ("error", "korean"),
    [(ZeroDivisionError("secret"), UNEXPECTED), (EmbeddingError("no vectors", korean="벡터가 없어요."), "벡터가 없어요.")],
)
def test_an_answer_that_breaks_fails_in_korean(tmp_path: Path, caplog: pytest.LogCaptureFixture, error: Exception, korean: str):
    """An error ends the answer as failed with a Korean sentence and its words so far; the log has no question."""
    with asking(tmp_path, Script(token("하나"), error)) as (chat, entry_id, job):
        assert job.wait(SOON_S)
        failed = last(chat, entry_id)
    assert (failed.state, record(failed).text, record(failed).error) == (MessageState.FAILED, "하나", korean)
    assert "An answer ended" in caplog.text
    assert "질문" not in caplog.text


def test_a_store_that_fails_does_not_end_an_answer(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """With a full disk the answer goes on and is shown with a notice; once there is room it is stored whole."""
    store = WatchedStore(Database(tmp_path / "maekrak.sqlite"))
    gate = Gate()
    with open_chat(tmp_path, Script(*from_video("네."), gate, token(" 끝")), store=store) as chat:
        entry_id = chat.new(ME).id
        store.full = True
        job = chat.ask(entry_id, ME, "질문")
        assert gate.reached.wait(SOON_S)
        question, answer = chat.open(entry_id, ME).messages
        assert (question.text, record(answer).text, record(answer).notice) == ("질문", "네.", NOT_SAVED)
        store.full = False
        gate.open()
        assert job.wait(SOON_S)
        assert last(chat, entry_id).record == job.to_store().record
    messages = open_store(tmp_path).load(entry_id, ME).messages
    assert [message.text for message in messages] == ["질문", ""]
    assert (messages[1].state, record(messages[1]).notice) == (MessageState.COMPLETE, "")
    assert "could not be stored" in caplog.text


def test_the_end_of_the_process_ends_its_answers(tmp_path: Path):
    """An answer whose loop is closed fails and says that the server started anew, in the store, too."""
    gate = Gate()
    with asking(tmp_path, Script(token("절반"), gate)) as (_, entry_id, job):
        assert gate.reached.wait(SOON_S)
    assert job.wait(SOON_S)
    answer = stored(tmp_path, entry_id)
    assert (answer.state, record(answer).text, record(answer).error) == (MessageState.FAILED, "절반", INTERRUPTED)


def test_an_answer_is_checked_with_its_question_and_once(tmp_path: Path):
    """The check gets question, video, earlier turns and the answer's record; it is stored beside it and not made again."""
    checks = Script(*from_web("양산해요 [1]."))
    with asking(tmp_path, checks=checks) as (chat, entry_id, first):
        assert first.wait(SOON_S)
        answer = ask(chat, entry_id, "다음 질문")
        job = chat.check(entry_id, ME, answer.id)
        assert job.wait(SOON_S)
        assert (job.question.text, job.snapshot().about) == ("다음 질문", answer.id)
        with pytest.raises(AlreadyCheckedError):
            chat.check(entry_id, ME, answer.id)
        kinds = [message.kind for message in chat.open(entry_id, ME).messages]
    assert kinds == ["question", "answer", "question", "answer", "check"]
    [request] = checks.requests
    assert (request.question.text, request.question.video) == ("다음 질문", hbm())
    assert [turn.question for turn in request.question.memory.turns] == ["질문"]
    assert request.answer == answer.snapshot().record
    answered = record(stored(tmp_path, entry_id))
    assert (answered.web_text, answered.searched_for) == ("양산해요 [1].", "HBM4 양산")


def test_a_check_without_a_result_can_be_made_again(tmp_path: Path):
    """After a check that was stopped, that broke, or whose web could not be searched, another is made."""
    gate = Gate()
    checks = Script(gate)
    none = WebAnswerFailed(failure=WebFailure.UNAVAILABLE, cause="offline", korean="웹 검색을 사용할 수 없어요.")
    with asking(tmp_path, checks=checks) as (chat, entry_id, answer):
        assert answer.wait(SOON_S)
        running = chat.check(entry_id, ME, answer.id)
        assert gate.reached.wait(SOON_S)
        running.cancel()
        assert running.wait(SOON_S)
        for steps, state in (
            ((ValueError("broken"),), MessageState.FAILED),
            ((none, AnswerDone(total_ms=1.0)), MessageState.COMPLETE),
            (from_web("네 [1]."), MessageState.COMPLETE),
        ):
            checks.steps = steps
            job = chat.check(entry_id, ME, answer.id)
            assert job.wait(SOON_S)
            assert job.snapshot().state is state
        with pytest.raises(AlreadyCheckedError):
            chat.check(entry_id, ME, answer.id)


def test_only_finished_answers_are_checked(tmp_path: Path):
    """A running answer, a question, and an unknown id are refused; while a check runs the next question is answered."""
    gate, checking = Gate(), Gate()
    with asking(tmp_path, Script(gate, *from_video("네.")), checks=Script(checking)) as (chat, entry_id, job):
        with pytest.raises(ConversationBusyError):
            chat.check(entry_id, ME, job.id)
        gate.open()
        assert job.wait(SOON_S)
        for message_id in (job.question.id, "nothing"):
            with pytest.raises(InputError, match="no such answer"):
                chat.check(entry_id, ME, message_id)
        check = chat.check(entry_id, ME, job.id)
        ask(chat, entry_id, "다음")
        assert not check.done
        checking.open()
        assert check.wait(SOON_S)


def test_a_question_of_its_own_is_checked_against_the_conversation(tmp_path: Path):
    """The web is asked a new question with the earlier turns; the answer to the same question goes along."""
    checks = Script(*from_web("네 [1]."))
    with asking(tmp_path, checks=checks) as (chat, entry_id, answer):
        assert answer.wait(SOON_S)
        assert chat.check_question(entry_id, ME, "질문", subject="HBM").wait(SOON_S)
        assert chat.check_question(entry_id, ME, "다른 질문").wait(SOON_S)
        messages = chat.open(entry_id, ME).messages
    assert [message.kind for message in messages[2:]] == ["question", "check", "question", "check"]
    first, second = checks.requests
    assert (first.answer, first.subject) == (answer.snapshot().record, "HBM")
    assert (second.answer, second.subject, second.question.text) == (None, None, "다른 질문")
    assert [turn.question for turn in second.question.memory.turns] == ["질문", "질문"]


def test_a_question_keeps_its_moment(tmp_path: Path):
    """Another process reads it; the answer is asked for with it, checks of the answer and of the same question, too."""
    answers, checks = Script(*from_video("네.")), Script(*from_web("네 [1]."))
    with open_chat(tmp_path, answers, checks=checks) as chat:
        entry_id = chat.new(ME, hbm()).id
        job = chat.ask(entry_id, ME, "이 회사는?", moment_s=61.5)
        assert job.wait(SOON_S)
        assert chat.check(entry_id, ME, job.id).wait(SOON_S)
        assert chat.check_question(entry_id, ME, "이 회사는?").wait(SOON_S)
        assert chat.check_question(entry_id, ME, "이 회사는?", moment_s=7.0).wait(SOON_S)
        with pytest.raises(QuestionError):
            chat.ask(entry_id, ME, "이 회사는?", moment_s=-1.0)
    asked = [message.moment_s for message in open_store(tmp_path).load(entry_id, ME).messages if message.text]
    assert asked == [61.5, 61.5, 7.0]
    assert [question.moment_s for question in answers.questions] == [61.5]
    assert [request.question.moment_s for request in checks.requests] == [61.5, 61.5, 7.0]
    assert [request.answer is not None for request in checks.requests] == [True, True, False]


def test_keywords_are_answered_by_the_list_beside_them(tmp_path: Path):
    """Beside a search a run of keywords gets scenes and a question an answer; both keep which search it was."""
    answers, search = Script(finished("답")), SearchJob(Question(text="q"), SearchOptions())
    with open_chat(tmp_path, answers) as chat:
        entry_id = chat.new(ME, hbm()).id
        for text in ("메모리 대역폭", "대역폭은 왜 중요해?"):
            assert chat.ask(entry_id, ME, text, search=search).wait(SOON_S)
        ask(chat, entry_id, "메모리 대역폭")
    assert [each.text for each in answers.scenes_of] == ["메모리 대역폭"]
    assert [each.text for each in answers.questions] == ["대역폭은 왜 중요해?", "메모리 대역폭"]
    kept = [message.search for message in open_store(tmp_path).load(entry_id, ME).messages if message.text]
    assert kept == [search.id, search.id, ""]


def test_conversations_belong_to_their_owners(tmp_path: Path):
    """Everything about a conversation of another owner is answered as if it did not exist, and what runs in it goes on."""
    gate = Gate()
    with asking(tmp_path, Script(gate, *from_video("네."))) as (chat, entry_id, job):
        for call in (
            lambda: chat.open(entry_id, "you"),
            lambda: chat.ask(entry_id, "you", "질문"),
            lambda: chat.check(entry_id, "you", job.id),
            lambda: chat.check_question(entry_id, "you", "질문"),
            lambda: chat.export(entry_id, "you"),
            lambda: chat.delete(entry_id, "you"),
        ):
            with pytest.raises(ConversationNotFoundError):
                call()
        assert chat.conversations("you") == ()
        gate.open()
        assert job.wait(SOON_S)
        assert (job.snapshot().state, job.owner) == (MessageState.COMPLETE, ME)


def test_deleting_a_conversation_stops_its_answer(tmp_path: Path):
    """A conversation deleted in the middle of an answer is gone, its answer is stopped, and its job is unknown."""
    gate = Gate()
    script = Script(token("하나"), gate)
    with asking(tmp_path, script) as (chat, entry_id, job):
        assert gate.reached.wait(SOON_S)
        chat.delete(entry_id, ME)
        assert (job.done, script.under_way, chat.job(job.id)) == (True, 0, None)
        with pytest.raises(ConversationNotFoundError):
            chat.open(entry_id, ME)
        assert chat.conversations(ME) == ()
