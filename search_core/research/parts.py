"""The parts of research, all handed in: this room knows neither the pipeline nor the network."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Self, get_args

from search_core.answers.web_search import PageRead
from search_core.domain.report import SearchReport
from search_core.domain.research import ResearchEnded, ResearchEvent, ResearchRequest, ResearchRun, ResearchStatus
from search_core.research.evidence import MAX_CONTENT_CHARS
from search_core.research.planning import Plan
from search_core.research.writing import ReportWriter
from search_core.runs.run_kind import RunKind, StoredRun
from search_core.settings import Settings
from search_core.storage.json_codec import JsonCodec


@dataclass(frozen=True, slots=True, kw_only=True)
class ResearchLimits:
    """The limits of runs."""

    runs_at_once: int = 3
    """Runs this process works on at the same time."""
    fetches_at_once: int = 24
    """Pages that one run reads in parallel: enough for a usual plan's twenty sources at once."""
    results_per_subtask: int = 10
    content_length: int = MAX_CONTENT_CHARS
    """Characters of a page that are stored."""
    search_timeout_s: float = 60.0
    """Seconds after which a search counts as lost, although it should have ended itself earlier."""
    plan_timeout_s: float = 120.0
    """Seconds after which planning counts as lost."""
    page_timeout_s: float = 60.0
    """Seconds after which reading a page counts as lost, including the wait for its host."""

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return what *settings* allow a run of research: how many at once, how long, how much."""
        return cls(
            runs_at_once=settings.research_runs_at_once,
            results_per_subtask=settings.max_search_results,
            search_timeout_s=settings.web_search_deadline + settings.playwright_timeout / 1000 + 30,
            page_timeout_s=settings.web_scraper_timeout * 4 + 20,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ResearchParts:
    """The functions and limits that research works with; its coroutines run on the service's loop."""

    plan: Callable[[ResearchRequest], Awaitable[Plan]]
    search: Callable[[str, ResearchRequest], Awaitable[SearchReport]]
    """Searches the web for one subtask within a time limit of its own; cancelling closes all connections."""
    read: PageRead
    """Reads the page at an address; raises PageReadError."""
    read_own: PageRead | None = None
    """Reads the document of the library at an address, without a request; None where there is no library."""
    writer: ReportWriter
    labels: Mapping[str, str] = field(default_factory=dict)
    """Names of search services for readers."""
    limits: ResearchLimits = field(default_factory=ResearchLimits)
    now: Callable[[], float] = time.time
    """Seconds since 1970."""


StoredResearch = StoredRun[ResearchRequest, ResearchRun]
RESEARCH: RunKind[ResearchRequest, ResearchRun, ResearchEvent] = RunKind(
    name="research",
    requests=JsonCodec(ResearchRequest),
    runs=JsonCodec(ResearchRun),
    begin=ResearchRun.begin,
    after=ResearchRun.after,
    end=ResearchEnded,
    statuses=ResearchStatus,
    events=get_args(ResearchEvent),
    missing=("There is no such research run.", "조사를 찾을 수 없어요. 지워졌거나 다른 사람의 조사일 수 있어요."),
    undeletable="진행 중인 조사예요. 멈춘 뒤에 지워 주세요.",
    unreadable="저장된 조사의 일부를 읽지 못했어요. 같은 질문을 다시 조사해 주세요.",
    given_up="조사가 여러 번 중단되어서 더 이어 가지 않아요. ‘이어서’를 누르면 찾은 자료에서 다시 시작해요.",
    unexpected=(
        "The report could not be written because of an unexpected error.",
        "보고서를 쓰다가 예상하지 못한 문제가 생겼어요. 이어서 조사하면 여기까지 찾은 자료로 다시 쓸 수 있어요.",
    ),
)
