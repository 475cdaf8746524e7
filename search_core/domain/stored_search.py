"""A stored search, and the labels of its results."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from search_core.domain.report import SearchReport

HASHED = "hash:"
"""Begins the address of a result whose texts may not be stored: what follows is the digest of its address."""


class Label(StrEnum):
    """Says whether a result bears on the question; an unsure one counts neither way."""

    RELEVANT = "relevant"
    UNSURE = "unsure"
    NOT_RELEVANT = "not_relevant"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSearchEntry:
    """A stored search as a list shows it."""

    id: str
    query: str
    video_key: str
    """Empty for a search without a video."""
    video_title: str
    created_at: datetime
    labels: int
    """How many results are labelled."""
    sample: bool = False
    """Whether it ships with the app."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSearch:
    """A stored search with its results and labels."""

    entry: StoredSearchEntry
    report: SearchReport
    """Without its video; results of services whose terms forbid keeping them have no texts and a hashed address."""
    labels: Mapping[str, Label] = field(default_factory=dict)
    """By `result_key`."""


def result_key(address: str) -> str:
    """Return the key under which the result at *address* is labelled, the same before and after it was hashed."""
    if address.startswith(HASHED):
        return address.removeprefix(HASHED)
    return hashlib.sha256(address.encode("utf-8", "replace")).hexdigest()[:32]
