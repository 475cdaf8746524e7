"""Reading videos by address, against a YouTube on loopback, with the real packages."""

from __future__ import annotations

import gzip
import json
import threading
import time
from datetime import UTC, datetime

import pytest

from search_core.domain.video import Chapter, TranscriptOrigin, TranscriptSegment
from search_core.errors import VideoReadError
from search_core.video.address import YouTubeCause, YouTubeError
from search_core.video.youtube import MAX_ANSWER_BYTES, YouTubeReader, ask_oembed, fetch_captions
from tests.search_core.video.conftest import HTML, JSON, TEXT, VIDEO_ID, XML, track

URL = f"https://youtu.be/{VIDEO_ID}?t=30"
DESCRIPTION = "메모리 강연\n0:00 시작\n1:30 대역폭\n12:05 정리"


def said(words):
    return f'<transcript><text start="0" dur="1">{words}</text></transcript>'


def refused(reason):
    return 200, JSON, json.dumps({"playabilityStatus": {"status": "LOGIN_REQUIRED", "reason": reason}})


def hanging_until(release: threading.Event):
    """Return an answer that drops the connection once *release* is set."""
    return lambda _: release.wait(20) and None


def test_a_video_is_read_whole(youtube, youtube_settings):
    """OEmbed and transcript, with description, date and duration by the real yt-dlp through the proxy, give the whole video."""
    details = {"videoId": VIDEO_ID, "title": "제목", "author": "채널", "lengthSeconds": "100", "shortDescription": DESCRIPTION}
    page = {"publishDate": "2024-01-02T00:00:00Z", "uploadDate": "2024-01-02T00:00:00Z", "title": {"simpleText": "제목"}}
    answer = youtube.player_answer(videoDetails=details, microformat={"playerMicroformatRenderer": page})
    youtube.player = (200, JSON, json.dumps(answer))
    video = YouTubeReader(youtube_settings()).read(URL)
    assert video.video_id == VIDEO_ID
    assert video.url == f"https://www.youtube.com/watch?v={VIDEO_ID}"
    assert (video.title, video.channel, video.description) == ("대역폭 이야기", "메모리 채널", DESCRIPTION)
    assert video.published_at == datetime(2024, 1, 2, tzinfo=UTC)
    assert video.chapters == (Chapter(0.0, "시작"), Chapter(90.0, "대역폭"), Chapter(725.0, "정리"))
    assert video.transcript == (TranscriptSegment(0.5, 2.0, "안녕하세요 & 반가워요"),)
    assert (video.language, video.duration_s) == ("ko", 100.0)
    assert video.warnings == ()


TRACKS = {
    "in Korean by people": ([track("en"), track("ko", "asr"), track("ko"), track("ja")], "ko", TranscriptOrigin.PEOPLE),
    "with a region": ([track("fr"), track("ko-KR")], "ko", TranscriptOrigin.PEOPLE),
    "by people in the spoken language": ([track("ko"), track("en", "asr"), track("en")], "en", TranscriptOrigin.PEOPLE),
    "heard before a translation by people": ([track("ko"), track("en", "asr")], "en", TranscriptOrigin.AUTOMATIC),
    "a dub that was heard, too": ([track("ko", "asr"), track("ja", "asr"), track("en")], "en", TranscriptOrigin.PEOPLE),
}


@pytest.mark.parametrize("case", TRACKS)
def test_what_is_spoken_comes_before_translations(youtube, youtube_settings, case):
    """The language that was heard is the spoken one: its captions are taken first, marked where a machine wrote them."""
    youtube.tracks, language, origin = TRACKS[case]
    youtube.timedtext = (200, XML, said("42 words"))
    captions = fetch_captions(youtube_settings(), VIDEO_ID)
    assert (captions.language, captions.transcript_origin) == (language, origin)
    assert not any("tlang" in query for _, _, query, _ in youtube.asked)


def test_a_closed_track_leads_to_the_next(youtube, youtube_settings):
    """A track that wants a token, and one with an empty body, are passed over for one that can be read."""
    youtube.tracks = [track("ko", address="https://www.youtube.com/api/timedtext?exp=xpe"), track("ko", "asr"), track("en")]
    good = (200, XML, said("hello there"))
    youtube.timedtext = lambda query: good if "lang=en" in query else (200, XML, "")
    assert fetch_captions(youtube_settings(), VIDEO_ID).transcript[0].text == "hello there"


FAILURES = {
    "blocked": ("player", refused("Sign in to confirm you’re not a bot"), YouTubeCause.BLOCKED),
    "age": ("player", refused("This video may be inappropriate for some users."), YouTubeCause.AGE_RESTRICTED),
    "no captions": ("player", (200, JSON, '{"playabilityStatus": {"status": "OK"}}'), YouTubeCause.NO_CAPTIONS),
    "unplayable": ("player", (200, JSON, '{"playabilityStatus": {"status": "ERROR"}}'), YouTubeCause.UNPLAYABLE),
    "limit": ("player", (429, TEXT, "slow down"), YouTubeCause.BLOCKED),
    "no json": ("player", (200, HTML, "<html>"), YouTubeCause.UNREADABLE),
    "captcha": ("watch", (200, HTML, '<div class="g-recaptcha">'), YouTubeCause.BLOCKED),
    "a page without its key": ("watch", (200, HTML, "<html>"), YouTubeCause.UNREADABLE),
    "dropped": ("watch", None, YouTubeCause.NETWORK),
    "withheld": ("timedtext", (200, HTML, ""), YouTubeCause.BLOCKED),
    "consent": ("watch", (200, HTML, '<form action="https://consent.youtube.com/s">'), YouTubeCause.BLOCKED),
    "no words": ("timedtext", (200, XML, "<transcript></transcript>"), YouTubeCause.NO_CAPTIONS),
    "no JSON of oEmbed": ("oembed", (200, TEXT, "not json"), YouTubeCause.UNREADABLE),
    "a list of oEmbed": ("oembed", (200, JSON, "[]"), YouTubeCause.UNREADABLE),
    "an odd title": ("oembed", (200, JSON, '{"title": []}'), YouTubeCause.UNREADABLE),
    "elsewhere": ("oembed", (302, {"location": "https://youtube.com/oembed?format=json"}, ""), YouTubeCause.UNREADABLE),
}


@pytest.mark.parametrize("case", FAILURES)
def test_a_refused_answer_says_why(youtube, youtube_settings, case):
    """Whatever keeps the transcript or the title back, the error names the cause."""
    part, answer, cause = FAILURES[case]
    setattr(youtube, part, answer)
    with pytest.raises(YouTubeError) as caught:
        (ask_oembed if part == "oembed" else fetch_captions)(youtube_settings(), VIDEO_ID)
    assert caught.value.cause is cause


@pytest.mark.parametrize(("part", "ask"), [("watch", fetch_captions), ("timedtext", fetch_captions), ("oembed", ask_oembed)])
def test_an_answer_without_end_is_not_held_in_memory(youtube, youtube_settings, part, ask):
    """What is larger than any answer of YouTube is put down at its limit, unpacked or as sent."""
    endless = json.dumps({"title": "a" * MAX_ANSWER_BYTES}).encode()
    for headers, body in ((JSON, endless), ({**JSON, "content-encoding": "gzip"}, gzip.compress(endless))):
        setattr(youtube, part, (200, headers, body))
        with pytest.raises(YouTubeError) as caught:
            ask(youtube_settings(), VIDEO_ID)
        assert caught.value.cause is YouTubeCause.UNREADABLE


def test_a_hanging_extractor_is_ended(youtube, youtube_settings):
    """Yt-dlp waiting for YouTube is stopped at its deadline, the transcript at its own, and the rest is shown with what to do."""
    release = threading.Event()
    youtube.watch = hanging_until(release)
    reader = YouTubeReader(youtube_settings(web_search_timeout=2.0), extractor_deadline_s=1.0)
    begun = time.monotonic()
    video = reader.read(URL)
    release.set()
    assert time.monotonic() - begun < 20
    assert video.title == "대역폭 이야기"
    assert [warning.partition(":")[0] for warning in video.warnings] == [
        "설명과 게시일을 가져오지 못했어요",
        "자막을 가져오지 못했어요",
    ]
    assert "제때 답하지 않았어요" in video.warnings[1]
    assert "자막 파일을 올리거나 YouTube의 스크립트 창에서 복사해 붙여 넣으면" in video.warnings[1]


def test_nothing_at_all_is_an_error_with_its_cause(youtube, youtube_settings):
    """When every source fails, the error names what is wrong with the video rather than what went wrong on the way."""
    youtube.oembed = (404, TEXT, "Not Found")
    youtube.watch = (500, TEXT, "")
    with pytest.raises(YouTubeError) as caught:
        YouTubeReader(youtube_settings()).read(URL)
    assert caught.value.cause is YouTubeCause.NOT_FOUND
    assert caught.value.korean == "없거나 지워진 영상이에요."


def test_a_transcript_alone_is_enough(youtube, youtube_settings):
    """A video whose page tells nothing is still read by its transcript, with a warning about the title."""
    youtube.oembed = (401, TEXT, "Unauthorized")
    video = YouTubeReader(youtube_settings()).read(URL)
    assert video.transcript
    assert video.title == ""
    assert video.warnings[0].startswith("제목과 설명을 가져오지 못했어요: ")


def test_another_address_is_refused_before_asking(youtube, youtube_settings):
    """What is no address of a YouTube video is refused without a request."""
    with pytest.raises(VideoReadError, match="Not the address of a YouTube video"):
        YouTubeReader(youtube_settings()).read("https://example.com/watch?v=abcDEF12_-3")
    assert youtube.asked == []


def test_an_untrusted_certificate_is_told_for_what_it_is(youtube, youtube_settings):
    """Behind a proxy whose authority nobody knows the way out is named."""
    with pytest.raises(YouTubeError) as caught:
        fetch_captions(youtube_settings(proxy_ca_file=""), VIDEO_ID)
    assert "SSL_CERT_FILE" in caught.value.korean


def test_no_network_is_an_error_that_says_so(youtube_settings):
    """With nothing listening at any address the cause is the network."""
    nowhere = "http://127.0.0.1:9"
    settings = youtube_settings(youtube_oembed_url=nowhere, youtube_proxy=nowhere)
    with pytest.raises(YouTubeError) as caught:
        YouTubeReader(settings).read(URL)
    assert caught.value.cause is YouTubeCause.NETWORK
