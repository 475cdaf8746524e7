"""A claim of the sample video about memory, what checks it, and sources that say this and that."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from search_core.checking.checker import ClaimChecker, LibraryChecker
from search_core.checking.parts import CheckOutcome
from search_core.checking.web_check import WebSearch
from search_core.domain.claim import Claim, ClaimCheck, ClaimMoment
from search_core.domain.result import SearchResult
from search_core.domain.video import VideoContext
from tests.search_core.answers.asking import hbm, web_search
from tests.search_core.checking.checked import Pages, web_check
from tests.search_core.scripted import ScriptedProvider, finds, result

SAID_AT = 345.0
SAYS_SO = "HBM4 표준의 대역폭은 한 묶음에 초당 최대 2테라바이트다."
SAYS_SO_TOO = "한 묶음에 초당 최대 2테라바이트가 HBM4 표준의 대역폭이다."
SAYS_LESS = "HBM4 표준의 대역폭은 한 묶음에 초당 최대 1.5테라바이트다."
SAYS_MORE = "개정된 HBM4 표준의 대역폭은 한 묶음에 초당 최대 2.5테라바이트로 늘었다."
BEFORE = datetime(2025, 4, 17, tzinfo=UTC)
AFTER = datetime(2026, 10, 1, tzinfo=UTC)


def claim(text: str = "HBM4 표준의 대역폭은 한 묶음에 초당 최대 2테라바이트입니다.", **changes: Any) -> Claim:
    """Return a claim that is made in the sample video."""
    made = Claim(number=1, text=text, moments=(ClaimMoment(start_s=SAID_AT, end_s=SAID_AT + 6, quote=text),))
    return replace(made, **changes)


def page(host: str, text: str = SAYS_SO, published: datetime | None = BEFORE, **changes: Any) -> SearchResult:
    """Return a hit of the site *host* that says *text*."""
    fields = {"title": f"{host}의 메모리 규격 기사", "snippet": text, "publish_date": published, **changes}
    found = result(fields.pop("title"), url=f"https://{host}/1", **fields)
    return replace(found, source=changes.get("source", host))


def claim_search(*providers: ScriptedProvider) -> WebSearch:
    """Return what a check of claims searches the web with."""
    return web_search(*providers, any_age=True, broader_queries=1, as_stated=True)


def checker(
    *found: SearchResult,
    search: WebSearch | None = None,
    pages: Pages | None = None,
    at_most: int = 5,
    own: LibraryChecker | None = None,
    **changes: Any,
) -> ClaimChecker:
    """Return the real checker; the web finds *found* where no *search* is given, and *at_most* so many *pages* are read."""
    chosen = search or claim_search(ScriptedProvider("web", finds(*found)))
    return ClaimChecker(web_check(chosen, pages, at_most, labels={"web": "웹 검색"}, **changes), own)


def outcome_of(checks: ClaimChecker, of: Claim | None = None, video: VideoContext | None = None, **changes: Any) -> CheckOutcome:
    """Return what the check of a claim comes to."""
    return asyncio.run(checks.check(of or claim(), video or hbm(), **changes))


def check_of(*found: SearchResult, video: VideoContext | None = None, of: Claim | None = None, **changes: Any) -> ClaimCheck:
    """Return the finished check of a claim for which the web finds *found*."""
    return outcome_of(checker(*found, **changes), of, video).check
