"""Claims of a video: statements that can be looked up, and what the web says of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from search_core.domain.stance import JudgingCost, Stance, StanceRow


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
        """Return whether it is known when it is said; a text that was pasted has no times."""
        return self.end_s > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A statement of a video that can be looked up."""

    number: int
    """From 1, in the order of the first moments; claims that the user added come last."""
    text: str
    """Worded so that it can be understood without the video."""
    moments: tuple[ClaimMoment, ...] = ()
    """Every moment at which it is said, in order; empty for one that the user added without a moment."""
    score: float = 1.0
    """In [0, 1]: how much checking it would help."""
    origin: ClaimOrigin = ClaimOrigin.RULES
    speaker: str = ""
    """Empty when unknown."""

    @property
    def places(self) -> tuple[ClaimMoment, ...]:
        """Return the moments whose time is known."""
        return tuple(moment for moment in self.moments if moment.timed)

    @property
    def start_s(self) -> float | None:
        """Return when it is first said, in seconds; None where that is not known."""
        return next((moment.start_s for moment in self.places), None)


class ClaimState(StrEnum):
    """Names how far the check of one claim is."""

    WAITING = "waiting"
    SEARCHING = "searching"
    READING = "reading"
    CHECKED = "checked"
    FAILED = "failed"
    """No search service of the web answered for it."""
    LEFT_OUT = "left_out"
    """The run ended before it was checked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimSource:
    """A source that was found for a claim."""

    title: str
    url: str
    domain: str
    """Host name without ``www.``."""
    publish_date: datetime | None = None
    """Time zone aware; None when unknown."""
    read: bool | None = None
    """True when its page was read, False when that failed, None when it was not tried: then only the snippet is known."""
    failure: str = ""
    """A ``PageFailure`` when reading its page failed."""
    speakers_own: bool = False
    """True for the video itself, its channel and those who speak in it: they bear nothing out."""
    story: int = 0
    """The group of sources that report one story; sources of one group count once."""
    collection: str = ""
    """Collection of the library that holds it, ``user`` or ``sample``; empty for a page of the web."""

    @property
    def own(self) -> bool:
        """Return whether it is a document of the library: such a one bears nothing out for the web."""
        return bool(self.collection)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimCheck:
    """How far the check of one claim is, and what it came to."""

    claim: Claim
    state: ClaimState = ClaimState.WAITING
    verdict: Stance | None = None
    """What the web says of it; None until it is checked."""
    own_verdict: Stance | None = None
    """What documents of the library say of it, which are not the web and never stand in for it; None where none bears on it."""
    rows: tuple[StanceRow, ...] = ()
    """What each source says of it, the surest first; ``StanceRow.source`` is a position in ``sources``."""
    sources: tuple[ClaimSource, ...] = ()
    independent: int = 0
    """How many sources independent of each other and of the speaker bear the verdict."""
    why: str = ""
    """One Korean sentence that says what the verdict rests on."""
    query: str = ""
    """What was searched for."""
    services: tuple[str, ...] = ()
    """A Korean sentence for each search service that was asked, with what it answered."""
    failure: str = ""
    """One Korean sentence when its search failed or found nothing."""
    judged_by_rules_alone: bool = False
    """True where the model of entailment could not run, so that rows are missing that it would have found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsBudget:
    """What checking a number of claims takes, said before it begins."""

    claims: int
    searches: int
    """Requests to the search services that are asked first, at most: a claim for which nothing is found is searched for again."""
    paid: int
    """How many of these are paid for."""
    pages: int
    """Pages read at most."""
    judging: JudgingCost = field(default_factory=JudgingCost)
    """What a language model takes at most to judge what is open; nothing where none judges."""
    least_searches: int = 0
    """Searches where something is found for every claim at once."""
    least_paid: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundClaims:
    """The claims of one video, and what stood in the way of finding more."""

    claims: tuple[Claim, ...] = ()
    sentences: int = 0
    """How many sentences were looked at."""
    notes: tuple[str, ...] = field(default=())
    """Korean sentences about what could not be done."""
    by_meaning: float = 1.0
    """The share in [0, 1], of the sentences that could be worth a check, that a model of meaning read."""
