from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

from search_core import korean
from search_core.chat import (
    AlreadyCheckedError,
    AnswerJob,
    Chat,
    ConversationBusyError,
    MessageNotFoundError,
    TooManyAnswersError,
)
from search_core.chat.job import NOT_SAVED
from search_core.chat.run_answer import UNEXPECTED
from search_core.domain import (
    AnswerDone,
    AnswerOrigin,
    ConversationEntry,
    FallbackDecided,
    Message,
    MessageKind,
    MessageState,
    PassagesChosen,
    QuestionHeard,
    WebAnswerFailed,
    WebFailure,
)
from search_core.errors import (
    ConversationNotFoundError,
    EmbeddingError,
    LanguageModelError,
    LanguageModelFailure,
    QuestionError,
    StorageError,
)
from search_core.storage.database import Database
from search_core.storage.kept_message import INTERRUPTED
from tests.search_core.answering.asking import flow, hbm, searching
from tests.search_core.chat.scripted_chat import (
    ME,
    NOW,
    SOON_S,
    FailingStore,
    Gate,
    Script,
    Voice,
    finished,
    from_video,
    from_web,
    open_chat,
    open_store,
    token,
)
from tests.search_core.scripted import ScriptedProvider, finds, result

NEVER_S = 1e9


def last(chat: Chat, entry: ConversationEntry) -> Message:
    return chat.open(entry.id, ME).messages[-1]


def test_a_question_and_its_answer_are_kept_as_they_were_told(tmp_path: Path):
    """After the end a fresh look at the store finds the question, and the answer with all that its events told."""
    with open_chat(tmp_path, Script(*from_video("HBM은 빨라요."))) as chat:
        entry = chat.new(ME, hbm())
        job = chat.ask(entry.id, ME, "  HBM은\n왜 빨라? ")
        assert job.wait(SOON_S)
    kept = open_store(tmp_path).load(entry.id, ME)
    assert kept.video == hbm()
    question, answer = kept.messages
    assert (question.kind, question.text, question.spoken) == (MessageKind.QUESTION, "HBM은 왜 빨라?", False)
    assert (answer.kind, answer.state, answer.about, answer.id) == (
        MessageKind.ANSWER,
        MessageState.COMPLETE,
        question.id,
        job.id,
    )
    assert answer == job.snapshot()
    assert answer.record is not None
    assert (answer.record.text, answer.record.origin) == ("HBM은 빨라요.", AnswerOrigin.MODEL)
    assert answer.record.done == AnswerDone(answer_ms=10.0, total_ms=20.0)


def test_the_real_flow_answers_from_the_video_and_from_the_web(tmp_path: Path):
    """With the real flow a question about the video is quoted from it, and another goes on to the web."""
    found = ScriptedProvider("brave", finds(result("오늘 서울 날씨", snippet="오늘 서울 날씨는 맑고 기온은 3도입니다.")))
    korean.warm_up()
    with open_chat(tmp_path, flow(None, searching(found), search_timeout_s=SOON_S)) as chat:
        entry = chat.new(ME, hbm())
        first = chat.ask(entry.id, ME, "HBM은 왜 대역폭이 높아?")
        assert first.wait(SOON_S)
        second = chat.ask(entry.id, ME, "오늘 서울 날씨는 어때?")
        assert second.wait(SOON_S)
        answers = [message.record for message in chat.open(entry.id, ME).messages if message.kind is MessageKind.ANSWER]
    assert answers[0] is not None
    assert answers[0].moments
    assert answers[1] is not None
    assert answers[1].fallback is not None
    assert answers[1].fallback.triggered
    assert "3도" in answers[1].web_text
    assert answers[1].sources[0].title == "오늘 서울 날씨"


def test_a_conversation_is_named_after_its_first_question(tmp_path: Path):
    """The first question gives the title, cut to forty characters on one line; a second one changes nothing."""
    with open_chat(tmp_path) as chat:
        entry = chat.new(ME)
        assert chat.ask(entry.id, ME, "가나다라마 " * 10).wait(SOON_S)
        assert chat.ask(entry.id, ME, "두 번째 질문").wait(SOON_S)
        assert chat.open(entry.id, ME).entry.title == "가나다라마 가나다라마 가나다라마 가나다라마 가나다라마 가나다라마 가나다…"


def test_a_title_that_was_given_stays(tmp_path: Path):
    """Neither a title given at the beginning nor a later one is replaced by a question."""
    with open_chat(tmp_path) as chat:
        given, renamed = chat.new(ME, title="내 대화"), chat.new(ME)
        chat.rename(renamed.id, ME, " 다른\n이름 ")
        for entry in (given, renamed):
            assert chat.ask(entry.id, ME, "질문").wait(SOON_S)
        assert {entry.title for entry in chat.conversations(ME)} == {"내 대화", "다른 이름"}


def test_an_answer_is_given_what_was_said_before(tmp_path: Path):
    """The second question comes with the first and its answer, and with the video."""
    script = Script(*from_video("엔비디아예요."))
    with open_chat(tmp_path, script) as chat:
        entry = chat.new(ME, hbm())
        assert chat.ask(entry.id, ME, "누가 사?").wait(SOON_S)
        assert chat.ask(entry.id, ME, "왜?").wait(SOON_S)
    assert script.questions[0].memory.turns == ()
    [turn] = script.questions[1].memory.turns
    assert (turn.question, turn.answer) == ("누가 사?", "엔비디아예요.")
    assert script.questions[1].video == hbm()


@pytest.mark.parametrize("text", ["", " ?! ", "가" * 501])
def test_what_is_no_question_is_refused(tmp_path: Path, text: str):
    """An empty or overlong question is an error at once, and nothing of it is kept."""
    with open_chat(tmp_path) as chat:
        entry = chat.new(ME)
        with pytest.raises(QuestionError):
            chat.ask(entry.id, ME, text)
        with pytest.raises(QuestionError):
            chat.check_question(entry.id, ME, text)
        assert chat.open(entry.id, ME).messages == ()


def test_one_answer_at_a_time_in_a_conversation(tmp_path: Path):
    """While an answer is given the conversation takes no other question, others do; afterwards it does again."""
    gate = Gate()
    with open_chat(tmp_path, Script(gate, *from_video("네."))) as chat:
        entry, other = chat.new(ME), chat.new(ME)
        job = chat.ask(entry.id, ME, "하나")
        with pytest.raises(ConversationBusyError):
            chat.ask(entry.id, ME, "둘")
        beside = chat.ask(other.id, ME, "셋")
        gate.open()
        assert job.wait(SOON_S)
        assert beside.wait(SOON_S)
        assert chat.ask(entry.id, ME, "넷").wait(SOON_S)
        assert [each.text for each in chat.open(entry.id, ME).messages if each.text] == ["하나", "넷"]


def test_of_many_who_ask_at_once_one_is_answered(tmp_path: Path):
    """When eight threads ask in one conversation at the same time, one question is taken and the others leave no trace."""
    gate, together = Gate(), threading.Barrier(8)
    with open_chat(tmp_path, Script(gate, *from_video("네."))) as chat, ThreadPoolExecutor(8) as pool:
        entry = chat.new(ME)

        def ask(number: int) -> AnswerJob | None:
            together.wait(SOON_S)
            try:
                return chat.ask(entry.id, ME, f"질문 {number}")
            except ConversationBusyError:
                return None

        taken = [job for job in pool.map(ask, range(8)) if job is not None]
        gate.open()
        [job] = taken
        assert job.wait(SOON_S)
        assert [message.id for message in chat.open(entry.id, ME).messages] == [job.question().id, job.id]


def test_no_more_answers_at_once_than_the_process_takes_on(tmp_path: Path):
    """Past the bound asking is refused and leaves no trace; a finished answer makes room."""
    gate = Gate()
    with open_chat(tmp_path, Script(gate, *from_video("네.")), answers_at_once=2) as chat:
        entries = [chat.new(ME) for _ in range(3)]
        jobs = [chat.ask(entry.id, ME, "질문") for entry in entries[:2]]
        with pytest.raises(TooManyAnswersError):
            chat.ask(entries[2].id, ME, "질문")
        assert chat.open(entries[2].id, ME).messages == ()
        gate.open()
        assert all(job.wait(SOON_S) for job in jobs)
        assert chat.ask(entries[2].id, ME, "질문").wait(SOON_S)


def test_fifty_answers_at_once_do_not_mix(tmp_path: Path):
    """Fifty conversations are answered at once, each with its own events, and all are kept."""
    gate = Gate()
    with open_chat(tmp_path, Script(gate, *from_video("하나 둘 셋.")), answers_at_once=50) as chat:
        entries = [chat.new(ME) for _ in range(50)]
        jobs = [chat.ask(entry.id, ME, f"질문 {number}") for number, entry in enumerate(entries)]
        gate.open()
        assert all(job.wait(SOON_S) for job in jobs)
        assert {len(job.events()) for job in jobs} == {7}
        assert [chat.open(entry.id, ME).messages[0].text for entry in entries] == [f"질문 {number}" for number in range(50)]
    kept = open_store(tmp_path)
    states = [kept.load(entry.id, ME).messages[1].state for entry in entries]
    assert states == [MessageState.COMPLETE] * 50


def test_a_look_at_a_running_answer_shows_it_as_it_stands(tmp_path: Path):
    """Opening the conversation in the middle of an answer shows its words so far, stored or not."""
    gate = Gate()
    with open_chat(tmp_path, Script(token("절반"), gate, finished("절반과 나머지")), save_every_s=NEVER_S) as chat:
        entry = chat.new(ME)
        job = chat.ask(entry.id, ME, "질문")
        assert gate.reached.wait(SOON_S)
        running = last(chat, entry)
        assert (running.state, running.record and running.record.text) == (MessageState.RUNNING, "절반")
        assert chat.job(running.id) is job
        stored = open_store(tmp_path).load(entry.id, ME).messages[-1]
        assert (stored.state, stored.record and stored.record.text) == (MessageState.RUNNING, "")
        gate.open()
        assert job.wait(SOON_S)
        assert last(chat, entry).record == job.snapshot().record


STEPS = (PassagesChosen(passages=()), token("하나"), token(" 둘"), finished("하나 둘"), AnswerDone(total_ms=1.0))


@pytest.mark.parametrize("place", range(len(STEPS) + 1))
def test_stopping_keeps_what_there_is_and_leaves_nothing_running(tmp_path: Path, place: int):
    """Wherever an answer is stopped, its generator is closed, and what was told until then is stored as stopped."""
    gate = Gate()
    script = Script(*STEPS[:place], gate, *STEPS[place:])
    with open_chat(tmp_path, script, save_every_s=NEVER_S) as chat:
        entry = chat.new(ME)
        job = chat.ask(entry.id, ME, "질문")
        assert gate.reached.wait(SOON_S)
        job.cancel()
        assert job.wait(SOON_S)
        assert script.under_way == 0
        assert [event for _, event in job.events()] == list(STEPS[:place])
        job.cancel()
        assert last(chat, entry).state is MessageState.STOPPED
        assert chat.ask(entry.id, ME, "다시").id != job.id
    stopped = open_store(tmp_path).load(entry.id, ME).messages[1]
    assert (stopped.state, stopped.record) == (MessageState.STOPPED, job.snapshot().record)
    assert stopped.record is not None
    assert stopped.record.error == ""


@pytest.mark.parametrize(
    ("error", "korean"),
    [(ZeroDivisionError("secret"), UNEXPECTED), (EmbeddingError("no vectors", korean="벡터가 없어요."), "벡터가 없어요.")],
)
def test_an_answer_that_breaks_fails_in_korean(tmp_path: Path, caplog: pytest.LogCaptureFixture, error: Exception, korean: str):
    """An error ends the answer as failed with a Korean sentence, what was told stands, and the log knows."""
    with open_chat(tmp_path, Script(token("하나"), error)) as chat:
        entry = chat.new(ME)
        assert chat.ask(entry.id, ME, "질문").wait(SOON_S)
        failed = last(chat, entry)
    assert failed.state is MessageState.FAILED
    assert failed.record is not None
    assert (failed.record.text, failed.record.error) == ("하나", korean)
    assert "An answer ended" in caplog.text
    assert "질문" not in caplog.text


def test_a_store_that_fails_does_not_end_an_answer(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """With a full disk the answer goes on and is shown with a notice; once there is room everything is kept."""
    store = FailingStore(Database(tmp_path / "maekrak.sqlite"))
    gate = Gate()
    with open_chat(tmp_path, Script(*from_video("네."), gate, token(" 끝")), store=store) as chat:
        entry = chat.new(ME)
        store.full = True
        job = chat.ask(entry.id, ME, "질문")
        assert gate.reached.wait(SOON_S)
        question, answer = chat.open(entry.id, ME).messages
        assert (question.text, answer.record and answer.record.text) == ("질문", "네.")
        assert answer.record is not None
        assert answer.record.notice == NOT_SAVED
        store.full = False
        gate.open()
        assert job.wait(SOON_S)
        assert last(chat, entry).record == job.to_store().record
    kept = open_store(tmp_path).load(entry.id, ME)
    assert [message.text for message in kept.messages] == ["질문", ""]
    assert kept.messages[1].record is not None
    assert (kept.messages[1].state, kept.messages[1].record.notice) == (MessageState.COMPLETE, "")
    assert "could not be stored" in caplog.text


def test_an_answer_is_stored_at_milestones_and_not_with_every_word(tmp_path: Path):
    """Within one interval the store is written at the beginning, when the answer is finished, and at the end."""
    finished_is_stored = threading.Event()

    class Watched(FailingStore):
        def put(self, conversation_id: str, owner: str, *messages: Message) -> None:
            super().put(conversation_id, owner, *messages)
            record = messages[-1].record
            if record is not None and record.origin is not None:
                finished_is_stored.set()

    gate = Gate()
    store = Watched(Database(tmp_path / "maekrak.sqlite"))
    words = [token("말 ") for _ in range(500)]
    with open_chat(tmp_path, Script(*words, finished("말"), gate), store=store, save_every_s=NEVER_S) as chat:
        job = chat.ask(chat.new(ME).id, ME, "질문")
        assert gate.reached.wait(SOON_S)
        assert finished_is_stored.wait(SOON_S)
        gate.open()
        assert job.wait(SOON_S)
    assert store.puts == 3


def test_a_long_answer_is_stored_while_it_is_written(tmp_path: Path):
    """When the interval is over, what is written until then is stored before the answer ends."""
    stored = threading.Event()

    class Watched(FailingStore):
        def put(self, conversation_id: str, owner: str, *messages: Message) -> None:
            super().put(conversation_id, owner, *messages)
            if messages[-1].record is not None and messages[-1].record.text == "하나":
                stored.set()

    gate = Gate()
    store = Watched(Database(tmp_path / "maekrak.sqlite"))
    with open_chat(tmp_path, Script(token("하나"), gate, token(" 둘")), store=store, save_every_s=0.0) as chat:
        job = chat.ask(chat.new(ME).id, ME, "질문")
        assert gate.reached.wait(SOON_S)
        assert stored.wait(SOON_S)
        gate.open()
        assert job.wait(SOON_S)


def test_the_end_of_the_process_ends_its_answers(tmp_path: Path):
    """When the loop is closed under an answer, it fails and says that the server started anew, in the store, too."""
    gate = Gate()
    with open_chat(tmp_path, Script(token("절반"), gate)) as chat:
        entry = chat.new(ME)
        job = chat.ask(entry.id, ME, "질문")
        assert gate.reached.wait(SOON_S)
    assert job.wait(SOON_S)
    kept = open_store(tmp_path).load(entry.id, ME).messages[-1]
    assert kept.record is not None
    assert (kept.state, kept.record.text, kept.record.error) == (MessageState.FAILED, "절반", INTERRUPTED)


def test_what_a_dead_process_left_running_is_found_out(tmp_path: Path):
    """Another process shows an answer as running as long as its process may live, and as failed afterwards."""
    gate = Gate()
    with open_chat(tmp_path, Script(token("절반"), gate, token(" 끝")), beat_s=NEVER_S) as dying:
        entry = dying.new(ME)
        job = dying.ask(entry.id, ME, "질문")
        assert gate.reached.wait(SOON_S)
        with open_chat(tmp_path) as beside:
            assert last(beside, entry).state is MessageState.RUNNING
        with open_chat(tmp_path, store=open_store(tmp_path, lambda: NOW + timedelta(minutes=1))) as later:
            failed = last(later, entry)
            assert failed.state is MessageState.FAILED
            assert failed.record is not None
            assert failed.record.error == INTERRUPTED
            assert later.ask(entry.id, ME, "다시").wait(SOON_S)
        gate.open()
        assert job.wait(SOON_S)


def test_the_store_hears_that_an_answer_still_runs(tmp_path: Path):
    """While an answer goes on in silence the store is told so, by its id."""
    told = threading.Event()
    ids: list[str] = []

    class Listening(FailingStore):
        def note_running(self, message_ids: object) -> None:
            if ids and ids[0] in message_ids:
                told.set()

    gate = Gate()
    with open_chat(tmp_path, Script(gate), store=Listening(Database(tmp_path / "maekrak.sqlite")), beat_s=0.01) as chat:
        ids.append(chat.ask(chat.new(ME).id, ME, "질문").id)
        assert told.wait(SOON_S)
        gate.open()


def test_a_spoken_question_is_written_down_and_answered(tmp_path: Path):
    """What is heard is told first and becomes the question's text, the title and what is answered."""
    script, voice = Script(*from_video("네.")), Voice("HBM은  왜 빨라요?")
    with open_chat(tmp_path, script, audio=voice) as chat:
        entry = chat.new(ME, hbm())
        job = chat.ask_aloud(entry.id, ME, b"RIFF", "question.wav")
        assert job.wait(SOON_S)
        assert job.events()[0] == (1, QuestionHeard(text="HBM은 왜 빨라요?"))
        assert chat.open(entry.id, ME).entry.title == "HBM은 왜 빨라요?"
    question, answer = open_store(tmp_path).load(entry.id, ME).messages
    assert (question.text, question.spoken, answer.state) == ("HBM은 왜 빨라요?", True, MessageState.COMPLETE)
    assert script.questions[0].text == "HBM은 왜 빨라요?"
    assert voice.heard == [("question.wav", b"RIFF")]


def test_a_name_given_while_a_question_is_heard_stays(tmp_path: Path):
    """A conversation renamed before its spoken question is written down keeps the name."""
    gate = Gate()

    class Slow(Voice):
        async def transcribe(self, name: str, data: bytes, language: str) -> str:
            await gate.passed()
            return await super().transcribe(name, data, language)

    with open_chat(tmp_path, audio=Slow("HBM이 뭐야?")) as chat:
        entry = chat.new(ME)
        job = chat.ask_aloud(entry.id, ME, b"RIFF", "question.wav")
        assert gate.reached.wait(SOON_S)
        chat.rename(entry.id, ME, "내 이름")
        gate.open()
        assert job.wait(SOON_S)
        assert (chat.open(entry.id, ME).entry.title, job.question().text) == ("내 이름", "HBM이 뭐야?")


@pytest.mark.parametrize(
    ("voice", "korean"),
    [
        (Voice(" ... "), "녹음에서 말소리를 찾지 못했어요. 다시 말하거나 글로 적어 주세요."),
        (Voice(LanguageModelError("HTTP 401", korean="키를 거절했어요.")), "키를 거절했어요."),
        (Voice("가" * 501), "질문이 너무 길어요. 500자 안으로 줄여 주세요."),
    ],
)
def test_where_nothing_is_heard_nothing_is_asked(tmp_path: Path, voice: Voice, korean: str):
    """Silence, a model that fails and a speech end in a Korean sentence; nobody is asked anything."""
    script = Script(*from_video("네."))
    with open_chat(tmp_path, script, audio=voice) as chat:
        entry = chat.new(ME)
        assert chat.ask_aloud(entry.id, ME, b"RIFF", "question.wav").wait(SOON_S)
        failed = last(chat, entry)
    assert failed.record is not None
    assert (failed.state, failed.record.error, script.questions) == (MessageState.FAILED, korean, [])


@pytest.mark.parametrize("voice", [None, Voice(hears=False, speaks=False)])
def test_without_a_model_nobody_hears_or_speaks(tmp_path: Path, voice: Voice | None):
    """Without a model for audio, asking aloud and reading aloud are errors at once and nothing is kept."""
    with open_chat(tmp_path, audio=voice) as chat:
        entry = chat.new(ME)
        assert (chat.hears(), chat.speaks()) == (False, False)
        for call in (lambda: chat.ask_aloud(entry.id, ME, b"RIFF", "a.wav"), lambda: chat.speak("네.")):
            with pytest.raises(LanguageModelError) as caught:
                call()
            assert caught.value.kind is LanguageModelFailure.NOT_SET
        assert chat.open(entry.id, ME).messages == ()


def test_an_answer_is_read_aloud_without_its_marks(tmp_path: Path):
    """The voice is given words, not Markdown."""
    with open_chat(tmp_path, audio=Voice()) as chat:
        assert chat.speak("**HBM**은 빨라요 [12:41].").decode() == "HBM은 빨라요."


def checked(chat: Chat, entry: ConversationEntry, answer_id: str) -> MessageState:
    job = chat.check(entry.id, ME, answer_id)
    assert job.wait(SOON_S)
    return job.snapshot().state


def test_an_answer_is_checked_with_its_question_and_once(tmp_path: Path):
    """The check gets question, video, earlier turns and the answer's record; it is kept beside it and not made again."""
    checks = Script(*from_web("양산해요 [1]."))
    with open_chat(tmp_path, checks=checks) as chat:
        entry = chat.new(ME, hbm())
        assert chat.ask(entry.id, ME, "처음 질문").wait(SOON_S)
        answer = chat.ask(entry.id, ME, "다음 질문")
        assert answer.wait(SOON_S)
        job = chat.check(entry.id, ME, answer.id, subject="HBM")
        assert job.wait(SOON_S)
        assert (job.question().text, job.snapshot().about) == ("다음 질문", answer.id)
        with pytest.raises(AlreadyCheckedError):
            chat.check(entry.id, ME, answer.id)
        kinds = [message.kind for message in chat.open(entry.id, ME).messages]
    assert kinds == ["question", "answer", "question", "answer", "check"]
    [request] = checks.requests
    assert (request.question.text, request.subject, request.question.video) == ("다음 질문", "HBM", hbm())
    assert [turn.question for turn in request.question.memory.turns] == ["처음 질문"]
    assert request.answer == answer.snapshot().record
    kept = open_store(tmp_path).load(entry.id, ME).messages[-1]
    assert kept.record is not None
    assert (kept.record.web_text, kept.record.searched_for) == ("양산해요 [1].", "HBM4 양산")


def test_a_check_that_came_to_nothing_can_be_made_again(tmp_path: Path):
    """After a check that was stopped, that broke, or whose web could not be asked, another is made."""
    gate = Gate()
    checks = Script(gate)
    none = WebAnswerFailed(failure=WebFailure.UNAVAILABLE, cause="offline", korean="웹 검색을 사용할 수 없어요.")
    with open_chat(tmp_path, checks=checks) as chat:
        entry = chat.new(ME)
        answer = chat.ask(entry.id, ME, "질문")
        assert answer.wait(SOON_S)
        running = chat.check(entry.id, ME, answer.id)
        assert gate.reached.wait(SOON_S)
        with pytest.raises(AlreadyCheckedError):
            chat.check(entry.id, ME, answer.id)
        running.cancel()
        assert running.wait(SOON_S)
        checks.steps = (ValueError("broken"),)
        assert checked(chat, entry, answer.id) is MessageState.FAILED
        checks.steps = (none, AnswerDone(total_ms=1.0))
        assert checked(chat, entry, answer.id) is MessageState.COMPLETE
        checks.steps = from_web("네 [1].")
        assert checked(chat, entry, answer.id) is MessageState.COMPLETE
        with pytest.raises(AlreadyCheckedError):
            chat.check(entry.id, ME, answer.id)


def test_only_finished_answers_are_checked(tmp_path: Path):
    """A running answer, a question, and an id of nothing are refused."""
    gate = Gate()
    with open_chat(tmp_path, Script(gate, *from_video("네."))) as chat:
        entry = chat.new(ME)
        job = chat.ask(entry.id, ME, "질문")
        with pytest.raises(ConversationBusyError):
            chat.check(entry.id, ME, job.id)
        gate.open()
        assert job.wait(SOON_S)
        for message_id in (job.question().id, "nothing"):
            with pytest.raises(MessageNotFoundError):
                chat.check(entry.id, ME, message_id)


def test_a_check_runs_beside_an_answer(tmp_path: Path):
    """While one answer is checked the next question is taken, and the other way round."""
    gate = Gate()
    with open_chat(tmp_path, checks=Script(gate, *from_web("네 [1]."))) as chat:
        entry = chat.new(ME)
        answer = chat.ask(entry.id, ME, "질문")
        assert answer.wait(SOON_S)
        check = chat.check(entry.id, ME, answer.id)
        assert chat.ask(entry.id, ME, "다음").wait(SOON_S)
        assert not check.done
        gate.open()
        assert check.wait(SOON_S)


def test_a_question_of_its_own_is_held_against_what_was_said(tmp_path: Path):
    """The web is asked a new question with the earlier turns; the answer to the same question goes along."""
    checks = Script(*from_web("네 [1]."))
    with open_chat(tmp_path, checks=checks) as chat:
        entry = chat.new(ME, hbm())
        answer = chat.ask(entry.id, ME, "같은 질문")
        assert answer.wait(SOON_S)
        same = chat.check_question(entry.id, ME, "같은 질문", subject="HBM")
        assert same.wait(SOON_S)
        assert chat.check_question(entry.id, ME, "다른 질문").wait(SOON_S)
        messages = chat.open(entry.id, ME).messages
    assert [message.kind for message in messages[2:]] == ["question", "check", "question", "check"]
    assert (messages[3].id, messages[3].about) == (same.id, messages[2].id)
    first, second = checks.requests
    assert (first.answer, first.subject) == (answer.snapshot().record, "HBM")
    assert (second.answer, second.subject, second.question.text) == (None, None, "다른 질문")
    assert [turn.question for turn in second.question.memory.turns] == ["같은 질문", "같은 질문"]


def test_nobody_gets_at_a_conversation_of_somebody_else(tmp_path: Path):
    """For another owner a conversation is not there, whatever is tried, and what runs in it goes on."""
    gate = Gate()
    with open_chat(tmp_path, Script(gate, *from_video("네.")), audio=Voice("네")) as chat:
        entry = chat.new(ME)
        job = chat.ask(entry.id, ME, "질문")
        for call in (
            lambda: chat.open(entry.id, "you"),
            lambda: chat.ask(entry.id, "you", "질문"),
            lambda: chat.ask_aloud(entry.id, "you", b"RIFF", "a.wav"),
            lambda: chat.check(entry.id, "you", job.id),
            lambda: chat.check_question(entry.id, "you", "질문"),
            lambda: chat.rename(entry.id, "you", "이름"),
            lambda: chat.export(entry.id, "you"),
            lambda: chat.delete(entry.id, "you"),
        ):
            with pytest.raises(ConversationNotFoundError):
                call()
        assert chat.conversations("you") == ()
        gate.open()
        assert job.wait(SOON_S)
        assert job.snapshot().state is MessageState.COMPLETE
        assert job.owner == ME


def test_deleting_stops_what_runs_and_forgets_it(tmp_path: Path):
    """A conversation deleted in the middle of an answer is gone, its answer is stopped, and its job is unknown."""
    gate = Gate()
    script = Script(token("하나"), gate)
    with open_chat(tmp_path, script) as chat:
        entry = chat.new(ME)
        job = chat.ask(entry.id, ME, "질문")
        assert gate.reached.wait(SOON_S)
        chat.delete(entry.id, ME)
        assert (job.done, script.under_way, chat.job(job.id)) == (True, 0, None)
        with pytest.raises(ConversationNotFoundError):
            chat.open(entry.id, ME)
        assert chat.conversations(ME) == ()


def test_an_unreadable_store_is_an_error_at_once(tmp_path: Path):
    """When the store cannot be read there is no conversation to ask in."""
    (tmp_path / "maekrak.sqlite").write_bytes(b"no database" * 1000)
    with open_chat(tmp_path) as chat, pytest.raises(StorageError):
        chat.ask("id", ME, "질문")


def test_a_check_can_be_offered_when_somebody_can_be_asked(tmp_path: Path):
    """What tells whether a service of the web can be asked is passed on as it stands now."""
    able = [True, False]
    with open_chat(tmp_path, web_configured=lambda: able.pop(0)) as chat:
        assert (chat.can_check(), chat.can_check()) == (True, False)


def test_a_fallback_that_found_nothing_is_remembered_for_the_model(tmp_path: Path):
    """What a model is to know of a failed search goes along with the next question."""
    unsure = FallbackDecided(triggered=True, reason="uncertain", evidence="몰라요.", passages=(), enabled=True)
    none = WebAnswerFailed(failure=WebFailure.NO_RESULTS, cause="none", korean="없어요.", for_model="웹에도 없었습니다.")
    script = Script(token("몰라요."), finished("몰라요."), unsure, none)
    with open_chat(tmp_path, script) as chat:
        entry = chat.new(ME)
        assert chat.ask(entry.id, ME, "질문").wait(SOON_S)
        assert chat.ask(entry.id, ME, "다음").wait(SOON_S)
    assert script.questions[1].memory.turns[0].answer == "몰라요.\n웹에도 없었습니다."
