"""Reports as Korean text: lists, summaries, dates, the coverage ledger, and files to take away."""

from search_core.search.presenting.dates import is_recent, korean_date, published, recent_day_in, relative_time
from search_core.search.presenting.export import ExportFormat, export
from search_core.search.presenting.formatter import ResultFormatter, hidden_sections, own_korean, report_json, sections
from search_core.search.presenting.health_text import health_export, health_text
from search_core.search.presenting.ledger import (
    LedgerLine,
    failure_notice,
    headline,
    hidden_line,
    ledger,
    outcome_sentence,
    status_sentence,
    without_pauses,
)
from search_core.search.presenting.score_text import explain, hidden_because, main_reason, part_values, points, threshold_points
from search_core.search.presenting.summaries import Nearness, Summarizer, add_summaries, foreign_language
from search_core.search.presenting.wording import UNCERTAIN, library_line, name_referent, transcript_caution, transcript_source
