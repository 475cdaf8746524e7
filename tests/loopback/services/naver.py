"""Naver: the API HUB's answers for web documents, the encyclopedia, and news, and the refusals of its gateway."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from email.utils import format_datetime
from html import escape
from typing import Any
from zlib import crc32

from search_core.domain.reply import SearchStatus
from tests.loopback.played import Answer, Asked, PlayedService, json_answer

CLIENT_ID = "CANARY-naver-id-5Xq2mZ8vLw"
SECRET = "CANARY-naver-secret-Tr7pQ4nH1c"
FIELDS = {
    "webkr": ("title", "link", "description"),
    "encyc": ("title", "link", "description"),
    "news": ("title", "originallink", "link", "description", "pubDate"),
}


def gateway_error(status: int, code: str, message: str) -> Answer:
    """Return a refusal as the gateway of the API HUB writes it."""
    return json_answer({"error": {"errorCode": code, "message": message, "details": f"{message}."}}, status)


def _entry(fields: Mapping[str, Any]) -> dict[str, Any]:
    title, snippet, published = fields.get("title"), fields.get("snippet"), fields.get("published")
    with suppress(TypeError, ValueError):
        published = format_datetime(datetime.fromisoformat(published)).replace("-0000", "+0900")  # type: ignore[arg-type]
    return {
        "title": f"<b>{escape(title)}</b>" if isinstance(title, str) else title,
        "originallink": fields.get("url"),
        "link": fields.get("url"),
        "description": escape(snippet) if isinstance(snippet, str) else snippet,
        "pubDate": published,
    }


def _of_kind(kind: str, entry: Any) -> Any:
    """Return *entry* with the fields its kind has; the encyclopedia has pages of its own."""
    if kind not in FIELDS or not isinstance(entry, dict):
        return entry
    own = {"link": f"https://terms.naver.com/entry.naver?docId={crc32(str(entry['link']).encode())}"} if kind == "encyc" else {}
    return {name: value for name, value in {**entry, **own}.items() if name in FIELDS[kind]}


def _envelope(entries: Any, asked: Asked) -> dict[str, Any]:
    kind = asked.path.rpartition("/")[2]
    if isinstance(entries, list):
        entries = [_of_kind(kind, entry) for entry in entries[: int(asked.params.get("display", 10))]]
    return {"lastBuildDate": "Sat, 21 Nov 2026 11:01:35 +0900", "start": 1, "items": entries}


SERVICE = PlayedService(
    name="naver",
    settings=lambda base_url: {"naver_client_id": CLIENT_ID, "naver_client_secret": SECRET, "naver_base_url": base_url},
    query=lambda asked: asked.params.get("query", ""),
    entry=_entry,
    envelope=_envelope,
    answers={
        "bad-key": gateway_error(401, "200", "Authentication Failed"),
        "quota": gateway_error(429, "400", "Quota Exceeded"),
    },
    outcomes={
        "403": SearchStatus.INVALID_API_KEY,  # how Naver refuses a key that may not search
        "blocked": SearchStatus.INVALID_API_KEY,
        "echo-key": SearchStatus.INVALID_API_KEY,
    },
    keys=(CLIENT_ID, SECRET),
)
