"""A transcript as sentences with times, also from automatic captions without punctuation."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

from search_core.domain.video import TranscriptSegment
from search_core.language.korean import Morpheme, has_hangul
from search_core.language.korean.morphemes import morphemes_of
from search_core.language.sentences import ends_sentence, sentence_spans, visible
from search_core.runtime import in_turns

_LONG = 260
"""Letters from which on English is looked through for sentences although a sign ends it."""
_TOGETHER = 64
"""Sentences analysed at once, in parallel and without Python's lock."""
_CLOSING = ("니다", "요")
"""Endings that close a sentence although they are taken to carry it on, as before Latin letters: "늘었습니다 sk하이닉스는"."""
_GOES_ON = ("J", "VCP", "EC", "ETM", "VX")
"""Tags of what follows an ending that ends no sentence: "한다 라고 했다"."""
_OPEN = ("JKS", "JKC", "JKG", "JKO", "JKB", "JC", "JX", "ETM", "EC", "MAG")
"""Tags of what a recogniser sets a full stop behind though no sentence ends there: "이 의원은. 지난해 …".

Behind them stand 5 of 100 full stops of development videos, and 3 of 1,000 in subtitles that people wrote.
"""
_MAY_END = ("요", "데", "든")
"""How an ending or particle ends that may end a sentence although its tag is one of these: "그런데요."."""
LONGEST = 400
"""Letters after which a sentence without an end is cut where one is likeliest."""
_PAUSE_S = 1.0
"""Silence between two captions that ends an English sentence without signs."""
_PAUSE_ODDS = 4.0
"""What a second of silence adds to the log odds of an end; measured on development videos."""
_NOISE = re.compile(
    r"\[[^\[\]]{1,30}\]|\((?:음악|박수|웃음|환호|laughter|applause|music|cheers)[^()]{0,20}\)|[♪♫]+|>{2,}", re.IGNORECASE
)
_UNREAD = -0.5
"""The log odds of an end where no model reads the words: a pause of an eighth of a second makes one."""
Floats = NDArray[np.float32]
JudgeEnds = Callable[[Sequence[str]], Floats | None]
"""Returns the log odds of a sentence end after each word, an end from 0 on; None without a model."""
_EDGES = re.compile(r"^[^\w$€£%#@+]+|[^\w%$€£#+]+$")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A caption in the whole text."""

    number: int
    start: int
    end: int
    start_s: float
    end_s: float
    uncertain: bool


def spoken_sentences(
    transcript: Sequence[TranscriptSegment],
    judge: JudgeEnds | None = None,
    *,
    within: range | None = None,
    longest: int = LONGEST,
) -> Iterator[TranscriptSegment]:
    """Yield the sentences of *transcript* in order; times within a caption are interpolated by letters.

    *judge* finds ends of English sentences without punctuation. With *within*, only sentences in these captions are yielded. A
    sentence of more than *longest* letters is split where an end is likeliest.
    """
    text, pieces = _join(transcript)
    starts = [piece.start for piece in pieces]

    def piece_at(place: int) -> int:
        return max(0, bisect_right(starts, place) - 1)

    def time_at(place: int) -> float:
        piece = pieces[piece_at(place)]
        share = min(1.0, (place - piece.start) / max(1, piece.end - piece.start))
        return piece.start_s + share * (piece.end_s - piece.start_s)

    for start, end, stops in _join_open(_spans(text, pieces, judge, longest), longest):
        parts = zip((start, *(stop + 1 for stop in stops)), (*stops, end), strict=True)
        said = "".join(text[first:last] for first, last in parts)
        spoken = pieces[piece_at(start) : piece_at(end - 1) + 1]
        if any(map(str.isalnum, said)) and (within is None or any(piece.number in within for piece in spoken)):
            uncertain = any(piece.uncertain for piece in spoken)
            yield TranscriptSegment(round(time_at(start), 2), round(time_at(end - 1), 2), said, uncertain)


def without_noise(caption: str) -> str:
    """Return the words of a *caption* without noises in brackets and invisible characters, with single spaces."""
    return " ".join(_NOISE.sub(" ", visible(caption)).split())


def _join(transcript: Sequence[TranscriptSegment]) -> tuple[str, list[_Piece]]:
    """Return all captions as one text, and the position of each in it."""
    parts: list[str] = []
    pieces: list[_Piece] = []
    length = 0
    for number, segment in enumerate(transcript):
        words = without_noise(segment.text)
        if words:
            until_s = max(segment.start_s, segment.end_s)
            pieces.append(_Piece(number, length, length + len(words), segment.start_s, until_s, segment.uncertain))
            parts.append(words)
            length += len(words) + 1
    return " ".join(parts), pieces


def _spans(text: str, pieces: Sequence[_Piece], judge: JudgeEnds | None, longest: int) -> Iterator[tuple[int, int, bool]]:
    """Yield the span of each sentence, and whether the next continues it."""
    pauses = {after.start: max(0.0, after.start_s - before.end_s) for before, after in pairwise(pieces)}
    spans = sentence_spans(text)
    while together := tuple(islice(spans, _TOGETHER)):
        korean = [sentence for start, end in together if has_hangul(sentence := text[start:end])]
        analysed = dict(zip(korean, morphemes_of(korean), strict=True))
        for start, end in in_turns(together):
            sentence = text[start:end]
            if sentence in analysed:
                goes_on = _goes_on(sentence, analysed[sentence])
                for span in _korean_spans(sentence, start, analysed[sentence]):
                    for first, last in _within_bounds(*span, pauses, longest):
                        yield first, last, goes_on and last == end
            elif end - start < _LONG and ends_sentence(sentence):
                yield start, end, False
            else:
                yield from ((*span, False) for span in _english_spans(sentence, start, pauses, judge, longest))


def _goes_on(said: str, analysed: Sequence[Morpheme]) -> bool:
    """Return whether the full stop after *said* is inside a sentence."""
    if not said.endswith(".") or said.endswith(".."):
        return False
    last = next((here for here in reversed(analysed) if here.tag != "SF"), None)
    return last is not None and last.tag in _OPEN and not last.form.endswith(_MAY_END)


def _join_open(spans: Iterable[tuple[int, int, bool]], longest: int) -> Iterator[tuple[int, int, list[int]]]:
    """Yield the spans of sentences, continued ones joined, with the full stops inside them."""
    first, stops = -1, list[int]()
    for start, end, goes_on in spans:
        if stops and end - first > longest:
            yield first, stops.pop() + 1, stops
            stops = []
        first = first if stops else start
        if goes_on:
            stops = [*stops, end - 1]
        else:
            yield first, end, stops
            stops = []
    if stops:
        yield first, stops.pop() + 1, stops


def _korean_spans(said: str, start: int, analysed: Sequence[Morpheme]) -> Iterator[tuple[int, int]]:
    """Yield sentences that end at a final verb ending which the next word neither quotes nor continues."""
    first, end = start, start + len(said)
    for place, here in enumerate(analysed):
        if here.end < len(said) and said[here.end] == " " and _ends_korean(analysed, place):
            yield first, start + here.end
            first = start + here.end + 1
    if first < end:
        yield first, end


def _ends_korean(analysed: Sequence[Morpheme], place: int) -> bool:
    here, before = analysed[place], analysed[place - 1].tag if place else ""
    closes = here.tag == "EF" or (here.tag == "EC" and here.form.endswith(_CLOSING))
    if not closes and not (here.form == "요" and before in ("EF", "EC")):
        return False
    return place + 1 == len(analysed) or not analysed[place + 1].tag.startswith(_GOES_ON)


def _english_spans(
    said: str, start: int, pauses: Mapping[int, float], judge: JudgeEnds | None, longest: int
) -> Iterator[tuple[int, int]]:
    """Yield spans of *said* that end where a sentence end is likely, by words and by pauses."""
    words, end = list(re.finditer(r"\S+", said)), start + len(said)
    likely: dict[int, float] = {}
    judged = judge([plain_word(word.group()) for word in words]) if judge is not None else None
    read = [_UNREAD] * len(words) if judged is None else judged.tolist()
    for word, odds in zip(words[1:], read, strict=False):
        pause_s = pauses.get(start + word.start(), 0.0)
        likely[start + word.start()] = math.inf if pause_s >= _PAUSE_S else odds + _PAUSE_ODDS * pause_s
    first = start
    for place, odds in (*likely.items(), (end + 1, 0.0)):
        if odds >= 0:
            yield from _within_bounds(first, place - 1, likely, longest)
            first = place


def _within_bounds(start: int, end: int, likely: Mapping[int, float], longest: int) -> Iterator[tuple[int, int]]:
    """Yield a span in parts of at most *longest* characters, each cut where *likely* is highest."""
    while end - start > longest:
        places = [place for place in range(start + 1, start + longest + 1) if place in likely]
        cut = max(places, key=lambda place: (likely[place], place), default=start + longest)
        yield start, cut - 1 if places else cut
        start = cut
    if start < end:
        yield start, end


def plain_word(word: str) -> str:
    """Return *word* in lower case without punctuation at its edges."""
    return _EDGES.sub("", word).lower().replace("’", "'")
