"""Searches as replies: what is said where services failed, and of own documents."""

from __future__ import annotations

from dataclasses import replace

import pytest

from search_core.agents.replies import Status
from search_core.agents.search import search_reply
from search_core.domain.reply import SearchStatus
from search_core.domain.result import SearchResult
from tests.search_core.presenting.conftest import korean_hit, reply, report

NONE, AWAY = SearchStatus.NO_RESULTS, SearchStatus.NETWORK_ERROR
WEAK = korean_hit(relevance_score=0.01)
OWN = korean_hit(relevance_score=0.01, collection="user")


@pytest.mark.parametrize(
    ("ends", "hidden", "status", "said", "unsaid"),
    [
        ({"brave": NONE, "searxng": NONE}, (), Status.FOUND_NONE, "Who was asked and answered has nothing.", "not known"),
        ({"brave": NONE, "searxng": AWAY}, (), Status.FOUND_NONE, "No answer came from searxng: what they have is not", "web"),
        ({"brave": AWAY, "searxng": AWAY}, (), Status.COULD_NOT_ASK, "nothing about what the web has", "no result"),
        ({"brave": NONE}, (OWN, OWN), Status.FOUND_NONE, "2 more were below the threshold.", "the web gave"),
        ({"brave": NONE}, (OWN, WEAK), Status.BELOW_THRESHOLD, "All that the web gave is below the threshold", "has nothing"),
    ],
)
def test_what_failed_is_not_said_to_have_nothing(
    ends: dict[str, SearchStatus], hidden: tuple[SearchResult, ...], status: Status, said: str, unsaid: str
):
    """Services that failed are named, and results that are own documents are not said to be of the web."""
    replies = tuple(reply(name, end) for name, end in ends.items())
    told = search_reply(report(replies=replies, results=(), hidden=hidden))
    assert told.status is status
    assert said in told.note
    assert unsaid not in told.note


def test_weak_results_are_listed_where_there_are_no_others():
    """They say that they are weak."""
    searched = report(replies=(reply("brave", SearchStatus.SUCCESS, WEAK),), results=(), hidden=(WEAK,))
    (listed,) = search_reply(searched).data["results"]
    assert (listed["url"], listed["weak"]) == (WEAK.url, True)
    assert len(search_reply(replace(searched, results=(korean_hit(),))).data["results"]) == 1
