"""What stands in a line that ``batch`` reads, as the values its stages take."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

from search_core.domain import ConversationMemory, SearchResult, VideoContext
from search_core.errors import InputError
from search_core.json_line import number_in, text_in
from search_core.provider_kit import payload
from search_core.reading.fetch import MAX_PAGE_BYTES

Row = Mapping[str, Any]
_WHITE_SPACE = re.compile(r"\s")
"""Has no place in an address, and a line break there would start a line of its own in the list."""


def text_of(row: Row, key: str) -> str:
    """Return the text under *key*; raises InputError when there is none."""
    value = row.get(key)
    if not isinstance(value, str):
        raise InputError(f"'{key}' must be a text.", korean=f"'{key}'에 글을 넣어 주세요.")
    return value


def page_of(row: Row) -> tuple[bytes, str]:
    """Return the bytes of the page in *row*, and the type they would be sent with; raises InputError without a page."""
    if isinstance(row.get("html"), str):
        return row["html"].encode("utf-8", "replace"), "text/html; charset=utf-8"
    path = row.get("path")
    if not isinstance(path, str) or not path:
        raise InputError("'html' or 'path' must be a text.", korean="'html'이나 'path'에 페이지를 넣어 주세요.")
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_PAGE_BYTES + 1)
    except (OSError, ValueError) as error:
        raise InputError(f"The file cannot be read: {error}", korean="파일을 읽지 못했어요. 경로를 확인해 주세요.") from None
    if len(data) > MAX_PAGE_BYTES:
        raise InputError("The page is too large.", korean="페이지가 너무 커요.")
    return data, ""


def rows_of(row: Row, key: str) -> list[Row]:
    """Return the list of objects under *key*; raises InputError when there is none."""
    value = row.get(key)
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise InputError(f"'{key}' must be a list of objects.", korean=f"'{key}'에 결과 목록을 넣어 주세요.")
    return cast("list[Row]", value)


def video_of(row: Row) -> VideoContext | None:
    """Return the video of *row*, None without one; raises InputError or VideoReadError when it cannot be read."""
    value = row.get("video")
    if value is None:
        return None
    if not isinstance(value, dict):
        raise InputError("'video' must be an object.", korean="'video'에 영상 정보를 객체로 넣어 주세요.")
    return VideoContext.from_mapping(value)


def memory_of(row: Row) -> ConversationMemory:
    """Return the earlier turns of *row*; raises InputError when they are no list."""
    value = row.get("history") or []
    if not isinstance(value, list):
        raise InputError("'history' must be a list of texts.", korean="'history'에 이전 질문 목록을 넣어 주세요.")
    return ConversationMemory.from_questions(_turn(item) for item in value)


def _turn(item: Any) -> str:
    if isinstance(item, dict):
        item = next((item[key] for key in ("question", "query", "content", "text") if isinstance(item.get(key), str)), "")
    return item if isinstance(item, str) else ""


def result_of(row: Row, now: datetime) -> SearchResult:
    """Return *row* as a search result; dates like "어제" are reckoned from *now*."""
    return SearchResult(
        title=text_in(row.get("title")),
        url=_WHITE_SPACE.sub(lambda found: quote(found[0]), text_in(row.get("url")).strip()),
        snippet=text_in(row.get("snippet")) or text_in(row.get("content")),
        source=text_in(row.get("source")),
        publish_date=payload.date(row.get("published") or row.get("publish_date"), now),
        relevance_score=number_in(row.get("relevance_score")),
        language=text_in(row.get("language")),
        providers=_names(row.get("providers")),
    )


def _names(value: Any) -> tuple[str, ...]:
    names = value if isinstance(value, list) else [value]
    return tuple(name for name in map(text_in, names) if name)
