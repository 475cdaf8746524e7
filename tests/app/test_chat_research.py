"""Research in the conversation as its visitor meets it, over the real core in a played world."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from search_core.core import SearchCore
from tests.app.conftest import Visit
from tests.loopback.language_model import LanguageModelServer
from tests.loopback.world import World
from tests.search_core.chat.research_core import PARTS, QUESTION, SUMMARY, model, real_core, start_run, wait_until_ended


@pytest.fixture(scope="module")
def endpoint() -> Iterator[LanguageModelServer]:
    with LanguageModelServer(model) as endpoint:
        yield endpoint


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory, endpoint: LanguageModelServer) -> Iterator[SearchCore]:
    with World() as world, real_core(tmp_path_factory.mktemp("page"), world, endpoint) as core:
        yield core


@pytest.fixture
def chatting(visit, core: SearchCore) -> Visit:
    """Return a visitor of the chat page with a sample video."""
    return visit(page="chat", core=core, video=True)


def test_research_is_watched_where_it_was_asked(visit, chatting: Visit, core: SearchCore, endpoint: LanguageModelServer):
    """Its card can stop it while it goes on, holds the report at its end and after a reload, and says when it was deleted."""
    chatting.click("research-mode")
    endpoint.released.clear()
    chatting.ask_chat(QUESTION)
    conversation = chatting.param("chat")
    [entry] = core.research.list("", conversation_id=conversation)
    assert QUESTION in chatting.texts()
    assert chatting.has_button(f"stop-run-{entry.id}")
    endpoint.released.set()
    run = wait_until_ended(core, core.research.get(entry.id, ""))
    chatting.look()
    words = chatting.texts()
    for part in ("조사를 마쳤어요", f"{SUMMARY} [[1]](", *PARTS, *(source.title for source in run.sources)):
        assert part in words
    assert not chatting.has_button(f"stop-run-{entry.id}")
    again = visit(page="chat", core=core, chat=conversation)
    assert f"{SUMMARY} [[1]](" in again.texts()
    assert again.folds()[:1] == ["생각의 과정 · 하위 질문 2개"]
    core.research.delete(entry.id, "")
    gone = visit(page="chat", core=core, chat=conversation).texts()
    assert QUESTION in gone
    assert "이 조사는 지워져서 더 볼 수 없어요" in gone


def test_a_run_of_a_script_and_one_of_the_page_have_a_card_each(chatting: Visit, core: SearchCore):
    """A run that another client began in the conversation is in it, too; one of another owner is not."""
    chatting.ask_chat("메모리 장벽이 뭐야?")
    conversation = chatting.param("chat")
    wait_until_ended(core, start_run(core, conversation, "스크립트에서 물은 HBM4 대역폭은?"))
    wait_until_ended(core, start_run(core, conversation, "남이 물은 HBM4 대역폭은?", owner="younghee"))
    chatting.click("research-mode")
    chatting.ask_chat(QUESTION)
    for entry in core.research.list("", conversation_id=conversation):
        wait_until_ended(core, core.research.get(entry.id, ""))
    chatting.look()
    words = chatting.texts()
    places = [words.index(text) for text in ("메모리 장벽이 뭐야?", "스크립트에서 물은", QUESTION)]
    assert places == sorted(places)
    assert words.count("조사를 마쳤어요") == 2
    assert "남이 물은" not in words
