"""yt-dlp records (``.info.json``) as videos.

Field names as yt-dlp 2026.10.26 writes them; almost any may be missing or null. A key ``maekrak`` may state speakers,
organizations, events and key terms.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from search_core.domain.video import VideoContext
from search_core.language.dates import read_date
from search_core.video.discovery import chapters_in
from search_core.video.mapping import names_of, read_mapping

_MARKS = ("extractor", "extractor_key", "webpage_url", "upload_date", "automatic_captions", "_type", "maekrak")
_STATED = ("speakers", "organizations", "events", "subject", "key_terms")
_LISTS = frozenset({"playlist", "multi_video"})
NOT_ONE_VIDEO = "영상 하나가 아니라 재생목록의 기록이에요. 영상 하나의 info.json을 쓰면 자막과 날짜까지 읽을 수 있어요."


def is_record(mapping: Mapping[str, object]) -> bool:
    """Return whether a JSON object looks like a yt-dlp record."""
    return any(mark in mapping for mark in _MARKS)


def stated_names(mapping: Mapping[str, object]) -> frozenset[str]:
    """Return which kinds of names a JSON object states, even as empty lists; these are not searched for."""
    own = mapping.get("maekrak")
    sources = (mapping, own) if isinstance(own, Mapping) else (mapping,)
    return frozenset(key for key in _STATED for source in sources if source.get(key) is not None)


def read_record(record: Mapping[str, Any]) -> VideoContext:
    """Return the video a yt-dlp record describes, without its transcript."""
    base = read_mapping({key: value for key, value in record.items() if key not in ("transcript", "segments", "url")})
    stated = record.get("maekrak")
    names: dict[str, Any] = (
        {key: names_of(stated[key]) for key in _STATED if key in stated} if isinstance(stated, Mapping) else {}
    )
    published = read_date(record.get("timestamp")) or read_date(record.get("release_timestamp")) or base.published_at
    kind = record.get("_type")
    warnings = (*base.warnings, NOT_ONE_VIDEO) if isinstance(kind, str) and kind in _LISTS else base.warnings
    return replace(
        base,
        published_at=published,
        chapters=base.chapters or chapters_in(base.description),
        warnings=warnings,
        **names,
    )


def base_language(code: str) -> str:
    """Return the language in a code such as ``pt-BR`` or ``en-orig``."""
    return re.split(r"[-_]", code, maxsplit=1)[0].lower()
