"""Searches as replies: what is said where services failed, and of own documents."""

from __future__ import annotations

from dataclasses import replace

from search_core.agents.search import search_reply
from search_core.domain.reply import SearchStatus
from tests.search_core.presenting.conftest import korean_hit, reply, report

WEAK = korean_hit(relevance_score=0.01)


def test_weak_results_are_listed_where_there_are_no_others():
    """They say that they are weak."""
    searched = report(replies=(reply("brave", SearchStatus.SUCCESS, WEAK),), results=(), hidden=(WEAK,))
    (listed,) = search_reply(searched).data["results"]
    assert (listed["url"], listed["weak"]) == (WEAK.url, True)
    assert len(search_reply(replace(searched, results=(korean_hit(),))).data["results"]) == 1
