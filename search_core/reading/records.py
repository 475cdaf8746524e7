"""Documents in JSON: one object, a list of them, or one on each line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

_TITLES = ("title", "headline", "name", "subject", "제목")
_TEXTS = ("text", "content", "body", "contents", "article", "passage", "description", "snippet", "본문", "내용")
_URLS = ("url", "link", "href", "canonical_url")
_DATES = ("date", "published", "published_at", "publish_date", "pub_date", "created_at", "날짜")
_SOURCES = ("source", "publisher", "site", "outlet", "출처")
_IDS = ("id", "_id", "doc_id", "docid", "uuid")
_LISTS = ("documents", "docs", "articles", "items", "results", "data", "records")


class Record(NamedTuple):
    """One document as JSON gives it."""

    title: str
    text: str
    url: str
    published: Any
    source: str
    language: str
    mark: str
    """Tells it from its neighbours in the file: its id, or its 1-based place."""


def read_records(text: str) -> Iterator[Record]:
    """Yield the documents in JSON or JSON lines *text*; objects without text are passed over.

    Raises ValueError when *text* is neither, or holds no document.
    """
    found = False
    for place, entry in enumerate(_entries(text), start=1):
        if isinstance(entry, str):
            entry = {"text": entry}
        body = _text(entry, _TEXTS) if isinstance(entry, dict) else ""
        if body.strip():
            found = True
            identity = next((str(entry[name]) for name in _IDS if isinstance(entry.get(name), (str, int))), str(place))
            yield Record(
                title=_text(entry, _TITLES).strip(),
                text=body.strip(),
                url=_text(entry, _URLS).strip(),
                published=next((entry[name] for name in _DATES if entry.get(name)), None),
                source=_text(entry, _SOURCES).strip(),
                language=_text(entry, ("language", "lang")).strip().lower()[:2],
                mark=identity,
            )
    if not found:
        raise ValueError("no document with text in the JSON file")


def _entries(text: str) -> list[Any]:
    try:
        value = json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    except ValueError as error:
        return _lines(text, error)
    if isinstance(value, dict):
        inner = next((value[name] for name in _LISTS if isinstance(value.get(name), list)), None)
        return inner if inner is not None and not _text(value, _TEXTS) else [value]
    if isinstance(value, list):
        return value
    raise ValueError("neither an object nor a list")


def _lines(text: str, whole: ValueError) -> list[Any]:
    """Return one value a line; a line that is none is passed over as long as there are others."""
    entries = []
    for line in text.split("\n"):
        if line.strip():
            try:
                entries.append(json.loads(line))
            except (ValueError, RecursionError):
                continue
    if not any(isinstance(entry, dict) for entry in entries):
        raise whole
    return entries


def _text(entry: dict[str, Any], names: tuple[str, ...]) -> str:
    for name in names:
        value = entry.get(name)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
            return "\n\n".join(value)
    return ""
