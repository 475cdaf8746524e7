"""Queries in one form, and within what a provider takes."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

from search_core.provider_kit import SearchProvider, SearchRequest


def tidy(query: str) -> str:
    """Return *query* in one form, so that equal questions have equal keys: NFC, single spaces, no lone surrogates."""
    return " ".join(unicodedata.normalize("NFC", query.encode("utf-8", "ignore").decode()).split())


def tidy_request(request: SearchRequest) -> SearchRequest:
    """Return *request* with its queries in one form, broader ones without doubles."""
    return replace(
        request,
        query=tidy(request.query),
        translated=tidy(request.translated) if request.translated else None,
        question=tidy(request.question),
        broader=tuple(dict.fromkeys(text for query in request.broader if (text := tidy(query)))),
    )


def fitting(request: SearchRequest, provider: SearchProvider) -> SearchRequest:
    """Return *request* with its queries cut between words to what *provider* takes."""
    return replace(
        request,
        query=_cut(request.query, provider.max_query_chars),
        translated=_cut(request.translated, provider.max_query_chars) if request.translated else None,
        broader=tuple(_cut(query, provider.max_query_chars) for query in request.broader),
    )


def _cut(query: str, max_chars: int) -> str:
    if len(query) <= max_chars:
        return query
    whole_words = query[: max_chars + 1].rpartition(" ")[0]
    return whole_words or query[:max_chars]
