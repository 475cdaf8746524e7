"""The subject of a video as vectors, computed once for each video."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np

from search_core.domain.result import Moment
from search_core.domain.video import TranscriptPassage, TranscriptSegment, VideoContext
from search_core.language.entities import EntityMatcher, aliases_in
from search_core.language.vectors import Embedder, Vectors
from search_core.language.words import rarity, words_of
from search_core.runtime import Lazy, Recent
from search_core.search.ranking.meaning import EmbeddedTexts, Languages, languages_of
from search_core.video.passages import passages_of
from search_core.video.sentences import spoken_sentences

_SENTENCES_CHARS = 150_000
"""Longest transcript that is split into sentences (six hours of Korean, in four seconds); longer ones keep their captions."""
_MOMENT_CHARS = 240
"""Most characters of a moment's text beside a result; English without punctuation is cut here."""
_DESCRIPTION_CHARS = 600
"""Descriptions open with what the video is about and end in links and thanks."""
_MOMENT_SIMILARITY = 0.3
"""Least similarity of a passage to be shown as a result's moment; below it the likeness is no more than chance."""
_KEPT_VIDEOS = 8


@dataclass(frozen=True, slots=True)
class VideoProfile:
    """Holds a video's passages as vectors, and its names."""

    passages: tuple[TranscriptPassage, ...]
    sentences: tuple[tuple[TranscriptSegment, ...], ...]
    """The sentences in each passage; empty for text without times and for a very long transcript."""
    vectors: Vectors
    languages: Languages
    """The language of each passage."""
    names: EntityMatcher

    @classmethod
    def of(cls, video: VideoContext, embedder: Embedder) -> VideoProfile:
        """Embed *video*; raises EmbeddingError when the embedder cannot."""
        passages = passages_of(video.transcript)
        texts = [passage.text for passage in passages]
        vectors = embedder.embed(texts)
        short = sum(len(text) for text in texts) <= _SENTENCES_CHARS
        sentences = [*spoken_sentences(video.transcript, longest=_MOMENT_CHARS)] if short and video.timed else []
        starts, ends = [line.start_s for line in sentences], [line.end_s for line in sentences]
        within = [
            slice(
                min(bisect_right(ends, passage.start_s), bisect_left(starts, passage.start_s)),
                max(bisect_left(starts, passage.end_s), bisect_right(starts, passage.segments[-1].start_s)),
            )
            for passage in passages
        ]
        by_passage = tuple(tuple(sentences[part]) for part in within)
        aliases = aliases_in(f"{video.title}\n{video.description}")
        names = EntityMatcher([*video.speakers, *video.organizations, *video.events], aliases=aliases)
        return cls(passages, by_passage, vectors, languages_of(texts), names)

    def moments(self, meaning: EmbeddedTexts, texts: Sequence[str]) -> list[Moment | None]:
        """Return for each result the moment of the nearest passage, if it is near enough."""
        if not self.passages:
            return [None] * len(texts)
        similarities = meaning.to_passages(self.vectors, self.languages)
        return [self._nearest(row, text) for row, text in zip(similarities, texts, strict=True)]

    def _nearest(self, similarities: Vectors, text: str) -> Moment | None:
        """Return the sentence of the nearest passage that shares most with a result."""
        place = int(similarities.argmax())
        sentences = self.sentences[place] or [caption for caption in self.passages[place].segments if caption.end_s > 0]
        if similarities[place] < _MOMENT_SIMILARITY or not sentences:
            return None
        forms, *spoken = ({word.form: rarity(word) for word in words} for words in words_of([text, *(s.text for s in sentences)]))
        shared = [sum(value for form, value in words.items() if form in forms) for words in spoken]
        sentence = sentences[int(np.argmax(shared))]
        return Moment(start_s=sentence.start_s, text=sentence.text, similarity=float(similarities[place]))


_profiles: Recent[tuple[str, VideoContext], Lazy[VideoProfile]] = Recent(_KEPT_VIDEOS)
"""Profiles of the videos that were asked about last."""
_adding = Lock()


def profile_of(video: VideoContext, embedder: Embedder) -> VideoProfile:
    """Return *video*'s profile by *embedder*, computed once, for all who ask meanwhile; raises EmbeddingError."""
    return _find_profile(video, embedder)()


def prepare_profile(video: VideoContext, embedder: Embedder) -> None:
    """Compute *video*'s profile unless another thread does; raises EmbeddingError."""
    profile = _find_profile(video, embedder)
    if not profile.under_way:
        profile()


def _find_profile(video: VideoContext, embedder: Embedder) -> Lazy[VideoProfile]:
    key = (embedder.name, video)
    with _adding:
        if (profile := _profiles.get(key)) is None:
            _profiles.put(key, profile := Lazy(lambda: VideoProfile.of(video, embedder)))
    return profile


def facet_texts(video: VideoContext) -> tuple[str, str, str]:
    """Return three texts that say what *video* is about: title, description and key terms; any may be empty."""
    return video.title, video.description[:_DESCRIPTION_CHARS], " ".join(video.key_terms)
