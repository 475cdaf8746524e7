"""A model behind an OpenAI-compatible ``/v1/embeddings``: text-embeddings-inference, vLLM, Ollama."""

from __future__ import annotations

import logging
import ssl
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NoReturn

import httpx
import numpy as np
from pydantic import BaseModel, ConfigDict, FiniteFloat, SecretStr, ValidationError

from search_core.embedding.embedder import TRAINED, TextKind, Vectors, prepare_texts
from search_core.errors import EmbeddingError

_log = logging.getLogger(__name__)

ANSWER_S = 8.0
"""A list of results takes under a second where the server has room; a search must not wait much longer for one that has none."""
CONNECT_S = 3.0
REST_S = 60.0
"""A server that failed cools down for so long, so that not every search waits for it."""
REQUEST_TEXTS = 32
"""What text-embeddings-inference takes in one request (its ``--max-client-batch-size``, README read 2026-11-21)."""
MAX_BYTES = 16 * 1024 * 1024
"""Far more than 32 vectors of 8,192 numbers are as JSON."""
_BLANK = "."
"""Sent for a text without content, which servers refuse; its row becomes zero."""

_MEANWHILE = " 1분 뒤에 다시 물어보고, 그동안은 내장 방식으로 채점해요."
_SILENT = "의미 분석 서버가 답하지 않아요." + _MEANWHILE
_KEY = "의미 분석 서버가 키를 받아들이지 않아요. EMBEDDING_API_KEY를 확인해 주세요." + _MEANWHILE
_ADDRESS = "의미 분석 서버에 그 주소나 모델이 없어요. EMBEDDING_BASE_URL과 EMBEDDING_MODEL을 확인해 주세요." + _MEANWHILE
_BUSY = "의미 분석 서버가 지금은 요청을 받지 않아요." + _MEANWHILE
_STRANGE = "의미 분석 서버의 답을 읽을 수 없어요." + _MEANWHILE
_BY_STATUS = {401: _KEY, 403: _KEY, 404: _ADDRESS, 429: _BUSY, 503: _BUSY}


class _Row(BaseModel):
    model_config = ConfigDict(strict=True)

    embedding: list[FiniteFloat]
    index: int | None = None


class _Answer(BaseModel):
    model_config = ConfigDict(strict=True)

    data: list[_Row]


class ServerEmbedder:
    """Embeds texts by asking a server, which many processes share; safe to use from many threads.

    After a failure ``embed`` raises at once for a minute, then the server is asked again.
    """

    label = "의미 분석 서버"
    reach = TRAINED

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        key: SecretStr | None = None,
        answer_s: float = ANSWER_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take an address ending in ``/v1`` and the model's name there; sends no request. *clock* counts seconds."""
        self.name = model
        self._address = f"{base_url.rstrip('/')}/embeddings"
        self._key = key
        self._answer_s = answer_s
        self._clock = clock
        self._rests_until = float("-inf")
        self.reason = ""
        """Korean sentence why the server failed when it was asked last; empty when it answered."""

    def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        """Return ``(n, dim)`` float32, rows of length 1; a text without content gives a zero row.

        Raises EmbeddingError when the server does not answer in time, refuses, sends what are not these vectors, or failed less
        than a minute ago.
        """
        sent = [text if text.strip() else _BLANK for text in prepare_texts(self.name, texts, kind)]
        pieces = [self._ask(sent[start : start + REQUEST_TEXTS]) for start in range(0, len(sent), REQUEST_TEXTS)]
        if len({piece.shape[1] for piece in pieces}) > 1:
            self._fail("sent vectors of different lengths", _STRANGE)
        vectors: Vectors = np.vstack(pieces) if pieces else np.zeros((0, 1), dtype=np.float32)
        vectors[[not text.strip() for text in texts]] = 0.0
        return vectors

    def embed_in_background(self, texts: Sequence[str]) -> Vectors:
        """Return what ``embed`` does of passages: a server sees to its turns itself."""
        return self.embed(texts)

    def _ask(self, texts: Sequence[str]) -> Vectors:
        if self._clock() < self._rests_until:
            raise EmbeddingError(f"The embedding server of {self.name} failed a moment ago.", korean=self.reason or _SILENT)
        try:
            status, body = self._post(texts)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            # The name of the failure only: texts of the transport may hold the address and a login in it.
            self._fail(f"cannot be asked ({type(error).__name__})", _SILENT)
        if status != httpx.codes.OK:
            self._fail(f"answered {status}", _BY_STATUS.get(status, _SILENT))
        vectors = self._read(body, len(texts))
        self.reason = ""
        return vectors

    def _post(self, texts: Sequence[str]) -> tuple[int, bytes]:
        """Return status and body; an answer that comes too slowly or is too large is a failure of the transport."""
        headers = {"Accept-Encoding": "identity"}
        if self._key is not None and self._key.get_secret_value():
            headers["Authorization"] = f"Bearer {self._key.get_secret_value()}"
        timeout = httpx.Timeout(self._answer_s, connect=min(CONNECT_S, self._answer_s))
        until = time.monotonic() + self._answer_s
        asked = {"model": self.name, "input": list(texts)}
        with (
            httpx.Client(timeout=timeout, verify=_tls_context(), headers=headers) as client,
            client.stream("POST", self._address, json=asked) as response,
        ):
            body = bytearray()
            for piece in response.iter_raw():
                body += piece
                if len(body) > MAX_BYTES:
                    raise httpx.DecodingError("an answer beyond its bound")
                if time.monotonic() > until:
                    raise httpx.ReadTimeout("an answer that comes too slowly")
            return response.status_code, bytes(body)

    def _read(self, body: bytes, count: int) -> Vectors:
        """Return the vectors of *body* in the order of the texts, each of length 1."""
        try:
            rows = _Answer.model_validate_json(body).data
        except ValidationError:
            rows = []
        places = [place if row.index is None else row.index for place, row in enumerate(rows)]
        if sorted(places) != list(range(count)):
            self._fail(f"sent no {count} vectors", _STRANGE)
        ordered = [row.embedding for _, row in sorted(zip(places, rows, strict=True), key=lambda placed: placed[0])]
        if len({len(row) for row in ordered}) != 1:
            self._fail("sent vectors of different lengths", _STRANGE)
        exact = np.array(ordered, dtype=np.float64)
        largest = np.abs(exact).max(axis=1, keepdims=True, initial=0.0)
        if not largest.all():
            self._fail("sent a vector of zeros", _STRANGE)
        exact /= largest  # the square of a large number would have no end
        vectors: Vectors = (exact / np.linalg.norm(exact, axis=1, keepdims=True)).astype(np.float32)
        return vectors

    def _fail(self, cause: str, korean: str) -> NoReturn:
        """Leave the server alone for a while; raises EmbeddingError."""
        self._rests_until = self._clock() + REST_S
        self.reason = korean
        _log.warning("The embedding server of %s %s; it is asked again in %g s", self.name, cause, REST_S)
        raise EmbeddingError(f"The embedding server of {self.name} {cause}.", korean=korean)


@lru_cache(maxsize=1)
def _tls_context() -> ssl.SSLContext:
    """Return the one TLS context for these servers; reading the authorities takes longer than a whole request nearby."""
    return httpx.create_ssl_context()
