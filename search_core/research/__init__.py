"""Deep research: a question planned, searched for part by part, read up on and written about, every sentence with its source."""

from search_core.research.coverage import coverage, search_ledger
from search_core.research.evidence import Material
from search_core.research.planning import Plan, Planner
from search_core.research.sources import by_domain, domain_counts, merge_sources
from search_core.research.writing import ReportWriter

__all__ = [
    "Material",
    "Plan",
    "Planner",
    "ReportWriter",
    "by_domain",
    "coverage",
    "domain_counts",
    "merge_sources",
    "search_ledger",
]
