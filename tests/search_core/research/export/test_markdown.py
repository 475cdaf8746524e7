"""Markdown files, read back by a parser that makes links of everything it can."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from markdown_it import MarkdownIt
from markdown_it.token import Token

from search_core.research.export import export_run, markdown_section

from .exported import LINKED, hostile, whole

READER = MarkdownIt("gfm-like", {"html": True, "linkify": False}).enable(["table", "strikethrough"])


def tokens(text: str) -> Iterator[Token]:
    for token in READER.parse(text):
        yield token
        yield from token.children or ()


def links(text: str) -> list[str]:
    return [str(token.attrs["href"]) for token in tokens(text) if token.type == "link_open"]


def test_everything_is_there():
    """Title, facts, plan, report, sources, coverage and times follow in order; citations lead to their sources."""
    text = export_run(whole(), "markdown").data.decode()
    headings = [
        (token.tag, next(each for each in after.children or ()).content)
        for token, after in zip(READER.parse(text), READER.parse(text)[1:], strict=False)
        if token.type == "heading_open"
    ]
    assert headings == [
        ("h1", "한빛전자의 매출과 새 메모리 양산 시기를 알려줘"),
        ("h2", "조사 계획"),
        ("h2", "보고서"),
        ("h3", "요약"),
        ("h4", "자세한 내용"),
        ("h2", "출처"),
        ("h3", "사이트별 출처"),
        ("h2", "어디까지 조사했나요"),
        ("h2", "걸린 시간"),
    ]
    one, two, three = (f"https://site{n}.example/{n}" for n in (1, 2, 3))
    assert links(text) == [one, two, three, one, two, one, three, one, two, three]
    assert "(출처에서 확인하지 못한 문장)" in text.replace("\\", "")
    assert "| 2025년 | 66조원 [\\[1\\]](https://site1.example/1) |" in text
    assert "- 조사한 날: 2026년 11월 20일" in text
    assert "영상 01:15: “매출이 크게 늘었다고 합니다”" in text
    assert [word in text for word in ("본문을 읽음", "본문을 읽지 못해 요약만 봄", "· 요약만 봄")] == [True, True, True]


def test_own_documents_have_a_title_and_no_address():
    """The path of a document in the library is not exported."""
    made = whole()
    own = replace(made.sources[0], url="library:library/hbm.md", domain="내 자료 (예시)", collection="sample")
    text = export_run(replace(made, sources=(own, *made.sources[1:])), "markdown").data.decode()
    assert "내 자료" in text
    assert "hbm.md" not in text.replace("\\", "")


def test_hostile_text_shows_and_does_nothing():
    """Whatever titles, texts and a model write, there is no picture, no HTML and no link but to sources on the web."""
    text = export_run(hostile(), "markdown").data.decode()
    found = list(tokens(text))
    assert not [token for token in found if token.type in ("image", "html_inline", "html_block")]
    assert set(links(text)) <= LINKED | {f"https://site.example/{n}" for n in range(8)}
    assert set(links(text)) >= LINKED
    assert "[99]" not in text.replace("\\", "")
    assert not set("\x00\x1b\u202e\u200b") & set(text)


def test_a_section_is_the_file_without_its_title_deeper_down():
    """Headings move below the one the section stands under, none past the sixth level; hostile text does nothing there either."""
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
    foreign = markdown_section(hostile(), 4)
    assert not [token for token in tokens(foreign) if token.type in ("image", "html_inline", "html_block")]
    assert set(links(foreign)) <= LINKED | {f"https://site.example/{n}" for n in range(8)}
