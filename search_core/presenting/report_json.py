"""A report as scripts, files and the HTTP API have it: with its outcome in words, and why results are hidden."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from search_core.domain import HiddenReason, SearchReport, SearchResult
from search_core.domain.plain_json import plain_json
from search_core.domain.run import record_of
from search_core.presenting.formatter import ResultFormatter


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenResult(SearchResult):
    """A result that is not shown, and why."""

    hidden_because: HiddenReason


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(SearchReport):
    """The whole of one search: what was understood, asked, answered, shown and hidden."""

    hidden: tuple[HiddenResult, ...]
    """Results past the number wanted, then those below the threshold, best first."""
    outcome: str
    """That the web was away, or that nothing was found, in Korean with the reasons; else empty."""


def report_json(report: SearchReport, labels: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the JSON of *report*; *labels* says what search services are called in its outcome."""
    because = report.options.ranking.reason_hidden
    hidden = tuple(record_of(HiddenResult, each, hidden_because=because(each.relevance_score)) for each in report.hidden)
    outcome = ResultFormatter(report.created_at, labels).outcome_sentence(report)
    values: dict[str, Any] = plain_json(record_of(Report, report, hidden=hidden, outcome=outcome))
    return values
