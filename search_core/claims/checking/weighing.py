"""A claim held against sources that were found and read: what each says, whose word counts, and what it comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from search_core.answering.comparison import Nearness, asserted_sentences, compare
from search_core.answering.comparison.independence import standings
from search_core.claims.checking.speakers_own import SpeakersOwn
from search_core.claims.checking.verdict import ClaimVerdict, weigh_rows
from search_core.claims.checking.witnesses import Witnesses
from search_core.domain import Claim, SearchResult, StanceRow, Statement, VideoContext
from search_core.presenting.dates import day_in_korea


@dataclass(frozen=True, slots=True)
class WeighedClaim:
    """What sources say of a claim."""

    verdict: ClaimVerdict
    rows: tuple[StanceRow, ...]
    """The surest first for each sentence of the claim; ``independent_of`` is the story of the source."""
    witnesses: Witnesses


def find_witnesses(results: Sequence[SearchResult], video: VideoContext) -> Witnesses:
    """Return how far *results* are independent of each other and of who speaks, as far as their snippets tell."""
    return Witnesses.of(results, standings(results, [result.snippet for result in results], video), SpeakersOwn(video))


def weigh_claim(
    claim: Claim,
    video: VideoContext,
    results: Sequence[SearchResult],
    texts: Mapping[str, str],
    now: datetime,
    nearness: Nearness | None = None,
) -> WeighedClaim:
    """Return what *results* say of *claim*; *texts* holds by address what was read, of others the snippet counts.

    *nearness* is asked of sentences in two languages and of what pages rule on.
    """
    speakers = SpeakersOwn(video)
    told = standings(results, [texts.get(result.url) or result.snippet for result in results], video, nearness)
    witnesses = Witnesses.of(results, told, speakers)
    at = claim.start_s or 0.0
    sentences = asserted_sentences(claim.text, day_in_korea(video.published_at) if video.published_at else None)
    compared = compare([Statement(at, at, sentence) for sentence in sentences], results, video, now, texts, nearness, told)
    counts = [witnesses.counts(row, speakers) for row in compared.rows]
    rows = tuple(witnesses.describe(row, counts=counted) for row, counted in zip(compared.rows, counts, strict=True))
    verdict = weigh_rows(rows, counts, sentences)
    return WeighedClaim(verdict, rows, witnesses)
