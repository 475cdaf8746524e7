"""Runs of research in the database: their requests, findings and commands, and the whole of each run once it has ended."""

from __future__ import annotations

import re
import secrets
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from sqlalchemy import Connection, Row, Text, cast, delete, func, insert, literal, select, update

from search_core.domain import ResearchEntry, ResearchFailed, ResearchRequest, ResearchRun, ResearchStatus, video_key
from search_core.research.control import Command, CommandKind
from search_core.research.coverage import read_coverage
from search_core.research.errors import ResearchNotFoundError
from search_core.research.planning import Plan
from search_core.research.stored_run import RunProgress, StoredRun, new_workflow_id
from search_core.storage import Database
from search_core.storage.conversations import append_research
from search_core.storage.json_codec import JsonCodec
from search_core.storage.tables import RESEARCH_COMMANDS, RESEARCH_FINDINGS, RESEARCH_RUNS

_RUN = JsonCodec(ResearchRun)
_REQUEST = JsonCodec(ResearchRequest)
_CONTINUES = re.compile(r'"continues": ?"([\w-]+)"')
"""The field as both databases write it; in a text of the request its quotation marks would stand behind backslashes."""
PLAN = JsonCodec(Plan)
PLAN_KEY = "plan"
"""Key of the finding that is the plan."""
_UNREADABLE = ResearchFailed(
    kind="StorageError",
    description="Parts of what is kept of the run cannot be read.",
    korean="저장된 조사의 일부를 읽지 못했어요. 같은 질문을 다시 조사해 주세요.",
)


class ResearchStore:
    """Keeps runs; safe to use from many threads and processes, every transaction is short.

    Every method raises StorageError when the database cannot be used. Those that name an owner raise ResearchNotFoundError when
    the owner has no such run.
    """

    def __init__(self, database: Database, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._database = database
        self._now = now
        self._continues: dict[str, str] = {}  # the run that each run goes on from; it never changes, and requests are long
        self._turn = nullcontext() if database.shared else threading.Lock()
        """SQLite has one writer at a time, and lets the others sleep."""

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._turn, self._database.writing() as connection:
            yield connection

    def create(self, request: ResearchRequest) -> StoredRun:
        """Insert a run with its first workflow, and into its conversation, with the findings of a run that it continues."""
        run_id = secrets.token_urlsafe(16)
        with self._writing() as connection:
            connection.execute(
                insert(RESEARCH_RUNS).values(
                    id=run_id,
                    owner=request.owner,
                    video_key=video_key(request.video) if request.video else "",
                    conversation=request.conversation_id,
                    question=request.question,
                    status=ResearchStatus.QUEUED.value,
                    request=_REQUEST.write(request),
                    legs=[new_workflow_id(run_id)],
                    begun=0,
                    created_at=self._now(),
                )
            )
            if request.continues:
                _ = _fetch(connection, request.continues, request.owner)
                found = select(literal(run_id), RESEARCH_FINDINGS.c.key, RESEARCH_FINDINGS.c.body)
                connection.execute(
                    insert(RESEARCH_FINDINGS).from_select(
                        ["run", "key", "body"], found.where(RESEARCH_FINDINGS.c.run == request.continues)
                    )
                )
            if request.conversation_id:
                append_research(connection, run_id, request, self._now())
            return _stored_run(_fetch(connection, run_id))

    def load(self, run_id: str, owner: str | None = None) -> StoredRun:
        """Return a run, whoever owns it when *owner* is None."""
        with self._database.reading() as connection:
            return _stored_run(_fetch(connection, run_id, owner))

    def progress(self, run_id: str) -> RunProgress | None:
        """Return how far a run is, or None when there is no such run any more."""
        columns = RESEARCH_RUNS.c
        with self._database.reading() as connection:
            row = connection.execute(select(columns.status, columns.legs, columns.begun).where(columns.id == run_id)).first()
        return None if row is None else _progress(row)

    def replan(self, run_id: str, owner: str, change: Callable[[StoredRun], tuple[ResearchRun, Plan]]) -> StoredRun:
        """Save the run and the plan that *change* makes of a run, and return it; what *change* raises leaves all as it was."""
        with self._writing() as connection:
            record, plan = change(_stored_run(_fetch(connection, run_id, owner, lock=True)))
            connection.execute(update(RESEARCH_RUNS).where(RESEARCH_RUNS.c.id == run_id).values(record=_RUN.write(record)))
            _save_finding(connection, run_id, PLAN_KEY, PLAN.write(plan))
            return _stored_run(_fetch(connection, run_id))

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
        known = self._continues
        return tuple(ResearchEntry(**{**row._mapping, "status": _status(row.status)}, continues=known[row.id]) for row in rows)

    def _learn_continued(self, connection: Connection, ids: Sequence[str]) -> None:
        """Note which of the runs *ids* go on from another, where that is not known yet; a damaged request may tell it, too."""
        columns = RESEARCH_RUNS.c
        unknown = [run_id for run_id in ids if run_id not in self._continues]
        for run_id, request in connection.execute(select(columns.id, cast(columns.request, Text)).where(columns.id.in_(unknown))):
            found = _CONTINUES.search(str(request or ""))
            self._continues[run_id] = found[1] if found else ""

    def delete(self, run_id: str, owner: str) -> StoredRun:
        """Delete a run and return what it was."""
        with self._writing() as connection:
            row = _fetch(connection, run_id, owner)
            connection.execute(delete(RESEARCH_RUNS).where(RESEARCH_RUNS.c.id == run_id))
            return _stored_run(row)

    def add_command(
        self,
        run_id: str,
        owner: str,
        kind: CommandKind,
        body: Mapping[str, Any] = MappingProxyType({}),
        *,
        workflows: Callable[[StoredRun], tuple[str, ...]],
    ) -> StoredRun:
        """Insert a command and return the run with the *workflows* that it, given as it stands, needs to obey.

        The *body* of EDIT holds ``number`` and ``text``. What *workflows* raises leaves everything as it was.
        """
        table = RESEARCH_RUNS
        with self._writing() as connection:
            run = _stored_run(_fetch(connection, run_id, owner, lock=True))
            needed = workflows(run)
            newest = select(func.max(RESEARCH_COMMANDS.c.number)).where(RESEARCH_COMMANDS.c.run == run_id)
            number = (connection.execute(newest).scalar() or 0) + 1
            connection.execute(insert(RESEARCH_COMMANDS).values(run=run_id, number=number, name=kind.value, body=dict(body)))
            if needed != run.workflow_ids:
                values = {"legs": list(needed), "status": ResearchStatus.QUEUED.value}
                connection.execute(update(table).where(table.c.id == run_id).values(**values))
            return _stored_run(_fetch(connection, run_id))

    def commands(self, run_ids: Collection[str]) -> dict[str, list[Command]]:
        """Return all commands of some runs, in order."""
        found: dict[str, list[Command]] = {run_id: [] for run_id in run_ids}
        with self._database.reading() as connection:
            rows = connection.execute(
                select(RESEARCH_COMMANDS)
                .where(RESEARCH_COMMANDS.c.run.in_(list(run_ids)))
                .order_by(RESEARCH_COMMANDS.c.run, RESEARCH_COMMANDS.c.number)
            )
            for row in rows:
                subtask, text = row.body.get("number", 0), row.body.get("text", "")
                found[row.run].append(Command(number=row.number, kind=CommandKind(row.name), subtask=subtask, text=text))
        return found

    def mark_begun(self, run_id: str, workflow_id: str) -> bool:
        """Note that a workflow has begun; False when the run is gone, has ended, or goes on without this workflow."""
        with self._writing() as connection:
            try:
                run = _stored_run(_fetch(connection, run_id, lock=True))
            except ResearchNotFoundError:
                return False
            if workflow_id not in run.workflow_ids or run.status.ended:
                return False
            begun = max(run.begun, run.workflow_ids.index(workflow_id) + 1)
            connection.execute(update(RESEARCH_RUNS).where(RESEARCH_RUNS.c.id == run_id).values(begun=begun))
            return True

    def replace_workflow(self, run_id: str, workflow_id: str) -> str | None:
        """Return the id of a new workflow in the place of one; None when that has begun, or is not the last of a run any more."""
        with self._writing() as connection:
            row = connection.execute(select(RESEARCH_RUNS).where(RESEARCH_RUNS.c.id == run_id).with_for_update()).first()
            if row is None or row.begun >= len(row.legs) or row.legs[-1] != workflow_id:
                return None
            new_id = new_workflow_id(run_id)
            legs = [*row.legs[:-1], new_id]
            connection.execute(update(RESEARCH_RUNS).where(RESEARCH_RUNS.c.id == run_id).values(legs=legs))
            return new_id

    def set_status(self, run_id: str, workflow_id: str, status: ResearchStatus) -> None:
        """Set how far a run is, as long as the workflow is the newest that has begun."""
        self._update(run_id, workflow_id, {"status": status.value})

    def save_record(self, run: ResearchRun, workflow_id: str) -> None:
        """Save the whole of a run that has ended or waits with its plan, as long as the workflow is the newest that has begun."""
        self._update(run.id, workflow_id, {"status": run.status.value, "record": _RUN.write(run), "ended_at": run.ended_at})

    def _update(self, run_id: str, workflow_id: str, values: Mapping[str, Any]) -> None:
        with self._writing() as connection:
            row = connection.execute(select(RESEARCH_RUNS).where(RESEARCH_RUNS.c.id == run_id).with_for_update()).first()
            if row is not None and row.legs[row.begun - 1] == workflow_id:
                connection.execute(update(RESEARCH_RUNS).where(RESEARCH_RUNS.c.id == run_id).values(**values))

    def find(self, run_id: str, keys: Sequence[str]) -> dict[str, Any]:
        """Return the findings of a run that there are of *keys*."""
        table = RESEARCH_FINDINGS.c
        with self._database.reading() as connection:
            rows = connection.execute(select(table.key, table.body).where(table.run == run_id, table.key.in_(list(keys))))
            return {row.key: row.body for row in rows}

    def save_finding(self, run_id: str, key: str, body: Any) -> None:
        """Save a finding, in the place of an earlier one; a run that was deleted meanwhile keeps none."""
        with self._writing() as connection:
            if connection.execute(select(RESEARCH_RUNS.c.id).where(RESEARCH_RUNS.c.id == run_id)).first() is not None:
                _save_finding(connection, run_id, key, body)

    def queued_runs(self) -> tuple[StoredRun, ...]:
        """Return the runs of which a workflow has not begun."""
        columns = RESEARCH_RUNS.c
        with self._database.reading() as connection:
            rows = connection.execute(select(RESEARCH_RUNS).where(columns.status == ResearchStatus.QUEUED.value)).all()
        return tuple(run for run in map(_stored_run, rows) if run.begun < len(run.workflow_ids))

    def unended_runs(self) -> dict[str, RunProgress]:
        """Return how far the runs are, by their ids, that have not ended and do not wait with their plan."""
        columns = RESEARCH_RUNS.c
        over = [status.value for status in ResearchStatus if status.ended or status is ResearchStatus.PLANNED]
        wanted = select(columns.id, columns.status, columns.legs, columns.begun).where(columns.status.not_in(over))
        with self._database.reading() as connection:
            rows = connection.execute(wanted).all()
        return {row.id: _progress(row) for row in rows}


def _status(kept: str) -> ResearchStatus:
    """Return how far a run is; one of which that cannot be read has failed, so that it does not hide the others."""
    try:
        return ResearchStatus(kept)
    except ValueError:
        return ResearchStatus.FAILED


def _progress(row: Any) -> RunProgress:
    return RunProgress(ResearchStatus(row.status), _workflow_ids(row.legs), row.begun)


def _fetch(connection: Connection, run_id: str, owner: str | None = None, *, lock: bool = False) -> Row[Any]:
    wanted = select(RESEARCH_RUNS).where(RESEARCH_RUNS.c.id == run_id)
    row = connection.execute(wanted.with_for_update() if lock else wanted).first()
    if row is None or owner not in (None, row.owner):
        raise ResearchNotFoundError
    return row


def _save_finding(connection: Connection, run_id: str, key: str, body: Any) -> None:
    table = RESEARCH_FINDINGS
    connection.execute(delete(table).where(table.c.run == run_id, table.c.key == key))
    connection.execute(insert(table).values(run=run_id, key=key, body=body))


def _stored_run(row: Row[Any]) -> StoredRun:
    request, _ = _REQUEST.read(row.request, question=row.question, owner=row.owner)
    return StoredRun(
        id=row.id,
        request=request,
        status=_status(row.status),
        record=None if row.record is None else _record(row, request),
        workflow_ids=_workflow_ids(row.legs),
        begun=row.begun,
        created_at=row.created_at,
    )


def _record(row: Row[Any], request: ResearchRequest) -> ResearchRun:
    """Return the stored run; one that cannot be read in full is one that failed, and says so."""
    record, whole = _RUN.read(row.record, id=row.id, request=request, created_at=row.created_at)
    if not record.coverage_lines:
        record = replace(record, coverage_lines=read_coverage(record.coverage))
    return record if whole else replace(record, status=ResearchStatus.FAILED, failures=(*record.failures, _UNREADABLE))


def _workflow_ids(legs: Any) -> tuple[str, ...]:
    """Return the ids of workflows; none when the column holds no list of them: then nothing is started."""
    return tuple(legs) if isinstance(legs, list) and all(isinstance(each, str) for each in legs) else ()
