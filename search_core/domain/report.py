"""Everything one search produced."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from search_core.domain.query import ConstructedQuery, ConversationMemory, SearchIntent, WrittenQuery
from search_core.domain.reply import ProviderReply
from search_core.domain.result import HiddenReason, RankingOptions, SearchResult
from search_core.domain.text_limits import QUESTION
from search_core.domain.video import VideoContext

MAX_QUESTION_CHARS = QUESTION.most
HASHED = "hash:"
"""Prefix of the address of a result whose texts may not be stored; followed by a digest of its address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What the user wants to know, the video it is about and the earlier turns."""

    text: str
    video: VideoContext | None = None
    memory: ConversationMemory = field(default_factory=ConversationMemory)
    moment_s: float | None = None
    """Where in the video the user is, in seconds from its start; None when unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions:
    """The options of one search."""

    providers: tuple[str, ...] | None = None
    """Names of the providers to ask; None asks all that are configured."""
    without_parts: frozenset[str] = frozenset()
    """Texts of query parts the user took away."""
    verbatim: bool = False
    """Send the raw question, without the video and the memory."""
    as_asked: bool = False
    """Send the question in its own words, only its pointing words ("이 회사") replaced by what they mean."""
    as_stated: bool = False
    """Send the words of a statement, what its pointing words mean, the ``subject``, and nothing else of the video."""
    ranking: RankingOptions = field(default_factory=RankingOptions)
    use_cache: bool = True
    first: tuple[str, ...] = ()
    """Providers asked before all others, one by one in this order; others only if these find nothing."""
    subject: str = ""
    """What the question is about, put before the query unless the query names it."""
    any_age: bool = False
    """Ask for results of any age, also where the question reads as one for news."""
    broader_queries: int | None = None
    """Most broader queries to try if a query finds nothing; None tries all."""
    words_after_s: float | None = None
    """Seconds of scoring after which the order by words is returned; None waits for the model."""
    early_after_s: float | None = None
    """Seconds from the first web answer until its results are shown; later ones are added below, own documents are shown at
    once. None waits for all."""


class DegradedPart(StrEnum):
    """Names the parts of a search that can be degraded."""

    INTENT = "intent"
    SCORING = "scoring"
    SUMMARY = "summary"


@dataclass(frozen=True, slots=True, kw_only=True)
class Degradation:
    """Which part of a search was degraded, and why; the search continued."""

    part: DegradedPart
    cause: str
    """One English sentence for logs and export."""
    korean: str
    """One Korean sentence for the page: what it means for the results."""


class ReportOutcome(StrEnum):
    """Names what came of a search on the web, or in the library if that alone was asked."""

    WAITING = "waiting"
    """A service is still awaited."""
    FOUND = "found"
    FOUND_NONE = "found_none"
    """All services that answered found nothing."""
    BELOW_THRESHOLD = "below_threshold"
    """All results are below the threshold."""
    COULD_NOT_ASK = "could_not_ask"
    """No service answered, so it is unknown whether there are results."""


def outcome_of(
    replies: Collection[ProviderReply],
    shown: Collection[SearchResult],
    hidden: Collection[SearchResult],
    *,
    web_wanted: bool,
) -> ReportOutcome:
    """Return what came of a finished search; own documents do not count if the web was to be searched."""
    if not any(reply.status.answered for reply in replies if reply.web or not web_wanted):
        return ReportOutcome.COULD_NOT_ASK
    parts = ((ReportOutcome.FOUND, shown), (ReportOutcome.BELOW_THRESHOLD, hidden))
    outcomes = (outcome for outcome, part in parts if any(not (web_wanted and result.own) for result in part))
    return next(outcomes, ReportOutcome.FOUND_NONE)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchReport:
    """One whole search: the intent, the query, replies, shown and hidden results."""

    question: Question
    options: SearchOptions
    intent: SearchIntent
    constructed: ConstructedQuery
    replies: tuple[ProviderReply, ...]
    """One for each request made, in order of asking; the coverage ledger is drawn from them."""
    results: tuple[SearchResult, ...]
    """Shown results in order: web results of the first list, late web results, then documents of the library. Each has a score
    at or above the threshold, unless scoring failed."""
    hidden: tuple[SearchResult, ...]
    """Results past the result count, then those below the threshold, best first."""
    scorer: str
    """Name of the embedder that scored, or ``none``."""
    scale: str = ""
    """What the scores measure; scores of different scales cannot be compared. Empty for old searches with weighted sums."""
    degradations: tuple[Degradation, ...] = ()
    elapsed_ms: float = 0.0
    compute_ms: float = 0.0
    """Time spent in our own code, without waiting for providers and models."""
    created_at: datetime | None = None
    web_wanted: bool = True
    """False when only the library was chosen to be asked."""
    not_asked: tuple[str, ...] = ()
    """Names of chosen web services that were not asked, because the search had found enough or ended before."""
    written: WrittenQuery | None = None
    """The language model's query, or why there is none; None if no model was to be asked."""
    waiting: tuple[str, ...] = ()
    """Names of providers that had not answered when this was made; none once the search has ended."""

    @property
    def outcome(self) -> ReportOutcome:
        """Return what came of the search."""
        if self.waiting:
            return ReportOutcome.WAITING
        return outcome_of(self.replies, self.results, self.hidden, web_wanted=self.web_wanted)

    @property
    def web_unavailable(self) -> bool:
        """Return whether the web was to be searched and no web service answered."""
        return self.web_wanted and self.outcome is ReportOutcome.COULD_NOT_ASK

    @property
    def web_results(self) -> tuple[SearchResult, ...]:
        """Return the shown results of the web, in order."""
        return tuple(result for result in self.results if not result.own)

    @property
    def own_results(self) -> tuple[SearchResult, ...]:
        """Return the shown documents of the library, in order."""
        return tuple(result for result in self.results if result.own)

    @property
    def hidden_over_count(self) -> tuple[SearchResult, ...]:
        """Return the hidden results that reach the threshold and are past the result count."""
        return self._hidden_because(HiddenReason.OVER_COUNT)

    @property
    def hidden_below(self) -> tuple[SearchResult, ...]:
        """Return the hidden results that do not reach the threshold."""
        return self._hidden_because(HiddenReason.BELOW_THRESHOLD)

    def _hidden_because(self, reason: HiddenReason) -> tuple[SearchResult, ...]:
        ranking = self.options.ranking
        return tuple(result for result in self.hidden if ranking.reason_hidden(result.relevance_score) is reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerLine:
    """The sentence of a visible result that answers the question, verbatim."""

    sentence: str
    """As it stands in the title or the snippet; "…" where a long one is cut."""
    result: int
    """The place of the result among those shown, from 1."""
    source: str
    url: str
    moment_s: float | None
    """Moment of the video that the result relates to, in seconds from the start; None without one."""


class Label(StrEnum):
    """The label of a result: relevant or not; an unsure one counts as neither."""

    RELEVANT = "relevant"
    UNSURE = "unsure"
    NOT_RELEVANT = "not_relevant"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSearch:
    """A stored search with its results and labels."""

    id: str
    video_key: str
    """Empty for a search without a video."""
    report: SearchReport
    """The report without its video. Results of services whose terms forbid storing have no texts and a hashed address."""
    labels: Mapping[str, Label] = field(default_factory=dict)
    """By `result_key`."""


def result_key(address: str) -> str:
    """Return the key for labels of the result at *address*; equal for an already hashed address."""
    if address.startswith(HASHED):
        return address.removeprefix(HASHED)
    return hashlib.sha256(address.encode("utf-8", "replace")).hexdigest()[:32]
