"""Where research is asked for, followed, steered and looked up again; all of it synchronous but ``follow``."""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from search_core.domain import (
    ResearchEntry,
    ResearchEvent,
    ResearchRequest,
    ResearchRun,
    ResearchStatus,
)
from search_core.intent import validate_question
from search_core.research.control import CommandKind
from search_core.research.errors import ResearchNotFoundError, ResearchStateError, ResearchUnavailableError
from search_core.research.plan_answer import MAX_SUBTASKS
from search_core.research.run_subscription import RunSubscription
from search_core.research.steering import (
    EDITABLE,
    legs_to_edit,
    legs_to_go_on,
    legs_to_halt,
    of_texts,
    replanned,
    too_late,
    waiting,
    with_text,
)

if TYPE_CHECKING:
    from search_core.research.engine import Engine
    from search_core.research.kept_run import KeptRun
    from search_core.research.parts import ResearchParts
    from search_core.research.store import ResearchStore
    from search_core.runtime import LoopThread
    from search_core.storage import Database

_FEEDS = 128
_GOES_ON_FROM = (ResearchStatus.STOPPED, ResearchStatus.FINISHED_EARLY, ResearchStatus.FAILED)


class ResearchService:
    """Researches, or starts and follows what other processes research; safe to call from many threads.

    One service of a process is open at once. Nothing slow is imported and no database opened before ``open`` or the first call.
    Every method raises StorageError when the database cannot be used; those that name a run raise ResearchNotFoundError when
    *owner* has no such run. Of several processes any may start, follow and steer any run of the same database.
    """

    def __init__(self, parts: ResearchParts, database: Database, loop: LoopThread, *, works: bool = True) -> None:
        """Take what runs are done with, where they are kept and the loop on which *parts* are at home.

        A service that does not work only starts and follows runs, for other processes to work on.
        """
        self._parts = parts
        self._database = database
        self._loop = loop
        self._works = works
        self._feeds: OrderedDict[str, RunSubscription] = OrderedDict()
        self._lock = threading.Lock()
        self._engine_made: Engine | None = None
        self._closed = False

    def open(self) -> None:
        """Get ready, work on runs that are waiting and take over those that a dead process has left; takes up to a second.

        Raises ResearchUnavailableError when another service of this process is open, or when DBOS does not start.
        """
        _ = self._engine

    def start(self, request: ResearchRequest) -> ResearchRun:
        """Start a run and return at once; raises InputError for an empty or overlong question."""
        self._parts.get_ready()
        kept = self._store.create(replace(request, question=validate_question(request.question)))
        self._engine.start(kept.id, kept.legs[-1])
        return kept.empty()

    def get(self, run_id: str, owner: str) -> ResearchRun:
        """Return a run as it stands: as it was kept when it has ended."""
        going = self._feeds.get(run_id)
        if going is not None and not going.settled and going.run.request.owner == owner:  # no need to read the transcript again
            going.refresh()
            if not going.settled:
                return going.run
        kept = self._store.load(run_id, owner)
        if kept.settled and kept.record is not None:
            return kept.record
        feed = self._feed(kept)
        feed.refresh()
        return feed.run

    def events(self, run_id: str, owner: str, after: int = 0) -> Iterator[tuple[int, ResearchEvent]]:
        """Return the events above number *after*, with their numbers, as they come, until the run ends."""
        return self._followed(self._feed(self._store.load(run_id, owner)), after)

    def _followed(self, feed: RunSubscription, after: int) -> Iterator[tuple[int, ResearchEvent]]:
        number = after
        while True:
            events, ended = feed.after(number)
            for event in events:
                number += 1
                yield number, event
            if ended:
                return
            feed.wait(feed.look_s)

    async def follow(self, run_id: str, owner: str, after: int = 0) -> AsyncGenerator[tuple[int, ResearchEvent]]:
        """Yield what ``events`` gives, on any loop."""
        feed = await asyncio.to_thread(lambda: self._feed(self._store.load(run_id, owner)))
        number = after
        with feed.news() as news:
            while True:
                news.clear()
                events, ended = await asyncio.to_thread(feed.after, number)
                for event in events:
                    number += 1
                    yield number, event
                if ended:
                    return
                try:
                    async with asyncio.timeout(feed.look_s):
                        await news.wait()
                except TimeoutError:
                    continue

    def cancel(self, run_id: str, owner: str) -> None:
        """Stop a run: what is under way ends within half a second, what there is stays. One that has ended is left as it is."""
        self._halt(run_id, owner, CommandKind.STOP)

    def finish(self, run_id: str, owner: str) -> None:
        """End searching and reading, and let the report be written from what there is. One that has ended is left as it is."""
        self._halt(run_id, owner, CommandKind.FINISH)

    def _halt(self, run_id: str, owner: str, wish: CommandKind) -> None:
        if self._store.load(run_id, owner).status.ended:
            return
        halted = self._store.wish(run_id, owner, wish, {}, legs=legs_to_halt)
        if halted.begun < len(halted.legs):
            self._engine.start(run_id, halted.legs[-1], at_once=True)
        self._engine.look()

    def edit(self, run_id: str, owner: str, number: int, text: str) -> None:
        """Change a subtask; when it was searched for already, it alone is searched for again.

        Raises InputError for an empty or overlong text and ResearchStateError when there is no such subtask, or when the report
        is being written.
        """
        text = validate_question(text)
        kept = self._store.load(run_id, owner)
        if kept.status is ResearchStatus.PLANNED:
            self._store.replan(run_id, owner, lambda run: replanned(run, with_text(waiting(run), number, text)))
            return
        run = self.get(run_id, owner)
        if run.status not in EDITABLE:
            raise too_late()
        _ = with_text(run.plan, number, text)
        self._store.wish(run_id, owner, CommandKind.EDIT, {"number": number, "text": text}, legs=legs_to_edit)
        self._engine.look()

    def agree(self, run_id: str, owner: str, plan: Sequence[str] | None = None) -> None:
        """Let a run that waits with its plan go on, with *plan* in the place of its subtasks when it is given.

        Raises InputError for a plan of none or too many parts or with an empty one, ResearchStateError when the run waits not.
        """
        if plan is not None:
            texts = [validate_question(text) for text in plan]
            if not 1 <= len(texts) <= MAX_SUBTASKS:
                raise ResearchStateError(
                    f"A plan has between 1 and {MAX_SUBTASKS} parts.",
                    korean=f"하위 질문은 1개에서 {MAX_SUBTASKS}개까지 둘 수 있어요.",
                )
            self._store.replan(run_id, owner, lambda run: replanned(run, of_texts(waiting(run), texts)))
        agreed = self._store.wish(run_id, owner, CommandKind.AGREE, {}, legs=legs_to_go_on)
        self._engine.start(run_id, agreed.legs[-1])

    def resume(self, run_id: str, owner: str, *, own_only: bool | None = None) -> ResearchRun:
        """Start a run that goes on from what another has found: its finished searches and pages are not asked for again.

        *own_only* says whether it is the library alone that is searched; None leaves that as it was.
        Raises ResearchStateError when that run has not ended, or is complete.
        """
        kept = self._store.load(run_id, owner)
        if kept.status not in _GOES_ON_FROM:
            raise ResearchStateError(
                "Only a run that was stopped, finished early or failed can go on.",
                korean="멈췄거나 서둘러 마무리했거나 실패한 조사만 이어서 할 수 있어요.",
            )
        alone = kept.request.own_only if own_only is None else own_only
        return self.start(replace(kept.request, continues=run_id, plan_first=False, own_only=alone))

    def list(self, owner: str, video_key: str | None = None, conversation_id: str | None = None) -> tuple[ResearchEntry, ...]:
        """Return the runs of *owner*, newest first; only those about one video, or asked in one conversation, that is named."""
        return self._store.entries(owner, video_key, conversation_id)

    def delete(self, run_id: str, owner: str) -> None:
        """Delete a run and all it has found; raises ResearchStateError while it goes on."""
        kept = self._store.load(run_id, owner)
        if not kept.settled:
            raise ResearchStateError("A run that goes on cannot be deleted.", korean="진행 중인 조사예요. 멈춘 뒤에 지워 주세요.")
        self._store.delete(run_id, owner)
        self._engine.forget(kept.legs)
        with self._lock:
            self._feeds.pop(run_id, None)

    def close(self) -> None:
        """Leave what is under way to the next process, and end; a second time does nothing."""
        with self._lock:
            self._closed = True
            engine, self._engine_made = self._engine_made, None
        if engine is not None:
            engine.close()

    @cached_property
    def _store(self) -> ResearchStore:
        from search_core.research.store import ResearchStore

        return ResearchStore(self._database)

    @property
    def _engine(self) -> Engine:
        with self._lock:
            if self._closed:
                raise ResearchUnavailableError("Research is closed.")
            if self._engine_made is None:
                from search_core.research.engine import Engine
                from search_core.research.worker_registry import WorkerRegistry
                from search_core.research.workflow import research

                processes = WorkerRegistry(self._database)
                engine = Engine(
                    self._parts, self._store, self._database, self._loop, processes, workflow=research, works=self._works
                )
                engine.on_event = self._ping
                engine.on_end = self._settle
                engine.open()
                self._engine_made = engine
            return self._engine_made

    def _feed(self, kept: KeptRun) -> RunSubscription:
        engine = self._engine
        with self._lock:
            feed = self._feeds.get(kept.id) or RunSubscription(engine, self._store, kept)
            self._feeds[kept.id] = feed
            self._feeds.move_to_end(kept.id)
            while len(self._feeds) > _FEEDS:
                self._feeds.popitem(last=False)
            return feed

    def _ping(self, run_id: str) -> None:
        feed = self._feeds.get(run_id)
        if feed is not None:
            feed.ping()

    def _settle(self, run_id: str) -> None:
        """Read a run to its end, which is kept when it was not."""
        try:
            feed = self._feed(self._store.load(run_id))
        except ResearchNotFoundError:
            return  # deleted meanwhile
        feed.ping()
        feed.refresh()
        feed.ping()
