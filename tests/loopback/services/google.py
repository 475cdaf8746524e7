"""Google Custom Search: its answers, without a list when nothing was found, and its error body."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.loopback.played import Answer, Asked, PlayedService, json_answer

KEY = "CANARY-google-AIzaSyD4kP9vR2xW7b"
ENGINE = "0a1b2c3d4e5f60718"


def error(status: int, name: str, message: str, *reasons: str, details: tuple[Mapping[str, Any], ...] = ()) -> Answer:
    """Return a refusal as Google's services write it."""
    errors = [{"message": message, "domain": "global", "reason": reason} for reason in reasons]
    body = {"code": status, "message": message, "errors": errors, "status": name, "details": list(details)}
    return json_answer({"error": body}, status)


BAD_KEY = error(400, "INVALID_ARGUMENT", "API key not valid.", "badRequest", details=({"reason": "API_KEY_INVALID"},))


def over_the_limit(limit: str, service: str = "customsearch.googleapis.com") -> Answer:
    """Return the refusal of a request over *limit*, such as "Queries per day"."""
    message = f"Quota exceeded for quota metric 'Queries' and limit '{limit}' of service '{service}' for consumer 'project:1'."
    return error(429, "RESOURCE_EXHAUSTED", message, "rateLimitExceeded")


def _entry(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {"title": fields.get("title"), "link": fields.get("url"), "snippet": fields.get("snippet")}


def _envelope(entries: Any, asked: Asked) -> dict[str, Any]:
    if isinstance(entries, list):
        entries = entries[: int(asked.params.get("num", 10))]
    answer = {"kind": "customsearch#search", "searchInformation": {"searchTime": 0.3}}
    return answer if entries == [] else {**answer, "items": entries}


SERVICE = PlayedService(
    name="google",
    settings=lambda base_url: {
        "google_custom_search_api_key": KEY,
        "google_custom_search_engine_id": ENGINE,
        "google_custom_search_base_url": base_url,
    },
    entry=_entry,
    envelope=_envelope,
    answers={"bad-key": BAD_KEY, "quota": over_the_limit("Queries per day")},
    keys=(KEY,),
)
