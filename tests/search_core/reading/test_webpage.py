"""Which text, title and date are read from a page, and which pages hold none."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from search_core.errors import PageFailure, PageReadError
from search_core.reading.html import ReadPage
from search_core.reading.webpage import decode_page, read_webpage

SENTENCES = [
    "정부는 오늘 인터포저 위에 메모리를 쌓는 새로운 공정을 지원하겠다고 발표했습니다.",
    "업계는 이번 조치로 내년 상반기부터 생산량이 크게 늘어날 것으로 내다보고 있습니다.",
    "전문가들은 대역폭이 두 배로 늘면 학습 시간이 절반으로 줄어든다고 설명했습니다.",
]
ARTICLE = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
MENU = "<nav><ul>" + "".join(f'<li><a href="/{n}">메뉴 {n}</a></li>' for n in range(12)) + "</ul></nav>"
FOOTER = "<footer>서울시 어느 구 어느 길 1, 등록번호 서울 아 00000</footer>"
KOREAN = "정부는 오늘 새로운 정책을 발표했다. 내년부터 시행하며, 시민은 누구나 참여할 수 있다고 밝혔다."
JAPANESE = "政府は今日、新しい政策を発表した。来年から実施され、市民は誰でも参加できるという。"


def page(body: str, head: str = "<title>새 공정 지원 발표 - 어느신문</title>") -> bytes:
    return f'<html lang="ko"><head>{head}</head><body>{body}</body></html>'.encode()


def failure(data: bytes, content_type: str = "") -> PageFailure:
    with pytest.raises(PageReadError) as caught:
        read_webpage(data, "https://example.org/a", content_type)
    return caught.value.kind


def test_an_article_is_read_without_what_stands_around_it():
    """The text is the article's; menu, footer and scripts are not in it."""
    body = f"{MENU}<article><h1>새 공정 지원 발표</h1>{ARTICLE}</article>{FOOTER}<script>var x = '비밀';</script>"
    read = read_webpage(page(body), "https://example.org/a")
    assert all(sentence in read.text for sentence in SENTENCES)
    assert "메뉴 3" not in read.text
    assert "비밀" not in read.text
    assert (read.title, read.language) == ("새 공정 지원 발표", "ko")


def test_a_short_article_keeps_its_headline_apart_from_its_first_sentence():
    """What trafilatura gives as one line is read in lines, so that the first sentence can be compared by itself."""
    body = (
        f"{MENU}<article><h1>새 공정 지원</h1><time>2026-11-24</time><p>{SENTENCES[0]}</p><p>{SENTENCES[1]}</p></article>{FOOTER}"
    )
    assert {*SENTENCES[:2]} <= {*read_webpage(page(body), "https://example.org/a").text.split("\n")}


@pytest.mark.parametrize("odd", ["\x01", "&#1;", "&#0;", "&#xD800;", "\ufffe"])
def test_odd_characters_do_not_cost_the_text(odd: str):
    """Controls and lone halves of characters, spelt out or not, are passed over."""
    body = f"<article><h1>공정{odd}</h1>{odd}{ARTICLE * 3}{odd}<p>끝<b>{odd}</b>{odd}입니다.</p></article>"
    read = read_webpage(page(body), "https://example.org/a")
    assert all(sentence in read.text for sentence in SENTENCES)
    assert read.title == "새 공정 지원 발표 - 어느신문"


def test_characters_come_out_as_they_are_seen():
    """References to ordinary characters are these; characters nobody sees and comments do not reach the text."""
    spelt = "<p>&#8217;&#x2019;&#44032;&#xAC01;&#65;&#x1F600;&#13;&#10;입니다.</p>"
    unseen = "<!-- 비밀 --><p>마지막\u3164 문장은 \u200b이렇게 끝난다고 합니다.</p>"
    text = read_webpage(page(f"<article>{ARTICLE}{spelt}{unseen}</article>"), "").text
    assert "’’가각A😀 입니다." in text
    assert "마지막 문장은 이렇게 끝난다고 합니다." in text
    assert "비밀" not in text


def test_another_reader_takes_over(monkeypatch: pytest.MonkeyPatch):
    """Where the first reader finds nothing or breaks, all of the text is the last resort."""

    def broken(_root: object, _url: str) -> str:
        raise TypeError("odd markup")

    from search_core.reading import webpage

    monkeypatch.setattr(webpage, "_by_trafilatura", broken)
    assert SENTENCES[1] in read_webpage(page(f"<div>{ARTICLE}</div>"), "https://example.org/a").text


DAY = datetime(2026, 3, 4, tzinfo=UTC)


def meta(name: str, content: str) -> str:
    return f'<meta property="article:{name}_time" content="{content}">'


def data(**dates: str) -> str:
    return f'<script type="application/ld+json">{json.dumps({"@type": "NewsArticle", **dates})}</script>'


FIRST, CHANGED = "2020-07-10T14:15:42+00:00", "2026-01-07T09:08:22+00:00"


@pytest.mark.parametrize(
    ("head", "url", "published"),
    [
        (meta("published", "2026-03-04T10:30:00+09:00"), "", datetime.fromisoformat("2026-03-04T10:30:00+09:00")),
        (data(datePublished="2026-03-04T01:30:00Z"), "", datetime(2026, 3, 4, 1, 30, tzinfo=UTC)),
        ("", "https://example.org/2026/03/04/title", DAY),
        ("", "", None),
        (meta("published", "2026-01-29T18:40:00"), "", datetime(2026, 1, 29, 9, 40, tzinfo=UTC)),
        (meta("modified", CHANGED) + data(datePublished=FIRST, dateModified=CHANGED), "", datetime.fromisoformat(FIRST)),
        (meta("published", "2026-03-04") + data(datePublished="2020-07-10"), "", DAY),
    ],
    ids=["with a time", "as data", "in the address", "unsaid", "without a zone", "changed later", "another thing is older"],
)
def test_the_date_is_when_it_was_published(head: str, url: str, published: datetime | None):
    """Dates come from the page's data or its address, with the time where it is known, and none is made up."""
    assert read_webpage(page(f"<article>{ARTICLE}</article>", head), url).published == published


def test_years_of_which_a_page_speaks_are_not_its_date():
    """A page that states no date has none, however many years its text names."""
    years = "".join(f"<p>{year}년에도 물은 산에서 흘러 바다로 갔다.</p>" for year in range(1995, 2024))
    assert read_webpage(page(f"<article>{ARTICLE}{years}</article>"), "").published is None


@pytest.mark.parametrize(
    ("head", "heading", "title"),
    [
        ("<title>제목이에요 | 신문</title>", "", "제목이에요 | 신문"),
        ('<title>x</title><meta property="og:title" content="진짜 제목">', "", "진짜 제목"),
        ('<title>제목이에요 | 신문</title><meta property="og:site_name" content="신문">', "", "제목이에요"),
        ("<title>신문</title>", "<h1>오늘의 제목</h1>", "신문"),
        ("", "<h1>오늘의 제목</h1>", "오늘의 제목"),
        ("", "", ""),
    ],
)
def test_the_title_is_the_page_s(head: str, heading: str, title: str):
    """The title is what the page says, without the name of the site where that is known."""
    assert read_webpage(page(f"<article>{heading}{ARTICLE}</article>", head), "").title == title


def test_plain_text_is_read_as_it_is():
    """A text file is its text, the first line its title, in Korean encodings as well."""
    read = read_webpage("\n".join(SENTENCES).encode("cp949"), "", "text/plain")
    assert read == ReadPage(url="", title=SENTENCES[0], text="\n".join(SENTENCES), language="ko", method="plain")


LINKS = "".join(f'<li><a href="/{n}">오늘 가장 많이 읽은 기사의 긴 제목 {n}번</a></li>' for n in range(40))
NO_TEXT = {
    "nothing": b"",
    "shell": page('<div id="root"></div><script src="/app.js"></script>'),
    "loading": page("<div>불러오는 중…</div>" + FOOTER),
    "JavaScript": page("<p>You need to enable JavaScript to run this app. It will not work without it.</p>"),
    "no such page": page("<h1>404</h1><p>페이지를 찾을 수 없습니다. 주소를 다시 확인해 주시기 바랍니다.</p>"),
    "links": page(f"<main><h1>많이 읽은 기사</h1><ul>{LINKS}</ul></main>{FOOTER}"),
    "menu": page(MENU + FOOTER),
    "picture": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4,
    "tags": b"<p>x</p>" * 60_000,
}


CHALLENGES = {
    "checking": '<div id="challenge-form">잠시만 기다려 주세요. 접속하신 브라우저를 확인하고 있습니다. 곧 이동합니다.</div>',
    "are you human": "<p>Verify you are human by completing the action below. example.org needs to review the security.</p>",
    "보안문자": "<p>자동입력 방지를 위해 아래 보안문자를 입력해 주세요. 입력하시면 계속 이용하실 수 있습니다.</p>",
}


@pytest.mark.parametrize("name", [*NO_TEXT, *CHALLENGES])
def test_a_page_without_a_text_is_no_empty_success(name: str):
    """Shells, notices, lists of links, pictures and bombs could not be read; what asks for proof of a human blocks us."""
    if name in CHALLENGES:
        assert failure(page(CHALLENGES[name])) is PageFailure.BLOCKED
    else:
        assert failure(NO_TEXT[name]) is PageFailure.UNREADABLE


def test_an_article_about_challenges_is_an_article():
    """A long text that speaks of captchas, missing pages and JavaScript is read."""
    told = "<p>보안문자와 captcha, 그리고 페이지를 찾을 수 없습니다라는 안내를 다룬 글이며 enable JavaScript라는 말도 나온다.</p>"
    assert "captcha" in read_webpage(page(f"<article>{ARTICLE * 5}{told}</article>"), "").text


def declaring_page(text: str, charset: str = "") -> str:
    meta = f'<meta charset="{charset}">' if charset else ""
    return f"<html><head>{meta}<title>t</title></head><body><p>{text}</p></body></html>"


@pytest.mark.parametrize(
    ("text", "encoding", "declared", "header"),
    [
        pytest.param(KOREAN, "utf-8", "euc-kr", "text/html; charset=euc-kr", id="utf-8 said to be euc-kr"),
        pytest.param(KOREAN, "euc_kr", "", "", id="euc-kr unsaid"),
        pytest.param(KOREAN + " 똠방각하 펲시", "cp949", "ks_c_5601-1987", "", id="cp949"),
        pytest.param(KOREAN, "cp949", "utf-8", "text/html; charset=utf-8", id="cp949 said to be utf-8"),
        pytest.param(KOREAN, "utf-8", "utf-7", "text/html; charset=utf-7", id="utf-8 said to be utf-7"),
        pytest.param(JAPANESE, "cp932", "shift_jis", "", id="shift_jis"),
        pytest.param(JAPANESE, "euc_jp", "", "text/html; charset=euc-jp", id="euc-jp in the header"),
    ],
)
def test_a_page_is_read_in_its_encoding(text: str, encoding: str, declared: str, header: str):
    """The text comes out right, whatever the header and the page say of its encoding."""
    assert text in decode_page(declaring_page(text, declared).encode(encoding), header)


def test_zero_bytes_among_text_are_passed_over_and_binary_is_told():
    """A few NULs do not make text another encoding; binary data raises ValueError whatever it is said to be."""
    data = declaring_page(KOREAN, "euc-kr").encode("cp949")
    assert KOREAN in decode_page(data[:30] + b"\x00" + data[30:])
    for binary in (b"\x00\x01\x02\x03" * 100, b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4):
        with pytest.raises(ValueError, match="not text"):
            decode_page(binary, "text/html; charset=utf-8")
