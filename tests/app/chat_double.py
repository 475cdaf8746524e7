"""Conversations that fit in one file: answers are scripts of events, published one at each look or all at once."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from search_core.answers.chat.research_runs import with_runs
from search_core.domain import (
    AnswerDone,
    AnswerEvent,
    AnswerFinished,
    AnswerOrigin,
    AnswerPart,
    AnswerRecord,
    AnswerToken,
    Comparison,
    Conversation,
    ConversationEntry,
    FallbackDecided,
    Judge,
    Message,
    MessageKind,
    MessageState,
    PageOutcome,
    PagesRead,
    PassagesChosen,
    ResearchRun,
    Stance,
    StanceRow,
    StancesCompared,
    TranscriptPassage,
    TranscriptSegment,
    VideoContext,
    WebAnswerFailed,
    WebAnswerFinished,
    WebFailure,
    WebSearching,
    WebSource,
    WebSourcesFound,
    video_key,
)
from search_core.domain.conversation import research_messages
from search_core.errors import ConversationNotFoundError, NotFoundError, QuestionError
from tests.search_core.scripted import stance_row

NOW = datetime.now(UTC)
"""Half a second of MP3: empty frames of 128 kbit/s at 44.1 kHz."""
STRANGER = "http://203.0.113.7"
"""No request may go there."""
HOSTILE = (
    f"<img src={STRANGER}/a.png onerror=alert(1)> ![그림]({STRANGER}/b.png) [눌러](javascript:alert(1)) [1]: {STRANGER}/c "
    f"<script>fetch('{STRANGER}/d')</script> <iframe src='{STRANGER}/e'></iframe> {STRANGER}/f ![x][1] [장면](#t=999999) "
    f"$\\includegraphics{{{STRANGER}/g}}$ :red[빨강] :material/home:\n\n# 큰 제목\n\n```mermaid\ngraph TD; A-->B\n```"
)
VIDEO_TEXT = "HBM4의 **대역폭이 두 배**로 늘었다고 해요 [0:40]. 전력은 그대로라고 설명했어요 [5:20]."
UNKNOWN = "영상에서는 언급되지 않았습니다."
WEB_TEXT = "가람반도체의 3분기 영업이익은 1조 2천억 원이에요 [1]. 작년보다 두 배 늘었어요 [2]. 내년에는 세 배가 된대요 [2]."
PASSAGES = tuple(
    TranscriptPassage(segments=(TranscriptSegment(at, at + 18, text),), score=score)
    for at, text, score in (
        (40.0, "대역폭을 두 배로 올렸습니다, 이것이 이번 세대의 핵심입니다.", 0.8),
        (320.0, "전력은 앞 세대와 같은 수준을 지켰습니다.", 0.7),
        (700.0, "실적은 다음 자리에서 말씀드리겠습니다.", 0.4),
    )
)


def source(number: int, title: str, url: str, snippet: str, site: str, days: float | None) -> WebSource:
    date = NOW - timedelta(days=days) if days is not None else None
    return WebSource(number=number, title=title, url=url, snippet=snippet, source=site, publish_date=date)


LONG_TITLE = "가람반도체, 3분기 영업이익 1조 2천억 원… HBM4 양산이 이끈 아주 긴 제목의 기사 [속보] <b>굵게</b>"
PROFIT = "가람반도체가 3분기 영업이익이 1조 2천억 원이라고 밝혔다."
SOURCES = (
    source(1, LONG_TITLE, "https://news.example.com/a?id=1", PROFIT, "예시일보", 10),
    source(
        2,
        "NVIDIA suppliers report strong memory demand",
        "https://memory.example.org/report",
        "Profit doubled year over year.",
        "memory.example.org",
        1,
    ),
    source(3, "메모리 이야기", "https://blog.example.net/m", "", "블로그", None),
)
LEDGER = ("Tavily: 결과를 찾았어요", "Brave: 결과를 찾았어요", "네이버: 요청 한도를 넘었어요. 잠시 뒤 다시 시도해 주세요")
FOUND = WebSourcesFound(sources=SOURCES, headline="3곳 중 2곳이 답했어요", ledger=LEDGER)


def _row(moment_s: float, stance: Stance, source: int, story: int, after: bool | None, **more: object) -> StanceRow:
    values: dict[str, object] = {
        "statement": "대역폭을 두 배로 올렸습니다, 이것이 이번 세대의 핵심입니다.",
        "quote": "이번 세대의 대역폭은 앞 세대보다 1.6배 늘어난 것으로 확인됐다.",
        "date": SOURCES[source].publish_date,
        **more,
    }
    return stance_row(moment_s=moment_s, stance=stance, source=source, after_video=after, independent_of=story, **values)


BEFORE = (
    _row(
        40.0, Stance.CONTRADICTS, 0, 0, False, why="값이 달라요: 두 배 ↔ 1.6배.", judge=Judge.ENTAILMENT_MODEL, probability=0.86
    ),
    _row(40.0, Stance.CONTRADICTS, 2, 0, False),
    _row(320.0, Stance.AGREE, 0, 0, False, statement="전력은 앞 세대와 같은 수준을 지켰습니다.", restates_video=True),
)
AFTER = (_row(320.0, Stance.CHANGED, 1, 1, True, statement="전력은 앞 세대와 같은 수준을 지켰습니다."),)
UNDATED = (_row(700.0, Stance.CANNOT_TELL, 2, 2, None, quote=""),)
COMPARISON = Comparison.of([*BEFORE, *AFTER, *UNDATED], unread_statements=2)
SUMMARY = "영상의 발언 3개를 서로 독립된 출처 3곳과 견줬어요. 상충 1건, 이후 변경 1건, 확인 불가 1건이에요."


def tokens(text: str, part: AnswerPart = AnswerPart.VIDEO, pieces: int = 4) -> list[AnswerEvent]:
    """Return *text* as it is written, in about *pieces* pieces."""
    size = max(1, -(-len(text) // pieces))
    return [AnswerToken(part=part, text=text[start : start + size]) for start in range(0, len(text), size)]


def from_video(text: str = VIDEO_TEXT, origin: AnswerOrigin = AnswerOrigin.MODEL, **more: object) -> list[AnswerEvent]:
    finished = AnswerFinished(text=text, moments=(40.0, 320.0), origin=origin, **more)  # type: ignore[arg-type]
    return [PassagesChosen(passages=PASSAGES), *tokens(text), finished]


def uncertain() -> list[AnswerEvent]:
    """Return an answer of a model whose second moment lies where speech recognition is uncertain."""
    first, second, third = PASSAGES
    doubtful = replace(second, segments=tuple(replace(segment, uncertain=True) for segment in second.segments))
    return [PassagesChosen(passages=(first, doubtful, third)), *from_video()[1:]]


def sure() -> FallbackDecided:
    return FallbackDecided(triggered=False, reason="", evidence="", passages=(), enabled=True)


def unsure(*, enabled: bool = True) -> FallbackDecided:
    return FallbackDecided(triggered=True, reason="not_mentioned", evidence=UNKNOWN, passages=PASSAGES, enabled=enabled)


def from_web(text: str = WEB_TEXT) -> list[AnswerEvent]:
    last = text.rfind("내년에는")
    return [
        *tokens(text, AnswerPart.WEB),
        WebAnswerFinished(
            text=text,
            origin=AnswerOrigin.MODEL,
            cited=(1, 2),
            unsupported=((last, len(text)),) if last >= 0 else (),
        ),
    ]


def failed(korean: str = "웹 검색을 사용할 수 없어 영상 기반 답변만 표시합니다.") -> WebAnswerFailed:
    return WebAnswerFailed(failure=WebFailure.UNAVAILABLE, cause="no service could be asked", korean=korean)


READ = PagesRead(pages=(PageOutcome(number=1), PageOutcome(number=2), PageOutcome(number=3, failure="blocked")))
DONE = AnswerDone(total_ms=1200.0)
RESTS = "[웹 검색 사용 불가] (사유: 위키백과: 앞선 요청이 실패해서 잠시 쉬고 있어요)."
RESTING = replace(failed(), reason=RESTS, retry_after_s=55.0)
SEARCHED = [WebSearching(question="q"), FOUND]
UNANSWERED = [*from_video(UNKNOWN), unsure()]

ANSWERS: dict[str, list[AnswerEvent]] = {
    "sure": [*from_video(), sure(), DONE],
    "extract": [*from_video(origin=AnswerOrigin.EXTRACT), sure(), DONE],
    "misheard": [*uncertain(), sure(), DONE],
    "broken": [*from_video(complete=False, notice="모델과의 연결이 끊겼어요. 여기까지 받았어요."), sure(), DONE],
    "fallback": [*UNANSWERED, *SEARCHED, *from_web(), DONE],
    "resting": [*UNANSWERED, SEARCHED[0], RESTING, DONE],
    "off": [*from_video(UNKNOWN), unsure(enabled=False), DONE],
    "hostile": [*from_video(HOSTILE), sure(), DONE],
    "long": [PassagesChosen(passages=PASSAGES), *tokens("긴 이야기를 이어 가고 있어요. " * 400, pieces=2000)],
}
BY_RULES = Comparison.of(
    (replace(BEFORE[0], statement=f"{place}번째 말이에요.") for place in range(15)), judged_by_rules_alone=True
)
NOTHING = replace(COMPARISON, rows=())
HOSTILE_SOURCES = tuple(replace(source, title=HOSTILE, source=HOSTILE) for source in SOURCES)
HOSTILE_ROWS = tuple(replace(row, quote=HOSTILE, statement=HOSTILE) for row in BEFORE)
CHECKS: dict[str, list[AnswerEvent]] = {
    "found": [*SEARCHED, READ, StancesCompared(comparison=COMPARISON, summary=SUMMARY), *from_web(), DONE],
    "rules": [*SEARCHED, StancesCompared(comparison=BY_RULES, summary=SUMMARY), DONE],
    "failed": [SEARCHED[0], failed(), DONE],
    "silent": [*SEARCHED, StancesCompared(comparison=NOTHING, summary="말이 없어요."), *from_web(), DONE],
    "hostile": [
        SEARCHED[0],
        replace(FOUND, sources=HOSTILE_SOURCES),
        READ,
        StancesCompared(comparison=replace(COMPARISON, rows=(*HOSTILE_ROWS, *COMPARISON.rows)), summary=HOSTILE),
        *from_web(HOSTILE),
        DONE,
    ],
}


@dataclass
class Job:
    """Publishes its script: one event each time a page reads it while the chat is ``slow``."""

    message: Message
    asked: Message
    script: list[AnswerEvent] = field(default_factory=list)
    conversation_id: str = ""

    @property
    def id(self) -> str:
        return self.message.id

    @property
    def done(self) -> bool:
        return self.message.state is not MessageState.RUNNING

    def advance(self, count: int | None = None) -> None:
        for event in self.script[: len(self.script) if count is None else count]:
            record = (self.message.record or AnswerRecord()).after(event)
            self.message = replace(self.message, record=record)
        self.script = [] if count is None else self.script[count:]
        if not self.script and not self.done:
            self.message = replace(self.message, state=MessageState.COMPLETE)

    def snapshot(self) -> Message:
        seen = self.message
        if not self.done:
            self.advance(1)
        return seen

    def wait(self, timeout_s: float | None = None) -> bool:
        return self.done

    def cancel(self) -> None:
        if not self.done:
            self.message = replace(self.message, state=MessageState.STOPPED)


@dataclass
class StoredConversation:
    entry: ConversationEntry
    video: VideoContext | None
    ids: list[str] = field(default_factory=list)
    """Of its messages, oldest first."""


class ChatDouble:
    """Answers as its ``answers`` and ``checks`` are named; ``slow`` jobs publish an event at each look, others all at once."""

    def __init__(self, answers: str = "sure", checks: str = "found") -> None:
        self.answers, self.checks = answers, checks
        self.slow = False
        self.checking = True
        self.stored: dict[str, StoredConversation] = {}
        self.questions: dict[str, Message] = {}
        self.jobs: dict[str, Job] = {}
        self.runs: Callable[[], Iterable[ResearchRun]] = tuple
        """Returns all runs of research."""

    def can_check(self) -> bool:
        return self.checking

    def new(self, owner: str, video: VideoContext | None, title: str = "") -> ConversationEntry:
        entry = ConversationEntry(
            id=secrets.token_urlsafe(16),
            owner=owner,
            title=title,
            video_key=video_key(video) if video is not None else "",
            video_title=video.title if video is not None else "",
            created_at=datetime.now(UTC),
            updated_at=datetime.now(UTC),
            messages=0,
        )
        self.stored[entry.id] = StoredConversation(entry, video)
        return entry

    def conversations(self, owner: str, video_key: str | None = None) -> tuple[ConversationEntry, ...]:
        entries = (replace(conversation.entry, messages=len(conversation.ids)) for conversation in self.stored.values())
        return tuple(entry for entry in reversed(list(entries)) if video_key is None or entry.video_key == video_key)

    def open(self, conversation_id: str, owner: str) -> Conversation:
        conversation = self._conversation(conversation_id)
        messages = [self.jobs[id_].message if id_ in self.jobs else self.questions[id_] for id_ in conversation.ids]
        runs = {run.id: run for run in self.runs() if run.request.conversation_id == conversation_id}
        for run in runs.values():
            messages += research_messages(run.id, run.request, run.created_at)
        messages.sort(key=lambda message: message.created_at)
        conversation = Conversation(
            entry=replace(conversation.entry, messages=len(messages)), video=conversation.video, messages=tuple(messages)
        )

        def load(run_id: str, _: str) -> ResearchRun:
            if run_id not in runs:
                raise NotFoundError("gone", korean="")
            return runs[run_id]

        return with_runs(conversation, load)

    def _conversation(self, conversation_id: str) -> StoredConversation:
        if conversation_id not in self.stored:
            raise ConversationNotFoundError
        return self.stored[conversation_id]

    def ask(self, conversation_id: str, owner: str, text: str, *, moment_s: float | None = None) -> Job:
        if text.startswith("거절"):
            raise QuestionError("refused", korean="이 질문은 받을 수 없어요.")
        if any(not job.done and job.message.kind is MessageKind.ANSWER for job in self._jobs_of(conversation_id)):
            raise QuestionError("busy", korean="앞선 답변이 아직 나오고 있어요.")
        name = next((name for name in ANSWERS if f"({name})" in text), self.answers)
        return self._begin(conversation_id, text, list(ANSWERS[name]), moment_s)

    def _jobs_of(self, conversation_id: str) -> Sequence[Job]:
        return [self.jobs[id_] for id_ in self._conversation(conversation_id).ids if id_ in self.jobs]

    def _begin(self, conversation_id: str, text: str, script: list[AnswerEvent], moment_s: float | None = None) -> Job:
        conversation = self._conversation(conversation_id)
        question = Message(
            id=secrets.token_hex(6), kind=MessageKind.QUESTION, text=text, moment_s=moment_s, created_at=datetime.now(UTC)
        )
        self.questions[question.id] = question
        conversation.ids.append(question.id)
        if not conversation.entry.title:
            conversation.entry = replace(conversation.entry, title=text)
        return self._job(conversation, MessageKind.ANSWER, question.id, question, script)

    def _job(
        self, conversation: StoredConversation, kind: MessageKind, about: str, question: Message, script: list[AnswerEvent]
    ) -> Job:
        message = Message(
            id=secrets.token_hex(6),
            kind=kind,
            state=MessageState.RUNNING,
            about=about,
            record=AnswerRecord(),
            created_at=datetime.now(UTC),
        )
        job = Job(message, question, script, conversation.entry.id)
        self.jobs[job.id] = job
        conversation.ids.append(job.id)
        if not self.slow:
            job.advance()
        return job

    def check(self, conversation_id: str, owner: str, message_id: str, *, subject: str | None = None) -> Job:
        conversation = self._conversation(conversation_id)
        return self._job(conversation, MessageKind.CHECK, message_id, self.jobs[message_id].asked, list(CHECKS[self.checks]))

    def job(self, message_id: str) -> Job | None:
        return self.jobs.get(message_id)

    def rename(self, conversation_id: str, owner: str, title: str) -> None:
        conversation = self._conversation(conversation_id)
        conversation.entry = replace(conversation.entry, title=title)

    def delete(self, conversation_id: str, owner: str) -> None:
        del self.stored[conversation_id]

    def export(self, conversation_id: str, owner: str) -> bytes:
        return f"# {self._conversation(conversation_id).entry.title}\n".encode()
