"""How well web pages are read: their text, their date, their encoding, and which addresses are refused.

The text of a page is compared with the one people marked in it, by the F1 of runs of four words, the measure of the article
extraction benchmark; *gain* is how far it stands above trafilatura alone. The development set holds pages of three collections;
here stand pages of our own, each with what must be in its text and what must not.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import trafilatura
from lxml import html

from search_core.errors import PageFailure, PageReadError
from search_core.language.dates import read_date
from search_core.reading.fetch import PageFetcher
from search_core.reading.page_reader import PageExtractor
from search_core.reading.public_address import AddressRule
from search_core.reading.webpage import decode_page
from tests.quality.scope import Scope
from tests.quality.sets import DEVELOPMENT, loaders, read_rows, share, under

LIMIT_S = 30.0
"""Quality is measured here, not speed; a machine may be busy."""
RUN = 4
ENCODINGS = {
    "Big5": "big5hkscs",
    "CP949": "cp949",
    "EUC-JP": "euc_jp",
    "EUC-KR": "cp949",
    "GB2312": "gb18030",
    "Johab": "johab",
    "SHIFT_JIS": "cp932",
}
Read = Callable[[bytes, str], "tuple[str, datetime | None]"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """A page and what people marked in it."""

    data: bytes
    url: str = ""
    texts: Sequence[str]
    """One of them is the page's; collections keep several versions of a page together."""
    dates: Sequence[datetime] = ()


def measure(scope: Scope) -> dict[str, float]:
    """Return how well texts, dates and encodings are read, and the share of hostile addresses refused."""
    with closing(PageExtractor(workers=1, limit_s=LIMIT_S)) as extractor:

        def read(data: bytes, url: str) -> tuple[str, datetime | None]:
            try:
                page = extractor.extract(data, url)
            except PageReadError:
                return "", None
            return page.text, page.published

        figures = {"shipped/read_right": _shipped_right(extractor)}
        if scope.reads_development:
            load = loaders()
            sets = {"articles": _articles(load), "readability": _readability(load), "news": _news(load)}
            dates: list[bool] = []
            for name, pages in sets.items():
                f1, alone, right = _compared(list(pages), read)
                figures |= {f"{name}/f1": f1, f"{name}/gain": round(f1 - alone, 6)}
                dates += right
            figures["dates_right"] = share(dates)
            figures["encodings_right"] = _encodings_right()
            figures["addresses_refused"] = _refused(load)
    return under("extraction", figures)


def likeness(wanted: str, found: str) -> float:
    """Return how alike two texts are: the F1 of their runs of four words."""
    right, seen = _runs(wanted), _runs(found)
    both = sum((right & seen).values())
    return 2 * both / (sum(right.values()) + sum(seen.values())) if both else float(not right and not seen)


def _runs(text: str) -> Counter[tuple[str, ...]]:
    words = re.findall(r"\w+", text)
    return Counter(tuple(words[start : start + RUN]) for start in range(max(len(words) - RUN + 1, 1 if words else 0)))


def _compared(pages: Sequence[Marked], read: Read) -> tuple[float, float, list[bool]]:
    """Return the mean likeness by our reading, by trafilatura alone, and for each dated page whether the date is right."""
    ours, alone, dates = [], [], []
    for page in pages:
        text, published = read(page.data, page.url)
        plain = trafilatura.extract(page.data, url=page.url or None, include_comments=False) or ""
        ours.append(max(likeness(marked, text) for marked in page.texts))
        alone.append(max(likeness(marked, plain) for marked in page.texts))
        if page.dates:
            dates.append(any(published is not None and abs(published - date) <= timedelta(days=1) for date in page.dates))
    return sum(ours) / len(ours), sum(alone) / len(alone), dates


def _articles(load: Any) -> Iterator[Marked]:
    for row in load.pages_aeb("dev"):
        yield Marked(data=row["html"], url=row["url"], texts=[row["body"]])


def _readability(load: Any) -> Iterator[Marked]:
    for row in load.pages_readability("dev"):
        text = str(html.fromstring(row["expected_html"].decode()).text_content())
        yield Marked(data=row["html"], texts=[text], dates=_dates([row["metadata"].get("publishedTime")]))


def _news(load: Any) -> Iterator[Marked]:
    for row in load.pages_fundus("dev"):
        versions = list(row["gold_versions"].values())
        texts = [_body(version["body"]) for version in versions]
        yield Marked(data=row["html"], url=row["url"], texts=texts, dates=_dates(v.get("publishing_date") for v in versions))


def _body(body: Any) -> str:
    lines = [line for section in body["sections"] for line in (*section["headline"], *section["paragraphs"])]
    return "\n".join([*body["summary"], *lines])


def _dates(written: Any) -> list[datetime]:
    return [date for date in map(read_date, written) if date is not None]


def _encodings_right() -> float:
    """Return the share of files in East Asian encodings of which all but one character in a hundred is right."""
    verdicts = []
    for path in sorted((DEVELOPMENT / "webpages" / "encodings").glob("*/*")):
        data = path.read_bytes()
        right = data.decode(ENCODINGS[path.parent.name], "replace").replace("\r\n", "\n").replace("\r", "\n")
        try:
            decoded = decode_page(data)
        except ValueError:
            decoded = ""
        wrong = sum(a != b for a, b in zip(decoded, right, strict=False)) + abs(len(decoded) - len(right))
        verdicts.append(wrong <= 0.01 * len(right))
    return share(verdicts)


def _refused(load: Any) -> float:
    """Return the share of addresses used in attacks that are refused when every name leads to this machine."""

    async def inside(_host: str, _port: int) -> Sequence[str]:
        return ["127.0.0.1"]

    reader = PageFetcher(timeout_s=LIMIT_S, rule=AddressRule(ports=range(1, 65_536)), resolver=inside)
    verdicts = []
    for row in load.ssrf_urls("dev"):
        try:
            asyncio.run(reader.fetch(row["url"]))
            verdicts.append(False)
        except PageReadError as error:
            verdicts.append(error.kind is PageFailure.REFUSED_ADDRESS)
    return share(verdicts)


def _shipped_right(extractor: PageExtractor) -> float:
    verdicts = []
    for row in read_rows("pages"):
        wrong = _wrong(row, extractor)
        if wrong:
            print(f"extraction: the page {row['id']} is read wrong: {wrong}")
        verdicts.append(not wrong)
    return share(verdicts)


def _wrong(row: Any, extractor: PageExtractor) -> str:
    """Return what is read wrongly of *row*, empty if nothing is."""
    try:
        page = extractor.extract(row["html"].encode(), row["url"])
    except PageReadError as error:
        return "" if error.kind == row.get("error") else f"error {error.kind}"
    if "error" in row:
        return f"text {page.text[:60]!r}"
    published = page.published.date().isoformat() if page.published else None
    if (page.title, published) != (row["title"], row["published"]):
        return f"title {page.title!r}, date {published}"
    return ", ".join(
        [f"lacks {part!r}" for part in row["has"] if part not in page.text]
        + [f"has {part!r}" for part in row["lacks"] if part in page.text]
    )
