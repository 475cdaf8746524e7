"""An answer about memory, pages that speak of it, and a check of the one against the others."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from search_core.checking.online_check import OnlineCheck
from search_core.checking.web_check import WebCheck
from search_core.domain.conversation import AnswerEvent, AnswerOrigin, AnswerRecord, CheckRequest
from search_core.domain.video import TranscriptPassage
from search_core.errors import PageFailure, PageReadError
from search_core.reading.html import ReadPage
from search_core.search.understanding.constructor import QueryConstructor
from search_core.video.passages import passages_of
from tests.search_core.answers.asking import NOW, all_of, asking, hbm, scorer, web_search
from tests.search_core.scripted import ScriptedProvider, finds, result

QUESTION = "HBM4 표준의 대역폭은 얼마야?"
SAID_AT = 345.51
"""Where the sample video says "HBM4 표준의 대역폭은 한 묶음에 일 초당 최대 2테라바이트입니다."."""
AGREES = result(
    "JEDEC HBM4 규격 공개",
    url="https://a.example/1",
    snippet="JEDEC이 발표한 HBM4 표준의 대역폭은 한 묶음에 초당 최대 2테라바이트다.",
    publish_date=datetime(2025, 4, 17, tzinfo=UTC),
)
CONTRADICTS = result(
    "차세대 메모리 속도 논란",
    url="https://b.example/2",
    snippet="HBM4 표준의 대역폭은 한 묶음에 초당 최대 1.5테라바이트다.",
    publish_date=datetime(2025, 5, 17, tzinfo=UTC),
)
CHANGED = result(
    "개정 규격 나왔다",
    url="https://c.example/3",
    snippet="개정된 HBM4 표준의 대역폭은 한 묶음에 초당 최대 2.5테라바이트로 늘었다.",
    publish_date=datetime(2026, 10, 1, tzinfo=UTC),
)
FOUND = (AGREES, CONTRADICTS, CHANGED)


def passage_at(moment_s: float) -> TranscriptPassage:
    """Return the passage of the sample video in which *moment_s* lies."""
    found = next(each for each in passages_of(hbm().transcript) if each.segments[-1].end_s >= moment_s)
    return TranscriptPassage(segments=found.segments, score=0.9)


def answered(*moments: float, text: str = "초당 최대 2테라바이트예요 [05:45].") -> AnswerRecord:
    """Return a finished answer about the sample video that cites *moments*."""
    passages = (passage_at(SAID_AT), passage_at(40.0))
    return AnswerRecord(passages=passages, text=text, moments=moments, origin=AnswerOrigin.MODEL)


class Pages:
    """Reads pages by address: text is what it says, a failure what it fails by, None never comes."""

    def __init__(self, pages: Mapping[str, str | PageFailure | Exception | None] = {}, *, published: datetime | None = None):
        self._pages = pages
        self._published = published
        self.asked: list[str] = []
        self.open = 0
        self.hanging = asyncio.Event()

    async def read(self, url: str) -> ReadPage:
        self.asked.append(url)
        found = self._pages.get(url, PageFailure.NETWORK)
        self.open += 1
        try:
            if found is None:
                self.hanging.set()
                await asyncio.Event().wait()
        finally:
            self.open -= 1
        if isinstance(found, PageFailure):
            raise PageReadError(found, "a.example", korean="읽지 못했어요.")
        if isinstance(found, Exception):
            raise found
        return ReadPage(url=url, title="", text=found or "", published=self._published, language="ko")


def web_check(search: Any, pages: Pages | None, at_most: int, **changes: Any) -> WebCheck:
    """Return what statements are held against the web with."""
    parts = {
        "scorer": scorer(),
        "search": search,
        "subject_of": QueryConstructor().subject_of,
        "read": (pages or Pages()).read,
        "pages": at_most,
        "now": lambda: NOW,
    }
    return WebCheck(**{**parts, **changes})


def check_with(
    model: Any = None, search: Any = None, pages: Pages | None = None, at_most: int = 5, **changes: Any
) -> OnlineCheck:
    """Return the real check with *model*, *search* and *pages*; the web finds ``FOUND`` where nothing else is said."""
    return OnlineCheck(web_check(search or web_search(ScriptedProvider("web", finds(*FOUND))), pages, at_most, **changes), model)


def request(answer: AnswerRecord | None = None, *, text: str = QUESTION, **changes: Any) -> CheckRequest:
    """Return a request to check *answer*, by default one that cites what the video says of the matter."""
    asked = {"question": asking(text, hbm()), "answer": answer or answered(345.0)}
    return CheckRequest(**{**asked, **changes})


def events_of(check: OnlineCheck, asked: CheckRequest) -> list[AnswerEvent]:
    """Return all events of one check."""
    return all_of(check.check(asked))


def record_of(events: Iterable[AnswerEvent]) -> AnswerRecord:
    """Return what a page keeps of *events*."""
    record = AnswerRecord()
    for event in events:
        record = record.after(event)
    return record
