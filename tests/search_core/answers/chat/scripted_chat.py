"""A chat over a real store, with answers that go by a script."""

from __future__ import annotations

import threading
from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from search_core.answers.chat.chat import Chat, ChatParts
from search_core.domain.conversation import (
    AnswerDone,
    AnswerEvent,
    AnswerFinished,
    AnswerOrigin,
    AnswerPart,
    AnswerToken,
    CheckRequest,
    FallbackDecided,
    PassagesChosen,
    WebAnswerFinished,
    WebSearching,
    WebSource,
    WebSourcesFound,
)
from search_core.domain.report import Question
from search_core.errors import StorageError
from search_core.runtime import LoopSignal, LoopThread
from search_core.storage.conversations import ConversationStore
from search_core.storage.database import Database

SOON_S = 60
NOW = datetime(2026, 11, 21, 3, 0, tzinfo=UTC)
ME = "me"
SOURCE = WebSource(
    number=1, title="HBM4 양산", url="https://news.example/hbm4", snippet="양산한다", source="뉴스", publish_date=NOW
)


class Gate:
    """A place in a script where answers wait until a test lets them pass."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self._opened = LoopSignal()
        self._is_open = False

    async def passed(self) -> None:
        """Wait at the gate."""
        with self._opened.listen() as opened:
            if self._is_open:
                return
            self.reached.set()
            await opened.wait()

    def open(self) -> None:
        """Let all pass from now on."""
        self._is_open = True
        self._opened.set()


Step = AnswerEvent | Gate | Exception


class Script:
    """Answers, and checks, by going through its steps: events are yielded, gates waited at, errors raised."""

    def __init__(self, *steps: Step) -> None:
        self.steps = steps
        self.questions: list[Question] = []
        self.scenes_of: list[Question] = []
        self.requests: list[CheckRequest] = []
        self.under_way = 0

    def answer(self, question: Question, found: object = None) -> AsyncGenerator[AnswerEvent]:
        """Go through the steps."""
        self.questions.append(question)
        return self._events()

    def scenes(self, question: Question) -> AsyncGenerator[AnswerEvent]:
        """Go through the steps."""
        self.scenes_of.append(question)
        return self._events()

    def check(self, request: CheckRequest) -> AsyncGenerator[AnswerEvent]:
        """Go through the steps."""
        self.requests.append(request)
        return self._events()

    async def _events(self) -> AsyncGenerator[AnswerEvent]:
        self.under_way += 1
        try:
            for step in self.steps:
                if isinstance(step, Gate):
                    await step.passed()
                elif isinstance(step, Exception):
                    raise step
                else:
                    yield step
        finally:
            self.under_way -= 1


def token(text: str, part: AnswerPart = AnswerPart.VIDEO) -> AnswerToken:
    """Return a piece of an answer."""
    return AnswerToken(part=part, text=text)


def finished(text: str, **more: Any) -> AnswerFinished:
    """Return the end of an answer from the video."""
    return AnswerFinished(text=text, **{"moments": (), "origin": AnswerOrigin.MODEL, **more})


def from_video(text: str) -> tuple[AnswerEvent, ...]:
    """Return an answer that the video holds, word by word."""
    words = text.split(" ")
    pieces = [token(word if index == 0 else f" {word}") for index, word in enumerate(words)]
    sure = FallbackDecided(triggered=False, reason="", evidence="", passages=(), enabled=True)
    return (PassagesChosen(passages=()), *pieces, finished(text), sure, AnswerDone(total_ms=20.0))


def from_web(text: str) -> tuple[AnswerEvent, ...]:
    """Return an answer from the web with one source."""
    return (
        WebSearching(question="HBM4 양산"),
        WebSourcesFound(sources=(SOURCE,), headline="1곳 중 1곳이 답했어요.", ledger=("브레이브: 1건",)),
        token(text, AnswerPart.WEB),
        WebAnswerFinished(text=text, origin=AnswerOrigin.MODEL, cited=(1,)),
        AnswerDone(total_ms=20.0),
    )


class WatchedStore(ConversationStore):
    """A store whose disk can be full; notes when an answer with words is stored."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, now=lambda: NOW)
        self.full, self.has_words = False, threading.Event()

    def put(self, conversation_id: str, owner: str, *messages: Any, title: str = "") -> None:
        """Store *messages* unless the disk is full."""
        if self.full:
            raise StorageError("The disk is full.", korean="디스크가 가득 찼어요.")
        super().put(conversation_id, owner, *messages, title=title)
        if any(message.record is not None and message.record.text for message in messages):
            self.has_words.set()


def open_store(folder: Path) -> ConversationStore:
    """Return a real store in a folder."""
    return ConversationStore(Database(folder / "maekrak.sqlite"), now=lambda: NOW)


@contextmanager
def open_chat(folder: Path, answers: Any = None, checks: Any = None, **parts: Any) -> Iterator[Chat]:
    """Lend a chat whose loop ends with it."""
    loop = LoopThread()
    script = Script(*from_video("네."))
    given = {
        "store": open_store(folder),
        "answers": answers or script,
        "check": (checks or script).check,
        "now": lambda: NOW,
        **parts,
    }
    try:
        yield Chat(ChatParts(loop=loop, **given))
    finally:
        loop.close()
