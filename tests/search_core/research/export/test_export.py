"""What all files of a run have in common: names, kinds, and that any state of a run can be exported."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from search_core.domain import STOPPED_MARKER, ResearchRequest, ResearchRun, ResearchStatus
from search_core.research.export import ResearchFormat, export_run
from tests.search_core.research.report_material import NOW, SOURCES, run

from .exported import hostile, whole

FORMATS: tuple[ResearchFormat, ...] = ("markdown", "html", "pdf", "docx")
BEGINS = {"markdown": b"# ", "html": b"<!DOCTYPE html>", "pdf": b"%PDF-1.", "docx": b"PK\x03\x04"}


SHAPES = (
    "| 가 |" * 40 + "\n" + "|---" * 40 + "|\n" + "| 1 |" * 40,
    "> " * 60 + "깊은 글\n\n" + "".join(f"{'  ' * n}- 층 {n}\n" for n in range(30)),
    "가" * 12_000 + " " + "https://site1.example/" + "a" * 5000,
    "\n\n".join(f"## 제목 {n}\n\n글 {n} [1]." for n in range(40)),
)
"""A wide table, deep nesting, long words and many headings."""


@pytest.mark.parametrize("kind", FORMATS)
def test_a_file_has_its_kind_and_a_plain_name(kind: ResearchFormat):
    """The name holds the question, or what is plain of it, and the time in Korea; the first bytes are those of the kind."""
    file = export_run(whole(), kind)
    ending = {"markdown": "md"}.get(kind, kind)
    assert file.name == f"maekrak-한빛전자의-매출과-새-메모리-양산-시기를-알려줘-20261120-0900.{ending}"
    assert file.data.startswith(BEGINS[kind])
    paths = replace(hostile(), report="", sources=(), plan=(), coverage=())
    name = export_run(paths, kind).name
    assert re.fullmatch(rf"maekrak-[\w가-힣-]+-20261120-0900\.{ending}", name)
    assert len(name) < 80


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize(
    "made",
    [
        ResearchRun(id="r", request=ResearchRequest(question=""), created_at=NOW),
        ResearchRun(id="r", request=ResearchRequest(question="값\ufffe은?"), created_at=NOW),
        run("", (), status=ResearchStatus.FAILED, plan=(), coverage=(), by_model=None),
        run(f"한빛전자는 [1]\n\n{STOPPED_MARKER}", status=ResearchStatus.STOPPED),
        run("\n\n".join(SHAPES), SOURCES),
    ],
    ids=["new", "no character", "failed", "stopped", "odd shapes"],
)
def test_any_run_can_be_exported(kind: ResearchFormat, made: ResearchRun):
    """Runs that have just begun, failed or were stopped, what is no character and reports of odd shapes become files."""
    assert export_run(made, kind).data.startswith(BEGINS[kind])


def test_a_long_report_is_exported_to_its_end():
    """A report beyond what one page shows at once keeps its last section."""
    made = run("\n\n".join(f"## 제목 {n}\n\n글 {n} [1]." for n in range(1500)), SOURCES)
    assert "글 1499" in export_run(made, "markdown").data.decode()
