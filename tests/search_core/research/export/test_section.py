"""A run within a larger Markdown file."""

from __future__ import annotations

from search_core.research.export import export_run, markdown_section

from .exported import LINKED, hostile, whole
from .test_markdown import links, tokens


def test_a_section_is_the_file_without_its_title_deeper_down():
    """Headings move below the one the section stands under, none past the sixth level; all else is as in the file."""
    file = export_run(whole(), "markdown").data.decode().splitlines()
    section = markdown_section(whole(), 4).splitlines()
    assert [line for line in section if line.startswith("#")] == [
        "#### 조사 계획",
        "#### 보고서",
        "##### 요약",
        "###### 자세한 내용",
        "#### 출처",
        "##### 사이트별 출처",
        "#### 어디까지 조사했나요",
        "#### 걸린 시간",
    ]
    assert [line for line in section if not line.startswith("#")] == [line for line in file[2:] if not line.startswith("#")]


def test_nothing_in_a_section_runs_or_loads():
    """What strangers wrote shows and does nothing: there is no picture, no HTML and no link but to sources on the web."""
    section = markdown_section(hostile(), 4)
    assert "script" in section
    assert not [token for token in tokens(section) if token.type in ("image", "html_inline", "html_block")]
    assert set(links(section)) <= LINKED | {f"https://site.example/{n}" for n in range(8)}
