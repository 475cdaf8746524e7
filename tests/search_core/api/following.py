"""Runs of research asked for and followed over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx


@dataclass
class Told:
    """One event as it came."""

    name: str = ""
    number: int | None = None
    retry_ms: int | None = None
    body: dict[str, Any] | None = None


def frames(lines: Iterable[str]) -> Iterator[Told]:
    """Yield the events that *lines* of a stream hold, as they come; comments are passed over."""
    told = Told()
    for line in lines:
        name, _, value = line.partition(": ")
        match name:
            case "event":
                told.name = value
            case "id":
                told.number = int(value)
            case "retry":
                told.retry_ms = int(value)
            case "data":
                told.body = json.loads(value)
            case "" if not line:
                if told.body is not None:
                    yield told
                told = Told()


def stream(response: httpx.Response) -> Iterator[Told]:
    """Yield what a stream tells as it comes."""
    assert response.status_code == 200, response.read()
    assert response.headers["content-type"].startswith("text/event-stream")
    return frames(response.iter_lines())


def whole(response: httpx.Response) -> list[Told]:
    """Return what a stream tells, to its end, and hold each event to have one name."""
    told = list(stream(response))
    assert all(each.body is not None and each.body["type"] == each.name for each in told)
    return told
