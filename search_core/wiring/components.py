"""The one place where protocols meet implementations."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from search_core.domain.report import SearchOptions
from search_core.domain.result import RankingOptions
from search_core.errors import UnknownServiceError
from search_core.health.metrics import Metrics
from search_core.health.recorder import EventRecorder
from search_core.language import korean, redaction
from search_core.models.embedding.embedder import KiwiEmbedder
from search_core.models.embedding.host import EmbedderHost
from search_core.providers import LIBRARY, build
from search_core.providers.kit.contract import SearchProvider, SearchRequest
from search_core.runtime import Clock, Lazy, utc_now
from search_core.search.gathering.aggregate import ResultAggregator
from search_core.search.gathering.manager import MultiProviderSearchManager
from search_core.search.pipeline import SearchPipeline, Stages
from search_core.search.ranking.filter import RelevanceFilter
from search_core.search.understanding.constructor import QueryConstructor
from search_core.search.understanding.question import QueryIntentAnalyzer
from search_core.search.understanding.unsaid import drop_reader, use_reader
from search_core.settings import Settings
from search_core.storage.cache_file import CacheFile, VectorCache
from search_core.storage.database import Database
from search_core.storage.event_log import RedisEventLog, SqliteEventLog
from search_core.storage.reply_cache import DiskReplyCache, RedisReplyCache
from search_core.video.subject import drop_embedder, use_embedder
from search_core.wiring.pages import SourceReader, WarmUp

if TYPE_CHECKING:
    from search_core.models.llm.openai_compatible import OpenAICompatible
    from search_core.search.monitor import SearchMonitor
    from search_core.storage.videos import VideoStore
    from search_core.wiring.library import OwnDocuments

logger = logging.getLogger(__name__)


def make_private(folder: Path) -> None:
    """Create the data folder for its owner only: it contains people's questions."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        logger.error(
            "MAEKRAK_DATA_DIR %s cannot be made (%s); nothing is kept and the library is empty", folder, type(error).__name__
        )


SPARE_S = 1.0
"""Added to the slowest service's time limit, for analysing the question before the request and reading the reply after it."""
SUMMARIES_SHARE = 0.25
"""Share of the model's time limit that a search waits for summaries; its results are shown before them."""
MAX_TRANSCRIPTS_BYTES = 64 << 20
"""Disk space for transcripts, some 300 hours of speech; the oldest are deleted first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Components:
    """Holds all parts of a running Maekrak."""

    settings: Settings
    options: SearchOptions
    """The options of a search by the settings."""
    providers: Mapping[str, SearchProvider]
    stages: Stages
    pipeline: SearchPipeline
    model: OpenAICompatible | None
    """Writes answers and summaries; None leaves them to extracts."""
    database: Database
    pages: SourceReader
    documents: Lazy[OwnDocuments]
    embedders: EmbedderHost
    replies: DiskReplyCache | RedisReplyCache | None
    """None when the settings turn the cache off."""
    recorder: EventRecorder
    monitor: Lazy[SearchMonitor]
    vectors: VectorCache
    videos: Lazy[VideoStore]
    transcripts: CacheFile
    warm: WarmUp

    def close(self) -> None:
        """Close all parts, even if closing one raises; requests must have ended."""
        services = (self.documents.made, self.pages, self.database, self.embedders)
        stores = (self.vectors, self.videos.made, self.transcripts, self.recorder, self.replies)
        drop_embedder(self.embedders.storing)
        drop_reader(self.embedders.unsaid_odds)
        with ExitStack() as closing:
            for part in reversed((*services, *stores)):
                if part is not None:
                    closing.callback(part.close)


def build_components(settings: Settings, *, once: bool = False, now: Clock = utc_now) -> Components:
    """Return the parts of Maekrak for *settings*; loads nothing slow and sends no request.

    Parts that work *once* are not warmed up: each thing is loaded when it is needed. Raises SettingsError for an unknown provider
    or backend name and for a setting a part cannot use.
    """
    redaction.install(settings)
    settings = _with_chosen_model(settings)
    folder = settings.maekrak_data_dir
    make_private(folder)
    for earlier in ("videos", "transcription/kept"):  # of versions up to 0.4.0
        shutil.rmtree(folder / earlier, ignore_errors=True)
    database = Database.of(settings)
    vectors = VectorCache(folder / "vectors")
    redis = None
    if settings.redis_url.get_secret_value():
        from search_core.storage.redis_connection import RedisConnection

        redis = RedisConnection(settings.redis_url)
    replies: DiskReplyCache | RedisReplyCache | None = None
    if settings.web_search_cache_ttl > 0:
        replies = RedisReplyCache(redis) if redis else DiskReplyCache(folder / "replies")
    embedders = EmbedderHost(model=settings.embedding_model, entailment=settings.entailment_model, vectors=vectors)
    use_embedder(embedders.storing)
    use_reader(embedders.unsaid_odds)
    documents = Lazy(lambda: _own_documents(settings, database, embedders))
    providers = build(settings, documents)
    metrics = Metrics(providers)
    recorder = EventRecorder(RedisEventLog(redis) if redis else SqliteEventLog(folder / "events.sqlite"), counts=metrics)
    model = model_of(settings)
    stages = _stages(settings, providers, replies, recorder, embedders, model, now)
    slow: list[Callable[[], object]] = [embedders.start, korean.warm_up]
    slow += [model.get_ready] if model is not None else []
    slow += [lambda: documents().get_ready()] if LIBRARY in providers else []
    return Components(
        settings=settings,
        options=SearchOptions(
            ranking=RankingOptions(threshold=settings.relevance_threshold, max_results=settings.web_search_max_results)
        ),
        providers=providers,
        stages=stages,
        pipeline=SearchPipeline(stages),
        model=model,
        database=database,
        pages=SourceReader(settings, documents),
        documents=documents,
        embedders=embedders,
        replies=replies,
        recorder=recorder,
        monitor=Lazy(lambda: _monitor(providers, stages.manager, recorder, metrics, now)),
        vectors=vectors,
        videos=Lazy(lambda: _videos(folder)),
        transcripts=CacheFile(folder / "transcription" / "kept.sqlite", MAX_TRANSCRIPTS_BYTES),
        warm=WarmUp() if once else WarmUp(*slow),
    )


def _deadline_s(settings: Settings, providers: Mapping[str, SearchProvider]) -> float:
    """Return the deadline of a search, long enough for services with a timeout of their own, such as the browser."""
    own = [provider.timeout_s + SPARE_S for provider in providers.values() if provider.timeout_s]
    return max(settings.web_search_deadline, *own, 0.0)


def _stages(
    settings: Settings,
    providers: Mapping[str, SearchProvider],
    replies: DiskReplyCache | RedisReplyCache | None,
    recorder: EventRecorder,
    embedders: EmbedderHost,
    model: OpenAICompatible | None,
    now: Clock,
) -> Stages:
    manager = MultiProviderSearchManager(
        providers,
        settings.provider_tiers,
        cache=replies,
        timeout_s=settings.web_search_timeout,
        deadline_s=_deadline_s(settings, providers),
        ttl_s=settings.web_search_cache_ttl,
        now=now,
        record=recorder.record,
    )
    writer = None
    if model is not None and settings.openai_writes_queries:
        from search_core.search.understanding.query_writer import QueryWriter  # brings the builder of prompts

        writer = QueryWriter(model)
    embedded = KiwiEmbedder()
    request = SearchRequest(query="", limit=settings.web_search_max_results, exclude_domains=settings.exclude_domains)
    return Stages(
        analyzer=QueryIntentAnalyzer(),
        constructor=QueryConstructor(now=now),
        manager=manager,
        aggregator=ResultAggregator(),
        relevance=lambda: RelevanceFilter(embedders.current(), now=now, fallback=embedded),
        summarizer=model,
        now=now,
        deadline_s=manager.deadline_s,
        summary_deadline_s=settings.openai_timeout * SUMMARIES_SHARE,
        asked=request,
        own_documents_to_model=settings.may_send_own_documents,
        writer=writer,
        lexical_filter=lambda: RelevanceFilter(embedded, now=now),
        missing_numbers=_amounts_missing,
    )


# What a search may do without is imported by its builder: stores of Redis, the library, videos, reports of health.


def _own_documents(settings: Settings, database: Database, embedders: EmbedderHost) -> OwnDocuments:
    from search_core.wiring.library import OwnDocuments, open_library

    return OwnDocuments(settings, open_library(settings, database), embedders)


def _videos(folder: Path) -> VideoStore:
    from search_core.storage.videos import VideoStore

    return VideoStore(folder)


def _monitor(
    providers: Mapping[str, SearchProvider],
    manager: MultiProviderSearchManager,
    recorder: EventRecorder,
    metrics: Metrics,
    now: Clock,
) -> SearchMonitor:
    from search_core.search.monitor import SearchMonitor

    return SearchMonitor(providers, manager, recorder, metrics, now=now)


def _amounts_missing(summary: str, text: str) -> tuple[str, ...]:
    from search_core.answers.support import amounts_missing  # only a model's summaries are looked through

    return amounts_missing(summary, text)


def _with_chosen_model(settings: Settings) -> Settings:
    """Return *settings* with the local model that a visitor chose, if they name none."""
    if not settings.local_model_file.is_file():
        return settings
    from search_core.models.llm.local_models import chosen_model  # brings the client

    chosen = chosen_model(settings)
    update = {"openai_base_url": chosen.base_url, "openai_model": chosen.name} if chosen else {}
    return settings.model_copy(update=update)


def model_of(settings: Settings) -> OpenAICompatible | None:
    """Return the language model of *settings*, or None if the model, or both its address and key, are missing."""
    if not settings.openai_model or not (settings.openai_base_url or settings.openai_api_key.get_secret_value()):
        return None
    from search_core.models.llm.openai_compatible import OpenAICompatible  # brings the reader of Markdown

    return OpenAICompatible(settings)


def resolve_options(components: Components, options: SearchOptions | None) -> SearchOptions:
    """Return *options*, or those of the settings; if SEARCH_PROVIDERS names only the library, only that is asked.

    Raises UnknownServiceError.
    """
    options = options or components.options
    unknown = [name for name in options.providers or () if name not in components.providers]
    if unknown:
        names = ", ".join(components.providers)
        raise UnknownServiceError(
            f"There is no search service named {', '.join(unknown)}; set up are {names}.",
            korean=f"{', '.join(unknown)}(이)라는 검색 서비스는 없어요. 쓸 수 있는 이름: {names}",
        )
    if options.providers is None and not any(provider.web for provider in components.providers.values()):
        return replace(options, providers=tuple(components.providers))
    return options
