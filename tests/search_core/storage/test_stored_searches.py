"""Searches are kept with their labels for their owners alone, in SQLite and in PostgreSQL."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from sqlalchemy import func, select, update

from search_core.domain.reply import ProviderReply, SearchStatus
from search_core.domain.report import Label, result_key
from search_core.domain.result import ScoreParts
from search_core.domain.video import video_key
from search_core.storage.database import Database
from search_core.storage.stored_searches import StoredSearches
from search_core.storage.tables import SEARCH_LABELS, SEARCHES
from tests.search_core.search.presenting.conftest import korean_hit, report
from tests.search_core.storage.sample_records import NOON, VIDEO

FOUND = korean_hit(
    title="HBM4 양산",
    url="https://a.kr/1",
    source="a.kr",
    relevance_score=0.71,
    ranks=(("wikipedia", 1),),
    parts=ScoreParts(lexical=0.8, agreement=0.5),
    entity_matches=("HBM4",),
)
FORBIDDEN = replace(
    FOUND, title="숨길 제목", url="https://b.kr/2", snippet="숨길 글", source="b.kr", providers=("brave", "wikipedia")
)
REPLY = ProviderReply(provider="wikipedia", status=SearchStatus.SUCCESS, results=(FOUND,), latency_ms=12.5)
REPORT = report(text="HBM4 양산은", video=VIDEO, replies=(REPLY,), results=(FOUND,), hidden=(FORBIDDEN,), created_at=NOON)


def searches_in(database: Database, *, most: int = 100, now: datetime = NOON, keeps: bool = True) -> StoredSearches:
    return StoredSearches(database, keeps=keeps, most=most, storable=lambda name: name != "brave", now=lambda: now)


@pytest.fixture
def searches(database: Database) -> StoredSearches:
    return searches_in(database)


def test_a_search_comes_back_as_it_was(searches: StoredSearches):
    """Question, query, replies, scores and parts are the same; the video is named and kept elsewhere."""
    searches.keep("s", "하나", REPORT)
    stored = searches.load("s", "하나")
    assert stored is not None
    assert stored.report.results == REPORT.results
    assert (stored.report.intent, stored.report.constructed, stored.report.scorer) == (REPORT.intent, REPORT.constructed, "kiwi")
    assert (stored.report.replies[0].status, len(stored.report.replies[0].results)) == (SearchStatus.SUCCESS, 1)
    assert (stored.report.question.text, stored.video_key) == ("HBM4 양산은", video_key(VIDEO))


def test_what_a_service_forbids_to_keep_is_not_kept(searches: StoredSearches, database: Database):
    """Of a result that Brave has seen, scores, parts and a digest are kept, and no text or address anywhere in the row."""
    searches.keep("s", "하나", REPORT)
    with database.reading() as connection:
        body = str(connection.execute(select(SEARCHES.c.body)).scalar_one())
    assert "숨길" not in body
    assert "b.kr" not in body
    stored = searches.load("s", "하나")
    assert stored is not None
    (hidden,) = stored.report.hidden
    assert (hidden.parts, hidden.relevance_score, hidden.ranks) == (FORBIDDEN.parts, 0.71, FORBIDDEN.ranks)
    assert result_key(hidden.url) == result_key("https://b.kr/2")


def test_a_label_is_changed_and_taken_back(searches: StoredSearches):
    """A label of an address that is hashed is found, also after the search was scored anew; the last counts, or none."""
    searches.keep("s", "하나", REPORT)
    assert searches.label("s", "하나", "https://b.kr/2", Label.RELEVANT)
    searches.keep("s", "하나", replace(REPORT, results=(replace(FOUND, relevance_score=0.9),)))
    (stored,) = searches.labelled("하나", most=5)
    assert stored.report.results[0].relevance_score == 0.9
    assert stored.labels == {result_key(stored.report.hidden[0].url): Label.RELEVANT}
    for address, label in (("b.kr/2", None), ("a.kr/1", Label.UNSURE), ("a.kr/1", Label.NOT_RELEVANT)):
        searches.label("s", "하나", f"https://{address}", label)
    assert searches.labels("s", "하나") == {result_key("https://a.kr/1"): Label.NOT_RELEVANT}


def test_others_see_and_change_nothing(searches: StoredSearches, database: Database):
    """Another owner finds no search, cannot label or delete it; deleted by its own, labels go with it."""
    searches.keep("s", "하나", REPORT)
    searches.label("s", "하나", "https://a.kr/1", Label.RELEVANT)
    assert (searches.load("s", "둘"), searches.labels("s", "둘"), searches.labelled("둘", most=5)) == (None, {}, ())
    assert not searches.label("s", "둘", "https://a.kr/1", None)
    searches.delete("s", "둘")
    assert (kept(searches, "s"), len(searches.labels("s", "하나"))) == ("s", 1)
    searches.delete("s", "하나")
    with database.reading() as connection:
        tables = (SEARCHES, SEARCH_LABELS)
        assert [connection.execute(select(func.count()).select_from(table)).scalar_one() for table in tables] == [0, 0]


def kept(searches: StoredSearches, *names: str, owner: str = "하나") -> str:
    """Return the names of those searches that are kept."""
    return "".join(name for name in names if searches.load(name, owner) is not None)


def test_old_searches_go_unless_they_are_labelled(database: Database):
    """After ninety days a search without labels goes when the next is kept; a labelled one stays."""
    early = searches_in(database)
    for name in ("old", "labelled"):
        early.keep(name, "하나", REPORT)
    early.label("labelled", "하나", "https://a.kr/1", Label.RELEVANT)
    later = searches_in(database, now=NOON + timedelta(days=91))
    later.keep("new", "하나", replace(REPORT, created_at=NOON + timedelta(days=91)))
    assert kept(later, "old", "labelled", "new") == "labellednew"


def test_past_the_number_set_the_oldest_without_labels_go_first(database: Database):
    """Of three where two may stay, the labelled oldest stays and the next oldest goes; other owners are left alone."""
    few = searches_in(database, most=2)
    few.keep("other", "둘", REPORT)
    for place, name in enumerate(("a", "b", "c")):
        few.keep(name, "하나", replace(REPORT, created_at=NOON + timedelta(seconds=place)))
        if name == "a":
            few.label("a", "하나", "https://a.kr/1", Label.RELEVANT)
    assert (kept(few, "a", "b", "c"), kept(few, "other", owner="둘")) == ("ac", "other")


def test_labelled_searches_are_those_of_an_owner_or_of_all(searches: StoredSearches, database: Database):
    """Newest first, without those that have no label and without the examples that 0.4.0 could load."""
    for place, (name, owner) in enumerate((("a", "하나"), ("b", "하나"), ("c", "둘"), ("example", "하나"), ("bare", "하나"))):
        searches.keep(name, owner, replace(REPORT, created_at=NOON + timedelta(seconds=place)))
        searches.label(name, owner, "https://a.kr/1", None if name == "bare" else Label.UNSURE)
    with database.writing() as connection:
        connection.execute(update(SEARCHES).where(SEARCHES.c.id == "example").values(sample=True))
    assert [stored.id for stored in searches.labelled("하나", most=5)] == ["b", "a"]
    assert [stored.id for stored in searches.labelled(most=2)] == ["c", "b"]


def test_where_searches_are_not_kept_there_is_none(database: Database):
    """With keeping turned off a search leaves nothing."""
    off = searches_in(database, keeps=False)
    off.keep("s", "하나", REPORT)
    assert kept(off, "s") == ""


def test_one_row_that_cannot_be_read_hides_no_other(searches: StoredSearches, database: Database):
    """A damaged search is left out of what is loaded, the others come."""
    for name in ("a", "b"):
        searches.keep(name, "하나", REPORT)
        searches.label(name, "하나", "https://a.kr/1", Label.RELEVANT)
    with database.writing() as connection:
        connection.execute(update(SEARCHES).where(SEARCHES.c.id == "a").values(body={"scorer": 3}))
    assert searches.load("a", "하나") is None
    assert [stored.id for stored in searches.labelled("하나", most=5)] == ["b"]
