"""Which research run is on the page, and what clicks on the page do to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import streamlit as st

from pages.parts import services
from pages.parts.page_session import page_session
from pages.parts.visitor import owner
from search_core.domain import ConversationMemory, ResearchRequest, ResearchRun, ResearchStatus
from search_core.errors import MaekrakError

if TYPE_CHECKING:
    from search_core.domain import ResearchEntry
    from search_core.research import ResearchService, RunDifference

PARAM = "run"
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
class ResearchPageState:
    """Holds which run one visitor looks at; lives in the session."""

    id: str = ""
    """Empty where none is open."""
    serial: int = 0
    """Of the video that is open it belongs to."""
    error: str = ""
    """A Korean sentence about what did not work."""
    dialog: Literal["", "edit", "delete"] = ""
    """What is asked about the run; kept here so that a run that ends meanwhile does not close it."""
    editing: int = 0
    """Number of the subtask that is being edited."""
    refused: str = ""
    """Why an edit was not taken, in Korean."""
    draft: Draft | None = None
    differences: dict[tuple[str, str], RunDifference] = field(default_factory=dict)
    """By the ids of the two runs."""


def research_page() -> ResearchPageState:
    """Return which run this visit looks at."""
    if "inquiry" not in st.session_state:
        st.session_state["inquiry"] = ResearchPageState()
    state: ResearchPageState = st.session_state["inquiry"]
    return state


def research() -> ResearchService:
    """Return the research service of this process."""
    return services.core().research


def attach() -> ResearchRun | None:
    """Return the run of the address or the session, its video put that is open; None where none is open."""
    page, at = page_session(), research_page()
    wanted = st.query_params.get(PARAM, "")
    if wanted and wanted != at.id:
        _look_at(wanted)
        run = _open(wanted)
        if run is not None:
            if run.request.video not in (page.found, page.video):
                page.open(run.request.video)
            at.serial = page.serial
            if not (run.request.video is not None and run.request.video.sample):
                st.query_params.pop("video", None)
    elif at.id and at.serial != page.serial:  # another video was chosen meanwhile
        leave()
        return None
    else:
        run = _open(at.id) if at.id else None
    if run is not None:
        st.query_params[PARAM] = run.id
    return run


def look(run_id: str) -> ResearchRun | None:
    """Return a run as it stands, or None where it cannot be had any more."""
    try:
        return research().get(run_id, owner())
    except MaekrakError:
        return None  # the page drawn anew asks again, and says why


def _open(run_id: str) -> ResearchRun | None:
    try:
        return research().get(run_id, owner())
    except MaekrakError as error:
        from search_core.research import ResearchNotFoundError  # loaded by now, with the service

        if isinstance(error, ResearchNotFoundError):
            leave()
        research_page().error = error.korean
    return None


def _look_at(run_id: str) -> None:
    at = research_page()
    at.id, at.serial, at.error, at.dialog, at.draft = run_id, page_session().serial, "", "", None


def leave() -> None:
    """Put the run away; it goes on if it has not ended."""
    _look_at("")
    st.query_params.pop(PARAM, None)


def open_run(run_id: str) -> None:
    """Show another run; for ``on_click``."""
    st.query_params[PARAM] = run_id


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
    at = research_page()
    at.error = ""
    try:
        run = begin()
    except MaekrakError as error:
        at.error = error.korean
        return ""
    _look_at(run.id)
    return run.id


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
    """Ask the question of a run once more, from the beginning and past what is kept, of the web; for ``on_click``."""
    asked = run.request
    begun = start(asked.question, memory=asked.memory, conversation_id=asked.conversation_id, fresh=True)
    if begun:
        open_run(begun)


def stop() -> None:
    """Stop the run; for ``on_click``."""
    _do(lambda: research().cancel(research_page().id, owner()))


def finish() -> None:
    """Have the report written from what there is; for ``on_click``."""
    _do(lambda: research().finish(research_page().id, owner()))


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
    if _do(lambda: research().agree(research_page().id, owner(), texts)):
        research_page().draft = None


def delete(run_id: str) -> None:
    """Delete a run and put it away."""
    if _do(lambda: research().delete(run_id, owner())):
        leave()


def _do(change: Callable[[], None]) -> bool:
    """Make *change* and tell whether it worked; a failure is shown on the page."""
    at = research_page()
    at.error = ""
    try:
        change()
    except MaekrakError as error:
        at.error = error.korean
        return False
    return True


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
    try:
        return research().list(owner())
    except MaekrakError as error:
        research_page().error = research_page().error or error.korean
        return ()


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
        run = look(before)
        if run is None:
            return None
        from search_core.research import compare_runs  # loaded by now, with the service

        known[before, after.id] = compare_runs(run, after)
    return known[before, after.id]
