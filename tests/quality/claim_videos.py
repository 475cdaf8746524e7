"""Sentences of real videos, and what a reader said of each: whether it stands alone as a claim, or what stands in its way.

The transcripts are development sets; of them ``data/claims_videos.jsonl`` holds hashes of the letters and digits of a
video's name and of a sentence, and its label. What is not on this machine, or is cut into other sentences by now, has no rows.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from search_core.claims.sentences import spoken_sentences
from search_core.claims.standing import Standing
from search_core.domain import TranscriptSegment, VideoContext
from search_core.stance.framing import without_lead
from search_core.video.subtitles import read_subtitles
from tests.quality.sets import DEVELOPMENT, loaders, read_rows

_LINE_S = 5.0


@dataclass(frozen=True, slots=True)
class Labelled:
    """One sentence of a video."""

    video: str
    text: str
    before: str
    label: Standing
    kept_aside: bool


@cache
def videos() -> dict[str, VideoContext]:
    """Return the development transcripts by name."""
    return dict(_read())


def labelled() -> list[Labelled]:
    """Return the labelled sentences of the videos on this machine, in their order."""
    rows = {(row["video"], row["hash"]): row for row in read_rows("claims_videos")}
    found = []
    for name, video in videos().items():
        texts = ["", *(without_lead(sentence.text) for sentence in spoken_sentences(video.transcript))]
        for before, text in pairwise(texts):
            row = rows.pop((sentence_hash(name), sentence_hash(text)), None)
            if row is not None:
                found.append(Labelled(name, text, before, Standing(row["label"]), row["side"] == "held"))
    return found


def sentence_hash(text: str) -> str:
    """Return by what a sentence is known, however it is punctuated."""
    return hashlib.sha256("".join(filter(str.isalnum, text.casefold())).encode()).hexdigest()[:12]


def _read() -> Iterator[tuple[str, VideoContext]]:
    for row in loaders().videos_korean_stt("dev"):
        spoken = [(part["start_ms"] / 1000, part["end_ms"] / 1000, part["text"]) for part in row["segments"]]
        yield row["_id"], _video(spoken)
    for row in loaders().videos_3b1b("dev"):
        yield row["_id"], VideoContext(title="", transcript=read_subtitles(row["srt_en"] or "").segments)
    for file in sorted((DEVELOPMENT / "video" / "wwdc").glob("en_*.vtt.gz")):
        subtitles = read_subtitles(gzip.decompress(file.read_bytes()).decode())
        yield file.name.removesuffix(".vtt.gz"), VideoContext(title="", transcript=subtitles.segments)
    for row in loaders().debates("dev"):
        lines = [(place * _LINE_S, (place + 1) * _LINE_S, line["text"]) for place, line in enumerate(row["lines"])]
        yield row["_id"], _video(lines)


def _video(spoken: list[tuple[float, float, str]]) -> VideoContext:
    return VideoContext(title="", transcript=tuple(TranscriptSegment(*each) for each in spoken))
