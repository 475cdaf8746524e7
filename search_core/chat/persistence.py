"""Stores the messages of a job, and records in the store that a job still runs."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from search_core.chat.job import AnswerJob
from search_core.domain import Message
from search_core.domain.conversation import title_of
from search_core.errors import MaekrakError
from search_core.runtime import LoopThread

if TYPE_CHECKING:
    from search_core.storage.conversations import ConversationStore

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class JobPersister:
    """Stores one job with its question, and names the conversation after the question where it has no name yet."""

    store: ConversationStore
    job: AnswerJob
    stored: Message | None
    """The question as the store has it."""
    untitled: bool

    def __call__(self) -> None:
        """Store the job so far; one thread at a time. Raises StorageError."""
        job, question = self.job, self.job.question()
        messages = (job.to_store(),) if question == self.stored else (question, job.to_store())
        self.store.put(job.conversation_id, job.owner, *messages)
        self.stored = question
        if self.untitled and question.text:
            if not self.store.load(job.conversation_id, job.owner).entry.title:
                self.store.rename(job.conversation_id, job.owner, title_of(question.text))
            self.untitled = False


class Heartbeat:
    """Records in the store which messages of this process still run, as long as there are any."""

    def __init__(
        self, loop: LoopThread, report: Callable[[Collection[str]], None], running: Callable[[], Collection[str]], every_s: float
    ) -> None:
        self._loop = loop
        self._report = report
        self._running = running
        self._every_s = every_s
        self._lock = threading.Lock()
        self._beating = False

    def start(self) -> None:
        """Begin to beat unless it does already."""
        with self._lock:
            if self._beating:
                return
            self._beating = True
        self._loop.start(self._beat())

    async def _beat(self) -> None:
        while ids := self._still():
            try:
                await asyncio.to_thread(self._report, ids)
            except MaekrakError as error:
                logger.warning("The store could not record which answers still run (%s)", type(error).__name__)
            await asyncio.sleep(self._every_s)

    def _still(self) -> Collection[str]:
        with self._lock:
            ids = self._running()
            self._beating = bool(ids)
        return ids


def look_for_abandoned(loop: LoopThread, fail: Callable[[], int], every_s: float) -> None:
    """Have *fail* mark the answers that no process works on any more, now and every *every_s* seconds, until *loop* is closed."""

    async def look() -> None:
        while True:
            try:
                await asyncio.to_thread(fail)
            except MaekrakError as error:
                logger.warning("Abandoned answers could not be looked for: %s", error)
            await asyncio.sleep(every_s)

    loop.start(look())
