"""Plans and results as plain values, as steps return and findings keep them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from search_core.domain import Moment, SearchResult
from search_core.research.planning import Plan
from search_core.storage.json_codec import JsonCodec


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    results: tuple[SearchResult, ...] = ()


_PLAN = JsonCodec(Plan)
_PLAN_FIELDS = ("subtasks", "origin", "note")
_FOUND = JsonCodec(_Found, Moment=Moment)


def plan_values(plan: Plan) -> dict[str, Any]:
    """Return *plan* as ``plan_of`` reads it again, without the failure on the way to it."""
    return {name: value for name, value in _PLAN.write(plan).items() if name in _PLAN_FIELDS}


def plan_of(values: Mapping[str, Any]) -> Plan:
    """Return what ``plan_values`` made, whatever else stands beside it."""
    return _PLAN.read({name: values[name] for name in _PLAN_FIELDS})[0]


def result_values(results: Iterable[SearchResult]) -> list[dict[str, Any]]:
    """Return *results* as ``results_of`` reads them again."""
    values: list[dict[str, Any]] = _FOUND.write(_Found(results=tuple(results)))["results"]
    return values


def results_of(values: list[dict[str, Any]]) -> tuple[SearchResult, ...]:
    """Return what ``result_values`` made."""
    return _FOUND.read({"results": values})[0].results
