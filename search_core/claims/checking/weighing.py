"""A claim held against sources that were found and read: what each says, whose word counts, and what it comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from search_core.claims.checking.affiliated_sources import AffiliatedSources
from search_core.claims.checking.independent_sources import IndependentSources
from search_core.domain import Claim, SearchResult, StanceRow, Statement, VideoContext
from search_core.presenting.dates import day_in_korea
from search_core.stance import Nearness, asserted_sentences
from search_core.stance.compare import judge_sources
from search_core.stance.independence import standings
from search_core.stance.judge import Entails
from search_core.stance.judgement import Judgement, OpenRow
from search_core.stance.weighing import StatementVerdict, weigh_rows


@dataclass(frozen=True, slots=True)
class WeighedClaim:
    """What sources say of a claim."""

    verdict: StatementVerdict
    rows: tuple[StanceRow, ...]
    """The surest first for each sentence of the claim; ``independent_of`` is the story of the source."""
    independent_sources: IndependentSources
    judged_by_rules_alone: bool


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """How sources stand to the sentences of a claim, before it is weighed."""

    sentences: tuple[str, ...]
    judgement: Judgement
    independent_sources: IndependentSources
    speakers: AffiliatedSources

    @property
    def open(self) -> tuple[OpenRow, ...]:
        """Return what is open of sources other than the speakers' own, which do not count."""
        return tuple(each for each in self.judgement.open if not self.independent_sources.own[each.row.source])

    def with_decided(self, rows: Sequence[StanceRow], silent: Sequence[StanceRow] = ()) -> JudgedClaim:
        """Return it with *rows* in the place of those that were open, and without those found *silent*."""
        return replace(self, judgement=self.judgement.with_decided(rows, silent))

    def weigh(self) -> WeighedClaim:
        """Return whose word counts, and what it comes to."""
        rows, sources = self.judgement.rows, self.independent_sources
        counts = [sources.counts(row, self.speakers) for row in rows]
        described = tuple(sources.describe(row, counts=counted) for row, counted in zip(rows, counts, strict=True))
        verdict = weigh_rows(described, counts, self.sentences)
        return WeighedClaim(verdict, described, sources, self.judgement.by_rules_alone)


def find_independent_sources(results: Sequence[SearchResult], video: VideoContext) -> IndependentSources:
    """Return how far *results* are independent of each other and of the speakers, judged by their snippets."""
    return IndependentSources.of(
        results, standings(results, [result.snippet for result in results], video), AffiliatedSources(video)
    )


def judge_claim(
    claim: Claim,
    video: VideoContext,
    results: Sequence[SearchResult],
    texts: Mapping[str, str],
    now: datetime,
    nearness: Nearness | None = None,
    entails: Entails | None = None,
    *,
    open_windows: bool = False,
) -> JudgedClaim:
    """Return how *results* stand to *claim*; *texts* holds by address what was read, of others the snippet counts.

    *nearness*, *entails* and *open_windows* are as ``judge_sources`` takes them.
    """
    speakers = AffiliatedSources(video)
    told = standings(results, [texts.get(result.url) or result.snippet for result in results], video, nearness)
    at = claim.start_s or 0.0
    sentences = asserted_sentences(claim.text, day_in_korea(video.published_at) if video.published_at else None)
    statements = [Statement(at, at, sentence) for sentence in sentences]
    judgement = judge_sources(statements, results, video, now, texts, nearness, told, entails, open_windows=open_windows)
    return JudgedClaim(sentences, judgement, IndependentSources.of(results, told, speakers), speakers)
