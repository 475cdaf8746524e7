"""Sentences of real videos, and what a reader said of each: whether it stands alone as a claim, or what stands in its way.

The transcripts are development sets; of them ``data/claims_videos.jsonl`` holds hashes of the letters and digits of a
video's name and of a sentence, and its label; ``data/claims_widened.jsonl`` whether the sentence before names its subject.
What is not on this machine, or is cut into other sentences by now, has no rows. ``data/claims_talks.jsonl`` holds talks that the
project wrote itself: they explain, in short sentences that each name their subject or go on from the one before.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from search_core.answers.sentence_classes import SentenceClass
from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.language.statements.proposition import without_lead
from search_core.video.sentences import spoken_sentences
from search_core.video.subtitles import read_subtitles
from tests.quality.sets import DEVELOPMENT, loaders, read_rows, segments_of

WWDC = DEVELOPMENT / "video" / "wwdc"
_LINE_S = 5.0


@dataclass(frozen=True, slots=True)
class Labelled:
    """One sentence of a video."""

    video: str
    text: str
    before: str
    label: SentenceClass
    kept_aside: bool


@dataclass(frozen=True, slots=True)
class Widened:
    """A sentence that has lost its subject, behind the two before it."""

    said: tuple[str, str, str]
    right: bool
    """Whether the one before it names its subject."""


@cache
def videos() -> dict[str, VideoContext]:
    """Return the development transcripts by name."""
    return {name: VideoContext(title="", transcript=segments) for name, segments in _read()}


def labelled() -> list[Labelled]:
    """Return the labelled sentences of the videos on this machine, in their order."""
    return [
        Labelled(name, said[2], said[1], SentenceClass(row["label"]), row["side"] == "held")
        for name, said, row in _rows_of("claims_videos")
    ]


def kept_aside() -> list[Labelled]:
    """Return the labelled sentences of videos kept aside, without those that a video learnt from says, too."""
    rows = labelled()
    learnt = {sentence_hash(row.text) for row in rows if not row.kept_aside}
    return [row for row in rows if row.kept_aside and sentence_hash(row.text) not in learnt]


def talks() -> list[Labelled]:
    """Return the sentences of the project's own talks in their order."""
    rows = read_rows("claims_talks")
    begins = [not place or rows[place - 1]["talk"] != row["talk"] for place, row in enumerate(rows)]
    return [
        Labelled(row["talk"], row["text"], "" if begins[place] else rows[place - 1]["text"], SentenceClass(row["label"]), False)
        for place, row in enumerate(rows)
    ]


def widened() -> list[Widened]:
    """Return the sentences of which it is known whether the one before names their subject."""
    return [Widened(said, row["right"]) for _, said, row in _rows_of("claims_widened")]


def sentence_hash(text: str) -> str:
    """Return the hash by which a sentence is known; signs and spaces do not change it."""
    return hashlib.sha256("".join(filter(str.isalnum, text.casefold())).encode()).hexdigest()[:12]


def _rows_of(name: str) -> Iterator[tuple[str, tuple[str, str, str], dict[str, Any]]]:
    """Yield each row of a set with its video and three sentences: the two before it and its own."""
    rows = {(row["video"], row["hash"]): row for row in read_rows(name)}
    for video in videos():
        texts = ["", "", *_texts(video)]
        for said in zip(texts, texts[1:], texts[2:], strict=False):
            row = rows.pop((sentence_hash(video), sentence_hash(said[2])), None)
            if row is not None:
                yield video, said, row


@cache
def _texts(video: str) -> tuple[str, ...]:
    return tuple(without_lead(sentence.text) for sentence in spoken_sentences(videos()[video].transcript))


def read_recognised(row: Mapping[str, Any]) -> tuple[TranscriptSegment, ...]:
    """Return the transcript of Korean news as a recogniser gave it."""
    return segments_of((part["start_ms"] / 1000, part["end_ms"] / 1000, part["text"]) for part in row["segments"])


def read_wwdc(name: str) -> tuple[TranscriptSegment, ...]:
    """Return the captions of a file of WWDC."""
    return read_subtitles(gzip.decompress((WWDC / name).read_bytes()).decode()).transcript


def _read() -> Iterator[tuple[str, tuple[TranscriptSegment, ...]]]:
    for row in loaders().videos_korean_stt("dev"):
        yield row["_id"], read_recognised(row)
    for row in loaders().videos_3b1b("dev"):
        yield row["_id"], read_subtitles(row["srt_en"] or "").transcript
    for file in sorted(WWDC.glob("en_*.vtt.gz")):
        yield file.name.removesuffix(".vtt.gz"), read_wwdc(file.name)
    for row in loaders().debates("dev"):
        lines = enumerate(line["text"] for line in row["lines"])
        yield row["_id"], segments_of((place * _LINE_S, (place + 1) * _LINE_S, text) for place, text in lines)
