"""A data folder as version 0.3.0 left it: a conversation with answers and a check, a report, a plan that waits, a document."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from search_core.core import SearchCore
from search_core.domain import CoverageKind, Judge, MessageState, Question, ResearchStatus, SearchOptions, Stance
from tests.search_core.storage.data_of_0_3_0 import NOBODY, QUESTION, copy_data, core_over


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchCore]:
    folder = tmp_path_factory.mktemp("stored") / "data"
    copy_data(folder)
    with core_over(folder) as core:
        yield core


def test_the_conversation_opens_with_its_answers_and_its_check(core: SearchCore):
    """Questions, answers from video and web, and the check are there as they were; the run that was linked is a message."""
    (entry,) = core.chat.conversations(NOBODY)
    conversation = core.chat.open(entry.id, NOBODY)
    assert entry.title == QUESTION
    assert conversation.video is not None
    assert conversation.video.sample
    assert len(conversation.video.transcript) > 50
    kept = conversation.messages
    kinds = ("question", "answer", "check", "question", "answer", "question", "answer", "question", "research")
    assert tuple(message.kind.value for message in kept) == kinds
    assert {message.state for message in kept} == {MessageState.COMPLETE}
    _, first, check, _, second, *_ = kept
    assert first.record is not None
    assert first.record.moments
    assert check.record is not None
    assert check.record.comparison is not None
    assert {row.stance for row in check.record.comparison.rows} & {Stance.AGREE, Stance.CONTRADICTS, Stance.CHANGED}
    assert {(row.judge, row.probability) for row in check.record.comparison.rows} == {(Judge.RULES, None)}
    assert second.record is not None
    assert second.record.web_text.startswith("웹 검색 결과에서 질문과 관련된 부분을")
    assert second.record.sources
    assert {source.score for source in second.record.sources} == {None}
    assert (second.record.own, second.record.without_web) == (None, None)


def test_the_report_opens_with_its_sources(core: SearchCore):
    """A complete run and one whose plan waits are listed; the report, its sources and its coverage are whole."""
    runs = {entry.status: entry for entry in core.research.list(NOBODY)}
    assert set(runs) == {ResearchStatus.COMPLETE, ResearchStatus.PLANNED}
    run = core.research.get(runs[ResearchStatus.COMPLETE].id, NOBODY)
    assert run.report.startswith("## 요약")
    assert len(run.sources) == 9
    assert tuple(line.listed for line in run.coverage_lines) == run.coverage
    services = [line.text for line in run.coverage_lines if line.kind is CoverageKind.SERVICE]
    assert "위키백과: 2건 · 0.0초" in services
    waiting = core.research.get(runs[ResearchStatus.PLANNED].id, NOBODY)
    assert waiting.status is ResearchStatus.PLANNED
    assert waiting.plan


def test_the_document_is_found_and_is_the_users(core: SearchCore):
    """The library finds what was put in, as a document of the user's own and no sample."""
    report = core.search(Question(text="HBM4 대역폭 메모"), SearchOptions(providers=("library",)))
    (found,) = (*report.results, *report.hidden)
    assert (found.title, found.own, found.sample) == ("HBM4 대역폭 메모", True, False)


def test_the_events_are_read(core: SearchCore):
    """The health page counts the requests that were written down, once the period is long enough."""
    report = core.health(hours=24 * 365 * 100)
    assert {event.provider for event in report.events} >= {"wikipedia", "tavily", "brave"}
