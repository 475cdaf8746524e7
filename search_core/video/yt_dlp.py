"""Facts about a video from yt-dlp, when it is installed, and its sound, where the operator allows it (TRANSCRIPTION_YOUTUBE).

yt-dlp runs as a child process: importing it stalls the server, and a child can be ended when its time is over. Its options go in
by standard input, so that a proxy's password is in no process list; options and answers as of 2026.10.26.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

from search_core.domain import VideoContext
from search_core.errors import VideoReadError
from search_core.settings import Settings
from search_core.video.address import YouTubeCause, YouTubeError, watch_url
from search_core.video.record import read_record

DEADLINE_S = 25.0
"""Seconds the whole run may take: its start is half a second, and a full extraction asks YouTube up to six times."""
_FACT_OPTIONS = (
    "--no-cache-dir",
    "--no-playlist",
    "--skip-download",
    "--dump-single-json",
    "--no-warnings",
    "--ignore-no-formats-error",
    "--retries 0",
    "--extractor-retries 0",
)
_CAUSES = (
    ("not a bot", YouTubeCause.BLOCKED),
    ("HTTP Error 429", YouTubeCause.RATE_LIMITED),
    ("HTTP Error 403", YouTubeCause.BLOCKED),
    ("Private video", YouTubeCause.PRIVATE),
    ("confirm your age", YouTubeCause.AGE_RESTRICTED),
    ("ideo unavailable", YouTubeCause.NOT_FOUND),
    ("not available", YouTubeCause.UNPLAYABLE),
    ("timed out", YouTubeCause.TIMEOUT),
    ("HTTP Error", YouTubeCause.UNREADABLE),
    ("Unable to download", YouTubeCause.NETWORK),
)
SOUND_DEADLINE_S = 1800.0
"""For six hours of sound, 300 MB, over a slow line."""
_SOUND_OPTIONS = (
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


def extract_facts(settings: Settings, video_id: str, deadline_s: float = DEADLINE_S) -> VideoContext:
    """Return what yt-dlp learns about a video, without its words, within *deadline_s* seconds; raises YouTubeError."""
    if importlib.util.find_spec("yt_dlp") is None:
        raise YouTubeError(YouTubeCause.NOT_INSTALLED, "yt-dlp is not installed")
    command = [sys.executable, "-m", "yt_dlp", "--ignore-config", "--config-locations", "-", "--", watch_url(video_id)]
    environment = {"SSL_CERT_FILE": settings.youtube_ca_file} if settings.youtube_ca_file else None
    try:
        done = subprocess.run(  # noqa: S603 - our own interpreter, an id of eleven checked characters, no shell
            command,
            input=_options(settings).encode(),
            capture_output=True,
            timeout=deadline_s,
            env=environment,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise YouTubeError(YouTubeCause.TIMEOUT, f"yt-dlp took longer than {deadline_s:g} s") from error
    try:
        record = json.loads(done.stdout)
    except ValueError:
        record = None
    if not isinstance(record, dict):
        raise YouTubeError(cause_of(done.stderr), "yt-dlp gave no record")
    if record.get("title") == f"youtube video #{video_id}":  # yt-dlp makes this up where YouTube gave no title
        del record["title"]
    facts = read_record(record)
    if not (facts.title or facts.description):
        raise YouTubeError(YouTubeCause.UNREADABLE, "yt-dlp found neither title nor description")
    return facts


def cause_of(said: bytes) -> YouTubeCause:
    """Return why yt-dlp failed, from what it *said* on its standard error."""
    text = said.decode("utf-8", errors="replace")
    return next((cause for words, cause in _CAUSES if words in text), YouTubeCause.UNREADABLE)


def network_options(settings: Settings) -> list[str]:
    """Return the options of yt-dlp for timeout, proxy and authorities."""
    options = [f"--socket-timeout {settings.web_search_timeout:g}"]
    if settings.youtube_proxy:
        options.append(f'--proxy "{settings.youtube_proxy}"')
    if settings.youtube_ca_file:
        options.append("--compat-options no-certifi")
    return options


def _options(settings: Settings) -> str:
    return "\n".join((*_FACT_OPTIONS, *network_options(settings)))


async def fetch_sound(
    settings: Settings, video_id: str, folder: Path, *, max_bytes: int, max_s: float, deadline_s: float = SOUND_DEADLINE_S
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
            output, error_output = await process.communicate(_sound_options(settings, folder, max_bytes, max_s).encode())
    except TimeoutError:
        raise YouTubeError(YouTubeCause.TIMEOUT, f"yt-dlp took longer than {deadline_s:g} s") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    found = await asyncio.to_thread(_find_sound, folder)
    if found is None or process.returncode != 0:
        raise _sound_failure(output + error_output)
    return found


def _find_sound(folder: Path) -> Path | None:
    return next((path for path in folder.glob("sound.*") if path.suffix != ".part"), None)


def _sound_options(settings: Settings, folder: Path, max_bytes: int, max_s: float) -> str:
    bounds = (
        f"--max-filesize {max_bytes}",
        f'--match-filters "!is_live & duration<={max_s:.0f}"',
        f'--paths "{folder.resolve()}"',
    )
    return "\n".join((*_SOUND_OPTIONS, *bounds, *network_options(settings)))


def _sound_failure(error_output: bytes) -> VideoReadError:
    text = error_output.decode("utf-8", errors="replace")
    if _UNWANTED in text:
        korean = "실시간 방송이거나 너무 긴 영상이라 소리를 받아 적지 않았어요. 자막 파일을 올려 주세요."
        return VideoReadError("The video is live, or longer than is transcribed.", korean=korean)
    if _TOO_LARGE in text:
        korean = "영상의 소리가 너무 커서 받아 적지 않았어요. 자막 파일을 올려 주세요."
        return VideoReadError("The sound of the video is larger than is transcribed.", korean=korean)
    return YouTubeError(cause_of(error_output), "yt-dlp gave no sound")
