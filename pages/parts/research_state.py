"""Which research run is on the page, and what clicks on the page do to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import streamlit as st

from pages.parts import services
from pages.parts.page_session import page_session
from pages.parts.page_state import PageState
from pages.parts.visitor import owner
from search_core.domain import ConversationMemory, ResearchRequest, ResearchRun, ResearchStatus
from search_core.errors import MaekrakError

if TYPE_CHECKING:
    from search_core.domain import ResearchEntry, VideoContext
    from search_core.research import ResearchService, RunDifference

QUESTION_KEY = "research-question"
PLAN_FIRST_KEY = "plan-first"
REPORTED = (ResearchStatus.COMPLETE, ResearchStatus.FINISHED_EARLY)
"""Ends with a report that another can be held against."""


@dataclass(slots=True)
class Draft:
    """Holds a plan while the visitor works on it."""

    run: str
    parts: dict[int, str]
    """Texts by a number that stays theirs when others come and go."""
    next: int


@dataclass(slots=True)
class ResearchPageState(PageState["ResearchRun"]):
    """Holds which run one visitor looks at; lives in the session."""

    PARAM = "run"
    dialog: Literal["", "edit", "delete"] = ""
    """The dialog about the run; held here so that a run that ends meanwhile does not close it."""
    editing: int = 0
    """Number of the subtask that is being edited."""
    refused: str = ""
    """Why an edit was not taken, in Korean."""
    draft: Draft | None = None
    awaited: bool = False
    """True while a run is watched whose end was not announced yet."""
    announced: str = ""
    """Id of the run whose end was announced last."""
    differences: dict[tuple[str, str], RunDifference] = field(default_factory=dict)
    """Changes, by the ids of the two runs."""

    def load(self, item_id: str) -> ResearchRun:
        """Return a run as it stands."""
        return research().get(item_id, owner())

    def video_of(self, item: ResearchRun) -> VideoContext | None:
        """Return the video that a run is about."""
        return item.request.video

    def reset(self) -> None:
        """Close what is asked about the run that was open."""
        self.dialog, self.draft, self.awaited = "", None, False


def research_page() -> ResearchPageState:
    """Return which run this visit looks at."""
    if "research-page" not in st.session_state:
        st.session_state["research-page"] = ResearchPageState()
    state: ResearchPageState = st.session_state["research-page"]
    return state


def research() -> ResearchService:
    """Return the research service of this process."""
    return services.core().research


def open_run(run_id: str) -> None:
    """Show another run; for ``on_click``."""
    st.query_params[ResearchPageState.PARAM] = run_id


def start(
    text: str,
    *,
    plan_first: bool = False,
    memory: ConversationMemory | None = None,
    conversation_id: str = "",
    fresh: bool = False,
) -> str:
    """Begin a run about the video that is open and return its id; empty, and said on the page, when it cannot be begun."""
    request = ResearchRequest(
        question=text.strip(),
        video=page_session().video,
        memory=memory or ConversationMemory(),
        owner=owner(),
        conversation_id=conversation_id,
        plan_first=plan_first,
        fresh=fresh,
    )
    return _begin(lambda: research().start(request))


def _begin(begin: Callable[[], ResearchRun]) -> str:
    page = research_page()
    runs: list[ResearchRun] = []
    if not page.attempt(lambda: runs.append(begin())):
        return ""
    page.switch_to(runs[0].id)
    return page.id


def start_typed() -> None:
    """Begin what stands in the question box and empty it; for ``on_click``."""
    plan_first = bool(st.session_state.get(PLAN_FIRST_KEY))
    run_id = start(str(st.session_state.get(QUESTION_KEY) or ""), plan_first=plan_first)
    if run_id:
        st.session_state[QUESTION_KEY] = ""
        open_run(run_id)


def resume(run_id: str, *, own_only: bool | None = None) -> None:
    """Go on from what a run has found; for ``on_click``.

    *own_only* says whether it is the library alone that is searched; None leaves that as it was.
    """
    begun = _begin(lambda: research().resume(run_id, owner(), own_only=own_only))
    if begun:
        open_run(begun)


def again(run: ResearchRun) -> None:
    """Ask the question of a run once more, from the beginning, past the cache and on the web; for ``on_click``."""
    asked = run.request
    begun = start(asked.question, memory=asked.memory, conversation_id=asked.conversation_id, fresh=True)
    if begun:
        open_run(begun)


def stop() -> None:
    """Stop the run; for ``on_click``."""
    page = research_page()
    page.attempt(lambda: research().cancel(page.id, owner()))


def finish() -> None:
    """Have the report written from what there is; for ``on_click``."""
    page = research_page()
    page.attempt(lambda: research().finish(page.id, owner()))


def edit(number: int, text: str) -> None:
    """Change a subtask; when that cannot be, the reason stays in the dialog."""
    at = research_page()
    try:
        research().edit(at.id, owner(), number, text)
    except MaekrakError as error:
        at.refused = error.korean
    else:
        close_dialog()


def agree(texts: list[str]) -> None:
    """Let a run that waits with its plan go on with *texts*."""
    page = research_page()
    if page.attempt(lambda: research().agree(page.id, owner(), texts)):
        page.draft = None


def delete(run_id: str) -> None:
    """Delete a run and put it away."""
    page = research_page()
    if page.attempt(lambda: research().delete(run_id, owner())):
        page.leave()


def open_dialog(name: Literal["edit", "delete"], number: int = 0) -> None:
    """Ask something about the run and draw the page anew; for ``on_click``."""
    at = research_page()
    at.dialog, at.editing, at.refused = name, number, ""
    st.rerun()


def close_dialog() -> None:
    """Ask nothing any more."""
    research_page().dialog = ""


def entries() -> tuple[ResearchEntry, ...]:
    """Return the runs of the visitor, newest first; none, and said on the page, when they cannot be had."""
    return research_page().entries(lambda: research().list(owner()))


def earlier(run: ResearchRun, entries: tuple[ResearchEntry, ...]) -> ResearchEntry | None:
    """Return the run of *entries* before *run* that asked the same about the same video, the newest that came to a report."""
    own = next((entry for entry in entries if entry.id == run.id), None)
    if own is None:
        return None
    asked = " ".join(own.question.split())
    return next(
        (
            entry
            for entry in entries
            if entry.created_at < own.created_at
            and entry.status in REPORTED
            and entry.id != run.request.continues
            and entry.video_key == own.video_key
            and " ".join(entry.question.split()) == asked
        ),
        None,
    )


def difference(before: str, after: ResearchRun) -> RunDifference | None:
    """Return what has changed since an earlier run, worked out once; None when that is gone."""
    known = research_page().differences
    if (before, after.id) not in known:
        run = research_page().find(before)
        if run is None:
            return None
        from search_core.research import compare_runs  # loaded by now, with the service

        known[before, after.id] = compare_runs(run, after)
    return known[before, after.id]
