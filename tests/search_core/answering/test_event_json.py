from __future__ import annotations

import json
from datetime import UTC, datetime

from search_core.answering.event_json import event_json
from search_core.domain import (
    AnsweredWithoutWeb,
    AnswerOrigin,
    AnswerPart,
    AnswerToken,
    Comparison,
    OwnDocument,
    OwnDocumentsFound,
    PageOutcome,
    PagesRead,
    PassagesChosen,
    Stance,
    StanceRow,
    StancesCompared,
    TranscriptPassage,
    TranscriptSegment,
    WebAnswerFailed,
    WebAnswerFinished,
    WebFailure,
    WebSource,
    WebSourcesFound,
)
from search_core.errors import PageFailure


def written(event) -> dict:
    return json.loads(json.dumps(event_json(event)))


def test_events_are_named_and_plain():
    """Each event is a name and its values, as JSON knows them."""
    passage = TranscriptPassage(segments=(TranscriptSegment(3, 5, "하나"), TranscriptSegment(5, 9, "둘")), score=0.5)
    assert written(PassagesChosen(passages=(passage,))) == {
        "event": "passages",
        "data": {"passages": [{"start_s": 3, "end_s": 9, "text": "하나 둘", "score": 0.5}]},
    }
    assert written(AnswerToken(part=AnswerPart.WEB, text="가")) == {"event": "token", "data": {"part": "web", "text": "가"}}
    source = WebSource(
        number=1,
        title="제목",
        url="https://a.example",
        snippet="글",
        source="a",
        publish_date=datetime(2026, 3, 1, tzinfo=UTC),
        score=0.5,
    )
    assert written(WebSourcesFound(sources=(source,)))["data"]["sources"][0] == {
        "number": 1,
        "title": "제목",
        "url": "https://a.example",
        "snippet": "글",
        "source": "a",
        "publish_date": "2026-03-01T00:00:00+00:00",
        "score": 0.5,
    }
    document = OwnDocument(number=1, title="메모", url="library:a", quote="문장", source="메모", publish_date=None, sample=True)
    assert written(OwnDocumentsFound(documents=(document,), to_model=False)) == {
        "event": "own_documents",
        "data": {
            "documents": [
                {
                    "number": 1,
                    "title": "메모",
                    "url": "library:a",
                    "quote": "문장",
                    "source": "메모",
                    "publish_date": None,
                    "sample": True,
                }
            ],
            "to_model": False,
        },
    }
    assert written(AnsweredWithoutWeb(text="답", moments=(3.0,), cited=(1,), unsupported=((0, 1),))) == {
        "event": "answer_without_web",
        "data": {"text": "답", "moments": [3.0], "cited": [1], "unsupported": [[0, 1]]},
    }
    assert written(WebAnswerFinished(text="답", origin=AnswerOrigin.MODEL, cited=(1,), unsupported=((0, 1),))) == {
        "event": "web_answer",
        "data": {"text": "답", "origin": "model", "cited": [1], "unsupported": [[0, 1]]},
    }
    row = StanceRow(
        moment_s=3.5,
        statement="말",
        stance=Stance.CHANGED,
        source=0,
        quote="글",
        date=datetime(2026, 3, 1, tzinfo=UTC),
        after_video=True,
        independent_of=0,
        confidence=0.5,
        restates_video=False,
        why="까닭",
    )
    compared = Comparison(rows=(row,), adds_nothing=False, before=(), after=(row,), undated=())
    told = written(StancesCompared(comparison=compared, summary="요약"))
    assert (told["event"], told["data"]["summary"]) == ("stances", "요약")
    assert told["data"]["comparison"]["rows"] == told["data"]["comparison"]["after"]
    assert told["data"]["comparison"]["rows"][0]["stance"] == "changed"
    assert told["data"]["comparison"]["rows"][0]["date"] == "2026-03-01T00:00:00+00:00"
    assert written(PagesRead(pages=(PageOutcome(number=2, failure=PageFailure.BLOCKED),))) == {
        "event": "pages_read",
        "data": {"pages": [{"number": 2, "failure": "blocked"}]},
    }
    failed = written(WebAnswerFailed(failure=WebFailure.TIMEOUT, cause="late", korean="늦었어요"))
    assert (failed["event"], failed["data"]["failure"]) == ("web_failed", "timeout")
