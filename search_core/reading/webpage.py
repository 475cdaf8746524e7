"""A web page as title, text and date, and the process that reads it.

Trafilatura reads first, and where it finds too little BeautifulSoup takes all the text. What a page says in place of an article
(a challenge, an empty shell, a list of links, a page that is not there) does not count as its text. Some markup keeps a parser
busy for minutes, and importing the readers takes a while; both happen in a process of its own.
"""

from __future__ import annotations

import logging
import re
from configparser import ConfigParser
from copy import deepcopy
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any

import htmldate
import trafilatura
from bs4 import BeautifulSoup
from lxml import etree
from trafilatura.settings import DEFAULT_CONFIG
from w3lib.encoding import html_to_unicode

from search_core.child_process import serve
from search_core.errors import PageFailure, PageReadError
from search_core.language import word_set
from search_core.language.challenge import is_challenge
from search_core.language.dates import in_korea, read_date
from search_core.language.korean import detect_language
from search_core.language.korean.decoding import decode_text
from search_core.language.sentences import visible
from search_core.language.web_address import host_name
from search_core.reading.html import UNWRITABLE, ParsedText, ReadPage, drop_hidden, one_line, page_metadata, parse_html

logger = logging.getLogger(__name__)

MAX_TEXT_CHARS = 200_000
MAX_TITLE_CHARS = 300
_TRIPPED = (ValueError, TypeError, AttributeError, LookupError, AssertionError, ArithmeticError, RuntimeError, etree.LxmlError)
"""Errors that the libraries raise on odd markup."""
ENOUGH = 200
"""A text of at least this weight (``text_weight``) is accepted without trying another method."""
LEAST = 40
"""Weight of the shortest text that says something."""
LEAST_OF_ALL = 80
"""Weight of the shortest text that says something if all text of the page was taken, with the names of its buttons."""
LEAST_SHARE = 0.3
"""A page with a smaller share of its text outside links is a list of links."""
SHORT = 800
"""Only a text up to this weight can be a challenge ("prove that you are human")."""
NOTICE = 300
"""Only a text up to this weight can be a notice in place of an article ("page not found")."""
_NOTICE = re.compile(
    r"(enable|requires?|turn on|activate|without) (your )?(java ?script|cookies)"
    r"|java ?script (is|to be) (disabled|required|enabled|off)"
    r"|(page|article|file|url) (you .{0,40})?(was |is |could )?(not (be )?found|no longer)"
    r"|\b404\b.{0,20}not found|not found.{0,20}\b404\b"
    r"|자바 ?스크립트(를|가|을)? ?.{0,12}(활성|사용|필요|켜|허용|지원)"
    r"|로그인(이|을)? ?.{0,8}(필요|하셔야|후 ?이용|해 ?주세요)"
    r"|페이지를 ?찾을 ?수 ?없|존재하지 ?않는 ?(페이지|게시|기사|글)|삭제된 ?(페이지|게시|기사|글)|요청하신 ?페이지",
    re.IGNORECASE,
)
_NAMED_DATE = re.compile(r'"datePublished"\s*:\s*"([^"]{8,40})"')
_CHANGED = r"(?:modif|updat)[^<>]{{0,80}}?{day}|{day}[^<>]{{0,80}}?(?:modif|updat)"
_SENTENCE = re.compile(r"[.!?。！？][\"'”’)]*(\s|$)|[다요죠까음함][\"'”’)]*$", re.MULTILINE)
_WIDE = re.compile(r"[가-힣ぁ-ヺ一-鿿]")
_UNREAD = word_set("script style noscript template svg iframe nav header footer aside form select button")
_TRUSTED_ENCODINGS = frozenset({"utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be", "cp949", "johab"})
"""Encodings in which ``decode_text`` is believed, as bytes in other encodings hardly ever look like them."""
_STRAY_SHARE = 0.01
MOST = 0.8
"""Least share of the weight of a one-line text that its version with line breaks must have to be used."""
_READS_SHORT = deepcopy(DEFAULT_CONFIG)
"""Settings for short articles: below its minimum size trafilatura returns one line, with the headline glued to the text."""
_READS_SHORT["DEFAULT"]["MIN_EXTRACTED_SIZE"] = str(LEAST)
_MEMORY_BYTES = 2 << 30
"""Limit of the process's address space; libraries and a large page take a fifth of it."""
_IDLE_S = 600.0
"""Idle seconds after which the process ends: it holds 66 MiB, and starting one costs two seconds of processor time."""


def read_webpage(data: bytes, url: str, content_type: str = "") -> ReadPage:
    """Return the page in *data*; raises PageReadError (BLOCKED or UNREADABLE) if it has no readable text."""
    try:
        markup = decode_page(data, content_type)
        if content_type.partition(";")[0].strip().lower() == "text/plain":
            return _plain(markup, url)
        markup = UNWRITABLE.sub("", markup)
        root = parse_html(markup)
    except ValueError as error:
        raise PageReadError(PageFailure.UNREADABLE, f"The page cannot be read: {error}.") from error
    facts = page_metadata(root)
    links = {one_line(str(link.text_content())) for link in root.iter("a")}
    drop_hidden(root)
    method, text = find_text(root, url, links)
    _check(method, text, links, markup)
    title = _title(root, facts)
    language = _language(facts.language, text)
    published = publish_date(markup, url, facts.published)
    return ReadPage(
        url=url,
        title=visible(title)[:MAX_TITLE_CHARS],
        text=text[:MAX_TEXT_CHARS],
        published=in_korea(published, language, host_name(url)),
        language=language,
        method=method,
    )


def _plain(text: str, url: str) -> ReadPage:
    text = _tidy(text)[:MAX_TEXT_CHARS]
    _check("plain", text, set(), text)
    title, language = text.split("\n", 1)[0][:MAX_TITLE_CHARS], detect_language(text[:2_000])
    return ReadPage(url=url, title=title, text=text, language=language, method="plain")


def find_text(root: Any, url: str, links: set[str]) -> tuple[str, str]:
    """Return the name and text of the first method that finds enough, else of the one that finds most."""
    candidates: list[tuple[int, str, str]] = []
    for method, read in (("trafilatura", _by_trafilatura), ("beautifulsoup", _by_beautiful_soup)):
        try:
            text = _tidy(read(root, url))
        except _TRIPPED as error:  # the next way reads it
            logger.warning("%s failed on a page: %s", method, type(error).__name__)
            text = ""
        candidates.append((text_weight(text, links), method, text))
        if candidates[-1][0] >= ENOUGH:
            break
    _, method, text = max(candidates, key=lambda candidate: candidate[0])
    return method, text


def _by_trafilatura(root: Any, url: str) -> str:
    text = _extract(root, url, DEFAULT_CONFIG)
    in_lines = text if "\n" in text else _extract(root, url, _READS_SHORT)
    return in_lines if len(in_lines) >= MOST * len(text) else text


def _extract(root: Any, url: str, config: ConfigParser) -> str:
    return trafilatura.extract(deepcopy(root), url=url or None, include_comments=False, with_metadata=False, config=config) or ""


def _by_beautiful_soup(root: Any, _url: str) -> str:
    rest = deepcopy(root)
    etree.strip_elements(rest, *_UNREAD, with_tail=False)
    soup = BeautifulSoup(etree.tostring(rest, encoding="unicode", method="html"), "lxml")
    return (soup.body or soup).get_text("\n")


def text_weight(text: str, links: set[str] | frozenset[str] = frozenset()) -> int:
    """Return the length of *text* outside its *links*; a Korean or other wide character counts twice."""
    lines = [line for line in text.split("\n") if line.strip("-•| \t") not in links]
    return sum(len("".join(line.split())) + len(_WIDE.findall(line)) for line in lines)


def _check(method: str, text: str, links: set[str], markup: str) -> None:
    """Raise PageReadError if *text* cannot be an article."""
    own, whole = text_weight(text, links), text_weight(text)
    if whole <= SHORT and is_challenge(markup):
        raise PageReadError(PageFailure.BLOCKED, "The page wants proof that a human is reading.")
    if whole <= NOTICE and _NOTICE.search(text):
        raise PageReadError(PageFailure.UNREADABLE, "The page says that its text is not to be had here.")
    if own < (LEAST_OF_ALL if method == "beautifulsoup" else LEAST):
        raise PageReadError(PageFailure.UNREADABLE, "The page holds hardly any text; programs of the page may fetch it later.")
    if own < ENOUGH and not _SENTENCE.search(text):
        raise PageReadError(PageFailure.UNREADABLE, "The page holds words, but no sentence.")
    if own < LEAST_SHARE * whole:
        raise PageReadError(PageFailure.UNREADABLE, "The page is a list of links.")


def _title(root: Any, facts: ParsedText) -> str:
    """Return the page's title without the name of its site."""
    headings = [one_line(str(heading.text_content())) for heading in root.iter("h1")]
    headings = [heading for heading in headings if heading]
    if len(headings) == 1 and headings[0] in facts.title and len(headings[0]) > len(facts.title) / 3:
        return headings[0]
    if facts.source:
        return re.sub(rf"(?<=\S)\s+[|·:–—-]\s+{re.escape(facts.source)}$", "", facts.title)
    return facts.title or (headings[0] if headings else "")


def publish_date(markup: str, url: str, stated_date: str) -> datetime | None:
    """Return the day on which htmldate says a page was published, with the time of day if the page states one (*stated_date*).

    If that is the day of a change, an earlier day of publication that the page states wins.
    """
    try:  # a year that its text merely mentions is no date of a page: no extensive search
        found = htmldate.find_date(markup, url=url or None, original_date=True, outputformat="%Y-%m-%d", extensive_search=False)
        day = read_date(found)
    except _TRIPPED as error:  # the text remains without its date
        logger.warning("htmldate failed on a page: %s", type(error).__name__)
        day = None
    in_data = _NAMED_DATE.search(markup)
    moments = [moment for moment in map(read_date, (stated_date, in_data[1] if in_data else "")) if moment is not None]
    if day is None:
        return next((moment for moment in moments if moment <= datetime.now(UTC) + timedelta(days=1)), None)
    if close := [moment for moment in moments if abs(moment - day) <= timedelta(days=2)]:
        return close[0]
    changed = re.search(_CHANGED.format(day=f"{day:%Y-%m-%d}"), markup, re.IGNORECASE)
    return next((moment for moment in moments if moment < day), day) if changed else day


def _language(declared: str, text: str) -> str:
    """Return the language of *text* by its script, or for Latin script as the page states it."""
    detected = detect_language(text[:2_000])
    return (
        declared
        if detected == "en" and re.fullmatch(r"[a-z]{2}", declared) and declared not in ("ko", "ja", "zh", "ru", "ar")
        else detected
    )


def _tidy(text: str) -> str:
    lines = (one_line(line) for line in visible(text).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def decode_page(data: bytes, content_type: str = "") -> str:
    """Return *data* as text; *content_type* is the header it came with.

    The bytes themselves decide first, as header and page are often wrong about Korean; if they are ambiguous, the header decides,
    then the page. Raises ValueError if *data* is no text.
    """
    if 0 < data.count(0) < _STRAY_SHARE * len(data):
        data = data.replace(b"\x00", b"")  # text in UTF-16 has far more: its spaces and line ends
    text, encoding = decode_text(data)
    if encoding in _TRUSTED_ENCODINGS:
        return text
    _, text = html_to_unicode(content_type, data, default_encoding=encoding)
    return str(text).replace("\r\n", "\n").replace("\r", "\n")


def serve_pages() -> None:
    """Read pages in this process until the input ends or no request (``url``, ``type`` and the page) comes for a long time."""
    for name in ("trafilatura", "htmldate"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # they write down pieces of pages
    serve(_answer, memory_bytes=_MEMORY_BYTES, idle_s=_IDLE_S, tell=_tell)


def _answer(request: dict[str, Any], data: bytes) -> dict[str, Any]:
    page = read_webpage(data, request["url"], request["type"])
    return {**asdict(page), "published": page.published.isoformat() if page.published else ""}


def _tell(error: Exception) -> dict[str, Any]:
    """Return the error of an unreadable page as data; the process goes on."""
    if isinstance(error, PageReadError):
        return {"failed": error.kind.value, "message": str(error)}
    logger.warning("A page could not be read: %s", type(error).__name__)
    return {"failed": PageFailure.UNREADABLE.value, "message": f"The page could not be read ({type(error).__name__})."}
