"""What each rule of language is for: ``python -m tests.quality.ablation SET... [--only EXPRESSION]``.

Every expression of the rooms of language, and every function that says yes or no or finds something, is replaced by one that
finds nothing, by itself, and the rows of the sets are asked again. A line tells how many rows are wrong without it and were
right, and the reverse, by set. Words and rules alone judge.
"""

from __future__ import annotations

import argparse
import functools
import gc
import importlib
import inspect
import logging
import pkgutil
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from types import ModuleType
from typing import Any, NamedTuple

import search_core
from search_core.answers import FallbackDetector
from search_core.text.entities import find_entities
from tests.quality import entities_quality, intent_quality, query_quality, stance_quality, verdict_quality
from tests.quality.judges import Judge
from tests.quality.sets import are_present, loaders, read_rows

ROOMS = ("answers", "search.understanding", "stance", "text.entities", "text.korean")
_NEVER = re.compile(r"(?!)")
_NOTHING: dict[str, object] = {"bool": False, "str": "", "tuple[": (), "list[": [], "frozenset[": frozenset(), "float": 0.0}


class Row(NamedTuple):
    """One question, sentence, answer or pair: what is made of it, and whether that is right."""

    set: str
    ask: Callable[[], object]
    is_right: Callable[[Any], bool]


class Rule(NamedTuple):
    """A name of a module, what it stands for, and what stands in for it."""

    name: str
    value: object
    instead: object


def _stances() -> Iterator[Row]:
    for row in read_rows("stances"):
        right = (row["stance"], *row.get("also", ()))
        yield Row("stances", partial(stance_quality.told_stance, Judge(), row), right.__contains__)
    for row in read_rows("agreements"):
        ask = partial(stance_quality.told_stance, Judge(), row)
        yield Row("agreements", ask, lambda told, agrees=row["agrees"]: (told == "agree") == agrees)


def _verdicts() -> Iterator[Row]:
    for row in read_rows("verdicts"):
        ask = partial(verdict_quality.told_verdict, row, Judge())
        yield Row("verdicts", ask, lambda told, right=row["verdict"]: told.stance == right)


def _queries() -> Iterator[Row]:
    for row in read_rows("queries"):
        ask = partial(query_quality.query_of, row)
        yield Row("queries", ask, lambda query, row=row: not intent_quality.missing_from(query, row))


def _fallback() -> Iterator[Row]:
    for row in read_rows("fallback"):
        ask = partial(FallbackDetector().detect, row["answer"], row.get("question"))
        yield Row("fallback", ask, lambda told, right=row["triggered"]: told.triggered == right)


def _entities() -> Iterator[Row]:
    for text, gold in map(entities_quality._klue, loaders().ner("klue_ner_dev", side="dev")):
        yield Row("entities", partial(find_entities, text), lambda found, gold=gold: gold <= _spans(found))


def _context() -> Iterator[Row]:
    earlier: dict[str, list[str]] = {}
    for turn in loaders().cast(side="dev"):
        history = earlier.setdefault(turn["topic"], [])
        ask = partial(intent_quality.needs_context, turn["raw"], history=tuple(history))
        yield Row("context", ask, lambda told, right=turn["changed"]: told == right)
        history.append(turn["raw"])


SETS = {"stances": _stances, "verdicts": _verdicts, "queries": _queries, "fallback": _fallback}
if are_present():
    SETS |= {"entities": _entities, "context": _context}


def _spans(found: Any) -> set[tuple[int, int, object]]:
    return {(entity.start, entity.end, entity.kind) for entity in found}


def rules() -> Iterator[Rule]:
    """Yield what can be switched off, module by module."""
    for module in _modules():
        for name, value in list(vars(module).items()):
            full = f"{module.__name__.removeprefix('search_core.')}.{name}"
            if isinstance(value, re.Pattern) and _defines(module, name):
                yield Rule(full, value, _NEVER)
            elif callable(value) and getattr(value, "__module__", "") == module.__name__ and not inspect.isclass(value):
                told = str(getattr(inspect.unwrap(value), "__annotations__", {}).get("return", ""))
                instead = (
                    None if told.endswith("| None") else next((_NOTHING[key] for key in _NOTHING if told.startswith(key)), ...)
                )
                if instead is not ...:
                    yield Rule(full, value, lambda *_, instead=instead, **__: instead)


def _modules() -> Iterator[ModuleType]:
    for room in ROOMS:
        package = importlib.import_module(f"{search_core.__name__}.{room}")
        yield from (
            importlib.import_module(found.name) for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        )


def _defines(module: ModuleType, name: str) -> bool:
    return re.search(rf"^{name}\b.* = ", inspect.getsource(module), re.MULTILINE) is not None


def switch(value: object, other: object) -> None:
    """Put *other* in the place of *value* wherever a module of the core has it, and forget what was remembered."""
    for module in [each for name, each in sys.modules.items() if name.startswith("search_core")]:
        for name, held in list(vars(module).items()):
            if held is value:
                setattr(module, name, other)
    for each in gc.get_objects():
        if isinstance(each, functools._lru_cache_wrapper) and str(getattr(each, "__module__", "")).startswith("search_core"):
            each.cache_clear()


def main() -> None:
    """Print a line for each rule that a row is wrong or right without."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+", choices=SETS)
    parser.add_argument("--only", default="", help="only rules whose name an expression finds")
    args = parser.parse_args()
    logging.disable(logging.CRITICAL)  # what cannot do without a rule says so
    asked = [row for wanted in args.sets for row in SETS[wanted]()]
    before = [row.is_right(row.ask()) for row in asked]
    for rule in [rule for rule in rules() if re.search(args.only, rule.name)]:
        switch(rule.value, rule.instead)
        changed: Counter[str] = Counter()
        for row, right in zip(asked, before, strict=True):
            try:
                now = row.is_right(row.ask())
            except Exception:  # noqa: BLE001 - what cannot do without it needs it
                changed[f"{row.set} fails"] += 1
                continue
            if now != right:
                changed[f"{row.set} {'better' if now else 'worse'}"] += 1
        switch(rule.instead, rule.value)
        print(rule.name, dict(changed) or "moves nothing", flush=True)


if __name__ == "__main__":
    main()
