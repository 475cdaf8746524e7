"""A video just under what is taken, generated: sentences of the sample library in another order."""

from __future__ import annotations

import random
from typing import Any

from benchmarks.texts import sentences
from search_core.domain import text_limits as limits
from search_core.domain.video import VideoContext

CUES = limits.VIDEO_CUES.most - 1
NAMES = limits.VIDEO_SPEAKERS.most
_CUE_CHARS = limits.VIDEO_TRANSCRIPT.most // limits.VIDEO_CUES.most - 2


def long_video() -> VideoContext:
    """Return a video with so many captions and names of each kind; without an id, as one of a file."""
    return VideoContext.from_mapping(_mapping(random.Random(CUES)))


def _mapping(rng: random.Random) -> dict[str, Any]:
    people = [f"{rng.choice('김이박최정')}{rng.choice('하서민지예')}{rng.choice('준윤아진호')}" for _ in range(NAMES)]
    return {
        "title": _text(rng, limits.VIDEO_TITLE.most),
        "description": _text(rng, limits.VIDEO_DESCRIPTION.most),
        "chapters": [[60 * place, _text(rng, limits.VIDEO_CHAPTER_TITLE.most)] for place in range(limits.VIDEO_CHAPTERS.most)],
        "speakers": [f"{name} {place}" for place, name in enumerate(people)],
        "organizations": [f"{_text(rng, 6)}{place} 주식회사" for place in range(NAMES)],
        "events": [f"{_text(rng, 8)} 포럼 {place}" for place in range(NAMES)],
        "key_terms": [f"{_text(rng, 5)}{place}" for place in range(NAMES)],
        "language": "ko",
        "transcript": [[place, place + 1, _text(rng, _CUE_CHARS)] for place in range(CUES)],
    }


def subtitles(cues: int) -> bytes:
    """Return a WebVTT file of so many captions."""
    clocks = [f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}.000" for second in range(cues + 1)]
    captions = (f"{clocks[place]} --> {clocks[place + 1]}\n메모리 대역폭 {place}\n\n" for place in range(cues))
    return ("WEBVTT\n\n" + "".join(captions)).encode()


def _text(rng: random.Random, chars: int) -> str:
    """Return so many characters of sentences."""
    text = ""
    while len(text) < chars + 100:
        text += rng.choice(sentences()) + " "
    start = rng.randrange(100)
    return text[start : start + chars].strip() or "가"
