"""SearchCore: the synchronous interface for pages, scripts and the command line."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Self

from search_core.domain.report import Question, SearchOptions, SearchReport
from search_core.domain.result import RankingOptions
from search_core.domain.video import VideoContext
from search_core.errors import PageFailure, PageReadError
from search_core.job import MAX_KEPT_JOBS, SEARCHES_AT_ONCE, Jobs, SearchJob, SearchProgress, take_turn
from search_core.runtime import ASKED_BY, Lazy, LoopThread, run_in_thread
from search_core.search.pipeline import ProgressCallback, rearrange
from search_core.settings import Settings
from search_core.wiring.components import Components, build_components, resolve_options

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from search_core.answers.chat.chat import Chat
    from search_core.checking.claims.service import ClaimsService
    from search_core.domain.claim import FoundClaims
    from search_core.domain.conversation import AnswerEvent, AnswerRecord
    from search_core.domain.reply import ProviderReply
    from search_core.domain.report import AnswerLine
    from search_core.domain.scorer import ScorerState
    from search_core.health.report import HealthReport, ProviderFacts
    from search_core.library.documents import IndexOutcome
    from search_core.reading.documents import Document
    from search_core.reading.html import ReadPage
    from search_core.research.service import ResearchService
    from search_core.search.monitor import SearchMonitor
    from search_core.search.presenting.export import ExportFormat
    from search_core.search.ranking.evaluation import Suggestion
    from search_core.speech.service import TranscriptionService
    from search_core.storage.stored_searches import StoredSearches
    from search_core.storage.videos import VideoStore
    from search_core.wiring.library import OwnDocuments
    from search_core.wiring.services import Services

MOST_JUDGED = 60
"""Most labelled searches for a recommended threshold: five times as many as it needs."""

MODEL_LOADS_S = 15.0
"""Longest wait for the embedding model to load before a video is embedded ahead of its first question."""


class SearchCore:
    """Offers all of Maekrak but its pages; one per process, thread-safe."""

    def __init__(self, components: Components) -> None:
        self._parts = components
        self.settings = components.settings
        self.models = components.embedders
        """The host of the embedding models."""
        self._loop = LoopThread()
        self._jobs, self._turns = Jobs[SearchJob](MAX_KEPT_JOBS), asyncio.Semaphore(SEARCHES_AT_ONCE)
        self._read_ahead: VideoContext | None = None
        self._services = Lazy(self._build_services)

    @classmethod
    def from_settings(cls, settings: Settings, *, once: bool = False) -> Self:
        """Return a core set up by *settings*; loads nothing slow and sends no request.

        With *once*, as for a command, parts are loaded only when they are needed. Raises SettingsError for a setting that cannot
        be used.
        """
        return cls(build_components(settings, once=once))

    def warm_up(self) -> None:
        """Start preparing slow parts in the background and return at once."""
        self._parts.warm.start()

    def wait_until_warm(self) -> None:
        """Wait for what ``warm_up`` prepares."""
        self._parts.warm.wait()

    def search(
        self, question: Question, options: SearchOptions | None = None, on_progress: ProgressCallback = lambda _: None
    ) -> SearchReport:
        """Search and return the report when it is complete.

        Raises InputError for an empty or overlong question and an unknown service; failures of providers are in the report.
        """
        search = self._parts.pipeline.run(question, resolve_options(self._parts, options), on_progress)
        self._parts.warm.wait()
        return self._loop.run(search)

    def start_search(self, question: Question, options: SearchOptions | None = None, *, kept: bool = True) -> SearchJob:
        """Start a search for the current user and return its job at once; unless *kept*, ``job`` does not find it later.

        Raises InputError for an empty or overlong question and an unknown service.
        """
        job, finish = SearchJob(question, resolve_options(self._parts, options), ASKED_BY.get()), asyncio.Event()
        search = self._parts.pipeline.run(job.question, job.options, job.note, finish)
        self._parts.warm.start()
        if kept:
            self._jobs.add(job)
        waits = SearchProgress(phase="queued")
        running = self._loop.start(take_turn(self._turns, search, lambda: job.note(waits)))
        job.follow(running, lambda: running.cancel() if job.snapshot().phase == "queued" else self._loop.call(finish.set))
        return job

    def answer(self, question: Question) -> Generator[AnswerEvent]:
        """Answer from the video, or from the web if the video says nothing; return the events as they come.

        Close the generator to stop early. Raises InputError for an empty or overlong question; other failures are events.
        """
        return self._loop.iterate(self._services().answering().flow.answer(question))

    def check_online(
        self, question: Question, answer: AnswerRecord | None = None, *, subject: str | None = None
    ) -> Generator[AnswerEvent]:
        """Check *answer*, or the video's answer to *question*, against the web; return the events as they come.

        *subject* is put before the query instead of the video's subject. Close the generator to stop early. Raises InputError for
        an empty or overlong question; other failures are events.
        """
        from search_core.domain.conversation import CheckRequest

        request = CheckRequest(question=question, answer=answer, subject=subject)
        return self._loop.iterate(self._services().answering().checks.check(request))

    def find_claims(self, video: VideoContext, *, quickly: bool = False) -> FoundClaims:
        """Return the claims of *video*, in order; a finished list is stored.

        *quickly* returns within seconds the claims found so far; the next call returns all of them.
        """
        from search_core.wiring.services import find_claims_of

        return self._loop.run(find_claims_of(self._parts, video, quickly=quickly))

    @property
    def videos(self) -> VideoStore:
        """Return the videos that were opened, each for its owner alone."""
        return self._parts.videos()

    @property
    def own_documents(self) -> OwnDocuments:
        """Return the library, which prepares documents for search by meaning."""
        return self._parts.documents()

    @property
    def monitor(self) -> SearchMonitor:
        """Return the monitor, which has the state of every service, metrics and the health report."""
        return self._parts.monitor()

    @property
    def chat(self) -> Chat:
        """Return the chat, which answers questions and checks answers."""
        return self._services().chat()

    @property
    def research(self) -> ResearchService:
        """Return the service for deep research."""
        return self._services().long_runs().research

    @property
    def claims(self) -> ClaimsService:
        """Return the service for checking a video's claims."""
        return self._services().long_runs().claims

    def work_on_runs(self) -> Self:
        """Let this process work on runs regardless of the settings; call it before using those services."""
        self._services().works = True
        return self

    def job(self, job_id: str, owner: str) -> SearchJob | None:
        """Return a search of *owner* started earlier in this process, or None."""
        return self._jobs.get(job_id, owner)

    def delete_search(self, search_id: str, owner: str) -> None:
        """Delete this search of *owner*, stored and in memory, with its labels; raises StorageError."""
        self.stored_searches.delete(search_id, owner)
        if self.job(search_id, owner) is not None:
            self._jobs.forget([search_id])

    def default_options(self) -> SearchOptions:
        """Return the options the settings ask for."""
        return self._parts.options

    def asks_own_documents(self, options: SearchOptions) -> bool:
        """Return whether a search with *options* asks the library."""
        names = self._parts.providers if options.providers is None else options.providers
        return any(name in self._parts.providers and not self._parts.providers[name].web for name in names)

    def arrange(self, report: SearchReport, ranking: RankingOptions) -> SearchReport:
        """Return *report* with its results rearranged; sends no request and embeds nothing."""
        return rearrange(report, ranking)

    def read_ahead(self, video: VideoContext) -> None:
        """Begin to embed *video*'s subject and return at once; skips the video of the last call."""
        if video is not self._read_ahead:
            self._read_ahead = video
            run_in_thread(lambda: self._read_video(video), "maekrak-read-ahead")

    def answer_line(self, report: SearchReport) -> AnswerLine | None:
        """Return the sentence of a visible result in *report* that answers its question, or None; asks no service.

        Sentences are embedded where the model of meaning is ready: call it when the results are drawn.
        """
        from search_core.answers.answer_line import find_answer_line

        return find_answer_line(report, self._services().answering().scorer.relevance())

    def suggest_threshold(self, report: SearchReport, owner: str) -> Suggestion:
        """Return the threshold that *owner*'s labels recommend for results scored like *report*; raises StorageError."""
        from search_core.search.ranking.evaluation import suggest_for

        return suggest_for(report, self.stored_searches.labelled(owner, most=MOST_JUDGED))

    @property
    def stored_searches(self) -> StoredSearches:
        """Return the stored searches with their labels, each for its owner only."""
        return self._services().stored_searches()

    @property
    def transcription(self) -> TranscriptionService:
        """Return the service that transcribes videos and recordings."""
        return self._services().transcription()

    def health(self) -> HealthReport:
        """Return the health of searches in the last day and of every service; sends no request."""
        return self.monitor.report()

    def storage_problems(self) -> Mapping[str, str]:
        """Return a Korean sentence by name for each broken part of the storage; sends no requests."""
        parts = {"conversations": self._parts.database, "library": self.own_documents.library.database}
        return {name: korean for name, database in parts.items() if (korean := database.problem())}

    def probe(self) -> tuple[ProviderReply, ...]:
        """Ask every configured service once, and return the replies."""
        return self._loop.run(self.monitor.probe(ready=self._parts.warm.wait))

    def providers(self) -> tuple[ProviderFacts, ...]:
        """Return all search services in order of asking, including those switched off."""
        return self.monitor.facts()

    def scorer(self, *, wait_s: float = 0.0) -> ScorerState:
        """Return the scorer at work and the progress of the model, after waiting at most *wait_s* seconds for it."""
        return self.models.state(wait_s=wait_s)

    def samples(self) -> tuple[VideoContext, ...]:
        """Return the sample videos that ship with the app."""
        from search_core.video.upload import samples

        return samples()

    def example_questions(self, video: VideoContext | None) -> tuple[str, ...]:
        """Return a few example questions about *video*, in Korean."""
        from search_core.video.readers import example_questions

        return example_questions(video)

    def open_video(self, url: str) -> VideoContext:
        """Return the video behind a YouTube address; asks YouTube. Raises VideoReadError."""
        from search_core.video.youtube import YouTubeReader

        return YouTubeReader(self.settings).read(url)

    def read_file(self, name: str, data: bytes, companion: tuple[str, bytes] | None = None) -> VideoContext:
        """Return the video in a file's bytes, read in a process of its own, as ``read_upload`` does; raises VideoReadError."""
        from search_core.video.readers import read_upload

        return read_upload(name, data, companion)

    def read_page(self, url: str, *, timeout_s: float | None = None) -> ReadPage:
        """Return the text of the web page or library document at *url*; only its site is asked.

        Raises PageReadError, also where that takes longer than *timeout_s* seconds.
        """
        try:
            return self._loop.run(self._parts.pages.read(url), timeout_s)
        except TimeoutError:
            raise PageReadError(PageFailure.TIMEOUT, "The page was not read in time.") from None

    def library_document(self, url: str) -> Document | None:
        """Return a document of the library by its address, or None."""
        return self.own_documents.library.get(url)

    def index(self, paths: Iterable[str | Path]) -> IndexOutcome:
        """Add files and folders to the library, skipping unchanged ones; raises StorageError if it cannot be written."""
        return self.own_documents.index([Path(path) for path in paths])

    def provider_labels(self) -> dict[str, str]:
        """Return the labels of search services by name, in order of asking."""
        return {name: provider.label for name, provider in self._parts.providers.items()}

    def export(self, report: SearchReport, format_name: ExportFormat) -> bytes:
        """Return *report* as a file to download."""
        from search_core.search.presenting.export import export

        return export(report, format_name, labels=self.provider_labels())

    def report_json(self, report: SearchReport) -> dict[str, object]:
        """Return *report* as JSON values, with its outcome in words."""
        from search_core.search.presenting.export import report_json

        return report_json(report, self.provider_labels())

    def format_report(self, report: SearchReport) -> str:
        """Return the results as numbered Korean text with attribution."""
        from search_core.search.presenting.formatter import ResultFormatter

        question = report.question
        return ResultFormatter(now=report.created_at, labels=self.provider_labels()).format_korean_response(
            report.results,
            query=question.text,
            replies=report.replies,
            web_wanted=report.web_wanted,
            has_video=question.video is not None,
            hidden=report.hidden,
        )

    def _build_services(self) -> Services:
        from search_core.wiring.services import Services  # brings more than a search needs

        return Services(self._parts, self._loop)

    def _read_video(self, video: VideoContext) -> None:
        self.models.wait(MODEL_LOADS_S)
        self._parts.pipeline.read_video(video)

    def close(self) -> None:
        """Stop running work and close everything; a second call does nothing."""
        if self._loop.closed:
            return
        with ExitStack() as closing:  # from the last to the first, whatever one of them raises
            closing.callback(self._parts.close)
            closing.callback(self._loop.close)
            closing.callback(lambda: self._loop.run(self._parts.stages.manager.aclose(), timeout_s=5))
            if self._services.made is not None:
                closing.callback(self._services.made.close)


__all__ = ["SearchCore", "SearchJob", "SearchProgress"]
