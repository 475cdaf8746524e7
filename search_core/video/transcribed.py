"""Videos whose words were recognised."""

from __future__ import annotations

from dataclasses import replace

from search_core.domain import Transcription, TranscriptOrigin, TranscriptSegment, UncertainReason, VideoContext
from search_core.errors import VideoReadError
from search_core.video.address import watch_url
from search_core.video.discovery import discover
from search_core.video.limits import limit_video
from search_core.video.upload import name_after_file, named_video_id
from search_core.video_time import clock

_MOST_NAMED = 5
"""Stretches without words that a warning names."""


def transcribed_video(transcription: Transcription, *, name: str = "", known: VideoContext | None = None) -> VideoContext:
    """Return the video of the file called *name*, or the one that is *known* so far, with the words of *transcription*.

    Names found in its title are looked for anew, in its words too. Raises VideoReadError when it holds no speech, and for
    more words than are read.
    """
    if not transcription.segments:
        raise VideoReadError(
            "Nothing is said in the sound.",
            korean="소리에서 말을 찾지 못했어요. 말이 나오는 영상인지 확인해 주세요.",
        )
    base = known if known is not None else _named_after(name)
    video = replace(
        base,
        transcript=tuple(_marked(segment, transcription) for segment in transcription.segments),
        transcript_origin=TranscriptOrigin.RECOGNITION,
        transcript_model=transcription.recogniser.model,
        language=transcription.language,
        duration_s=base.duration_s or transcription.duration_s or None,
        warnings=(*transcription.warnings, *_missing_words(transcription)),
        speakers=(),
        organizations=(),
        events=(),
        key_terms=(),
    )
    return discover(limit_video(video))


def _named_after(name: str) -> VideoContext:
    video_id = named_video_id(name)
    return name_after_file(VideoContext(video_id=video_id, url=watch_url(video_id) if video_id else ""), name)


def _marked(segment: TranscriptSegment, transcription: Transcription) -> TranscriptSegment:
    return replace(segment, uncertain=True) if transcription.doubt(segment) is not None else segment


def _missing_words(transcription: Transcription) -> tuple[str, ...]:
    """Return a Korean sentence about stretches of sound without words, or nothing."""
    stretches = [each for each in transcription.uncertain if each.reason is UncertainReason.UNHEARD]
    if not stretches:
        return ()
    named = ", ".join(f"{clock(each.start_s)}–{clock(each.end_s)}" for each in stretches[:_MOST_NAMED])
    more = f" 외 {len(stretches) - _MOST_NAMED}곳" if len(stretches) > _MOST_NAMED else ""
    return (f"받아 적지 못한 곳이 있어요: {named}{more}",)
