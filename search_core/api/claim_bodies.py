"""The bodies of requests about claims of a video."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from search_core.api.bodies import Body, VideoId
from search_core.claims.service import MAX_CLAIMS
from search_core.domain.text_limits import CLAIM, CLAIM_QUOTE, CLAIM_SPEAKER

DEFAULT_CHECK = 12
Seconds = Annotated[float | None, Field(ge=0, le=1_000_000, allow_inf_nan=False)]


class ClaimBody(Body):
    """A claim to check, worded so that it can be understood without the video."""

    text: Annotated[str, Field(min_length=1, max_length=CLAIM.most)]
    start_s: Annotated[Seconds, Field(description="Where in the video it is said, in seconds.")] = None
    end_s: Seconds = None
    quote: Annotated[str, Field(max_length=CLAIM_QUOTE.most, description="The words as spoken.")] = ""
    speaker: Annotated[str, Field(max_length=CLAIM_SPEAKER.most)] = ""


class ClaimsBody(Body):
    """Asks for claims of a video to be held against the web."""

    video_id: VideoId = None
    video: Annotated[
        dict[str, Any] | None,
        Field(description="The video: title, url, channel, published_at, transcript, …; in place of `video_id`."),
    ] = None
    claims: Annotated[
        list[ClaimBody] | None,
        Field(min_length=1, max_length=MAX_CLAIMS, description="Claims to check; without them they are found in the transcript."),
    ] = None
    check: Annotated[
        int, Field(ge=1, le=MAX_CLAIMS, description="How many of those found are checked: the ones most worth it.")
    ] = DEFAULT_CHECK
    fresh: Annotated[bool, Field(description="Search past what is kept of earlier searches.")] = False
    dry_run: Annotated[bool, Field(description="Answer with the claims and what checking them takes, and check nothing.")] = False
