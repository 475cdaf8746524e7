"""Sources, plans and runs to write reports from, with models that play along."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from search_core.answers.fallback_detector import FallbackDetector
from search_core.domain.research import (
    PlanOrigin,
    ResearchMetrics,
    ResearchRequest,
    ResearchRun,
    ResearchSource,
    ResearchStatus,
    Subtask,
    SubtaskState,
)
from search_core.domain.result import SearchResult
from search_core.models.llm.openai_compatible import OpenAICompatible
from search_core.research.evidence import Material
from search_core.research.writing import ReportEvent, ReportWriter
from search_core.settings import Settings
from tests.search_core.answers.asking import scorer

NOW = datetime(2026, 11, 21, tzinfo=UTC)
SALES = "한빛전자의 2025년 매출은 66조원이었다. 회사는 1월 20일에 실적을 발표했다."
OTHER_SALES = "한빛전자의 2025년 매출은 72조원이었다. 직원도 늘었다."
PRODUCTION = "한빛전자는 2026년 2월에 새 메모리 양산을 시작했다. 첫 고객은 미국 회사다."
QUESTION = "한빛전자의 매출과 새 메모리 양산 시기를 알려줘"
PARTS = ("한빛전자의 2025년 매출은 얼마인가요", "한빛전자의 새 메모리 양산은 언제 시작했나요")


def day(text: str) -> datetime:
    """Return midnight of a day written like 2026-01-20, UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def source(number: int, title: str = "글", snippet: str = "", **more: Any) -> ResearchSource:
    """Return a source with an address of its own unless *more* gives one."""
    url = more.pop("url", f"https://site{number}.example/{number}")
    return ResearchSource(
        **{
            "number": number,
            "title": title,
            "url": url,
            "snippet": snippet,
            "domain": f"site{number}.example",
            "relevance_score": 0.8,
            "subtasks": (1,),
            **more,
        }
    )


def subtask(number: int, text: str = "부분", **more: Any) -> Subtask:
    """Return a part of a plan that was searched for."""
    return Subtask(**{"number": number, "text": text, "origin": PlanOrigin.MODEL, "state": SubtaskState.DONE, **more})


SOURCES = (
    source(1, "한빛전자 연간 매출", SALES, publish_date=day("2026-01-20")),
    source(2, "한빛전자 실적 발표", OTHER_SALES, publish_date=day("2026-01-21")),
    source(3, "한빛전자 양산", PRODUCTION, publish_date=day("2026-03-05"), subtasks=(2,)),
)
PLAN = tuple(subtask(number, text) for number, text in enumerate(PARTS, start=1))


def material(**changes: Any) -> Material:
    """Return what a report is written from: two parts, three sources of which two contradict each other, all pages read."""
    given = {
        "request": ResearchRequest(question=QUESTION),
        "plan": PLAN,
        "sources": SOURCES,
        "pages": {each.number: each.snippet for each in SOURCES},
        "now": NOW,
    }
    return Material(**{**given, **changes})


def written(writer: ReportWriter, given: Material) -> list[ReportEvent]:
    """Return all events of one report."""

    async def all_of_them() -> list[ReportEvent]:
        return [event async for event in writer.write(given)]

    return asyncio.run(all_of_them())


def model(url: str, timeout_s: float = 30) -> OpenAICompatible:
    """Return the real client of the model at *url*."""
    return OpenAICompatible(Settings(openai_base_url=url, openai_model="m", openai_timeout=timeout_s))


def writer(url: str = "") -> ReportWriter:
    """Return the real writer, with the model at *url* or none."""
    return ReportWriter(model(url) if url else None, scorer(), FallbackDetector())


def result(title: str, url: str, **more: Any) -> SearchResult:
    """Return a search result."""
    return SearchResult(**{"title": title, "url": url, "snippet": f"{title}에 대한 글이다.", "source": "", **more})


def run(report: str = "", sources: Sequence[ResearchSource] = SOURCES, **changes: Any) -> ResearchRun:
    """Return a finished run."""
    given = {
        "id": "run-1",
        "request": ResearchRequest(question=QUESTION),
        "status": ResearchStatus.COMPLETE,
        "plan": PLAN,
        "plan_origin": PlanOrigin.MODEL,
        "sources": tuple(sources),
        "report": report,
        "by_model": True,
        "coverage": ("나눠 조사한 2가지를 모두 다뤘어요.", "출처 3개 중 3개는 본문을 읽었어요."),
        "metrics": ResearchMetrics(
            query_decomposition=500, search_duration_ms=2000, scrape_duration_ms=1500, analysis_duration_ms=3000, total_ms=7000
        ),
        "created_at": day("2026-11-20"),
    }
    return ResearchRun(**{**given, **changes})
