"""Recognisers that turn a piece of sound into words, on a server or here, and the checking of their results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Protocol

from search_core.domain.transcription import Recogniser, RecognizedPiece, Stretch
from search_core.domain.video import TranscriptSegment
from search_core.errors import LanguageModelError, LanguageModelFailure

OnProgress = Callable[[float], object]
"""Called with the number of seconds of a piece that are done."""
_UNHEARD_S = 5.0
"""Least seconds of detected speech without recognised words that the reader is told about."""
_UNHEARD_SOUND_S = 60.0
"""Least seconds of sound without words that the reader is told about if no voice was detected; few pauses are as long."""
_BESIDE_S = 1.0
"""Seconds of speech beside a word that are no gap, as voice detectors begin earlier and end later than words."""
_BEYOND_S = 1.0
"""Seconds that times may lie outside the piece, as Whisper rounds the end of its window up."""
_SHORTEST_S = 0.1
_TIMES = 4
"""Repetitions from which the same words are a recogniser's loop; choruses and assent ("네, 네, 네") have fewer."""
_LETTERS = 24
"""Least letters of a loop, with its repetitions."""


class SpeechRecogniser(Protocol):
    """Transcribes pieces of sound; on one event loop, cancelled with its task."""

    recogniser: Recogniser
    """The recogniser's name and model, as shown to readers of the transcript."""
    piece_s: float
    """Longest piece it is given, in seconds; if it breaks off, the work on one piece is lost."""

    def missing(self) -> str:
        """Return a Korean sentence about what is missing to use it (package, model or setting), or ""; sends no request."""
        ...

    async def recognise(self, sound: Path, *, on_progress: OnProgress) -> RecognizedPiece:
        """Return the words in the WAV file *sound*; *on_progress* is called if possible. Raises LanguageModelError."""
        ...

    def close(self) -> None:
        """End its processes and connections."""
        ...


def read_piece(piece: RecognizedPiece, start_s: float, end_s: float) -> tuple[tuple[TranscriptSegment, ...], tuple[Stretch, ...]]:
    """Return the segments from *start_s* to *end_s*, doubtful ones marked, and the stretches without words.

    Endless repetitions are shortened to one. Raises LanguageModelError for missing or impossible times.
    """
    length_s = end_s - start_s
    segments: list[TranscriptSegment] = []
    heard = _in_order(piece.segments, length_s)
    for letters, group in groupby(heard, key=lambda each: "".join(filter(str.isalnum, each.text.lower()))):
        same = list(group)
        repeated = len(same) >= _TIMES and len(letters) * len(same) >= _LETTERS
        segments += [replace(same[0], end_s=same[-1].end_s, uncertain=True)] if repeated else same
    speech, least_s = (piece.speech, _UNHEARD_S) if piece.speech else (((0.0, length_s),), _UNHEARD_SOUND_S)
    gaps = list(_gaps(speech, segments, least_s))
    return (
        tuple(replace(each, start_s=start_s + each.start_s, end_s=start_s + each.end_s) for each in segments),
        tuple((start_s + gap[0], start_s + gap[1]) for gap in gaps),
    )


def _gaps(speech: Sequence[Stretch], segments: Sequence[TranscriptSegment], least_s: float) -> Iterator[Stretch]:
    """Yield the gaps between *segments*, before the first and after the last, with over *least_s* seconds of *speech*.

    Seconds are summed over a gap: several lost sentences with pauses between are short stretches of *speech* each.
    """
    at_s = 0.0
    for start_s, end_s in (*((each.start_s, each.end_s) for each in segments), (speech[-1][1], 0.0)):
        between = ((max(begin_s, at_s), min(stop_s, start_s)) for begin_s, stop_s in speech)
        missed = [(begin_s, stop_s) for begin_s, stop_s in between if stop_s - begin_s > _BESIDE_S]
        if sum(stop_s - begin_s for begin_s, stop_s in missed) > least_s:
            yield missed[0][0], missed[-1][1]
        at_s = max(at_s, end_s)


def _in_order(stated: Sequence[TranscriptSegment], length_s: float) -> Iterator[TranscriptSegment]:
    """Yield *stated* segments, each ending no later than the next begins.

    Some servers return no times (all are 0), some other units (LocalAI: nanoseconds), some overlapping ones (whisper.cpp#3162).
    """
    starts_s = [each.start_s for each in stated]
    possible = all(-_BEYOND_S <= each.start_s <= each.end_s <= length_s + _BEYOND_S for each in stated)
    if not possible or starts_s != sorted(starts_s) or (len(starts_s) > 1 and len(set(starts_s)) == 1):
        korean = "말한 시각이 오지 않았어요."
        raise LanguageModelError("No usable moments.", korean=korean, kind=LanguageModelFailure.REJECTED)
    for each, end_s in zip(stated, [*starts_s[1:], length_s], strict=False):
        start_s = max(each.start_s, 0.0)
        yield replace(each, start_s=start_s, end_s=max(min(each.end_s, end_s), start_s + _SHORTEST_S))
