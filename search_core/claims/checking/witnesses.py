"""The sources of one claim: whose they are, which of them are one witness, and what became of reading them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from search_core.answering.comparison.independence import Standing
from search_core.claims.checking.publishers import publisher_of
from search_core.claims.checking.speakers_own import SpeakersOwn
from search_core.domain import ClaimSource, SearchResult, Stance, StanceRow
from search_core.errors import PageFailure
from search_core.web_address import host_name

_OWN = "말한 쪽의 자료라 따로 세지 않아요."
_REPORTS = "말한 쪽의 말을 전할 뿐이라 따로 세지 않아요."
_COPY_OF_OWN = "말한 쪽이 낸 글을 옮긴 것이라 따로 세지 않아요."


@dataclass(frozen=True, slots=True)
class Witnesses:
    """Says of each source which story it tells and whether its word counts."""

    stories: tuple[int, ...]
    """By place: the number of the story; one number for all that one publisher prints."""
    own: tuple[bool, ...]
    """By place: whether it comes from those who speak in the video."""
    copies_own: tuple[bool, ...]
    """By place: whether it prints what one of these published."""

    @classmethod
    def of(cls, results: Sequence[SearchResult], standings: Sequence[Standing], speakers: SpeakersOwn) -> Witnesses:
        """Return how far *results* are independent of each other and of the *speakers*."""
        story_of: dict[str, int] = {}
        joined: dict[int, int] = {}
        for result, standing in zip(results, standings, strict=True):
            first = story_of.setdefault(publisher_of(result), standing.group)
            low, high = sorted((_root(joined, first), _root(joined, standing.group)))
            joined[high] = low
        roots = [_root(joined, standing.group) for standing in standings]
        numbers = {root: number for number, root in enumerate(dict.fromkeys(roots))}
        own = tuple(map(speakers.is_own, results))
        told_by_own = {standing.group for standing, theirs in zip(standings, own, strict=True) if theirs}
        copies = tuple(standing.group in told_by_own and not theirs for standing, theirs in zip(standings, own, strict=True))
        return cls(tuple(numbers[root] for root in roots), own, copies)

    def counts(self, row: StanceRow, speakers: SpeakersOwn) -> bool:
        """Tell whether the source of *row* bears witness: who only reports the speaker's words agrees with nobody else."""
        if row.restates_video or self.own[row.source] or self.copies_own[row.source]:
            return False
        return row.stance is not Stance.AGREE or not speakers.reports(row.quote)

    def describe(self, row: StanceRow, *, counts: bool) -> StanceRow:
        """Return *row* with the story of its source, and with a word on why its source bears no witness where it does not."""
        found = replace(row, independent_of=self.stories[row.source])
        if counts or row.restates_video:
            return found
        if self.own[row.source]:
            return replace(found, why=f"{row.why} {_OWN}")
        word = _COPY_OF_OWN if self.copies_own[row.source] else _REPORTS
        return replace(found, why=f"{row.why} {word}", restates_video=True)


def describe_sources(
    results: Sequence[SearchResult], read: Mapping[int, object], witnesses: Witnesses
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
            speakers_own=witnesses.own[number - 1],
            story=witnesses.stories[number - 1],
            collection=result.collection,
        )
        for number, result in enumerate(results, start=1)
    )


def _root(joined: Mapping[int, int], group: int) -> int:
    while joined.get(group, group) != group:
        group = joined[group]
    return group
