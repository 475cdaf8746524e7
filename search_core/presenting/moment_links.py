"""Addresses of moments of a video, for files that are read away from the app."""

from __future__ import annotations

from search_core.domain import VideoContext
from search_core.video import youtube_video_id


def moment_url(video: VideoContext | None, seconds: float) -> str:
    """Return where *video* can be watched from a moment on; empty where that is not known."""
    video_id = youtube_video_id(video.url) if video is not None and video.url else None
    return f"https://www.youtube.com/watch?v={video_id}&t={int(seconds)}s" if video_id else ""
