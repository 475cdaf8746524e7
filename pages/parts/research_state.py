"""Which research run is on the page, and what clicks on the page do to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

import streamlit as st

from pages.parts import services
from pages.parts.page_session import page_session
from pages.parts.page_state import RunPageState
from pages.parts.visitor import owner
from search_core.domain import ResearchEntry, ResearchRequest, ResearchRun

if TYPE_CHECKING:
    from search_core.research import ResearchService

PLAN_FIRST_KEY = "plan-first"


@dataclass(slots=True)
class Draft:
    """Holds a plan while the visitor works on it."""

    run: str
    parts: dict[int, str]
    """Texts by a number that stays theirs when others come and go."""

    def key(self, number: int) -> str:
        """Return the key of the box in which a part is typed."""
        return f"part-{self.run}-{number}"

    def take_typed(self) -> None:
        """Take over what stands in the boxes."""
        self.parts = {number: str(st.session_state.get(self.key(number), text) or "") for number, text in self.parts.items()}

    def remove(self, number: int) -> None:
        """Take a part out; for ``on_click``."""
        self.take_typed()
        del self.parts[number]

    def add(self) -> None:
        """Add an empty part; for ``on_click``."""
        self.take_typed()
        self.parts[max(self.parts) + 1] = ""


@dataclass(slots=True)
class ResearchPageState(RunPageState[ResearchRun, ResearchEntry]):
    """Holds which run one visitor looks at; lives in the session."""

    PARAM = "run"
    NAME = "research"
    NOUN, OBJECT = "조사", "조사를"
    EXPORTS = ("markdown", "html")
    FINISH_HELP = "더 찾지 않고, 지금까지 찾은 자료로 보고서를 써요."
    STOP_HELP = "바로 멈춰요. 여기까지의 내용은 남아요."
    drafts: dict[str, Draft] = field(default_factory=dict)

    @property
    def service(self) -> ResearchService:
        """Return the research service of this process."""
        return services.core().research

    def make_file(self, run_id: str, owner: str, name: str) -> bytes:
        """Return a run of *owner* as a file of that format."""
        from search_core.research import ResearchFormat, export_run  # loaded by now: the run came through it

        return export_run(self.service.get(run_id, owner), cast(ResearchFormat, name))


research_page = ResearchPageState.current


def draft_of(run: ResearchRun) -> Draft:
    """Return the plan of a run that waits, as the visitor has changed it."""
    return research_page().drafts.setdefault(run.id, Draft(run.id, {part.number: part.text for part in run.plan}))


def again(run: ResearchRun) -> None:
    """Ask the question of a run once more, from the beginning, past the cache and on the web; for ``on_click``."""
    asked = run.request
    request = ResearchRequest(
        question=asked.question,
        video=page_session().video,
        memory=asked.memory,
        moment_s=asked.moment_s,
        owner=owner(),
        conversation_id=asked.conversation_id,
        fresh=True,
    )
    page = research_page()
    if not asked.conversation_id:
        page.start(request)
    elif not page.attempt(lambda: page.service.start(request)):
        st.rerun()  # the card redraws itself alone, and the reason stands elsewhere


def agree(draft: Draft) -> None:
    """Let a run that waits with its plan go on with what was typed; for ``on_click``."""
    page = research_page()
    draft.take_typed()
    texts = [text.strip() for text in draft.parts.values() if text.strip()]
    if page.attempt(lambda: page.service.agree(draft.run, owner(), texts)):
        page.drafts.pop(draft.run, None)
