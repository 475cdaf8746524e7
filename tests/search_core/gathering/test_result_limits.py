"""Texts that a service answers are cut where they are longer than a search is made for, and that is said."""

from __future__ import annotations

from search_core.domain import ProviderReply, SearchResult, SearchStatus
from search_core.gathering.result_limits import limit_reply
from search_core.presenting import ledger

FINE = SearchResult(title="가" * 300, url="https://a.example/", snippet="나" * 2_000, source="다" * 200)
LONG = SearchResult(title="가" * 301, url="https://b.example/", snippet="나" * 2_001, source="다" * 201)
LOST = SearchResult(title="a", url="https://c.example/" + "c" * 4_000, snippet="", source="")


def test_long_texts_are_cut_and_counted():
    """Each text is cut at its limit, a result with too long an address goes, and what is within the limits stays as it is."""
    reply = limit_reply(ProviderReply(provider="brave", status=SearchStatus.SUCCESS, results=(FINE, LONG, LOST)))
    fine, cut = reply.results
    assert fine is FINE
    assert (len(cut.title), len(cut.snippet), len(cut.source)) == (300, 2_000, 200)
    assert reply.cut == 2


def test_the_ledger_says_that_texts_were_cut():
    """Who reads the ledger learns of how many results something is missing."""
    reply = limit_reply(ProviderReply(provider="brave", status=SearchStatus.SUCCESS, results=(FINE, LONG)))
    (line,) = ledger([reply])
    assert "제목이나 요약이 너무 긴 1건은 잘랐어요" in line.text
