"""A transcript as sentences with their times, also one of automatic captions that has no signs between them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from search_core.claims.sentence_ends import sentence_ends
from search_core.domain import TranscriptSegment
from search_core.runtime import in_turns
from search_core.text.korean import Morpheme, has_hangul
from search_core.text.korean.morphemes import morphemes_of
from search_core.text.sentences import sentence_spans
from search_core.text.visible import visible

_LONG = 260
"""Letters from which on English that no sign ends is looked through for sentences."""
_TOGETHER = 64
"""Sentences that are analysed at once, beside each other and without Python's lock."""
_GOES_ON = ("J", "VCP", "EC", "ETM", "VX")
"""Tags of what follows an ending that ends no sentence: "한다 라고 했다"."""
_LONGEST = 400
"""Letters after which a sentence without an end is cut where a caption begins."""
_PAUSE_S = 1.0
"""Silence between two captions that ends a sentence without signs."""
NOISE = re.compile(
    r"\[[^\[\]]{1,30}\]|\((?:음악|박수|웃음|환호|laughter|applause|music|cheers)[^()]{0,20}\)|[♪♫]+|>{2,}", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class SpokenSentence:
    """One sentence as it is said, with its times in seconds from the start of the video."""

    text: str
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class _Piece:
    """A caption within the whole text."""

    start: int
    end: int
    start_s: float
    end_s: float


def spoken_sentences(transcript: Sequence[TranscriptSegment]) -> Iterator[SpokenSentence]:
    """Yield the sentences of *transcript* in order; a time inside a caption is reckoned from the letters before it."""
    text, pieces = _join(transcript)
    starts = [piece.start for piece in pieces]

    def time_at(place: int) -> float:
        piece = pieces[max(0, bisect_right(starts, place) - 1)]
        share = min(1.0, (place - piece.start) / max(1, piece.end - piece.start))
        return piece.start_s + share * (piece.end_s - piece.start_s)

    for start, end in _spans(text, pieces):
        if any(char.isalnum() for char in text[start:end]):
            yield SpokenSentence(text[start:end], round(time_at(start), 2), round(time_at(end - 1), 2))


def _join(transcript: Sequence[TranscriptSegment]) -> tuple[str, list[_Piece]]:
    """Return all captions as one text, and the position of each in it."""
    parts: list[str] = []
    pieces: list[_Piece] = []
    length = 0
    for segment in transcript:
        said = " ".join(NOISE.sub(" ", visible(segment.text)).split())
        if said:
            pieces.append(_Piece(length, length + len(said), segment.start_s, max(segment.start_s, segment.end_s)))
            parts.append(said)
            length += len(said) + 1
    return " ".join(parts), pieces


def _spans(text: str, pieces: Sequence[_Piece]) -> Iterator[tuple[int, int]]:
    spans = sentence_spans(text)
    while together := tuple(islice(spans, _TOGETHER)):
        korean = [said for start, end in together if has_hangul(said := text[start:end])]
        analysed = dict(zip(korean, morphemes_of(korean), strict=True))
        for start, end in in_turns(together):
            said = text[start:end]
            if said in analysed:
                found = _korean_spans(said, start, analysed[said])
            elif end - start < _LONG:
                yield start, end
                continue
            else:
                found = _english_spans(text, start, end, pieces)
            for first, last in found:
                yield from _within_bounds(first, last, pieces)


def _korean_spans(said: str, start: int, analysed: Sequence[Morpheme]) -> Iterator[tuple[int, int]]:
    """Yield the sentences that end where a verb has its last ending, and no word behind it quotes or carries that on."""
    first, end = start, start + len(said)
    for place, here in enumerate(analysed):
        if here.end < len(said) and said[here.end] == " " and _ends_korean(analysed, place):
            yield first, start + here.end
            first = start + here.end + 1
    if first < end:
        yield first, end


def _ends_korean(analysed: Sequence[Morpheme], place: int) -> bool:
    here, before = analysed[place], analysed[place - 1].tag if place else ""
    if here.tag != "EF" and not (here.form == "요" and before in ("EF", "EC")):
        return False
    return place + 1 == len(analysed) or not analysed[place + 1].tag.startswith(_GOES_ON)


def _english_spans(text: str, start: int, end: int, pieces: Sequence[_Piece]) -> Iterator[tuple[int, int]]:
    """Yield runs that end where a sentence is likely to, or at a pause."""
    pauses = {after.start for before, after in pairwise(pieces) if after.start_s - before.end_s >= _PAUSE_S}
    words = list(re.finditer(r"\S+", text[start:end]))
    first = start
    for word, following, ends in zip(words, words[1:], sentence_ends([word.group() for word in words]), strict=False):
        if ends or start + following.start() in pauses:
            yield first, start + word.end()
            first = start + following.start()
    yield first, end


def _within_bounds(start: int, end: int, pieces: Sequence[_Piece]) -> Iterator[tuple[int, int]]:
    """Yield a run of letters in parts of bearable length, cut where captions begin."""
    while end - start > _LONGEST:
        cuts = [piece.start for piece in pieces if start < piece.start <= start + _LONGEST]
        cut = cuts[-1] if cuts else start + _LONGEST
        yield start, cut - 1 if cuts else cut
        start = cut
    if start < end:
        yield start, end
