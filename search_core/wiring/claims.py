"""Finds the claims of videos with what this process has to read and to word them, and puts their check together."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from search_core.claims import find_claims, rewrite_claims
from search_core.claims.checking import JUDGEMENTS_PER_CLAIM, SEARCHES_PER_CLAIM
from search_core.domain import ClaimsBudget, FoundClaims, JudgingCost, VideoContext
from search_core.stance.language_model import MAX_TOKENS_A_REQUEST
from search_core.wiring.answers import CHECKED_FIRST
from search_core.wiring.components import Components

if TYPE_CHECKING:
    from search_core.claims.service import ClaimsService
    from search_core.durable_runs.run_service import DurableRuns

MODEL_WAIT_S = 1.0
"""What a model of meaning that is loading is waited for: the one that ships takes about as long."""


def build_claims(components: Components, runs: DurableRuns) -> ClaimsService:
    """Return the service of a process that checks claims, one of the kinds of its *runs*."""
    from search_core.claims.parts import ClaimsLimits, ClaimsParts
    from search_core.claims.service import ClaimsService

    settings, providers, manager = components.settings, components.providers, components.manager

    def budget(claims: int) -> ClaimsBudget:
        asked = manager.first_asked(CHECKED_FIRST)
        searches, paid = claims * len(asked), claims * sum(providers[name].paid for name in asked)
        judgements = claims * JUDGEMENTS_PER_CLAIM if asked and components.answering.claims.web.judge is not None else 0
        return ClaimsBudget(
            claims=claims,
            searches=searches * SEARCHES_PER_CLAIM,
            paid=paid * SEARCHES_PER_CLAIM,
            pages=claims * settings.check_online_pages,
            judging=JudgingCost(requests=judgements, tokens=judgements * MAX_TOKENS_A_REQUEST),
            least_searches=searches,
            least_paid=paid,
        )

    def get_ready() -> None:
        components.pages.get_ready()
        components.warm.start()

    parts = ClaimsParts(checker=components.answering.claims, budget=budget, get_ready=get_ready, limits=ClaimsLimits.of(settings))
    return ClaimsService(parts, runs)


async def find_claims_of(components: Components, video: VideoContext, *, worded: bool) -> FoundClaims:
    """Return the claims of *video*, worded and weighed by the language model where there is one and *worded* wants it.

    A model of meaning that is not ready soon is done without.
    """
    components.embedders.start()
    found = await asyncio.to_thread(lambda: find_claims(video, components.embedders.wait(MODEL_WAIT_S)))
    model = components.answering.model
    if not worded or model is None or not model.available() or not found.claims:
        return found
    return await rewrite_claims(found, video, model)
