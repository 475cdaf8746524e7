"""Videos, sources and labelled searches just under what is taken, generated: sentences of the sample library in another order."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from benchmarks.texts import results, sentences
from search_core.domain import ResearchSource, SearchResult, VideoContext
from search_core.domain import text_limits as limits

CUES = limits.VIDEO_CUES.most - 1
NAMES = limits.VIDEO_SPEAKERS.most
_CUE_CHARS = limits.VIDEO_TRANSCRIPT.most // limits.VIDEO_CUES.most - 2


def long_video(cues: int = CUES, names: int = NAMES) -> VideoContext:
    """Return a video with so many captions and names of each kind; without an id, as one of a file."""
    return VideoContext.from_mapping(video_mapping(cues, names))


def video_mapping(cues: int, names: int) -> dict[str, Any]:
    """Return such a video as JSON values."""
    rng = random.Random(cues)
    people = [f"{rng.choice('김이박최정')}{rng.choice('하서민지예')}{rng.choice('준윤아진호')}" for _ in range(names)]
    return {
        "title": _text(rng, limits.VIDEO_TITLE.most),
        "description": _text(rng, limits.VIDEO_DESCRIPTION.most),
        "chapters": [[60 * place, _text(rng, limits.VIDEO_CHAPTER_TITLE.most)] for place in range(limits.VIDEO_CHAPTERS.most)],
        "speakers": [f"{name} {place}" for place, name in enumerate(people)],
        "organizations": [f"{_text(rng, 6)}{place} 주식회사" for place in range(names)],
        "events": [f"{_text(rng, 8)} 포럼 {place}" for place in range(names)],
        "key_terms": [f"{_text(rng, 5)}{place}" for place in range(names)],
        "language": "ko",
        "transcript": [[place, place + 1, _text(rng, _CUE_CHARS)] for place in range(cues)],
    }


def subtitles(cues: int) -> bytes:
    """Return a WebVTT file of so many captions."""
    clocks = [f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}.000" for second in range(cues + 1)]
    captions = (f"{clocks[place]} --> {clocks[place + 1]}\n메모리 대역폭 {place}\n\n" for place in range(cues))
    return ("WEBVTT\n\n" + "".join(captions)).encode()


def long_results(count: int) -> tuple[SearchResult, ...]:
    """Return results with snippets as long as they are taken."""
    rng = random.Random(2)
    return tuple(replace(result, snippet=_text(rng, limits.RESULT_SNIPPET.most)) for result in results(count, 2))


def long_sources(count: int, page_chars: int) -> tuple[tuple[ResearchSource, ...], dict[int, str]]:
    """Return sources of a report, and the texts of their pages by number."""
    rng = random.Random(3)
    sources = tuple(
        ResearchSource(
            number=number,
            title=result.title,
            url=result.url,
            snippet=result.snippet,
            domain=f"site{number}.example",
            publish_date=result.publish_date,
            relevance_score=0.8,
            subtasks=(1,),
            read=True,
        )
        for number, result in enumerate(long_results(count), start=1)
    )
    return sources, {source.number: _text(rng, page_chars) for source in sources}


def labelled_line(number: int, count: int) -> dict[str, Any]:
    """Return a labelled search as a file of the lab holds it, with so many results that are not scored."""
    found = [
        {"url": result.url, "title": result.title, "snippet": result.snippet, "relevant": 1} for result in long_results(count)
    ]
    return {"query": f"메모리 대역폭은 왜 중요한가? {number}", "results": found}


def _text(rng: random.Random, chars: int) -> str:
    """Return so many characters of sentences."""
    text = ""
    while len(text) < chars + 100:
        text += rng.choice(sentences()) + " "
    start = rng.randrange(100)
    return text[start : start + chars].strip() or "가"
