"""The chat, put together when the first conversation is opened."""

from __future__ import annotations

import threading

from search_core.chat import Chat, ChatParts
from search_core.runtime import LoopThread
from search_core.wiring.house import House


class LateChat:
    """Makes the one chat of a process when it is first asked for: its store brings SQLAlchemy, which takes 0.2 s to import."""

    def __init__(self, house: House, loop: LoopThread) -> None:
        self._house = house
        self._loop = loop
        self._lock = threading.Lock()
        self._chat: Chat | None = None

    def __call__(self) -> Chat:
        """Return the chat."""
        with self._lock:
            if self._chat is None:
                self._chat = self._made()
            return self._chat

    def _made(self) -> Chat:
        from search_core.storage.conversations import ConversationStore

        answering = self._house.answering
        return Chat(
            ChatParts(
                loop=self._loop,
                store=ConversationStore(self._house.database),
                answers=answering.flow,
                checks=answering.checks,
                audio=answering.audio,
                web_configured=answering.web_configured,
            )
        )
