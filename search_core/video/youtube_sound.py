"""The sound of a YouTube video from yt-dlp, where the operator allows it (TRANSCRIPTION_YOUTUBE); options as of 2026.10.26.

yt-dlp runs as a child process that ends with the task, and gets its options by standard input, as in ``youtube_extractor``.
"""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from pathlib import Path

from search_core.errors import VideoReadError
from search_core.settings import Settings
from search_core.video.address import watch_url
from search_core.video.youtube_extractor import cause_of, network_options
from search_core.video.youtube_failure import YouTubeCause, YouTubeError

DEADLINE_S = 1800.0
"""For six hours of sound, 300 MB, over a slow line."""
_OPTIONS = (
    "--no-cache-dir",
    "--no-playlist",
    "--no-warnings",
    "--no-progress",
    "--no-mtime",
    "--fixup never",  # needs ffmpeg, and PyAV reads what it would mend
    "--retries 2",
    "--extractor-retries 0",
    '--format "bestaudio[protocol=https]/bestaudio[protocol=http]/best[protocol=https]/best[protocol=http]"',
    '--output "sound.%(ext)s"',
)
_UNWANTED = "does not pass filter"
_TOO_LARGE = "max-filesize"


async def fetch_sound(
    settings: Settings, video_id: str, folder: Path, *, max_bytes: int, max_s: float, deadline_s: float = DEADLINE_S
) -> Path:
    """Return a new file in *folder* with the sound of a video; cancelling ends the process.

    Raises YouTubeError, and VideoReadError for a video that is live or has more than *max_bytes* or *max_s* seconds.
    """
    if importlib.util.find_spec("yt_dlp") is None:
        raise YouTubeError(YouTubeCause.NOT_INSTALLED, "yt-dlp is not installed")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "yt_dlp", "--ignore-config", "--config-locations", "-", "--", watch_url(video_id)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={"SSL_CERT_FILE": settings.youtube_ca_file} if settings.youtube_ca_file else None,
    )
    try:
        async with asyncio.timeout(deadline_s):
            output, error_output = await process.communicate(_options(settings, folder, max_bytes, max_s).encode())
    except TimeoutError:
        raise YouTubeError(YouTubeCause.TIMEOUT, f"yt-dlp took longer than {deadline_s:g} s") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    found = await asyncio.to_thread(_find_sound, folder)
    if found is None or process.returncode != 0:
        raise _failure(output + error_output)
    return found


def _find_sound(folder: Path) -> Path | None:
    return next((path for path in folder.glob("sound.*") if path.suffix != ".part"), None)


def _options(settings: Settings, folder: Path, max_bytes: int, max_s: float) -> str:
    bounds = (
        f"--max-filesize {max_bytes}",
        f'--match-filters "!is_live & duration<={max_s:.0f}"',
        f'--paths "{folder.resolve()}"',
    )
    return "\n".join((*_OPTIONS, *bounds, *network_options(settings)))


def _failure(error_output: bytes) -> VideoReadError:
    text = error_output.decode("utf-8", errors="replace")
    if _UNWANTED in text:
        korean = "실시간 방송이거나 너무 긴 영상이라 소리를 받아 적지 않았어요. 자막 파일을 올려 주세요."
        return VideoReadError("The video is live, or longer than is transcribed.", korean=korean)
    if _TOO_LARGE in text:
        korean = "영상의 소리가 너무 커서 받아 적지 않았어요. 자막 파일을 올려 주세요."
        return VideoReadError("The sound of the video is larger than is transcribed.", korean=korean)
    return YouTubeError(cause_of(error_output), "yt-dlp gave no sound")
