"""Small parts of the page: transcript lines, words for numbers, security headers."""

from __future__ import annotations

import asyncio

import pytest

from pages.parts.headers import SecurityHeaders
from pages.parts.progress import reply_line
from pages.parts.transcript_lines import Line, find_lines, line_at, lines_of, mark_words, start_in_second
from pages.parts.words import span
from search_core.domain import ProviderReply, SearchStatus, TranscriptSegment
from search_core.presenting import points


def test_short_subtitles_are_joined_into_lines():
    """Subtitles join up to about seventy characters; a long pause starts a new line."""
    short = [TranscriptSegment(place * 2.0, place * 2.0 + 2, "열 글자쯤 되는 말") for place in range(10)]
    lines = lines_of([*short, TranscriptSegment(100, 102, "쉬고 난 뒤")])
    assert [line.start_s for line in lines] == [0.0, 12.0, 100.0]
    assert all(len(line.text) <= 70 for line in lines)
    assert lines[-1].text == "쉬고 난 뒤"


def test_a_five_hour_transcript_keeps_all_its_words():
    """Ten thousand subtitles become lines without losing one."""
    long = [TranscriptSegment(place * 1.8, place * 1.8 + 1.8, f"말{place}") for place in range(10_000)]
    lines = lines_of(long)
    assert " ".join(line.text for line in lines).split() == [f"말{place}" for place in range(10_000)]


def test_empty_subtitles_and_empty_transcripts_give_no_lines():
    """Blank subtitles are left out."""
    assert lines_of([]) == ()
    assert lines_of([TranscriptSegment(0, 1, "  \n ")]) == ()


@pytest.mark.parametrize(("at_s", "index"), [(0.0, 0), (9.9, 0), (10.0, 1), (25.0, 2), (999.0, 2)])
def test_a_moment_finds_its_line(at_s, index):
    """The line being said at a moment is the last that started before it."""
    lines = (Line(5.0, "가"), Line(10.0, "나"), Line(20.0, "다"))
    assert line_at(lines, at_s) == index


def test_a_rounded_moment_finds_the_line_that_it_is_of():
    """Claims keep hundredths of a second, subtitles have thousandths."""
    lines = (Line(31.631, "가"), Line(42.774, "나"))
    assert line_at(lines, 42.77) == 1
    assert line_at(lines, 42.76) == 0


def test_words_are_found_in_any_case_and_marked():
    """A search in the transcript ignores case; what was found is bold, and nothing else becomes Markdown."""
    lines = (Line(0, "NVIDIA의 *발표*"), Line(1, "다른 말"))
    assert find_lines(lines, "nvidia") == [0]
    assert find_lines(lines, " ") == []
    assert mark_words(lines[0].text, "nvidia") == "**NVIDIA**의 \\*발표\\*"
    assert mark_words("가 나 다", "나") == "가 **나** 다"


def test_spans_and_points_read_like_people_say_them():
    """Minutes are rounded up; scores are whole points, none for an unscored result."""
    assert [span(0.2), span(40), span(60), span(121)] == ["1초", "40초", "1분", "3분"]
    assert [points(0.824), points(1.7), points(-1.0), points(None)] == [82, 100, 0, None]


def test_every_answer_carries_the_security_headers():
    """The policy is on the answer once, whatever the app itself set; other traffic passes untouched."""
    sent: list[dict] = []

    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": [(b"Referrer-Policy", b"unsafe-url")]})
        await send({"type": "http.response.body", "body": b""})

    async def send(message):
        sent.append(message)

    asyncio.run(SecurityHeaders(app)({"type": "http"}, None, send))
    headers = dict(sent[0]["headers"])
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert headers[b"referrer-policy"] == b"strict-origin-when-cross-origin"
    assert b"Referrer-Policy" not in headers
    policy = headers[b"content-security-policy"].decode()
    assert "frame-src 'self' blob: https://www.youtube-nocookie.com" in policy
    assert "img-src 'self' data: blob:;" in policy

    passed: list[dict] = []

    async def keep(message):
        passed.append(message)

    asyncio.run(SecurityHeaders(app)({"type": "websocket"}, None, keep))
    assert passed[0]["headers"] == [(b"Referrer-Policy", b"unsafe-url")]


def test_an_answer_that_breaks_carries_them_too():
    """What breaks before it answers is a plain 500 with the headers, the server hears of it, and nothing is sent twice."""

    async def broken(scope, receive, send):
        if scope["path"] == "/late":
            await send({"type": "http.response.start", "status": 200, "headers": []})
        raise RuntimeError("planted")

    for path, statuses in (("/", [500]), ("/late", [200])):
        sent = []

        async def keep(message, sent=sent):
            sent.append(message)

        with pytest.raises(RuntimeError):
            asyncio.run(SecurityHeaders(broken)({"type": "http", "path": path}, None, keep))
        starts = [message for message in sent if message["type"] == "http.response.start"]
        assert [message["status"] for message in starts] == statuses
        assert b"content-security-policy" in dict(starts[0]["headers"])
        assert b"planted" not in b"".join(message.get("body", b"") for message in sent)


def test_a_resting_service_says_for_how_long():
    """While a search goes on, a service that is left alone is said to rest, with the time left."""
    resting = ProviderReply(provider="duckduckgo", status=SearchStatus.COOLING_DOWN, retry_after_s=90.0)
    assert reply_line(resting, {"duckduckgo": "DuckDuckGo"}).endswith("DuckDuckGo · 쉬는 중 (2분 남음)")


def test_a_second_leads_to_the_line_that_begins_in_it():
    """A moment written without its fraction is that of the line that begins within the second, or lies within a line."""
    lines = (Line(0.0, "하나"), Line(40.6, "둘"), Line(52.0, "셋"))
    assert [start_in_second(lines, second) for second in (0, 39, 40, 41, 52)] == [0.0, 39.0, 40.6, 41.0, 52.0]


def test_lines_typed_with_their_own_times_stay_apart():
    """Short lines join unless their times are the reader's own; text of one time is still put into lines."""
    spoken = (TranscriptSegment(0, 5, "첫 줄"), TranscriptSegment(5, 9, "둘째 줄"), TranscriptSegment(5, 9, "같은 때"))
    assert lines_of(spoken) == (Line(0, "첫 줄 둘째 줄 같은 때"),)
    assert lines_of(spoken, join=False) == (Line(0, "첫 줄"), Line(5, "둘째 줄 같은 때"))


def test_uncertain_words_stand_in_lines_of_their_own():
    """Short subtitles are joined, but never what was heard for sure with what may not have been said."""
    spoken = [
        TranscriptSegment(0, 1, "네"),
        TranscriptSegment(1, 2, "그래요"),
        TranscriptSegment(2, 3, "감사합니다", uncertain=True),
        TranscriptSegment(3, 4, "다음"),
    ]
    assert lines_of(spoken) == (Line(0, "네 그래요"), Line(2, "감사합니다", uncertain=True), Line(3, "다음"))
