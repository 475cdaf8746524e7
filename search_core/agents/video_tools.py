"""The tools that read a video: what is said from one moment to another, and what of it could be looked up."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from search_core.agents.arguments import MAX_REPLY_TOKENS, Page, Seconds, Video, entries, names, result_names
from search_core.agents.calls import Call
from search_core.agents.material import Item, one_line
from search_core.agents.replies import REPLY_TOKENS, Reply, Status, note_of
from search_core.agents.tools import Tool, ToolParts
from search_core.agents.videos import OpenedVideo
from search_core.domain import Claim, FoundClaims, TranscriptOrigin, TranscriptSegment, VideoContext, by_worth
from search_core.domain.text_limits import VIDEO_CHANNEL, VIDEO_TITLE
from search_core.presenting.claim_text import heard_badly
from search_core.text.video_time import clock
from search_core.video.facts import VideoFacts

if TYPE_CHECKING:
    from search_core.core import SearchCore

MAX_LINE_CHARS = 1_000
_MAX_MOMENTS = 4
NO_TRANSCRIPT = "This video has no transcript here. Give the text of its subtitle file as `video`."


class ReadTranscript(Tool):
    """Read what is said between two moments. Tell title, channel and date of a pasted text here."""

    name = "read_transcript"
    result = result_names("video", data=names("title", lines=entries("at_s text")))
    open_world = False
    video: Video
    from_s: Seconds = 0
    to_s: Seconds | None = None
    title: Annotated[str, Field(max_length=VIDEO_TITLE.most)] = ""
    channel: Annotated[str, Field(max_length=VIDEO_CHANNEL.most)] = ""
    date: Annotated[str, Field(max_length=64)] = ""
    page: Page = 1
    max_tokens: Annotated[int, Field(ge=500, le=MAX_REPLY_TOKENS)] = REPLY_TOKENS

    def run(self, core: SearchCore, parts: ToolParts, call: Call) -> Reply:
        """Return a page of what is said between the two moments."""
        facts_told = VideoFacts.read(self.title, self.channel, self.date)
        opened = parts.videos.open(core, self.video, call, facts_told)
        video, ends = opened.video, math.inf if self.to_s is None else self.to_s
        origin = "" if video.transcript_origin is TranscriptOrigin.UNKNOWN else video.transcript_origin.value
        facts = {"video": opened.reference, "language": video.language, "origin": origin}
        if not video.transcript:
            note = note_of(NO_TRANSCRIPT, *video.warnings)
            return Reply(status=Status.COULD_NOT_READ, note=note, facts=facts, items=_title(opened))
        said = [segment for segment in video.transcript if segment.end_s > self.from_s and segment.start_s < ends]
        whole = f"It goes from {clock(video.transcript[0].start_s)} to {clock(video.transcript[-1].end_s)}."
        if not said:
            return Reply(status=Status.FOUND_NONE, note=f"Nothing is said there. {whole}", facts=facts, items=_title(opened))
        return Reply(
            status=Status.DONE,
            note=note_of(f"{len(said)} of {len(video.transcript)} lines. {whole}", *video.warnings),
            coverage=(f"{len(said)} of {len(video.transcript)} lines of the transcript",),
            facts=facts,
            items=(*_title(opened), *map(_line, said)),
            page=self.page,
            tokens=self.max_tokens,
            how_to_page="read_transcript with the same arguments and ",
        )


def _title(opened: OpenedVideo) -> tuple[Item, ...]:
    title = one_line(opened.video.title, 200)
    return (Item("title", title, f"title: {title}"),) if title else ()


def _line(segment: TranscriptSegment) -> Item:
    text = one_line(segment.text, MAX_LINE_CHARS)
    doubt = " (speech recognition uncertain)" if segment.uncertain else ""
    value = {"at_s": round(segment.start_s, 1), "text": text, "uncertain": segment.uncertain or None}
    return Item("lines", value, f"[{clock(segment.start_s)}] {text}{doubt}")


class FindClaims(Tool):
    """List what a video claims that could be looked up, most worth a check first, with ids for start_research."""

    name = "find_claims"
    result = result_names("video", data=names(claims=entries("id text at_s score")))
    open_world = False
    video: Video
    page: Page = 1

    def run(self, core: SearchCore, parts: ToolParts, call: Call) -> Reply:
        """Find them."""
        opened = parts.videos.open(core, self.video, call)
        return claims_reply(opened, parts.videos.find_claims(core, opened, call), self.page)


def claims_reply(opened: OpenedVideo, found: FoundClaims, page: int) -> Reply:
    """Return a page of the claims, those most worth a check first."""
    facts = {"video": opened.reference, "sentences": found.sentences}
    coverage = (f"{found.sentences} sentences looked at, {len(found.claims)} claims found",)
    if not opened.video.transcript:
        note = note_of(NO_TRANSCRIPT, *opened.video.warnings)
        return Reply(status=Status.COULD_NOT_READ, note=note, coverage=coverage, facts=facts)
    if not found.claims:
        note = note_of("Nothing that is said here could be looked up.", *found.notes)
        return Reply(status=Status.FOUND_NONE, note=note, coverage=coverage, facts=facts)
    return Reply(
        status=Status.DONE,
        note=note_of(
            "Claims, most worth a check first; to check some: start_research with this video and claims=[ids].", *found.notes
        ),
        coverage=coverage,
        facts=facts,
        items=tuple(_item(claim, opened.video) for claim in sorted(found.claims, key=by_worth)),
        page=page,
        how_to_page="find_claims with the same arguments and ",
    )


def _item(claim: Claim, video: VideoContext) -> Item:
    text = one_line(claim.text, 300)
    moments = claim.moments[:_MAX_MOMENTS]
    quote = one_line(moments[0].quote, 300) if moments else ""
    uncertain = heard_badly(moments, video)
    value = {
        "id": claim.id,
        "text": text,
        "quote": quote if quote != text else None,
        "at_s": [round(moment.start_s, 1) for moment in claim.places[:_MAX_MOMENTS]],
        "score": round(claim.score, 2),
        "uncertain": uncertain or None,
    }
    places = ", ".join(clock(moment.start_s) for moment in claim.places[:_MAX_MOMENTS]) or "no time"
    said = f" “{quote}”" if quote != text else ""
    doubt = " (speech recognition uncertain)" if uncertain else ""
    return Item("claims", value, f"{claim.id} [{places}] {text}{said}{doubt}")
