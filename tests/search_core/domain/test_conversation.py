"""Events fold into the record that pages draw and the store keeps."""

from __future__ import annotations

from search_core.domain import (
    AnswerFinished,
    AnswerOrigin,
    AnswerPart,
    AnswerToken,
    Comparison,
    PageOutcome,
    PagesRead,
    PassagesChosen,
    StancesCompared,
    TranscriptPassage,
    TranscriptSegment,
    WebAnswerFailed,
    WebAnswerFinished,
    WebFailure,
    WebSearching,
    WebSource,
    WebSourcesFound,
)
from tests.search_core.answers.checked import record_of

PASSAGE = TranscriptPassage(segments=(TranscriptSegment(0.0, 4.0, "대역폭 이야기"),), score=0.7)
SOURCE = WebSource(number=1, title="기사", url="https://a.example/1", snippet="대역폭", source="a.example", publish_date=None)
FROM_VIDEO = (
    PassagesChosen(passages=(PASSAGE,)),
    AnswerToken(part=AnswerPart.VIDEO, text="대역폭이 "),
    AnswerToken(part=AnswerPart.VIDEO, text="부족해요. "),
)


def test_tokens_are_the_answer_until_it_is_finished():
    """Tokens add up; the finished text takes their place."""
    record = record_of(FROM_VIDEO)
    assert (record.text, record.origin) == ("대역폭이 부족해요. ", None)
    text = "대역폭이 부족해요. [00:00]"
    record = record.after(AnswerFinished(text=text, moments=(0.0,), origin=AnswerOrigin.MODEL, notice="끊겼어요."))
    assert (record.text, record.origin, record.complete, record.notice) == (text, AnswerOrigin.MODEL, True, "끊겼어요.")


def test_what_the_web_adds_is_kept_beside_the_answer_from_the_video():
    """Search, sources, pages, comparison and the second answer leave the first one as it was."""
    compared = StancesCompared(comparison=Comparison((), True, (), (), ()), summary="더해 주는 자료가 없어요.")
    added = (
        *FROM_VIDEO,
        WebSearching(question="HBM 대역폭"),
        WebSourcesFound(sources=(SOURCE,), headline="한 곳이 답했어요.", ledger=("위키백과: 성공",)),
        PagesRead(pages=(PageOutcome(number=1, failure="blocked"),)),
        compared,
        AnswerToken(part=AnswerPart.WEB, text="웹에서는 [1] [9]"),
        WebAnswerFinished(text="웹에서는 [1]", origin=AnswerOrigin.MODEL, cited=(1,), unsupported=((0, 4),)),
    )
    record = record_of(added)
    assert (record.text, record.searched_for, record.sources) == ("대역폭이 부족해요. ", "HBM 대역폭", (SOURCE,))
    assert (record.headline, record.pages[0].failure) == ("한 곳이 답했어요.", "blocked")
    assert (record.comparison, record.summary) == (compared.comparison, compared.summary)
    assert (record.web_text, record.cited, record.unsupported) == ("웹에서는 [1]", (1,), ((0, 4),))


def test_a_failed_second_answer_takes_its_tokens_with_it():
    """What was shown of it is void, and the first answer and the sources stand."""
    failure = WebAnswerFailed(failure=WebFailure.MODEL_FAILED, cause="cut", korean="웹 답변을 쓰지 못했어요.")
    said = AnswerToken(part=AnswerPart.WEB, text="웹")
    record = record_of((*FROM_VIDEO, WebSourcesFound(sources=(SOURCE,)), said, failure))
    assert (record.web_text, record.failure, record.sources) == ("", failure, (SOURCE,))
    assert record.text == "대역폭이 부족해요. "
