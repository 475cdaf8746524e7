"""A report as scripts, files and the HTTP API have it: with its outcome in words, and why results are hidden."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from search_core.domain.plain_json import plain_json
from search_core.domain.report import SearchReport
from search_core.presenting.formatter import ResultFormatter


def report_json(report: SearchReport, labels: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the JSON of *report*; *labels* says what search services are called in its outcome."""
    because = report.options.ranking.reason_hidden
    hidden = [{**plain_json(each), "hidden_because": because(each.relevance_score).value} for each in report.hidden]
    outcome = ResultFormatter(report.created_at, labels).outcome_sentence(report)
    return {**plain_json(report), "hidden": hidden, "outcome": outcome}
