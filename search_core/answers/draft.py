"""An answer while a model writes it, and the moments it cites ("[12:41]"), limited to its passages."""

from __future__ import annotations

import logging
import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from search_core.domain.conversation import AnswerPart, AnswerToken
from search_core.domain.video import TranscriptPassage
from search_core.errors import LanguageModelError, LanguageModelFailure
from search_core.language.dates import CLOCK, clock, clock_seconds
from search_core.models.llm.openai_compatible import OpenAICompatible, chat_in_korean
from search_core.models.llm.prompt import ChatMessage
from search_core.models.llm.thoughts import Restart

NEAR_S = 20.0
"""A moment at most this far from a passage counts as in it."""
_LONGEST_MARK = 60
_TIME = re.compile(rf"({CLOCK})(?:\.\d{{1,3}})?")
_MARK = re.compile(rf"\[\s*{_TIME.pattern}(?:\s*(?:[,;~/·–—-]|와|및|에서|부터)\s*{_TIME.pattern})*\s*\]")
_CAN_BE_MARK = re.compile(r"\[[\d\s:.,;~/·–—와및에서부터-]*")


def mark(seconds: float) -> str:
    """Return a moment, *seconds* from the start of a video, as a citation."""
    return f"[{clock(seconds)}]"


class MomentMarks:
    """Keeps, in the pieces of one streamed answer, only moments that its passages contain."""

    def __init__(self, passages: Sequence[TranscriptPassage]) -> None:
        self._passages = tuple(passages)
        self._held = ""
        self._cited: dict[float, None] = {}

    @property
    def cited(self) -> tuple[float, ...]:
        """Return the moments cited so far, in seconds, in order, without duplicates."""
        return tuple(self._cited)

    def feed(self, piece: str) -> str:
        """Return the text that can be shown now; a bracket that may become a moment is held back, with the space before it."""
        self._held += piece
        shown = ""
        while (opens := self._held.find("[")) >= 0:
            closes = self._held.find("]", opens)
            if closes < 0:
                if len(self._held) - opens <= _LONGEST_MARK and _CAN_BE_MARK.fullmatch(self._held, opens):
                    break
                closes = opens
            shown = self._append_mark(shown + self._held[:opens], self._held[opens : closes + 1])
            self._held = self._held[closes + 1 :]
        ready = self._held[: opens if opens >= 0 else None].rstrip(" ")
        self._held = self._held[len(ready) :]
        return shown + ready

    def rest(self) -> str:
        """Return the held-back text at the end of the answer."""
        held, self._held = self._held, ""
        return held

    def _append_mark(self, shown: str, inside: str) -> str:
        if not _MARK.fullmatch(inside):
            return shown + inside
        places = [self._nearest_moment(clock_seconds(time) or 0.0) for time in _TIME.findall(inside)]
        valid = dict.fromkeys(place for place in places if place is not None)
        self._cited.update(valid)
        return shown + "".join(map(mark, valid)) if valid else shown.rstrip(" ")

    def _nearest_moment(self, seconds: float) -> float | None:
        """Return *seconds* if a passage contains it, else the start of the nearby passage, or None."""
        if not self._passages:
            return None
        nearest = min(self._passages, key=lambda passage: _distance(seconds, passage))
        away = _distance(seconds, nearest)
        if away == 0:
            return seconds
        return float(int(nearest.start_s)) if away <= NEAR_S else None


def _distance(seconds: float, passage: TranscriptPassage) -> float:
    """Return how many seconds *seconds* lies outside *passage*, whose start is rounded down."""
    return max(0.0, int(passage.start_s) - seconds, seconds - max(passage.end_s, passage.start_s))


logger = logging.getLogger(__name__)


class TokenStream:
    """Yields the tokens of one answer and keeps its text, without moments that no passage supports."""

    def __init__(self, model: OpenAICompatible, part: AnswerPart, passages: Sequence[TranscriptPassage] = ()) -> None:
        self._model = model
        self._part = part
        self._passages = passages
        self._marks = MomentMarks(passages)
        self.text = ""
        """The answer so far."""
        self.error: LanguageModelError | None = None
        """Why there is no answer, or only the beginning of one."""

    @property
    def moments(self) -> tuple[float, ...]:
        """Return the moments cited so far, in seconds from the start of the video."""
        return self._marks.cited

    async def tokens(self, messages: Sequence[ChatMessage]) -> AsyncGenerator[AnswerToken]:
        """Yield the answer to *messages* until it ends or fails; then ``error`` has the failure."""
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
            if error.kind is LanguageModelFailure.UNUSABLE:
                self._marks, self.text = MomentMarks(self._passages), ""
                yield AnswerToken(part=self._part, text="", begins=True)
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
