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
_EVERY_RUN = ("--no-cache-dir", "--no-playlist", "--no-warnings", "--extractor-retries 0")
_FACT_OPTIONS = ("--skip-download", "--dump-single-json", "--ignore-no-formats-error", "--retries 0")
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
    "--no-progress",
    "--no-mtime",
    "--fixup never",  # needs ffmpeg, and PyAV reads what it would mend
    "--retries 2",
    '--format "bestaudio[protocol=https]/bestaudio[protocol=http]/best[protocol=https]/best[protocol=http]"',
    '--output "sound.%(ext)s"',
)
_UNWANTED = "does not pass filter"
_TOO_LARGE = "max-filesize"


def extract_facts(settings: Settings, video_id: str, deadline_s: float) -> VideoContext:
    """Return what yt-dlp learns about a video, without its words, within *deadline_s* seconds; raises YouTubeError."""
    try:
        done = subprocess.run(  # noqa: S603 - our own interpreter, an id of eleven checked characters, no shell
            _command(video_id),
            input=_options(settings, *_FACT_OPTIONS),
            capture_output=True,
            timeout=deadline_s,
            env=_environment(settings),
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise YouTubeError(YouTubeCause.TIMEOUT, f"yt-dlp took longer than {deadline_s:g} s") from error
    try:
        record = json.loads(done.stdout)
    except ValueError:
        record = None
    if not isinstance(record, dict):
        raise YouTubeError(_cause_of(done.stderr), "yt-dlp gave no record")
    if record.get("title") == f"youtube video #{video_id}":  # yt-dlp makes this up where YouTube gave no title
        del record["title"]
    facts = read_record(record)
    if not (facts.title or facts.description):
        raise YouTubeError(YouTubeCause.UNREADABLE, "yt-dlp found neither title nor description")
    return facts


async def fetch_sound(settings: Settings, video_id: str, folder: Path, *, max_bytes: int, max_s: float) -> Path:
    """Return a new file in *folder* with the sound of a video; cancelling ends the process.

    Raises YouTubeError, and VideoReadError for a video that is live or has more than *max_bytes* or *max_s* seconds.
    """
    process = await asyncio.create_subprocess_exec(
        *_command(video_id),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=_environment(settings),
    )
    try:
        async with asyncio.timeout(SOUND_DEADLINE_S):
            bounds = _bounds(folder, max_bytes, max_s)
            output, error_output = await process.communicate(_options(settings, *_SOUND_OPTIONS, *bounds))
    except TimeoutError:
        raise YouTubeError(YouTubeCause.TIMEOUT, f"yt-dlp took longer than {SOUND_DEADLINE_S:g} s") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    found = await asyncio.to_thread(lambda: [path for path in folder.glob("sound.*") if path.suffix != ".part"])
    if not found or process.returncode != 0:
        raise _sound_failure(output + error_output)
    return found[0]


def _bounds(folder: Path, max_bytes: int, max_s: float) -> tuple[str, ...]:
    filters = f'--match-filters "!is_live & duration<={max_s:.0f}"'
    return f"--max-filesize {max_bytes}", filters, f'--paths "{folder.resolve()}"'


def _sound_failure(error_output: bytes) -> VideoReadError:
    text = error_output.decode("utf-8", errors="replace")
    if _UNWANTED in text:
        korean = "실시간 방송이거나 너무 긴 영상이라 소리를 받아 적지 않았어요. 자막 파일을 올려 주세요."
        return VideoReadError("The video is live, or longer than is transcribed.", korean=korean)
    if _TOO_LARGE in text:
        korean = "영상의 소리가 너무 커서 받아 적지 않았어요. 자막 파일을 올려 주세요."
        return VideoReadError("The sound of the video is larger than is transcribed.", korean=korean)
    return YouTubeError(_cause_of(error_output), "yt-dlp gave no sound")


def _command(video_id: str) -> list[str]:
    if importlib.util.find_spec("yt_dlp") is None:
        raise YouTubeError(YouTubeCause.NOT_INSTALLED, "yt-dlp is not installed")
    return [sys.executable, "-m", "yt_dlp", "--ignore-config", "--config-locations", "-", "--", watch_url(video_id)]


def _environment(settings: Settings) -> dict[str, str] | None:
    return {"SSL_CERT_FILE": settings.proxy_ca_file} if settings.proxy_ca_file else None


def _options(settings: Settings, *options: str) -> bytes:
    """Return what is sent to yt-dlp: *options*, and those for timeout, proxy and authorities."""
    lines = [*_EVERY_RUN, *options, f"--socket-timeout {settings.web_search_timeout:g}"]
    if settings.youtube_proxy:
        lines.append(f'--proxy "{settings.youtube_proxy}"')
    if settings.proxy_ca_file:
        lines.append("--compat-options no-certifi")
    return "\n".join(lines).encode()


def _cause_of(said: bytes) -> YouTubeCause:
    """Return why yt-dlp failed, from what it *said* on its standard error."""
    text = said.decode("utf-8", errors="replace")
    return next((cause for words, cause in _CAUSES if words in text), YouTubeCause.UNREADABLE)
