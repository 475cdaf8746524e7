"""A search core whose world fits in one file: no network, no language tools, every state of the page within reach."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

from pages.parts.workspace.video_picker import TYPED_NAME
from search_core.core import SearchCore
from search_core.domain.claim import FoundClaims
from search_core.domain.query import (
    ConstructedQuery,
    PartOrigin,
    QueryPart,
    QueryVariant,
    VariantOrigin,
    WritingOutcome,
    WrittenQuery,
)
from search_core.domain.reply import ProviderReply, SearchStatus
from search_core.domain.report import AnswerLine, Degradation, DegradedPart, Question, SearchOptions, SearchReport
from search_core.domain.result import Moment, RankingOptions, ScoreParts, SearchResult
from search_core.domain.scorer import LibraryPhase, LibraryState, ScorerState
from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.errors import DocumentReadError, MaekrakError, QuestionError, SmallTalkError, StorageError, VideoReadError
from search_core.health.report import HealthReport, ProviderFacts
from search_core.job import SearchProgress
from search_core.reading.documents import Document
from search_core.runtime import ASKED_BY
from search_core.search.pipeline import rearrange
from search_core.storage.stored_searches import StoredSearches
from search_core.storage.videos import VideoStore
from tests.app import health_double
from tests.app.chat_double import ChatDouble, database_of
from tests.app.claims_double import ClaimsDouble
from tests.app.research_double import ResearchDouble
from tests.app.transcription_double import TranscriptionDouble
from tests.search_core.search.presenting.conftest import report as report_of

NOW = datetime.now(UTC)
ALSO = (
    QueryVariant(text="대역폭 실적", origin=VariantOrigin.WITHOUT_CONTEXT),
    QueryVariant(text="HBM4 속도", origin=VariantOrigin.MODEL),
)
"""How else each query can be worded."""

SAMPLE = VideoContext(
    video_id="sample-1",
    title="차세대 메모리 발표회에서 말한 대역폭 이야기",
    channel="예시 채널",
    published_at=NOW - timedelta(days=3),
    speakers=("한지우", "Daniel Park"),
    organizations=("가람반도체", "NVIDIA"),
    events=("메모리 포럼 2026",),
    key_terms=("대역폭", "HBM4", "전력"),
    transcript=tuple(
        TranscriptSegment(
            20.0 * place,
            20.0 * place + 18,
            f"{place}번째 말입니다. 대역폭과 전력에 대해 이야기를 이어 가겠습니다, 잘 들어 주세요.",
        )
        for place in range(60)
    ),
    language="ko",
    duration_s=1200.0,
    sample=True,
)
YOUTUBE = replace(SAMPLE, video_id="dQw4w9WgXcQ", title="NVIDIA GTC 2026 Keynote", sample=False, language="en")

BROKEN = "가 손상되었어요"
HOSTILE = "<script>alert(1)</script> ![x](http://evil.example/a.png) [눌러](javascript:alert(1)) # 제목 $x^2$ :red[빨강]"


def hits(count: int) -> tuple[SearchResult, ...]:
    """Return *count* results with scores from 0.92 down in steps of 0.07, never below 0.05."""
    titles = (
        "HBM4 대역폭이 두 배로 늘어난 까닭, 그리고 그 뒤에 숨은 설계의 변화를 길게 풀어 쓴 아주 긴 제목의 기사",
        "NVIDIA unveils memory roadmap with HBM4 at GTC 2026",
        "가람반도체, 3분기 영업이익 1조 2천억 원",
        HOSTILE,
    )
    return tuple(
        SearchResult(
            title=titles[place % len(titles)] + (f" ({place})" if place >= len(titles) else ""),
            url="library:doc-1" if place == 0 else f"https://news{place}.example.com/a?id={place}",
            snippet="가람반도체가 새로운 메모리의 대역폭을 두 배로 늘렸다고 밝혔다. 전력은 그대로이고 값은 조금 오른다. " * 2
            if place % len(titles) != 3
            else HOSTILE,
            source="내 자료" if place == 0 else HOSTILE if place == 3 else f"news{place}.example.com",
            relevance_score=max(0.05, 0.92 - 0.07 * place),
            publish_date=NOW - timedelta(days=place * 3, hours=2) if place != 4 else None,
            language="en" if place == 1 else "ko",
            providers=("library", "wikipedia") if place % 2 == 0 else ("wikipedia",),
            ranks=(("wikipedia", place + 1),),
            parts=ScoreParts(semantic_question=0.7, lexical=0.55, agreement=0.4),
            entity_matches=("가람반도체", "NVIDIA") if place < 3 else (),
            moment=Moment(start_s=400.0 + place * 20, text="대역폭을 두 배로 올렸습니다", similarity=0.7) if place < 5 else None,
            summary="example.com의 영어 기사로, NVIDIA와 HBM4를 다룹니다." if place == 1 else "",
            summary_origin="extract" if place == 1 else "",
        )
        for place in range(count)
    )


@dataclass
class Job:
    question: Question
    options: SearchOptions
    report: SearchReport | None = None
    error: MaekrakError | None = None
    running: bool = False
    id: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    cancelled: bool = False
    owner: str = field(default_factory=ASKED_BY.get)

    @property
    def done(self) -> bool:
        return not self.running

    def wait(self, timeout_s: float | None = None) -> bool:
        return self.done

    def cancel(self) -> None:
        if self.running:
            self.running, self.cancelled = False, True

    def finish(self) -> None:
        self.cancel()

    async def results(self) -> SearchReport | None:
        return self.report

    def snapshot(self) -> SearchProgress:
        return SearchProgress(
            phase="asking",
            waiting=("duckduckgo",),
            replies=(ProviderReply(provider="wikipedia", status=SearchStatus.SUCCESS, results=hits(8), latency_ms=612),),
            elapsed_s=1.24,
        )


PROVIDERS = (
    ProviderFacts(name="library", label="내 자료", web=False),
    ProviderFacts(name="wikipedia", label="위키백과"),
    ProviderFacts(name="duckduckgo", label="DuckDuckGo"),
    ProviderFacts(name="searxng", label="SearXNG", absent_because="SEARXNG_URL을 정하면 켜져요."),
)


class OwnDocumentsDouble:
    """Keeps the names of files; one without text cannot be read."""

    def __init__(self) -> None:
        self.kept: dict[str, dict[str, bytes]] = {}

    def state(self) -> LibraryState:
        return LibraryState(phase=LibraryPhase.READY, done=4, total=4)

    def add(self, owner: str, name: str, data: bytes) -> None:
        if not data.strip():
            raise DocumentReadError("empty", korean="빈 파일이에요.")
        self.kept.setdefault(owner, {})[name] = data

    def added(self, owner: str) -> tuple[str, ...]:
        return tuple(self.kept.get(owner, ()))

    def remove(self, owner: str, name: str) -> None:
        self.kept[owner].pop(name, None)


class Away:
    """A service whose database can be away."""

    def __init__(self, service: object) -> None:
        self.service = service
        self.away: tuple[str, ...] = ()
        """What cannot be done."""

    def __getattr__(self, name: str) -> Any:
        return self.refuse if name in self.away else getattr(self.service, name)

    def refuse(self, *_: object, **__: object) -> None:
        raise StorageError("away", korean=f"{BROKEN}.")


class CoreDouble(SearchCore):
    """Answers every search at once, in the way its ``world`` is named after; ``slow`` never ends by itself."""

    chat: Any = None
    research: Any = None
    claims: Any = None
    transcription: Any = None
    stored_searches: Any = None
    videos: Any = None
    own_documents: Any = None

    def __init__(self, world: str = "found", count: int = 12) -> None:
        self.broken: dict[str, str] = {}
        self.world, self.count = world, count
        self.searches: list[tuple[Question, SearchOptions]] = []
        self.arranged: list[RankingOptions] = []
        self.jobs: dict[str, Job] = {}
        self.opened = YOUTUBE
        self.chat = ChatDouble()
        self.age: timedelta | None = None  # of reports; None makes them of the moment this module was read
        self.research = ResearchDouble()
        self.claims = ClaimsDouble()
        self.chat.runs = lambda: [scripted.run for scripted in self.research.runs.values()]
        self.line: AnswerLine | None = None
        self.told: SearchReport | None = None
        """The report of every search; None makes one of the world."""
        self.most = 10
        self.settings = SimpleNamespace(
            allowed_hosts="",
            operators="",
            openai_model="m",
            may_send_own_documents=False,
            openai_transcription_model="",
            whisper_model="",
        )
        database, folder = database_of(self)
        self.stored_searches = StoredSearches(database, most=100)
        self.videos = VideoStore(folder)
        self.own_documents = OwnDocumentsDouble()
        self.transcription = TranscriptionDouble()

    def asks_own_documents(self, options: SearchOptions) -> bool:
        return True

    def default_options(self) -> SearchOptions:
        return SearchOptions(ranking=RankingOptions(threshold=0.35, max_results=self.most))

    def warm_up(self) -> None:
        return None

    wait_until_warm = close = warm_up

    def start_search(self, question: Question, options: SearchOptions) -> Job:
        if not question.text:
            raise QuestionError("empty", korean="질문을 적어 주세요.")
        if question.text == "asdf qwer":
            raise QuestionError("noise", korean="알아듣지 못했어요.")
        if question.text == "안녕하세요":
            raise SmallTalkError("greeting", korean="반가워요!")
        self.searches.append((question, options))
        job = Job(question, options, running=True)
        if self.world != "slow":
            job.report, job.running = self.report(question, options), False
        self.jobs[job.id] = job
        return job

    def job(self, job_id: str, owner: str) -> Job | None:
        job = self.jobs.get(job_id)
        return job if job is not None and job.owner == owner else None

    def arrange(self, report: SearchReport, ranking: RankingOptions) -> SearchReport:
        self.arranged.append(ranking)
        return rearrange(report, ranking)

    def provider_labels(self) -> dict[str, str]:
        return {info.name: info.label for info in PROVIDERS}

    def providers(self) -> tuple[ProviderFacts, ...]:
        return PROVIDERS

    def scorer(self) -> ScorerState:
        return ScorerState(name="kiwi", label="내장 어휘", state="embedded", detail="")

    def read_ahead(self, video: VideoContext) -> None:
        """Read nothing: there is no model."""

    def answer_line(self, report: SearchReport) -> AnswerLine | None:
        return self.line

    def delete_search(self, search_id: str, owner: str) -> None:
        self.stored_searches.delete(search_id, owner)
        self.jobs.pop(search_id, None)

    def samples(self) -> tuple[VideoContext, ...]:
        return (SAMPLE, replace(SAMPLE, title="지역 병원의 겨울 독감 대비"), replace(SAMPLE, title="전기차 배터리 재활용의 오늘"))

    def find_claims(self, video: VideoContext, *, quickly: bool = False) -> FoundClaims:
        return self.claims.find(video)

    def example_questions(self, video: VideoContext | None) -> tuple[str, ...]:
        return ("이 회사 최근 실적은?", "대역폭이 왜 중요한가요?", "한지우는 어떤 사람인가요?")

    def open_video(self, url: str) -> VideoContext:
        if "youtube.com" not in url:
            raise VideoReadError("not a video", korean="YouTube 영상 주소가 아니에요. 주소를 다시 확인해 주세요.")
        return self.opened

    def read_file(self, name: str, data: bytes, companion: tuple[str, bytes] | None = None) -> VideoContext:
        if not data.strip():
            raise VideoReadError("empty", korean="파일이 비어 있어요. 자막이 든 파일을 올려 주세요.")
        text, end_s = data.decode(), 0.0 if name.endswith(".txt") else 5.0
        said = (TranscriptSegment(0.0, end_s, text),)
        title = "" if name.startswith(TYPED_NAME) else text.splitlines()[0][:60]
        return VideoContext(title=title, transcript=said, language="ko")

    def library_document(self, url: str) -> Document | None:
        text = f"첫 문단입니다.\n\n둘째 문단: {HOSTILE}"
        return Document(url=url, title="HBM4 대역폭", text=text, source="내 자료") if url == "library:doc-1" else None

    def export(self, report: SearchReport, format_name: str) -> bytes:
        return "\n".join(hit.title for hit in report.results).encode()

    def health(self) -> HealthReport:
        return health_double.report()

    def storage_problems(self) -> Mapping[str, str]:
        return self.broken

    def report(self, question: Question, options: SearchOptions) -> SearchReport:
        if self.told is not None:
            return self.told
        parts = [QueryPart("HBM4 대역폭", PartOrigin.QUESTION), QueryPart("가람반도체", PartOrigin.ORGANIZATION)]
        parts += [QueryPart("한지우", PartOrigin.SPEAKER), QueryPart("메모리 포럼 2026", PartOrigin.EVENT)]
        kept = tuple(part for part in parts if part.text not in options.without_parts)
        if options.verbatim:
            kept = (QueryPart(question.text, PartOrigin.QUESTION),)
        found = hits(0 if self.world in ("failed", "nothing") else self.count)
        if self.world == "unscored":
            found = tuple(replace(hit, relevance_score=None, parts=None) for hit in found)
        if self.world in ("own", "both"):
            of_web = found[: len(found) // 2] if self.world == "both" else ()
            kind, own = "sample" if self.world == "both" else "user", {"providers": ("library",), "ranks": (("library", 1),)}
            found = tuple(hit if hit in of_web else replace(hit, collection=kind, **own) for hit in found)
        weak = Degradation(
            part=DegradedPart.SCORING, cause="scoring failed", korean="관련도를 재지 못해서 받은 순서대로 보여드려요."
        )
        report = report_of(
            question=question,
            options=options,
            constructed=ConstructedQuery(
                text=" ".join(part.text for part in kept),
                parts=kept,
                fallback_queries=("가람반도체 대역폭", "메모리 대역폭"),
                verbatim=options.verbatim,
                left_out=("한빛",) if "한빛 말고" in question.text else (),
                also=tuple(each for each in ALSO if each.text not in options.without_parts),
            ),
            replies=self._replies(found, options),
            written=WrittenQuery(outcome=WritingOutcome.WRITTEN, text="HBM4 속도", took_ms=412.0),
            results=found,
            scorer="none" if self.world == "unscored" else "kiwi",
            degradations=(weak,) if self.world == "unscored" else (),
            elapsed_ms=912.0,
            created_at=NOW if self.age is None else datetime.now(UTC) - self.age,
        )
        return self.arrange(report, options.ranking)

    def _replies(self, found: tuple[SearchResult, ...], options: SearchOptions) -> tuple[ProviderReply, ...]:
        def reply(name: str, status: SearchStatus, **more: object) -> ProviderReply:
            results = found if status is SearchStatus.SUCCESS else ()
            return ProviderReply(
                provider=name,
                status=status,
                query="HBM4 대역폭 가람반도체",
                results=results,
                latency_ms=640,
                web=name != "library",
                **more,
            )

        good, none = SearchStatus.SUCCESS, SearchStatus.NO_RESULTS
        limited = reply("duckduckgo", SearchStatus.RATE_LIMITED, retry_after_s=120.0)
        worlds = {
            "failed": (reply("wikipedia", SearchStatus.NETWORK_ERROR), limited),
            "nothing": (reply("library", none), reply("wikipedia", none)),
            "partial": (reply("library", good), reply("wikipedia", good), limited),
            "own": (reply("library", good), reply("wikipedia", none)),
            "stale": (reply("wikipedia", good, stale=True, from_cache=True, stored_at=NOW - timedelta(hours=3)),),
        }
        return worlds.get(self.world) or tuple(reply(name, good) for name in options.providers or ("library", "wikipedia"))
