"""Which video is which, however it was given."""

from __future__ import annotations

import hashlib

from search_core.domain.video import VideoContext


def video_key(video: VideoContext) -> str:
    """Return the key under which conversations about *video* are found.

    It goes by the id, else the address, else what is said; names and titles that the user puts right do not change it.
    """
    named: tuple[str, ...]
    if video.video_id:
        named = ("id", video.video_id)
    elif video.url:
        named = ("url", video.url)
    elif video.transcript:
        named = ("spoken", *(f"{segment.start_s} {segment.text}" for segment in video.transcript))
    else:
        named = ("told", video.title, video.description)
    return hashlib.sha256("\0".join(named).encode("utf-8", "replace")).hexdigest()[:32]
