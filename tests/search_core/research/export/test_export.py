"""Files of a run, each read back by a parser of its kind: what they say, where links lead, and that nothing in them acts."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import docx
import pytest
from fontTools.ttLib import TTFont
from lxml import html
from markdown_it import MarkdownIt
from markdown_it.token import Token
from pypdf import PdfReader
from pypdf.generic import NameObject

from search_core.domain import STOPPED_MARKER, ResearchRequest, ResearchRun, ResearchStatus
from search_core.presenting.document.pdf import embed
from search_core.research.export import ResearchFormat, export_run, markdown_section
from tests.search_core.research.report_material import NOW, QUESTION, SOURCES, run, source

from .exported import LINKED, hostile, whole

FORMATS: tuple[ResearchFormat, ...] = ("markdown", "html", "pdf", "docx")
BEGINS = {"markdown": b"# ", "html": b"<!DOCTYPE html>", "pdf": b"%PDF-1.", "docx": b"PK\x03\x04"}
SITES = {f"https://site{n}.example/{n}" for n in (1, 2, 3)}
READER = MarkdownIt("gfm-like", {"html": True, "linkify": False}).enable(["table", "strikethrough"])
ACTS = {"/JavaScript", "/JS", "/AA", "/Launch", "/EmbeddedFile", "/XObject"}
LOADS = {"src", "srcset", "background", "poster", "data", "action", "formaction", "ping", "manifest", "style"}
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "h4", "h5", "h6", "p", "ul", "ol", "li", "blockquote"),
    *("pre", "code", "table", "tbody", "tr", "th", "td", "strong", "em", "s", "a", "br", "div"),
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


def read_pdf(data: bytes) -> Read:
    reader = PdfReader(io.BytesIO(data), strict=True)
    notes = [note.get_object() for page in reader.pages for note in page.get("/Annots", [])]
    text = "\n".join(page.extract_text() for page in reader.pages)
    away = [note["/A"]["/URI"] for note in notes if "/A" in note]
    found = names(reader)
    assert {"/URI", "/Annot", "/FontFile2"} <= found  # the search for names finds what is there
    opens = [] if isinstance(reader.trailer["/Root"]["/OpenAction"], list) else ["/OpenAction"]  # a list is a place to open at
    return Read(text, sum("/Dest" in note for note in notes), away, [*found & ACTS, *opens])


def names(reader: PdfReader) -> set[str]:
    """Every name in the file's objects; the bytes of a compressed font may spell any of them by chance."""
    found: set[str] = set()
    waiting: list[Any] = [reader.trailer, *(reader.get_object(number) for number in range(1, reader.trailer["/Size"]))]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            waiting.extend([*each.keys(), *each.values()])
        elif isinstance(each, list):
            waiting.extend(each)
        elif isinstance(each, NameObject):
            found.add(str(each))
    return found


def read_docx(data: bytes) -> Read:
    document = docx.Document(io.BytesIO(data))
    cells = [cell.paragraphs[0] for table in document.tables for row in table.rows for cell in row.cells]
    paragraphs = [*document.paragraphs, *cells]
    links = [link for paragraph in paragraphs for link in paragraph.hyperlinks]
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        acts = [name for name in package.namelist() if re.search("vba|embed|media", name.casefold())]
        acts += re.findall("w:fldSimple|w:instrText", package.read("word/document.xml").decode())
    away = [link.address for link in links if link.address]
    return Read("\n".join(paragraph.text for paragraph in paragraphs), len(links) - len(away), away, acts)


READ: dict[str, Callable[[bytes], Read]] = {
    "markdown": read_markdown,
    "html": read_html,
    "pdf": read_pdf,
    "docx": read_docx,
}


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
    assert set(read.away) == LINKED | {f"https://site.example/{n}" for n in range(8)}
    assert "<script>fetch(" in read.text.replace("\n", "")
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
    titles = ("조사 계획", "보고서", "요약", "자세한 내용", "출처", "사이트별 출처", "어디까지 조사했나요", "걸린 시간")
    levels, deeper = (2, 2, 3, 4, 2, 3, 2, 2), (4, 4, 5, 6, 4, 5, 4, 4)
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


def test_docx_has_styles_tables_and_bookmarks():
    """Headings have styles, Hangul a font of its own, tables and bold stay, and citations have places to lead to."""
    document = docx.Document(io.BytesIO(export_run(whole(), "docx")))
    styled = [(each.style.name, each.text) for each in document.paragraphs if each.style.name != "Normal"]
    assert styled[:4] == [("Title", QUESTION), ("Heading 1", "조사 계획"), ("Heading 1", "보고서"), ("Heading 2", "요약")]
    assert document.element.xpath("//w:bookmarkStart/@w:name") == ["source_1", "source_2", "source_3"]
    assert [[cell.text for cell in row.cells] for row in document.tables[1].rows] == [["해", "매출"], ["2025년", "66조원 [1]"]]
    assert "66조원" in [part.text for paragraph in document.paragraphs for part in paragraph.runs if part.bold]
    assert (document.core_properties.title, document.core_properties.created.isoformat()[:10]) == (QUESTION, "2026-11-20")
    assert document.styles["Normal"].element.xpath("./w:rPr/w:rFonts/@w:eastAsia") == ["Malgun Gothic"]


def test_pdf_has_an_outline_and_its_font():
    """Both weights of the font are embedded, with a way back from letters to text; headings make the outline."""
    reader = PdfReader(io.BytesIO(export_run(whole(), "pdf")), strict=True)
    fonts = [font.get_object() for font in reader.pages[0]["/Resources"]["/Font"].get_object().values()]
    assert len(fonts) == 2
    for font in fonts:
        [inner] = font["/DescendantFonts"]
        assert "+Pretendard" in font["/BaseFont"]
        assert "/FontFile2" in inner.get_object()["/FontDescriptor"].get_object()
        assert "/ToUnicode" in font
    title, [plan, report, inner, *_] = reader.outline
    assert [each["/Title"] for each in (title, plan, report, inner[0])] == [QUESTION, "조사 계획", "보고서", "요약"]
    assert (reader.metadata.title, reader.trailer["/Root"]["/Lang"]) == (QUESTION, "ko-KR")


def test_letters_the_pdf_font_lacks_are_mentioned():
    """Chinese characters of headlines are written as they are read, others as boxes, and the file says so; the font is small."""
    odd = source(1, "美 반도체 规 😀️ é", "요약")
    text = read_pdf(export_run(run("글이에요 [1].", (odd,)), "pdf")).text
    assert "[1] 미 반도체 □ □ é" in text
    assert "이 파일의 글꼴에 없는 글자는 □로" in text
    parts = embed("가나다")
    assert sorted(parts) == [400, 700]
    for data in parts.values():
        letters = TTFont(io.BytesIO(data)).getBestCmap()
        assert {ord(char) for char in "가나다A9[]•□"} <= letters.keys()
        assert ord("라") not in letters
        assert len(data) < 60_000
