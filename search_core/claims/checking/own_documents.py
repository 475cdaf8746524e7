"""Compares a claim with documents of the library, shown beside the web's verdict, never in its index."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from search_core.answering.checking.pages import PageRead, read_pages, texts_of
from search_core.answering.question_scorer import QuestionScorer
from search_core.domain import (
    MAX_QUESTION_CHARS,
    Claim,
    ClaimCheck,
    ClaimSource,
    Question,
    SearchReport,
    SearchResult,
    SearchStatus,
    Stance,
    StanceRow,
    Statement,
    VideoContext,
)
from search_core.presenting import ledger
from search_core.presenting.dates import day_in_korea
from search_core.sentences import shorten
from search_core.stance import asserted_sentences, judge_sources
from search_core.stance.weighing import weigh_rows

MAX_DOCUMENTS = 6
READING_S = 4.0
_EMPTY = SearchStatus.API_KEY_MISSING
"""The status of a library without documents, which is not reported."""
_DECIDED = (Stance.AGREE, Stance.CONTRADICTS, Stance.CHANGED)
"""The verdicts for which documents are shown."""


@dataclass(frozen=True, slots=True)
class OwnFindings:
    """What documents of the library say of one claim."""

    verdict: Stance | None = None
    rows: tuple[StanceRow, ...] = ()
    """Their sources are numbers in ``sources``."""
    sources: tuple[ClaimSource, ...] = ()
    failures: tuple[str, ...] = ()
    """A Korean sentence where the library could not be searched."""
    judged_by_rules_alone: bool = False

    def beside(self, check: ClaimCheck) -> ClaimCheck:
        """Return *check* with these findings behind what the web says, which stays as it is."""
        behind = len(check.sources)
        return replace(
            check,
            own_verdict=self.verdict,
            rows=(*check.rows, *(replace(row, source=row.source + behind) for row in self.rows)),
            sources=(*check.sources, *self.sources),
            services=(*check.services, *self.failures),
            judged_by_rules_alone=check.judged_by_rules_alone or self.judged_by_rules_alone,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDocuments:
    """Compares claims with documents of the library; holds no state about any of them."""

    search: Callable[[Question], Awaitable[SearchReport | None]]
    """Searches the library alone; None where it is not to be asked."""
    read: PageRead
    scorer: QuestionScorer
    labels: Mapping[str, str]
    """What search services are called."""
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    async def find(self, claim: Claim, video: VideoContext) -> OwnFindings:
        """Return the documents that agree with *claim* or differ from it. Cancelling stops all of it."""
        question = Question(text=shorten(claim.text.strip(), MAX_QUESTION_CHARS), video=video)
        report = await self.search(question)
        if report is None:
            return OwnFindings()
        lines = ledger([reply for reply in report.replies if not reply.web], self.labels, report.created_at)
        failures = tuple(line.korean for line in lines if not line.status.answered and line.status is not _EMPTY)
        found = [result for result in (*report.results, *report.hidden) if result.own][:MAX_DOCUMENTS]
        read = await read_pages({number: result.url for number, result in enumerate(found, start=1)}, self.read, READING_S)
        findings = await asyncio.to_thread(self._compare, claim, video, found, texts_of(found, read))
        return replace(findings, failures=failures)

    def _compare(self, claim: Claim, video: VideoContext, found: Sequence[SearchResult], texts: Mapping[str, str]) -> OwnFindings:
        at = claim.start_s or 0.0
        day = day_in_korea(video.published_at) if video.published_at else None
        sentences = asserted_sentences(claim.text, day)
        statements = [Statement(at, at, sentence) for sentence in sentences]
        scorer = self.scorer
        judged = judge_sources(statements, found, video, self.now(), texts, scorer.similarities, entails=scorer.entailments)
        rows = [row for row in judged.rows if row.stance in _DECIDED]
        verdict = weigh_rows(rows, [not row.restates_video for row in rows], sentences).stance
        if verdict not in _DECIDED:
            return OwnFindings()
        used = sorted({row.source for row in rows})
        numbers = {index: number for number, index in enumerate(used)}
        return OwnFindings(
            verdict=verdict,
            rows=tuple(replace(row, source=numbers[row.source]) for row in rows),
            sources=tuple(_source(found[index]) for index in used),
            judged_by_rules_alone=judged.by_rules_alone,
        )


def _source(result: SearchResult) -> ClaimSource:
    return ClaimSource(
        title=result.title,
        url=result.url,
        domain="",
        publish_date=result.publish_date,
        collection=result.collection,
    )
