"""Wikipedia: two languages together, one is enough, addresses by key."""

from __future__ import annotations

import pytest

from search_core.domain.reply import SearchStatus
from tests.loopback.played import Answer, json_answer
from tests.loopback.world import World
from tests.search_core.providers.provider_calls import ask, refusal_of

SLOW_S = 3.0
"""What a hanging request is given here: enough for a busy machine to answer those before it and beside it."""


def pages(*keys: str) -> Answer:
    entries = [{"id": n, "key": key, "title": key, "excerpt": "<b>본문</b>", "description": None} for n, key in enumerate(keys)]
    return json_answer({"pages": entries})


def queries_to(world: World, language: str) -> list[str]:
    """Return what the wiki of *language* was asked, in order."""
    return [request.params["q"] for request in world.requests["wikipedia"] if request.path.startswith(f"/{language}/")]


def test_each_language_gets_its_query_and_results_are_taken_in_turn(world: World):
    """The Korean wiki is asked the query, the English one the translated query; places alternate."""
    found = ask(world, "wikipedia", "대역폭 메모리", translated="bandwidth memory")
    assert sorted(world.asked) == [("wikipedia", "bandwidth memory"), ("wikipedia", "대역폭 메모리")]
    assert [(result.language, result.title) for result in found] == [("ko", "대역폭"), ("en", "bandwidth")]
    assert found[0].snippet == "대역폭에 관한 백과사전 문서이다."
    assert all(result.publish_date is None for result in found)


def test_addresses_are_made_from_keys(world: World):
    """A key becomes the path, with what an address cannot hold encoded; the limit counts over all languages."""
    world.play("wikipedia", answer=pages("C++", "AC/DC", "서울 지하철?", "A&B#c"))
    base = world.settings()["wikipedia_base_url"].replace("{language}", "ko")
    found = [result for result in ask(world, "wikipedia", limit=50) if result.language == "ko"]
    paths = ["/wiki/C%2B%2B", "/wiki/AC/DC", "/wiki/%EC%84%9C%EC%9A%B8_%EC%A7%80%ED%95%98%EC%B2%A0%3F", "/wiki/A%26B%23c"]
    assert [result.url.removeprefix(base) for result in found] == paths
    assert len(ask(world, "wikipedia", limit=5)) == 5


KOREAN = ("SK하이닉스 최근 실적", "SK hynix 2026", "SK하이닉스 실적", "SK하이닉스")


def test_broader_queries_are_tried_by_the_wiki_that_finds_nothing(world: World):
    """The Korean wiki gets the Korean ones in turn, the English one the translated query; who has found stops, or after three."""
    world.play("wikipedia", max_words=3)
    found = ask(world, "wikipedia", "SK하이닉스 최근 실적 2026년", translated="SK hynix 2026", broader=KOREAN)
    assert {query for _, query in world.asked} == {"SK하이닉스 최근 실적 2026년", "SK하이닉스 최근 실적", "SK hynix 2026"}
    assert len(world.asked) == 3
    assert {result.language for result in found} == {"ko", "en"}
    world.play("wikipedia", failure="nothing")
    broader = (*KOREAN, "SK hynix", "hynix", "SK")
    assert ask(world, "wikipedia", "SK하이닉스 최근 실적 2026년", translated="SK hynix 2026", broader=broader) == ()
    assert len(world.asked) == 3 + 6


def test_the_english_wiki_is_asked_no_korean_when_there_is_english(world: World):
    """Without a translation its Latin words stand in, and the same words in another order are not asked again."""
    world.play("wikipedia", failure="nothing")
    broader = ("infrared 중요", "James Webb infrared", "James Webb")
    ask(world, "wikipedia", "infrared 중요 James Webb", broader=broader)
    assert queries_to(world, "en") == ["infrared James Webb", "James Webb"]


def test_a_broader_query_that_hangs_or_is_refused(world: World):
    """One that hangs leaves the honest answer to the query itself, nothing found; being asked to slow down counts."""
    world.play("wikipedia", empty_for="맥락 검색", failure="hang")
    assert ask(world, "wikipedia", "맥락 검색", broader=("맥락",), settings={"web_search_timeout": SLOW_S}) == ()
    assert queries_to(world, "ko") == ["맥락 검색", "맥락"]
    world.play("wikipedia", empty_for="맥락 검색", failure="429-after")
    assert refusal_of(world, "wikipedia", query="맥락 검색", broader=("메모리",)).status is SearchStatus.RATE_LIMITED


@pytest.mark.parametrize(
    ("query", "translated", "language", "sent"),
    [
        ("HBM SK하이닉스 cold", "HBM SK hynix cold", "en", "HBM SK hynix cold"),
        ("HBM SK hynix cold", "SK하이닉스", "ko", "HBM SK hynix cold"),
        ("훈민정음 cold", "", "en", "훈민정음 cold"),  # the word "cold" alone would find colds
    ],
)
def test_the_english_wiki_is_asked_in_latin_whatever_the_question(
    world: World, query: str, translated: str, language: str, sent: str
):
    """A video's Korean names may stand in an English query, and English ones in a Korean query; a subject is never left out."""
    ask(world, "wikipedia", query, translated=translated, language=language)
    assert queries_to(world, "en") == [sent]


def test_an_english_question_asks_the_korean_wiki_in_korean_first(world: World):
    """The wiki of the other language gets what of the question is in its script, then what may be found there as well."""
    world.play("wikipedia", first=["nothing"] * 6)
    ask(world, "wikipedia", "NVIDIA earnings", translated="엔비디아", broader=("엔비디아", "NVIDIA"), language="en")
    assert sorted(query for _, query in world.asked) == ["NVIDIA", "NVIDIA", "NVIDIA earnings", "엔비디아"]


def test_one_language_that_answers_is_enough(world: World):
    """When one wiki fails or hangs, the pages of the other are a success; when that has none, the failure is what is told."""
    for failure in ("500", "hang"):
        world.play("wikipedia", first=[failure])
        found = ask(world, "wikipedia", "맥락", settings={"web_search_timeout": SLOW_S})
        assert [result.title for result in found] == ["맥락"]
    world.play("wikipedia", first=[(429, {"retry-after": "5"}, b"")], answer=pages())
    error = refusal_of(world, "wikipedia")
    assert (error.status, error.retry_after_s) == (SearchStatus.RATE_LIMITED, 5)
