"""Research in a conversation while the web is away; one research service to a process, so this test has its own file."""

from __future__ import annotations

from pathlib import Path

from pages.parts import services
from tests.app.test_chat_research import address, opened, send
from tests.loopback.language_model import LanguageModelServer
from tests.loopback.world import World
from tests.search_core.chat.research_core import QUESTION, model, real_core, wait_until_ended


def test_a_web_that_is_away_leaves_own_documents_as_a_choice(tmp_path: Path):
    """The card says that the web was not searched, counts own documents apart, and a click does without the web."""
    with World() as world, LanguageModelServer(model) as endpoint:
        world.play("searxng", failure="503")
        with real_core(tmp_path, world, endpoint) as core:
            services.provide(lambda: core)
            here = opened(core)
            here.click("open-sample-0")
            here.click("research-mode")
            send(here, QUESTION)
            [entry] = core.research.list("", conversation_id=address(here))
            failed = wait_until_ended(core, core.research.get(entry.id, ""))
            assert failed.search_failed
            here.look()
            assert "웹을 검색하지 못했어요" in here.texts()
            assert f"찾은 내 자료 {len(failed.sources)}개" in [each.label for each in here.at.expander]
            here.click(f"own-documents-run-{failed.id}")
            [alone] = [each for each in core.research.list("", conversation_id=address(here)) if each.id != failed.id]
            assert wait_until_ended(core, core.research.get(alone.id, "")).request.own_only
    services.provide(services.from_settings)
