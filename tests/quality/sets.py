"""Labelled data: the project's own beside the stages, and development sets on the machines that have them."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

OWN = Path(__file__).parent / "data"
DEVELOPMENT = Path(__file__).parents[3] / "shared" / "data" / "dev"


def read_rows(name: str) -> list[dict[str, Any]]:
    """Return the rows of ``data/NAME.jsonl``."""
    return [json.loads(line) for line in (OWN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


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


def spread(rows: Iterable[Any], most: int) -> list[Any]:
    """Return at most so many of *rows*, at even distances."""
    listed = list(rows)
    return listed[:: max(1, len(listed) // most)][:most]


def share(right: Iterable[bool]) -> float:
    """Return the share of what is right."""
    outcomes = list(right)
    return sum(outcomes) / len(outcomes)


def share_or_all(right: Iterable[bool]) -> float:
    """Return the share of what is right, 1 where nothing was told."""
    outcomes = list(right)
    return share(outcomes) if outcomes else 1.0


def f1(right: int, told: int, there: int) -> float:
    """Return the harmonic mean of precision and recall of so many right ones, of those told and of those there are."""
    return 2 * right / max(told + there, 1)


def read_day(day: str) -> datetime | None:
    """Return the moment a day begins, none for no day."""
    return datetime.fromisoformat(day).replace(tzinfo=UTC) if day else None
