"""Queries in one form, and within what a provider takes."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import replace

from search_core.provider_kit import SearchProvider, SearchRequest


def tidy(query: str) -> str:
    """Return *query* in one form, so that equal questions have equal keys: NFC, single spaces, no lone surrogates."""
    return " ".join(unicodedata.normalize("NFC", query.encode("utf-8", "ignore").decode()).split())


def tidy_request(request: SearchRequest) -> SearchRequest:
    """Return *request* with its queries in one form, broader ones without doubles."""
    request = _with_queries(replace(request, question=tidy(request.question)), tidy)
    return replace(request, broader=tuple(dict.fromkeys(filter(None, request.broader))))


def fit_request(request: SearchRequest, provider: SearchProvider) -> SearchRequest:
    """Return *request* with its queries cut between words to what *provider* takes."""
    return _with_queries(request, lambda query: _cut(query, provider.max_query_chars))


def _with_queries(request: SearchRequest, change: Callable[[str], str]) -> SearchRequest:
    """Return *request* with each of its queries changed."""
    translated = change(request.translated) if request.translated else None
    return replace(request, query=change(request.query), translated=translated, broader=tuple(map(change, request.broader)))


def _cut(query: str, max_chars: int) -> str:
    if len(query) <= max_chars:
        return query
    whole_words = query[: max_chars + 1].rpartition(" ")[0]
    return whole_words or query[:max_chars]
