"""Transcripts as subtitle files, which keep where the words are from and which of them are uncertain (WebVTT only)."""

from __future__ import annotations

from search_core.domain import TranscriptOrigin, TranscriptSegment, VideoContext
from search_core.video.cues import RECOGNISED_NOTE, UNCERTAIN

_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def write_vtt(video: VideoContext) -> str:
    """Return the transcript of *video* as WebVTT that this app reads back to the same one."""
    head = ["WEBVTT", "Kind: captions", *([f"Language: {video.language}"] if video.language else [])]
    if video.transcript_origin is TranscriptOrigin.RECOGNITION:
        head += ["", f"{RECOGNISED_NOTE} {_one_line(video.transcript_model)}".strip()]
    cues = (f"{_times(segment, '.')}\n{_marked(segment)}" for segment in video.transcript)
    return "\n\n".join(("\n".join(head), *cues)) + "\n"


def write_srt(video: VideoContext) -> str:
    """Return the transcript of *video* as SubRip, which has no place for where it is from."""
    cues = (
        f"{number}\n{_times(segment, ',')}\n{_one_line(segment.text)}" for number, segment in enumerate(video.transcript, start=1)
    )
    return "\n\n".join(cues) + "\n"


def _marked(segment: TranscriptSegment) -> str:
    text = _one_line(segment.text).translate(_ENTITIES)
    return f"{UNCERTAIN}{text}</c>" if segment.uncertain else text


def _one_line(text: str) -> str:
    return " ".join(text.split()).replace("-->", "→")  # an arrow in the words would be read as a time


def _times(segment: TranscriptSegment, point: str) -> str:
    return f"{_clock(segment.start_s, point)} --> {_clock(segment.end_s, point)}"


def _clock(seconds: float, point: str) -> str:
    whole, milliseconds = divmod(round(seconds * 1000), 1000)
    minutes, second = divmod(whole, 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{second:02}{point}{milliseconds:03}"
