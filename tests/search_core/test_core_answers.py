"""The whole core answering where the video says nothing: what goes out, to whom, and what is told beside the web's answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from search_core.core import SearchCore
from search_core.domain import AnswerOrigin, AnswerRecord, ConversationMemory, Message, Question, Turn, WebFailure
from tests.loopback.language_model import LanguageModelServer, Personality, dying, saying
from tests.loopback.world import Page, World
from tests.search_core.whole_core import (
    ALONE,
    FOUND,
    FOUNDER,
    NOBEL,
    NOT_MENTIONED,
    SECRET,
    SERVICES,
    answered,
    hbm,
    kind,
    prompts,
    unknowing,
    whole_core,
)

NOTICE = "[웹 검색 사용 불가] 외부 검색 서비스에 접근할 수 없습니다 (사유: "
TO_MODEL = "기존 지식 그래프와 대화 맥락만을 바탕으로 답변하세요."


@pytest.fixture(autouse=True)
def _as_at_first(world: World, model: LanguageModelServer) -> None:
    world.reset(pages=FOUND)
    model.answer = unknowing
    model.asked.clear()


@pytest.fixture(scope="module")
def quoting(world: World, folder: Path) -> Iterator[SearchCore]:
    """Run one core without a model; its web is well."""
    with whole_core(world, folder) as core:
        yield core


@pytest.fixture
def away(world: World, folder: Path, model: LanguageModelServer) -> Iterator[SearchCore]:
    """Run a core with a model on this machine whose web is away."""
    world.play_all(failure="reset")
    with whole_core(world, folder, model) as core:
        yield core


def sent(world: World) -> str:
    """Return all that services of the web were sent."""
    requests = [asked for all_of_one in world.requests.values() for asked in all_of_one]
    return "\n".join(f"{asked.path} {asked.params} {asked.body.decode()}" for asked in requests) + str(world.asked)


def test_the_question_goes_out_as_it_was_asked(quoting: SearchCore, world: World):
    """No name of the video is put to it, and the event and the record hold what went out."""
    record = answered(quoting, NOBEL)
    assert {query for _, query in world.asked} == {NOBEL}
    assert record.searched_for == NOBEL


def test_only_what_points_is_replaced(quoting: SearchCore, world: World):
    """The company the question points to is named in its place, and that is what the event tells."""
    record = answered(quoting, "이 회사의 창업자는 누구인가요?")
    assert record.searched_for == "SK하이닉스의 창업자는 누구인가요?"
    assert {query for _, query in world.asked} == {record.searched_for}


def test_a_broader_query_that_found_the_sources_is_told(quoting: SearchCore, world: World):
    """What went out first stays the query; the one that found something stands in the ledger."""
    for service in SERVICES:
        found = Page(
            title="노벨 물리학상 수상자", url="https://n.example/1", snippet="2024년 노벨 물리학상 수상자는 홉필드와 힌턴이다."
        )
        world.play(service, pages=(found,), max_words=4)
    world.play("wikipedia", failure="nothing")  # it tries broader queries by itself
    record = answered(quoting, NOBEL)
    assert record.searched_for == NOBEL
    assert record.ledger[0] == "처음 검색어로는 찾지 못해 ‘2024년 노벨 물리학상 수상자’로 넓혀서 찾았어요."
    assert record.web_origin is AnswerOrigin.EXTRACT


def test_own_documents_stand_beside_the_web(quoting: SearchCore):
    """The answer rests on the web alone; the own document follows under its own name, and no service counts it."""
    record = answered(quoting)
    assert "https://news.example.kr/founder" in {source.url for source in record.sources}
    assert all(source.url.startswith("http") for source in record.sources)
    assert record.sources[0].score is not None
    assert SECRET not in record.web_text
    assert record.own is not None
    [document] = record.own.documents
    assert (document.title, document.sample, SECRET in document.quote) == ("SK하이닉스 창업자 메모", False, True)
    assert record.headline == "3곳 모두 답했어요."


def test_sample_documents_are_named_as_such(quoting: SearchCore, world: World):
    """Without a video the samples may say something, each marked as one."""
    world.play_all(failure="nothing")
    record = AnswerRecord()
    for event in quoting.answer(Question(text="HBM 한 묶음의 대역폭은 얼마인가요?")):
        record = record.after(event)
    assert record.failure is not None
    assert record.failure.failure is WebFailure.NO_RESULTS
    assert record.own is not None
    assert all(document.sample for document in record.own.documents)


def test_documents_that_do_not_name_what_is_asked_stay_away(quoting: SearchCore, world: World):
    """A sample about another year's prize says nothing about this one's."""
    world.play_all(failure="500")
    assert answered(quoting, NOBEL).own is None


def test_a_model_is_asked_once_more_in_the_same_turn(away: SearchCore, model: LanguageModelServer):
    """Its prompt holds the specified notice, the passages and the own document, and its system prompt says how to take them."""
    record = answered(away)
    assert [kind(asked) for asked in model.asked] == ["video", "alone"]
    system, data = (message["content"] for message in model.asked[1].body["messages"])
    assert "It does not mean that the web has nothing" in system
    assert "never make up what the web might say" in system
    notice = next(line for line in data.splitlines() if line.startswith(NOTICE))
    assert notice.endswith(TO_MODEL)
    assert SECRET in data
    assert "[00:" in data
    assert data.rstrip().endswith(f"질문: {FOUNDER}")
    assert record.text == NOT_MENTIONED
    assert record.without_web is not None
    assert (record.without_web.text, record.without_web.cited) == (ALONE, (1,))
    assert (record.web_text, record.sources) == ("", ())


@pytest.mark.parametrize(
    "again", [saying(NOT_MENTIONED), saying("잘 모르겠습니다."), dying(3)], ids=["not-mentioned", "unknown", "breaks"]
)
def test_a_second_answer_that_is_none_is_not_told(away: SearchCore, model: LanguageModelServer, again: Personality):
    """The first answer stands alone, with the cause and the own documents."""
    model.answer = lambda asked: again(asked) if kind(asked) == "alone" else unknowing(asked)
    record = answered(away)
    assert record.without_web is None
    assert record.text == NOT_MENTIONED
    assert record.failure is not None
    assert record.own is not None


def test_to_say_that_the_web_is_away_is_no_refusal(away: SearchCore, model: LanguageModelServer):
    """An answer that begins so in other words is told all the same."""
    said = "웹 검색을 사용할 수 없어 영상만으로 답해요. 대역폭은 영상에서 2테라바이트라고 해요."
    model.answer = lambda asked: saying(said)(asked) if kind(asked) == "alone" else unknowing(asked)
    record = answered(away)
    assert record.without_web is not None
    assert record.without_web.text == said


def test_a_source_there_is_none_of_leaves_a_mark(away: SearchCore, model: LanguageModelServer):
    """Without any document a number that the model made up goes, and its sentence is marked."""
    model.answer = lambda asked: saying("상은 그가 받았어요 [1].")(asked) if kind(asked) == "alone" else unknowing(asked)
    told = answered(away, NOBEL).without_web
    assert told is not None
    assert (told.text, told.cited, told.unsupported) == ("상은 그가 받았어요.", (), ((0, 11),))


def test_a_model_that_failed_at_first_is_not_asked_again(away: SearchCore, model: LanguageModelServer):
    """Nobody waits for it a second time."""
    model.answer = dying(0)
    record = answered(away)
    assert len(model.asked) == 1
    assert record.without_web is None
    assert record.failure is not None


@pytest.mark.parametrize(("choice", "goes"), [("never", False), ("always", True), ("auto", True)])
def test_own_documents_go_to_the_model_where_that_is_allowed(
    world: World, folder: Path, model: LanguageModelServer, choice: str, goes: bool
):
    """The setting decides, the event says so, and no service of the web ever gets their words."""
    world.play_all(failure="reset")
    with whole_core(world, folder, model, openai_own_documents=choice) as core:
        record = answered(core)
    assert (SECRET in "".join(prompts(model))) is goes
    assert (SECRET in "".join(prompts(model, "alone"))) is goes
    assert record.own is not None
    assert record.own.to_model is goes
    assert SECRET not in sent(world)


@pytest.mark.parametrize("choice", ["never", "always"])
def test_own_documents_never_get_into_an_answer_of_the_web(world: World, folder: Path, model: LanguageModelServer, choice: str):
    """With the web there, the model sees no own document: not in its answer, not in a check, not in the next turn."""
    with whole_core(world, folder, model, openai_own_documents=choice) as core:
        entry = core.chat.new("", hbm(core))
        answer = ended(core, entry.id, FOUNDER)
        check = core.chat.check(entry.id, "", answer.id)
        assert check.wait(60)
        ended(core, entry.id, "그 사람은 어디에서 태어났나요?")
    assert {kind(asked) for asked in model.asked} >= {"video", "web", "check"}
    assert answer.record is not None
    assert answer.record.own is not None
    assert not answer.record.own.to_model
    assert SECRET not in "".join(prompts(model))
    assert SECRET not in sent(world)


def test_what_rests_on_own_documents_does_not_become_a_query(away: SearchCore, world: World, model: LanguageModelServer):
    """The next turn remembers that the web was away; what the model took from own documents stays out of it."""
    model.answer = lambda asked: saying(f"사내 암호는 {SECRET}이에요 [1].")(asked) if kind(asked) == "alone" else unknowing(asked)
    entry = away.chat.new("", hbm(away))
    first = ended(away, entry.id, FOUNDER)
    assert first.record is not None
    assert first.record.without_web is not None
    assert SECRET in first.record.without_web.text
    model.asked.clear()
    ended(away, entry.id, "그 사람은 어디에서 태어났나요?")
    [prompt] = prompts(model, "video")
    assert NOTICE in prompt
    assert "An earlier answer may end in a notice" in model.asked[0].body["messages"][0]["content"]
    assert SECRET not in prompt
    assert SECRET not in sent(world)


def test_a_web_that_had_nothing_is_remembered_as_such(world: World, folder: Path, model: LanguageModelServer):
    """Found nothing is told to the model in the same turn and in the next, in the specified words."""
    world.play_all(failure="nothing")
    with whole_core(world, folder, model) as core:
        entry = core.chat.new("", hbm(core))
        ended(core, entry.id, FOUNDER)
        [at_once] = prompts(model, "alone")
        model.asked.clear()
        ended(core, entry.id, "그럼 지금 대표는 누구인가요?")
    [later] = prompts(model, "video")
    for prompt in (at_once, later):
        assert f"[검색 완료] '{FOUNDER}'에 대한 검색 결과가 없습니다. 기존 지식을 바탕으로 답변하세요." in prompt


def test_earlier_turns_reach_the_answer_of_the_web_and_the_check(world: World, folder: Path, model: LanguageModelServer):
    """Both prompts hold what was said before, as messages of their own."""
    memory = ConversationMemory().remember(Turn(question="HBM은 누가 만들었나요?", query="", answer="SK하이닉스가 만들었어요."))
    with whole_core(world, folder, model) as core:
        question = Question(text=FOUNDER, video=hbm(core), memory=memory)
        list(core.answer(question))
        list(core.check_online(question))
    for of in ("web", "check"):
        messages = next(asked for asked in model.asked if kind(asked) == of).body["messages"]
        assert [message["content"] for message in messages[1:3]] == ["HBM은 누가 만들었나요?", "SK하이닉스가 만들었어요."]


def test_resting_services_are_still_configured(world: World, folder: Path):
    """Services that cool down can be checked with: the check says that they rest, and when to come again."""
    world.play_all(failure="429-after")
    with whole_core(world, folder) as core:
        answered(core)
        assert core.chat.can_check()
        record = AnswerRecord()
        for event in core.check_online(Question(text=FOUNDER, video=hbm(core))):
            record = record.after(event)
    assert record.failure is not None
    assert "앞선 요청이 실패해서 잠시 쉬고 있어요" in record.failure.reason
    assert record.failure.retry_after_s is not None
    assert record.failure.retry_after_s > 0


def test_where_only_the_library_is_set_up_nothing_can_be_checked(world: World, folder: Path):
    """Own documents are not the web."""
    with whole_core(world, folder, search_providers="library") as core:
        assert not core.chat.can_check()
        record = answered(core)
    assert record.failure is not None
    assert record.failure.reason == f"{NOTICE}물어볼 수 있는 웹 검색 서비스가 없어요)."
    assert record.own is not None


def ended(core: SearchCore, conversation_id: str, text: str) -> Message:
    """Return the answer to *text* in a conversation once it is given."""
    job = core.chat.ask(conversation_id, "", text)
    assert job.wait(60)
    return job.snapshot()
