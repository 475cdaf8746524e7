"""Facts about a video from yt-dlp, when it is installed.

yt-dlp runs as a child process: importing it stalls the server, and a child can be ended when its time is over. Its options go in
by standard input, so that a proxy's password is in no process list; options and answers as of 2026.10.26.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys

from search_core.domain.video import VideoContext
from search_core.settings import Settings
from search_core.video.address import YouTubeCause, YouTubeError, watch_url
from search_core.video.mapping import read_record

DEADLINE_S = 25.0
"""Most seconds of a run: starting takes half a second, and a full extraction sends YouTube up to six requests."""
_OPTIONS = (
    *("--no-cache-dir", "--no-playlist", "--no-warnings", "--extractor-retries 0", "--retries 0"),
    *("--skip-download", "--dump-single-json", "--ignore-no-formats-error"),
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


def extract_facts(settings: Settings, video_id: str, deadline_s: float) -> VideoContext:
    """Return yt-dlp's facts about a video, without its transcript, within *deadline_s* seconds; raises YouTubeError."""
    try:
        done = subprocess.run(  # noqa: S603 - our own interpreter, an id of eleven checked characters, no shell
            _command(video_id),
            input=_options(settings),
            capture_output=True,
            timeout=deadline_s,
            env={"SSL_CERT_FILE": settings.proxy_ca_file} if settings.proxy_ca_file else None,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise YouTubeError(YouTubeCause.TIMEOUT, f"yt-dlp took longer than {deadline_s:g} s") from error
    try:
        record = json.loads(done.stdout)
    except ValueError:
        record = None
    if not isinstance(record, dict):
        said = done.stderr.decode("utf-8", errors="replace")
        cause = next((cause for words, cause in _CAUSES if words in said), YouTubeCause.UNREADABLE)
        raise YouTubeError(cause, "yt-dlp gave no record")
    if record.get("title") == f"youtube video #{video_id}":  # yt-dlp makes this up where YouTube gave no title
        del record["title"]
    facts = read_record(record)
    if not (facts.title or facts.description):
        raise YouTubeError(YouTubeCause.UNREADABLE, "yt-dlp found neither title nor description")
    return facts


def _command(video_id: str) -> list[str]:
    if importlib.util.find_spec("yt_dlp") is None:
        raise YouTubeError(YouTubeCause.NOT_INSTALLED, "yt-dlp is not installed")
    return [sys.executable, "-m", "yt_dlp", "--ignore-config", "--config-locations", "-", "--", watch_url(video_id)]


def _options(settings: Settings) -> bytes:
    """Return the request to yt-dlp, with timeout, proxy and authorities."""
    lines = [*_OPTIONS, f"--socket-timeout {settings.web_search_timeout:g}"]
    if settings.youtube_proxy:
        lines.append(f'--proxy "{settings.youtube_proxy}"')
    if settings.proxy_ca_file:
        lines.append("--compat-options no-certifi")
    return "\n".join(lines).encode()
