"""Runs of research in the database, with their conversations and plans."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from search_core.domain.research import (
    ReportWritten,
    ResearchEntry,
    ResearchEvent,
    ResearchRequest,
    ResearchRun,
    ResearchSource,
    ResearchStatus,
    SubtaskState,
)
from search_core.domain.result import SearchResult
from search_core.domain.run import RunFailed
from search_core.domain.video import video_key
from search_core.language.web_address import canonical_url
from search_core.research.coverage import Reported
from search_core.research.parts import RESEARCH, StoredResearch
from search_core.research.planning import Plan
from search_core.runs.control import StepOutcome
from search_core.runs.store import AnyRow, RunStore
from search_core.runtime import utc_now
from search_core.storage.conversations import append_research
from search_core.storage.json_codec import JsonCodec
from search_core.storage.tables import RESEARCH_TABLES


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOutcome(StepOutcome):
    """The plan of the run."""

    plan: Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOutcome(StepOutcome):
    """What the search for one subtask found."""

    state: SubtaskState = SubtaskState.SEARCHING
    """DONE or FAILED; SEARCHING when the search was interrupted."""
    failure: str = ""
    """One Korean sentence when the search failed or found nothing."""
    ledger: tuple[str, ...] = ()
    """A Korean sentence for each search service that was asked."""
    results: tuple[SearchResult, ...] = ()
    below_threshold: int = 0
    """Number of web results left out because they are below the threshold."""
    scorer: str = ""
    """Name of the embedder that scored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOutcome(StepOutcome):
    """Whether a page was read; its text is stored as a finding."""

    read: bool = False
    failure: str = ""
    """A ``PageFailure`` if the page was not read."""
    shortened: bool = False
    """True when the page is longer than what is stored of it."""
    published: datetime | None = None
    """The date that the page states."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteOutcome(StepOutcome):
    """The report, and its failures."""

    report: ReportWritten | None
    """None when nothing was written."""
    reported: Reported
    failures: tuple[RunFailed, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText:
    """The text of a page."""

    text: str
    shortened: bool = False
    """True when the page is longer."""
    published: datetime | None = None
    """The date that the page states."""


SEARCH = JsonCodec(SearchOutcome)
PAGE = JsonCodec(PageText)
PLAN = JsonCodec(Plan)
PLAN_KEY = "plan"


def search_key(text: str) -> str:
    """Return the key of the findings for *text*."""
    return f"web search:{text}"


def page_key(url: str, *, own: bool = False) -> str:
    """Return the key of a page's text, the same for all forms of its address.

    A document of the library has a key of its own even if it copies a page, because its text may be sent to fewer readers.
    """
    return f"document:{url}" if own else f"page:{canonical_url(url) or url}"


def source_key(source: ResearchSource) -> str:
    """Return the key of the text of *source*."""
    return page_key(source.url, own=source.own)


class ResearchStore(RunStore[ResearchRequest, ResearchRun, ResearchEvent, ResearchEntry]):
    """Stores runs of research."""

    kind = RESEARCH
    tables = RESEARCH_TABLES

    def _columns_of(self, request: ResearchRequest) -> dict[str, object]:
        key = video_key(request.video) if request.video else ""
        return {"video_key": key, "conversation": request.conversation_id, "question": request.question}

    def _insert_beside(self, connection: Connection, run_id: str, request: ResearchRequest) -> None:
        if request.conversation_id:
            append_research(connection, run_id, request, utc_now())

    def _entry(self, row: AnyRow) -> ResearchEntry:
        return ResearchEntry(
            id=row.id,
            question=row.question,
            status=ResearchStatus(self.kind.status(row.status)),
            video_key=row.video_key,
            created_at=row.created_at,
            ended_at=row.ended_at,
            conversation=row.conversation,
        )

    def _known_of_request(self, row: AnyRow) -> dict[str, object]:
        return {"question": row.question, "owner": row.owner}

    def replan(self, run_id: str, owner: str, change: Callable[[StoredResearch], Plan]) -> None:
        """Save a run's plan as *change* makes it; an exception of *change* leaves it unchanged."""
        with self._database.writing() as connection:
            plan = change(self._fetch_run(connection, run_id, owner, lock=True))
            self._put_findings(connection, run_id, {PLAN_KEY: PLAN.write(plan)})
