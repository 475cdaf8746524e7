"""Understanding a question in its video: its intent, what it leaves out, and the query."""

from search_core.search.understanding.constructor import MAX_QUERY_CHARS, PROVIDER_MAX_CHARS, QueryConstructor
from search_core.search.understanding.question import QueryIntentAnalyzer, validate_question
from search_core.search.understanding.resolution import refuse_unknown_company

__all__ = [
    "MAX_QUERY_CHARS",
    "PROVIDER_MAX_CHARS",
    "QueryConstructor",
    "QueryIntentAnalyzer",
    "refuse_unknown_company",
    "validate_question",
]
