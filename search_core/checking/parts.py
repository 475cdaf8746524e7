"""The parts of checks of claims, all handed in, and the outcomes of their steps as DBOS stores them."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Self, get_args

from search_core.domain.claim import (
    ClaimCheck,
    ClaimsBudget,
    ClaimsEnded,
    ClaimsEvent,
    ClaimsMetrics,
    ClaimsRequest,
    ClaimsRun,
    ClaimsStatus,
)
from search_core.domain.stance import JudgingCost
from search_core.runs.control import CommandsOutcome, StepOutcome
from search_core.runs.run_kind import RunKind
from search_core.settings import Settings
from search_core.storage.json_codec import JsonCodec


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOutcome(StepOutcome):
    """The result of checking one claim, and its cost."""

    check: ClaimCheck | None = None
    """The check, finished or failed; None if it was interrupted."""
    searches: int = 0
    """Requests to search services that were sent."""
    pages: int = 0
    judging: JudgingCost = field(default_factory=JudgingCost)
    """The cost of the language model's judgement of open rows."""

    def added_to(self, metrics: ClaimsMetrics) -> ClaimsMetrics:
        """Return *metrics* with the cost of this check added."""
        return ClaimsMetrics(
            total_ms=metrics.total_ms,
            searches=metrics.searches + self.searches,
            pages=metrics.pages + self.pages,
            judging=metrics.judging + self.judging,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsOutcome(CommandsOutcome):
    """New commands and the progress of running checks; neither once the control is closed."""

    progress: tuple[ClaimCheck, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsLimits:
    """The limits of runs."""

    runs_at_once: int = 2
    """Runs this process works on at the same time; few, as each sends as many searches as three runs of research."""
    claims_at_once: int = 4
    """Claims of one run searched for in parallel, few so as not to flood services; pages of as many others are read meanwhile."""
    claim_timeout_s: float = 180.0
    """Seconds after which a check counts as lost, although it should have ended itself earlier."""

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return the limits in *settings*."""
        return cls(
            claim_timeout_s=settings.web_search_deadline * 2 + settings.playwright_timeout / 1000 + 60 + settings.openai_timeout,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsParts:
    """The functions and limits that a check of claims works with; its coroutines run on the service's loop."""

    check: Callable[..., Awaitable[CheckOutcome]]
    """Checks a claim of a video, ``fresh`` or not, and calls ``report`` with its progress; can be cancelled."""
    budget: Callable[[int], ClaimsBudget]
    """Returns the cost of checking that many claims; sends no request."""
    limits: ClaimsLimits = field(default_factory=ClaimsLimits)
    now: Callable[[], float] = time.time
    """Seconds since 1970."""


CLAIMS: RunKind[ClaimsRequest, ClaimsRun, ClaimsEvent] = RunKind(
    name="claims",
    requests=JsonCodec(ClaimsRequest),
    runs=JsonCodec(ClaimsRun),
    begin=ClaimsRun.begin,
    after=ClaimsRun.after,
    end=ClaimsEnded,
    statuses=ClaimsStatus,
    events=get_args(ClaimsEvent),
    missing=("There is no such check of claims.", "영상 확인을 찾을 수 없어요. 지워졌거나 다른 사람의 것일 수 있어요."),
    undeletable="진행 중인 확인이에요. 멈춘 뒤에 지워 주세요.",
    unreadable="저장된 영상 확인의 일부를 읽지 못했어요. 같은 영상을 다시 확인해 주세요.",
    given_up="확인이 여러 번 중단되어서 더 이어 가지 않아요. ‘이어서’를 누르면 확인하지 못한 말부터 다시 시작해요.",
    unexpected=(
        "The claims could not be checked because of an unexpected error.",
        "확인하다가 예상하지 못한 문제가 생겼어요. 이어서 확인하면 아직 확인하지 못한 주장부터 다시 시작해요.",
    ),
)
