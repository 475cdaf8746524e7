from __future__ import annotations

import json
from pathlib import Path

import pytest

from search_core.commands import main
from tests.loopback.language_model import LanguageModelServer, saying

SRT = """1
00:00:01,000 --> 00:00:04,000
오늘은 메모리 장벽 이야기를 합니다.

2
00:12:41,000 --> 00:12:48,000
메모리 장벽은 계산기와 메모리의 속도 차이를 말합니다.
"""


@pytest.fixture
def talk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """Return a subtitle file; the only service is the library, with one document."""
    monkeypatch.setenv("SEARCH_PROVIDERS", "library")
    monkeypatch.setenv("LIBRARY_SAMPLES", "false")
    monkeypatch.setenv("EMBEDDING_MODEL", "kiwi")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/soup.md").write_text("# 김치찌개\n\n김치찌개는 김치와 돼지고기를 넣고 끓인다.\n", encoding="utf-8")
    (tmp_path / "talk.srt").write_text(SRT, encoding="utf-8")
    assert main(["index", str(tmp_path / "docs")]) == 0
    return str(tmp_path / "talk.srt")


def test_what_the_video_says_is_quoted(talk: str, capsys: pytest.CaptureFixture[str]):
    """The sentence stands there with its moment, and nothing is searched."""
    assert main(["ask", "메모리 장벽이 뭐야?", "--video", talk]) == 0
    printed = capsys.readouterr().out
    assert "[12:41] “메모리 장벽은 계산기와 메모리의 속도 차이를 말합니다.”" in printed
    assert "웹에서" not in printed


def test_what_the_video_does_not_say_is_looked_for(talk: str, capsys: pytest.CaptureFixture[str]):
    """The answer says that the video does not mention it, then come the source and a quote from it."""
    assert main(["ask", "김치찌개에 무엇을 넣나요?", "--video", talk]) == 0
    printed = capsys.readouterr().out
    assert (
        printed.index("언급되지 않았습니다")
        < printed.index("[1] 김치찌개")
        < printed.index("김치찌개는 김치와 돼지고기를 넣고 끓인다.” (")
    )


def test_a_question_nobody_answers_fails(talk: str, capsys: pytest.CaptureFixture[str]):
    """When neither the video nor the web says anything the exit code tells it, and the reason is printed."""
    assert main(["ask", "화성까지 거리는?", "--video", talk]) == 1
    assert "영상 기반 답변만 표시합니다." in capsys.readouterr().out


def test_with_the_fallback_off_the_answer_stands(talk: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Nothing is searched, the setting is named, and the question stays unanswered."""
    monkeypatch.setenv("WEB_SEARCH_FALLBACK_ENABLED", "false")
    assert main(["ask", "김치찌개에 무엇을 넣나요?", "--video", talk]) == 1
    printed = capsys.readouterr().out
    assert "WEB_SEARCH_FALLBACK_ENABLED" in printed
    assert "돼지고기" not in printed


def test_events_as_json_lines(talk: str, capsys: pytest.CaptureFixture[str]):
    """``--json`` prints each event as one line, in order, the tokens adding up to the answer."""
    capsys.readouterr()
    assert main(["ask", "김치찌개에 무엇을 넣나요?", "--video", talk, "--json"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["event"] for event in events] == [
        "passages",
        "token",
        "answer",
        "fallback",
        "web_searching",
        "web_sources",
        "token",
        "web_answer",
        "done",
    ]
    assert events[1]["data"]["text"] == events[2]["data"]["text"]
    assert events[5]["data"]["sources"][0]["title"] == "김치찌개"


def test_a_model_answers_as_it_writes(talk: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """With an endpoint its words are printed, moments that are none of the video's left out."""
    with LanguageModelServer(saying("속도 차이예요 [12:41]. 지어낸 때 [44:44].")) as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        monkeypatch.setenv("OPENAI_MODEL", "m")
        assert main(["ask", "메모리 장벽이 뭐야?", "--video", talk]) == 0
    assert "속도 차이예요 [12:41]. 지어낸 때.\n" in capsys.readouterr().out


def test_a_model_cannot_steer_the_terminal(talk: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Escape sequences and invisible letters of an answer are not printed; its words are."""
    with LanguageModelServer(saying("\x1b[2J속도\u202e 차이예요.\x07")) as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        monkeypatch.setenv("OPENAI_MODEL", "m")
        assert main(["ask", "메모리 장벽이 뭐야?", "--video", talk]) == 0
    printed = capsys.readouterr().out
    assert "[2J속도 차이예요.\n" in printed
    assert not set(printed) & {"\x1b", "\u202e", "\x07"}


@pytest.mark.parametrize("arguments", [["ask", " "], ["ask", "질문", "--video", "missing.srt"]])
def test_bad_input_is_told(talk: str, arguments: list[str], capsys: pytest.CaptureFixture[str]):
    """An empty question and a file that is not there end as with the other commands."""
    assert main(arguments) == 1
    assert "error: " in capsys.readouterr().err
