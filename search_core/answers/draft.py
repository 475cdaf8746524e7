"""An answer while a language model writes it."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from search_core.answers.moments import MomentMarks
from search_core.domain.conversation import AnswerPart, AnswerToken
from search_core.domain.video import TranscriptPassage
from search_core.errors import LanguageModelError, LanguageModelFailure
from search_core.llm import ChatMessage, OpenAICompatible
from search_core.llm.openai_compatible import MAX_ANSWER_TOKENS
from search_core.llm.prompt import ask_again
from search_core.llm.thoughts import Restart, append_piece
from search_core.text.korean import detect_language

logger = logging.getLogger(__name__)


_IN_KOREAN = "반드시 한국어로만 답해 주세요."
_FOREIGN_LETTERS, _FOREIGN_DENSE_LETTERS = 40, 15
"""Of an answer in another language: fewer may be a name; a Chinese or Japanese one holds more in a letter."""
_SEEN_CHARS = 300
"""After so many the language of an answer is seen."""


class TokenStream:
    """Hands out the tokens of one answer and keeps what they say; moments that no passage vouches for are left out."""

    def __init__(self, model: OpenAICompatible, part: AnswerPart, passages: Sequence[TranscriptPassage] = ()) -> None:
        self._model = model
        self._part = part
        self._passages = passages
        self._marks = MomentMarks(passages)
        self.text = ""
        """All tokens so far together."""
        self.error: LanguageModelError | None = None
        """Why there is no answer, or only the beginning of one."""

    @property
    def moments(self) -> tuple[float, ...]:
        """Return the moments cited so far, in seconds from the start of the video."""
        return self._marks.cited

    @property
    def foreign(self) -> bool:
        """Return whether it is in another language than Korean, though asked for once more."""
        return is_foreign(self.text)

    async def tokens(self, messages: Sequence[ChatMessage]) -> AsyncGenerator[AnswerToken]:
        """Yield the answer to *messages* until it ends or breaks off; then ``error`` says how it went."""
        try:
            async with aclosing(chat_in_korean(self._model, messages)) as pieces:
                async for piece in pieces:
                    begins = isinstance(piece, Restart)
                    if begins:
                        self._marks, self.text = MomentMarks(self._passages), ""
                    for token in self._tokens(self._marks.feed(piece), begins=begins):
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

    def _tokens(self, text: str, *, begins: bool = False) -> list[AnswerToken]:
        self.text += text
        return [AnswerToken(part=self._part, text=text, begins=begins)] if text or begins else []


async def chat_in_korean(
    model: OpenAICompatible, messages: Sequence[ChatMessage], max_tokens: int = MAX_ANSWER_TOKENS
) -> AsyncGenerator[str]:
    """Yield the answer of *model* piece by piece; one in another language is asked for once more, and gives way to what comes.

    Raises LanguageModelError.
    """
    said = ""
    async with aclosing(model.chat(messages, max_tokens=max_tokens)) as pieces:
        async for piece in pieces:
            said = append_piece(said, piece)
            yield piece
            if len(said) > _SEEN_CHARS and is_foreign(said):
                break
    if not is_foreign(said):
        return
    logger.warning("The language model answered in another language and is asked for Korean")
    again, begins = [*messages[:-1], ask_again(messages[-1], _IN_KOREAN)], True
    async with aclosing(model.chat(again, max_tokens=max_tokens)) as pieces:
        async for piece in pieces:
            yield Restart(piece) if begins else piece
            begins = False


def is_foreign(text: str) -> bool:
    """Return whether *text* is prose in another language than Korean, and not a name alone."""
    language = detect_language(text)
    letters = sum(map(str.isalpha, text))
    return language not in ("", "ko") and letters >= (_FOREIGN_LETTERS if language == "en" else _FOREIGN_DENSE_LETTERS)
