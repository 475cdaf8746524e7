"""State of one visit: the video, the question, the running search and the last report."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts.shared import transcript_lines
from pages.parts.shared.transcript_lines import Line
from search_core.domain.query import ConversationMemory
from search_core.domain.report import SearchReport
from search_core.domain.video import VideoContext

if TYPE_CHECKING:
    from search_core.core import SearchJob
    from search_core.domain.report import AnswerLine

VERBATIM_KEY = "verbatim"
TRANSCRIPT_QUERY_KEY = "transcript-query"


@dataclass(frozen=True, slots=True)
class AnswerLineWork:
    """Background work that looks for a sentence in the visible results that answers the question."""

    report: SearchReport
    outcome: Future[AnswerLine | None]
    late: bool
    """Whether the page was drawn without the sentence, because the work took too long."""


@dataclass
class PageSession:
    """Holds the state of one visit; lives in the session."""

    # The video
    video: VideoContext | None = None
    found: VideoContext | None = None
    """The video as it was read, before the visitor changed anything."""
    serial: int = 0
    """Counts opened videos, so that widgets of one video never show the values of another."""
    lines: tuple[Line, ...] = ()
    window: int = 0
    """First transcript line in sight."""
    reference: str = ""
    """Name of the open video in the address."""
    referenced: VideoContext | None = None
    """The video that ``reference`` is of."""

    # The visitor's position in it
    now_s: float | None = None
    """In seconds; None before the first jump."""
    moment_s: float | None = None
    """The moment of the next question: the position in the video, or None if the visitor removed it from the question."""
    asked_at_s: float | None = None
    """The moment of the last question."""
    names_moment: bool = False
    """Whether the page that is drawn names the moment beside its question box."""
    jumps: int = 0
    """Counts jumps in the video, so that each jump unfolds the folded video."""
    jumped_after: int = 0
    """Number of questions before the last jump."""

    # What is asked, and what is open with it
    asked: str = ""
    handed_over: str = ""
    """A question to ask at the next redraw, from another part of the page or sent together with the video."""
    draft: str = ""
    """Text to put into the question box: a question that could not be sent, or that the visitor wants to change."""
    tab: str = ""
    """The tab beside the thread that is open; empty for the thread."""
    opened: dict[str, str] = field(default_factory=dict)
    """The items that are open, as the address names them."""
    memory: ConversationMemory = field(default_factory=ConversationMemory)
    removed: tuple[str, ...] = ()
    """Parts taken out of the query."""
    searches: int = 0
    """Number of questions, including those of conversations and those that could not be searched for."""
    settings: dict[str, str] = field(default_factory=dict)
    """The controls that differ from their defaults, as the address names them."""
    settings_taken: bool = True
    """False while ``settings`` are from the address and the controls do not show them yet."""

    # The search of the last question
    job: SearchJob | None = None
    report: SearchReport | None = None
    report_of: str = ""
    """The id of the search that ``report`` is of."""
    drawn: str = ""
    """The id of the search whose results were drawn last."""
    early: bool = False
    """Whether the first results of ``report`` were shown while services were awaited, so that its final notes come after them."""
    error: str = ""
    """A Korean sentence about a search that did not work."""
    answer: AnswerLineWork | None = None

    # The video that is being opened
    open_error: str = ""
    """A Korean sentence about a video that could not be opened."""
    notice: str = ""
    transcription: str = ""
    """The id of a transcription under way, or ready to be opened."""
    transcription_after: int = 0
    """Number of questions before it was started."""
    transcription_question: str = ""
    """A question that came with the recording, to be asked once the transcript is open."""

    def open(self, video: VideoContext | None, question: str = "") -> None:
        """Open *video*, or none, and ask the *question* that came with it; state of the earlier video is dropped."""
        self.drop_search()
        self.asked, self.asked_at_s, self.handed_over = "", None, question
        self.video, self.found = video, video
        self.serial += 1
        self.lines = transcript_lines.lines_of(video.transcript) if video is not None else ()
        self.now_s, self.moment_s, self.window = None, None, 0
        self.memory, self.removed = ConversationMemory(), ()
        st.session_state[TRANSCRIPT_QUERY_KEY] = ""

    def drop_search(self) -> None:
        """Stop a running search and forget the last one."""
        if self.job is not None:
            self.job.cancel()
        self.job = None
        self.drop_report()
        self.error = self.open_error = self.notice = ""

    def go_to(self, start_s: float, *, follow: bool = True) -> None:
        """Move to a moment of the video and show its transcript line; without *follow* the page does not scroll."""
        self.now_s = self.moment_s = start_s
        if follow:
            self.jumps, self.jumped_after = self.jumps + 1, self.searches
        st.session_state[TRANSCRIPT_QUERY_KEY] = ""
        self.window = max(0, transcript_lines.line_at(self.lines, start_s) - 2)

    @property
    def search_id(self) -> str:
        """Return the id of the search on the page; empty without one."""
        return self.job.id if self.job is not None else self.report_of

    @property
    def searching(self) -> bool:
        """Return whether a search is running that has no results yet."""
        return self.job is not None and self.report_of != self.job.id

    def sync_job(self) -> None:
        """Update the state from the running search, and take over the outcome of a finished one."""
        if self.job is None:
            return
        job = self.job
        if not job.done:
            self._show(job, job.snapshot().report)
            return
        self.job = None
        self._show(job, job.report)
        if job.error is not None:
            self.error = job.error.korean
            self.drop_report()
        elif job.report is None:
            # Stopped before it found anything: the results before it stay, with their own parts.
            self.notice = "검색을 멈췄어요. 그때까지 찾은 결과가 없어요."
            if self.report is not None:
                self.notice = "검색을 멈췄어요. 앞서 찾은 결과를 그대로 두었어요."
                self.removed = tuple(sorted(self.report.options.without_parts))
                st.session_state[VERBATIM_KEY] = self.report.options.verbatim

    def _show(self, job: SearchJob, report: SearchReport | None) -> None:
        """Show *report*, the current results of *job*; None leaves the page as it is."""
        if report is None:
            return
        if self.report_of != job.id:
            self.report_of, self.early = job.id, bool(report.waiting)
        self.report = report

    def drop_report(self) -> None:
        """Drop the results."""
        self.report, self.report_of = None, ""


def page_session() -> PageSession:
    """Return the session of this visit."""
    if "page-session" not in st.session_state:
        st.session_state["page-session"] = PageSession()
    state: PageSession = st.session_state["page-session"]
    return state
