"""The one place where protocols meet concrete things."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from search_core import korean, redaction
from search_core.answering import AnswerFlow, AnswerParts, FallbackDetector, QuestionScorer
from search_core.answering.draft import ChatModel
from search_core.domain import Question, RankingOptions, SearchOptions, SearchResult
from search_core.errors import StorageError
from search_core.gathering import MultiProviderSearchManager
from search_core.health import EventRecorder, EventStore, Metrics
from search_core.intent import QueryIntentAnalyzer
from search_core.merging import ResultAggregator
from search_core.monitor import SearchMonitor
from search_core.pipeline import Scope, SearchPipeline, Stages
from search_core.provider_kit import ProviderTools, SearchProvider
from search_core.providers import build, catalogue
from search_core.query import QueryConstructor
from search_core.relevance import EmbedderHost, KiwiEmbedder, RelevanceFilter
from search_core.settings import Settings
from search_core.storage import (
    REDIS_EVENTS,
    DiskReplyCache,
    LibraryIndex,
    RedisConnection,
    RedisEventLog,
    RedisReplyCache,
    SqliteEventLog,
    VectorCache,
    index_paths,
)
from search_core.video import samples

if TYPE_CHECKING:
    from search_core.llm import OpenAICompatible

logger = logging.getLogger(__name__)

SAMPLE_DOCUMENTS = Path(__file__).parent.parent / "samples" / "library"
SAMPLES = "sample"
"""Collection of the documents that ship with the app."""
REHEARSAL = "메모리 대역폭은 왜 중요한가?"
MAX_FILLING_S = 20
"""A search waits no longer than this for the sample documents."""
SCORING_S = 5.0
"""Time a search may take beyond its deadline, for scoring what it found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """Holds every concrete part of a running Maekrak."""

    settings: Settings
    providers: Mapping[str, SearchProvider]
    manager: MultiProviderSearchManager
    pipeline: SearchPipeline
    answers: AnswerFlow
    library: LibraryIndex
    embedders: EmbedderHost
    kept: Kept
    monitor: SearchMonitor
    vectors: VectorCache
    warm: WarmUp


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Holds what is kept of searches: on disk, or in Redis when there is one."""

    replies: DiskReplyCache | RedisReplyCache | None
    """None when the settings turn the cache off."""
    events: EventStore
    """Closed by the recorder that writes them."""
    events_kept: int | None
    """How many events there can be; None when it is the time that bounds them."""

    def close(self) -> None:
        """Close the kept answers."""
        if self.replies is not None:
            self.replies.close()


class WarmUp:
    """Gets slow things ready in the background: the analyser, the sample documents, the model."""

    def __init__(self, *steps: Callable[[], object]) -> None:
        self._steps = steps
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._started = False

    def start(self) -> None:
        """Start once and return at once."""
        with self._lock:
            if self._started:
                return
            self._started = True
        threading.Thread(target=self._run, name="maekrak-warm-up", daemon=True).start()

    def _run(self) -> None:
        try:
            for step in self._steps:
                step()
        finally:
            self._done.set()

    def wait(self) -> None:
        """Start if need be, and wait until all is ready."""
        self.start()
        self._done.wait()


class SampledLibrary:
    """Is the library on a fresh machine: the sample documents are on their way into it, and a search waits for them."""

    def __init__(self, library: LibraryIndex) -> None:
        self._library = library
        self._filled = threading.Event()

    def fill(self) -> None:
        """Put the documents that ship with the app into the library; costs nothing when they are there already."""
        try:
            index_paths(self._library, [SAMPLE_DOCUMENTS], collection=SAMPLES)
        except StorageError as error:
            logger.warning("The sample documents could not be put into the library: %s", error)
        finally:
            self._filled.set()

    def search(self, query: str, limit: int) -> list[SearchResult]:
        """Return the best *limit* documents for *query*, best first."""
        self._filled.wait(MAX_FILLING_S)
        return self._library.search(query, limit)

    def count(self) -> int:
        """Return how many documents there are, at least one while the samples are on their way."""
        return self._library.count() or int(not self._filled.is_set())


def build_house(settings: Settings, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> House:
    """Return the parts of Maekrak as *settings* want them; nothing slow is loaded and nobody is asked yet.

    Raises SettingsError for an unknown provider or backend name and for a setting a part cannot use.
    """
    redaction.install(settings)
    folder = settings.maekrak_data_dir
    _make_private(folder)
    library = LibraryIndex(folder / "library.sqlite")
    vectors = VectorCache(folder / "vectors")
    kept = _kept(settings)
    sampled = SampledLibrary(library)
    providers = build(settings, ProviderTools(library=sampled if settings.library_samples else library))
    embedders = EmbedderHost(model=settings.embedding_model, allow_download=settings.embedding_allow_download, vectors=vectors)
    deadline_s = _deadline_s(settings, providers)
    metrics = Metrics(providers)
    recorder = EventRecorder(kept.events, counts=metrics, keeps=kept.events_kept)
    manager = MultiProviderSearchManager(
        providers,
        settings.provider_tiers,
        cache=kept.replies,
        timeout_s=settings.web_search_timeout,
        deadline_s=deadline_s,
        ttl_s=settings.web_search_cache_ttl,
        now=now,
        record=recorder.record,
    )
    embedded = KiwiEmbedder()
    model = _model(settings)
    stages = Stages(
        analyzer=QueryIntentAnalyzer(),
        constructor=QueryConstructor(now=now),
        manager=manager,
        aggregator=ResultAggregator(),
        relevance=lambda: RelevanceFilter(embedders.current(), now=now, fallback=embedded),
        summarizer=model,
        now=now,
        deadline_s=deadline_s,
        results_per_provider=settings.web_search_max_results,
        summary_deadline_s=settings.openai_timeout,
        scope=_scope(settings),
    )
    pipeline = SearchPipeline(stages)
    steps: list[Callable[[], object]] = [embedders.start, korean.warm_up]
    if settings.library_samples:
        steps += [sampled.fill, lambda: pipeline.rehearse(Question(text=REHEARSAL, video=next(iter(samples()), None)))]
    warm = WarmUp(*steps)
    return House(
        settings=settings,
        providers=providers,
        manager=manager,
        pipeline=pipeline,
        answers=_answers(settings, stages, model, providers, warm),
        library=library,
        embedders=embedders,
        kept=kept,
        monitor=SearchMonitor(providers, catalogue(), manager, recorder, metrics, settings=settings, now=now),
        vectors=vectors,
        warm=warm,
    )


def _deadline_s(settings: Settings, providers: Mapping[str, SearchProvider]) -> float:
    """Return how long a search may take: at least as long as a service that was given more time of its own."""
    own_s = [provider.timeout_s + 1.0 for provider in providers.values() if provider.timeout_s is not None]
    return max([settings.web_search_deadline, *own_s])


def _make_private(folder: Path) -> None:
    """Make the data folder, for its owner only: it holds what people have asked."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        logger.error(
            "MAEKRAK_DATA_DIR %s cannot be made (%s); nothing is kept and the library is empty", folder, type(error).__name__
        )


def _kept(settings: Settings) -> Kept:
    folder, keeps_replies = settings.maekrak_data_dir, settings.web_search_cache_ttl > 0
    if settings.redis_url.get_secret_value():
        redis = RedisConnection(settings.redis_url)
        return Kept(
            replies=RedisReplyCache(redis) if keeps_replies else None,
            events=RedisEventLog(redis),
            events_kept=REDIS_EVENTS,
        )
    replies = DiskReplyCache(folder / "replies") if keeps_replies else None
    return Kept(replies=replies, events=SqliteEventLog(folder / "events.sqlite"), events_kept=None)


def _scope(settings: Settings) -> Scope:
    freshness = settings.web_search_news_freshness
    return Scope(
        news_freshness=None if freshness == "any" else freshness,
        safe_search=settings.web_search_safe_search,
        include_domains=settings.include_domains,
        exclude_domains=settings.exclude_domains,
    )


def default_options(settings: Settings) -> SearchOptions:
    """Return the options of a search as *settings* ask for them."""
    return SearchOptions(
        ranking=RankingOptions(threshold=settings.relevance_threshold, max_results=settings.web_search_max_results)
    )


def _answers(
    settings: Settings, stages: Stages, model: ChatModel | None, providers: Mapping[str, SearchProvider], warm: WarmUp
) -> AnswerFlow:
    # An answer is made from the snippets themselves, so nobody waits for summaries of them.
    pipeline = SearchPipeline(replace(stages, summarizer=None))
    return AnswerFlow(
        AnswerParts(
            model=model,
            detector=FallbackDetector(),
            scorer=QuestionScorer(relevance=stages.relevance, analyzer=stages.analyzer, constructor=stages.constructor),
            search=lambda question: pipeline.run(question, default_options(settings), lambda _: None),
            labels={name: provider.label for name, provider in providers.items()},
            fallback_enabled=settings.web_search_fallback_enabled,
            search_timeout_s=stages.deadline_s + SCORING_S,
            ready=warm.wait,
        )
    )


def _model(settings: Settings) -> OpenAICompatible | None:
    if not settings.openai_model:
        return None
    from search_core.llm import OpenAICompatible  # its client takes longer to import than all the rest

    model = OpenAICompatible(settings)
    return model if model.available() else None
