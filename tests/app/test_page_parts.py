"""Small parts of the page: transcript lines, words for numbers, security headers."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext

import httpx
import pytest
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from pages.parts.shared.server import add_security_headers, restrict_routes
from pages.parts.shared.transcript_lines import Line, find_lines, line_at, lines_of, mark_words
from pages.parts.workspace.chat_answer import moments, video_markdown
from search_core.domain.conversation import AnswerRecord
from search_core.domain.video import TranscriptSegment


def test_short_subtitles_are_joined_into_lines():
    """They join up to about seventy characters, a long pause starts a new line, blank ones are left out, no word is lost."""
    short = [TranscriptSegment(number * 2.0, number * 2.0 + 2, "열 글자쯤 되는 말") for number in range(10)]
    lines = lines_of([*short, TranscriptSegment(100, 102, "쉬고 난 뒤")])
    assert [line.start_s for line in lines] == [0.0, 12.0, 100.0]
    assert all(len(line.text) <= 70 for line in lines)
    assert lines[-1].text == "쉬고 난 뒤"
    long = [TranscriptSegment(number * 1.8, number * 1.8 + 1.8, f"말{number}") for number in range(10_000)]
    assert " ".join(line.text for line in lines_of(long)).split() == [f"말{number}" for number in range(10_000)]
    assert lines_of([TranscriptSegment(0, 1, "  \n ")]) == lines_of([]) == ()


def test_a_moment_finds_its_line():
    """It is the last that began before it, hundredths of a second apart; a whole second leads to the line that begins in it."""
    lines = (Line(5.0, "가"), Line(10.0, "나"), Line(20.0, "다"))
    assert [line_at(lines, at_s) for at_s in (0.0, 9.9, 10.0, 25.0, 999.0)] == [0, 0, 1, 2, 2]
    rounded = (Line(31.631, "가"), Line(42.774, "나"))
    assert [line_at(rounded, at_s) for at_s in (42.77, 42.76)] == [1, 0]
    fractions = (Line(0.0, "하나"), Line(40.6, "둘"), Line(52.0, "셋"))
    assert [line_at(fractions, second) for second in (0, 39, 40, 41, 52)] == [0, 0, 1, 1, 2]


def test_words_are_found_in_any_case_and_marked():
    """A search in the transcript ignores case; what was found is bold, and nothing else becomes Markdown."""
    lines = (Line(0, "NVIDIA의 *발표*"), Line(1, "다른 말"))
    assert find_lines(lines, "nvidia") == [0]
    assert find_lines(lines, " ") == []
    assert mark_words(lines[0].text, "nvidia") == "**NVIDIA**의 \\*발표\\*"
    assert mark_words("가 나 다", "나") == "가 **나** 다"


def test_moments_come_in_order_once_and_as_links_where_there_is_a_video():
    """A moment cited twice has one button, what only looks like one has none, and without a video a moment is words."""
    assert moments("[5:20] 그리고 [0:40], 다시 [5:20]. [1] [12:75] 3:15 [다음]") == (320, 40)
    record = AnswerRecord(text="늘었어요 [0:40].")
    assert video_markdown(record, can_seek=True) == r"늘었어요 [\[0:40\]](#t=40)."
    assert video_markdown(record, can_seek=False) == r"늘었어요 \[0:40\]."


def test_every_answer_carries_the_security_headers():
    """Once, whatever the app set; an error before an answer is a plain 500 with them, and every error reaches the server."""

    async def app(scope, receive, send):
        if scope["path"] == "/broken":
            raise RuntimeError("planted")
        await send({"type": "http.response.start", "status": 200, "headers": [(b"Referrer-Policy", b"unsafe-url")]})
        if scope["path"] == "/late":
            raise RuntimeError("planted")
        await send({"type": "http.response.body", "body": b""})

    for path, status in (("/", 200), ("/broken", 500), ("/late", 200)):
        sent = []

        async def keep(message, sent=sent):
            sent.append(message)

        with nullcontext() if path == "/" else pytest.raises(RuntimeError):
            asyncio.run(add_security_headers(app)({"type": "http", "path": path}, None, keep))
        (start,) = [message for message in sent if message["type"] == "http.response.start"]
        headers = dict(start["headers"])
        assert (start["status"], headers[b"x-content-type-options"]) == (status, b"nosniff")
        assert headers[b"referrer-policy"] == b"strict-origin-when-cross-origin"
        assert b"Referrer-Policy" not in headers
        policy = headers[b"content-security-policy"].decode()
        assert "frame-src 'self' blob: https://www.youtube-nocookie.com" in policy
        assert "img-src 'self' data: blob:;" in policy
        assert b"planted" not in b"".join(message.get("body", b"") for message in sent)


@pytest.mark.parametrize(
    ("client", "path", "status"),
    [
        ("127.0.0.1", "/_stcore/metrics", 200),
        ("203.0.113.7", "/_stcore/metrics", 404),
        ("203.0.113.7", "/base/_stcore/metrics", 404),
        ("203.0.113.7", "/_stcore/health", 200),
    ],
)
def test_figures_of_streamlit_are_served_on_this_machine_alone(client: str, path: str, status: int):
    """A caller from elsewhere finds nothing there, under a base path either, and everything else."""
    app = restrict_routes(Route(path, lambda _: PlainTextResponse("1")))
    there = httpx.ASGITransport(app, client=(client, 5000))

    async def ask() -> int:
        async with httpx.AsyncClient(transport=there, base_url="http://127.0.0.1:8501") as asking:
            return (await asking.get(path)).status_code

    assert asyncio.run(ask()) == status
