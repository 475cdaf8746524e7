"""How well answers of search services are read: each answer is served on loopback to the provider that asks such a service.

Read right is the status an attentive person gives an answer, and for results their number. The development set holds saved result
pages of three search engines and recorded answers of interfaces; here stand only the names of its files and what each of them is.
Pages of other engines and answers of other interfaces are answers that cannot be read: never "no results".
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from search_core.errors import ProviderError
from search_core.language.challenge import is_challenge
from tests.loopback.world import World
from tests.quality.scope import Scope
from tests.quality.sets import DEVELOPMENT, loaders, read_rows, share, under
from tests.search_core.providers.provider_calls import ask

RECORDED = DEVELOPMENT / "serp" / "api"
TYPES = {"html": "text/html; charset=utf-8", "json": "application/json; charset=utf-8", "xml": "text/xml; charset=utf-8"}
UNREADABLE = ("invalid_response", 0)
RESULT_PAGES = {
    "duckduckgo__test_keyword_page1": ("success", 10),
    "duckduckgo__test_keyword_page2": ("success", 29),
    "duckduckgo__test_keyword_page3": ("success", 77),  # of 78 entries two lead to the same page
}
"""Saved pages that DuckDuckGo sent; every other page of the set is of another engine, or one without a search."""
BRAVE_ANSWERS = {"brave_response": ("success", 18), "brave_search": ("success", 17)}
TAVILY_ANSWERS = {
    "test_tavily__test_basic_search": ("success", 5),
    "test_tavily__test_factory_with_bound_params": ("success", 2),
    "test_tavily__test_search_with_include_domains": ("success", 5),
}
NAVER_ITEMS = {"blog": 1, "cafearticle": 2, "doc": 1, "encyclopedia": 1, "kin": 1, "news": 1, "web": 1}
"""Entries of the sample answer on each page of Naver's guide."""
LONG = 100
_FIELD = re.compile(r"<(title|originallink|link|description|pubDate|postdate|thumbnail)>(.*?)</\1>", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """An answer of a service, the provider that reads it, and the right status and number of results."""

    name: str
    provider: str
    body: bytes
    right: tuple[str, int]
    type: str = "json"
    status: int = 200


def measure(scope: Scope) -> dict[str, float]:
    """Return by set the shares of answers read right, of challenges found, and of ordinary pages not taken for one."""
    logging.disable(logging.WARNING)  # what providers log of answers they cannot read, as most of these are
    with World() as world:
        shipped = list(_shipped())
        figures = {"shipped/read_right": _read_right(world, shipped)}
        pages = [saved for saved in shipped if saved.provider == "duckduckgo" and saved.right[1] == 0]
        guards, others = (
            [page for page in pages if (page.right[0] in ("blocked", "rate_limited")) is is_one] for is_one in (True, False)
        )
        figures["shipped/challenges_found"] = share(map(_challenges, guards))
        figures["shipped/ordinary_quiet"] = 1 - share(map(_challenges, others))
        if scope.reads_development:
            load = loaders()
            figures["pages/read_right"] = _read_right(world, _result_pages(load))
            figures["interfaces/read_right"] = _read_right(world, _interface_answers(load))
            figures["webpages/ordinary_quiet"] = _ordinary_quiet(load)
    logging.disable(logging.NOTSET)
    return under("answers", figures)


def read(world: World, saved: Saved) -> tuple[str, int]:
    """Return the status and the number of results its provider reads from *saved*."""
    world.play(saved.provider, answer=(saved.status, {"content-type": TYPES[saved.type]}, saved.body))
    try:
        results = ask(world, saved.provider, limit=LONG, settings={"web_search_timeout": 20.0})
    except ProviderError as error:
        return str(error.status), 0
    return ("success" if results else "no_results"), len(results)


def _read_right(world: World, answers: Iterable[Saved]) -> float:
    verdicts = []
    for saved in answers:
        seen = read(world, saved)
        if seen != saved.right:
            print(f"answers: {saved.name} for {saved.provider} is read as {seen}, right is {saved.right}")
        verdicts.append(seen == saved.right)
    return share(verdicts)


def _challenges(saved: Saved) -> bool:
    return is_challenge(saved.body.decode("utf-8", "replace"))


def _shipped() -> Iterator[Saved]:
    for row in read_rows("answers"):
        yield Saved(
            name=row["id"],
            provider=row["provider"],
            body=row["body"].encode(),
            right=(row["expected"], row["results"]),
            type=row["type"],
            status=row["status"],
        )


def _result_pages(load: Any) -> Iterator[Saved]:
    for path, body in load.serps():
        name = Path(path).name.partition(".")[0]
        yield Saved(name=name, provider="duckduckgo", body=body, right=RESULT_PAGES.get(name, UNREADABLE), type="html")


def _interface_answers(load: Any) -> Iterator[Saved]:
    for name, right in BRAVE_ANSWERS.items():
        body = (RECORDED / f"{name}.json").read_bytes()
        for provider in ("brave", "tavily", "naver"):
            yield Saved(name=name, provider=provider, body=body, right=right if provider == "brave" else UNREADABLE)
    for file, cassette in load.cassettes().items():
        name = file.partition(".")[0]
        for answer in _recorded(cassette):
            body = json.dumps(answer).encode()
            for provider in ("tavily", "brave", "naver"):
                right = TAVILY_ANSWERS.get(name, UNREADABLE) if provider == "tavily" else UNREADABLE
                yield Saved(name=name, provider=provider, body=body, right=right)
    for name, entries in NAVER_ITEMS.items():
        sample = _naver_sample(name)
        yield Saved(name=f"naver {name}", provider="naver", body=_as_json(sample), right=("success", entries))
        yield Saved(name=f"naver {name} as XML", provider="naver", body=sample.encode(), right=UNREADABLE, type="xml")


def _recorded(cassette: Any) -> Iterator[Any]:
    """Return the JSON bodies that *cassette* holds; some hold streams or protocols of another kind."""
    exchanges = cassette.get("interactions", ()) if isinstance(cassette, dict) else ()
    for exchange in exchanges:
        body = exchange["response"].get("parsed_body") if "response" in exchange else None
        if body is not None:
            yield body


def _naver_sample(name: str) -> str:
    """Return the sample answer, in XML, of one page of Naver's guide."""
    guide = (RECORDED / "naver_docs" / f"{name}.md").read_text(encoding="utf-8")
    sample = re.search(r"<\?xml.*?</rss>", guide, re.DOTALL)
    assert sample is not None, name
    return sample[0]


def _as_json(sample: str) -> bytes:
    """Return *sample* as JSON, with the same names and values."""
    entries = [dict(_FIELD.findall(entry)) for entry in re.findall(r"<item>(.*?)</item>", sample, re.DOTALL)]
    return json.dumps({"total": len(entries), "start": 1, "display": len(entries), "items": entries}).encode()


def _ordinary_quiet(load: Any) -> float:
    """Return the share of ordinary web pages and result pages that are not taken for a challenge."""
    sets = (load.pages_aeb("dev"), load.pages_readability("dev"), load.pages_fundus("dev"))
    pages = [row["html"] for rows in sets for row in rows if row["html"] is not None] + [body for _, body in load.serps()]
    return share(not is_challenge(page.decode("utf-8", "replace")) for page in pages)
