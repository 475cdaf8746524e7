"""SearXNG: an answer of a healthy instance, and one of an instance whose engines are all blocked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.loopback.played import PlayedService, json_answer


def _entry(fields: Mapping[str, Any]) -> dict[str, Any]:
    found = {"url": fields.get("url"), "title": fields.get("title"), "content": fields.get("snippet")}
    return {**found, "engines": ["mojeek"], "score": 1.0, "publishedDate": fields.get("published") or None}


def _envelope(entries: Any, unresponsive: Sequence[Sequence[str]] = ()) -> dict[str, Any]:
    return {"query": "", "results": entries, "answers": [], "unresponsive_engines": unresponsive}


SERVICE = PlayedService(
    name="searxng",
    settings=lambda base_url: {"searxng_url": base_url},
    entry=_entry,
    envelope=lambda entries, _: _envelope(entries),
    answers={"blocked": json_answer(_envelope([], [["google", "CAPTCHA"], ["qwant", "Suspended: too many requests"]]))},
    dated=True,
)
