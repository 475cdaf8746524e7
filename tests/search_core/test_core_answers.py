"""The whole core answering where the video says nothing: what goes out, to whom, and what is told beside the web's answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from search_core.core import SearchCore
from search_core.domain.conversation import AnswerOrigin, Message
from search_core.domain.report import Question
from tests.loopback.language_model import LanguageModelServer, dying, saying
from tests.loopback.world import Page, World, pages
from tests.search_core.whole_core import (
    ALONE,
    FOUND,
    FOUNDER,
    NOBEL,
    NOT_MENTIONED,
    SECRET,
    SERVICES,
    answered,
    build_core,
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


def test_own_documents_stand_beside_the_web(quoting: SearchCore, world: World):
    """The answer rests on the web alone; a document that names what is asked follows, and no service counts it."""
    record = answered(quoting)
    assert "https://news.example.kr/founder" in {source.url for source in record.sources}
    assert all(source.url.startswith("http") for source in record.sources)
    assert record.sources[0].score is not None
    assert SECRET not in record.web_text
    assert record.own is not None
    [document] = record.own.documents
    assert (document.title, document.sample, SECRET in document.quote) == ("SK하이닉스 창업자 메모", False, True)
    assert record.headline == "3곳 모두 답했어요."
    world.play_all(failure="500")
    assert answered(quoting, NOBEL).own is None


def test_a_model_is_asked_once_more_in_the_same_turn(away: SearchCore, model: LanguageModelServer):
    """Its prompt holds the specified notice, the passages and the own document, and its system prompt says how to take them."""
    record = answered(away)
    assert [kind(asked) for asked in model.asked] == ["video", "query", "alone"]
    system, data = (message["content"] for message in model.asked[2].body["messages"])
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


def test_a_second_answer_that_is_none_is_not_told(away: SearchCore, model: LanguageModelServer):
    """The first answer stands alone, with the cause and the own documents; a model that failed at first is not asked again."""
    for again in (saying(NOT_MENTIONED), saying("잘 모르겠습니다."), dying(3)):
        model.answer = lambda asked, again=again: again(asked) if kind(asked) == "alone" else unknowing(asked)
        record = answered(away)
        assert (record.without_web, record.text) == (None, NOT_MENTIONED)
        assert record.failure is not None
        assert record.own is not None
    model.answer = lambda asked: saying("상은 그가 받았어요 [1].")(asked) if kind(asked) == "alone" else unknowing(asked)
    assert answered(away, NOBEL).without_web is None  # it cites a number that there is none of
    model.answer = dying(0)
    model.asked.clear()
    assert answered(away).without_web is None
    assert [kind(asked) for asked in model.asked] == ["video", "query"]


@pytest.mark.parametrize(("choice", "goes"), [("never", False), ("auto", True)])
def test_own_documents_go_to_the_model_where_that_is_allowed(
    world: World, folder: Path, model: LanguageModelServer, choice: str, goes: bool
):
    """The setting decides, the event says so, and no service of the web ever gets their words."""
    world.play_all(failure="reset")
    with whole_core(world, folder, model, openai_own_documents=choice) as core:
        record = answered(core)
    assert (SECRET in "".join(prompts(model))) is (SECRET in "".join(prompts(model, "alone"))) is goes
    assert record.own is not None
    assert record.own.to_model is goes
    assert SECRET not in sent(world)


def test_an_answer_of_the_web_has_the_earlier_turns_and_no_own_document(world: World, folder: Path, model: LanguageModelServer):
    """What was said before stands in both prompts; own documents in none, not in the answer, a check or the next turn."""
    with whole_core(world, folder, model, openai_own_documents="always") as core:
        entry = core.chat.new("", hbm(core))
        first = ended(core, entry.id, "HBM은 누가 만들었나요?")
        model.asked.clear()
        answer = ended(core, entry.id, FOUNDER)
        check = core.chat.check(entry.id, "", answer.id)
        assert check.wait(60)
        ended(core, entry.id, "그 사람은 어디에서 태어났나요?")
    assert first.record is not None
    for of in ("web", "check"):
        messages = next(asked for asked in model.asked if kind(asked) == of).body["messages"]
        assert messages[1]["content"] == "HBM은 누가 만들었나요?"
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


def ended(core: SearchCore, conversation_id: str, text: str) -> Message:
    """Return the answer to *text* in a conversation once it is given."""
    job = core.chat.ask(conversation_id, "", text)
    assert job.wait(60)
    return job.snapshot()


def test_where_tavily_finds_nothing_brave_is_asked_and_then_the_rest(world: World, tmp_path: Path):
    """One after the other, never the user's own documents, and the web that finds something ends it."""
    world.play("tavily", failure="quota")
    world.play("brave", failure="nothing")
    world.play("wikipedia", pages=pages(2, "news.example.kr"))
    settings = {"search_providers": "library,wikipedia,tavily,brave"}
    with closing(build_core(world, tmp_path, **settings)) as core:
        list(core.check_online(Question(text="HBM4 표준의 대역폭은 얼마인가요?", video=hbm(core)), subject="HBM"))
    assert [service for service, _ in world.asked][:2] == ["tavily", "brave"]
    assert {service for service, _ in world.asked[2:]} == {"wikipedia"}
