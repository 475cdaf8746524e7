"""The face of research: runs are started, followed, steered and looked up again; all of it synchronous but ``follow``."""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from search_core.domain import ResearchEntry, ResearchEvent, ResearchRequest, ResearchRun, ResearchStatus
from search_core.errors import StorageError
from search_core.intent import validate_question
from search_core.research.control import CommandKind
from search_core.research.errors import ResearchNotFoundError, ResearchStateError, ResearchUnavailableError
from search_core.research.plan_answer import MAX_SUBTASKS
from search_core.research.run_subscription import RunSubscription
from search_core.research.steering import (
    EDITABLE,
    replace_plan,
    replace_text,
    subtasks_of,
    too_late_error,
    waiting_plan,
    workflows_to_continue,
    workflows_to_edit,
    workflows_to_halt,
)

if TYPE_CHECKING:
    from search_core.research.engine import Engine
    from search_core.research.parts import ResearchParts
    from search_core.research.store import ResearchStore
    from search_core.research.stored_run import StoredRun
    from search_core.runtime import LoopThread
    from search_core.storage import Database

_MAX_SUBSCRIPTIONS = 128
_RESUMABLE = (ResearchStatus.STOPPED, ResearchStatus.FINISHED_EARLY, ResearchStatus.FAILED)


class ResearchService:
    """Researches, or starts and follows what other processes research; safe to call from many threads.

    One service of a process is open at once. Nothing slow is imported and no database opened before ``open`` or the first call.
    Every method raises StorageError when the database cannot be used; those that name a run raise ResearchNotFoundError when
    *owner* has no such run. Of several processes any may start, follow and steer any run of the same database.
    """

    def __init__(self, parts: ResearchParts, database: Database, loop: LoopThread, *, works: bool = True) -> None:
        """Take what runs are done with, where they are stored and the loop on which *parts* run.

        A service that does not work only starts and follows runs, for other processes to work on.
        """
        self._parts = parts
        self._database = database
        self._loop = loop
        self._works = works
        self._subscriptions: OrderedDict[str, RunSubscription] = OrderedDict()
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
        stored = self._store.create(replace(request, question=validate_question(request.question)))
        self._engine.start(stored.id, stored.workflow_ids[-1])
        return stored.empty()

    def get(self, run_id: str, owner: str) -> ResearchRun:
        """Return a run as it stands: as it was saved when it has ended."""
        live = self._subscriptions.get(run_id)
        if live is not None and not live.settled and live.run.request.owner == owner:  # no need to read the transcript again
            live.refresh()
            if not live.settled:
                return live.run
        stored = self._store.load(run_id, owner)
        if stored.settled and stored.record is not None:
            return stored.record
        subscription = self._subscription(stored)
        subscription.refresh()
        return subscription.run

    def events(self, run_id: str, owner: str, after: int = 0) -> Iterator[tuple[int, ResearchEvent]]:
        """Return the events above number *after*, with their numbers, as they come, until the run ends."""
        return self._iterate(self._subscription(self._store.load(run_id, owner)), after)

    def _iterate(self, subscription: RunSubscription, after: int) -> Iterator[tuple[int, ResearchEvent]]:
        number = after
        while True:
            events, ended = subscription.after(number)
            for event in events:
                number += 1
                yield number, event
            if ended:
                return
            subscription.wait(subscription.poll_s)

    async def follow(self, run_id: str, owner: str, after: int = 0) -> AsyncGenerator[tuple[int, ResearchEvent]]:
        """Yield what ``events`` gives, on any loop."""
        subscription = await asyncio.to_thread(lambda: self._subscription(self._store.load(run_id, owner)))
        number = after
        with subscription.news.listen() as notified:
            while True:
                notified.clear()
                events, ended = await asyncio.to_thread(subscription.after, number)
                for event in events:
                    number += 1
                    yield number, event
                if ended:
                    return
                try:
                    async with asyncio.timeout(subscription.poll_s):
                        await notified.wait()
                except TimeoutError:
                    continue

    def cancel(self, run_id: str, owner: str) -> None:
        """Stop a run: what is under way ends within half a second, what there is stays. One that has ended is left as it is."""
        self._halt(run_id, owner, CommandKind.STOP)

    def finish(self, run_id: str, owner: str) -> None:
        """End searching and reading, and let the report be written from what there is. One that has ended is left as it is."""
        self._halt(run_id, owner, CommandKind.FINISH)

    def _halt(self, run_id: str, owner: str, command: CommandKind) -> None:
        stored = self._store.load(run_id, owner)
        if stored.status.ended:
            return
        try:
            halted = self._store.add_command(run_id, owner, command, workflows=workflows_to_halt)
        except StorageError:
            if command is not CommandKind.STOP or not self._stop_unsaved(stored):
                raise
            return
        if halted.begun < len(halted.workflow_ids):
            self._engine.start(run_id, halted.workflow_ids[-1], at_once=True)
        self._engine.check_commands(run_id)

    def _stop_unsaved(self, stored: StoredRun) -> bool:
        """Stop a run of this process though the database cannot be written; False when another process works on it."""
        if not self._engine.owns(stored.workflow_ids[-1]):
            return False
        subscription = self._subscription(stored)
        subscription.refresh()
        self._engine.stop_unsaved(*subscription.stop_unsaved())
        return True

    def edit(self, run_id: str, owner: str, number: int, text: str) -> None:
        """Change a subtask; when it was searched for already, it alone is searched for again.

        Raises InputError for an empty or overlong text and ResearchStateError when there is no such subtask, or when the report
        is being written.
        """
        text = validate_question(text)
        stored = self._store.load(run_id, owner)
        if stored.status is ResearchStatus.PLANNED:
            self._store.replan(run_id, owner, lambda run: replace_plan(run, replace_text(waiting_plan(run), number, text)))
            return
        run = self.get(run_id, owner)
        if run.status not in EDITABLE:
            raise too_late_error()
        _ = replace_text(run.plan, number, text)
        body = {"number": number, "text": text}
        self._store.add_command(run_id, owner, CommandKind.EDIT, body, workflows=workflows_to_edit)
        self._engine.check_commands(run_id)

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
            self._store.replan(run_id, owner, lambda run: replace_plan(run, subtasks_of(texts, waiting_plan(run))))
        agreed = self._store.add_command(run_id, owner, CommandKind.AGREE, workflows=workflows_to_continue)
        self._engine.start(run_id, agreed.workflow_ids[-1])

    def resume(self, run_id: str, owner: str, *, own_only: bool | None = None) -> ResearchRun:
        """Start a run that continues another: searches and pages that one has finished are not repeated.

        *own_only* says whether it is the library alone that is searched; None leaves that as it was.
        Raises ResearchStateError when that run has not ended, or is complete.
        """
        stored = self._store.load(run_id, owner)
        if stored.status not in _RESUMABLE:
            raise ResearchStateError(
                "Only a run that was stopped, finished early or failed can go on.",
                korean="멈췄거나 서둘러 마무리했거나 실패한 조사만 이어서 할 수 있어요.",
            )
        alone = stored.request.own_only if own_only is None else own_only
        return self.start(replace(stored.request, continues=run_id, plan_first=False, own_only=alone))

    def list(self, owner: str, video_key: str | None = None, conversation_id: str | None = None) -> tuple[ResearchEntry, ...]:
        """Return the runs of *owner*, newest first; only those about one video, or asked in one conversation, that is named."""
        entries = self._store.entries(owner, video_key, conversation_id)
        return tuple(self._with_unsaved_end(entry) for entry in entries)

    def _with_unsaved_end(self, entry: ResearchEntry) -> ResearchEntry:
        """Return *entry* with the status of a run that has ended in this process and is not saved yet."""
        live = self._subscriptions.get(entry.id)
        if entry.status.ended or live is None or not live.run.status.ended:
            return entry
        return replace(entry, status=live.run.status, ended_at=live.run.ended_at)

    def delete(self, run_id: str, owner: str) -> None:
        """Delete a run and all it has found; raises ResearchStateError while it goes on."""
        stored = self._store.load(run_id, owner)
        if not stored.settled:
            raise ResearchStateError("A run that goes on cannot be deleted.", korean="진행 중인 조사예요. 멈춘 뒤에 지워 주세요.")
        self._store.delete(run_id, owner)
        self._engine.delete_workflows(stored.workflow_ids)
        with self._lock:
            self._subscriptions.pop(run_id, None)

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

                workers = WorkerRegistry(self._database)
                engine = Engine(
                    self._parts, self._store, self._database, self._loop, workers, workflow=research, works=self._works
                )
                engine.on_event = self._notify
                engine.on_end = self._settle
                engine.open()
                self._engine_made = engine
            return self._engine_made

    def _subscription(self, stored: StoredRun) -> RunSubscription:
        engine = self._engine
        with self._lock:
            subscription = self._subscriptions.get(stored.id) or RunSubscription(engine, self._store, stored)
            self._subscriptions[stored.id] = subscription
            self._subscriptions.move_to_end(stored.id)
            while len(self._subscriptions) > _MAX_SUBSCRIPTIONS:
                self._subscriptions.popitem(last=False)
            return subscription

    def _notify(self, run_id: str) -> None:
        subscription = self._subscriptions.get(run_id)
        if subscription is not None:
            subscription.notify()

    def _settle(self, run_id: str) -> None:
        """Read a run to its end, which saves it when it was not saved."""
        try:
            subscription = self._subscription(self._store.load(run_id))
        except ResearchNotFoundError:
            return  # deleted meanwhile
        subscription.notify()
        subscription.refresh()
        subscription.notify()
