"""A check of claims as the database has it."""

from __future__ import annotations

from search_core.domain import ClaimsRequest, ClaimsRun
from search_core.durable_runs.stored_run import StoredRun

StoredClaims = StoredRun[ClaimsRequest, ClaimsRun]
