"""Word lists written as running text."""

from __future__ import annotations

from collections.abc import Mapping


def words(text: str) -> frozenset[str]:
    """Return the words of *text*, which are split by white space."""
    return frozenset(text.split())


def weights_of(groups: Mapping[float, str]) -> dict[str, float]:
    """Return the weight of each word in *groups*, which have one text of words for each weight."""
    return {word: weight for weight, text in groups.items() for word in text.split()}
