"""A conversation to take away, inert whatever was written in it."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from markdown_it import MarkdownIt

from search_core.answers.chat.conversation_text import markdown_file
from search_core.domain.conversation import (
    AnsweredWithoutWeb,
    AnswerOrigin,
    AnswerRecord,
    Conversation,
    ConversationEntry,
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
from search_core.domain.stance import Comparison, Judge
from search_core.domain.video import VideoContext
from tests.search_core.answers.chat.scripted_chat import NOW, SOURCE
from tests.search_core.research.export.exported import PAYLOADS
from tests.search_core.scripted import stance_row

VIDEO = VideoContext(title="HBM과 *대역폭*", url="https://www.youtube.com/watch?v=dQw4w9WgXcQ", channel="채널")
ROW = stance_row(
    moment_s=761.0,
    statement="HBM4는 2026년에 | 나와요",
    quote="2026년 양산",
    date=NOW,
    after_video=True,
    why="같은 해예요.",
    judge=Judge.ENTAILMENT_MODEL,
    probability=0.86,
)
MEMO = OwnDocument(
    number=1, title="창업자 메모", url="library:a", quote="창업자는 정주영이다.", source="내 자료", publish_date=None, sample=True
)
RECORD = AnswerRecord(
    text="**HBM4**는 내년에 나와요 [12:41].",
    moments=(761.0,),
    origin=AnswerOrigin.MODEL,
    notice="끊겼어요.",
    fallback=FallbackDecided(triggered=True, reason="uncertain", evidence="몰라요.", passages=(), enabled=True),
    searched_for="HBM4 양산",
    sources=(SOURCE, WebSource(number=2, title="둘", url="https://b.example/", snippet="", source="비", publish_date=None)),
    headline="2곳 중 1곳이 답했어요.",
    ledger=("브레이브: 1건",),
    pages=(PageOutcome(number=1),),
    comparison=Comparison(
        (ROW, replace(ROW, source=1, after_video=None, date=None, judge=Judge.RULES, probability=None)),
        judged_by_rules_alone=True,
    ),
    summary="발언 하나를 비교했어요.",
    web_text="양산은 내년이에요 [1]. 모두 거짓이에요 [2].",
    web_origin=AnswerOrigin.MODEL,
    cited=(1, 2),
    unsupported=((15, 27),),
)


def conversation(
    record: AnswerRecord = RECORD, *, title: str = "HBM 이야기", video: VideoContext | None = VIDEO, **more: object
) -> Conversation:
    question = Message(id="q", kind=MessageKind.QUESTION, text="언제 나와?", created_at=NOW)
    answer = Message(**{"id": "a", "kind": MessageKind.ANSWER, "about": "q", "record": record, "created_at": NOW, **more})
    entry = ConversationEntry(
        id="i", owner="", title=title, video_key="", video_title="", created_at=NOW, updated_at=NOW, messages=2
    )
    return Conversation(entry=entry, video=video, messages=(question, answer))


def text_of(made: Conversation) -> str:
    return markdown_file(made).decode()


def test_everything_of_an_answer_is_in_the_file():
    """Video, question, both answers with their links, the table, sources, ledger and times are written down."""
    watch = "https://www.youtube.com/watch?v=dQw4w9WgXcQ"
    first, second = r"[\[1\]](https://news.example/hbm4)", r"[\[2\]](https://b.example/)"
    lines = text_of(conversation()).splitlines()
    assert lines[0] == "# HBM 이야기"
    for line in (
        rf"- 영상: [HBM과 \*대역폭\*]({watch})",
        r"## 1\. 언제 나와?",
        rf"**HBM4**는 내년에 나와요 [\[12:41\]]({watch}&amp;t=761s).",
        "- 알림: 끊겼어요.",
        "- 웹에서 찾은 말: HBM4 양산",
        "발언 하나를 비교했어요.",
        r"| 12:41 | 일치 | 뉴스 | 2026년 11월 21일 | 영상보다 나중 | HBM4는 2026년에 \| 나와요 | 2026년 양산 | 의미 모델 (86%) |",
        f"양산은 내년이에요 {first}. 모두 거짓이에요 {second} (출처에서 확인하지 못한 문장).",
        "1. [HBM4 양산](https://news.example/hbm4) — 뉴스 · 2026년 11월 21일 · 본문을 읽음",
        "  - 브레이브: 1건",
    ):
        assert line in lines


OFF = FallbackDecided(triggered=True, reason="", evidence="", passages=(), enabled=False)
LATE = WebAnswerFailed(failure=WebFailure.TIMEOUT, cause="slow", korean="늦어요.", reason="[웹 검색 사용 불가] 사유")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"state": MessageState.STOPPED}, "- 멈춘 답변이에요. 여기까지 나왔어요."),
        ({"state": MessageState.RUNNING}, "- 답변이 아직 나오고 있어요."),
        (
            {"state": MessageState.FAILED, "record": AnswerRecord(error="서버가 쉬어요.")},
            "답변이 끝까지 나오지 못했어요. 서버가 쉬어요.",
        ),
        ({"kind": MessageKind.CHECK}, "### 온라인에서 확인한 답"),
        ({"record": AnswerRecord(fallback=OFF)}, "- 영상만으로는 답이 모자라요. 웹 검색은 꺼져 있어요."),
        ({"record": AnswerRecord(failure=LATE)}, "[웹 검색 사용 불가] 사유"),
    ],
)
def test_the_file_says_how_an_answer_ended(change: dict[str, object], told: str):
    """What stopped or broke, what was checked, and what failed on the way is said in a line of its own."""
    assert told in text_of(conversation(**change)).replace("\\", "")


def test_a_conversation_without_video_and_title_has_its_file():
    """Without a video, a title and a YouTube address nothing is linked."""
    text = text_of(conversation(title="", video=None))
    assert text.startswith("# 새 대화\n")
    assert "- 영상 시각: 12:41" in text.splitlines()


def test_own_documents_have_their_own_sections():
    """Own documents and the answer from them have headings of their own, and a line says whether a model received them."""
    without = AnsweredWithoutWeb(text="정주영이에요 [1]. 세 배예요 [1].", cited=(1,), unsupported=((12, 22),))
    own = OwnDocumentsFound(documents=(MEMO,), to_model=True)
    record = replace(RECORD, failure=LATE, own=own, without_web=without)
    lines = [line.replace("\\", "") for line in text_of(conversation(record)).splitlines()]
    assert lines[lines.index("내 자료에서") + 2] == "1. 창업자 메모 · library:a (예시) — “창업자는 정주영이다.”"
    assert "- 이 자료의 글은 언어 모델에 보냈어요." in lines
    assert lines[lines.index("웹 없이 덧붙인 답") + 2] == "정주영이에요 [1]. 세 배예요 [1]. (출처에서 확인하지 못한 문장)"


@pytest.mark.parametrize("foreign", [*PAYLOADS, "| a | b |\n|---|---|", "# 제목\n\n---\n"])
def test_nothing_foreign_runs_loads_or_links(foreign: str):
    """Whatever models, pages and users write, the file has no HTML, no pictures, and links to known addresses only."""
    address = f"javascript:{foreign}"
    memo = replace(MEMO, title=foreign, url=address, quote=foreign, source=foreign)
    record = replace(
        RECORD,
        text=foreign,
        web_text=f"{foreign} [1]",
        notice=foreign,
        summary=foreign,
        sources=(replace(SOURCE, title=foreign, source=foreign, url=address),),
        comparison=replace(RECORD.comparison, rows=(replace(ROW, statement=foreign, quote=foreign),)),
        headline=foreign,
        ledger=(foreign,),
        unsupported=(),
        searched_for=foreign,
        own=OwnDocumentsFound(documents=(memo,), to_model=True),
        without_web=AnsweredWithoutWeb(text=f"{foreign} [1]", cited=(1,)),
        error=foreign,
    )
    video = replace(VIDEO, title=foreign, channel=foreign)
    made = text_of(conversation(record, title=foreign, video=video, state=MessageState.FAILED))
    blocks = MarkdownIt("commonmark", {"html": True}).enable("table").parse(made)
    tokens = [child for token in blocks for child in (token, *(token.children or ()))]
    assert not [token.content for token in tokens if token.type in ("html_block", "html_inline", "image")]
    hosts = {urlsplit(str(token.attrs["href"])).netloc for token in tokens if token.type == "link_open"}
    assert hosts <= {"www.youtube.com"}
    assert "table_open" in [token.type for token in tokens]
