"""The tool that reads what is said in a video from one moment to another."""

from __future__ import annotations

import math

from search_core.agents.material import Item, one_line
from search_core.agents.replies import Reply, Status, note_of
from search_core.agents.videos import OpenedVideo
from search_core.domain import TranscriptOrigin, TranscriptSegment
from search_core.video_time import clock

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
