"""Runs of any kind as scripts of events, published a few at each look or all at once."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from search_core.domain.video import video_key
from search_core.errors import InputError
from search_core.runs.run_kind import RunKind, RunNotFoundError, RunStateError


@dataclass
class ScriptedRun:
    """A run and its events to come."""

    run: Any
    script: Sequence[Any]
    slow: bool

    def advance(self, count: int | None = None) -> None:
        for event in self.script[:count]:
            self.run = self.run.after(event)
        self.script = [] if count is None else self.script[count:]

    def go_on(self, *script: Any) -> None:
        self.script = script
        if not self.slow:
            self.advance()


class RunsDouble:
    """Runs of one kind by scripts; ``slow`` ones publish ``pace`` events a look, others all at once."""

    kind: RunKind[Any, Any, Any]

    def __init__(self, story: str = "good") -> None:
        self.story, self.slow, self.pace = story, False, 1
        self.runs: dict[str, ScriptedRun] = {}
        self.broken = ""

    def begin(self, request: Any, script: Sequence[Any], again: Any = None) -> Any:
        """Begin a run of *request*, or one that was there *again*, by *script*."""
        if self.broken:
            raise InputError("broken", korean=self.broken)
        name, begun_at = (again.id, again.created_at) if again else (secrets.token_urlsafe(16), datetime.now(UTC))
        scripted = self.runs[name] = ScriptedRun(self.kind.begin(name, request, begun_at), script, self.slow)
        if not self.slow:
            scripted.advance()
        return scripted.run

    def scripted(self, run_id: str, owner: str) -> ScriptedRun:
        scripted = self.runs.get(run_id)
        if scripted is None or scripted.run.request.owner != owner:
            raise RunNotFoundError(self.kind.missing[0], korean=self.kind.missing[1])
        return scripted

    def get(self, run_id: str, owner: str) -> Any:
        scripted = self.scripted(run_id, owner)
        seen = scripted.run
        if scripted.slow:
            scripted.advance(self.pace)
        return seen

    def entries(self, kind: type, owner: str, **listed: Any) -> tuple[Any, ...]:
        """Return an entry of that *kind* for each run, the newest first; *listed* are functions of a run."""
        runs = [scripted.run for scripted in reversed(self.runs.values()) if scripted.run.request.owner == owner]
        more = [{name: read(run) for name, read in listed.items()} for run in runs]
        keys = [video_key(run.request.video) if run.request.video is not None else "" for run in runs]
        known = [{"id": run.id, "status": run.status, "created_at": run.created_at, "ended_at": run.ended_at} for run in runs]
        return tuple(kind(**run, video_key=key, **of) for run, key, of in zip(known, keys, more, strict=True))

    def delete(self, run_id: str, owner: str) -> None:
        status = self.scripted(run_id, owner).run.status
        if not status.ended and status.value != "planned":
            raise RunStateError("goes on", korean=self.kind.undeletable)
        del self.runs[run_id]
