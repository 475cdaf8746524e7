"""The query that is sent: the question's words, what they point at, and what of the video helps."""

from search_core.query.constructor import MAX_QUERY_CHARS, PROVIDER_MAX_CHARS, QueryConstructor

__all__ = ["MAX_QUERY_CHARS", "PROVIDER_MAX_CHARS", "QueryConstructor"]
