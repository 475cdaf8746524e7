"""Word files, opened again by python-docx."""

from __future__ import annotations

import io
import zipfile

import docx
from docx.document import Document

from search_core.research.export import export_run
from tests.search_core.research.report_material import day

from .exported import LINKED, PAYLOADS, hostile, whole


def opened(data: bytes) -> Document:
    return docx.Document(io.BytesIO(data))


def addresses(document: Document) -> list[str]:
    return [link.address for paragraph in document.paragraphs for link in paragraph.hyperlinks if link.address]


def anchors(document: Document) -> list[tuple[str, str]]:
    """Return what links inside the document show and where they lead, those of tables last."""
    inside = [
        *document.paragraphs,
        *(cell.paragraphs[0] for table in document.tables for row in table.rows for cell in row.cells),
    ]
    return [
        (link.text, link.fragment) for paragraph in inside for link in paragraph.hyperlinks if link.fragment and not link.address
    ]


def bookmarks(document: Document) -> list[str]:
    return document.element.xpath("//w:bookmarkStart/@w:name")


def test_everything_is_there():
    """Headings have styles, citations lead to bookmarks of the list of sources, and only that list leads to the web."""
    document = opened(export_run(whole(), "docx").data)
    styled = [(each.style.name, each.text) for each in document.paragraphs if each.style.name != "Normal"]
    assert styled == [
        ("Title", "한빛전자의 매출과 새 메모리 양산 시기를 알려줘"),
        ("Heading 1", "조사 계획"),
        ("Heading 1", "보고서"),
        ("Heading 2", "요약"),
        ("Heading 3", "자세한 내용"),
        ("Heading 1", "출처"),
        ("Heading 2", "사이트별 출처"),
        ("Heading 1", "어디까지 조사했나요"),
        ("Heading 1", "걸린 시간"),
    ]
    cited = [("[1]", "source_1"), ("[2]", "source_2"), ("[3]", "source_3")]
    assert anchors(document) == [*cited, cited[0], cited[1], cited[2], cited[0]]
    assert bookmarks(document) == ["source_1", "source_2", "source_3"]
    assert addresses(document) == [f"https://site{n}.example/{n}" for n in (1, 2, 3)]
    texts = [paragraph.text for paragraph in document.paragraphs]
    assert "이 문장은 출처에 없어요 [3]. (출처에서 확인하지 못한 문장)" in texts
    assert "표시 <b>그대로</b>" in texts
    assert "조사한 날: 2026년 11월 20일" in "\n".join(texts)
    assert [[cell.text for cell in row.cells] for row in document.tables[1].rows] == [["해", "매출"], ["2025년", "66조원 [1]"]]
    [bold] = [run.text for paragraph in document.paragraphs for run in paragraph.runs if run.bold and "조원" in run.text]
    assert bold == "66조원"


def test_the_file_says_what_it_is():
    """The properties hold title and day, and Hangul has a font of its own."""
    document = opened(export_run(whole(), "docx").data)
    assert document.core_properties.title == "한빛전자의 매출과 새 메모리 양산 시기를 알려줘"
    assert document.core_properties.created.replace(tzinfo=day("2026-11-20").tzinfo) == day("2026-11-20")
    assert document.styles["Normal"].element.xpath("./w:rPr/w:rFonts/@w:eastAsia") == ["Malgun Gothic"]


def test_hostile_text_shows_and_does_nothing():
    """Links lead to sources on the web only, nothing is fetched or run, and the texts are shown as texts."""
    data = export_run(hostile(), "docx").data
    document = opened(data)
    assert set(addresses(document)) == LINKED | {f"https://site.example/{n}" for n in range(8)}
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        outside = [
            name for name in package.namelist() if "vba" in name.lower() or "embed" in name.lower() or "media" in name.lower()
        ]
        written = package.read("word/document.xml").decode()
    assert outside == []
    assert "w:fldSimple" not in written
    assert "w:instrText" not in written
    assert PAYLOADS[0] in "\n".join(paragraph.text for paragraph in document.paragraphs)
    assert not set("\x00\x1b\u202e\u200b") & set(written)
