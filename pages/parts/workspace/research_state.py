"""Which research run is on the page, and what clicks do to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

import streamlit as st

from pages.parts.shared import services
from pages.parts.shared.page_session import page_session
from pages.parts.shared.page_state import RunPageState
from pages.parts.shared.visitor import owner
from search_core.domain.research import ResearchEntry, ResearchRun

if TYPE_CHECKING:
    from search_core.research import ResearchService

PLAN_FIRST_KEY = "plan-first"


@dataclass(slots=True)
class ResearchPageState(RunPageState[ResearchRun, ResearchEntry]):
    """Holds which run one visitor looks at; lives in the session."""

    PARAM = "run"
    NAME = "research"
    NOUN, OBJECT = "조사", "조사를"
    EXPORTS = ("markdown", "html")
    FINISH_HELP = "더 찾지 않고, 지금까지 찾은 자료로 보고서를 써요."
    STOP_HELP = "바로 멈춰요. 여기까지의 내용은 남아요."

    @property
    def service(self) -> ResearchService:
        """Return the research service of this process."""
        return services.core().research

    def make_file(self, run_id: str, owner: str, name: str) -> bytes:
        """Return a run of *owner* as a file of that format."""
        from search_core.research import ResearchFormat, export_run  # loaded by now: the run came through it

        return export_run(self.service.get(run_id, owner), cast(ResearchFormat, name))


research_page = ResearchPageState.current


def again(run: ResearchRun) -> None:
    """Repeat a run's question from the beginning, without the cache; for ``on_click``."""
    request = replace(run.request, video=page_session().video, owner=owner(), plan_first=False, fresh=True)
    page = research_page()
    if not request.conversation_id:
        page.start(request)
    elif not page.attempt(lambda: page.service.start(request)):
        st.rerun()  # the reason is drawn outside the card


def agree(run_id: str, key: str) -> None:
    """Continue a run that waits with its plan, with the lines in the text box *key*; for ``on_click``."""
    page = research_page()
    texts = [line.strip() for line in st.session_state[key].splitlines() if line.strip()]
    page.attempt(lambda: page.service.agree(run_id, owner(), texts))
