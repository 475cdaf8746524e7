"""A claim weighed against its sources: who publishes them, what they say, which count, and the verdict."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import urlsplit

from search_core.checking.verdicts.compare import asserted_sentences, judge_sources
from search_core.checking.verdicts.independence import (
    SourceIndependence,
    is_of_video,
    judge_independence,
    registered_domain,
    site_label,
    story_numbers,
)
from search_core.checking.verdicts.judge import Entails, Judgement, OpenRow
from search_core.checking.verdicts.weighing import StatementVerdict, weigh_rows
from search_core.domain.claim import Claim, ClaimSource
from search_core.domain.result import SearchResult
from search_core.domain.stance import Stance, StanceRow, Statement
from search_core.domain.video import VideoContext
from search_core.errors import PageFailure
from search_core.language import word_set
from search_core.language.statements.alignment import held_names, same_name
from search_core.language.web_address import host_name
from search_core.search.presenting.dates import day_in_korea

_OWN = "말한 쪽의 자료라 따로 세지 않아요."
_REPORTS = "말한 쪽의 말을 전할 뿐이라 따로 세지 않아요."
_COPY_OF_OWN = "말한 쪽이 낸 글을 옮긴 것이라 따로 세지 않아요."
MIN_LABEL_CHARS = 3
_LINK = re.compile(r"https?://[^\s<>\"')\]]+")
_WIRES = word_set(
    """
    prnewswire.com prnewswire.co.uk businesswire.com globenewswire.com newswire.co.kr newswire.com accesswire.com
    einpresswire.com prweb.com marketersmedia.com
    """
)
"""Services that print what companies announce, word for word."""
_SAYS = re.compile(
    r"(?:라고|다고|며|고)\s?(?:말|밝|주장|강조|설명|전|언급|덧붙|소개|발표)|(?:에 따르면|에 의하면)"
    r"|\b(?:said|says|claimed|claims|told|stated|announced|added|explained|according to|argued)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class IndependentSources:
    """Says for each source which story it repeats and whether it counts."""

    stories: tuple[int, ...]
    """By index of the source: the number of its story; one number for all that one publisher prints."""
    own: tuple[bool, ...]
    """By index: whether it comes from those who speak in the video."""
    copies_own: tuple[bool, ...]
    """By index: whether it copies what one of these published."""

    @classmethod
    def of(
        cls, results: Sequence[SearchResult], independence: Sequence[SourceIndependence], speakers: AffiliatedSources
    ) -> IndependentSources:
        """Return how independent *results* are of each other and of the *speakers*."""
        own = tuple(map(speakers.is_own, results))
        told_by_own = {source.group for source, theirs in zip(independence, own, strict=True) if theirs}
        copies = tuple(source.group in told_by_own and not theirs for source, theirs in zip(independence, own, strict=True))
        return cls(story_numbers(results, independence), own, copies)

    def counts(self, row: StanceRow, speakers: AffiliatedSources) -> bool:
        """Return whether the source of *row* counts: one that only quotes the speaker does not."""
        if row.restates_video or self.own[row.source] or self.copies_own[row.source]:
            return False
        return row.stance is not Stance.AGREE or not speakers.reports(row.quote)

    def describe(self, row: StanceRow, *, counts: bool) -> StanceRow:
        """Return *row* with the reason if its source does not count."""
        if counts or row.restates_video:
            return row
        if self.own[row.source]:
            return replace(row, why=f"{row.why} {_OWN}")
        word = _COPY_OF_OWN if self.copies_own[row.source] else _REPORTS
        return replace(row, why=f"{row.why} {word}", restates_video=True)


def describe_sources(
    results: Sequence[SearchResult], read: Mapping[int, object], independent_sources: IndependentSources
) -> tuple[ClaimSource, ...]:
    """Return *results* as sources of a claim; *read* has the outcome of reading each page, by number."""
    return tuple(
        ClaimSource(
            title=result.title,
            url=result.url,
            domain=host_name(result.url),
            publish_date=result.publish_date,
            read=not isinstance(read[number], PageFailure) if number in read else None,
            failure=str(outcome) if isinstance(outcome := read.get(number), PageFailure) else "",
            speakers_own=independent_sources.own[number - 1],
            story=independent_sources.stories[number - 1],
            collection=result.collection,
        )
        for number, result in enumerate(results, start=1)
    )


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """The stances of sources to the sentences of a claim, before weighing."""

    sentences: Sequence[str]
    judgement: Judgement
    independent_sources: IndependentSources
    speakers: AffiliatedSources

    @property
    def open(self) -> tuple[OpenRow, ...]:
        """Return the open rows of sources, except the speakers' own, which do not count."""
        return tuple(row for row in self.judgement.open if not self.independent_sources.own[row.row.source])

    def with_decided(self, rows: Sequence[StanceRow], silent: Sequence[StanceRow] = ()) -> JudgedClaim:
        """Return this with *rows* replacing the open ones, and without the *silent* ones."""
        return replace(self, judgement=self.judgement.with_decided(rows, silent))

    def weigh(self) -> tuple[StatementVerdict, tuple[StanceRow, ...]]:
        """Return the verdict, and the rows with the reason if a source does not count.

        The surest stand first for each sentence of the claim; ``independent_of`` is the story of the source.
        """
        sources = self.independent_sources
        passages = (row for row in self.judgement.passages if not (sources.own[row.source] or sources.copies_own[row.source]))
        rows = replace(self.judgement, passages=tuple(passages)).evidence
        counts = [sources.counts(row, self.speakers) for row in rows]
        described = tuple(sources.describe(row, counts=counted) for row, counted in zip(rows, counts, strict=True))
        return weigh_rows(described, counts, self.sentences), described


def find_independent_sources(results: Sequence[SearchResult], video: VideoContext) -> IndependentSources:
    """Return how independent *results* are of each other and of the speakers, judged by their snippets."""
    return IndependentSources.of(
        results, judge_independence(results, [result.snippet for result in results], video), AffiliatedSources(video)
    )


def judge_claim(
    claim: Claim,
    video: VideoContext,
    results: Sequence[SearchResult],
    texts: Mapping[str, str],
    now: datetime,
    entails: Entails | None = None,
    *,
    open_windows: bool = False,
) -> JudgedClaim:
    """Return the stances of *results* to *claim*; *texts* has pages by address, otherwise the snippet counts.

    *entails* and *open_windows* are as in ``judge_sources``.
    """
    speakers = AffiliatedSources(video)
    independence = judge_independence(results, [texts.get(result.url) or result.snippet for result in results], video)
    day = day_in_korea(video.published_at) if video.published_at else None
    at = claim.start_s or 0.0
    statements = [Statement(at, at, sentence) for sentence in asserted_sentences(claim.text, day)]
    judgement = judge_sources(statements, results, video, now, texts, independence, entails, open_windows=open_windows)
    return JudgedClaim(
        [statement.text for statement in statements], judgement, IndependentSources.of(results, independence, speakers), speakers
    )


class AffiliatedSources:
    """Tells which pages and sentences come from the speakers of one video."""

    def __init__(self, video: VideoContext) -> None:
        self._video = video
        people = tuple(name for name in video.speakers if " " in name.strip() or len(name) >= MIN_LABEL_CHARS)
        self.names = tuple(dict.fromkeys((*((video.channel,) if video.channel.strip() else ()), *people)))
        """The channel, and who speaks."""
        self._sites = _home_pages(video)

    def is_own(self, result: SearchResult) -> bool:
        """Return whether *result* is the video itself, or a page of its channel or a speaker."""
        if is_of_video(result, self._video):
            return True
        domain = registered_domain(result.url)
        if domain in self._sites or any(_names_site(name, result.url) for name in self.names):
            return True
        return domain in _WIRES and bool(held_names(self.names, result.title))

    def reports(self, sentence: str) -> bool:
        """Return whether *sentence* only quotes a speaker of the video ("젠슨 황은 …라고 말했다")."""
        return bool(_SAYS.search(sentence) and held_names(self.names, sentence))


def _names_site(name: str, url: str) -> bool:
    label = site_label(url)
    if len(label) < MIN_LABEL_CHARS:
        return False
    squeezed = re.sub(r"[^a-z0-9가-힣]", "", name.casefold())
    return label.replace("-", "") == squeezed or same_name(name, label)


def _home_pages(video: VideoContext) -> frozenset[str]:
    """Return the sites whose home page the description links to: the channel's own, or its sponsors'."""
    links = (match.group().rstrip(".,") for match in _LINK.finditer(video.description))
    home = (link for link in links if not urlsplit(link).path.strip("/") and not urlsplit(link).query)
    return frozenset(filter(None, map(registered_domain, home)))
