"""One claim held against the web: search, sources, pages, what each says of it, and one verdict."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from search_core.answering.checking.pages import PageRead, add_page_dates, read_pages, texts_of
from search_core.answering.checking.statements import names_something
from search_core.answering.question_scorer import QuestionScorer
from search_core.answering.web_answer import Evidence, query_of
from search_core.answering.web_failure import no_evidence
from search_core.answering.web_search import QueryCallback, sources_found, start_search
from search_core.claims.checking.independent_sources import describe_sources
from search_core.claims.checking.own_documents import OwnDocuments, OwnFindings
from search_core.claims.checking.second_query import second_query
from search_core.claims.checking.weighing import JudgedClaim, find_independent_sources, judge_claim
from search_core.domain import (
    MAX_QUESTION_CHARS,
    Claim,
    ClaimCheck,
    ClaimState,
    JudgingCost,
    ProviderReply,
    Question,
    SearchReport,
    SearchResult,
    SearchStatus,
    Stance,
    VideoContext,
    WebAnswerFailed,
    WebFailure,
    web_answered,
)
from search_core.errors import PageFailure
from search_core.presenting import ledger, without_pauses
from search_core.presenting.ledger import reasons
from search_core.sentences import shorten
from search_core.stance.language_model import JudgeModel, judge_open_rows

logger = logging.getLogger(__name__)

ClaimSearch = Callable[[Question, str, bool, QueryCallback], Awaitable[SearchReport]]
"""Searches services of the web for a claim about a subject, bypassing the cache where the third argument is true; hands over
the query, on the event loop, as soon as it is put together."""

MAX_CLAIM_SOURCES = 8
SEARCHES_PER_CLAIM = 2
"""The claim's own words, and where they find nothing a broader query."""
JUDGEMENTS_PER_CLAIM = 1
"""Requests to a language model at most, for what is open of a claim."""
READING_S = 8.0
_NOT_ASKED = "웹 검색을 사용할 수 없어 확인하지 못했어요 ({})."
_NOBODY = "켜 둔 웹 검색 서비스가 없어요"
_BROKE_OFF = {WebFailure.TIMEOUT: "검색이 시간 안에 끝나지 않았어요", WebFailure.SEARCH_FAILED: "검색에 문제가 생겼어요"}
_NO_SOURCES = "견줄 자료가 없어 맞는지 알 수 없어요."
_NOTHING = {
    WebFailure.NO_RESULTS: "관련 자료를 찾지 못했어요",
    WebFailure.NOT_RELEVANT: "찾은 자료가 모두 이 말과 관련이 적었어요",
}
_NEVER_SENT = (SearchStatus.API_KEY_MISSING, SearchStatus.COOLING_DOWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimOutcome:
    """The outcome of the check of one claim, and its cost."""

    check: ClaimCheck
    search_ms: float = 0.0
    reading_ms: float = 0.0
    comparison_ms: float = 0.0
    searches: int = 0
    """Requests to search services that were sent."""
    pages: int = 0
    """Pages that were read."""
    judging: JudgingCost = field(default_factory=JudgingCost)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimChecker:
    """Compares claims of videos with the web; holds no state about any of them."""

    scorer: QuestionScorer
    search: ClaimSearch
    subject_of: Callable[[VideoContext], str]
    """Says in a word or a name what a video is about; called on a worker thread."""
    read: PageRead
    own: OwnDocuments | None = None
    """Says what documents of the library say, beside the web; None leaves them out."""
    judge: JudgeModel | None = None
    """Judges what rules and the model of entailment leave open of the web; None leaves it so."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """What search services are called."""
    pages: int = 5
    """How many pages are read; of the other sources the snippet counts."""
    search_timeout_s: float = 20.0
    reading_timeout_s: float = READING_S
    """For all pages together."""
    clock: Callable[[], float] = time.monotonic
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ready: Callable[[], None] = lambda: None
    """Returns when what is slow to load is there; called on a worker thread."""
    wait_for_reader: Callable[[], None] = lambda: None
    """Returns when pages can be read; called on a worker thread, before the time for them begins."""

    async def check(
        self, claim: Claim, video: VideoContext, *, fresh: bool = False, report: Callable[[ClaimCheck], None] = lambda _: None
    ) -> ClaimOutcome:
        """Return the check of *claim* by the web; *report* receives its progress on the event loop, but not its end.

        Nothing that searches and pages do is raised: a claim for which no service of the web answered is FAILED, one for which
        nothing was found is CHECKED without a verdict. Cancelling stops all requests.
        """
        await asyncio.to_thread(self.ready)
        own = asyncio.ensure_future(self._find_own(claim, video))  # beside the web, which takes longer
        try:
            outcome = await _Checking(self, claim, video, fresh, report).outcome()
            return replace(outcome, check=(await own).beside(outcome.check))
        finally:
            own.cancel()
            await asyncio.gather(own, return_exceptions=True)

    async def _find_own(self, claim: Claim, video: VideoContext) -> OwnFindings:
        return OwnFindings() if self.own is None else await self.own.find(claim, video)


class _Checking:
    """The check of one claim under way."""

    def __init__(
        self, parts: ClaimChecker, claim: Claim, video: VideoContext, fresh: bool, report: Callable[[ClaimCheck], None]
    ) -> None:
        self._parts = parts
        self._video = video
        self._fresh = fresh
        self._report = report
        self._check = ClaimCheck(claim=claim)
        self._outcome = ClaimOutcome(check=self._check)

    async def outcome(self) -> ClaimOutcome:
        begun = self._parts.clock()
        self._report_progress(state=ClaimState.SEARCHING)
        found = await self._search_twice()
        self._outcome = replace(self._outcome, search_ms=self._since(begun))
        if isinstance(found, WebAnswerFailed):
            logger.warning("A claim could not be checked (%s): %s", found.failure, found.cause)
            return self._end(state=ClaimState.FAILED, failure=_NOT_ASKED.format(_BROKE_OFF[found.failure]))
        self._outcome = replace(self._outcome, searches=sum(map(_count_sent, found.replies)))
        found = replace(found, replies=without_pauses(found.replies))
        evidence = Evidence.of(found, at_most=MAX_CLAIM_SOURCES)
        if not evidence.sources:
            return self._without_sources(found)
        services = sources_found(evidence, found, self._parts.labels).ledger
        self._report_progress(query=query_of(found), services=services)
        return await self._compare_with(evidence.results)

    async def _search_twice(self) -> SearchReport | WebAnswerFailed:
        """Search for the claim and, where services answered and found nothing to rest on, once more without its values."""
        text = self._check.claim.text.strip()
        found = await self._search(text)
        if isinstance(found, WebAnswerFailed) or not web_answered(found.replies):
            return found
        if Evidence.of(found, at_most=1).sources:
            return found
        broader = await asyncio.to_thread(second_query, text, self._parts.scorer.constructor)
        again = await self._search(broader) if broader else found
        if isinstance(again, WebAnswerFailed) or again is found:
            return found
        return replace(again, constructed=found.constructed, replies=(*found.replies, *again.replies))

    async def _search(self, text: str) -> SearchReport | WebAnswerFailed:
        question = Question(text=shorten(text, MAX_QUESTION_CHARS), video=self._video)
        subject = await asyncio.to_thread(self._subject)

        def search(on_query: QueryCallback) -> Awaitable[SearchReport]:
            return self._parts.search(question, subject, self._fresh, on_query)

        async with start_search(search, question, self._parts.search_timeout_s) as running:
            self._report_progress(query=(await running.event()).question)
            return await running.result

    def _subject(self) -> str:
        """Return the subject of the video for a claim that names nobody and nothing; empty for one that does."""
        return "" if names_something(self._check.claim.text) else self._parts.subject_of(self._video)

    def _without_sources(self, found: SearchReport) -> ClaimOutcome:
        """End the check without sources: either no service answered, or nothing was found."""
        nothing = no_evidence(found.question, found, self._parts.labels)
        lines = ledger([reply for reply in found.replies if reply.web], self._parts.labels, found.created_at)
        query, services = found.constructed.text, tuple(line.korean for line in lines)
        asked_for = " / ".join(f"‘{each}’" for each in dict.fromkeys(reply.query for reply in found.replies if reply.query))
        if nothing.failure is WebFailure.UNAVAILABLE:
            logger.warning("A claim could not be checked (%s): %s", nothing.failure, nothing.cause)
            failure = _NOT_ASKED.format(reasons(found.replies, self._parts.labels) or _NOBODY)
            return self._end(state=ClaimState.FAILED, query=query, services=services, failure=failure)
        asked = ", ".join(line.label for line in lines if line.status.answered)
        failure = f"{asked}에서 {asked_for} 검색어로 찾아봤지만 {_NOTHING[nothing.failure]}."
        return self._end(
            state=ClaimState.CHECKED,
            verdict=Stance.CANNOT_TELL,
            query=query,
            services=services,
            failure=failure,
            why=_NO_SOURCES,
        )

    async def _compare_with(self, results: Sequence[SearchResult]) -> ClaimOutcome:
        before = await asyncio.to_thread(find_independent_sources, results, self._video)
        self._report_progress(state=ClaimState.READING, sources=describe_sources(results, {}, before))
        begun = self._parts.clock()
        others = [number for number, own in enumerate(before.own, start=1) if not own]
        urls = {number: results[number - 1].url for number in others[: self._parts.pages]}
        read = await read_pages(urls, self._parts.read, self._parts.reading_timeout_s, self._parts.wait_for_reader)
        pages = sum(not isinstance(page, PageFailure) for page in read.values())
        self._outcome = replace(self._outcome, reading_ms=self._since(begun), pages=pages)
        begun = self._parts.clock()
        dated = add_page_dates(results, read)
        scorer = self._parts.scorer
        judged = await asyncio.to_thread(
            judge_claim,
            self._check.claim,
            self._video,
            dated,
            texts_of(dated, read),
            self._parts.now(),
            scorer.similarities,
            scorer.entailments,
            open_windows=self._parts.judge is not None,
        )
        judged = await self._judge_further(judged)
        weighed = await asyncio.to_thread(judged.weigh)
        self._outcome = replace(self._outcome, comparison_ms=self._since(begun))
        return self._end(
            state=ClaimState.CHECKED,
            verdict=weighed.verdict.stance,
            rows=weighed.rows,
            sources=describe_sources(dated, read, weighed.independent_sources),
            independent=weighed.verdict.independent,
            why=weighed.verdict.why,
            judged_by_rules_alone=weighed.judged_by_rules_alone,
        )

    async def _judge_further(self, judged: JudgedClaim) -> JudgedClaim:
        """Return *judged* with what a language model decides of it; how it failed stands beside what services answered."""
        if self._parts.judge is None or not judged.open:
            return judged
        entails = self._parts.scorer.entailments
        found = await judge_open_rows(self._parts.judge, judged.open, entails, most_requests=JUDGEMENTS_PER_CLAIM)
        self._outcome = replace(self._outcome, judging=found.cost)
        if found.failure:
            self._check = replace(self._check, services=(*self._check.services, found.failure))
        return judged.with_decided(found.rows, found.silent)

    def _report_progress(self, **changes: object) -> None:
        self._check = replace(self._check, **changes)  # type: ignore[arg-type]
        self._report(self._check)

    def _end(self, **changes: object) -> ClaimOutcome:
        return replace(self._outcome, check=replace(self._check, **changes))  # type: ignore[arg-type]

    def _since(self, begun: float) -> float:
        return (self._parts.clock() - begun) * 1000


def _count_sent(reply: ProviderReply) -> int:
    """Return how many requests for *reply* went to a service of the web, not to the cache."""
    sent = reply.web and (reply.stale or not reply.from_cache) and reply.status not in _NEVER_SENT
    return sent + reply.retried
