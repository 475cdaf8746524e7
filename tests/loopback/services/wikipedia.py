"""Wikipedia: one page, named after the first word of the query, in the language of the path."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

from tests.loopback.played import Answer, Asked, Page, PlayedService, json_answer


def _entry(fields: Mapping[str, Any]) -> dict[str, Any]:
    found = {"key": fields.get("url"), "title": fields.get("title"), "excerpt": fields.get("snippet")}
    return {"id": 1, **found, "description": None}


def _render(pages: tuple[Page, ...], asked: Asked) -> Answer:
    query = asked.params.get("q", "")
    if not pages or not query:
        return json_answer({"pages": []})
    title = query.split()[0]
    rest = "에 관한 백과사전 문서이다." if asked.path.split("/")[1] == "ko" else " is the subject of this encyclopedia article."
    excerpt = f'<span class="searchmatch">{html.escape(title)}</span>{rest}'
    return json_answer({"pages": [_entry({"url": title, "title": title, "snippet": excerpt})]})


SERVICE = PlayedService(
    name="wikipedia",
    settings=lambda base_url: {"wikipedia_base_url": f"{base_url}/{{language}}"},
    entry=_entry,
    envelope=lambda entries, _: {"pages": entries},
    render=_render,
)
