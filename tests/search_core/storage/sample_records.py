"""A video and a record with something in every field, made by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from search_core.domain.conversation import (
    AnswerDone,
    AnsweredWithoutWeb,
    AnswerOrigin,
    AnswerRecord,
    FallbackDecided,
    Message,
    MessageKind,
    MessageState,
    OwnDocument,
    OwnDocumentsFound,
    PageOutcome,
    WebAnswerFailed,
    WebFailure,
    WebSource,
)
from search_core.domain.stance import Comparison, Judge, Stance, StanceRow
from search_core.domain.video import Chapter, TranscriptOrigin, TranscriptPassage, TranscriptSegment, VideoContext

SEOUL = timezone(timedelta(hours=9))
NOON = datetime(2026, 11, 21, 12, 0, 0, 123456, tzinfo=UTC)

PASSAGE = TranscriptPassage(
    segments=(
        TranscriptSegment(12.5, 15.25, "대역폭이 두 배로 늘었습니다."),
        TranscriptSegment(15.25, 18.0, 'He said "yes" \\ no'),
    ),
    score=0.1 + 0.2,
)
ROW = StanceRow(
    moment_s=12.5,
    statement="대역폭이 두 배로 늘었습니다.",
    stance=Stance.CHANGED,
    source=0,
    quote="대역폭이 세 배로 늘었다.",
    date=datetime(2026, 3, 1, tzinfo=SEOUL),
    after_video=True,
    independent_of=1,
    confidence=0.75,
    restates_video=False,
    why="숫자가 달라요.",
    judge=Judge.ENTAILMENT_MODEL,
    probability=0.875,
)
RECORD = AnswerRecord(
    passages=(PASSAGE,),
    text="두 배예요 [0:12]. 😀\n다음 줄",
    moments=(12.5, 61.0),
    origin=AnswerOrigin.MODEL,
    complete=False,
    notice="모델이 답을 끝내지 못했어요.",
    fallback=FallbackDecided(triggered=True, reason="no_access", evidence="모릅니다.", passages=(PASSAGE,), enabled=False),
    searched_for="HBM 대역폭",
    sources=(
        WebSource(number=1, title="제목", url="https://a.example/?q=1&r=2", snippet="글", source="a.example", publish_date=NOON),
        WebSource(number=2, title="", url="https://b.example/", snippet="", source="b.example", publish_date=None),
    ),
    headline="세 곳에 물었어요.",
    ledger=("위키백과: 2건", "브레이브: 시간 초과"),
    pages=(PageOutcome(number=1), PageOutcome(number=2, failure="blocked")),
    comparison=Comparison(
        rows=(ROW,),
        judged_by_rules_alone=True,
    ),
    summary="웹은 다르게 말해요.",
    web_text="세 배예요 [1].",
    web_origin=AnswerOrigin.EXTRACT,
    cited=(1, 2),
    unsupported=((0, 4), (5, 9)),
    own=OwnDocumentsFound(
        documents=(
            OwnDocument(number=1, title="메모", url="library:a", quote="글", source="내 자료", publish_date=NOON, sample=True),
        ),
        to_model=True,
    ),
    without_web=AnsweredWithoutWeb(text="두 배예요 [1].", moments=(12.5,), cited=(1,), unsupported=((0, 5),)),
    failure=WebAnswerFailed(failure=WebFailure.TIMEOUT, cause="It took too long.", korean="너무 오래 걸렸어요.", for_model="x"),
    error="멈췄어요.",
    done=AnswerDone(total_ms=24.0),
)
VIDEO = VideoContext(
    video_id="abcDEF12345",
    url="https://www.youtube.com/watch?v=abcDEF12345",
    title="HBM과 대역폭",
    file_title="hbm",
    channel="채널",
    published_at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=SEOUL),
    description="설명\n둘째 줄",
    speakers=("김하나", "이두리"),
    organizations=("SK하이닉스",),
    events=("CES 2026",),
    subject=("메모리",),
    key_terms=("대역폭",),
    chapters=(Chapter(0.0, "처음"), Chapter(60.5, "다음")),
    transcript=PASSAGE.segments,
    transcript_origin=TranscriptOrigin.RECOGNITION,
    transcript_model="whisper-1",
    language="ko",
    duration_s=91.5,
    sample=True,
    warnings=("자막 하나를 뺐어요.",),
    read_as="SubRip 자막 · 2개",
)


def question(message_id: str, text: str = "대역폭이 얼마나 늘었어?") -> Message:
    return Message(id=message_id, kind=MessageKind.QUESTION, text=text, created_at=NOON)


def answer(message_id: str, state: MessageState = MessageState.COMPLETE, record: AnswerRecord = RECORD) -> Message:
    return Message(id=message_id, kind=MessageKind.ANSWER, state=state, about="q", record=record, created_at=NOON)
