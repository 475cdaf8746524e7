"""Runs of one kind in the database: requests, findings, commands, and finished runs as a whole."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any, ClassVar, Generic, Protocol

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from search_core.domain.run import RunStatus
from search_core.runs.control import Command, CommandKind
from search_core.runs.run_kind import (
    QUEUED,
    EntryT,
    EventT,
    RequestT,
    RunKind,
    RunNotFoundError,
    RunProgress,
    RunT,
    StoredRun,
    new_workflow_id,
)
from search_core.runtime import LoopThread, Recent, utc_now
from search_core.storage.database import Database
from search_core.storage.tables import RunTables

_KEPT_REQUESTS = 16
AnyRow = Row[*tuple[Any, ...]]
"""A row whose columns have the types of their table."""


class RunStore(ABC, Generic[RequestT, RunT, EventT, EntryT]):
    """Stores runs; thread- and process-safe, with short transactions.

    Every method raises StorageError when the database cannot be used. Those that name an owner raise RunNotFoundError when the
    owner has no such run. A subclass names the kind of run, its tables and further columns.
    """

    kind: RunKind[RequestT, RunT, EventT]
    tables: ClassVar[RunTables]

    def __init__(self, database: Database) -> None:
        self._database = database
        self._requests: Recent[str, RequestT] = Recent(_KEPT_REQUESTS)
        """Requests by run id, kept because they never change and are large (whole transcripts)."""

    def create(self, request: RequestT) -> StoredRun[RequestT, RunT]:
        """Insert a run with its first workflow."""
        run_id = secrets.token_urlsafe(16)
        with self._database.writing() as connection:
            values = {
                "id": run_id,
                "owner": request.owner,
                "status": QUEUED,
                "request": self.kind.requests.write(request),
                "legs": [new_workflow_id(run_id)],
                "begun": 0,
                "created_at": utc_now(),
            }
            connection.execute(insert(self.tables.runs).values(**values, **self._columns_of(request)))
            self._insert_beside(connection, run_id, request)
            self._requests.put(run_id, request)  # with the video that this process has indexed
            return self._fetch_run(connection, run_id)

    def _columns_of(self, request: RequestT) -> dict[str, object]:  # noqa: ARG002 - for those that have some
        """Return the values of the columns that only this kind of run has."""
        return {}

    def _insert_beside(self, connection: Connection, run_id: str, request: RequestT) -> None:
        """Insert the rows of a new run in other tables, in the transaction of *connection*."""

    def load(self, run_id: str, owner: str | None = None) -> StoredRun[RequestT, RunT]:
        """Return a run; of any owner when *owner* is None."""
        with self._database.reading() as connection:
            return self._fetch_run(connection, run_id, owner)

    def progress(self, run_id: str) -> RunProgress | None:
        """Return the progress of a run, or None when it is gone."""
        with self._database.reading() as connection:
            return self._read_progress(connection, run_id)

    def _read_progress(self, connection: Connection, run_id: str, *, lock: bool = False) -> RunProgress | None:
        columns = self.tables.runs.c
        query = select(columns.status, columns.legs, columns.begun).where(columns.id == run_id)
        row = connection.execute(query.with_for_update() if lock else query).first()
        return None if row is None else self._progress(row)

    def _set(self, connection: Connection, run_id: str, **values: object) -> None:
        connection.execute(update(self.tables.runs).where(self.tables.runs.c.id == run_id).values(**values))

    def delete(self, run_id: str, owner: str) -> StoredRun[RequestT, RunT]:
        """Delete a run and return what it was."""
        with self._database.writing() as connection:
            run = self._fetch_run(connection, run_id, owner)
            connection.execute(delete(self.tables.runs).where(self.tables.runs.c.id == run_id))
            return run

    def add_command(
        self,
        run_id: str,
        owner: str,
        kind: CommandKind,
        *,
        workflows: Callable[[StoredRun[RequestT, RunT]], tuple[str, ...]],
    ) -> StoredRun[RequestT, RunT]:
        """Insert a command and return the run with the workflows that *workflows* returns for it.

        A command to go on deletes the earlier ones. An exception of *workflows* leaves everything unchanged.
        """
        commands = self.tables.commands
        with self._database.writing() as connection:
            run = self._fetch_run(connection, run_id, owner, lock=True)
            needed = workflows(run)
            if kind is CommandKind.GO_ON:
                connection.execute(delete(commands).where(commands.c.run == run_id))
            newest = select(func.max(commands.c.number)).where(commands.c.run == run_id)
            number = (connection.execute(newest).scalar() or 0) + 1
            connection.execute(insert(commands).values(run=run_id, number=number, name=kind.value))
            if needed != run.workflow_ids:
                self._set(connection, run_id, legs=list(needed), status=QUEUED, record=None, ended_at=None)
            return self._fetch_run(connection, run_id)

    def commands(self, run_ids: Collection[str]) -> dict[str, list[Command]]:
        """Return all commands of some runs, in order."""
        table = self.tables.commands
        by_run: dict[str, list[Command]] = {run_id: [] for run_id in run_ids}
        with self._database.reading() as connection:
            query = select(table).where(table.c.run.in_(list(run_ids)))
            for row in connection.execute(query.order_by(table.c.run, table.c.number)):
                by_run[row.run].append(Command(number=row.number, kind=CommandKind(row.name)))
        return by_run

    def begin_workflow(self, run_id: str, workflow_id: str) -> bool:
        """Record that a workflow begins; False if the run is gone, has ended, or continues without it."""
        with self._database.writing() as connection:
            run = self._read_progress(connection, run_id, lock=True)
            if run is None or workflow_id not in run.workflow_ids or run.status.ended:
                return False
            self._set(connection, run_id, begun=max(run.begun, run.workflow_ids.index(workflow_id) + 1))
            return True

    def set_status(self, run_id: str, workflow_id: str, status: RunStatus) -> None:
        """Set the status of a run, if the workflow is its last."""
        self._update(run_id, workflow_id, status=status.value)

    def save_record(self, run: RunT, workflow_id: str) -> None:
        """Save a run that has ended or waits for the user, if the workflow is its last."""
        record = self.kind.runs.write(run, without="request")
        self._update(run.id, workflow_id, status=run.status.value, record=record, ended_at=run.ended_at)

    def _update(self, run_id: str, workflow_id: str, **values: object) -> None:
        with self._database.writing() as connection:
            run = self._read_progress(connection, run_id, lock=True)
            if run is not None and run.workflow_ids[-1:] == (workflow_id,):
                self._set(connection, run_id, **values)

    def find(self, run_id: str, keys: Sequence[str]) -> dict[str, object]:
        """Return the run's findings that exist among *keys*."""
        table = self.tables.findings.c
        with self._database.reading() as connection:
            rows = connection.execute(select(table.key, table.body).where(table.run == run_id, table.key.in_(list(keys))))
            return {row.key: row.body for row in rows}

    def finding_keys(self, run_id: str) -> set[str]:
        """Return the keys of the findings of a run."""
        table = self.tables.findings.c
        with self._database.reading() as connection:
            return set(connection.execute(select(table.key).where(table.run == run_id)).scalars())

    def save_findings(self, run_id: str, findings: Mapping[str, object]) -> None:
        """Save findings by their keys, replacing earlier ones; does nothing for a deleted run."""
        runs = self.tables.runs.c
        with self._database.writing() as connection:
            if connection.execute(select(runs.id).where(runs.id == run_id)).first() is not None:
                self._put_findings(connection, run_id, findings)

    def _put_findings(self, connection: Connection, run_id: str, findings: Mapping[str, object]) -> None:
        table = self.tables.findings
        connection.execute(delete(table).where(table.c.run == run_id, table.c.key.in_(list(findings))))
        connection.execute(insert(table), [{"run": run_id, "key": key, "body": body} for key, body in findings.items()])

    @abstractmethod
    def _entry(self, row: AnyRow) -> EntryT:
        """Return the run in *row* as a list shows it."""

    def entries(self, owner: str) -> tuple[EntryT, ...]:
        """Return the runs of *owner*, newest first."""
        columns = self.tables.runs.c
        listed = [column for column in columns if column.name not in ("request", "record", "legs")]
        query = select(*listed).where(columns.owner == owner).order_by(columns.created_at.desc(), columns.id)
        with self._database.reading() as connection:
            return tuple(map(self._entry, connection.execute(query)))

    def unended_runs(self) -> dict[str, RunProgress]:
        """Return by id the progress of runs that have not ended and do not wait for the user."""
        columns = self.tables.runs.c
        over = [status.value for status in self.kind.statuses if status.settled]
        query = select(columns.id, columns.status, columns.legs, columns.begun).where(columns.status.not_in(over))
        with self._database.reading() as connection:
            runs = {row.id: self._progress(row) for row in connection.execute(query)}
        return {run_id: progress for run_id, progress in runs.items() if not progress.status.settled}

    def _progress(self, row: AnyRow) -> RunProgress:
        return RunProgress(self.kind.status(row.status), _workflow_ids(row.legs), row.begun)

    def _fetch(self, connection: Connection, run_id: str, owner: str | None = None, *, lock: bool = False) -> AnyRow:
        runs = self.tables.runs.c
        query = select(*(column for column in runs if column.name != "request")).where(runs.id == run_id)
        row = connection.execute(query.with_for_update() if lock else query).first()
        if row is None or owner not in (None, row.owner):
            raise RunNotFoundError(self.kind.missing[0], korean=self.kind.missing[1])
        return row

    def _fetch_run(
        self, connection: Connection, run_id: str, owner: str | None = None, *, lock: bool = False
    ) -> StoredRun[RequestT, RunT]:
        return self._stored_run(connection, self._fetch(connection, run_id, owner, lock=lock))

    def _known_of_request(self, row: AnyRow) -> dict[str, object]:
        """Return the fields of a damaged request that also have columns."""
        return {"owner": row.owner}

    def _stored_run(self, connection: Connection, row: AnyRow) -> StoredRun[RequestT, RunT]:
        request = self._request(connection, row)
        return StoredRun(
            id=row.id,
            request=request,
            status=self.kind.status(row.status),
            record=None if row.record is None else self._read_record(row, request),
            empty=self.kind.begin(row.id, request, row.created_at),
            workflow_ids=_workflow_ids(row.legs),
            begun=row.begun,
            created_at=row.created_at,
        )

    def _request(self, connection: Connection, row: AnyRow) -> RequestT:
        request = self._requests.get(row.id)
        if request is None:
            runs = self.tables.runs.c
            body = connection.execute(select(runs.request).where(runs.id == row.id)).scalar()
            request = self.kind.requests.read(body, **self._known_of_request(row))[0]
            self._requests.put(row.id, request)
        return request

    def _read_record(self, row: AnyRow, request: RequestT) -> RunT:
        """Return the stored run; a damaged one becomes a failed one with an explanation."""
        stored = {**row.record, "request": request} if isinstance(row.record, dict) else row.record
        record, whole = self.kind.runs.read(stored, id=row.id, request=request, created_at=row.created_at)
        return record if whole else self.kind.damaged(record)


class AnyService(Protocol):
    """The service of one kind of run, as its engine and workflows see it."""

    kind: RunKind[Any, Any, Any]
    parts: Any
    loop: LoopThread
    queue: str
    workflow_name: str

    @property
    def store(self) -> RunStore[Any, Any, Any, Any]:
        """Return the store of the runs."""

    @property
    def workflow(self) -> Callable[[str, str], Awaitable[None]]:
        """Return the workflow of a run, given the run's id and its own."""

    def notify(self, run_id: str) -> None:
        """Wake the run's followers: this process has written an event."""

    def save_end(self, run_id: str) -> None:
        """Save the end of a run whose last workflow was ended from outside."""


def _workflow_ids(legs: object) -> tuple[str, ...]:
    """Return workflow ids; none if the column contains no list of them: then nothing is started."""
    return tuple(legs) if isinstance(legs, list) and all(isinstance(leg, str) for leg in legs) else ()
