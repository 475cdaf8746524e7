"""Events fold into the record that pages draw and the store keeps."""

from __future__ import annotations

from search_core.domain.conversation import (
    AnswerPart,
    AnswerToken,
    PassagesChosen,
    WebAnswerFailed,
    WebFailure,
    WebSource,
    WebSourcesFound,
)
from search_core.domain.video import TranscriptPassage, TranscriptSegment
from tests.search_core.checking.checked import record_of

PASSAGE = TranscriptPassage(segments=(TranscriptSegment(0.0, 4.0, "대역폭 이야기"),), score=0.7)
SOURCE = WebSource(number=1, title="기사", url="https://a.example/1", snippet="대역폭", source="a.example", publish_date=None)
FROM_VIDEO = (
    PassagesChosen(passages=(PASSAGE,)),
    AnswerToken(part=AnswerPart.VIDEO, text="대역폭이 "),
    AnswerToken(part=AnswerPart.VIDEO, text="부족해요. "),
)


def test_a_failed_second_answer_takes_its_tokens_with_it():
    """What was shown of it is void, and the first answer and the sources stand."""
    failure = WebAnswerFailed(failure=WebFailure.MODEL_FAILED, cause="cut", korean="웹 답변을 쓰지 못했어요.")
    said = AnswerToken(part=AnswerPart.WEB, text="웹")
    record = record_of((*FROM_VIDEO, WebSourcesFound(sources=(SOURCE,)), said, failure))
    assert (record.web_text, record.failure, record.sources) == ("", failure, (SOURCE,))
    assert record.text == "대역폭이 부족해요. "
