"""The sources of one claim: whose they are, which of them are one witness, and what became of reading them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from search_core.claims.checking.affiliated_sources import AffiliatedSources
from search_core.domain import ClaimSource, SearchResult, Stance, StanceRow
from search_core.errors import PageFailure
from search_core.stance.independence import SourceIndependence, story_numbers
from search_core.web_address import host_name

_OWN = "말한 쪽의 자료라 따로 세지 않아요."
_REPORTS = "말한 쪽의 말을 전할 뿐이라 따로 세지 않아요."
_COPY_OF_OWN = "말한 쪽이 낸 글을 옮긴 것이라 따로 세지 않아요."


@dataclass(frozen=True, slots=True)
class IndependentSources:
    """Says of each source which story it repeats and whether it counts."""

    stories: tuple[int, ...]
    """By index of the source: the number of its story; one number for all that one publisher prints."""
    own: tuple[bool, ...]
    """By index: whether it comes from those who speak in the video."""
    copies_own: tuple[bool, ...]
    """By index: whether it copies what one of these published."""

    @classmethod
    def of(
        cls, results: Sequence[SearchResult], standings: Sequence[SourceIndependence], speakers: AffiliatedSources
    ) -> IndependentSources:
        """Return how far *results* are independent of each other and of the *speakers*."""
        own = tuple(map(speakers.is_own, results))
        told_by_own = {standing.group for standing, theirs in zip(standings, own, strict=True) if theirs}
        copies = tuple(standing.group in told_by_own and not theirs for standing, theirs in zip(standings, own, strict=True))
        return cls(story_numbers(results, standings), own, copies)

    def counts(self, row: StanceRow, speakers: AffiliatedSources) -> bool:
        """Return whether the source of *row* counts: one that only reports the speaker's words does not."""
        if row.restates_video or self.own[row.source] or self.copies_own[row.source]:
            return False
        return row.stance is not Stance.AGREE or not speakers.reports(row.quote)

    def describe(self, row: StanceRow, *, counts: bool) -> StanceRow:
        """Return *row* with the reason where its source does not count."""
        if counts or row.restates_video:
            return row
        if self.own[row.source]:
            return replace(row, why=f"{row.why} {_OWN}")
        word = _COPY_OF_OWN if self.copies_own[row.source] else _REPORTS
        return replace(row, why=f"{row.why} {word}", restates_video=True)


def describe_sources(
    results: Sequence[SearchResult], read: Mapping[int, object], independent_sources: IndependentSources
) -> tuple[ClaimSource, ...]:
    """Return *results* as sources of a claim; *read* says by number what became of reading a page."""
    return tuple(
        ClaimSource(
            title=result.title,
            url=result.url,
            domain=host_name(result.url),
            publish_date=result.publish_date,
            read=not isinstance(read[number], PageFailure) if number in read else None,
            failure=str(found) if isinstance(found := read.get(number), PageFailure) else "",
            speakers_own=independent_sources.own[number - 1],
            story=independent_sources.stories[number - 1],
            collection=result.collection,
        )
        for number, result in enumerate(results, start=1)
    )
