"""Tavily: POST with a JSON body, dates in the manner of e-mail, limits with statuses of their own."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from tests.loopback.played import Asked, PlayedService, json_answer

KEY = "tvly-CANARY-7f3a91c2d5e84b60a1f7"


def _query(asked: Asked) -> str:
    assert (asked.method, asked.path) == ("POST", "/search")
    query = asked.json["query"]
    assert isinstance(query, str)
    return query


def _entry(fields: Mapping[str, Any]) -> dict[str, Any]:
    published = fields.get("published")
    if isinstance(published, str) and published.startswith("2026"):
        published = datetime.fromisoformat(published).strftime("%a, %d %b %Y %H:%M:%S GMT")
    found = {"title": fields.get("title"), "url": fields.get("url"), "content": fields.get("snippet")}
    return {**found, "score": 0.81, "published_date": published or None}


def _envelope(entries: Any, _: Asked) -> dict[str, Any]:
    return {"query": "", "answer": None, "results": entries, "response_time": "1.67"}


def refused(status: int, words: str) -> tuple[int, Mapping[str, str], bytes]:
    """Return an error as Tavily writes it."""
    return json_answer({"detail": {"error": words}}, status)


SERVICE = PlayedService(
    name="tavily",
    settings=lambda base_url: {"tavily_base_url": base_url, "tavily_api_key": KEY},
    query=_query,
    entry=_entry,
    envelope=_envelope,
    answers={
        "401": refused(401, "Unauthorized: missing or invalid API key."),
        "bad-key": refused(401, "Unauthorized: missing or invalid API key."),
        "quota": refused(432, "This request exceeds your plan's set usage limit. Please upgrade your plan."),
        "429": refused(429, "Your request has been blocked due to excessive requests. Please reduce rate of requests."),
        "500": refused(500, "Internal Server Error"),
    },
    keys=(KEY,),
    dated=True,
)
