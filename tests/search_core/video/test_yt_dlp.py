"""The sound of a YouTube video, fetched by the real yt-dlp from a YouTube on loopback."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from search_core.errors import VideoReadError
from search_core.video.address import YouTubeCause, YouTubeError
from search_core.video.yt_dlp import fetch_sound
from tests.loopback.child_processes import running_children
from tests.search_core.video.conftest import JSON, VIDEO_ID, sound_format

SOUND = bytes(range(256)) * 400


def offer(youtube, seconds: float = 40.0, **details) -> None:
    """Have *youtube* offer ``SOUND`` as a track of *seconds*."""
    about = {"videoId": VIDEO_ID, "title": "제목", "author": "채널", "lengthSeconds": str(round(seconds)), **details}
    streams = {"expiresInSeconds": "21540", "adaptiveFormats": [sound_format(SOUND, seconds)]}
    youtube.player = (200, JSON, json.dumps(youtube.player_answer(videoDetails=about, streamingData=streams)))
    youtube.sound = (200, {"content-type": "audio/mp4"}, SOUND)


def fetch(settings, folder: Path, **limits) -> Path:
    return asyncio.run(fetch_sound(settings, VIDEO_ID, folder, **{"max_bytes": 10**6, "max_s": 3600.0, **limits}))


def test_the_sound_track_comes_as_it_is(youtube, youtube_settings, tmp_path: Path):
    """The best track of sound alone is written to the folder, byte by byte."""
    offer(youtube)
    path = fetch(youtube_settings(), tmp_path)
    assert path.read_bytes() == SOUND
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("details", "limits", "word"),
    [
        ({}, {"max_s": 30.0}, "너무 긴"),
        ({}, {"max_bytes": 1000}, "너무 커서"),
        ({"isLive": True, "isLiveContent": True}, {}, "실시간"),
    ],
)
def test_what_is_too_long_too_large_or_live_is_not_fetched(youtube, youtube_settings, tmp_path: Path, details, limits, word):
    """The bounds are held before anything is fetched, and the reader learns which it was."""
    offer(youtube, **details)
    with pytest.raises(VideoReadError) as caught:
        fetch(youtube_settings(), tmp_path, **limits)
    assert word in caught.value.korean
    assert "".join(each.name for each in tmp_path.iterdir()) == ""


def test_a_private_video_is_told(youtube, youtube_settings, tmp_path: Path):
    """What YouTube says of a video it does not give is passed on by its kind."""
    refusal = {"playabilityStatus": {"status": "LOGIN_REQUIRED", "reason": "Private video"}}
    youtube.player = (200, JSON, json.dumps(refusal))
    with pytest.raises(YouTubeError) as caught:
        fetch(youtube_settings(), tmp_path)
    assert caught.value.cause is YouTubeCause.PRIVATE


def test_cancelling_ends_the_process(youtube, youtube_settings, tmp_path: Path):
    """A fetch that is cancelled amid a request leaves no process."""
    settings = youtube_settings()

    async def begin_and_cancel() -> None:
        reached = asyncio.Event()
        loop = asyncio.get_running_loop()

        def hang(_):
            loop.call_soon_threadsafe(reached.set)
            return 200, JSON, "{}"

        youtube.player = hang
        task = asyncio.create_task(fetch_sound(settings, VIDEO_ID, tmp_path, max_bytes=10**6, max_s=3600.0))
        await reached.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(begin_and_cancel())
    assert running_children("yt_dlp") == []
