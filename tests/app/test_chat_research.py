"""Research in the conversation as its visitor meets it, over the real core in a played world."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pages.parts import services
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
def chatting(core: SearchCore) -> Iterator[Visit]:
    """Return a visitor of the chat page with a sample video."""
    services.provide(lambda: core)
    here = opened(core)
    here.click("open-sample-0")
    yield here
    services.provide(services.from_settings)


def opened(core: SearchCore, **params: str) -> Visit:
    """Return a visitor of the chat page."""
    here = Visit(core, {})  # type: ignore[arg-type]
    here.at.switch_page("pages/chat.py")
    for name, value in params.items():
        here.at.query_params[name] = value
    here.look()
    return here


def send(here: Visit, text: str) -> None:
    here.at.chat_input[0].set_value(text)
    here.look()


def address(here: Visit) -> str:
    value = here.at.query_params["chat"]
    return value if isinstance(value, str) else value[0]


def test_research_is_watched_where_it_was_asked(chatting: Visit, core: SearchCore, endpoint: LanguageModelServer):
    """The card comes with the question, can be stopped while it goes on, and holds the report when it has ended."""
    chatting.click("research-mode")
    endpoint.released.clear()
    send(chatting, QUESTION)
    [entry] = core.research.list("", conversation_id=address(chatting))
    assert QUESTION in chatting.texts()
    assert chatting.has_button(f"stop-run-{entry.id}")
    endpoint.released.set()
    run = wait_until_ended(core, core.research.get(entry.id, ""))
    chatting.look()
    words = chatting.texts()
    assert "조사를 마쳤어요" in words
    assert f"{SUMMARY} [[1]](" in words
    for part in PARTS:
        assert part in words
    for source in run.sources:
        assert source.title in words
    assert not chatting.has_button(f"stop-run-{entry.id}")


def test_the_card_is_there_after_a_reload_and_when_its_run_is_gone(chatting: Visit, core: SearchCore):
    """Another visit of the address shows the whole card; once the run is deleted, that it was."""
    chatting.click("research-mode")
    send(chatting, QUESTION)
    conversation = address(chatting)
    [entry] = core.research.list("", conversation_id=conversation)
    wait_until_ended(core, core.research.get(entry.id, ""))
    again = opened(core, chat=conversation)
    assert f"{SUMMARY} [[1]](" in again.texts()
    assert [fold.label for fold in again.at.expander][:1] == ["생각의 과정 · 하위 질문 2개"]
    core.research.delete(entry.id, "")
    gone = opened(core, chat=conversation).texts()
    assert QUESTION in gone
    assert "이 조사는 지워져서 더 볼 수 없어요" in gone


def test_a_run_of_a_script_and_one_of_the_page_have_a_card_each(chatting: Visit, core: SearchCore):
    """A run begun elsewhere in the conversation stands in it, too; what nobody asked here does not."""
    send(chatting, "메모리 장벽이 뭐야?")
    conversation = address(chatting)
    wait_until_ended(core, start_run(core, conversation, "스크립트에서 물은 HBM4 대역폭은?"))
    wait_until_ended(core, start_run(core, conversation, "남이 물은 HBM4 대역폭은?", owner="younghee"))
    chatting.click("research-mode")
    send(chatting, QUESTION)
    for entry in core.research.list("", conversation_id=conversation):
        wait_until_ended(core, core.research.get(entry.id, ""))
    chatting.look()
    words = chatting.texts()
    places = [words.index(text) for text in ("메모리 장벽이 뭐야?", "스크립트에서 물은", QUESTION)]
    assert places == sorted(places)
    assert words.count("조사를 마쳤어요") == 2
    assert "남이 물은" not in words


def test_a_database_that_is_away_is_said_on_the_page(chatting: Visit, core: SearchCore, tmp_path):
    """The page is drawn with a sentence in place of a traceback."""
    send(chatting, "메모리 장벽이 뭐야?")
    broken = tmp_path / "data"
    broken.mkdir()
    (broken / "maekrak.sqlite").write_bytes(b"no database" * 1000)
    away = SearchCore.from_settings(core.settings.model_copy(update={"maekrak_data_dir": broken}))
    services.provide(lambda: away)
    page = opened(away, chat="any")  # type: ignore[arg-type]
    assert [box.value for box in page.at.error]
    away.close()
