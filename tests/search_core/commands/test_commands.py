"""``search`` and ``index``, and how every command ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from search_core.commands import main
from search_core.commands.output import scored_by
from search_core.domain.scorer import ScorerState

SRT = """1
00:00:01,000 --> 00:00:04,000
오늘은 메모리 대역폭 이야기를 합니다.

2
00:00:04,000 --> 00:00:08,000
HBM은 메모리를 위로 쌓아 대역폭을 넓힙니다.
"""


@pytest.fixture
def library_only(documents: Path, tmp_path: Path) -> Path:
    (documents / "hbm.md").write_text(
        "# 메모리 대역폭과 HBM\n\nHBM은 메모리를 쌓아 대역폭을 넓힌 메모리다. 가속기가 기다리지 않게 한다.\n", encoding="utf-8"
    )
    (tmp_path / "talk.srt").write_text(SRT, encoding="utf-8")
    return tmp_path


def test_search_over_own_documents(library_only: Path, capsys: pytest.CaptureFixture[str]):
    """Documents are indexed once, an unreadable one is named, and a question finds the right one, attributed."""
    (library_only / "docs/broken.pdf").write_bytes(b"%PDF-1.7 broken")
    assert main(["index", str(library_only / "docs")]) == 0
    captured = capsys.readouterr()
    assert "새로 넣음 2" in captured.out
    assert "broken.pdf" in captured.err
    assert "내 자료는 단어로만 찾아요. 내장 방식으로 관련도를 계산해요." in captured.out
    assert main(["index", str(library_only / "docs")]) == 0
    assert "새로 넣음 0 · 바뀜 0 · 그대로 2" in capsys.readouterr().out
    assert main(["search", "메모리 대역폭은 왜 중요한가?", "--video", str(library_only / "talk.srt")]) == 0
    printed = capsys.readouterr().out
    assert "메모리 대역폭과 HBM" in printed
    assert "1. " in printed
    assert "library:" in printed
    broken = library_only / "broken.srt"
    broken.write_text("1\n00:00:05,000 --> 00:00:01,000\n거꾸로 된 시간\n\n" + SRT, encoding="utf-8")
    assert main(["search", "메모리 대역폭은 왜 중요한가?", "--video", str(broken)]) == 0
    assert "· 끝나는 시간이 시작보다 빠른 자막이 1개" in capsys.readouterr().out
    assert main(["search", "메모리 대역폭은 왜 중요한가?", "--json", "--threshold", "0"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert {"query", "intent", "constructed", "replies", "results", "hidden"} <= set(report)
    assert {"text", "parts"} <= set(report["constructed"])
    assert {"provider", "status", "error_message", "latency_ms", "count"} <= set(report["replies"][0])
    assert (report["results"][0]["title"], report["scorer"]) == ("메모리 대역폭과 HBM", "kiwi")


def test_what_cannot_be_done_is_named_in_korean_and_english(
    library_only: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """An unusable question, file, service or setting ends with exit code 1 and its name; an empty library is no empty web."""
    for arguments, said in (
        (["search", "   "], "질문"),
        (["search", "질문", "--video", "missing.srt"], "missing.srt"),
        (["ask", " "], "질문"),
    ):
        assert main(arguments) == 1
        err = capsys.readouterr().err
        assert said in err
        assert "error: " in err
    assert main(["search", "메모리 대역폭"]) == 1
    assert "[검색 완료]" not in capsys.readouterr().out
    monkeypatch.setenv("SEARCH_PROVIDERS", "libary")
    assert main(["doctor", "--offline"]) == 1
    assert "libary" in capsys.readouterr().err


def test_what_scored_is_not_what_scores_now():
    """Results of Kiwi stay results of Kiwi when the model is ready a moment later, and unscored ones are said to be."""
    ready = ScorerState(name="e5", label="의미 분석 모델", state="ready", detail="의미 분석 모델로 관련도를 계산해요.")
    told = {"kiwi": "내장 형태소 분석", "e5": "의미 분석 모델 e5", "none": "하지 못함"}
    assert {scorer: scored_by(scorer, ready) for scorer in told} == {scorer: f"채점: {said}" for scorer, said in told.items()}
