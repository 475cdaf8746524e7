"""Plain texts as transcript segments: bare prose, and the timed forms people paste.

Timed forms read: YouTube's transcript panel (``0:05`` on a line of its own, or before the words), and speech notes that put a
speaker and a time above each turn (``김하나 00:12``).
"""

from __future__ import annotations

import re

from search_core.captions import plain_lines
from search_core.domain import TranscriptOrigin, TranscriptSegment
from search_core.sentences import sentence_spans
from search_core.video.cues import Subtitles
from search_core.video_time import CLOCK, clock_seconds

_LEADING_TIME = re.compile(rf"^\s*[\[(]?({CLOCK})(?:[.,]\d{{1,3}})?[\])]?(?:\s+|$)(.*)$")
_SPEAKER_TIME = re.compile(rf"^\s*+(\S(?:.{{0,27}}?\S)?)\s++[\[(]?({CLOCK})[\])]?\s*+$")
_UNNAMED = re.compile(r"(?:참석자|화자|발화자|발언자|speaker|person|unknown)\s*\d*", re.IGNORECASE)
_TIMED_LINES = 3
_TIMED_SHARE = 0.25
_SEGMENT_CHARS = 200  # about what is said in ten seconds of a subtitle pair
NO_TIMES = "시간 정보가 없는 글이라 장면으로 바로 이동할 수는 없어요."


def read_plain_text(text: str) -> Subtitles:
    """Return the sentences of *text*; untimed prose has 0 for every time, and a warning saying so."""
    lines = [words for line in text.split("\n") if (words := " ".join(line.split()))]
    marks = [_mark(line) for line in lines]
    timed = sum(mark is not None for mark in marks)
    if timed >= _TIMED_LINES and timed >= _TIMED_SHARE * len(lines):
        return _read_turns(lines, marks)
    segments = tuple(TranscriptSegment(0.0, 0.0, piece) for line in lines for piece in _pieces(" ".join(plain_lines(line))))
    return Subtitles(segments=segments, warnings=(NO_TIMES,), origin=TranscriptOrigin.PLAIN_TEXT)


def _mark(line: str) -> tuple[float, str, str] | None:
    """Return (seconds, speaker, words) of a line that opens a timed turn."""
    if found := _LEADING_TIME.match(line):
        seconds = clock_seconds(found[1])
        return None if seconds is None else (seconds, "", found[2])
    if found := _SPEAKER_TIME.match(line):
        seconds = clock_seconds(found[2])
        return None if seconds is None else (seconds, found[1].strip(" :-"), "")
    return None


def _read_turns(lines: list[str], marks: list[tuple[float, str, str] | None]) -> Subtitles:
    turns: list[tuple[float, list[str]]] = []
    speakers: dict[str, None] = {}
    for line, mark in zip(lines, marks, strict=True):
        if mark is None:
            if turns:
                turns[-1][1].append(line)
            continue
        seconds, speaker, words = mark
        if speaker and not _UNNAMED.fullmatch(speaker):
            speakers[speaker] = None
        turns.append((seconds, [words] if words else []))
    turns.sort(key=lambda turn: turn[0])
    ends = [start for start, _ in turns[1:]] + [turns[-1][0]]
    segments = [
        TranscriptSegment(start, end, text)
        for (start, said), end in zip(turns, ends, strict=True)
        if (text := " ".join(plain_lines("\n".join(said))))
    ]
    return Subtitles(segments=tuple(segments), speakers=tuple(speakers), origin=TranscriptOrigin.PLAIN_TEXT)


def _pieces(line: str) -> list[str]:
    """Return the sentences of a paragraph, short ones together, so that a passage stays readable."""
    pieces: list[str] = []
    for start, end in sentence_spans(line):
        sentence = line[start:end]
        if pieces and len(pieces[-1]) + len(sentence) < _SEGMENT_CHARS:
            pieces[-1] = f"{pieces[-1]} {sentence}"
        else:
            pieces.append(sentence)
    return pieces
