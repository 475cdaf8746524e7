"""Small parts of the pages: lines of a transcript, headers of answers, marks and states of claims."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from dataclasses import replace

import httpx
import pytest
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from pages.parts.claims.claims_state import Choice
from pages.parts.claims.claims_view import _head, doubt_mark, kind_of, lanes_of
from pages.parts.shared.server import add_security_headers, restrict_routes
from pages.parts.shared.transcript_lines import Line, find_lines, line_at, lines_of, mark_words
from pages.parts.workspace.chat_answer import moments, video_markdown
from search_core.domain.claim import Claim, ClaimCheck, ClaimMoment, ClaimsRequest, ClaimsRun, ClaimState
from search_core.domain.conversation import AnswerRecord
from search_core.domain.stance import Stance
from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.search.presenting.claim_text import evidence_of
from search_core.search.presenting.dates import date_text
from tests.app.claims_double import NOW, checked, row


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


CLAIM = Claim(number=1, text="주장", moments=(ClaimMoment(10.0, 12.0, "말"),))


def test_marks_that_would_cover_each_other_stand_in_lanes():
    """The lowest lane that is free is taken, in the order of time, whatever the order given."""
    assert lanes_of([0.0, 2.0, 4.0, 50.0], 3.6) == [0, 1, 0, 0]
    assert lanes_of([2.0, 0.0, 1.0], 3.6) == [2, 0, 1]
    assert lanes_of([], 3.6) == []


def test_each_state_has_a_mark_of_its_own():
    """The web's verdict first, then own documents, then how far the check is."""
    assert kind_of(checked(CLAIM, Stance.CHANGED)) == "changed"
    assert kind_of(ClaimCheck(claim=CLAIM, state=ClaimState.FAILED, own_verdict=Stance.AGREE)) == "own_agree"
    states = {state: kind_of(ClaimCheck(claim=CLAIM, state=state)) for state in ClaimState if state is not ClaimState.CHECKED}
    assert list(states.values()) == ["waiting", "going", "going", "failed", "left_out"]


def test_a_claim_from_uncertain_speech_is_marked():
    """Where the recogniser is unsure of its words, and nowhere else."""
    heard = VideoContext(transcript=(TranscriptSegment(10.0, 12.0, "말", uncertain=True),))
    assert [bool(doubt_mark(CLAIM, video)) for video in (heard, VideoContext(), None)] == [True, False, False]


def test_an_undecided_claim_shows_its_nearest_sources_with_their_days():
    """Both stand on the card under what they are, with values that differ; a decided one has neither the name nor the days."""
    agreed = checked(CLAIM, Stance.AGREE)
    rows = tuple(row(place, Stance.CANNOT_TELL, quote=f"입출력 폭은 {place}비트다.") for place in (0, 1))
    run = ClaimsRun(id="r", request=ClaimsRequest(video=VideoContext(), claims=(CLAIM,)), created_at=NOW)
    days = [date_text(source.publish_date) for source in agreed.sources[:2]]
    for check, shown in ((replace(agreed, verdict=Stance.CANNOT_TELL, independent=0, rows=rows), True), (agreed, False)):
        head = _head(run, check, evidence_of(check.rows, check.sources, check.verdict).web)
        assert [text in head for text in ("가장 가까운 출처", *days)] == [shown] * 3


def test_a_time_read_off_in_whole_seconds_means_the_line_that_begins_then():
    """Not the one before, which is still being said as that second begins."""
    choice = Choice()
    choice.add(
        "설악산은 1,708미터다.", 62.0, (Line(46.17, "지리산은 넓습니다."), Line(62.19, "설악산의 높이는 1,807미터입니다."))
    )
    (moment,) = choice.claims[1].moments
    assert (moment.start_s, moment.quote) == (62.0, "설악산의 높이는 1,807미터입니다.")
