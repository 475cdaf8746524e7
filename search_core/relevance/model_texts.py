"""Texts as a model is given them, wherever it runs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from search_core.relevance.embedder import TextKind
from search_core.relevance.words import readable

MAX_CHARS = 4000
"""More than any such model reads; spares the tokenizer."""
_E5 = re.compile(r"(^|[^a-z])(ko)?e5([^a-z0-9]|$)", re.IGNORECASE)


def prepare_texts(model: str, texts: Sequence[str], kind: TextKind) -> list[str]:
    """Return *texts* as *model* is given them, wherever it runs: readable, not endless, with its prefix."""
    return [add_prefix(model, readable(text[:MAX_CHARS]), kind) for text in texts]


def add_prefix(model: str, text: str, kind: TextKind) -> str:
    """Return *text* as *model* was trained to read it: E5 models want ``query: `` or ``passage: `` in front.

    Source: the model card of intfloat/multilingual-e5-small, read 2026-11-20.
    """
    return f"{kind}: {text}" if _E5.search(Path(model).name) else text
