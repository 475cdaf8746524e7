"""The check of the claims of a video, put together when it is first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from search_core.domain import ClaimsBudget
from search_core.wiring.answers import CHECKED_FIRST
from search_core.wiring.components import Components

if TYPE_CHECKING:
    from search_core.claims.service import ClaimsService
    from search_core.durable_runs.durable_runs import DurableRuns


def build_claims(components: Components, runs: DurableRuns) -> ClaimsService:
    """Return the service of a process that checks claims, one of the kinds of its *runs*."""
    from search_core.claims.parts import ClaimsLimits, ClaimsParts
    from search_core.claims.service import ClaimsService

    settings, providers, manager = components.settings, components.providers, components.manager

    def budget(claims: int) -> ClaimsBudget:
        asked = manager.first_asked(CHECKED_FIRST)
        return ClaimsBudget(
            claims=claims,
            searches=claims * len(asked),
            paid=claims * sum(providers[name].paid for name in asked),
            pages=claims * settings.check_online_pages,
        )

    def get_ready() -> None:
        components.pages.get_ready()
        components.warm.start()

    parts = ClaimsParts(checker=components.answering.claims, budget=budget, get_ready=get_ready, limits=ClaimsLimits.of(settings))
    return ClaimsService(parts, runs)
