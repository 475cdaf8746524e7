"""Every compiled expression of the project, and texts that make the backtracking of one cost the most."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

import pages
import search_core

SAMPLES = " \n\t0a가은이.,-(/%#*[|A"
"""A character of each class tries these, in this order, and then the first one it has."""
MOST_TOKENS = 400
METHODS = frozenset({"match", "fullmatch", "search", "finditer", "sub", "subn", "findall", "split"})


class Expression(NamedTuple):
    """An expression over text, where it is found, and the methods that are called on it."""

    where: str
    pattern: re.Pattern[str]
    methods: frozenset[str]


def expressions() -> list[Expression]:
    """Return every expression over text that a module of the project holds or writes into a call."""
    called = _called_methods()
    found: dict[int, Expression] = {}
    for package in (search_core, pages):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if module.name.startswith(("search_core.", "pages.parts.")) and not module.name.endswith("__main__"):
                for name, value in vars(importlib.import_module(module.name)).items():
                    for where, pattern in _patterns(value, f"{module.name}.{name}", 5):
                        used = called.get(f"{module.name}.{name}", frozenset()) & METHODS
                        found.setdefault(id(pattern), Expression(where, pattern, used or frozenset({"search"})))
    return [*found.values(), *_written_into_calls()]


def _sources() -> Iterator[tuple[str, ast.Module]]:
    for path in [*Path("search_core").rglob("*.py"), *Path("pages").rglob("*.py")]:
        yield ".".join(path.with_suffix("").parts), ast.parse(path.read_text(encoding="utf-8"))


def _called_methods() -> dict[str, frozenset[str]]:
    """Return which methods are called on each name of each module ("module.NAME"), also where another module imports it."""
    called: dict[str, frozenset[str]] = {}
    for module, tree in _sources():
        homes = {
            alias.asname or alias.name: f"{node.module}.{alias.name}"
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module
            for alias in node.names
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                name = homes.get(node.value.id, f"{module}.{node.value.id}")
                called[name] = called.get(name, frozenset()) | {node.attr}
    return called


def _written_into_calls() -> Iterator[Expression]:
    """Yield the expressions of calls like ``re.sub(r"…", …)``."""
    for module, tree in _sources():
        for node in ast.walk(tree):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id="re"), attr=method), args=[ast.Constant(value=str(pattern)), *_]
                ):
                    if method in METHODS:
                        yield Expression(f"{module}:{node.lineno}", re.compile(pattern), frozenset({method}))


def _patterns(value: object, where: str, depth: int) -> Iterator[tuple[str, re.Pattern[str]]]:
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield where, value
    elif depth == 0 or isinstance(value, (str, bytes, type)):
        return
    elif isinstance(value, Mapping):
        for index, (key, each) in enumerate(value.items()):
            yield from _patterns(key, f"{where}.key{index}", depth - 1)
            yield from _patterns(each, f"{where}[{key!r}]", depth - 1)
    elif isinstance(value, (tuple, list, set, frozenset)):
        for index, each in enumerate(value):
            yield from _patterns(each, f"{where}[{index}]", depth - 1)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _patterns(getattr(value, field.name, None), f"{where}.{field.name}", depth - 1)


def attacks(pattern: re.Pattern[str], length: int) -> Iterator[str]:
    """Yield texts of about *length* characters: what each repeat repeats, after what leads to it, and then what fits nothing."""
    tree = _parser.parse(pattern.pattern, pattern.flags)
    seen: set[str] = set()
    for before, token in _repeats(tree, ""):
        for start in dict.fromkeys(("", before)):
            for end in ("\x01", ""):
                text = start + token * max(length // len(token), 1) + end
                if text not in seen:
                    seen.add(text)
                    yield text


def _repeats(tree: Any, before: str) -> Iterator[tuple[str, str]]:
    """Yield each text that a repeat of *tree* can repeat, with a text that leads to it."""
    for op, arg in tree:
        if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            _, most, body = arg
            yield from _repeats(body, before)
            if most > 20:
                for token in _texts(body)[:MOST_TOKENS]:
                    if token:
                        yield before, token
        for branch in _branches(op, arg):
            yield from _repeats(branch, before)
        texts = _texts([(op, arg)])
        before += texts[0] if texts else ""


def _branches(op: Any, arg: Any) -> list[Any]:
    if op is sre.BRANCH:
        return list(arg[1])
    if op is sre.SUBPATTERN:
        return [arg[3]]
    if op is sre.ATOMIC_GROUP:
        return [arg]
    if op in (sre.ASSERT, sre.ASSERT_NOT):
        return [arg[1]]
    if op is sre.GROUPREF_EXISTS:
        return [each for each in arg[1:] if each]
    return []


def _texts(tree: Any) -> list[str]:
    """Return some texts that *tree* matches, the plainest first."""
    texts = [""]
    for op, arg in tree:
        parts = list(dict.fromkeys(_parts(op, arg)))[:MOST_TOKENS] or [""]
        if len(parts) == 1:
            texts = [text + parts[0] for text in texts]
        else:  # each part once, the others as they are at first: not all their products
            texts = [texts[0] + part for part in parts] + [text + parts[0] for text in texts[1:]]
    return list(dict.fromkeys(texts))


def _parts(op: Any, arg: Any) -> list[str]:
    if op is sre.LITERAL:
        return [chr(arg)]
    if op in (sre.IN, sre.ANY, sre.NOT_LITERAL):
        return _characters(op, arg)
    if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
        least, _, body = arg
        once = _texts(body)
        return [text * max(least, 1) for text in once] + ([""] if least == 0 else [])
    if op in (sre.ASSERT, sre.ASSERT_NOT, sre.AT, sre.GROUPREF):
        return [""]
    return [text for branch in _branches(op, arg) for text in _texts(branch)]


def _characters(op: Any, arg: Any) -> list[str]:
    if op is sre.ANY:
        return ["a", " "]
    if op is sre.NOT_LITERAL:
        return [char for char in SAMPLES if ord(char) != arg][:4]
    fits = _class(arg)
    named = [chr(value) for kind, value in arg if kind is sre.LITERAL][:6]
    named += [chr(value[0]) for kind, value in arg if kind is sre.RANGE][:6]
    return [char for char in dict.fromkeys([*SAMPLES, *named]) if fits.fullmatch(char)][:10]


def _class(arg: Any) -> re.Pattern[str]:
    pattern = _parser.SubPattern(_parser.State())
    pattern.append((sre.IN, arg))
    pattern.state.str = ""
    return _compile(pattern)


def _compile(tree: Any) -> re.Pattern[str]:
    from re import _compiler  # type: ignore[attr-defined]

    tree.state.flags = re.UNICODE.value
    return _compiler.compile(tree)  # type: ignore[no-any-return]


def seconds(pattern: re.Pattern[str], text: str, method: str) -> float:
    """Return the processor time that *method* of *pattern* takes on *text*."""
    started_s = time.process_time()
    if method in ("fullmatch", "match"):
        getattr(pattern, method)(text)
    else:
        for _ in pattern.finditer(text):
            pass
    return time.process_time() - started_s
