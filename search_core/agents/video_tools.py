"""The tools that read a video: what is said from one moment to another, and what of it could be looked up."""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import Future
from typing import TYPE_CHECKING

from search_core.agents.calls import Call
from search_core.agents.material import Item, one_line
from search_core.agents.replies import Reply, Status, note_of
from search_core.agents.videos import OpenedVideo, StillReadingError
from search_core.domain import Claim, FoundClaims, TranscriptOrigin, TranscriptSegment, VideoContext, by_worth
from search_core.presenting.claim_text import heard_badly
from search_core.recent import Recent
from search_core.runtime import run_in_thread
from search_core.text.video_time import clock

if TYPE_CHECKING:
    from search_core.core import SearchCore

MAX_LINE_CHARS = 1_000
NO_TRANSCRIPT = "This video has no transcript here. Give the text of its subtitle file as `video`."


def read_transcript(opened: OpenedVideo, from_s: float, to_s: float | None, page: int, tokens: int) -> Reply:
    """Return a page of what is said between two moments, in seconds."""
    video, ends = opened.video, math.inf if to_s is None else to_s
    origin = "" if video.transcript_origin is TranscriptOrigin.UNKNOWN else video.transcript_origin.value
    facts = {"video": opened.reference, "language": video.language, "origin": origin}
    if not video.transcript:
        note = note_of(NO_TRANSCRIPT, *video.warnings)
        return Reply(status=Status.COULD_NOT_READ, note=note, facts=facts, items=_title(opened))
    said = [segment for segment in video.transcript if segment.end_s > from_s and segment.start_s < ends]
    whole = f"It goes from {clock(video.transcript[0].start_s)} to {clock(video.transcript[-1].end_s)}."
    if not said:
        return Reply(status=Status.FOUND_NONE, note=f"Nothing is said there. {whole}", facts=facts, items=_title(opened))
    return Reply(
        status=Status.DONE,
        note=note_of(f"{len(said)} of {len(video.transcript)} lines. {whole}", *video.warnings),
        coverage=(f"{len(said)} of {len(video.transcript)} lines of the transcript",),
        facts=facts,
        items=(*_title(opened), *map(_line, said)),
        page=page,
        tokens=tokens,
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


MAX_VIDEOS = 16
_MARGIN_S = 2.0
_MAX_MOMENTS = 4


class ClaimFinder:
    """Finds the claims of videos; a call that is made again takes what the one before began."""

    def __init__(self) -> None:
        self._found: Recent[VideoContext, Future[FoundClaims] | None] = Recent(MAX_VIDEOS)

    def find(self, core: SearchCore, opened: OpenedVideo, call: Call) -> FoundClaims:
        """Return the claims of a video; raises StillReadingError when finding them goes on after the call."""
        video = opened.video
        finding = self._found.get(video)
        if finding is None or (finding.done() and finding.exception() is not None):
            finding = run_in_thread(lambda: core.find_claims(video), "agent-claims")
            self._found.put(video, finding)
        call.report("Looking for claims in what is said.")
        try:
            found = finding.result(timeout=max(0.0, call.left_s - _MARGIN_S))
        except TimeoutError:
            if finding.done():
                raise
            raise StillReadingError from None
        if not found.complete:
            self._found.put(video, None)  # the next call looks again
        return found


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
        items=tuple(_items(found, opened.video)),
        page=page,
        how_to_page="find_claims with the same arguments and ",
    )


def _items(found: FoundClaims, video: VideoContext) -> Iterator[Item]:
    for claim in sorted(found.claims, key=by_worth):
        yield _item(claim, video)


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
