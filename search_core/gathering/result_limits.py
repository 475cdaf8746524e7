"""Holds what services answer to the lengths that the rest of a search is made for."""

from __future__ import annotations

from dataclasses import replace

from search_core.domain import ProviderReply, SearchResult
from search_core.domain.text_limits import RESULT_SNIPPET, RESULT_SOURCE, RESULT_TITLE, RESULT_URL


def limit_reply(reply: ProviderReply) -> ProviderReply:
    """Return *reply* with texts that are too long cut, and how many results have one; a result with too long an address goes."""
    known = [result for result in reply.results if len(result.url) <= RESULT_URL.most]
    limited = tuple(map(_limit, known))
    cut = sum(before is not after for before, after in zip(known, limited, strict=True))
    return replace(reply, results=limited, cut=cut + len(reply.results) - len(known))


def _limit(result: SearchResult) -> SearchResult:
    limits = {"title": RESULT_TITLE, "snippet": RESULT_SNIPPET, "source": RESULT_SOURCE}
    cut = {name: getattr(result, name)[: limit.most] for name, limit in limits.items() if len(getattr(result, name)) > limit.most}
    return replace(result, **cut) if cut else result
