"""The check of one claim against the web: search, sources, pages, their stances, and one verdict."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from search_core.answers.web_answer import CitableResults, query_of
from search_core.answers.web_search import PageRead, no_evidence, sources_found
from search_core.checking.parts import CheckOutcome
from search_core.checking.verdicts.compare import MAX_STATEMENT_SENTENCES
from search_core.checking.verdicts.independence import SourceIndependence
from search_core.checking.verdicts.missing_support import subject_names
from search_core.checking.verdicts.verdict import DECIDED
from search_core.checking.verdicts.weighing import weigh_rows
from search_core.checking.web_check import MAX_SOURCES, WebCheck
from search_core.domain.claim import Claim, ClaimCheck, ClaimOrigin, ClaimSource, ClaimState
from search_core.domain.conversation import WebAnswerFailed, WebFailure
from search_core.domain.reply import ProviderReply, SearchStatus
from search_core.domain.report import MAX_QUESTION_CHARS, Question, SearchReport
from search_core.domain.result import SearchResult
from search_core.domain.stance import Stance, Statement
from search_core.domain.video import VideoContext
from search_core.errors import PageFailure
from search_core.language.sentences import sentences_of, shorten
from search_core.language.statements.proposition import read_proposition
from search_core.language.web_address import host_name
from search_core.search.presenting.ledger import ledger, reasons, without_pauses

MAX_DOCUMENTS = 6
READING_S = 4.0
_EMPTY = SearchStatus.API_KEY_MISSING
"""The search status of a library without documents; such a search adds nothing to the check."""


@dataclass(frozen=True, slots=True)
class LibraryChecker:
    """Compares claims with documents of the library; holds no state about any claim."""

    parts: WebCheck
    """Reads and judges the documents; asks no language model."""
    search: Callable[[Question], Awaitable[SearchReport | None]]
    """Searches the library alone; its result is None if the library must not be asked."""

    @classmethod
    def of(cls, web: WebCheck, read: PageRead, search: Callable[[Question], Awaitable[SearchReport | None]]) -> LibraryChecker:
        """Return a checker that judges as *web* does, and reads documents with *read*."""
        parts = replace(
            web, read=read, judge=None, pages=MAX_DOCUMENTS, reading_timeout_s=READING_S, wait_for_reader=lambda: None
        )
        return cls(parts, search)

    async def find(self, claim: Claim, video: VideoContext) -> ClaimCheck:
        """Return a check of *claim* with the documents that agree with it or differ from it; can be cancelled."""
        own = ClaimCheck(claim=claim)
        report = await self.search(Question(text=shorten(claim.text.strip(), MAX_QUESTION_CHARS), video=video))
        if report is None:
            return own
        lines = ledger([reply for reply in report.replies if not reply.web], self.parts.labels, report.created_at)
        failures = tuple(line.korean for line in lines if not line.reply.status.answered and line.reply.status is not _EMPTY)
        own = replace(own, services=failures)
        read = await self.parts.read_sources(
            [result for result in (*report.results, *report.hidden) if result.own][:MAX_DOCUMENTS]
        )
        judged, _ = await self.parts.judge_sources(_statements(claim), video, read)
        rows = [row for row in judged.rows if row.stance in DECIDED]
        verdict = weigh_rows(rows, judged.sentences).stance
        if verdict not in DECIDED:
            return own
        sources = _describe_sources(read.results, read.pages, judged.independence)
        used = sorted({row.source for row in rows})
        return replace(
            own,
            own_verdict=verdict,
            rows=tuple(replace(row, source=used.index(row.source)) for row in rows),
            sources=tuple(sources[place] for place in used),
            judged_by_rules_alone=judged.by_rules_alone,
        )


def _beside(web: ClaimCheck, own: ClaimCheck) -> ClaimCheck:
    """Return the check *web* with the rows and sources of the check *own* (of the user's documents) appended."""
    return replace(
        web,
        own_verdict=own.own_verdict,
        rows=(*web.rows, *(replace(row, source=row.source + len(web.sources)) for row in own.rows)),
        sources=(*web.sources, *own.sources),
        services=(*web.services, *own.services),
        judged_by_rules_alone=web.judged_by_rules_alone or own.judged_by_rules_alone,
    )


def _statements(claim: Claim) -> tuple[Statement, ...]:
    """Return what is compared of *claim*: of one found with the sentence before it, only its own sentence."""
    own = sentences_of(claim.text, MAX_STATEMENT_SENTENCES)[-1:] if claim.origin is ClaimOrigin.RULES else ()
    return (Statement(claim.start_s or 0.0, *(own or (claim.text,))),)


def _counts_of_nobody(claim: Claim) -> bool:
    """Return whether *claim*, in somebody's own words, has a number or a time, but no name."""
    stated = read_proposition(claim.text, None)
    return claim.origin is ClaimOrigin.USER and bool(stated.figures or stated.periods) and not subject_names(stated)


logger = logging.getLogger(__name__)

SEARCHES_PER_CLAIM = 2
"""The first search uses the claim's own words; if it finds nothing, the second uses a broader query."""
JUDGEMENTS_PER_CLAIM = 6
"""Most requests to a language model about the rows of a claim that no rule decides."""
_NOT_ASKED = "웹 검색을 사용할 수 없어 확인하지 못했어요 ({})."
_NOBODY = "켜 둔 웹 검색 서비스가 없어요"
_BROKE_OFF = {WebFailure.TIMEOUT: "검색이 시간 안에 끝나지 않았어요", WebFailure.SEARCH_FAILED: "검색에 문제가 생겼어요"}
_NAMELESS = "누구·무엇에 대한 말인지 적혀 있지 않아요. 이름을 넣어 적으면 더 잘 가릴 수 있어요."
_NO_SOURCES = "비교할 자료가 없어 맞는지 알 수 없어요."
_NOTHING = {
    WebFailure.NO_RESULTS: "관련 자료를 찾지 못했어요",
    WebFailure.NOT_RELEVANT: "찾은 자료가 모두 이 말과 관련이 적었어요",
}
_NEVER_SENT = (SearchStatus.API_KEY_MISSING, SearchStatus.COOLING_DOWN)


@dataclass(frozen=True, slots=True)
class ClaimChecker:
    """Compares claims of videos with the web; holds no state about any claim."""

    web: WebCheck
    own: LibraryChecker | None = None
    """Checks a claim against the library's documents as well; None leaves them out."""

    async def check(
        self, claim: Claim, video: VideoContext, *, fresh: bool = False, report: Callable[[ClaimCheck], None] = lambda _: None
    ) -> CheckOutcome:
        """Return the check of *claim* on the web; *report* is called with its progress on the event loop.

        Failures of searches and pages are not raised: if no web service answered the claim is FAILED, if nothing was found
        CHECKED without a verdict. Cancelling stops all requests.
        """
        await asyncio.to_thread(self.web.ready)
        own = asyncio.ensure_future(self._find_own(claim, video))  # beside the web, which takes longer
        try:
            checking = _Checking(self.web, claim, video, fresh, report)
            await checking.run()
            return replace(checking.outcome, check=_beside(checking.check, await own))
        finally:
            own.cancel()
            await asyncio.gather(own, return_exceptions=True)

    async def _find_own(self, claim: Claim, video: VideoContext) -> ClaimCheck:
        return ClaimCheck(claim=claim) if self.own is None else await self.own.find(claim, video)


class _Checking:
    """The check of one claim in progress."""

    def __init__(
        self, web: WebCheck, claim: Claim, video: VideoContext, fresh: bool, report: Callable[[ClaimCheck], None]
    ) -> None:
        self._web = web
        self._video = video
        self._fresh = fresh
        self._report = report
        self.check = ClaimCheck(claim=claim)
        self.outcome = CheckOutcome()

    async def run(self) -> None:
        """Run the check to its end."""
        self._report_progress(state=ClaimState.SEARCHING)
        report = await self._search()
        if isinstance(report, WebAnswerFailed):
            logger.warning("A claim could not be checked (%s): %s", report.failure, report.cause)
            self._end(state=ClaimState.FAILED, failure=_NOT_ASKED.format(_BROKE_OFF[report.failure]))
            return
        self.outcome = replace(self.outcome, searches=sum(map(_count_sent, report.replies)))
        report = replace(report, replies=without_pauses(report.replies))
        evidence = CitableResults.of(report, at_most=MAX_SOURCES)
        if not evidence.sources:
            self._end_without_sources(report)
            return
        services = sources_found(evidence, report, self._web.labels).ledger
        self._report_progress(query=query_of(report), services=services)
        await self._compare_with(evidence.results)

    async def _search(self) -> SearchReport | WebAnswerFailed:
        claim = self.check.claim
        text = shorten(claim.text.strip(), MAX_QUESTION_CHARS)
        question = Question(text=text, video=self._video, moment_s=claim.start_s)
        subject = await asyncio.to_thread(self._web.subject, self._video, text, claim.start_s)
        async with self._web.open_search(question, subject, fresh=self._fresh) as running:
            self._report_progress(query=(await running.event()).question)
            return await running.result

    def _end_without_sources(self, report: SearchReport) -> None:
        """End the check without sources: either no service answered, or nothing was found."""
        nothing = no_evidence(report.question, report, self._web.labels)
        lines = ledger([reply for reply in report.replies if reply.web], self._web.labels, report.created_at)
        query, services = report.constructed.text, tuple(line.korean for line in lines)
        asked_for = " / ".join(f"‘{query}’" for query in dict.fromkeys(reply.query for reply in report.replies if reply.query))
        if nothing.failure is WebFailure.UNAVAILABLE:
            logger.warning("A claim could not be checked (%s): %s", nothing.failure, nothing.cause)
            failure = _NOT_ASKED.format(reasons(report.replies, self._web.labels) or _NOBODY)
            self._end(state=ClaimState.FAILED, query=query, services=services, failure=failure)
            return
        asked = ", ".join(line.label for line in lines if line.reply.status.answered)
        failure = f"{asked}에서 {asked_for} 검색어로 찾아봤지만 {_NOTHING[nothing.failure]}."
        self._end(
            state=ClaimState.CHECKED,
            verdict=Stance.CANNOT_TELL,
            query=query,
            services=services,
            failure=failure,
            why=_NO_SOURCES,
            below_threshold=len({result.url for reply in report.replies if reply.web for result in reply.results}),
        )

    async def _compare_with(self, results: Sequence[SearchResult]) -> None:
        self._report_progress(state=ClaimState.READING)
        read = await self._web.read_sources(results, self._video)
        judged, language = await self._web.judge_sources(_statements(self.check.claim), self._video, read, JUDGEMENTS_PER_CLAIM)
        pages = sum(not isinstance(page, PageFailure) for page in read.pages.values())
        self.outcome = replace(self.outcome, pages=pages, judging=language.cost)
        rows = judged.evidence
        verdict = await asyncio.to_thread(weigh_rows, rows, judged.sentences)
        nameless = verdict.stance is Stance.CANNOT_TELL and _counts_of_nobody(self.check.claim)
        self._end(
            state=ClaimState.CHECKED,
            verdict=verdict.stance,
            rows=rows,
            sources=_describe_sources(read.results, read.pages, judged.independence),
            independent=verdict.independent,
            why=f"{verdict.why} {_NAMELESS}" if nameless else verdict.why,
            services=(*self.check.services, *([language.failure] if language.failure else [])),
            judged_by_rules_alone=judged.by_rules_alone,
        )

    def _report_progress(self, **changes: object) -> None:
        self.check = replace(self.check, **changes)  # type: ignore[arg-type]
        self._report(self.check)

    def _end(self, **changes: object) -> None:
        self.check = replace(self.check, **changes)  # type: ignore[arg-type]


def _describe_sources(
    results: Sequence[SearchResult], pages: Mapping[int, object], independence: Sequence[SourceIndependence]
) -> tuple[ClaimSource, ...]:
    """Return *results* as sources of a claim; *pages* has the outcome of reading each page, by number."""
    return tuple(
        ClaimSource(
            title=result.title,
            url=result.url,
            domain=host_name(result.url),
            publish_date=result.publish_date,
            read=not isinstance(pages[number], PageFailure) if number in pages else None,
            failure=str(page) if isinstance(page := pages.get(number), PageFailure) else "",
            speakers_own=independent.own,
            story=independent.story,
            collection=result.collection,
        )
        for number, (result, independent) in enumerate(zip(results, independence, strict=True), start=1)
    )


def _count_sent(reply: ProviderReply) -> int:
    """Return how many requests for *reply* went to a service of the web, not to the cache."""
    sent = reply.web and (reply.stale or not reply.from_cache) and reply.status not in _NEVER_SENT
    return 1 + len(reply.also) if sent else 0
