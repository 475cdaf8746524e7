"""Runs of research in the database, each in the conversation it was asked in, with its plan and what it goes on from."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, Text, cast, select, update

from search_core.domain import (
    ResearchEnded,
    ResearchEntry,
    ResearchEvent,
    ResearchFailed,
    ResearchMetrics,
    ResearchRequest,
    ResearchRun,
    ResearchStatus,
    StatusChanged,
    video_key,
)
from search_core.durable_runs.run_format import RunFormat
from search_core.durable_runs.store import RunStore
from search_core.research.coverage import read_coverage
from search_core.research.errors import ResearchNotFoundError
from search_core.research.planning import Plan
from search_core.research.stored_research import StoredResearch
from search_core.storage import Database
from search_core.storage.conversations import append_research
from search_core.storage.json_codec import JsonCodec
from search_core.storage.tables import RESEARCH_RUNS, RESEARCH_TABLES

_CONTINUES = re.compile(r'"continues": ?"([\w-]+)"')
"""The field as both databases write it; inside a text of the request its quotation marks would be escaped."""
PLAN = JsonCodec(Plan)
PLAN_KEY = "plan"
"""Key of the finding that is the plan."""
_UNREADABLE = ResearchFailed(
    kind="StorageError",
    description="Parts of what is kept of the run cannot be read.",
    korean="저장된 조사의 일부를 읽지 못했어요. 같은 질문을 다시 조사해 주세요.",
)
_GIVEN_UP = ResearchFailed(
    kind="Interrupted",
    description="The run was interrupted again and again and is not taken up any more.",
    korean="조사가 여러 번 중단되어서 더 이어 가지 않아요. ‘이어서’를 누르면 찾은 자료에서 다시 시작해요.",
)
_STOPPED_UNSAVED = ResearchFailed(
    kind="StorageError",
    description="The run was stopped while its database could not be written; it is saved as soon as that is possible.",
    korean="저장소에 쓸 수 없는 동안 조사를 멈췄어요. 여기까지 찾은 내용은 다시 쓸 수 있게 되면 저장해요.",
)


def _begin(run_id: str, request: ResearchRequest, at: datetime) -> ResearchRun:
    return ResearchRun(id=run_id, request=request, created_at=at)


def _end(status: str, at: datetime) -> ResearchEvent:
    return ResearchEnded(status=ResearchStatus(status), metrics=ResearchMetrics(), at=at)


def _damaged(run: ResearchRun) -> ResearchRun:
    return replace(run, status=ResearchStatus.FAILED, failures=(*run.failures, _UNREADABLE))


FORMAT: RunFormat[ResearchRequest, ResearchRun, ResearchEvent] = RunFormat(
    statuses=ResearchStatus,
    requests=JsonCodec(ResearchRequest),
    runs=JsonCodec(ResearchRun),
    begin=_begin,
    status_event=StatusChanged,
    end_event=ResearchEnded,
    end=_end,
    given_up=_GIVEN_UP,
    stopped_unsaved=_STOPPED_UNSAVED,
    damaged=_damaged,
)


class ResearchStore(RunStore[ResearchRequest, ResearchRun, ResearchEvent]):
    """Keeps runs of research; those that name an owner raise ResearchNotFoundError when the owner has no such run."""

    format = FORMAT
    tables = RESEARCH_TABLES
    not_found = ResearchNotFoundError

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

    def entries(self, owner: str, video_key: str | None = None, conversation_id: str | None = None) -> tuple[ResearchEntry, ...]:
        """Return the runs of *owner*, newest first; only those about one video, or asked in one conversation, that is named."""
        columns = RESEARCH_RUNS.c
        conversation = columns.conversation.label("conversation_id")
        wanted = select(
            columns.id, columns.question, columns.status, columns.video_key, columns.created_at, columns.ended_at, conversation
        ).where(columns.owner == owner)
        if video_key is not None:
            wanted = wanted.where(columns.video_key == video_key)
        if conversation_id is not None:
            wanted = wanted.where(columns.conversation == conversation_id)
        with self._database.reading() as connection:
            rows = connection.execute(wanted.order_by(columns.created_at.desc(), columns.id)).all()
            self._learn_continued(connection, [row.id for row in rows])
        known, status = self._continues, self.format.status
        return tuple(ResearchEntry(**{**row._mapping, "status": status(row.status)}, continues=known[row.id]) for row in rows)

    def _learn_continued(self, connection: Connection, ids: Sequence[str]) -> None:
        """Store which run each of *ids* continues, where that is not stored yet; even a damaged request may hold it."""
        columns = RESEARCH_RUNS.c
        unknown = [run_id for run_id in ids if run_id not in self._continues]
        for run_id, request in connection.execute(select(columns.id, cast(columns.request, Text)).where(columns.id.in_(unknown))):
            found = _CONTINUES.search(str(request or ""))
            self._continues[run_id] = found[1] if found else ""
