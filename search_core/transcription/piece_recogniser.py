"""Recognises one piece of sound, whatever the endpoint is like.

Endpoints refuse ``verbose_json``, listen to the first thirty seconds only (vllm#15012), answer 413, or repeat themselves. What
one does is learnt with the first piece and held for the rest of a transcription.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from search_core.domain import RecognizedPiece, RecognizedSegment, SoundForm, TranscriptSegment, UncertainReason
from search_core.errors import LanguageModelError
from search_core.transcription.cutting import Part, TimeSpan
from search_core.transcription.recognised import (
    Recognised,
    collapse,
    doubt,
    find_loops,
    has_usable_moments,
    join,
    mend_moments,
    stretch_of,
)
from search_core.transcription.recogniser import Asker
from search_core.transcription.sound import Piece, Sound

SHORT_S = 28.0
"""What an endpoint that listens to thirty seconds hears whole."""
SENTENCE_S = 15.0
"""Where no moments are returned, each part is one segment and begins when its first word does."""
PAUSE_S = 0.8
"""There, every silence of this length begins a new one."""
_SHORTEST_S = 4.0
"""What is shorter is not cut further."""
_UNHEARD_S = 10.0
"""So much sound without words at the end of a part means that it was cut."""
_DOUBTFUL_S = 30.0
"""So much sound without words after all is reported to the reader."""
_MAX_LESSONS = 12
"""An endpoint that refuses now this and now that is not asked for ever."""
_REFUSED = frozenset({400, 413, 415, 422})
_TOO_LARGE = 413


@dataclass(frozen=True, slots=True)
class _Habits:
    """What the endpoint takes, as far as it is known."""

    form: SoundForm
    moments: bool
    most_s: float


class PieceRecogniser:
    """Recognises the pieces of one sound, one after another; on one event loop."""

    def __init__(self, asker: Asker, sound: Sound) -> None:
        self._asker, self._sound = asker, sound
        self._habits = _Habits(asker.recogniser.forms[0], moments=True, most_s=float("inf"))
        self._learning = asyncio.Lock()
        self._lessons = 0
        self._on_progress: Callable[[float], object] = lambda _: None

    async def recognise(self, piece: Piece, on_progress: Callable[[float], object] = lambda _: None) -> Recognised:
        """Return what is said in *piece*, on its clock; *on_progress* gets how many of its seconds are done.

        Raises LanguageModelError when the recogniser gives nothing, and TranscriptionError when the sound cannot be written.
        """
        if piece.heard is None:
            return Recognised()
        self._on_progress = on_progress
        found = await self._listen(piece, Part(piece.heard, TimeSpan(0.0, piece.length_s)))
        silent = [
            doubt(segment, UncertainReason.SILENCE)
            for segment in found.segments
            if any(each.start_s <= segment.start_s and segment.end_s <= each.end_s for each in piece.silences)
        ]
        return replace(found, doubts=(*found.doubts, *silent))

    async def _listen(self, piece: Piece, part: Part, *, again: bool = True, cut_at_pauses: bool = False) -> Recognised:
        """Return what is said in *part* of *piece*; what is doubtful is listened to once more, in smaller parts, with *again*."""
        habits = self._habits
        if part.sound.length_s > habits.most_s or not (habits.moments or cut_at_pauses):
            return await self._listen_in_parts(piece, part.sound, habits.most_s, again=again)
        try:
            heard = await self._asker.ask(piece, part.sound, habits.form, moments=habits.moments)
        except LanguageModelError as error:
            if error.status not in _REFUSED:
                raise
            await self._learn(piece, part, habits, error)
            return await self._listen(piece, part, again=again)
        if habits.moments and heard.text and not _is_timed(heard, part.sound):
            self._habits = replace(self._habits, moments=False, most_s=SENTENCE_S)
            return await self._listen(piece, part, again=again)
        found = _placed(heard, part.sound)
        if again:
            found = await self._complete(piece, part, found)
            found = await self._untangle(piece, found)
        segments, doubts = collapse(found.segments)
        self._on_progress(part.sound.end_s)
        return replace(found, segments=segments, doubts=(*found.doubts, *doubts))

    async def _listen_in_parts(self, piece: Piece, stretch: TimeSpan, most_s: float, *, again: bool) -> Recognised:
        at_pauses = not self._habits.moments
        parts = await self._sound.cut(piece, stretch, most_s, at_pauses_s=PAUSE_S if at_pauses else None)
        listening = (self._listen(piece, part, again=again, cut_at_pauses=at_pauses) for part in parts)
        tasks = [asyncio.create_task(each) for each in listening]
        try:
            found = await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return _join_parts(parts, found)

    async def _complete(self, piece: Piece, part: Part, found: Recognised) -> Recognised:
        """Return *found* with the end of *part*, where the recogniser returned only its beginning."""
        last_s = found.segments[-1].end_s if found.segments else part.sound.start_s
        rest = TimeSpan(last_s, part.sound.end_s)
        if rest.length_s <= _UNHEARD_S or part.sound.length_s <= SHORT_S:
            return found
        more = await self._listen_in_parts(piece, rest, SHORT_S, again=True)
        if more.segments:
            self._habits = replace(self._habits, most_s=min(self._habits.most_s, SHORT_S))
        elif rest.length_s > _DOUBTFUL_S:
            silence = TranscriptSegment(rest.start_s, rest.end_s, "")
            more = replace(more, doubts=(*more.doubts, doubt(silence, UncertainReason.UNHEARD)))
        return _joined([found, more])

    async def _untangle(self, piece: Piece, found: Recognised) -> Recognised:
        """Return *found* with what repeats itself listened to again in smaller parts; repeated words may remain."""
        segments: list[TranscriptSegment] = []
        redone: list[Recognised] = []
        at = 0
        for loop in find_loops(found.segments):
            stretch = stretch_of(found.segments, loop)
            segments += found.segments[at : loop.first]
            at = loop.last + 1
            most_s = min(SHORT_S, stretch.length_s / 2)
            if most_s < _SHORTEST_S:
                segments += found.segments[loop.first : at]
                continue
            more = await self._listen_in_parts(piece, stretch, most_s, again=False)
            redone.append(more)
            segments += more.segments
        segments += found.segments[at:]
        doubts = (*found.doubts, *(each for more in redone for each in more.doubts))
        return replace(found, segments=tuple(segments), doubts=doubts)

    async def _learn(self, piece: Piece, part: Part, refused: _Habits, error: LanguageModelError) -> None:
        """Find out what the endpoint takes, since it answered *error* to *refused*; raises *error* when it takes nothing."""
        async with self._learning:
            if self._habits != refused:  # a neighbour has found out in the meantime
                return
            self._lessons += 1
            if self._lessons > _MAX_LESSONS:
                raise error
            length_s = part.sound.length_s
            if error.status == _TOO_LARGE:
                if length_s / 2 < _SHORTEST_S:
                    raise error
                self._habits = replace(refused, most_s=length_s / 2)
                return
            self._habits = await self._find_habits(piece, part.sound, refused, error)

    async def _find_habits(self, piece: Piece, sound: TimeSpan, refused: _Habits, error: LanguageModelError) -> _Habits:
        probe = TimeSpan(sound.start_s, sound.start_s + min(sound.length_s, SENTENCE_S))
        for form in self._asker.recogniser.forms:
            for moments in (True, False):
                tried = _Habits(form, moments, refused.most_s if moments else min(refused.most_s, SENTENCE_S))
                if tried == refused:
                    if probe.length_s >= sound.length_s:
                        continue  # this is what was refused
                    tried = replace(tried, most_s=SHORT_S if sound.length_s > SHORT_S else SENTENCE_S)
                try:
                    await self._asker.ask(piece, probe, form, moments=moments)
                except LanguageModelError as other:
                    if other.status not in _REFUSED:
                        raise
                    continue
                return tried
        raise error


def _is_timed(reply: RecognizedPiece, sound: TimeSpan) -> bool:
    return reply.segments is not None and has_usable_moments(reply.segments, sound.length_s)


def _placed(reply: RecognizedPiece, sound: TimeSpan) -> Recognised:
    """Return what was heard in *sound* on the clock of its piece, with its moments put right."""
    stated = reply.segments
    if stated is None:
        stated = (RecognizedSegment(0.0, sound.length_s, reply.text),) if reply.text else ()
    segments, doubts = mend_moments(stated, sound.length_s)
    return Recognised(segments=segments, doubts=doubts, language=reply.language).shift(sound.start_s)


def _join_parts(parts: Sequence[Part], found: Sequence[Recognised]) -> Recognised:
    whole = Recognised()
    for at, (part, each) in enumerate(zip(parts, found, strict=True)):
        if at == 0:
            whole = each
            continue
        shared = TimeSpan(part.sound.start_s, max(part.sound.start_s, parts[at - 1].sound.end_s))
        overlaps = part.sound.start_s < parts[at - 1].sound.end_s
        whole = join(whole, each, cut_s=part.counts.start_s, shared=shared) if overlaps else _joined([whole, each])
    return whole


def _joined(found: Sequence[Recognised]) -> Recognised:
    """Return *found*, which share no sound, one after another."""
    return Recognised(
        segments=tuple(segment for each in found for segment in each.segments),
        doubts=tuple(doubtful for each in found for doubtful in each.doubts),
        language=next((each.language for each in found if each.language), ""),
    )
