from __future__ import annotations

import io
import unicodedata
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pypdf
import pytest

from search_core.errors import DocumentReadError
from search_core.reading.documents import Document, FoundFile, find_files, parse_document
from tests.hostile.hostile_documents import page_saying
from tests.hostile.hostile_documents import pdf as pdf_of


def written(tmp_path: Path, name: str, content: str | bytes, encoding: str = "utf-8") -> Path:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
    return path


def read_document(path: Path) -> Document:
    return parse_document(FoundFile(path, f"library:{unicodedata.normalize('NFC', path.name)}"))


def pdf(text: str = "", *, password: str = "", title: str = "") -> bytes:
    """Return a PDF file of one page that says *text*."""
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf_of(1, page_saying(text))))
    if title:
        writer.add_metadata({"/Title": title, "/CreationDate": "D:20250416090000+09'00'"})
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def glyphs(code: str, ordering: str, shown: str) -> bytes:
    """Return a PDF file whose font states no Unicode: *shown* are the codes, or the numbers of glyphs, of what it says."""
    head = f"/Type /Font /Subtype /Type0 /BaseFont /HYSMyeongJo /Encoding {code} /DescendantFonts [<< /Type /Font "
    inner = f"/Subtype /CIDFontType0 /CIDSystemInfo << /Registry (Adobe) /Ordering ({ordering}) /Supplement 1 >> >>]"
    page = pypdf.PdfWriter(clone_from=io.BytesIO(pdf_of(1, f"BT /F1 12 Tf 50 700 Td <{shown}> Tj ET".encode())))
    font = pypdf.generic.DictionaryObject.read_from_stream(io.BytesIO(f"<< {head}{inner} >>".encode()), page)
    page.pages[0]["/Resources"].get_object()["/Font"].get_object()[pypdf.generic.NameObject("/F1")] = font
    out = io.BytesIO()
    page.write(out)
    return out.getvalue()


def office(*parts: tuple[str, str]) -> bytes:
    """Return an office file of these *parts*."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in parts:
            archive.writestr(name, content)
    return out.getvalue()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp949", "utf-16"])
def test_text_is_read_in_korean_encodings(tmp_path: Path, encoding: str):
    """A text file is a document named after its file, whatever its encoding."""
    path = written(tmp_path, "메모.txt", "메모리 대역폭은 중요하다.\r\n그래서 넓힌다.\r\n", encoding)
    text = "메모리 대역폭은 중요하다.\n그래서 넓힌다."
    assert read_document(path) == Document(title="메모", text=text, url="library:메모.txt", language="ko", path=path)


def test_markdown_is_read_with_its_front_matter(tmp_path: Path):
    """Title, address, source, date and language come from the front matter, signs of Markdown go.

    Without it the first heading names the document; an address that is none of the web is not taken.
    """
    head = '---\ntitle: "HBM: 구조"\nurl: https://example.org/hbm\nsource: 자료실\ndate: 2025-04-16\nlanguage: ko\n---\n'
    body = "# 다른 제목\n\n- **굵은** 글과 [링크](https://example.org/x)\n> 인용\n\n```\ncode\n```\n"
    document = read_document(written(tmp_path, "a.md", head + body))
    assert (document.title, document.url, document.source) == ("HBM: 구조", "https://example.org/hbm", "자료실")
    assert (document.language, document.published) == ("ko", datetime(2025, 4, 16, tzinfo=UTC))
    assert document.text == "다른 제목\n\n굵은 글과 링크\n\n인용\n\ncode"
    assert read_document(written(tmp_path, "a.md", "서문\n\n## 집현전 ##\n글")).title == "집현전"
    assert read_document(written(tmp_path, "b.md", "---\nurl: javascript:alert(1)\n---\n글")).url == "library:b.md"


PAGE = """<!doctype html><html lang="ko"><head><title>한글의 원리 - 자료실</title>
<meta property="og:title" content="한글의 원리"><meta property="article:published_time" content="2024-10-09T09:00:00+09:00">
<link rel="canonical" href="https://example.org/hangul"><meta property="og:site_name" content="자료실">
<script>var x = "스크립트";</script><style>p{{}}</style></head><body>
<nav><a href="/">처음</a> <a href="/2">메뉴 항목</a></nav>
<div class="sidebar"><p>많이 본 글 목록이 여기에 길게 길게 놓여 있습니다. 많이 본 글 목록입니다.</p></div>
<article><h1>한글의 원리</h1>
<p>자음은 발음 기관의 모양을 본떠 만들었다. 기역은 혀뿌리가 목구멍을 막는 모양이다.</p>
<p>모음은 하늘과 땅과 사람을 본떴다.<br>이것을 <b>천지인</b>이라고 한다. 서로 더해 다른 글자를 만들었다.</p>
<p>{filler}</p></article>
<footer>저작권 안내</footer></body></html>"""


def test_html_gives_title_and_main_text(tmp_path: Path):
    """Of a page the article stays, with what the page says of itself; menus, scripts and side columns go."""
    document = read_document(written(tmp_path, "p.html", PAGE.format(filler="획을 더하면 소리가 거세진다. " * 12), "cp949"))
    assert (document.title, document.url, document.source) == ("한글의 원리", "https://example.org/hangul", "자료실")
    assert document.published == datetime.fromisoformat("2024-10-09T09:00:00+09:00")
    assert "이것을 천지인이라고 한다." in document.text
    assert not any(word in document.text for word in ("메뉴", "스크립트", "많이 본", "저작권"))


def test_pdf_text_and_facts_are_read(tmp_path: Path):
    """Text, title and date of a PDF file are read."""
    document = read_document(written(tmp_path, "a.pdf", pdf("Memory bandwidth matters", title="HBM report")))
    assert (document.text, document.title) == ("Memory bandwidth matters", "HBM report")
    assert document.published == datetime(2025, 4, 16, tzinfo=UTC)


@pytest.mark.parametrize(
    ("name", "content", "hint"),
    [
        ("a.txt", b"", "빈 파일"),
        ("a.txt", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)), "확장자"),
        ("a.pdf", "그냥 글".encode(), "확장자"),
        ("a.pdf", b"%PDF-1.7\ngarbage", "손상"),
        ("a.pdf", pdf("secret", password="key"), "암호"),
        ("a.pdf", pdf(), "내용을 읽지 못했어요"),
        ("a.json", b"{}", "텍스트(.txt)로"),
        ("a.srt", b"1", "영상으로 열거나"),
        ("a.html", b"<html><body><script>x</script></body></html>", "스크립트가 본문을 그리는"),
        ("a.docx", b"PK\x03\x04", "손상"),
        ("a.hwp", b"\xd0\xcf\x11\xe0", "HWPX나 PDF로"),
        ("a.pdf", glyphs("/Identity-H", "Identity", "09e2 0ce7 0a79 04dd 0b30 0108 0a91"), "글자표"),
        ("a.pdf", glyphs("/Identity-H", "Japan1", "0022 034b 034d 034f"), "글자표"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(tmp_path: Path, name: str, content: bytes, hint: str):
    """Empty, binary, damaged, locked, misnamed and unknown files raise with a Korean hint."""
    with pytest.raises(DocumentReadError) as caught:
        read_document(written(tmp_path, name, content))
    assert hint in caught.value.korean


@pytest.mark.parametrize(
    ("code", "ordering", "shown", "text"),
    [
        ("/KSCms-UHC-H", "Korea1", "ba b8 c1 b6 b1 dd c0 ba 20 33 30 b8 b8 20 bf f8", "보조금은 30만 원"),
        ("/KSC-Johab-H", "Korea1", "90 61 9c 61", "나라"),
        ("/90msp-RKSJ-H", "Japan1", "93 fa 96 7b", "日本"),
    ],
)
def test_fonts_without_unicode_are_read(tmp_path: Path, code: str, ordering: str, shown: str, text: str):
    """Codes of Korea, China and Japan are the letters they stand for."""
    assert read_document(written(tmp_path, "a.pdf", glyphs(code, ordering, shown))).text == text


HWPX_CELL = "<h:p><h:run><h:t>표의 칸</h:t></h:run></h:p>"
HWPX = '<s:sec xmlns:s="s" xmlns:h="h"><h:p><h:run>{}</h:run></h:p></s:sec>'
DOCX_CELL = "<w:tbl><w:p><w:r><w:t>표의 칸</w:t></w:r></w:p></w:tbl>"
DOCX_END = "<w:p><w:r><w:t>끝</w:t></w:r></w:p>"
DOCX = f'<w:document xmlns:w="w"><w:body>{DOCX_CELL}<w:p><w:r>{{}}</w:r></w:p>{DOCX_END}</w:body></w:document>'
OFFICE = {
    "가.hwpx": (
        ("Contents/content.hpf", '<p:package xmlns:p="o"><p:metadata><p:title>지침</p:title></p:metadata></p:package>'),
        ("Contents/section10.xml", HWPX.format("<h:t>끝</h:t>")),
        ("Contents/section2.xml", HWPX.format(f"<h:t>보조금은<h:tab/> 줄었다.</h:t></h:run><h:run><h:tbl>{HWPX_CELL}</h:tbl>")),
    ),
    "가.docx": (
        ("docProps/core.xml", '<c:core xmlns:c="c" xmlns:d="d"><d:title>지침</d:title></c:core>'),
        ("word/document.xml", DOCX.format("<w:t>보조금은</w:t><w:tab/><w:t>줄었다.</w:t>")),
    ),
}


@pytest.mark.parametrize("name", OFFICE)
def test_office_files_are_read(tmp_path: Path, name: str):
    """Paragraphs come in the order of the parts by number, those of tables too; the title is that of the file."""
    document = read_document(written(tmp_path, name, office(*OFFICE[name])))
    assert (document.title, document.text) == ("지침", "표의 칸\n\n보조금은 줄었다.\n\n끝")


def test_folders_are_walked_in_order_without_hidden_files(tmp_path: Path):
    """Documents below a folder come sorted with stable addresses; hidden and foreign files are passed over.

    Links inside the folder are followed, those that lead out of it are not. A file name typed as Hangul letters, as macOS stores
    it, has the address of the same name in syllables.
    """
    decomposed = unicodedata.normalize("NFD", "한글")
    for name in ("b.txt", "a.md", f"sub/{decomposed}.html", ".git/x.txt", ".secret.txt", "photo.png"):
        written(tmp_path, f"자료/{name}", "글")
    written(tmp_path, "secret.txt", "글")
    (tmp_path / "자료" / "out.txt").symlink_to(tmp_path / "secret.txt")
    (tmp_path / "자료" / "c.txt").symlink_to(tmp_path / "자료" / "b.txt")
    addresses = ["library:자료/a.md", "library:자료/b.txt", "library:자료/c.txt", "library:자료/sub/한글.html"]
    assert [one.address for one in find_files(tmp_path / "자료")] == addresses
    assert [one.address for one in find_files(tmp_path / "자료" / "b.txt")] == ["library:b.txt"]
    for missing in (lambda: find_files(tmp_path / "none"), lambda: read_document(tmp_path / "none.txt")):
        with pytest.raises(DocumentReadError):
            list(missing())
