"""Searches are kept with their labels for their owners alone, in SQLite and in PostgreSQL."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from sqlalchemy import func, select, update

from search_core.domain import (
    ConstructedQuery,
    Label,
    PartOrigin,
    ProviderReply,
    QueryPart,
    Question,
    RankingOptions,
    RankingWeights,
    ScoreParts,
    SearchIntent,
    SearchOptions,
    SearchReport,
    SearchResult,
    SearchStatus,
    SearchType,
    result_key,
    video_key,
)
from search_core.errors import TooLongError
from search_core.storage import Database
from search_core.storage.stored_searches import StoredSearches
from search_core.storage.tables import SEARCH_LABELS, SEARCH_SETS, SEARCHES
from tests.search_core.storage.sample_records import NOON, VIDEO

FOUND = SearchResult(
    title="HBM4 양산",
    url="https://a.kr/1",
    snippet="HBM4 양산을 시작했다.",
    source="a.kr",
    relevance_score=0.71,
    publish_date=NOON,
    providers=("wikipedia",),
    ranks=(("wikipedia", 1),),
    parts=ScoreParts(lexical=0.8, agreement=0.5),
    entity_matches=("HBM4",),
)
FORBIDDEN = replace(
    FOUND, title="숨길 제목", url="https://b.kr/2", snippet="숨길 글", source="b.kr", providers=("brave", "wikipedia")
)
REPORT = SearchReport(
    question=Question(text="HBM4 양산은", video=VIDEO),
    options=SearchOptions(),
    intent=SearchIntent(
        query="HBM4 양산은",
        intent_type=SearchType.NEWS,
        confidence=0.9,
        search_terms=("HBM4",),
        requires_context=False,
        language_preference="ko",
    ),
    constructed=ConstructedQuery(text="HBM4 양산", parts=(QueryPart("HBM4", PartOrigin.QUESTION),)),
    replies=(ProviderReply(provider="wikipedia", status=SearchStatus.SUCCESS, results=(FOUND,), latency_ms=12.5),),
    results=(FOUND,),
    hidden=(FORBIDDEN,),
    scorer="kiwi",
    created_at=NOON,
)


def searches_in(
    database: Database, *, days: float = 90, most: int = 100, now: datetime = NOON, keeps: bool = True
) -> StoredSearches:
    return StoredSearches(database, keeps=keeps, days=days, most=most, storable=lambda name: name != "brave", now=lambda: now)


@pytest.fixture
def searches(database: Database) -> StoredSearches:
    return searches_in(database)


def test_a_search_comes_back_as_it_was(searches: StoredSearches):
    """Question, query, replies, scores and parts are the same; the video is named and kept elsewhere."""
    searches.keep("s", "하나", REPORT)
    (stored,) = searches.load(["s"], "하나")
    assert stored.report.results == REPORT.results
    assert (stored.report.intent, stored.report.constructed, stored.report.scorer) == (REPORT.intent, REPORT.constructed, "kiwi")
    assert (stored.report.replies[0].status, len(stored.report.replies[0].results)) == (SearchStatus.SUCCESS, 1)
    assert (stored.entry.video_key, stored.entry.video_title, stored.entry.created_at) == (video_key(VIDEO), VIDEO.title, NOON)


def test_what_a_service_forbids_to_keep_is_not_kept(searches: StoredSearches, database: Database):
    """Of a result that Brave has seen, scores, parts and a digest are kept, and no text or address anywhere in the row."""
    searches.keep("s", "하나", REPORT)
    with database.reading() as connection:
        body = str(connection.execute(select(SEARCHES.c.body)).scalar_one())
    assert "숨길" not in body
    assert "b.kr" not in body
    hidden = searches.load(["s"], "하나")[0].report.hidden[0]
    assert (hidden.parts, hidden.relevance_score, hidden.ranks) == (FORBIDDEN.parts, 0.71, FORBIDDEN.ranks)
    assert result_key(hidden.url) == result_key("https://b.kr/2")


def test_a_label_is_changed_and_taken_back(searches: StoredSearches):
    """A label of an address that is hashed is found, also after the search was scored anew; the last counts, or none."""
    searches.keep("s", "하나", REPORT)
    assert searches.label("s", "하나", "https://b.kr/2", Label.RELEVANT)
    searches.keep("s", "하나", replace(REPORT, results=(replace(FOUND, relevance_score=0.9),)))
    (stored,) = searches.load(["s"], "하나")
    assert (stored.report.results[0].relevance_score, searches.count("하나")) == (0.9, 1)
    assert stored.labels == {result_key(stored.report.hidden[0].url): Label.RELEVANT}
    for address, label in (("b.kr/2", None), ("a.kr/1", Label.UNSURE), ("a.kr/1", Label.NOT_RELEVANT)):
        searches.label("s", "하나", f"https://{address}", label)
    assert searches.labels("s", "하나") == {result_key("https://a.kr/1"): Label.NOT_RELEVANT}


def test_others_see_and_change_nothing(searches: StoredSearches, database: Database):
    """Another owner finds no search, cannot label or delete it; deleted by its own, labels and places in sets go with it."""
    searches.keep("s", "하나", REPORT)
    searches.label("s", "하나", "https://a.kr/1", Label.RELEVANT)
    searches.put_in_set("모음", "하나", ["s"])
    assert (searches.entries("둘"), searches.load(["s"], "둘"), searches.labels("s", "둘")) == ((), (), {})
    assert not searches.label("s", "둘", "https://a.kr/1", None)
    assert searches.delete(["s"], "둘") == 0
    assert (searches.count("하나"), len(searches.labels("s", "하나"))) == (1, 1)
    assert searches.delete(["s"], "하나") == 1
    with database.reading() as connection:
        tables = (SEARCHES, SEARCH_LABELS, SEARCH_SETS)
        assert [connection.execute(select(func.count()).select_from(table)).scalar_one() for table in tables] == [0, 0, 0]


def test_old_searches_go_unless_they_are_labelled(database: Database):
    """After the age set, a search without labels goes when the next is kept; a labelled one stays."""
    early = searches_in(database)
    for name in ("old", "labelled"):
        early.keep(name, "하나", REPORT)
    early.label("labelled", "하나", "https://a.kr/1", Label.RELEVANT)
    later = searches_in(database, now=NOON + timedelta(days=91))
    later.keep("new", "하나", replace(REPORT, created_at=NOON + timedelta(days=91)))
    assert {entry.id for entry in later.entries("하나")} == {"new", "labelled"}


def test_past_the_number_set_the_oldest_without_labels_go_first(database: Database):
    """Of three where two may stay, the labelled oldest stays and the next oldest goes; other owners are left alone."""
    few = searches_in(database, most=2)
    few.keep("other", "둘", REPORT)
    for place, name in enumerate(("a", "b", "c")):
        few.keep(name, "하나", replace(REPORT, created_at=NOON + timedelta(seconds=place)))
        if name == "a":
            few.label("a", "하나", "https://a.kr/1", Label.RELEVANT)
    assert [entry.id for entry in few.entries("하나")] == ["c", "a"]
    assert few.count("둘") == 1


def test_lists_are_of_a_video_a_time_or_a_set(searches: StoredSearches):
    """Each choice shows its own searches, newest first."""
    searches.keep("a", "하나", REPORT)
    searches.keep("b", "하나", replace(REPORT, question=Question(text="다른 질문"), created_at=NOON + timedelta(days=1)))
    searches.put_in_set("모음", "하나", ["a", "nobody"])

    def listed(**choice: object) -> list[str]:
        return [entry.id for entry in searches.entries("하나", **choice)]

    assert listed() == ["b", "a"]
    assert (listed(video=video_key(VIDEO)), listed(video=""), listed(since=NOON + timedelta(hours=1))) == (["a"], ["b"], ["b"])
    assert (listed(set_name="모음"), searches.sets("하나")) == (["a"], {"모음": 1})
    searches.put_in_set("모음", "하나", [])
    assert searches.sets("하나") == {}


def test_where_searches_are_not_kept_only_samples_are(database: Database):
    """With keeping turned off a search leaves nothing; a sample is there."""
    off = searches_in(database, keeps=False)
    off.keep("s", "하나", REPORT)
    off.keep("sample", "하나", REPORT, sample=True)
    assert [(entry.id, entry.sample) for entry in off.entries("하나")] == [("sample", True)]


def test_one_row_that_cannot_be_read_hides_no_other(searches: StoredSearches, database: Database):
    """A damaged search is left out of what is loaded, the others come."""
    for name in ("a", "b"):
        searches.keep(name, "하나", REPORT)
    with database.writing() as connection:
        connection.execute(update(SEARCHES).where(SEARCHES.c.id == "a").values(body={"scorer": 3}))
    assert [stored.entry.id for stored in searches.load(["a", "b"], "하나")] == ["b"]


def test_profiles_are_kept_by_name(searches: StoredSearches):
    """A profile comes back as it was, takes the place of one of its name, and goes when deleted; each owner has its own."""
    news = RankingOptions(threshold=0.42, weights=RankingWeights(recency=0.9))
    for ranking in (RankingOptions(), news):
        searches.put_profile("뉴스", "하나", ranking)
    assert (searches.profiles("하나"), searches.profiles("둘")) == ({"뉴스": news}, {})
    searches.delete_profile("뉴스", "하나")
    for refused in (searches.put_profile, searches.put_in_set):
        with pytest.raises(TooLongError, match=r"name has 61 characters; at most 60"):
            refused("가" * 61, "하나", RankingOptions())
    assert searches.profiles("하나") == {}
