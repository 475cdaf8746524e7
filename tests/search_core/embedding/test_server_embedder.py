"""Scoring by a server of the embedding model, played on loopback."""

from __future__ import annotations

import json
import logging
from types import SimpleNamespace

import numpy as np
import pytest
from pydantic import SecretStr

from search_core.domain import DegradedPart
from search_core.embedding import EmbedderHost, KiwiEmbedder, ServerEmbedder
from search_core.embedding.host import CachedEmbedder
from search_core.embedding.server_embedder import MAX_BYTES, REST_S
from search_core.errors import EmbeddingError
from search_core.ranking import RelevanceFilter
from search_core.settings import Settings
from search_core.storage import VectorCache
from search_core.wiring import build_components
from tests.loopback.embeddings import backwards, by_letters, embeddings, whole
from tests.loopback.language_model import KEY, REFUSALS, LanguageModelServer, Whole, dripping

PATIENT_S = 60.0
"""No test waits so long; a busy machine may."""


@pytest.fixture(scope="module")
def running():
    with LanguageModelServer() as server:
        yield server


@pytest.fixture
def server(running):
    running.embed = by_letters
    running.asked.clear()
    running.left.clear()
    return running


@pytest.fixture
def clock():
    return SimpleNamespace(now=0.0)


@pytest.fixture
def made(server, clock):
    """Makes an embedder that asks the played server."""

    def make(model="letters", **options):
        given = {"key": SecretStr(KEY), "answer_s": PATIENT_S, "clock": lambda: clock.now, **options}
        return ServerEmbedder(server.url, model, **given)

    return make


def test_texts_become_vectors_of_length_one(server, made):
    """The model is asked for, with the key if there is one, as it was trained; rows are scaled and ordered by their index."""
    vectors = made().embed(["aab", "d"])
    assert vectors.dtype == np.float32
    assert vectors == pytest.approx(np.array([[2, 1, 0, 0, 1], [0, 0, 0, 1, 1]]) / np.sqrt([[6], [2]]), abs=1e-6)
    (asked,) = server.asked
    assert (asked.path, asked.key) == ("/v1/embeddings", f"Bearer {KEY}")
    assert asked.body == {"model": "letters", "input": ["aab", "d"]}
    server.embed = backwards
    assert np.array_equal(made(key=SecretStr("")).embed(["aab", "d"]), vectors)
    assert server.asked[1].key is None
    made("intfloat/multilingual-e5-small").embed(["a"], "query")
    assert server.asked[2].body["input"] == ["query: a"]


def test_many_texts_go_in_batches(server, made):
    """No request holds more than 32 texts, and the rows come back in their order."""
    texts = ["a" * count for count in range(1, 71)]
    vectors = made().embed(texts)
    assert [len(asked.body["input"]) for asked in server.asked] == [32, 32, 6]
    assert vectors[:, 0] / vectors[:, 4] == pytest.approx(np.arange(1, 71), rel=1e-3)


def test_blank_texts_are_zero_and_never_sent_empty(server, made):
    """Servers refuse empty texts; a text without content gives a row of zeros, and an empty list no request."""
    vectors = made().embed(["", " \n", "a"])
    assert all(text.strip() for text in server.asked[0].body["input"])
    assert vectors.shape == (3, 5)
    assert not vectors[:2].any()
    assert vectors[2].any()
    assert made().embed([]).shape[0] == 0
    assert len(server.asked) == 1


ROW = {"index": 0, "embedding": [1.0, 2.0]}
STRANGE = {
    "one too few": embeddings([[1.0, 2.0]]),
    "one twice": whole({"data": [ROW, ROW]}),
    "not a number": embeddings([[1.0, float("nan")], [1.0, 2.0]]),
    "texts": embeddings([["1", "2"], ["1", "2"]]),
    "of two lengths": embeddings([[1.0, 2.0], [1.0]]),
    "zeros": embeddings([[0.0, 0.0], [1.0, 2.0]]),
    "half": Whole(200, "application/json", b'{"data": [{"index": 0, "embed'),
    "endless": Whole(200, "application/json", embeddings([[1.0, 2.0]] * 2).body + b" " * MAX_BYTES),
}


def test_an_answer_that_is_no_vectors_is_a_failure(server, made):
    """Whatever is not two vectors of finite numbers is an EmbeddingError with a Korean sentence."""
    for name, answer in STRANGE.items():
        server.embed = lambda _, answer=answer: answer
        embedder = made()
        with pytest.raises(EmbeddingError) as caught:
            embedder.embed(["a", "b"])
        assert caught.value.korean == embedder.reason != "", name


@pytest.mark.parametrize("name", REFUSALS)
def test_a_refusal_is_a_failure_that_reveals_no_key(server, made, caplog, name):
    """A refusal is reported by its number; neither log nor error holds the key or texts that the server repeats."""
    server.embed = REFUSALS[name]
    with caplog.at_level(logging.DEBUG), pytest.raises(EmbeddingError, match=r"answered (401|429|500|503)") as caught:
        made().embed(["a private question"])
    written = f"{caught.value}{caught.value.korean}{caught.value.__cause__}{caplog.text}"
    assert "asked again in 60 s" in written
    assert KEY not in written
    assert "private" not in written
    assert ("EMBEDDING_API_KEY" in caught.value.korean) is (name == "bad key")


def test_a_wrong_address_is_named(server, made):
    """The Korean sentence says which setting to look at."""
    server.embed = lambda _: Whole(404, "text/plain", b"no")
    with pytest.raises(EmbeddingError) as caught:
        made().embed(["a"])
    assert "EMBEDDING_BASE_URL" in caught.value.korean


def test_a_server_that_is_silent_or_drips_is_not_waited_for(server, made):
    """The wait for an answer ends, also for one that keeps coming."""
    server.released.clear()
    try:
        with pytest.raises(EmbeddingError, match="ReadTimeout"):
            made(answer_s=0.2).embed(["a"])
    finally:
        server.released.set()
    server.embed = dripping(server, "a" * 100_000, 0.02)
    with pytest.raises(EmbeddingError, match="ReadTimeout"):
        made(answer_s=0.3).embed(["a"])
    assert server.left.wait(PATIENT_S)


@pytest.mark.parametrize("address", ["http://user:planted-login@127.0.0.1:1/v1", "http://[/v1"])
def test_an_address_where_nobody_is_fails(address):
    """An address that leads nowhere is a failure, and its login is told to nobody."""
    with pytest.raises(EmbeddingError, match="cannot be asked") as caught:
        ServerEmbedder(address, "m", answer_s=5).embed(["a"])
    assert "planted-login" not in f"{caught.value}{caught.value.__cause__}"


def test_a_server_that_failed_is_left_alone_for_a_minute(server, made, clock):
    """Nobody waits for it meanwhile; after the minute it is asked again, and its failure is forgotten when it answers."""
    server.embed = REFUSALS["overloaded"]
    embedder = made()
    for now in (0.0, REST_S - 1):
        clock.now = now
        with pytest.raises(EmbeddingError):
            embedder.embed(["a"])
    assert len(server.asked) == 1
    server.embed = by_letters
    clock.now = REST_S
    assert embedder.embed(["a"]).shape == (1, 5)
    assert embedder.reason == ""


def test_another_model_under_the_same_name_is_noticed(server, made, tmp_path):
    """Vectors of another length than those before are a failure, not a comparison of the two; the next time all are new ones."""
    cache = VectorCache(tmp_path)
    embedder = CachedEmbedder(made(), cache)
    embedder.embed(["a"])
    server.embed = lambda asked: embeddings([[1.0, 2.0]] * len(asked.body["input"]))
    with pytest.raises(EmbeddingError, match="of 5 numbers before and gives 2 now"):
        embedder.embed(["a", "b"])
    assert embedder.embed(["a", "c"]).shape == (2, 2)
    cache.close()


def test_a_search_says_that_the_server_did_not_score(server, made, hit, now):
    """Results are scored by the server; while it fails it is not asked again, the embedded scorer scores, and it is said."""
    host = EmbedderHost(model="letters", server=made())
    host.start()
    results = [hit("메모리 대역폭", "대역폭이 두 배가 됐다"), hit("날씨", "맑다", url="https://example.org/2")]

    def search():
        return RelevanceFilter(host.current(), now=now, fallback=KiwiEmbedder()).score(results, "메모리 대역폭")

    assert (search().scorer, search().degradations) == ("letters", ())
    assert (host.state().state, host.state().label) == ("ready", "의미 분석 서버")
    server.embed = REFUSALS["bad key"]
    asked = len(server.asked)
    for _ in range(2):
        scored = search()
        assert scored.scorer == "kiwi"
        assert [degradation.part for degradation in scored.degradations] == [DegradedPart.SCORING]
        assert scored.results[0].relevance_score > scored.results[1].relevance_score
    assert len(server.asked) == asked + 1
    assert (host.state().state, host.state().name) == ("failed", "kiwi")
    assert "EMBEDDING_API_KEY" in host.state().detail
    assert EmbedderHost(model="kiwi", server=made()).current().name == "kiwi"


def test_the_settings_lead_to_the_server(server, tmp_path):
    """With an address in the settings the app asks the server there, by the name of the model and with the key."""
    settings = Settings(
        maekrak_data_dir=tmp_path,
        search_providers="library",
        library_samples=False,
        embedding_base_url=f"{server.url}/",
        embedding_api_key=f" {KEY} ",
        embedding_model="letters",
    )
    house = build_components(settings)
    assert house.embedders.current().embed(["a"]).shape == (1, 5)
    assert (server.asked[-1].key, json.dumps(server.asked[-1].body)) == (f"Bearer {KEY}", '{"model": "letters", "input": ["a"]}')
    house.vectors.close()
    assert KEY not in repr(settings)
