"""Research in a conversation while the web is away; a process has one research service, so this test has its own file."""

from __future__ import annotations

from pathlib import Path

from tests.loopback.language_model import LanguageModelServer
from tests.loopback.world import World
from tests.search_core.chat.research_core import QUESTION, model, real_core, wait_until_ended


def test_a_web_that_is_away_leaves_own_documents_as_a_choice(visit, tmp_path: Path):
    """The card says that the web was not searched, counts own documents apart, and a click does without the web."""
    with World() as world, LanguageModelServer(model) as endpoint:
        world.play("searxng", failure="503")
        with real_core(tmp_path, world, endpoint) as core:
            here = visit(page="chat", core=core, video=True)
            here.click("research-mode")
            here.ask_chat(QUESTION)
            [entry] = core.research.list("", conversation_id=here.param("chat"))
            failed = wait_until_ended(core, core.research.get(entry.id, ""))
            assert failed.search_failed
            here.look()
            assert "웹을 검색하지 못했어요" in here.texts()
            assert f"내 자료 {len(failed.sources)}개" in here.folds()
            here.click(f"own-documents-run-{failed.id}")
            [alone] = [each for each in core.research.list("", conversation_id=here.param("chat")) if each.id != failed.id]
            assert wait_until_ended(core, core.research.get(alone.id, "")).request.own_only
