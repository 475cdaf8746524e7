"""HTML files, parsed as a browser would."""

from __future__ import annotations

from lxml import html

from search_core.research.export import export_run

from .exported import LINKED, PAYLOADS, hostile, whole

LOADING = {"src", "srcset", "background", "poster", "data", "action", "formaction", "ping", "manifest", "style"}
ALLOWED = {
    *("html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "h4", "h5", "h6", "p", "ul", "ol", "li", "blockquote"),
    *("pre", "code", "table", "tbody", "tr", "th", "td", "strong", "em", "s", "a", "br", "div"),
}


def test_everything_is_there():
    """Citations lead to entries of the list of sources, and those lead to the web; tables and marks stay."""
    page = html.document_fromstring(export_run(whole(), "html").data)
    assert page.get("lang") == "ko"
    assert page.findtext(".//title") == page.findtext(".//h1") == "한빛전자의 매출과 새 메모리 양산 시기를 알려줘"
    assert [each.get("href") for each in page.xpath("//h3[.='요약']/following-sibling::p[1]/a")] == [
        "#source-1",
        "#source-2",
        "#source-3",
    ]
    assert {f"#{each}" for each in page.xpath("//ol[@class='sources']/li/@id")} == {"#source-1", "#source-2", "#source-3"}
    assert [each.get("href") for each in page.xpath("//ol[@class='sources']/li/a")] == [
        f"https://site{n}.example/{n}" for n in (1, 2, 3)
    ]
    assert page.xpath("//ol[@class='sources']/li/a/@rel") == ["noopener noreferrer nofollow"] * 3
    assert page.findtext(".//strong") == "66조원"
    assert page.findtext(".//pre") == "표시 <b>그대로</b>"
    assert "이 문장은 출처에 없어요 [3]. (출처에서 확인하지 못한 문장)" in page.text_content()
    assert page.xpath("//td[.='66조원 [1]']")
    assert "출처 3개 중 3개는 본문을 읽었어요." in page.text_content()


def test_hostile_text_shows_and_does_nothing():
    """No script, no frame, no attribute that loads or acts; links lead to the list or to sources; the texts are shown."""
    data = export_run(hostile(), "html").data
    page = html.document_fromstring(data)
    assert {each.tag for each in page.iter() if isinstance(each.tag, str)} <= ALLOWED
    attributes = {name for each in page.iter() for name in each.keys()}  # noqa: SIM118  # an lxml element, not a mapping
    assert not attributes & LOADING
    assert not [name for name in attributes if name.startswith("on")]
    away = {each for each in page.xpath("//@href") if not each.startswith("#source-")}
    assert away == LINKED | {f"https://site.example/{n}" for n in range(8)}
    assert {int(each.removeprefix("#source-")) for each in page.xpath("//@href") if each.startswith("#")} <= set(range(1, 17))
    assert page.findtext(".//style").count("url(") == page.findtext(".//style").count("@import") == 0
    assert PAYLOADS[0] in page.text_content()
    assert not set("\x00\x1b\u202e\u200b") & set(data.decode())


def test_the_policy_allows_nothing_but_its_own_style():
    """A policy forbids loading and running anything, and no referrer is sent."""
    page = html.document_fromstring(export_run(whole(), "html").data)
    [policy] = page.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    assert page.xpath("//meta[@name='referrer']/@content") == ["no-referrer"]
