"""What came of a search is said alike at every door: on the page, in the terminal, in files, by the API and to agents."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from search_core.agents.search import search_reply
from search_core.commands.search import search_text
from search_core.domain.reply import ProviderReply, SearchStatus
from search_core.domain.report import SearchOptions, SearchReport
from search_core.domain.result import RankingOptions, SearchResult
from search_core.search.presenting.export import export
from tests.app.conftest import OpenPage
from tests.app.core_double import CoreDouble
from tests.search_core.search.presenting.conftest import korean_hit, reply, report

S = SearchStatus
STRONG = korean_hit(url="https://news.example.kr/strong", relevance_score=0.8)
PAST = korean_hit(url="https://news.example.kr/past", relevance_score=0.7)
WEAK = korean_hit(url="https://news.example.kr/weak", relevance_score=0.01)
OWN = korean_hit(url="library:a", relevance_score=0.6, collection="user", providers=("library",))
OWN_WEAK = replace(OWN, url="library:b", relevance_score=0.01)
LIBRARY = reply("library", S.SUCCESS, OWN, OWN_WEAK, web=False)
NONE, AWAY = reply("wikipedia", S.NO_RESULTS), reply("duckduckgo", S.NETWORK_ERROR)
SPENT = reply("duckduckgo", S.COOLING_DOWN, because=S.QUOTA_EXHAUSTED, retry_after_s=900.0)
SLOW = reply("searxng", S.TIMEOUT)


def ended(
    *replies: ProviderReply, shown: tuple[SearchResult, ...] = (), hidden: tuple[SearchResult, ...] = (), most: int = 10
) -> SearchReport:
    options = SearchOptions(ranking=RankingOptions(threshold=0.35, max_results=most))
    return report(text="기준금리", replies=replies, results=shown, hidden=hidden, options=options)


def found(*hits: SearchResult) -> ProviderReply:
    return reply("wikipedia", S.SUCCESS, *hits)


PEOPLE = ("page", "terminal", "file", "API", "agents")
NOTHING = "[검색 완료] '기준금리'에 대한 검색 결과가 없습니다."
BELOW = "[검색 완료] '기준금리'에 대해 웹에서 찾은 1건이 모두 관련도 기준보다 낮아요."
CLOSED = "[웹 검색 사용 불가] 외부 검색 서비스에 접근할 수 없습니다 (사유: "
IS_SPENT = "쓸 수 있는 양을 다 썼어요"
KINDS = (NOTHING, BELOW, CLOSED, "found_none", "below_threshold", "could_not_ask")
"""Words of one outcome each; of those that an outcome is not told by, none is said."""
TABLE: dict[str, tuple[SearchReport, dict[str, tuple[str, ...]]]] = {
    "found none": (
        ended(LIBRARY, NONE, shown=(OWN,), hidden=(OWN_WEAK,)),
        {
            **dict.fromkeys(PEOPLE, (NOTHING,)),
            "API": (NOTHING, '"outcome_kind": "found_none"'),
            "agents": (f"found_none {NOTHING}", "숨긴 내 자료 1개 (기준 미달 1)"),
        },
    ),
    "found none by one of two": (
        ended(NONE, SLOW),
        {
            **dict.fromkeys(PEOPLE, (f"{NOTHING} 웹 검색 서비스 2곳 중 1곳만 답했어요.",)),
            "terminal": (NOTHING, "다시 찾아보세요. 2곳 중 1곳이 답했어요. SearXNG는 시간 안에 답하지 않았어요."),
            "agents": ("found_none", "SearXNG는 시간 안에 답하지 않았어요."),
        },
    ),
    "could not ask": (
        ended(LIBRARY, AWAY, shown=(OWN,), hidden=(OWN_WEAK,)),
        {
            **dict.fromkeys(PEOPLE, (f"{CLOSED}DuckDuckGo: 연결되지 않았어요).",)),
            "API": (CLOSED, '"outcome_kind": "could_not_ask"'),
            "agents": ("could_not_ask", CLOSED, "인터넷 연결을 확인하고 다시 시도해 주세요."),
        },
    ),
    "nobody to ask": (
        ended(),
        {
            **dict.fromkeys(PEOPLE, (f"{CLOSED}물어볼 수 있는 웹 검색 서비스가 없어요).",)),
            "agents": ("could_not_ask", CLOSED, "설정에서 웹 검색 서비스를 하나 이상 켜 주세요."),
        },
    ),
    "below the threshold": (
        ended(LIBRARY, found(WEAK), shown=(OWN,), hidden=(WEAK, OWN_WEAK)),
        {
            **dict.fromkeys(PEOPLE, (BELOW,)),
            "page": (BELOW, "숨긴 결과 1개 (기준 미달 1) · 숨긴 내 자료 1개 (기준 미달 1)"),
            "terminal": (BELOW, "숨긴 결과 1개 (기준 미달 1) · 숨긴 내 자료 1개 (기준 미달 1) · 기준 35점"),
            "API": (BELOW, '"outcome_kind": "below_threshold"'),
            "agents": (f"below_threshold {BELOW}", "2 weak"),
        },
    ),
    "crowded out": (
        ended(LIBRARY, found(STRONG, PAST), shown=(STRONG, OWN), hidden=(PAST, OWN_WEAK), most=1),
        {
            "page": ("**1건** · 내 자료 **1건** · 숨김 1 · 숨긴 내 자료 1", "숨긴 결과 1개 (개수 제한으로 제외 1)"),
            "terminal": ("검색 결과 1건이에요.", "숨긴 결과 1개 (개수 제한으로 제외 1) · 숨긴 내 자료 1개 (기준 미달 1)"),
            "file": ("## 결과 1건", "## 내 자료에서 1건", "숨긴 이유: 개수 제한으로 제외"),
            "API": ('"outcome_kind": "found"', '"outcome": ""', '"hidden_because": "over_count"'),
            "agents": ("done", "내 자료 1건은 웹에서 찾은 것이 아니에요. 숨긴 결과 1개 (개수 제한으로 제외 1)"),
        },
    ),
    "found before, and not answered now": (
        ended(replace(found(STRONG), stale=True, from_cache=True), shown=(STRONG,)),
        {
            **dict.fromkeys(PEOPLE, ("저장된 결과예요",)),
            "API": ('"stale": true', '"outcome_kind": "found"'),
            "agents": ("저장된 결과예요", "위키백과: 저장된 결과 (1)"),
        },
    ),
    "a quota that was spent before": (
        ended(found(STRONG), SPENT, shown=(STRONG,)),
        {
            **dict.fromkeys(PEOPLE, (f"DuckDuckGo는 {IS_SPENT}",)),
            "API": ('"because": "quota_exhausted"',),
            "agents": (f"DuckDuckGo: {IS_SPENT} (0)",),
        },
    ),
    "nobody left whose quota is not spent": (
        ended(SPENT),
        {
            **dict.fromkeys(PEOPLE, (f"{CLOSED}DuckDuckGo: {IS_SPENT}).",)),
            "agents": ("could_not_ask", "요금제를 확인하거나 다른 검색 서비스를 켜 주세요."),
        },
    ),
}


@pytest.mark.parametrize(("told", "said"), TABLE.values(), ids=TABLE)
def test_an_outcome_is_said_alike_at_every_door(visit: OpenPage, told: SearchReport, said: dict[str, tuple[str, ...]]):
    """Found none, could not ask, below the threshold and past the count stay apart, and so do the web and own documents."""
    core = CoreDouble()
    core.told, core.most = told, told.options.ranking.max_results
    here = visit(core=core)
    here.ask("기준금리")
    here.fold("ledger")
    agents = search_reply(told, core.provider_labels())
    doors = {
        "page": here.texts(),
        "terminal": search_text(core, told),
        "file": export(told, "markdown", labels=core.provider_labels()).decode().replace("\\", ""),
        "API": json.dumps(core.report_json(told), ensure_ascii=False),
        "agents": " ".join(
            (agents.status, agents.note, *agents.coverage, f"{sum('weak' in each for each in agents.data['results'])} weak")
        ),
    }
    others = {kind for kind in KINDS if not any(kind in words for part in said.values() for words in part)}
    for door, text in doors.items():
        assert [words for words in said[door] if words not in text] == [], f"{door}: {text}"
        written = text if door != "API" else text.replace('"hidden_because": "below_threshold"', "")
        assert [words for words in others if words in written] == [], door
        assert "15분" not in text, "a month is not waited for in minutes"
