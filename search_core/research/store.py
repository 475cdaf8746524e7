"""Runs of research in the database: what was asked, found and wished for, and the whole of each run once it has ended."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, literal, select, update

from search_core.domain import (
    Moment,
    ResearchEntry,
    ResearchFailed,
    ResearchRequest,
    ResearchRun,
    ResearchStatus,
    VideoContext,
    video_key,
)
from search_core.research.control import Command, CommandKind
from search_core.research.errors import ResearchNotFoundError
from search_core.research.kept_run import KeptRun, KeptState, new_leg
from search_core.storage import Database
from search_core.storage.conversations import append_research
from search_core.storage.json_codec import JsonCodec
from search_core.storage.tables import RESEARCH_COMMANDS, RESEARCH_FINDINGS, RESEARCH_RUNS

_RUN = JsonCodec(ResearchRun, VideoContext=VideoContext, Moment=Moment)
_REQUEST = JsonCodec(ResearchRequest, VideoContext=VideoContext)


PLAN = "plan"
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
        self._turn = nullcontext() if database.shared else threading.Lock()
        """SQLite has one writer at a time, and lets the others sleep."""

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._turn, self._database.writing() as connection:
            yield connection

    def create(self, request: ResearchRequest) -> KeptRun:
        """Begin a run, with one leg and in its conversation; one that continues another takes over what that one found."""
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
                    legs=[new_leg(run_id)],
                    begun=0,
                    created_at=self._now(),
                )
            )
            if request.continues:
                _ = _row(connection, request.continues, request.owner)
                found = select(literal(run_id), RESEARCH_FINDINGS.c.key, RESEARCH_FINDINGS.c.body)
                connection.execute(
                    insert(RESEARCH_FINDINGS).from_select(
                        ["run", "key", "body"], found.where(RESEARCH_FINDINGS.c.run == request.continues)
                    )
                )
            if request.conversation_id:
                append_research(connection, run_id, request, self._now())
            return _kept(_row(connection, run_id))

    def load(self, run_id: str, owner: str | None = None) -> KeptRun:
        """Return a run, whoever owns it when *owner* is None."""
        with self._database.reading() as connection:
            return _kept(_row(connection, run_id, owner))

    def state(self, run_id: str) -> KeptState | None:
        """Return how far a run is, or None when there is no such run any more."""
        columns = RESEARCH_RUNS.c
        with self._database.reading() as connection:
            row = connection.execute(select(columns.status, columns.legs, columns.begun).where(columns.id == run_id)).first()
        return None if row is None else KeptState(ResearchStatus(row.status), _legs(row.legs), row.begun)

    def replan(self, run_id: str, owner: str, change: Callable[[KeptRun], tuple[ResearchRun, dict[str, Any]]]) -> KeptRun:
        """Keep the run and the plan that *change* makes of a run, and return it; what *change* raises leaves all as it was."""
        with self._writing() as connection:
            record, plan = change(_kept(_row(connection, run_id, owner, lock=True)))
            connection.execute(update(RESEARCH_RUNS).where(RESEARCH_RUNS.c.id == run_id).values(record=_RUN.write(record)))
            _keep(connection, run_id, PLAN, plan)
            return _kept(_row(connection, run_id))

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
        return tuple(ResearchEntry(**{**row._mapping, "status": ResearchStatus(row.status)}) for row in rows)

    def delete(self, run_id: str, owner: str) -> KeptRun:
        """Delete a run and return what it was."""
        with self._writing() as connection:
            row = _row(connection, run_id, owner)
            connection.execute(delete(RESEARCH_RUNS).where(RESEARCH_RUNS.c.id == run_id))
            return _kept(row)

    def wish(
        self, run_id: str, owner: str, wish: CommandKind, body: Mapping[str, Any], *, legs: Callable[[KeptRun], tuple[str, ...]]
    ) -> KeptRun:
        """Keep a wish and the *legs* that the run, given as it stands, needs for it; return the run.

        What *legs* raises leaves everything as it was.
        """
        table = RESEARCH_RUNS
        with self._writing() as connection:
            run = _kept(_row(connection, run_id, owner, lock=True))
            needed = legs(run)
            newest = select(func.max(RESEARCH_COMMANDS.c.number)).where(RESEARCH_COMMANDS.c.run == run_id)
            number = (connection.execute(newest).scalar() or 0) + 1
            connection.execute(insert(RESEARCH_COMMANDS).values(run=run_id, number=number, name=wish.value, body=dict(body)))
            if needed != run.legs:
                values = {"legs": list(needed), "status": ResearchStatus.QUEUED.value}
                connection.execute(update(table).where(table.c.id == run_id).values(**values))
            return _kept(_row(connection, run_id))

    def commands(self, run_ids: Collection[str]) -> dict[str, list[Command]]:
        """Return all wishes about some runs, in order."""
        found: dict[str, list[Command]] = {run_id: [] for run_id in run_ids}
        with self._database.reading() as connection:
            rows = connection.execute(
                select(RESEARCH_COMMANDS)
                .where(RESEARCH_COMMANDS.c.run.in_(list(run_ids)))
                .order_by(RESEARCH_COMMANDS.c.run, RESEARCH_COMMANDS.c.number)
            )
            for row in rows:
                found[row.run].append(Command(number=row.number, wish=CommandKind(row.name), body=row.body))
        return found

    def begin(self, run_id: str, leg: str) -> bool:
        """Note that *leg* has begun; False when the run is gone, has ended, or goes on without this leg."""
        with self._writing() as connection:
            try:
                run = _kept(_row(connection, run_id, lock=True))
            except ResearchNotFoundError:
                return False
            if leg not in run.legs or run.status.ended:
                return False
            begun = max(run.begun, run.legs.index(leg) + 1)
            connection.execute(update(RESEARCH_RUNS).where(RESEARCH_RUNS.c.id == run_id).values(begun=begun))
            return True

    def renew(self, run_id: str, leg: str) -> str | None:
        """Put a new leg in the place of *leg* and return it; None when *leg* has begun, or is not the last of a run any more."""
        with self._writing() as connection:
            row = connection.execute(select(RESEARCH_RUNS).where(RESEARCH_RUNS.c.id == run_id).with_for_update()).first()
            if row is None or row.begun >= len(row.legs) or row.legs[-1] != leg:
                return None
            renewed = new_leg(run_id)
            values = {"legs": [*row.legs[:-1], renewed]}
            connection.execute(update(RESEARCH_RUNS).where(RESEARCH_RUNS.c.id == run_id).values(**values))
            return renewed

    def note(self, run_id: str, leg: str, status: ResearchStatus) -> None:
        """Note how far a run is, as long as *leg* is the newest that has begun."""
        self._change(run_id, leg, {"status": status.value})

    def settle(self, run: ResearchRun, leg: str) -> None:
        """Keep the whole of a run that has ended or waits with its plan, as long as *leg* is the newest that has begun."""
        self._change(run.id, leg, {"status": run.status.value, "record": _RUN.write(run), "ended_at": run.ended_at})

    def _change(self, run_id: str, leg: str, values: Mapping[str, Any]) -> None:
        with self._writing() as connection:
            row = connection.execute(select(RESEARCH_RUNS).where(RESEARCH_RUNS.c.id == run_id).with_for_update()).first()
            if row is not None and row.legs[row.begun - 1] == leg:
                connection.execute(update(RESEARCH_RUNS).where(RESEARCH_RUNS.c.id == run_id).values(**values))

    def find(self, run_id: str, keys: Sequence[str]) -> dict[str, Any]:
        """Return the findings of a run that there are of *keys*."""
        table = RESEARCH_FINDINGS.c
        with self._database.reading() as connection:
            rows = connection.execute(select(table.key, table.body).where(table.run == run_id, table.key.in_(list(keys))))
            return {row.key: row.body for row in rows}

    def keep(self, run_id: str, key: str, body: Any) -> None:
        """Keep a finding, in the place of an earlier one; a run that was deleted meanwhile keeps none."""
        with self._writing() as connection:
            if connection.execute(select(RESEARCH_RUNS.c.id).where(RESEARCH_RUNS.c.id == run_id)).first() is not None:
                _keep(connection, run_id, key, body)

    def waiting(self) -> tuple[KeptRun, ...]:
        """Return the runs of which a leg has not begun."""
        columns = RESEARCH_RUNS.c
        with self._database.reading() as connection:
            rows = connection.execute(select(RESEARCH_RUNS).where(columns.status == ResearchStatus.QUEUED.value)).all()
        return tuple(run for run in map(_kept, rows) if run.begun < len(run.legs))


def _row(connection: Connection, run_id: str, owner: str | None = None, *, lock: bool = False) -> Row[Any]:
    wanted = select(RESEARCH_RUNS).where(RESEARCH_RUNS.c.id == run_id)
    row = connection.execute(wanted.with_for_update() if lock else wanted).first()
    if row is None or owner not in (None, row.owner):
        raise ResearchNotFoundError
    return row


def _keep(connection: Connection, run_id: str, key: str, body: Any) -> None:
    table = RESEARCH_FINDINGS
    connection.execute(delete(table).where(table.c.run == run_id, table.c.key == key))
    connection.execute(insert(table).values(run=run_id, key=key, body=body))


def _kept(row: Row[Any]) -> KeptRun:
    request, _ = _REQUEST.read(row.request, question=row.question, owner=row.owner)
    return KeptRun(
        id=row.id,
        request=request,
        status=ResearchStatus(row.status),
        record=None if row.record is None else _record(row, request),
        legs=_legs(row.legs),
        begun=row.begun,
        created_at=row.created_at,
    )


def _record(row: Row[Any], request: ResearchRequest) -> ResearchRun:
    """Return the run that is kept; one that cannot be read in full is one that failed, and says so."""
    record, whole = _RUN.read(row.record, id=row.id, request=request, created_at=row.created_at)
    return record if whole else replace(record, status=ResearchStatus.FAILED, failures=(*record.failures, _UNREADABLE))


def _legs(kept: Any) -> tuple[str, ...]:
    """Return the ids of workflows; none, when what is kept is no list of them: then nothing is started."""
    return tuple(kept) if isinstance(kept, list) and all(isinstance(leg, str) for leg in kept) else ()
