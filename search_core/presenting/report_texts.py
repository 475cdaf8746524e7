"""Reports of searches in words, in JSON and as files, by what the search services are called."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from search_core.domain import SearchReport
from search_core.presenting.export import ExportFile, ExportFormat, export
from search_core.presenting.formatter import ResultFormatter
from search_core.presenting.ledger import LedgerLine, headline, ledger
from search_core.presenting.report_json import report_json


class ReportTexts(ABC):
    """Says what is in a report; whoever knows the search services says what they are called."""

    @abstractmethod
    def provider_labels(self) -> dict[str, str]:
        """Return what each search service is called, by its name, in order of asking."""

    def export(self, report: SearchReport, format_name: ExportFormat) -> ExportFile:
        """Return *report* as a file to download."""
        return export(report, format_name, labels=self.provider_labels())

    def report_json(self, report: SearchReport) -> dict[str, Any]:
        """Return *report* as values for JSON, with what it came to in words."""
        return report_json(report, self.provider_labels())

    def ledger(self, report: SearchReport) -> tuple[LedgerLine, ...]:
        """Return who was asked and how it ended, a Korean sentence each."""
        return ledger(report.replies, self.provider_labels())

    def not_asked(self, report: SearchReport) -> str:
        """Return in Korean which services of the web were not asked, and why; empty where all were."""
        return ResultFormatter(now=report.created_at, labels=self.provider_labels()).not_asked(report)

    def headline(self, report: SearchReport) -> str:
        """Return the ledger in one Korean sentence."""
        return headline(report.replies, self.provider_labels())

    def format_report(self, report: SearchReport) -> str:
        """Return the results as numbered Korean text with attribution."""
        formatter = ResultFormatter(now=report.created_at, labels=self.provider_labels())
        question, wanted = report.question, report.web_wanted
        return formatter.format_korean_response(
            report.results,
            query=question.text,
            replies=report.replies,
            web_wanted=wanted,
            has_video=question.video is not None,
            entity_first=report.options.ranking.entity_first,
        )
