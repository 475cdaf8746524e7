"""An answer while a language model writes it."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Protocol

from search_core.answers.moments import MomentMarks
from search_core.domain import AnswerPart, AnswerToken, TranscriptPassage
from search_core.errors import LanguageModelError, LanguageModelFailure
from search_core.llm import ChatMessage

logger = logging.getLogger(__name__)


class ChatModel(Protocol):
    """Writes answers."""

    def chat(self, messages: Sequence[ChatMessage], *, max_tokens: int | None = None) -> AsyncGenerator[str]:
        """Yield the answer piece by piece; raises LanguageModelError."""
        ...


class Draft:
    """Hands out the tokens of one answer and keeps what they say; moments that no passage vouches for are left out."""

    def __init__(self, model: ChatModel, part: AnswerPart, passages: Sequence[TranscriptPassage] = ()) -> None:
        self._model = model
        self._part = part
        self._marks = MomentMarks(passages)
        self.text = ""
        """All tokens so far together."""
        self.error: LanguageModelError | None = None
        """Why there is no answer, or only the beginning of one."""

    @property
    def moments(self) -> tuple[float, ...]:
        """Return the moments cited so far, in seconds from the start of the video."""
        return self._marks.cited

    async def tokens(self, messages: Sequence[ChatMessage]) -> AsyncGenerator[AnswerToken]:
        """Yield the answer to *messages* until it ends or breaks off; then ``error`` says how it went."""
        try:
            async with aclosing(self._model.chat(messages)) as pieces:
                async for piece in pieces:
                    for token in self._tokens(self._marks.feed(piece)):
                        yield token
        except LanguageModelError as error:
            logger.warning("The language model did not finish an answer (%s): %s", error.kind, error)
            self.error = error
        for token in self._tokens(self._marks.rest()):
            yield token
        if self.error is None and not self.text.strip():
            self.error = LanguageModelError(
                "The language model's answer is empty.",
                korean="언어 모델이 빈 답을 보냈어요.",
                kind=LanguageModelFailure.UNUSABLE,
            )

    def _tokens(self, text: str) -> list[AnswerToken]:
        self.text += text
        return [AnswerToken(part=self._part, text=text)] if text else []
