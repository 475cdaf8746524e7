"""Does the work of one transcription: fetch, decode, recognise piece by piece, keep, join.

Endpoints refuse ``verbose_json``, listen to the first thirty seconds only (vllm#15012), answer 413, or repeat themselves. What
one does is learnt with the first piece and held for the rest of a transcription.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from search_core.domain import (
    RecognizedPiece,
    RecognizedSegment,
    SoundForm,
    Transcription,
    TranscriptionPhase,
    TranscriptionProgress,
    TranscriptSegment,
    UncertainReason,
)
from search_core.errors import LanguageModelError
from search_core.errors import TranscriptionFailure as Kind
from search_core.speech.cutting import Part, TimeSpan
from search_core.speech.job import TranscriptionJob
from search_core.speech.recognised import (
    Recognised,
    collapse,
    doubt,
    find_loops,
    has_usable_moments,
    join,
    mend_moments,
    stretch_of,
)
from search_core.speech.recogniser import Asker, Pause, SpeechRecogniser
from search_core.speech.sound import Piece, Sound
from search_core.speech.source import SoundSource, YouTubeSound, refuse
from search_core.speech.stored_transcripts import StoredTranscripts, key_of
from search_core.speech.workspace import Workspaces

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
DAMAGED_KOREAN = "파일의 일부가 깨져 있어서, 읽을 수 있는 데까지만 받아 적었어요."
FetchSound = Callable[[str, Path], Awaitable[Path]]
"""Fetches the sound of the YouTube video of that id into a folder; cancelled with its task. Raises MaekrakError."""


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

    async def recognise(self, piece: Piece, on_progress: Callable[[float], object]) -> Recognised:
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
        timed = heard.segments is not None and has_usable_moments(heard.segments, part.sound.length_s)
        if habits.moments and heard.text and not timed:
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
        return found.then(more)

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
        whole = join(whole, each, cut_s=part.counts.start_s, shared=shared) if overlaps else whole.then(each)
    return whole


class Transcriber:
    """Turns a source into a transcription; on one event loop."""

    def __init__(
        self,
        workspaces: Workspaces,
        kept: StoredTranscripts,
        fetch: FetchSound,
        *,
        max_bytes: int,
        max_s: float,
        pause: Pause = asyncio.sleep,
    ) -> None:
        self._workspaces, self._kept, self._fetch, self._pause = workspaces, kept, fetch, pause
        self._max_bytes, self._max_s = max_bytes, max_s

    async def transcribe(self, job: TranscriptionJob, source: SoundSource, recogniser: SpeechRecogniser) -> Transcription:
        """Return what is said in *source*, telling *job* of each step; what it needs on disk goes with it.

        Raises TranscriptionError, and what fetching raises. Cancelling ends processes and requests.
        """
        await asyncio.to_thread(self._workspaces.sweep)
        await asyncio.to_thread(self._kept.sweep)
        workspace = self._workspaces.open()  # not in a thread: cancelled meanwhile, nobody would close it
        try:
            if isinstance(source, YouTubeSound):
                job.note(TranscriptionProgress(phase=TranscriptionPhase.FETCHING))
                path = await self._fetch(source.video_id, workspace.path)
            else:
                path = source.path
            sound = Sound(path, workspace.path, max_bytes=self._max_bytes, max_s=self._max_s)
            try:
                return await _Run(job, sound, self._kept, recogniser, source.language, self._pause).transcribe()
            finally:
                await asyncio.to_thread(sound.close)
        except LanguageModelError as error:
            korean = f"음성을 받아 적지 못했어요: {error.korean} 끝낸 데까지는 남아 있어서, 다시 시작하면 이어서 해요."
            raise refuse(Kind.UNANSWERED, f"The recogniser failed: {error}", korean=korean) from error
        finally:
            await asyncio.to_thread(workspace.close)


class _Run:
    """One sound on its way to a transcription."""

    def __init__(
        self,
        job: TranscriptionJob,
        sound: Sound,
        kept: StoredTranscripts,
        recogniser: SpeechRecogniser,
        language: str,
        pause: Pause,
    ) -> None:
        self._job, self._sound, self._kept, self._recogniser, self._language = job, sound, kept, recogniser, language
        self._pieces = PieceRecogniser(Asker(recogniser, sound, language=language, pause=pause), sound)
        self._progress = TranscriptionProgress(phase=TranscriptionPhase.CHECKING)
        self._found = Recognised()
        self._end_s = 0.0
        """Of the pieces so far, on the clock of the video."""

    async def transcribe(self) -> Transcription:
        """Return what is said; raises LanguageModelError and TranscriptionError."""
        self._job.note(self._progress)
        digest = await self._sound.digest()
        key = key_of(digest, self._recogniser.recogniser, self._recogniser.piece_s, self._language)
        whole = await asyncio.to_thread(self._kept.whole, key)
        if whole is not None:
            return whole
        await self._sound.open(self._recogniser.piece_s)
        self._tell(phase=TranscriptionPhase.LISTENING, total_s=self._sound.declared_s)
        number = 0
        while (piece := await self._sound.next_piece()) is not None:
            await self._add(piece, key, number)
            number += 1
        if number == 0:
            raise refuse(Kind.BROKEN, "No sound could be decoded.")
        transcription = Transcription(
            segments=self._found.segments,
            recogniser=self._recogniser.recogniser,
            language=self._found.language or self._language,
            duration_s=self._end_s,
            uncertain=tuple(sorted(self._found.doubts, key=lambda each: each.start_s)),
            warnings=(DAMAGED_KOREAN,) if self._sound.damaged else (),
        )
        await asyncio.to_thread(self._kept.keep_whole, key, transcription)
        self._tell(done_s=self._end_s, total_s=self._end_s, pieces=number)
        return transcription

    async def _add(self, piece: Piece, key: str, number: int) -> None:
        """Recognise *piece*, unless that is stored from earlier, and join it to those before."""
        part = piece.part
        found = await asyncio.to_thread(self._kept.piece, key, number, part)
        if found is None:
            heard = await self._pieces.recognise(
                piece, lambda done_s: self._tell(done_s=max(part.sound.start_s + done_s, self._progress.done_s))
            )
            found = heard.shift(part.sound.start_s)
            await asyncio.to_thread(self._kept.keep_piece, key, number, part, found)
        else:
            self._progress = replace(self._progress, pieces_kept=self._progress.pieces_kept + 1)
        await asyncio.to_thread(piece.samples.unlink)
        shared = TimeSpan(part.sound.start_s, max(part.sound.start_s, self._end_s))
        self._found = join(self._found, found, cut_s=part.counts.start_s, shared=shared) if number else found
        self._end_s = part.sound.end_s
        self._tell(done_s=part.counts.end_s, pieces_done=number + 1)

    def _tell(self, **changes: object) -> None:
        self._progress = replace(self._progress, **changes)  # type: ignore[arg-type] # names of its fields
        total_s = self._progress.total_s
        if total_s is not None and "pieces" not in changes:
            pieces = max(self._progress.pieces_done, math.ceil(total_s / self._recogniser.piece_s))
            self._progress = replace(self._progress, pieces=pieces, total_s=max(total_s, self._progress.done_s))
        self._job.note(self._progress, self._found.segments)
