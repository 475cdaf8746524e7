"""A YouTube of our own on loopback."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

import pytest

from search_core.settings import Settings
from tests.loopback.tls_proxy import TlsProxy

VIDEO_ID = "abcDEF12_-3"
JSON = {"content-type": "application/json; charset=utf-8"}
HTML = {"content-type": "text/html; charset=utf-8"}
XML = {"content-type": "text/xml; charset=utf-8"}
TEXT = {"content-type": "text/plain; charset=utf-8"}


def track(code, kind="", address="https://www.youtube.com/api/timedtext?v=abcDEF12_-3"):
    return {
        "baseUrl": f"{address}&lang={code}&kind={kind}",
        "name": {"runs": [{"text": code}]},
        "languageCode": code,
        "isTranslatable": False,
        **({"kind": kind} if kind else {}),
    }


@dataclass
class FakeYouTube:
    """Answers as YouTube does; a test changes the field it is about. An answer may be None (dropped) or a function."""

    oembed: object = (
        200,
        JSON,
        json.dumps({"title": "대역폭 이야기", "author_name": "메모리 채널"}),
    )
    tracks: list = field(default_factory=lambda: [track("ko")])
    watch: object = (200, HTML, '<html>"INNERTUBE_API_KEY": "inner"</html>')
    player: object = None
    timedtext: object = (200, XML, '<transcript><text start="0.5" dur="1.5">안녕하세요 &amp;amp; 반가워요</text></transcript>')
    asked: list = field(default_factory=list)

    def __call__(self, method, host, target, headers, body):
        parts = urlsplit(target)
        self.asked.append((host, parts.path, parse_qs(parts.query), headers))
        answers = {
            "/oembed": self.oembed,
            "/watch": self.watch,
            "/youtubei/v1/player": self.player or (200, JSON, json.dumps(self.player_answer())),
            "/api/timedtext": self.timedtext,
            "/youtubei/v1/next": (200, JSON, b"{}"),
        }
        answer = answers.get(parts.path, (404, TEXT, b"Not Found"))
        answer = answer(parts.query) if callable(answer) else answer
        if answer is None:
            return None
        status, headers, body = answer
        return status, headers, body.encode() if isinstance(body, str) else body

    def player_answer(self, **changes):
        return {
            "playabilityStatus": {"status": "OK"},
            "captions": {"playerCaptionsTracklistRenderer": {"captionTracks": self.tracks, "translationLanguages": []}},
            **changes,
        }


@pytest.fixture(scope="session")
def proxy() -> Iterator[TlsProxy]:
    """Run one proxy, with certificates of its own, for all tests."""
    with TlsProxy(FakeYouTube()) as running:
        yield running


@pytest.fixture
def youtube(proxy: TlsProxy) -> FakeYouTube:
    """Return a fake YouTube that answers everything; change its fields to make it fail."""
    proxy.answer = FakeYouTube()
    return proxy.answer


@pytest.fixture
def youtube_settings(youtube, proxy: TlsProxy):
    """Return a function that makes settings pointing at the fake YouTube."""

    def make(**changes):
        given = {
            "youtube_oembed_url": f"{proxy.url}/oembed",
            "youtube_proxy": proxy.url,
            "proxy_ca_file": proxy.ca_file,
            "web_search_timeout": 5.0,
        }
        return Settings(_env_file=None, **{**given, **changes})

    return make
