"""The JSON of records."""

from __future__ import annotations

import json
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any, get_type_hints

import pytest

from search_core.domain.conversation import Conversation, ConversationEntry
from search_core.domain.plain_json import FORMS, plain_json
from search_core.domain.query import ConversationMemory, Turn
from search_core.domain.reply import ProviderReply, SearchStatus
from search_core.domain.research import ResearchRequest, ResearchRun
from search_core.domain.result import Rank, SearchResult
from search_core.domain.video import TranscriptPassage, TranscriptSegment, VideoContext

NOON = datetime(2026, 11, 20, 3, tzinfo=UTC)
VIDEO = VideoContext(video_id="v", title="제목", transcript=(TranscriptSegment(1.0, 2.0, "비밀스러운 말"),))


def test_objects_lists_and_times_have_the_forms_of_json():
    """Records and named tuples become objects, tuples lists, members of enums their values, times ISO 8601, at any depth."""
    hit = SearchResult(title="제목", url="u", snippet="s", source="s", ranks=(Rank("brave", 1),), publish_date=NOON)
    plain = json.loads(json.dumps(plain_json({"hits": (hit,), "status": SearchStatus.SUCCESS})))
    assert plain["status"] == "success"
    assert plain["hits"][0]["ranks"] == [{"provider": "brave", "place": 1}]
    assert plain["hits"][0]["publish_date"] == "2026-11-20T03:00:00+00:00"
    reply = ProviderReply(provider="brave", status=SearchStatus.SUCCESS, results=(hit,))
    assert plain_json(reply).items() >= {"status": "success", "count": 1, "stored_at": None}.items()
    assert "results" not in plain_json(reply)


def test_a_passage_is_one_text():
    """Its segments become one text from the beginning of the first to the end of the last."""
    passage = TranscriptPassage(segments=(TranscriptSegment(1.0, 2.5, "메모리"), TranscriptSegment(2.5, 4.0, "장벽")), score=0.5)
    assert plain_json((passage,)) == [{"start_s": 1.0, "end_s": 4.0, "text": "메모리 장벽", "score": 0.5}]


def test_neither_owners_nor_transcripts_are_told():
    """Of its video a record tells which it is; its transcript, what was said before and whose it is stay inside."""
    memory = ConversationMemory().remember(Turn(question="비밀스러운 물음"))
    asked = ResearchRequest(question="가격", video=VIDEO, memory=memory, owner="minsu", conversation_id="c")
    run = plain_json(ResearchRun(id="x", request=asked, created_at=NOON))
    assert (run["query"], run["session_id"], run["video"]["video_id"]) == ("가격", "c", "v")
    entry = ConversationEntry(
        id="c", owner="minsu", title="t", video_key="k", video_title="", created_at=NOON, updated_at=NOON, messages=0
    )
    told = json.dumps([run, plain_json(Conversation(entry=entry, video=VIDEO))], ensure_ascii=False)
    assert "비밀스러운" not in told
    assert "minsu" not in told


@pytest.mark.parametrize("kind", FORMS)
def test_forms_name_what_there_is(kind: Any):
    """A form names fields that its type has, and paths that lead somewhere."""
    form, names = FORMS[kind], {field.name for field in fields(kind)}
    assert names >= {*form.only, *form.left_out}
    for path in form.added.values():
        *way, name = path.split(".")
        holder = kind
        for step in way:
            holder = get_type_hints(holder)[step]
        assert name in get_type_hints(holder) or isinstance(getattr(holder, name), property)
