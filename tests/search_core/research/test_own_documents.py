"""What rules write before a report: parts that could not be searched for, snippets in place of pages, own documents."""

from __future__ import annotations

from dataclasses import replace

import pytest

from search_core.domain.research import SubtaskState
from search_core.research.evidence import Material, closing, preface
from tests.search_core.research.report_material import PARTS, PLAN, SOURCES, material

UNASKED = f"> 웹 검색 서비스에 물어보지 못한 부분이 있어요. 자료가 없다는 뜻이 아니에요: 2. {PARTS[1]}\n\n"
FAILED_PLAN = (PLAN[0], replace(PLAN[1], state=SubtaskState.FAILED))
DOCUMENT = replace(SOURCES[0], url="library:plan.md", collection="user")


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (material(), ""),
        (material(plan=FAILED_PLAN), UNASKED),
        (material(pages={}), "> 페이지 본문을 읽지 못해서 검색 결과의 짧은 요약만으로 쓴 보고서예요.\n\n"),
        (material(sources=(DOCUMENT,)), "> 웹에서 가져온 자료가 없어서 내 자료만으로 쓴 보고서예요.\n\n"),
    ],
    ids=["complete", "part not searched", "no page read", "nothing from the web"],
)
def test_the_head_of_a_report_names_its_gaps(given: Material, text: str):
    """A complete report begins without a note; each gap has its sentence."""
    assert preface(given) == text


def test_the_end_of_a_report_names_its_own_documents():
    """Where some sources are pages of the web, those cited that are none stand there by their numbers."""
    mixed = material(sources=(SOURCES[0], replace(DOCUMENT, number=2)))
    assert closing(mixed, [1, 2]) == "> 웹이 아니라 내 자료예요: [2]"
    assert closing(mixed, [1]) == closing(material(sources=(DOCUMENT,)), [1]) == ""
