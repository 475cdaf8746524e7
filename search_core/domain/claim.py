"""Claims of videos: statements that can be looked up, and the web's verdict on them."""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import ClassVar

from search_core.domain.result import FoundSource
from search_core.domain.run import RunFailed, RunStatus
from search_core.domain.stance import JudgingCost, Stance, StanceRow
from search_core.domain.video import VideoContext


class ClaimOrigin(StrEnum):
    """Names who worded a claim."""

    RULES = "rules"
    MODEL = "model"
    USER = "user"


@dataclass(frozen=True, slots=True)
class ClaimMoment:
    """A moment of the video at which a claim is made."""

    start_s: float
    """Seconds from the start of the video."""
    end_s: float
    quote: str
    """The words as spoken."""

    @property
    def timed(self) -> bool:
        """Return whether its time is known; pasted text has no times."""
        return self.end_s > 0


_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A statement of a video that can be looked up."""

    number: int
    """From 1: certain claims in the order of their first moments, then less certain ones, then claims found later, last those
    that the user added."""
    text: str
    """Worded so that it can be understood without the video."""
    moments: tuple[ClaimMoment, ...] = ()
    """Every moment at which it is said, in order; empty for one that the user added without a moment."""
    score: float = 1.0
    """In [0, 1]: how much checking it would help."""
    origin: ClaimOrigin = ClaimOrigin.RULES
    id: str = ""
    """Made of the claim's spoken words and its place, so that it is the same each time the claim is found."""

    def __post_init__(self) -> None:
        if not self.id:
            object.__setattr__(self, "id", _handle_of(self))

    @property
    def places(self) -> tuple[ClaimMoment, ...]:
        """Return the moments with a known time."""
        return tuple(moment for moment in self.moments if moment.timed)

    @property
    def start_s(self) -> float | None:
        """Return when it is first said, in seconds; None if unknown."""
        return next((moment.start_s for moment in self.places), None)


def by_score(claim: Claim) -> tuple[float, int]:
    """Return a sort key by score; of equal claims the first one comes first."""
    return -claim.score, claim.number


def _handle_of(claim: Claim) -> str:
    """Return "c" and six characters of a hash of the claim's words and place that ignores case, punctuation and spacing."""
    spoken = claim.moments[0].quote if claim.moments and claim.origin is not ClaimOrigin.USER else ""
    words = _WORD.findall(unicodedata.normalize("NFC", spoken or claim.text).casefold())
    place = int(claim.moments[0].start_s) if claim.moments else 0
    digest = hashlib.sha256(f"{place} {' '.join(words)}".encode("utf-8", "replace")).digest()
    return f"c{base64.b32encode(digest)[:6].decode().lower()}"


class ClaimState(StrEnum):
    """Names how far the check of one claim is."""

    WAITING = "waiting"
    SEARCHING = "searching"
    READING = "reading"
    CHECKED = "checked"
    FAILED = "failed"
    """No web search service answered for the claim."""
    LEFT_OUT = "left_out"
    """The run ended before it was checked."""


class Settlement(StrEnum):
    """Names the verdict of a person who has seen the sources; it does not affect the computed one."""

    RIGHT = "right"
    DIFFERENT = "different"
    UNRELATED = "unrelated"
    """The sources that were found are about something else."""

    @property
    def label(self) -> str:
        """Return the Korean word for it."""
        return _SETTLEMENTS[self]


_SETTLEMENTS = {Settlement.RIGHT: "맞음", Settlement.DIFFERENT: "다름", Settlement.UNRELATED: "무관"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimSource(FoundSource):
    """A source that was found for a claim."""

    speakers_own: bool = False
    """True for the video itself, its channel and its speakers, which are no independent support."""
    story: int = 0
    """The group of sources that report one story; sources of one group count once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimCheck:
    """The state of one claim's check, and its result."""

    claim: Claim
    state: ClaimState = ClaimState.WAITING
    verdict: Stance | None = None
    """The web's verdict on the claim; None until it is checked."""
    own_verdict: Stance | None = None
    """Own documents' verdict, never in place of the web's; None if none is relevant."""
    rows: tuple[StanceRow, ...] = ()
    """What each source says of the claim, the surest first; ``StanceRow.source`` is a position in ``sources``."""
    sources: tuple[ClaimSource, ...] = ()
    independent: int = 0
    """How many sources agree with the verdict that are independent of each other and of the speaker."""
    why: str = ""
    """One Korean sentence on the reasons for the verdict."""
    query: str = ""
    """What was searched for."""
    services: tuple[str, ...] = ()
    """A Korean sentence for each search service that was asked, with what it answered."""
    failure: str = ""
    """One Korean sentence when its search failed or found nothing."""
    judged_by_rules_alone: bool = False
    """True if the entailment model could not run, so that its findings are missing."""
    below_threshold: int = 0
    """Number of web results, if all were below the threshold and so are no sources; otherwise 0."""
    settled: Settlement | None = None
    """The user's own verdict, which does not replace the computed one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsBudget:
    """The cost of checking some claims, estimated in advance."""

    claims: int
    searches: int
    """Most requests to the search services that are asked first: two for each claim, as one without results is asked again."""
    paid: int
    """How many of these are paid for."""
    pages: int
    """Pages read at most."""
    judging: JudgingCost = field(default_factory=JudgingCost)
    """The most that a language model costs for sources that rules cannot judge; zero without a model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundClaims:
    """The claims of one video, and notes on why there are not more."""

    claims: tuple[Claim, ...] = ()
    sentences: int = 0
    """How many sentences were looked at."""
    notes: tuple[str, ...] = field(default=())
    """Korean sentences about what could not be done."""
    by_meaning: float = 1.0
    """The share in [0, 1] of the possibly check-worthy sentences that were embedded."""
    less_certain: tuple[Claim, ...] = ()
    """Sentences of which about half are self-contained claims."""
    complete: bool = True
    """False if a model was not ready or was stopped early, so that a later call may find more claims."""
    before: tuple[Claim, ...] = ()
    """Claims of an earlier, incomplete list that this one lacks; they can still be named by their ids."""

    @property
    def known(self) -> tuple[Claim, ...]:
        """Return all claims with an id, the certain ones first."""
        return (*self.claims, *self.less_certain, *self.before)

    def continuing(self, earlier: FoundClaims) -> FoundClaims:
        """Return these claims with their numbers in *earlier*; claims that only *earlier* has are kept in ``before``.

        Claims that *earlier* lacks get new numbers, so that a number never means another claim than before.
        """
        numbers = {claim.id: claim.number for claim in earlier.known}
        new = (claim.id for claim in self.known if claim.id not in numbers)
        numbers |= {claim: number for number, claim in enumerate(new, max(numbers.values(), default=0) + 1)}
        here = {claim.id for claim in self.known}
        claims, less_certain = (
            tuple(replace(claim, number=numbers[claim.id]) for claim in part) for part in (self.claims, self.less_certain)
        )
        missing = tuple(claim for claim in earlier.known if claim.id not in here)
        return replace(self, claims=claims, less_certain=less_certain, before=missing)


class ClaimsStatus(RunStatus):
    """Names how far a run is; a run with one of the last four has ended."""

    QUEUED = "queued"
    CHECKING = "checking"
    COMPLETE = "complete"
    FINISHED_EARLY = "finished_early"
    """The user asked to end the run once the claims being checked then were done."""
    STOPPED = "stopped"
    """The user stopped the run; its results until then stay."""
    FAILED = "failed"

    @property
    def ending(self) -> str:
        """Return in Korean how a run has ended; empty before that."""
        return _ENDS.get(self, "")


_ENDS = {
    ClaimsStatus.COMPLETE: "확인을 마쳤어요.",
    ClaimsStatus.FINISHED_EARLY: "여기까지 확인하고 마무리했어요.",
    ClaimsStatus.STOPPED: "확인을 멈췄어요. 확인한 것은 남겨 두었어요.",
    ClaimsStatus.FAILED: "확인을 끝까지 하지 못했어요.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsRequest:
    """A request to check some claims of a video."""

    video: VideoContext
    claims: tuple[Claim, ...]
    """Those that the user chose, at least one."""
    owner: str = ""
    """The owner of the run; empty without a login."""
    fresh: bool = False
    """True bypasses stored replies of earlier searches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsMetrics:
    """Holds the cost of a run."""

    total_ms: float = 0.0
    searches: int = 0
    """Requests to search services that were sent."""
    pages: int = 0
    """Pages that were read."""
    judging: JudgingCost = field(default_factory=JudgingCost)
    """The cost of a language model for sources that rules could not judge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsStatusChanged:
    """Says how far the run is now."""

    name: ClassVar = "status"
    status: ClaimsStatus
    message: str
    """One Korean sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimUpdated:
    """The state of one claim's check; replaces the earlier state."""

    name: ClassVar = "claim"
    check: ClaimCheck


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsEnded:
    """Ends every run."""

    name: ClassVar = "claims_complete"
    status: ClaimsStatus
    metrics: ClaimsMetrics = ClaimsMetrics()
    coverage: tuple[str, ...] = ()
    """Korean sentences on the services asked, their failures, the pages read and the claims left out."""
    at: datetime | None = None


ClaimsEvent = ClaimsStatusChanged | ClaimUpdated | RunFailed | ClaimsEnded


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsRun:
    """A run in its current state, the sum of its events; stored, and shown again unchanged."""

    id: str
    request: ClaimsRequest
    status: ClaimsStatus = ClaimsStatus.QUEUED
    message: str = ""
    checks: tuple[ClaimCheck, ...] = ()
    """One for each claim of the request, in the order of their numbers."""
    failures: tuple[RunFailed, ...] = ()
    coverage: tuple[str, ...] = ()
    metrics: ClaimsMetrics = ClaimsMetrics()
    created_at: datetime
    ended_at: datetime | None = None

    def __post_init__(self) -> None:
        if self.status.ended:
            object.__setattr__(self, "message", self.status.ending)

    @property
    def judged_by_rules_alone(self) -> bool:
        """Return whether a claim was judged without the model of entailment."""
        return any(check.judged_by_rules_alone for check in self.checks)

    def with_settled(self, settled: Mapping[int, Settlement]) -> ClaimsRun:
        """Return the run with its owner's own verdicts, by claim number."""
        return replace(self, checks=tuple(replace(check, settled=settled.get(check.claim.number)) for check in self.checks))

    @classmethod
    def begin(cls, run_id: str, request: ClaimsRequest, at: datetime) -> ClaimsRun:
        """Return a run before its first event."""
        ordered = sorted(request.claims, key=lambda claim: claim.number)
        return cls(id=run_id, request=request, checks=tuple(ClaimCheck(claim=claim) for claim in ordered), created_at=at)

    def after(self, event: ClaimsEvent) -> ClaimsRun:
        """Return the run with *event* applied; once the run ends, unfinished checks become ``left_out``."""
        match event:
            case ClaimsStatusChanged():
                return replace(self, status=event.status, message=event.message)
            case ClaimUpdated(check=check):
                number = check.claim.number
                return replace(self, checks=tuple(check if other.claim.number == number else other for other in self.checks))
            case RunFailed():
                return replace(self, failures=(*self.failures, event))
            case ClaimsEnded():
                ended = replace(self, status=event.status, metrics=event.metrics, coverage=event.coverage, ended_at=event.at)
                return replace(ended, checks=tuple(_ended(check) for check in self.checks))

    @property
    def last_event(self) -> ClaimsEnded:
        """Return the event that ended it."""
        return ClaimsEnded(status=self.status, metrics=self.metrics, coverage=self.coverage, at=self.ended_at)


def _ended(check: ClaimCheck) -> ClaimCheck:
    if check.state in (ClaimState.CHECKED, ClaimState.FAILED, ClaimState.LEFT_OUT):
        return check
    return replace(check, state=ClaimState.LEFT_OUT)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsEntry:
    """A run as the history lists it."""

    id: str
    title: str
    """Title of the video."""
    status: ClaimsStatus
    claims: int
    video_key: str
    created_at: datetime
    ended_at: datetime | None = None
    """None while it goes on."""
