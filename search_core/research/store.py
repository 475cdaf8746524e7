"""Runs of research in the database, each in the conversation it was asked in, with its plan and what it goes on from."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, Text, cast, select, update

from search_core.domain import (
    ResearchEvent,
    ResearchRequest,
    ResearchRun,
    video_key,
)
from search_core.durable_runs.store import RunStore
from search_core.research.coverage import read_coverage
from search_core.research.outcomes import PLAN, PLAN_KEY
from search_core.research.planning import Plan
from search_core.research.run_kind import RESEARCH, StoredResearch
from search_core.storage import Database
from search_core.storage.conversations import append_research
from search_core.storage.tables import RESEARCH_RUNS, RESEARCH_TABLES

_CONTINUES = re.compile(r'"continues": ?"([\w-]+)"')
"""The field as both databases write it; inside a text of the request its quotation marks would be escaped."""
_RUNS = RESEARCH_RUNS.c


class ResearchStore(RunStore[ResearchRequest, ResearchRun, ResearchEvent]):
    """Keeps runs of research."""

    kind = RESEARCH
    tables = RESEARCH_TABLES
    listed = (
        _RUNS.id,
        _RUNS.question,
        _RUNS.status,
        _RUNS.video_key,
        _RUNS.created_at,
        _RUNS.ended_at,
        _RUNS.conversation.label("conversation_id"),
    )

    def __init__(self, database: Database, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        super().__init__(database, now=now)
        self._continues: dict[str, str] = {}  # the run that each run goes on from; it never changes, and requests are long

    def _columns_of(self, request: ResearchRequest) -> dict[str, Any]:
        key = video_key(request.video) if request.video else ""
        return {"video_key": key, "conversation": request.conversation_id, "question": request.question}

    def _insert_beside(self, connection: Connection, run_id: str, request: ResearchRequest) -> None:
        if request.conversation_id:
            append_research(connection, run_id, request, self._now())

    def _known_of_request(self, row: Row[Any]) -> dict[str, Any]:
        return {"question": row.question, "owner": row.owner}

    def _read_record(self, row: Row[Any], stored: Any, request: ResearchRequest) -> ResearchRun:
        record = super()._read_record(row, stored, request)
        return record if record.coverage_lines else replace(record, coverage_lines=read_coverage(record.coverage))

    def replan(self, run_id: str, owner: str, change: Callable[[StoredResearch], tuple[ResearchRun, Plan]]) -> StoredResearch:
        """Save the run and the plan that *change* makes of a run, and return it; what *change* raises leaves all as it was."""
        with self._writing() as connection:
            record, plan = change(self._fetch_run(connection, run_id, owner, lock=True))
            written = self._write_record(record)
            connection.execute(update(RESEARCH_RUNS).where(RESEARCH_RUNS.c.id == run_id).values(record=written))
            self._put_finding(connection, run_id, PLAN_KEY, PLAN.write(plan))
            return self._fetch_run(connection, run_id)

    def _read_beside(self, connection: Connection, run_ids: Sequence[str]) -> dict[str, dict[str, str]]:
        """Return which run each of *run_ids* goes on from; even a damaged request may hold it."""
        unknown = [run_id for run_id in run_ids if run_id not in self._continues]
        for run_id, request in connection.execute(select(_RUNS.id, cast(_RUNS.request, Text)).where(_RUNS.id.in_(unknown))):
            found = _CONTINUES.search(str(request or ""))
            self._continues[run_id] = found[1] if found else ""
        return {run_id: {"continues": self._continues[run_id]} for run_id in run_ids}
