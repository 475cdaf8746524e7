"""Labelled data: the project's own beside the stages, and development sets on the machines that have them."""

from __future__ import annotations

import importlib.util
import json
import zlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from search_core.domain.video import TranscriptSegment

OWN = Path(__file__).parent / "data"
DEVELOPMENT = Path(__file__).parents[3] / "shared" / "data" / "dev"
Record = TypeVar("Record")


def read_rows(name: str) -> list[dict[str, Any]]:
    """Return the rows of ``data/NAME.jsonl``."""
    return [json.loads(line) for line in (OWN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def make_record(kind: type[Record], row: Mapping[str, Any]) -> Record:
    """Return the dataclass of a *row*: each field from the value of its name, lists as tuples."""
    return kind(**{field.name: _freeze(row[field.name]) for field in fields(kind) if field.name in row})


def _freeze(value: Any) -> Any:
    return tuple(map(_freeze, value)) if isinstance(value, list) else value


def are_present() -> bool:
    """Tell whether the development sets are on this machine; where they are not only what ships is measured."""
    return (DEVELOPMENT / "loaders.py").exists()


def loaders() -> Any:
    """Return the module that reads the development sets."""
    spec = importlib.util.spec_from_file_location("development_loaders", DEVELOPMENT / "loaders.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read_articles() -> tuple[dict[str, str], dict[str, list[str]], dict[str, list[dict[str, Any]]]]:
    """Return KorQuAD's paragraphs by name, and of each article the names of its paragraphs and the questions with an answer."""
    corpus, questions = loaders().retrieval("korquad1_dev", "dev")
    paragraphs: defaultdict[str, list[str]] = defaultdict(list)
    answered: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for name in corpus:
        paragraphs[name.rpartition("#")[0]].append(name)
    for row in questions:
        if row["rel"]:
            answered[row["article"]].append(row)
    return corpus, paragraphs, answered


def part_of(name: object, parts: int) -> int:
    """Return to which of so many *parts* a *name* belongs, the same in every run."""
    return zlib.crc32(str(name).encode()) % parts


def spread(rows: Iterable[Any], most: int) -> list[Any]:
    """Return at most so many of *rows*, at even distances."""
    listed = list(rows)
    return listed[:: max(1, len(listed) // most)][:most]


def under(place: str, figures: Mapping[str, float]) -> dict[str, float]:
    """Return *figures* with *place* before their names."""
    return {f"{place}/{name}": value for name, value in figures.items()}


def share(right: Iterable[bool]) -> float:
    """Return the share of what is right."""
    outcomes = list(right)
    return sum(outcomes) / len(outcomes)


def share_or_all(right: Iterable[bool]) -> float:
    """Return the share of what is right, 1 of nothing."""
    outcomes = list(right)
    return share(outcomes) if outcomes else 1.0


def f1(right: int, told: int, there: int) -> float:
    """Return F1 from three counts: found rightly, found, and to be found."""
    return 2 * right / max(told + there, 1)


def segments_of(spoken: Iterable[Sequence[Any]]) -> tuple[TranscriptSegment, ...]:
    """Return segments of triples of start, end and text."""
    return tuple(TranscriptSegment(float(start), float(end), text) for start, end, text in spoken)


def read_day(day: str) -> datetime | None:
    """Return the moment a day begins, none for no day."""
    return datetime.fromisoformat(day).replace(tzinfo=UTC) if day else None
