"""The claims of a video, worked out once: what was found before is handed out again, and what is found later continues it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from search_core.claims.finder import find_claims
from search_core.domain.claim import FoundClaims
from search_core.domain.video import VideoContext
from search_core.embedding import Embedder
from search_core.stance.check_worthiness import shipped_weights
from search_core.version import VERSION
from search_core.video.sentences import JudgeEnds

if TYPE_CHECKING:
    from search_core.storage import FoundClaimsCache


async def recall_or_find(
    video: VideoContext,
    kept: FoundClaimsCache,
    *,
    embedder: Callable[[], tuple[Embedder, bool]],
    ends: JudgeEnds | None = None,
) -> FoundClaims:
    """Return the claims of *video*: those that were found before, or what is found now, under the handles and numbers of those.

    *embedder* waits for the embedder to read with, and says whether it is the one that the settings ask for; *ends* is what
    ``find_claims`` asks.
    """
    earlier = await asyncio.to_thread(kept.get, video, VERSION)
    if earlier is not None and earlier.complete:
        return earlier

    def find() -> FoundClaims:
        at_work, as_chosen = embedder()
        found = find_claims(video, at_work, ends=ends)
        final = found.by_meaning == 1 or (as_chosen and at_work.name != shipped_weights().model)
        return replace(found, complete=final or not video.transcript)

    found = await asyncio.to_thread(find)
    if earlier is not None:
        found = found.continuing(earlier)
    if found.known:
        await asyncio.to_thread(kept.put, video, VERSION, found)
    return found
