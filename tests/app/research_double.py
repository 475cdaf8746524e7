"""Research that fits in one file: runs are scripts of events, published a few at each look or all at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from search_core.domain.research import (
    STOPPED_MARKER,
    ContentChunk,
    PlanMade,
    PlanOrigin,
    ReportWritten,
    ResearchEnded,
    ResearchEntry,
    ResearchEvent,
    ResearchMetrics,
    ResearchRequest,
    ResearchRun,
    ResearchSource,
    ResearchStatus,
    SourceRead,
    SourcesComplete,
    SourcesUpdated,
    StatusChanged,
    Subtask,
    SubtaskPlanned,
    SubtaskState,
)
from search_core.domain.result import Moment
from search_core.domain.run import RunFailed
from search_core.errors import InputError, SmallTalkError
from search_core.research.parts import RESEARCH
from search_core.runs.run_kind import RunStateError
from tests.app.chat_double import HOSTILE
from tests.app.runs_double import RunsDouble

NOW = datetime.now(UTC)
TEXTS = ("HBM4의 대역폭은 얼마인가요?", "HBM3와 무엇이 다른가요?", "값은 얼마나 오르나요?")
NOTE = "언어 모델이 쓴 계획을 읽을 수 없어서 질문을 그대로 조사해요."
REPORT = (
    "#### 대역폭\n\nHBM4 표준의 대역폭은 한 묶음에 초당 최대 2테라바이트다 [1]. 입출력 폭은 두 배로 늘었다 [2]. "
    "내년에는 세 배가 된다 [2].\n\n#### 값\n\n값은 한 묶음에 500달러 안팎이다 [3]."
)
SNIPPETS = "언어 모델 없이 자료에서 뽑은 발췌예요. 페이지를 하나도 읽지 못해서 검색 요약만으로 썼어요."
COVERAGE = (
    "나눠 조사한 3가지 중 2가지를 다뤘고 1가지는 답하지 못했어요.",
    f"1. {TEXTS[0]}: 출처 2개를 찾았어요.",
    "· Google 맞춤검색: 2건 · 0.2초",
    "출처 3개 중 1개는 본문을 읽었어요. 1개는 읽지 못해 검색 요약만 썼어요(자동 접근을 막음 1).",
)
SEARCH_FAILED = RunFailed(
    kind="Search failed",
    description="No search service could be asked for any part of the plan.",
    korean="검색에 실패했어요. 네트워크 연결과 검색 서비스 설정을 확인하고 다시 시도해 주세요.",
)
MODEL_FAILED = RunFailed(
    kind="LanguageModelError", description="The model hung up.", korean="언어 모델과 연결이 끊겨서 발췌로 대신했어요."
)


def parts(state: SubtaskState = SubtaskState.WAITING, origin: PlanOrigin = PlanOrigin.MODEL) -> tuple[Subtask, ...]:
    return tuple(Subtask(number=number, text=text, origin=origin, state=state) for number, text in enumerate(TEXTS, start=1))


def source(number: int, title: str, url: str, **more: object) -> ResearchSource:
    values = {"snippet": "", "domain": urlsplit(url).hostname or "", **more}
    return ResearchSource(number=number, title=title, url=url, **values)  # type: ignore[arg-type]


SOURCES = (
    source(
        1,
        "JEDEC, HBM4 표준 발표… 한 묶음에 초당 2테라바이트라는 아주 긴 제목의 기사 [속보] <b>굵게</b>",
        "https://news.example.com/hbm4?id=1",
        snippet="HBM4 표준의 대역폭은 한 묶음에 초당 최대 2테라바이트다.",
        publish_date=NOW - timedelta(days=10),
        relevance_score=0.82,
        subtasks=(1, 2),
        moment=Moment(start_s=320.0, text="대역폭을 두 배로 올렸습니다", similarity=0.7),
    ),
    source(2, "HBM4 doubles the interface", "https://memory.example.org/report", relevance_score=0.71, subtasks=(1,)),
    source(3, "메모리 값 이야기", "https://news.example.com/price", publish_date=NOW - timedelta(days=40), subtasks=(2,)),
)
READ = (replace(SOURCES[0], read=True), replace(SOURCES[2], read=False, failure="blocked"))


def status(value: ResearchStatus, message: str) -> StatusChanged:
    return StatusChanged(status=value, message=message)


def planned(origin: PlanOrigin = PlanOrigin.MODEL, note: str = "") -> list[ResearchEvent]:
    return [
        status(ResearchStatus.PLANNING, "조사 계획을 세우고 있어요."),
        *(SubtaskPlanned(subtask=part) for part in parts(origin=origin)),
        PlanMade(origin=origin, note=note, size=3),
    ]


def searched(sources: Sequence[ResearchSource] = SOURCES) -> list[ResearchEvent]:
    first, second, third = parts(SubtaskState.DONE)
    domains = {"news.example.com": 2, "memory.example.org": 1}
    failed = replace(third, state=SubtaskState.FAILED, failure="검색 서비스에 물어보지 못했어요.")
    return [
        status(ResearchStatus.SEARCHING, "웹에서 찾고 있어요."),
        *(SubtaskPlanned(subtask=part) for part in parts(SubtaskState.SEARCHING)),
        SourcesUpdated(subtask=replace(first, found=2), count=2, domains={"news.example.com": 1, "memory.example.org": 1}),
        SourcesUpdated(subtask=replace(second, found=2), count=3, domains=domains),
        SourcesUpdated(subtask=failed, count=3, domains=domains),
        SourcesComplete(sources=tuple(sources)),
    ]


def read() -> list[ResearchEvent]:
    return [status(ResearchStatus.READING, "찾은 자료를 읽고 있어요."), *(SourceRead(source=source) for source in READ)]


def written(text: str = REPORT, *, by_model: bool = True, note: str = "", pieces: int = 5) -> list[ResearchEvent]:
    size = max(1, -(-len(text) // pieces))
    chunks = [ContentChunk(text=text[at : at + size], begins=not at) for at in range(0, len(text), size)]
    at = text.find("내년에는")
    unsupported = ((at, text.index(".", at) + 1),) if at >= 0 else ()
    whole = ReportWritten(text=text, by_model=by_model, cited=(1, 2, 3), unsupported=unsupported, note=note)
    return [status(ResearchStatus.WRITING, "보고서를 쓰고 있어요."), *chunks, whole]


def ended(value: ResearchStatus = ResearchStatus.COMPLETE, unanswered: tuple[int, ...] = (3,)) -> ResearchEnded:
    return ResearchEnded(
        status=value,
        metrics=ResearchMetrics(),
        coverage=COVERAGE,
        unanswered=unanswered,
        at=datetime.now(UTC),
    )


RUNS: dict[str, list[ResearchEvent]] = {
    "good": [*planned(), *searched(), *read(), *written(), ended()],
    "rules": [
        *planned(PlanOrigin.RULES, NOTE),
        *searched(),
        *written(by_model=False, note=SNIPPETS),
        ended(),
    ],
    "model-died": [*planned(), *searched(), *read(), MODEL_FAILED, *written(by_model=False), ended()],
    "hostile": [
        *planned(note=HOSTILE),
        *searched(tuple(replace(source, title=HOSTILE, snippet=HOSTILE, domain=HOSTILE) for source in SOURCES)),
        replace(MODEL_FAILED, kind=HOSTILE, description=HOSTILE, korean=HOSTILE),
        *written(HOSTILE, note=HOSTILE),
        replace(ended(), coverage=(HOSTILE,)),
    ],
    "held": [
        *planned(),
        *searched()[:-1],
        *(
            SourcesUpdated(subtask=parts(SubtaskState.DONE)[0], count=count, domains={"news.example.com": count})
            for count in range(4, 3000)
        ),
    ],
    "long": [*planned(), *searched(), *read(), *written("긴 보고서를 이어 가고 있어요 [1]. " * 400, pieces=2000)],
}


class ResearchDouble(RunsDouble):
    """Researches as its ``story``, or a name in brackets in the question, says."""

    kind = RESEARCH

    def open(self) -> None:
        """Is ready at once."""

    def start(self, request: ResearchRequest) -> ResearchRun:
        if not request.question:
            raise InputError("empty", korean="질문을 적어 주세요.")
        if request.question == "고마워요":
            raise SmallTalkError("thanks", korean="반가워요!")
        script = RUNS[next((name for name in RUNS if f"({name})" in request.question), self.story)]
        if request.plan_first:
            script = [*planned(), status(ResearchStatus.PLANNED, "계획을 살펴보고 조사를 시작해 주세요.")]
        return self.begin(request, script)

    def cancel(self, run_id: str, owner: str) -> None:
        scripted = self.scripted(run_id, owner)
        if not scripted.run.status.ended:
            text = f"{scripted.run.report}\n\n{STOPPED_MARKER}" if scripted.run.report else STOPPED_MARKER
            scripted.script = [ReportWritten(text=text, by_model=True), ended(ResearchStatus.STOPPED)]
            scripted.advance()

    def finish(self, run_id: str, owner: str) -> None:
        scripted = self.scripted(run_id, owner)
        scripted.go_on(SourcesComplete(sources=SOURCES), *written(), ended(ResearchStatus.FINISHED_EARLY))

    def agree(self, run_id: str, owner: str, plan: Sequence[str] | None = None) -> None:
        scripted = self.scripted(run_id, owner)
        if scripted.run.status is not ResearchStatus.PLANNED:
            raise RunStateError("not waiting", korean="계획을 기다리는 조사가 아니에요.")
        if plan is None:
            plan = [part.text for part in scripted.run.plan]
        if not plan:
            raise RunStateError("none", korean="하위 질문은 1개에서 5개까지 둘 수 있어요.")
        subtasks = tuple(Subtask(number=n, text=text, origin=PlanOrigin.USER) for n, text in enumerate(plan, start=1))
        scripted.run = replace(scripted.run, plan=subtasks, status=ResearchStatus.QUEUED)
        searching = status(ResearchStatus.SEARCHING, "웹에서 찾고 있어요.")
        scripted.go_on(searching, SourcesComplete(sources=SOURCES), *read(), *written(), ended(unanswered=()))

    def resume(self, run_id: str, owner: str) -> ResearchRun:
        run = self.scripted(run_id, owner).run
        return self.begin(replace(run.request, plan_first=False), RUNS[self.story], again=run)

    def list(self, owner: str) -> tuple[ResearchEntry, ...]:
        told = {"question": lambda run: run.request.question, "conversation": lambda run: run.request.conversation_id}
        return self.entries(ResearchEntry, owner, **told)
