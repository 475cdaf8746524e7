"""Embedding models on loopback: what ``LanguageModelServer.embed`` may be set to."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from tests.loopback.language_model import Asked, Whole


def embeddings(vectors: Sequence[Sequence[float]], **fields: Any) -> Whole:
    """Return an answer with *vectors*, in their order."""
    data = [{"object": "embedding", "index": place, "embedding": list(vector)} for place, vector in enumerate(vectors)]
    return whole({"object": "list", "data": data, "model": "played", "usage": {"total_tokens": 1}, **fields})


def whole(body: Any) -> Whole:
    """Return an answer of any shape as JSON; NaN is written as Python writes it."""
    return Whole(200, "application/json", json.dumps(body).encode())


def by_letters(asked: Asked) -> Whole:
    """Embed a text by how often it has each of the letters a to d, and a one."""
    return embeddings([[*(text.count(letter) for letter in "abcd"), 1] for text in asked.body["input"]])


def backwards(asked: Asked) -> Whole:
    """Embed as ``by_letters``, the last text first."""
    return whole({"data": json.loads(by_letters(asked).body)["data"][::-1]})
