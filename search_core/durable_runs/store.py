"""Runs of one kind in the database: their requests, findings and commands, and the whole of each run once it has ended."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, ClassVar, Generic

from sqlalchemy import Connection, Row, delete, func, insert, literal, select, update

from search_core.durable_runs.control import Command, CommandKind
from search_core.durable_runs.errors import RunNotFoundError
from search_core.durable_runs.run_format import QUEUED, EventT, RequestT, RunFormat, RunStatus, RunT
from search_core.durable_runs.stored_run import RunProgress, StoredRun, new_workflow_id
from search_core.storage import Database
from search_core.storage.tables import RunTables


class RunStore(Generic[RequestT, RunT, EventT]):
    """Keeps runs; safe to use from many threads and processes, every transaction is short.

    Every method raises StorageError when the database cannot be used. Those that name an owner raise RunNotFoundError when the
    owner has no such run. A subclass says of which kind the runs are, and what is kept of them beside.
    """

    format: ClassVar[RunFormat[Any, Any, Any]]
    tables: ClassVar[RunTables]
    not_found: ClassVar[type[RunNotFoundError]]

    def __init__(self, database: Database, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._database = database
        self._now = now
        self._turn = nullcontext() if database.shared else threading.Lock()
        """SQLite has one writer at a time, and lets the others sleep."""

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._turn, self._database.writing() as connection:
            yield connection

    def create(self, request: RequestT) -> StoredRun[RequestT, RunT]:
        """Insert a run with its first workflow, and with the findings of a run that it continues."""
        run_id = secrets.token_urlsafe(16)
        with self._writing() as connection:
            values = {
                "id": run_id,
                "owner": request.owner,
                "status": QUEUED,
                "request": self.format.requests.write(request),
                "legs": [new_workflow_id(run_id)],
                "begun": 0,
                "created_at": self._now(),
            }
            connection.execute(insert(self.tables.runs).values(**values, **self._columns_of(request)))
            if request.continues:
                self._copy_findings(connection, run_id, request)
            self._insert_beside(connection, run_id, request)
            return self._stored_run(self._fetch(connection, run_id))

    def _columns_of(self, request: RequestT) -> dict[str, Any]:  # noqa: ARG002 - for those that have some
        """Return the values of the columns that only this kind of run has."""
        return {}

    def _insert_beside(self, connection: Connection, run_id: str, request: RequestT) -> None:
        """Insert what stands elsewhere of a new run, in the transaction of *connection*."""

    def _copy_findings(self, connection: Connection, run_id: str, request: RequestT) -> None:
        _ = self._fetch(connection, request.continues, request.owner)
        table = self.tables.findings
        found = select(literal(run_id), table.c.key, table.c.body).where(table.c.run == request.continues)
        connection.execute(insert(table).from_select(["run", "key", "body"], found))

    def load(self, run_id: str, owner: str | None = None) -> StoredRun[RequestT, RunT]:
        """Return a run, whoever owns it when *owner* is None."""
        with self._database.reading() as connection:
            return self._stored_run(self._fetch(connection, run_id, owner))

    def progress(self, run_id: str) -> RunProgress | None:
        """Return how far a run is, or None when there is no such run any more."""
        columns = self.tables.runs.c
        with self._database.reading() as connection:
            row = connection.execute(select(columns.status, columns.legs, columns.begun).where(columns.id == run_id)).first()
        return None if row is None else self._progress(row)

    def delete(self, run_id: str, owner: str) -> StoredRun[RequestT, RunT]:
        """Delete a run and return what it was."""
        with self._writing() as connection:
            row = self._fetch(connection, run_id, owner)
            connection.execute(delete(self.tables.runs).where(self.tables.runs.c.id == run_id))
            return self._stored_run(row)

    def add_command(
        self,
        run_id: str,
        owner: str,
        kind: CommandKind,
        body: Mapping[str, Any] = MappingProxyType({}),
        *,
        workflows: Callable[[StoredRun[RequestT, RunT]], tuple[str, ...]],
    ) -> StoredRun[RequestT, RunT]:
        """Insert a command and return the run with the *workflows* that it, given as it stands, needs to obey.

        The *body* of EDIT holds ``number`` and ``text``. What *workflows* raises leaves everything as it was.
        """
        runs, commands = self.tables.runs, self.tables.commands
        with self._writing() as connection:
            run = self._stored_run(self._fetch(connection, run_id, owner, lock=True))
            needed = workflows(run)
            newest = select(func.max(commands.c.number)).where(commands.c.run == run_id)
            number = (connection.execute(newest).scalar() or 0) + 1
            connection.execute(insert(commands).values(run=run_id, number=number, name=kind.value, body=dict(body)))
            if needed != run.workflow_ids:
                values = {"legs": list(needed), "status": QUEUED}
                connection.execute(update(runs).where(runs.c.id == run_id).values(**values))
            return self._stored_run(self._fetch(connection, run_id))

    def commands(self, run_ids: Collection[str]) -> dict[str, list[Command]]:
        """Return all commands of some runs, in order."""
        table = self.tables.commands
        found: dict[str, list[Command]] = {run_id: [] for run_id in run_ids}
        with self._database.reading() as connection:
            wanted = select(table).where(table.c.run.in_(list(run_ids)))
            for row in connection.execute(wanted.order_by(table.c.run, table.c.number)):
                subtask, text = row.body.get("number", 0), row.body.get("text", "")
                found[row.run].append(Command(number=row.number, kind=CommandKind(row.name), subtask=subtask, text=text))
        return found

    def mark_begun(self, run_id: str, workflow_id: str) -> bool:
        """Note that a workflow has begun; False when the run is gone, has ended, or goes on without this workflow."""
        runs = self.tables.runs
        with self._writing() as connection:
            try:
                run = self._stored_run(self._fetch(connection, run_id, lock=True))
            except RunNotFoundError:
                return False
            if workflow_id not in run.workflow_ids or run.status.ended:
                return False
            begun = max(run.begun, run.workflow_ids.index(workflow_id) + 1)
            connection.execute(update(runs).where(runs.c.id == run_id).values(begun=begun))
            return True

    def replace_workflow(self, run_id: str, workflow_id: str) -> str | None:
        """Return the id of a new workflow in the place of one; None when that has begun, or is not the last of a run any more."""
        runs = self.tables.runs
        with self._writing() as connection:
            row = connection.execute(select(runs).where(runs.c.id == run_id).with_for_update()).first()
            if row is None or row.begun >= len(row.legs) or row.legs[-1] != workflow_id:
                return None
            new_id = new_workflow_id(run_id)
            connection.execute(update(runs).where(runs.c.id == run_id).values(legs=[*row.legs[:-1], new_id]))
            return new_id

    def set_status(self, run_id: str, workflow_id: str, status: RunStatus) -> None:
        """Set how far a run is, as long as the workflow is the newest that has begun."""
        self._update(run_id, workflow_id, {"status": status.value})

    def save_record(self, run: RunT, workflow_id: str) -> None:
        """Save the whole of a run that has ended or waits for the user, as long as the workflow is the newest that has begun."""
        record = self.format.runs.write(run)
        self._update(run.id, workflow_id, {"status": run.status.value, "record": record, "ended_at": run.ended_at})

    def _update(self, run_id: str, workflow_id: str, values: Mapping[str, Any]) -> None:
        runs = self.tables.runs
        with self._writing() as connection:
            row = connection.execute(select(runs).where(runs.c.id == run_id).with_for_update()).first()
            if row is not None and row.legs[row.begun - 1] == workflow_id:
                connection.execute(update(runs).where(runs.c.id == run_id).values(**values))

    def find(self, run_id: str, keys: Sequence[str]) -> dict[str, Any]:
        """Return the findings of a run that there are of *keys*."""
        table = self.tables.findings.c
        with self._database.reading() as connection:
            rows = connection.execute(select(table.key, table.body).where(table.run == run_id, table.key.in_(list(keys))))
            return {row.key: row.body for row in rows}

    def save_finding(self, run_id: str, key: str, body: Any) -> None:
        """Save a finding, in the place of an earlier one; a run that was deleted meanwhile keeps none."""
        runs = self.tables.runs.c
        with self._writing() as connection:
            if connection.execute(select(runs.id).where(runs.id == run_id)).first() is not None:
                self._put_finding(connection, run_id, key, body)

    def _put_finding(self, connection: Connection, run_id: str, key: str, body: Any) -> None:
        table = self.tables.findings
        connection.execute(delete(table).where(table.c.run == run_id, table.c.key == key))
        connection.execute(insert(table).values(run=run_id, key=key, body=body))

    def queued_runs(self) -> tuple[StoredRun[RequestT, RunT], ...]:
        """Return the runs of which a workflow has not begun."""
        runs = self.tables.runs
        with self._database.reading() as connection:
            rows = connection.execute(select(runs).where(runs.c.status == QUEUED)).all()
        return tuple(run for run in map(self._stored_run, rows) if run.begun < len(run.workflow_ids))

    def unended_runs(self) -> dict[str, RunProgress]:
        """Return how far the runs are, by their ids, that have not ended and do not wait for the user."""
        columns = self.tables.runs.c
        over = self.format.settled_statuses()
        wanted = select(columns.id, columns.status, columns.legs, columns.begun).where(columns.status.not_in(over))
        with self._database.reading() as connection:
            rows = connection.execute(wanted).all()
        return {row.id: self._progress(row) for row in rows}

    def _progress(self, row: Any) -> RunProgress:
        return RunProgress(self.format.known_status(row.status), _workflow_ids(row.legs), row.begun)

    def _fetch(self, connection: Connection, run_id: str, owner: str | None = None, *, lock: bool = False) -> Row[Any]:
        wanted = select(self.tables.runs).where(self.tables.runs.c.id == run_id)
        row = connection.execute(wanted.with_for_update() if lock else wanted).first()
        if row is None or owner not in (None, row.owner):
            raise self.not_found()
        return row

    def _known_of_request(self, row: Row[Any]) -> dict[str, Any]:
        """Return fields of the request that stand in columns of their own, for one that is damaged."""
        return {"owner": row.owner}

    def _stored_run(self, row: Row[Any]) -> StoredRun[RequestT, RunT]:
        request, _ = self.format.requests.read(row.request, **self._known_of_request(row))
        return StoredRun(
            id=row.id,
            request=request,
            status=self.format.status(row.status),
            record=None if row.record is None else self._read_record(row, request),
            empty=self.format.begin(row.id, request, row.created_at),
            workflow_ids=_workflow_ids(row.legs),
            begun=row.begun,
            created_at=row.created_at,
        )

    def _read_record(self, row: Row[Any], request: RequestT) -> RunT:
        """Return the stored run; one that cannot be read in full is one that failed, and says so."""
        record, whole = self.format.runs.read(row.record, id=row.id, request=request, created_at=row.created_at)
        read: RunT = record if whole else self.format.damaged(record)
        return read


def _workflow_ids(legs: Any) -> tuple[str, ...]:
    """Return the ids of workflows; none when the column holds no list of them: then nothing is started."""
    return tuple(legs) if isinstance(legs, list) and all(isinstance(each, str) for each in legs) else ()
