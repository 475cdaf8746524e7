"""Results, videos and embedders that relevance tests are made of."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from search_core.domain.result import ScoreParts, SearchResult
from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.errors import EmbeddingError
from search_core.language.vectors import TRAINED

NOW = datetime(2026, 11, 20, tzinfo=UTC)


@pytest.fixture
def now():
    return lambda: NOW


@pytest.fixture
def hit():
    """Makes a result as a provider gives it."""

    def make(title="제목", snippet="내용", *, url="https://example.org/1", day=None, **fields):
        date = datetime(2026, 1, 1, tzinfo=UTC).replace(month=day[0], day=day[1]) if day else None
        return SearchResult(title=title, url=url, snippet=snippet, source="example.org", **{"publish_date": date, **fields})

    return make


@pytest.fixture
def keynote():
    """A short talk on chips, with two speakers' worth of transcript."""
    return VideoContext(
        title="차세대 그래픽 칩 발표",
        description="엔비디아가 메모리 대역폭을 늘린 새 그래픽 칩을 발표한다.",
        speakers=("젠슨 황",),
        organizations=("엔비디아",),
        events=("GTC",),
        key_terms=("메모리", "대역폭", "그래픽"),
        transcript=(
            TranscriptSegment(0, 20, "안녕하세요, 오늘 자리에 와 주셔서 고맙습니다."),
            TranscriptSegment(20, 40, "날씨가 좋은 날에 이렇게 많이 모였네요."),
            TranscriptSegment(60, 80, "이 칩은 메모리 대역폭을 두 배로 늘렸습니다."),
            TranscriptSegment(80, 100, "대역폭이 커지면 큰 언어 모델을 더 빨리 학습할 수 있습니다."),
            TranscriptSegment(120, 140, "다음 달에는 병원에서 쓰는 로봇을 소개하겠습니다."),
        ),
        language="ko",
    )


@pytest.fixture
def scored_hit(hit):
    """Makes a result that was measured."""

    def make(value, *, names=(), **fields):
        parts = ScoreParts(semantic_question=value, lexical=value)
        return hit(parts=parts, relevance_score=value, entity_matches=tuple(names), **fields)

    return make


class Broken:
    """Embeds nothing."""

    name, label, limits = "broken", "고장", TRAINED

    def embed(self, texts, kind="passage"):
        raise EmbeddingError("no vectors today", korean="벡터를 만들지 못했어요.")


class LetterEmbedder:
    """Embeds a text by how often it has each letter a to z; nothing to load."""

    name, version = "letters", ""
    label = "글자 세기"
    limits = TRAINED

    def __init__(self):
        self.asked = []

    def embed(self, texts, kind="passage"):
        self.asked.append((tuple(texts), kind))
        vectors = np.array([[text.count(chr(97 + place)) for place in range(26)] for text in texts], dtype=np.float32)
        vectors = vectors.reshape(len(texts), 26)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.divide(vectors, lengths, out=vectors, where=lengths > 0)


@pytest.fixture
def letters():
    return LetterEmbedder()


class Shelf:
    """Keeps vectors in a dictionary."""

    def __init__(self):
        self.kept = {}

    def get_many(self, model, texts):
        return {place: self.kept[model, text] for place, text in enumerate(texts) if (model, text) in self.kept}

    def put_many(self, model, texts, vectors):
        self.kept.update({(model, text): vector for text, vector in zip(texts, vectors, strict=True)})
