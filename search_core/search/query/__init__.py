"""The query that is sent: the question's words, what they point at, and what of the video helps."""

from search_core.search.query.constructor import MAX_QUERY_CHARS, PROVIDER_MAX_CHARS, QueryConstructor
from search_core.search.query.resolution import refuse_unknown_company

__all__ = ["MAX_QUERY_CHARS", "PROVIDER_MAX_CHARS", "QueryConstructor", "refuse_unknown_company"]
