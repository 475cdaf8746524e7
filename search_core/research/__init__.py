"""Deep research: a question planned, searched in parts, read up on and answered in a report with cited sentences."""

from search_core.research.coverage import unread_reason
from search_core.research.evidence import Material
from search_core.research.export import ResearchFormat, export_run
from search_core.research.parts import RESEARCH, ResearchLimits, ResearchParts
from search_core.research.planning import Plan, Planner
from search_core.research.service import ResearchService
from search_core.research.sources import by_domain
from search_core.research.writing import ReportWriter
