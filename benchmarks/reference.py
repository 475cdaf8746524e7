"""Figures that are kept in git, so that a run says what has become slower.

Only ratios are kept: of two things timed in one run, or of a time to that of a fixed calculation on the same machine.
"""

from __future__ import annotations

import json
import os
import platform
import time
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

REFERENCE = Path(__file__).with_name("reference.json")
SLOWER = 1.15
"""What is worse by more than this is named."""
_noted: dict[str, float] = {}


def note(name: str, ratio: float) -> None:
    """Note a *ratio* of this run, which is the better the smaller it is."""
    _noted[name] = round(ratio, 3)


def note_time(name: str, seconds: float) -> None:
    """Note a time in units of what a fixed calculation takes of a processor on this machine."""
    note(name, seconds / unit_s())


@cache
def unit_s() -> float:
    """Return the seconds of a processor that the fixed calculation takes, the shortest of several tries."""
    return min(_calculate() for _ in range(9))


def _calculate() -> float:
    began = time.process_time()
    words = {str(number * 7919 % 100_003): number for number in range(60_000)}
    read = json.loads(json.dumps(words))
    assert sum(len(word) + value for word, value in sorted(read.items())) > 0
    return time.process_time() - began


def compare() -> str:
    """Return in a line each what is worse than in the reference by more than a seventh, and what it lacks."""
    kept: dict[str, float] = _read().get("figures", {})
    lines = [
        f"slower: {name} {kept[name]:g} -> {figure:g} ({figure / kept[name]:.2f})"
        for name, figure in _noted.items()
        if name in kept and figure > SLOWER * kept[name]
    ]
    lines += [f"not in the reference: {name} {figure:g}" for name, figure in _noted.items() if name not in kept]
    good = sum(name in kept and figure <= SLOWER * kept[name] for name, figure in _noted.items())
    return "\n".join([*lines, f"{good} of {len(_noted)} figures are within {SLOWER:g} of the reference"]) if _noted else ""


def keep() -> None:
    """Put the figures of this run into the reference, beside those of benchmarks that were not run."""
    figures = {**_read().get("figures", {}), **_noted}
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, {datetime.now(UTC):%Y-%m-%d}"
    text = json.dumps({"machine": machine, "unit_s": round(unit_s(), 4), "figures": dict(sorted(figures.items()))}, indent=2)
    REFERENCE.write_text(f"{text}\n", encoding="utf-8")


def _read() -> dict[str, Any]:
    return dict(json.loads(REFERENCE.read_text(encoding="utf-8"))) if REFERENCE.exists() else {}
