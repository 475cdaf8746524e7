"""Results and reports to present."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from search_core.domain.query import ConstructedQuery, PartOrigin, QueryPart, SearchIntent, SearchType
from search_core.domain.reply import ProviderReply, SearchStatus
from search_core.domain.report import Question, SearchOptions, SearchReport
from search_core.domain.result import SearchResult
from search_core.language import korean

NOW = datetime(2026, 11, 20, 3, 0, tzinfo=UTC)


@pytest.fixture(autouse=True, scope="session")
def _analyser_is_warm():
    korean.warm_up()


def korean_hit(**changes: Any) -> SearchResult:
    fields = {
        "title": "한국은행, 기준금리 동결 결정",
        "url": "https://news.example.kr/1",
        "snippet": "한국은행 금융통화위원회가 기준금리를 연 3%로 동결했다.",
        "source": "news.example.kr",
        "providers": ("wikipedia",),
        "language": "ko",
    }
    return SearchResult(**{**fields, **changes})


def english_hit(**changes: Any) -> SearchResult:
    fields = {
        "title": "Nvidia unveils HBM4 roadmap at GTC",
        "url": "https://example.com/hbm4",
        "snippet": "Read more. Nvidia CEO Jensen Huang unveiled the HBM4 roadmap at GTC in San Jose. Shares rose.",
        "source": "example.com",
        "publish_date": datetime(2026, 11, 3, tzinfo=UTC),
        "providers": ("duckduckgo",),
        "language": "en",
    }
    return SearchResult(**{**fields, **changes})


def reply(provider: str, status: SearchStatus = SearchStatus.SUCCESS, *results: SearchResult, **changes: Any) -> ProviderReply:
    return ProviderReply(provider=provider, status=status, results=results, **changes)


def report(**changes: Any) -> SearchReport:
    text = changes.pop("text", "기준금리는 왜 동결됐어?")
    video = changes.pop("video", None)
    fields = {
        "question": Question(text=text, video=video),
        "options": SearchOptions(),
        "intent": SearchIntent(
            query=text,
            intent_type=SearchType.NEWS,
            confidence=0.9,
            search_terms=("기준금리", "동결"),
            requires_context=False,
            language_preference="ko",
        ),
        "constructed": ConstructedQuery(text="기준금리 동결", parts=(QueryPart("기준금리 동결", PartOrigin.QUESTION),)),
        "replies": (reply("wikipedia", SearchStatus.SUCCESS, korean_hit(), query="기준금리 동결", latency_ms=812.0),),
        "results": (korean_hit(relevance_score=0.82),),
        "hidden": (),
        "scorer": "kiwi",
        "created_at": NOW,
    }
    return SearchReport(**{**fields, **changes})
