"""Conversations that fit in one file: answers are scripts of events, published one at each look or all at once."""

from __future__ import annotations

import shutil
import weakref
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from search_core.answers.chat.chat import Chat, ChatParts, with_runs
from search_core.answers.chat.job import AnswerJob
from search_core.domain.conversation import (
    AnswerDone,
    AnswerEvent,
    AnswerFinished,
    AnswerOrigin,
    AnswerPart,
    AnswerToken,
    Conversation,
    FallbackDecided,
    Message,
    MessageKind,
    MessageState,
    PageOutcome,
    PagesRead,
    PassagesChosen,
    StancesCompared,
    WebAnswerFailed,
    WebAnswerFinished,
    WebFailure,
    WebSearching,
    WebSource,
    WebSourcesFound,
    research_messages,
    title_of,
)
from search_core.domain.research import ResearchRun
from search_core.domain.stance import Comparison, Judge, Stance, StanceRow
from search_core.domain.video import TranscriptPassage, TranscriptSegment
from search_core.errors import NotFoundError, QuestionError
from search_core.storage.conversations import ConversationStore
from search_core.storage.database import Database
from tests.search_core.scripted import stance_row

NOW = datetime.now(UTC)
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
COMPARISON = Comparison.of([*BEFORE, *AFTER, *UNDATED])
SUMMARY = "영상의 발언 3개를 서로 독립된 출처 3곳과 비교했어요. 상충 1건, 이후 변경 1건, 확인 불가 1건이에요."


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


def from_web(text: str = WEB_TEXT, origin: AnswerOrigin = AnswerOrigin.MODEL) -> list[AnswerEvent]:
    last = text.rfind("내년에는")
    return [
        *tokens(text, AnswerPart.WEB),
        WebAnswerFinished(
            text=text,
            origin=origin,
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
    "rules": [
        *SEARCHED,
        StancesCompared(comparison=BY_RULES, summary=SUMMARY),
        *from_web(origin=AnswerOrigin.EXTRACT),
        DONE,
    ],
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


def database_of(double: object) -> tuple[Database, Path]:
    folder = Path(mkdtemp(prefix="maekrak-double-"))
    database = Database(folder / "kept.sqlite")
    weakref.finalize(double, _forget, database, folder)
    return database, folder


def _forget(database: Database, folder: Path) -> None:
    database.close()
    shutil.rmtree(folder, ignore_errors=True)


class ScriptedJob(AnswerJob):
    """Publishes its script: one event after each look of a page at it, or as many as a test wants."""

    def __init__(self, chat: ChatDouble, script: Sequence[AnswerEvent], *of: Any) -> None:
        super().__init__(*of)
        self._chat, self._script = chat, script

    @property
    def message(self) -> Message:
        return self._snapshot

    @message.setter
    def message(self, message: Message) -> None:
        self._snapshot = message
        if message.state is not MessageState.RUNNING:
            self._ended.set()

    def advance(self, count: int | None = None) -> None:
        for event in self._script[:count]:
            self.add_event(event)
        self._script = [] if count is None else self._script[count:]
        if not self._script:
            self.end(MessageState.COMPLETE)

    def snapshot(self) -> Message:
        seen = super().snapshot()
        if not self.done and not self._chat.opening:
            self.advance(1)
        return seen

    def wait(self, timeout_s: float | None = None) -> bool:
        return self.done

    def cancel(self) -> None:
        self.end(MessageState.STOPPED)


class ChatDouble(Chat):
    """The real chat, whose answers are scripts, named by ``answers`` and ``checks``, or in brackets in a question.

    ``slow`` jobs publish an event at each look, others all at once.
    """

    def __init__(self, answers: str = "sure", checks: str = "found") -> None:
        store: Any = ConversationStore(database_of(self)[0])
        nothing: Any = None
        super().__init__(
            ChatParts(loop=nothing, store=store, answers=nothing, check=nothing, web_configured=lambda: self.checking)
        )
        self.answers, self.checks = answers, checks
        self.slow = False
        self.checking = True
        self.opening = False
        """Whether a conversation is being opened, which is no look at its answers."""
        self.runs: Callable[[], Iterable[ResearchRun]] = tuple
        """Returns all runs of research."""

    @property
    def jobs(self) -> tuple[ScriptedJob, ...]:
        return self._jobs.where(lambda _: True)

    def open(self, conversation_id: str, owner: str) -> Conversation:
        self.opening = True
        try:
            conversation = super().open(conversation_id, owner)
        finally:
            self.opening = False
        messages = list(conversation.messages)
        runs = {run.id: run for run in self.runs() if run.request.conversation_id == conversation_id}
        for run in runs.values():
            messages += research_messages(run.id, run.request, run.created_at)
        messages.sort(key=lambda message: message.created_at)

        def load(run_id: str, _: str) -> ResearchRun:
            if run_id not in runs:
                raise NotFoundError("gone", korean="")
            return runs[run_id]

        return with_runs(replace(conversation, messages=tuple(messages)), load)

    def ask(self, conversation_id: str, owner: str, text: str, *, moment_s: float | None = None, search: Any = None) -> AnswerJob:
        if text.startswith("거절"):
            raise QuestionError("refused", korean="이 질문은 받을 수 없어요.")
        return super().ask(conversation_id, owner, text, moment_s=moment_s, search=search)

    def _start(
        self, conversation: Conversation, question: Message, kind: MessageKind, events: object, *, about: str = ""
    ) -> AnswerJob:
        entry, message = conversation.entry, self._message(kind, about=about or question.id)
        name = next((name for name in ANSWERS if f"({name})" in question.text), self.answers)
        script = CHECKS[self.checks] if kind is MessageKind.CHECK else ANSWERS[name]
        job = ScriptedJob(self, script, entry.id, entry.owner, message, question)
        self._jobs.add(job)
        unstored = () if about else (question,)
        self._parts.store.put(entry.id, entry.owner, *unstored, job.to_store(), title=title_of(question.text))
        if not self.slow:
            job.advance()
        return job
