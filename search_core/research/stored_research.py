"""A run of research as the database has it."""

from __future__ import annotations

from search_core.domain import ResearchRequest, ResearchRun
from search_core.durable_runs.stored_run import StoredRun

StoredResearch = StoredRun[ResearchRequest, ResearchRun]
