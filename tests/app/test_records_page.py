"""The list of records as its visitor meets it: conversations, reports and checks together."""

from __future__ import annotations

import pytest

from pages.parts.workspace.chat_state import ChatPageState
from search_core.domain.claim import ClaimsRequest
from search_core.domain.research import ResearchRequest
from tests.app.conftest import Visit
from tests.app.core_double import BROKEN, SAMPLE, Away, CoreDouble


@pytest.fixture
def core() -> CoreDouble:
    """Return a core with a conversation, a report and a check."""
    core = CoreDouble()
    conversation = core.chat.new("", SAMPLE)
    core.chat.ask(conversation.id, "", "대역폭은 얼마인가요?")
    core.research.start(ResearchRequest(question="HBM4는 무엇이 달라졌나요?"))
    claims = core.find_claims(SAMPLE).claims[:2]
    core.claims.start(ClaimsRequest(video=SAMPLE, claims=claims))
    return core


def rows(here: Visit) -> list[str]:
    return [here.button(key).label.replace("\\", "") for key in here.keys("open-")]


def test_all_kinds_stand_in_one_list_that_is_searched(visit, core: CoreDouble):
    """Each says what it is, what it is about and how it stands; words narrow the list, and none that fits is said."""
    here = visit(page="records", core=core)
    assert sorted(label.split("  \n")[1].split("[")[2].split(" · ")[0] for label in rows(here)) == ["대화", "조사", "확인"]
    [conversation] = [label for label in rows(here) if "대역폭은 얼마인가요?" in label]
    assert f"{SAMPLE.title} · 메시지 2개" in conversation
    assert any("HBM4는 무엇이 달라졌나요?" in label and "완료" in label for label in rows(here))
    here.enter("records-query", "hbm4는 조사")
    assert len(rows(here)) == 1
    here.enter("records-query", "없는 말")
    assert "“없는 말”에 맞는 기록이 없어요." in here.texts()
    empty = visit(page="records")
    assert "아직 기록이 없어요." in empty.texts()


def test_a_report_stands_in_its_conversation_and_outlives_it(visit, core: CoreDouble):
    """It is no record of its own while the conversation is there; without that it is one, which opens."""
    [entry] = core.chat.conversations("")
    run = core.research.start(ResearchRequest(question="값은 어떻게 되나요?", conversation_id=entry.id))
    here = visit(page="records", core=core)
    assert (f"open-run-{run.id}" in here.keys("open-run-"), len(rows(here))) == (False, 3)
    core.chat.delete(entry.id, "")
    here.look()
    assert (f"open-run-{run.id}" in here.keys("open-run-"), len(rows(here))) == (True, 3)
    opened = visit(core=core, run=run.id)
    assert "조사를 마쳤어요" in opened.texts()
    assert opened.errors() == ""


def test_a_record_opens_where_it_was_made(visit, core: CoreDouble):
    """A conversation opens as the thread, a report whole, and a check in its tab, each with its video."""
    here = visit(page="records", core=core)
    for start, words in (("open-chat-", "대역폭이 두 배"), ("open-run-", "조사를 마쳤어요"), ("open-claims-", "**2개 중")):
        here.open("records")
        [key] = here.keys(start)
        here.click(key)
        assert words in here.texts()
        assert here.param(start.split("-")[1]) == key.removeprefix(start)
    assert here.session.video == SAMPLE


def test_a_record_is_taken_away_as_a_file_or_deleted(visit, core: CoreDouble):
    """Each kind has its formats; what is deleted goes from the list and the store, and a store that is away says so."""
    here = visit(page="records", core=core)
    for key in here.keys("open-"):
        here.at.session_state[key.replace("open-", "more-", 1)] = True
    here.look()
    labels = [button.proto.label for button in here.at.get("download_button")]
    assert sorted(set(labels)) == ["데이터 (JSON)", "문서 (Markdown)", "웹 문서 (HTML)"]
    assert len(labels) == 6
    service, core.chat = core.chat, Away(core.chat)
    core.chat.away = ("delete",)
    [key] = here.keys("delete-chat-")
    here.click(key)
    assert BROKEN in here.errors()
    core.chat = service
    here.click(key)
    assert (here.keys("open-chat-"), core.chat.conversations("")) == ([], ())


def test_a_conversation_is_deleted_with_its_searches(visit):
    """What was found for its questions, and what was said of the results, goes with it."""
    here = visit(video=True)
    here.ask("대역폭은요?")
    search, chat = here.session.report_of, here.param("chat")
    here.core.stored_searches.keep(search, "", here.session.report)
    ChatPageState().remove_of("", chat)
    assert (here.core.stored_searches.load(search, ""), here.core.jobs) == (None, {})


def test_what_is_under_way_is_not_deleted(visit):
    """A run that goes on says why it cannot be deleted now."""
    core = CoreDouble()
    core.research.slow = True
    run = core.research.start(ResearchRequest(question="오래 걸리는 질문"))
    here = visit(page="records", core=core)
    here.fold(f"more-run-{run.id}")
    assert here.button(f"delete-run-{run.id}").disabled
    assert here.button(f"delete-run-{run.id}").help == "조사를 멈춘 뒤에 지울 수 있어요."
