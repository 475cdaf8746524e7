"""Checks of claims in the database, each with the video it is of and what it goes on from."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row

from search_core.claims.run_kind import CLAIMS
from search_core.domain import ClaimsEvent, ClaimsRequest, ClaimsRun, VideoContext, video_key
from search_core.durable_runs.store import RunStore
from search_core.storage.tables import CLAIMS_RUNS, CLAIMS_TABLES

_RUNS = CLAIMS_RUNS.c


class ClaimsStore(RunStore[ClaimsRequest, ClaimsRun, ClaimsEvent]):
    """Keeps checks of claims."""

    kind = CLAIMS
    tables = CLAIMS_TABLES
    listed = (
        _RUNS.id,
        _RUNS.title,
        _RUNS.status,
        _RUNS.claims,
        _RUNS.video_key,
        _RUNS.continues,
        _RUNS.created_at,
        _RUNS.ended_at,
    )

    def _columns_of(self, request: ClaimsRequest) -> dict[str, Any]:
        return {
            "video_key": video_key(request.video),
            "title": request.video.title,
            "claims": len(request.claims),
            "continues": request.continues,
        }

    def _known_of_request(self, row: Row[Any]) -> dict[str, Any]:
        return {"owner": row.owner, "video": VideoContext(title=row.title), "claims": ()}
