"""Settings that are gone: whoever still sets one is told once, at start, what to do instead."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from functools import cache

logger = logging.getLogger(__name__)

_FIXED = "the value is fixed"
REMOVED: Mapping[str, str] = {
    "API_STREAMS_PER_CALLER": f"{_FIXED} at 64",
    "CHECK_ONLINE_PAGES": f"{_FIXED} at 5",
    "CLAIMS_AT_ONCE": f"{_FIXED} at 4",
    "CLAIMS_RUNS_AT_ONCE": f"{_FIXED} at 2",
    "CLAIMS_RUNS_EVERYWHERE": "start fewer workers",
    "DDGS_CA_FILE": "set PROXY_CA_FILE",
    "DUCKDUCKGO_BACKEND": f"{_FIXED} at duckduckgo",
    "DUCKDUCKGO_REGION": f"{_FIXED} at kr-kr",
    "EMBEDDING_ALLOW_DOWNLOAD": "download the model by make models EMBEDDING_MODEL=name",
    "EMBEDDING_API_KEY": "load the model here by EMBEDDING_MODEL",
    "EMBEDDING_BASE_URL": "load the model here by EMBEDDING_MODEL",
    "MAEKRAK_LOG_LEVEL": "set Streamlit's logger.level",
    "METRICS_TOKEN": "ask for /metrics from this machine or with a token of API_TOKENS",
    "MAX_CONTENT_LENGTH": f"{_FIXED} at 8000",
    "MCP_HTTP": "/mcp is always served, to whom the HTTP API answers",
    "NAVER_PLATFORM": "use a key of NAVER API HUB",
    "OPENAI_JUDGES_SOURCES": "the model of OPENAI_MODEL judges where one is set",
    "OPENAI_SPEECH_MODEL": "answers are not read aloud any more",
    "OPENAI_SPEECH_VOICE": "answers are not read aloud any more",
    "PLAYWRIGHT_BROWSER": "put Chromium on the PATH",
    "PLAYWRIGHT_HEADLESS": "the browser runs without a window",
    "PLAYWRIGHT_MCP_CLI": "install Playwright MCP by make browser",
    "RANKING_PROFILE": "set RELEVANCE_THRESHOLD",
    "RESEARCH_FETCHES_AT_ONCE": f"{_FIXED} at 24",
    "RESEARCH_MAX_TOTAL_LENGTH": f"{_FIXED} at 48000",
    "RESEARCH_RUNS_EVERYWHERE": "start fewer workers",
    "SEARCH_HISTORY_DAYS": f"{_FIXED} at 90",
    "SEARCH_HISTORY_MAX": f"{_FIXED} at 10000",
    "TAVILY_SEARCH_DEPTH": f"{_FIXED} at basic",
    "TRANSCRIPTION_MAX_HOURS": f"{_FIXED} at 6",
    "TRANSCRIPTION_MAX_MB": f"{_FIXED} at 1024",
    "TRANSCRIPTION_TIMEOUT": f"{_FIXED} at 600",
    "TRANSCRIPTION_YOUTUBE": "open the video's own file, or a subtitle file",
    "WEB_SEARCH_INCLUDE_DOMAINS": "use WEB_SEARCH_EXCLUDE_DOMAINS, or name a site in the question",
    "WEB_SEARCH_NEWS_FRESHNESS": f"{_FIXED} at month",
    "WEB_SEARCH_SAFE_SEARCH": f"{_FIXED} at moderate",
    "WHISPER_DEVICE": f"{_FIXED} at auto",
    "WIKIPEDIA_LANGUAGES": f"{_FIXED} at ko,en",
    "YOUTUBE_CA_FILE": "set PROXY_CA_FILE",
}
"""What to do instead, by the name of a setting that 0.4.0 had."""


def warn_of_removed(names: Iterable[str]) -> None:
    """Log one line that names the removed settings among *names*, of whatever case; the same line once in a process."""
    found = sorted({name.upper() for name in names} & REMOVED.keys())
    if found:
        _log("; ".join(f"{name} ({REMOVED[name]})" for name in found))


@cache
def _log(found: str) -> None:
    logger.warning("Settings that no longer exist have no effect, remove them: %s.", found)
