"""Makes results and a video of real size out of the sample library, different each time, so that nothing measured is remembered."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import islice
from pathlib import Path

from search_core.domain.result import SearchResult
from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.language.korean import has_hangul
from search_core.language.sentences import split_sentences

NOW = datetime(2026, 11, 20, tzinfo=UTC)
LIBRARY = Path(__file__).parents[1] / "samples" / "library"
SNIPPET_CHARS = 250
_SIGNS = str.maketrans(".?!,;:…", "       ")
_CAPTION_S, _CAPTION_WORDS = 4.0, 8
"""Two words a second, as people talk."""


@cache
def sentences() -> tuple[str, ...]:
    """Return the sentences of the sample documents, Korean and English."""
    found: list[str] = []
    for path in sorted(LIBRARY.glob("*.md")):
        body = path.read_text(encoding="utf-8").split("---", 2)[-1]
        found += [sentence for sentence in split_sentences(" ".join(body.split())) if len(sentence) > 20]
    return tuple(found)


def results(count: int, seed: int) -> tuple[SearchResult, ...]:
    """Return *count* results with snippets of about ``SNIPPET_CHARS`` characters, no two alike."""
    rng = random.Random(seed)
    return tuple(
        SearchResult(
            title=f"{rng.choice(sentences())[:60]} ({seed}-{i})",
            url=f"https://news{rng.randint(1, 40)}.example.org/{seed}/{i}",
            snippet=" ".join(rng.sample(sentences(), 5))[:SNIPPET_CHARS] + f" {seed}{i}",
            source="example.org",
            publish_date=NOW - timedelta(days=rng.randint(0, 900)),
        )
        for i in range(count)
    )


def video(minutes: int = 60, seed: int = 1) -> VideoContext:
    """Return a video whose transcript has a cue every six seconds."""
    rng = random.Random(seed)
    cues = tuple(TranscriptSegment(i * 6.0, i * 6.0 + 6, rng.choice(sentences())[:60]) for i in range(minutes * 10))
    return VideoContext(
        video_id=f"bench-{seed}",
        title="HBM과 메모리 대역폭",
        organizations=("SK하이닉스", "엔비디아"),
        events=("GTC 2026",),
        transcript=cues,
        language="ko",
    )


def captions_without_stops(seconds: float, *, korean: bool) -> VideoContext:
    """Return a video of speech of the sample library, four seconds a caption, as a recogniser writes it that knows no signs; *korean* or English."""
    rng = random.Random(seconds)
    spoken = [text.translate(_SIGNS) for text in sentences() if has_hangul(text) is korean]
    words = (word for _ in iter(int, 1) for word in rng.choice(spoken).split())
    captions = range(int(seconds // _CAPTION_S))
    said = [" ".join(islice(words, _CAPTION_WORDS)) for _ in captions]
    transcript = tuple(
        TranscriptSegment(place * _CAPTION_S, (place + 1) * _CAPTION_S, text) for place, text in zip(captions, said, strict=True)
    )
    return VideoContext(title="세 시간 강의", published_at=NOW, transcript=transcript)
