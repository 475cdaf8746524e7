"""``ask``: answers from the video, from the web and from own documents, and checks of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from search_core.commands import main
from tests.loopback.language_model import Asked, LanguageModelServer, dying, saying
from tests.loopback.world import Page, World
from tests.search_core.commands.conftest import Settings, in_order
from tests.search_core.reading.loopback_site import LoopbackSite, answer

SRT = """1
00:00:01,000 --> 00:00:04,000
오늘은 메모리 장벽 이야기를 합니다.

2
00:12:41,000 --> 00:12:48,000
메모리 장벽은 계산기와 메모리의 속도 차이를 말합니다.
"""


@pytest.fixture
def talk(documents: Path, tmp_path: Path) -> str:
    """Return a subtitle file; the only service is the library, with one document."""
    (tmp_path / "talk.srt").write_text(SRT, encoding="utf-8")
    assert main(["index", str(documents)]) == 0
    return str(tmp_path / "talk.srt")


def test_what_the_video_says_is_quoted(talk: str, capsys: pytest.CaptureFixture[str]):
    """The sentence stands there with its moment, and nothing is searched; a check that cannot be made is a failure."""
    assert main(["ask", "메모리 장벽이 뭐야?", "--video", talk]) == 0
    printed = capsys.readouterr().out
    assert "“메모리 장벽은 계산기와 메모리의 속도 차이를 말합니다.”" in printed
    assert "- 영상 시각: 12:41, 00:01\n" in printed
    assert "웹에서" not in printed
    assert main(["ask", "메모리 장벽이 뭐야?", "--video", talk, "--check"]) == 1  # nobody can be asked


def test_own_documents_are_printed_under_their_own_name(talk: str, settings: Settings, capsys: pytest.CaptureFixture[str]):
    """Without a service of the web that is the cause; the document is quoted, and is no answer; without fallback it is not."""
    for video in (["--video", talk], []):
        assert main(["ask", "김치찌개에 무엇을 넣나요?", *video]) == 1
        printed = capsys.readouterr().out
        assert in_order(printed, "웹에서 찾은 말:", "웹 검색 사용 불가", "내 자료에서\n\n1. 김치찌개", "넣고 끓인다.”")
        assert "영상 기반 답변만" not in printed
    assert main(["ask", "화성까지 거리는?", "--video", talk]) == 1
    printed = capsys.readouterr().out
    assert "웹 검색을 사용할 수 없어 웹의 답은 보여 드리지 못해요." in printed
    assert "영상 기반 답변만" not in printed  # there is none
    settings(web_search_fallback_enabled="false")
    assert main(["ask", "김치찌개에 무엇을 넣나요?", "--video", talk]) == 1
    printed = capsys.readouterr().out
    assert "웹 검색은 꺼져 있어요" in printed
    assert "돼지고기" not in printed


def test_events_as_json_lines(talk: str, capsys: pytest.CaptureFixture[str]):
    """``--json`` prints each event as one line, in order, the tokens adding up to the answer."""
    capsys.readouterr()
    assert main(["ask", "김치찌개에 무엇을 넣나요?", "--video", talk, "--json"]) == 1
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    searched = ["web_searching", "web_failed", "own_documents", "done"]
    assert [event["event"] for event in events] == ["passages", "token", "answer", "fallback", *searched]
    assert events[1]["data"]["text"] == events[2]["data"]["text"]
    assert events[6]["data"]["documents"][0]["title"] == "김치찌개"


def test_a_model_answers(talk: str, settings: Settings, capsys: pytest.CaptureFixture[str]):
    """An endpoint's words are printed without moments that are none of the video's, escape sequences and hidden letters."""
    with LanguageModelServer(saying("속도\u202e 차이예요 [12:41].\x07 지어낸 때\x1b[2J [44:44].")) as endpoint:
        settings(openai_base_url=endpoint.url, openai_model="m")
        assert main(["ask", "메모리 장벽이 뭐야?", "--video", talk]) == 0
    printed = capsys.readouterr().out
    assert "속도 차이예요 \\[12:41\\]. 지어낸 때\\[2J" in printed
    assert not set(printed) & {"\x1b", "\u202e", "\x07"}


PAGE_TEXT = "메모리 장벽은 계산기와 메모리의 속도 차이를 말한다."
OTHER_TEXT = "<p>연구실은 봄마다 새 장비를 들이고 여름에는 문을 닫는다.</p>" * 3
ARTICLE = f"<article><p>{PAGE_TEXT}</p>{OTHER_TEXT}</article>"
PAGE = answer(
    f"<html><head><title>메모리 장벽</title></head><body>{ARTICLE}</body></html>".encode(),
    "Content-Type: text/html; charset=utf-8",
)


@pytest.fixture
def web(settings: Settings) -> Iterator[World]:
    """Yield a web in which Tavily knows one page, which can be read; SearXNG and the user's documents could be asked, too."""
    with World() as world, LoopbackSite(PAGE) as site:
        page = Page(title="메모리 장벽", url=f"http://127.0.0.1:{site.port}/a", snippet="메모리 장벽은 속도 차이를 말한다.")
        world.play("tavily", pages=(page,))
        settings(**world.settings(), reading_allow_private=f"127.0.0.1:{site.port}", search_providers="library,searxng,tavily")
        yield world


def dies_later(asked: Asked):
    return (dying(20) if "the web adds" in asked.prompt else saying("속도 차이예요 [12:41]."))(asked)


def test_an_answer_is_checked_online(talk: str, web: World, settings: Settings, capsys: pytest.CaptureFixture[str]):
    """The row, a summary and sources, of Tavily alone, follow; a model that breaks off is replaced."""
    ask = ["ask", "메모리 장벽이 뭐야?", "--video", talk, "--check"]
    assert main(ask) == 0
    printed = capsys.readouterr().out
    assert [name for name, _ in web.asked] == ["tavily"]
    assert in_order(
        printed,
        "“메모리 장벽은",
        "웹에서 찾은 말: 메모리 장벽",
        "| 12:41 | 일치 | 127.0.0.1 | 날짜 모름 |",
        f"- “{PAGE_TEXT}” (127.0.0.1) [\\[1\\]](http://",
        "1. [메모리 장벽](http://127.0.0.1:",
    )
    with LanguageModelServer(dies_later) as endpoint:
        settings(openai_base_url=endpoint.url, openai_model="m")
        assert main(ask) == 0
    assert "발췌로 대신 보여 드려요." in capsys.readouterr().out
    with LanguageModelServer(saying("메모리 월이에요 [12:41] [9].")) as endpoint:
        settings(openai_base_url=endpoint.url)
        assert main(ask) == 0
    assert "메모리 월이에요 " in capsys.readouterr().out
