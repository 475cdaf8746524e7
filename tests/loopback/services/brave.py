"""Brave: pages under ``web``, news at the top, a wrong key that is a 422, and two limits that are both a 429."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.loopback.played import Answer, Asked, PlayedService, json_answer

KEY = "BSA-CANARY-40be6d17f2c94e7fb3d8"


def _entry(fields: Mapping[str, Any]) -> dict[str, Any]:
    found = {"title": fields.get("title"), "url": fields.get("url"), "description": fields.get("snippet")}
    return {**found, "page_age": fields.get("published") or None, "language": "ko"}


def _envelope(entries: Any, asked: Asked) -> dict[str, Any]:
    if "/news/" in asked.path:
        return {"type": "news", "results": entries}
    return {"type": "search", **({} if entries == [] else {"web": {"type": "search", "results": entries}})}


def refused(status: int, code: str, *, headers: Mapping[str, str] | None = None) -> Answer:
    """Return an error as Brave sends it."""
    error = {"id": "5d832250", "status": status, "code": code, "detail": "No."}
    return json_answer({"type": "ErrorResponse", "error": error, "time": 1754364294}, status, headers)


SERVICE = PlayedService(
    name="brave",
    settings=lambda base_url: {"brave_base_url": base_url, "brave_search_api_key": KEY},
    entry=_entry,
    envelope=_envelope,
    answers={
        "bad-key": refused(422, "SUBSCRIPTION_TOKEN_INVALID"),
        "quota": refused(429, "QUOTA_LIMITED", headers={"x-ratelimit-limit": "1, 2000", "x-ratelimit-remaining": "1, 0"}),
        "422": refused(422, "VALIDATION"),
        "429": refused(429, "RATE_LIMITED", headers={"x-ratelimit-limit": "50, 0", "x-ratelimit-remaining": "0, 0"}),
    },
    keys=(KEY,),
    dated=True,
)
