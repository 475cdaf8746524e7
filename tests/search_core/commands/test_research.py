"""``research``: a report as a document, or what happens as lines of JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest

from search_core.commands import main
from search_core.commands.output import follow
from search_core.core import SearchCore
from search_core.domain.research import ResearchEnded, ResearchMetrics, ResearchStatus, StatusChanged
from search_core.settings import Settings
from tests.loopback.world import World
from tests.search_core.commands.conftest import Settings as Change
from tests.search_core.commands.conftest import in_order


def test_a_question_is_researched(world: World, documents: Path, settings: Change, capsys: pytest.CaptureFixture[str]):
    """Its report is printed as a document, states beside it; an empty question and a web that is away fail in words."""
    world.reset(failure="nothing")
    settings(**world.settings(), search_providers="library,searxng")
    assert main(["index", str(documents)]) == 0
    capsys.readouterr()
    assert main(["research", "김치찌개에 무엇을 넣나요?", "--moment", "1:02:07"]) == 0
    printed, told = capsys.readouterr()
    assert in_order(
        printed,
        "# 김치찌개에 무엇을 넣나요?",
        "“김치찌개는 김치와 돼지고기를 넣고 끓인다.”",
        "## 출처\n\n관련도는 의미 모델 없이 단어로 매겼어요.\n\n1. 김치찌개\n",
        "내 자료 1개 중 1개의 본문을 읽었어요.",
    )
    assert "웹에서 가져온 자료가 없어서 내 자료만으로 쓴 보고서예요." in printed
    assert told.startswith("· ")
    with closing(SearchCore.from_settings(Settings())) as core:
        (entry,) = core.research.list("")
        assert core.research.get(entry.id, "").request.moment_s == 3727.0
    assert main(["research", " "]) == 1
    assert "error:" in capsys.readouterr().err
    world.play_all(failure="500")
    assert main(["research", "메모리는 왜 비싼가요?"]) == 1
    assert "상태: 조사를 끝까지 하지 못했어요." in capsys.readouterr().out


@dataclass
class Played:
    """Plays the events of a run that an interrupt stops, or that ends as it is told."""

    status: ResearchStatus
    interrupted: bool = False

    def events(self, run_id: str, owner: str, after: int = 0) -> Iterator[tuple[int, object]]:
        if not after:
            yield 1, StatusChanged(status=ResearchStatus.PLANNING, message="계획\x1b[2J")
        if self.status is ResearchStatus.STOPPED and not self.interrupted:
            raise KeyboardInterrupt
        yield 2, ResearchEnded(status=self.status, metrics=ResearchMetrics())

    def cancel(self, run_id: str, owner: str) -> None:
        self.interrupted = True

    def get(self, run_id: str, owner: str) -> SimpleNamespace:
        return SimpleNamespace(status=self.status)


@pytest.mark.parametrize(
    ("status", "code"),
    [(ResearchStatus.COMPLETE, 0), (ResearchStatus.FINISHED_EARLY, 0), (ResearchStatus.FAILED, 1), (ResearchStatus.STOPPED, 130)],
)
def test_the_end_of_a_run_decides_the_code(status: ResearchStatus, code: int, capsys: pytest.CaptureFixture[str]):
    """An interrupt stops the run, and its last events follow; the document is printed once; controls do nothing."""
    service = Played(status)
    assert follow(service, "r", lambda run, form: f"{run.status.value}\x1b {form}".encode(), as_json=False) == code
    printed, told = capsys.readouterr()
    assert (printed.split(), told.startswith("· 계획"), "\x1b" in told) == ([status.value, "markdown"], True, False)
    assert follow(Played(status), "r", bytes, as_json=True) == code
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["event"] for line in lines] == ["status", "research_complete"]
    assert lines[-1]["data"]["status"] == status.value
