"""What the comparison says of one statement and one sentence of the web."""

from __future__ import annotations

from datetime import UTC, datetime

from search_core.checking.verdicts.compare import judge_sources
from search_core.domain.result import SearchResult
from search_core.domain.stance import StanceRow, Statement
from search_core.domain.video import VideoContext

VIDEO_DAY = datetime(2026, 6, 12, tzinfo=UTC)
NOW = datetime(2027, 1, 10, tzinfo=UTC)
BEFORE = datetime(2026, 6, 10, tzinfo=UTC)
AFTER = datetime(2026, 11, 2, tzinfo=UTC)


def page(text: str, date: datetime | None = BEFORE, *, title: str = "", host: str = "news.example") -> SearchResult:
    return SearchResult(title=title, url=f"https://{host}/{abs(hash(text))}", snippet=text, source=host, publish_date=date)


def compare_sentences(
    said: str, web: str, date: datetime | None = BEFORE, *, video: VideoContext | None = None, title: str = ""
) -> StanceRow | None:
    of = video or VideoContext(title="AI 메모리 대전: 한빛반도체 서도윤 연구위원 강연", published_at=VIDEO_DAY)
    rows = judge_sources([Statement(75.0, said)], [page(web, date, title=title)], of, NOW).rows
    return rows[0] if rows else None


def stance(said: str, web: str, date: datetime | None = BEFORE, *, title: str = "") -> str:
    row = compare_sentences(said, web, date, title=title)
    return row.stance.value if row else "none"
