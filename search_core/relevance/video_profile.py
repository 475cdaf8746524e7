"""What a video is about, as vectors, computed once a video."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from search_core.domain import Moment, VideoContext
from search_core.entities import EntityMatcher, aliases_in
from search_core.relevance.calibration import Languages, identify, languages_of
from search_core.relevance.embedder import Embedder, Vectors
from search_core.relevance.meaning import Meaning
from search_core.relevance.passages import Passage, passages_of
from search_core.relevance.rarity import rarity
from search_core.relevance.words import words_of

_DESCRIPTION_CHARS = 600
"""Descriptions open with what the video is about and end in links and thanks."""
_MOMENT_SIMILARITY = 0.3
"""Calibrated; below it the best passage shares no more with a result than some passage always does."""
_KEPT_VIDEOS = 8


@dataclass(frozen=True, slots=True)
class VideoRelevance:
    """How a result bears on a video."""

    similarity: float
    """To what the video is about: its best facet or passage, calibrated."""
    moment: Moment | None
    """None when no passage is close."""


@dataclass(frozen=True, slots=True)
class VideoProfile:
    """Holds a video's facets and passages as vectors, and its names."""

    passages: tuple[Passage, ...]
    words: tuple[tuple[Mapping[str, float], ...], ...]
    """The words of each segment of each passage, with how telling they are."""
    vectors: Vectors
    """One row for each passage, then one for each facet."""
    languages: Languages
    """Of the text of each row."""
    names: EntityMatcher
    timed: bool
    """Whether passages have moments: what is said in prose without times has a place, and none of them."""

    @classmethod
    def of(cls, video: VideoContext, embedder: Embedder) -> VideoProfile:
        """Embed *video*; raises EmbeddingError when the embedder cannot."""
        passages = passages_of(video.transcript)
        facets = [text for text in facet_texts(video) if text.strip()]
        texts = [*(passage.text for passage in passages), *facets]
        vectors = embedder.embed(texts)
        words = tuple(
            tuple({word.form: rarity(word) for word in forms} for forms in words_of(segment.text for segment in passage.segments))
            for passage in passages
        )
        aliases = aliases_in(f"{video.title}\n{video.description}")
        names = EntityMatcher([*video.speakers, *video.organizations, *video.events], aliases=aliases)
        return cls(passages, words, vectors, languages_of(texts), names, video.timed)

    def bearings(self, meaning: Meaning, texts: Sequence[str]) -> list[VideoRelevance]:
        """Return for each result how it bears on the video."""
        if not len(self.vectors):
            return [VideoRelevance(0.0, None)] * len(texts)
        similarities = meaning.to_passages(self.vectors, self.languages)
        return [VideoRelevance(float(row.max()), self._nearest(row, text)) for row, text in zip(similarities, texts, strict=True)]

    def _nearest(self, similarities: Vectors, text: str) -> Moment | None:
        if not self.passages or not self.timed:
            return None
        place = int(similarities[: len(self.passages)].argmax())
        if similarities[place] < _MOMENT_SIMILARITY:
            return None
        return self._moment(place, float(similarities[place]), text)

    def _moment(self, place: int, similarity: float, text: str) -> Moment:
        """Return the segment of a passage that shares most with a result, the first of equals."""
        forms = {word.form for word in words_of([text])[0]}
        shared = [sum(value for form, value in words.items() if form in forms) for words in self.words[place]]
        segment = self.passages[place].segments[int(np.argmax(shared))]
        return Moment(start_s=segment.start_s, text=segment.text, similarity=similarity)


class VideoProfileCache:
    """Keeps the profiles of the videos seen last; a video is embedded once for each embedder."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._profiles: OrderedDict[tuple[str, bytes, VideoContext], VideoProfile] = OrderedDict()

    def profile(self, video: VideoContext, embedder: Embedder) -> VideoProfile:
        """Return the profile of *video* in vectors of *embedder*; raises EmbeddingError when it has to be made and cannot."""
        key = (embedder.name, identify(embedder), video)
        with self._lock:
            profile = self._profiles.get(key)
            if profile is not None:
                self._profiles.move_to_end(key)
                return profile
        profile = VideoProfile.of(video, embedder)
        with self._lock:
            self._profiles[key] = profile
            while len(self._profiles) > _KEPT_VIDEOS:
                self._profiles.popitem(last=False)
        return profile


def facet_texts(video: VideoContext) -> tuple[str, str, str]:
    """Return the texts that say what *video* is about; any may be empty."""
    return video.title, video.description[:_DESCRIPTION_CHARS], " ".join(video.key_terms)
