"""Checks of claims in the database, each with the video it is of and what it goes on from."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Row, select

from search_core.claims.errors import ClaimsNotFoundError
from search_core.domain import (
    ClaimsEnded,
    ClaimsEntry,
    ClaimsEvent,
    ClaimsFailed,
    ClaimsMetrics,
    ClaimsRequest,
    ClaimsRun,
    ClaimsStatus,
    ClaimsStatusChanged,
    VideoContext,
    video_key,
)
from search_core.durable_runs.run_format import RunFormat
from search_core.durable_runs.store import RunStore
from search_core.storage.json_codec import JsonCodec
from search_core.storage.tables import CLAIMS_RUNS, CLAIMS_TABLES

_UNREADABLE = ClaimsFailed(
    kind="StorageError",
    description="Parts of what is kept of the run cannot be read.",
    korean="저장된 영상 확인의 일부를 읽지 못했어요. 같은 영상을 다시 확인해 주세요.",
)
_GIVEN_UP = ClaimsFailed(
    kind="Interrupted",
    description="The run was interrupted again and again and is not taken up any more.",
    korean="확인이 여러 번 중단되어서 더 이어 가지 않아요. ‘이어서’를 누르면 확인하지 못한 말부터 다시 시작해요.",
)
_STOPPED_UNSAVED = ClaimsFailed(
    kind="StorageError",
    description="The run was stopped while its database could not be written; it is saved as soon as that is possible.",
    korean="저장소에 쓸 수 없는 동안 확인을 멈췄어요. 여기까지 확인한 내용은 다시 쓸 수 있게 되면 저장해요.",
)


def _end(status: str, at: datetime) -> ClaimsEvent:
    return ClaimsEnded(status=ClaimsStatus(status), metrics=ClaimsMetrics(), at=at)


def _damaged(run: ClaimsRun) -> ClaimsRun:
    return replace(run, status=ClaimsStatus.FAILED, failures=(*run.failures, _UNREADABLE))


FORMAT: RunFormat[ClaimsRequest, ClaimsRun, ClaimsEvent] = RunFormat(
    statuses=ClaimsStatus,
    requests=JsonCodec(ClaimsRequest),
    runs=JsonCodec(ClaimsRun),
    begin=ClaimsRun.begin,
    status_event=ClaimsStatusChanged,
    end_event=ClaimsEnded,
    end=_end,
    given_up=_GIVEN_UP,
    stopped_unsaved=_STOPPED_UNSAVED,
    damaged=_damaged,
)


class ClaimsStore(RunStore[ClaimsRequest, ClaimsRun, ClaimsEvent]):
    """Keeps checks of claims; those that name an owner raise ClaimsNotFoundError when the owner has no such run."""

    format = FORMAT
    tables = CLAIMS_TABLES
    not_found = ClaimsNotFoundError

    def _columns_of(self, request: ClaimsRequest) -> dict[str, Any]:
        return {
            "video_key": video_key(request.video),
            "title": request.video.title,
            "claims": len(request.claims),
            "continues": request.continues,
        }

    def _known_of_request(self, row: Row[Any]) -> dict[str, Any]:
        return {"owner": row.owner, "video": VideoContext(title=row.title), "claims": ()}

    def entries(self, owner: str, video_key: str | None = None) -> tuple[ClaimsEntry, ...]:
        """Return the runs of *owner*, newest first; only those of one video when that is named."""
        columns = CLAIMS_RUNS.c
        shown = (columns.id, columns.title, columns.status, columns.claims, columns.video_key, columns.continues)
        wanted = select(*shown, columns.created_at, columns.ended_at).where(columns.owner == owner)
        if video_key is not None:
            wanted = wanted.where(columns.video_key == video_key)
        with self._database.reading() as connection:
            rows = connection.execute(wanted.order_by(columns.created_at.desc(), columns.id)).all()
        return tuple(ClaimsEntry(**{**row._mapping, "status": self.format.status(row.status)}) for row in rows)
