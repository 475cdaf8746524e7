"""Texts are embedded while services are waited for, as they will be scored."""

from __future__ import annotations

import pytest

from search_core.embedding.cached_embedder import CachedEmbedder
from search_core.ranking import EmbeddingPrefetch, RelevanceFilter
from tests.search_core.ranking.conftest import Broken, LetterEmbedder, Shelf


@pytest.fixture
def ahead():
    """Makes an EmbeddingPrefetch over an embedder, and closes it."""
    made = []

    def make(embedder) -> EmbeddingPrefetch:
        made.append(EmbeddingPrefetch(lambda: embedder))
        return made[-1]

    yield make
    for each in made:
        each.close()


def test_scoring_embeds_nothing_that_was_embedded_ahead(ahead, hit, keynote, now):
    """Results and video alike: only the question is left."""
    letters, shelf = LetterEmbedder(), Shelf()
    letters.name = "letters-ahead"
    cached = CachedEmbedder(letters, shelf)
    results = [hit("bandwidth of memory", "chips are fast"), hit("tulips", "flowers in may " * 400)]
    early = ahead(cached)
    early.take_video(keynote)
    early.take_results(results)
    early.take_results([])
    early._thread.shutdown(wait=True)
    before = len(letters.asked)
    RelevanceFilter(cached, now=now).score(results, "how fast is memory", keynote)
    assert [kind for _, kind in letters.asked[before:] if kind == "passage"] in ([], ["passage"])  # calibration alone
    texts = {text for asked, kind in letters.asked[before:] for text in asked if kind == "passage"}
    assert not any(result.title in text for result in results for text in texts)
    assert not any(segment.text in text for segment in keynote.transcript for text in texts)


def test_a_video_is_embedded_once_in_a_row(ahead, hit, keynote):
    """A second question about it costs nothing; nothing is raised after closing, or by a model that fails."""
    letters = LetterEmbedder()
    letters.name = "letters-once"
    early = ahead(letters)
    early.take_video(keynote)
    early.take_video(keynote)
    early.take_video(None)
    early._thread.shutdown(wait=True)
    early.close()
    early.take_results([hit()])
    assert [kind for _, kind in letters.asked] == ["query", "passage"]  # what distinguishes the embedder, then the video
    failing = ahead(CachedEmbedder(Broken(), Shelf()))
    failing.take_results([hit()])
    failing.take_video(keynote)
    failing._thread.shutdown(wait=True)
