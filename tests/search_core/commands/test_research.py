"""``research``: a report as it is written, in words or as lines of JSON."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from search_core.commands import main
from search_core.commands.research import _Printer
from search_core.core import SearchCore
from search_core.domain import (
    ContentChunk,
    PlanOrigin,
    ReportWritten,
    ResearchEnded,
    ResearchFailed,
    ResearchMetrics,
    ResearchSource,
    ResearchStatus,
    SourceRead,
    Subtask,
    SubtaskPlanned,
)
from search_core.research import RESEARCH
from search_core.settings import Settings
from tests.loopback.world import World


def test_a_question_is_researched(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """Plan, source, quotation and coverage are printed in this order; an empty question and a web that is away fail in words."""
    world.reset(failure="nothing")
    for name, value in {
        "SEARXNG_URL": str(world.settings()["searxng_url"]),
        "SEARCH_PROVIDERS": "library,searxng",
        "LIBRARY_SAMPLES": "false",
        "EMBEDDING_MODEL": "kiwi",
    }.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/soup.md").write_text("# 김치찌개\n\n김치찌개는 김치와 돼지고기를 넣고 끓인다.\n", encoding="utf-8")
    assert main(["index", str(tmp_path / "docs")]) == 0
    capsys.readouterr()
    assert main(["research", "김치찌개에 무엇을 넣나요?", "--moment", "1:02:07"]) == 0
    printed = capsys.readouterr().out
    assert (
        printed.index("1. 김치찌개에 무엇을 넣나요?")
        < printed.index("[1] (내 자료) 김치찌개 — library:docs/soup.md")
        < printed.index("“김치찌개는 김치와 돼지고기를 넣고 끓인다.”")
        < printed.index("내 자료 1개 중 1개의 본문을 읽었어요.")
    )
    assert "> 웹에서 가져온 자료가 없어서 내 자료만으로 쓴 보고서예요." in printed
    assert printed.count("“김치찌개는 김치와 돼지고기를 넣고 끓인다.”") == printed.count("끓인다.”")
    with closing(SearchCore.from_settings(Settings())) as core:
        (entry,) = core.research.list("")
        assert core.research.get(entry.id, "").request.moment_s == 3727.0
    assert main(["research", " "]) == 1
    assert "error:" in capsys.readouterr().err
    world.play_all(failure="500")
    assert main(["research", "메모리는 왜 비싼가요?"]) == 1
    assert "Search failed" in capsys.readouterr().out


def test_a_report_that_came_in_pieces_is_printed_once(capsys: pytest.CaptureFixture[str]):
    """What the checked report adds to the pieces follows; one that differs comes whole; what no source bears out is named."""
    printer = _Printer(RESEARCH, as_json=False)
    for event in (
        ContentChunk(text="앞 ", begins=True),
        ContentChunk(text="뒤"),
        ReportWritten(text="앞 뒤 그리고 끝", by_model=True, note="알림이에요."),
    ):
        printer.show(event)
    assert capsys.readouterr().out == "\n앞 뒤 그리고 끝\n· 알림이에요.\n"
    printer.show(ContentChunk(text="다른 글 [9]", begins=True))
    printer.show(ReportWritten(text="고친 글. 끝", by_model=True, unsupported=((0, 5),)))
    assert capsys.readouterr().out == "\n다른 글 [9]\n\n고친 글. 끝\n· 출처에서 확인하지 못한 문장: 고친 글.\n"


def test_what_happens_is_printed_in_words(capsys: pytest.CaptureFixture[str]):
    """Pages that were not read, failures and the codes of the ends are told apart; controls in foreign text do nothing."""
    printer = _Printer(RESEARCH, as_json=False)
    printer.show(SubtaskPlanned(subtask=Subtask(number=2, text="나쁜\x1b[2J 글", origin=PlanOrigin.MODEL)))
    source = ResearchSource(number=3, title="글", url="https://a.example", snippet="", domain="a.example", read=False)
    printer.show(SourceRead(source=source))
    printer.show(ResearchFailed(kind="Search failed", description="Nobody.", korean="실패했어요."))
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert "[3]의 본문은 읽지 못했어요." in printed
    assert "실패했어요. (Search failed: Nobody.)" in printed
    ends = {ResearchStatus.COMPLETE: 0, ResearchStatus.FINISHED_EARLY: 0, ResearchStatus.FAILED: 1, ResearchStatus.STOPPED: 130}
    for status, code in ends.items():
        printer.show(ResearchEnded(status=status, metrics=ResearchMetrics(total_ms=1200.0)))
        assert (status, printer.exit_code, capsys.readouterr().out) == (status, code, "\n(1.2초)\n")
    as_json = _Printer(RESEARCH, as_json=True)
    as_json.show(ResearchEnded(status=ResearchStatus.COMPLETE, metrics=ResearchMetrics()))
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (last["event"], last["data"]["status"], as_json.exit_code) == ("research_complete", "complete", 0)
