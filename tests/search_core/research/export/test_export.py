"""Files of a run, each read back by a parser of its kind: what they say, where links lead, and that nothing in them acts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import pytest
from lxml import html
from markdown_it import MarkdownIt
from markdown_it.token import Token

from search_core.domain.research import STOPPED_MARKER, ResearchRequest, ResearchRun, ResearchStatus
from search_core.research.export import ResearchFormat, export_run, markdown_section
from tests.search_core.research.report_material import NOW, QUESTION, SOURCES, run

from .exported import ADDRESSES, LINKED, PAYLOADS, hostile, whole

FORMATS: tuple[ResearchFormat, ...] = ("markdown", "html")
BEGINS = {"markdown": b"# ", "html": b"<!DOCTYPE html>"}
SITES = {f"https://site{n}.example/{n}" for n in (1, 2, 3)}
READER = MarkdownIt("gfm-like", {"html": True, "linkify": False}).enable(["table", "strikethrough"])
LOADS = {"src", "srcset", "background", "poster", "data", "action", "formaction", "ping", "manifest", "style"}
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "h4", "h5", "h6", "p", "ul", "ol", "li", "blockquote"),
    *("pre", "code", "table", "thead", "tbody", "tr", "th", "td", "strong", "em", "s", "a", "br"),
}


@dataclass(frozen=True)
class Read:
    """What a reader of a file meets."""

    text: str
    citations: int
    """Links to places in the file."""
    away: list[str]
    """Addresses of the web that it leads to."""
    acts: list[str]
    """What loads, runs or opens something."""


def tokens(text: str) -> Iterator[Token]:
    for token in READER.parse(text):
        yield token
        yield from token.children or ()


def read_markdown(data: bytes) -> Read:
    found = list(tokens(data.decode()))
    away = [str(token.attrs["href"]) for token in found if token.type == "link_open"]
    acts = [token.type for token in found if token.type in ("image", "html_inline", "html_block")]
    return Read(data.decode().replace("\\", "").replace("&lt;", "<"), 0, away, acts)


def read_html(data: bytes) -> Read:
    page = html.document_fromstring(data)
    links = page.xpath("//@href")
    used = {each.tag for each in page.iter() if isinstance(each.tag, str)}
    attributes = {name for each in page.iter() for name in each.keys()}  # noqa: SIM118  # an lxml element, not a mapping
    acts = [*used - TAGS, *attributes & LOADS, *(name for name in attributes if name.startswith("on"))]
    acts += re.findall("url\\(|@import", page.findtext(".//style"))
    away = [link for link in links if not link.startswith("#source-")]
    return Read(page.text_content(), len(links) - len(away), away, acts)


READ: dict[str, Callable[[bytes], Read]] = {"markdown": read_markdown, "html": read_html}


@pytest.mark.parametrize("kind", FORMATS)
def test_everything_is_there(kind: ResearchFormat):
    """Title, plan, report, sources and coverage stand there; citations lead to the sources, and these alone to the web."""
    read = READ[kind](export_run(whole(), kind))
    text = read.text.replace("\n", " ")
    for wanted in (
        QUESTION,
        "조사 계획",
        "이 문장은 출처에 없어요",
        "(출처에서 확인하지 못한 문장)",
        "표시 <b>그대로</b>",
        "site1.example · 2026년 1월 20일 · 본문을 읽음",
        "본문을 읽지 못해 요약만 봄",
        "영상 01:15: “매출이 크게 늘었다고 합니다”",
        "출처 3개 중 3개는 본문을 읽었어요.",
    ):
        assert wanted in text
    assert set(read.away) == SITES
    assert (read.citations, len(read.away)) == ((0, 10) if kind == "markdown" else (7, 3))


@pytest.mark.parametrize("kind", FORMATS)
def test_hostile_text_shows_and_does_nothing(kind: ResearchFormat):
    """Whatever titles, texts and a model write, nothing runs, opens or loads, and links lead to sources on the web only."""
    read = READ[kind](export_run(hostile(), kind))
    assert read.acts == []
    assert set(read.away) == LINKED | {f"https://site.example/{n}" for n in range(len(PAYLOADS) - len(ADDRESSES))}
    assert "<script>alert(1)</script>" in read.text.replace("\n", "")
    assert not set("\x00\x1b\u202e\u200b") & set(read.text)


SHAPES = (
    "| 가 |" * 40 + "\n" + "|---" * 40 + "|\n" + "| 1 |" * 40,
    "> " * 60 + "깊은 글\n\n" + "".join(f"{'  ' * n}- 층 {n}\n" for n in range(30)),
    "가" * 12_000 + " " + "https://site1.example/" + "a" * 5000,
)
"""A wide table, deep nesting and long words."""


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize(
    "made",
    [
        ResearchRun(id="r", request=ResearchRequest(question="값\ufffe은?"), created_at=NOW),
        run("", (), status=ResearchStatus.FAILED, plan=(), coverage=(), by_model=None),
        run(f"한빛전자는 [1]\n\n{STOPPED_MARKER}", status=ResearchStatus.STOPPED),
        run("\n\n".join(SHAPES), SOURCES),
    ],
    ids=["new", "failed", "stopped", "odd shapes"],
)
def test_any_run_can_be_exported(kind: ResearchFormat, made: ResearchRun):
    """Runs that have just begun, failed or were stopped, what is no character and reports of odd shapes become files."""
    assert export_run(made, kind).startswith(BEGINS[kind])


def test_markdown_is_in_order_and_can_be_a_section():
    """Headings follow in order; a section has them deeper, none past the sixth level; a long report keeps its end."""
    text = export_run(whole(), "markdown").decode()
    titles = ("조사 계획", "보고서", "요약", "자세한 내용", "출처", "사이트별 출처", "검색 내역")
    levels, deeper = (2, 2, 3, 4, 2, 3, 2), (4, 4, 5, 6, 4, 5, 4)
    headings = [f"{'#' * level} {title}" for level, title in zip(levels, titles, strict=True)]
    lines, section = text.splitlines(), markdown_section(whole(), 4).splitlines()
    assert [line for line in lines if line.startswith("#")] == [f"# {QUESTION}", *headings]
    moved = [f"{'#' * level} {title}" for level, title in zip(deeper, titles, strict=True)]
    assert [line for line in section if line.startswith("#")] == moved
    assert [line for line in section if not line.startswith("#")] == [line for line in lines[2:] if not line.startswith("#")]
    assert "| 2025년 | 66조원 [\\[1\\]](https://site1.example/1) |" in text
    long = run("\n\n".join(f"## 제목 {n}\n\n글 {n} [1]." for n in range(1500)), SOURCES)
    assert "글 1499" in export_run(long, "markdown").decode()


def test_own_documents_have_a_title_and_no_address():
    """The path of a document in the library is not exported."""
    made = whole()
    own = replace(made.sources[0], url="library:library/hbm.md", domain="내 자료 (예시)", collection="sample")
    text = read_markdown(export_run(replace(made, sources=(own, *made.sources[1:])), "markdown")).text
    assert "내 자료" in text
    assert "hbm.md" not in text


def test_html_may_load_nothing():
    """A policy forbids loading and running anything, no referrer is sent, and citations lead to the list of sources."""
    page = html.document_fromstring(export_run(whole(), "html"))
    [policy] = page.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    assert page.xpath("//meta[@name='referrer']/@content") == ["no-referrer"]
    assert page.xpath("//ol[@class='sources']/li/a/@rel") == ["noopener noreferrer nofollow"] * 3
    cited = page.xpath("//h3[.='요약']/following-sibling::p[1]/a/@href")
    assert cited == [f"#{each}" for each in page.xpath("//ol[@class='sources']/li/@id")]
    assert (page.get("lang"), page.findtext(".//title"), page.findtext(".//strong")) == ("ko", QUESTION, "66조원")
