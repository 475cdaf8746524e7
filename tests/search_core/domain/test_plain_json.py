"""Values of the domain in the words of JSON."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from search_core.domain import (
    ProviderReply,
    SearchResult,
    SearchStatus,
    TranscriptPassage,
    TranscriptSegment,
)
from search_core.domain.plain_json import plain_json

STORED = datetime(2026, 11, 20, 3, tzinfo=UTC)


def test_objects_lists_and_times_have_the_forms_of_json():
    """Dataclasses and named tuples become objects, times ISO 8601, at any depth; only fields of the value itself are left out."""
    hit = SearchResult(title="제목", url="u", snippet="s", source="s", ranks=(("brave", 1),), publish_date=STORED)
    reply = ProviderReply(provider="brave", status=SearchStatus.SUCCESS, results=(hit,), stored_at=STORED)
    plain = json.loads(json.dumps(plain_json(reply)))
    assert (plain["status"], plain["stored_at"], plain["error_message"]) == ("success", "2026-11-20T03:00:00+00:00", None)
    assert plain["results"][0]["ranks"] == [["brave", 1]]
    assert plain["results"][0]["publish_date"] == "2026-11-20T03:00:00+00:00"
    without = plain_json(reply, "provider", "title")
    assert "provider" not in without
    assert without["results"][0]["title"] == "제목"


def test_a_passage_is_one_text():
    """Its segments become one text from the beginning of the first to the end of the last."""
    passage = TranscriptPassage(segments=(TranscriptSegment(1.0, 2.5, "메모리"), TranscriptSegment(2.5, 4.0, "장벽")), score=0.5)
    assert plain_json((passage,)) == [{"start_s": 1.0, "end_s": 4.0, "text": "메모리 장벽", "score": 0.5}]
