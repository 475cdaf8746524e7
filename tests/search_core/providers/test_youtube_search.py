"""YouTube: what is asked, and which entries are videos."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from search_core.domain import SearchStatus
from search_core.providers.youtube import YouTubeProvider
from search_core.settings import Settings
from tests.loopback.played import Answer, json_answer
from tests.loopback.services.youtube import KEY
from tests.loopback.world import World
from tests.search_core.providers.provider_calls import ask, refusal_of

NOON = datetime(2026, 11, 21, 12, 0, 0, 987654, tzinfo=UTC)


def listed(*entries: dict[str, Any]) -> Answer:
    return json_answer({"kind": "youtube#searchListResponse", "pageInfo": {"totalResults": 1}, "items": entries})


def entry(video_id: Any = "dQw4w9WgXcQ", **snippet: Any) -> dict[str, Any]:
    return {"id": {"kind": "youtube#video", "videoId": video_id}, "snippet": {"title": "영상", **snippet}}


def made(base_url: str) -> YouTubeProvider:
    return YouTubeProvider(
        Settings(youtube_api_key="k", youtube_data_base_url=base_url, web_search_timeout=5.0), now=lambda: NOON
    )


def sent_for(world: World, **request: Any) -> dict[str, str]:
    ask(world, "youtube", provider=made(f"{world.base_url}/youtube"), **request)
    return dict(world.requests["youtube"][-1].params)


def test_videos_are_asked_for_with_the_key_in_a_header(world: World):
    """Addresses end up in logs, so the key is not in them; only videos are wanted, by relevance."""
    ask(world, "youtube")
    sent = world.requests["youtube"][-1]
    assert (sent.path, sent.headers["x-goog-api-key"]) == ("/search", KEY)
    assert sent.params == {
        "part": "snippet",
        "type": "video",
        "q": "메모리 대역폭",
        "maxResults": "10",
        "regionCode": "KR",
        "relevanceLanguage": "ko",
        "safeSearch": "moderate",
    }


def test_what_the_request_asks_for_is_passed_on(world: World):
    """Page size, country, freshness and safe search have YouTube's own names and bounds; news are still placed by relevance."""
    assert sent_for(world, limit=80)["maxResults"] == "50"
    assert sent_for(world, language="en")["regionCode"] == "US"
    after = {age: sent_for(world, freshness=age, news=True)["publishedAfter"] for age in ("day", "week", "month", "year")}
    assert after == {
        "day": "2026-11-20T12:00:00Z",
        "week": "2026-11-14T12:00:00Z",
        "month": "2026-10-21T12:00:00Z",
        "year": "2025-11-20T12:00:00Z",
    }
    assert "order" not in sent_for(world, news=True)


def test_entries_that_are_no_videos_are_left_out(world: World):
    """A channel, an odd id or an entry without its part is no result; a video has its page, its channel and its date."""
    odd = [
        {"id": {"kind": "youtube#channel", "channelId": "UC1"}, "snippet": {"title": "채널"}},
        {"id": {"videoId": "dQw4w9WgXcQ"}},
        *(entry("../../evil?"), entry("too-short"), entry("dQw4w9WgXcQ&list=1")),
    ]
    video = entry(
        title="AT&amp;T &quot;5G&quot; &lt;완전&gt; 정리",
        description="설명입니다.\n둘째 줄",
        channelTitle="공부 &amp; 채널",
        publishedAt="2024-01-02T03:04:05Z",
    )
    world.play("youtube", answer=listed(*odd, video))
    (found,) = ask(world, "youtube", exclude_domains=("youtube.com",))  # that is for the filter after all answers
    assert (found.url, found.source) == ("https://www.youtube.com/watch?v=dQw4w9WgXcQ", "youtube.com")
    assert (found.title, found.snippet) == ('AT&T "5G" <완전> 정리', "공부 & 채널 · 설명입니다. 둘째 줄")
    assert found.publish_date == datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)
    for unreadable in (listed(*odd), json_answer({"kind": "youtube#searchListResponse"})):
        world.play("youtube", answer=unreadable)
        assert refusal_of(world, "youtube").status is SearchStatus.INVALID_RESPONSE
