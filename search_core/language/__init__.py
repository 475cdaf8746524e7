"""Reads texts: Korean morphemes, names, sentences, dates, web addresses, invisible characters."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files


def data_lines(name: str) -> list[str]:
    """Return the lines of the shipped file called *name*, without comments and empty ones."""
    text = files(__name__).joinpath(f"data/{name}").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def word_set(text: str) -> frozenset[str]:
    """Return the words of *text*, which are split by white space."""
    return frozenset(text.split())


@cache
def word_lists(name: str) -> Mapping[str, frozenset[str]]:
    """Return the word lists of the shipped file called *name*, each by the title in brackets above it."""
    _, *parts = "\n".join(["", *data_lines(name)]).split("\n[")
    return {title: word_set(text) for title, _, text in (part.partition("]") for part in parts)}
