"""One service asked for several lists of results, which become one."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from itertools import chain, zip_longest
from typing import Any

from search_core.domain import SearchResult
from search_core.errors import ProviderError

logger = logging.getLogger(__name__)


async def ask_several(
    service: str,
    asked: Mapping[str, Coroutine[Any, Any, Sequence[SearchResult]]],
    how_telling: Callable[[ProviderError], int] = lambda _: 0,
) -> list[SearchResult]:
    """Return what all of *asked* bring, taken in turn; one that brings something is enough.

    Where nothing came, raises the refusal that *how_telling* numbers lowest; what is no refusal is always raised.
    """
    outcomes = await asyncio.gather(*asked.values(), return_exceptions=True)
    lists: list[Sequence[SearchResult]] = []
    refusals: list[ProviderError] = []
    for name, outcome in zip(asked, outcomes, strict=True):
        if isinstance(outcome, ProviderError):
            logger.warning("%s did not answer for %s: %s", service, name, outcome)
            refusals.append(outcome)
        elif isinstance(outcome, BaseException):
            raise outcome
        else:
            lists.append(outcome)
    found = interleave(lists)
    if not found and refusals:
        raise min(refusals, key=how_telling)
    return found


def interleave(lists: Iterable[Sequence[SearchResult]]) -> list[SearchResult]:
    """Return the first of each of *lists*, then the second of each, and so on."""
    return [result for result in chain.from_iterable(zip_longest(*lists)) if result is not None]
