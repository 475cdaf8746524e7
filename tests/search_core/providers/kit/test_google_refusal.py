"""The error body of Google's services, also when it is no such body at all."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from search_core.domain import SearchStatus
from search_core.providers.kit.google_refusal import KeyAdvice, google_refusal
from search_core.providers.kit.http import HttpAnswer

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
ADVICE = KeyAdvice(bad_key="키를 확인해 주세요.", not_allowed="API를 켜 주세요.")
ODD = [
    None,
    [],
    7,
    {},
    {"error": None},
    {"error": "no"},
    {"error": []},
    {"error": {"status": 7, "message": {}, "errors": {}, "details": "x"}},
    {
        "error": {
            "errors": [None, 3, [], {"reason": None}, {"reason": []}],
            "details": [None, {"metadata": [1]}, {"metadata": {}}],
        }
    },
]


def answer(status: int, body: Any, **headers: str) -> HttpAnswer:
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return HttpAnswer(host="google.example", status=status, headers=names, body=sent)


def test_an_odd_body_is_classified_by_its_status():
    """Whatever is found where the reasons should be, only the status counts."""
    expected = {
        200: None,
        400: SearchStatus.INVALID_RESPONSE,
        401: SearchStatus.INVALID_API_KEY,
        403: SearchStatus.BLOCKED,
        429: SearchStatus.RATE_LIMITED,
        500: SearchStatus.NETWORK_ERROR,
    }
    for body in (*ODD, b"", b"<html>", b"[" * 100_000, b"\xff\xfe"):
        for status, meaning in expected.items():
            error = google_refusal(answer(status, body), NOW, ADVICE)
            assert (error.status if error else None) is meaning, body


def test_only_known_reasons_are_repeated():
    """A reason helps to look it up, but a text from outside that is none may be anything, a key as well; a pause is passed on."""
    body = {"error": {"errors": [{"reason": "accessNotConfigured"}, {"reason": "AIzaPlantedKey"}], "message": "AIzaPlantedKey"}}
    refused = google_refusal(answer(403, body), NOW, ADVICE)
    assert refused is not None
    assert (refused.status, refused.advice) == (SearchStatus.INVALID_API_KEY, "API를 켜 주세요.")
    assert ("accessNotConfigured" in str(refused), "AIza" in str(refused)) == (True, False)
    spent = google_refusal(answer(429, {"error": {"message": "limit 'Queries per day' of"}}, retry_after="60"), NOW, ADVICE)
    assert spent is not None
    assert (spent.status, spent.retry_after_s) == (SearchStatus.QUOTA_EXHAUSTED, 60.0)
