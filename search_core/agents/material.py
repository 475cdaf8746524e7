"""Texts of others prepared for an agent: marked as data, cleaned, and short enough to be read."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from search_core.domain import StanceRow
from search_core.llm.prompt import plain, without_template_marks
from search_core.text.sentences import sentence_spans, shorten
from search_core.text.visible import visible

_HANGUL = ("\uac00", "\ud7a3")
_ASCII_TOKENS, _HANGUL_TOKENS, _OTHER_TOKENS = 0.4, 1.25, 3.0
"""Of one character, at most on the whole: cl100k_base was measured at .23 for English, .75 for random letters, .95 for Korean
(2026-11), and no byte-level tokenizer takes more tokens than there are bytes."""
MAX_URL_CHARS = 400
_CHUNK_TOKENS = 150


@dataclass(frozen=True, slots=True)
class Item:
    """A piece of material: what it is under its field in the structured result, and as a line of the text."""

    field: str
    value: Mapping[str, Any] | str
    """A text continues the one before it of the same field; objects make a list."""
    line: str

    @property
    def tokens(self) -> int:
        """Return how many tokens it takes in both forms, rather too many than too few."""
        text = self.value if isinstance(self.value, str) else json.dumps(self.value, ensure_ascii=False)
        return estimate_tokens(text) + estimate_tokens(self.line)


def estimate_tokens(text: str) -> int:
    """Return how many tokens *text* takes, rather too many than too few."""
    plain_count = sum(char.isascii() for char in text)
    hangul = sum(_HANGUL[0] <= char <= _HANGUL[1] for char in text)
    others = len(text) - plain_count - hangul
    return int(plain_count * _ASCII_TOKENS + hangul * _HANGUL_TOKENS + others * _OTHER_TOKENS) + 1


def one_line(text: str, most: int) -> str:
    """Return what a stranger wrote on one line of at most *most* characters, without what hides or marks."""
    return shorten(plain(text), most)


def address(url: str) -> str:
    """Return an address as it can be handed on; empty for one that is too long to be one."""
    cleaned = plain(url)
    return cleaned if len(cleaned) <= MAX_URL_CHARS else ""


def text_items(field: str, text: str) -> Iterator[Item]:
    """Yield a long text in pieces that make it again when they are put together."""
    cleaned = without_template_marks(visible(text)).strip()
    begin = 0
    for _, end in sentence_spans(cleaned):
        for piece in _pieces(cleaned[begin:end]):
            yield Item(field, piece, piece)
        begin = end


def _pieces(text: str) -> Iterator[str]:
    """Yield *text*, cut where it alone would be too long for a page."""
    size = max(1, len(text) * _CHUNK_TOKENS // max(_CHUNK_TOKENS, estimate_tokens(text)))
    for begin in range(0, len(text), size):
        yield text[begin : begin + size]


def paginate(items: Sequence[Item], tokens: int) -> tuple[tuple[Item, ...], ...]:
    """Return *items* in pages of at most *tokens* tokens, one page at least; an item that is longer has a page of its own."""
    pages: list[list[Item]] = [[]]
    room = tokens
    for item in items:
        if item.tokens > room and pages[-1]:
            pages.append([])
            room = tokens
        pages[-1].append(item)
        room -= item.tokens
    return tuple(tuple(page) for page in pages)


def structured(items: Sequence[Item]) -> dict[str, Any]:
    """Return *items* under their fields, without what is unknown of them."""
    fields: dict[str, Any] = {}
    for item in items:
        if isinstance(item.value, str):
            fields[item.field] = fields.get(item.field, "") + item.value
        else:
            fields.setdefault(item.field, []).append({name: each for name, each in item.value.items() if each is not None})
    return fields


def fenced(items: Sequence[Item]) -> str:
    """Return *items* as text between two unguessable marks; empty for none."""
    if not items:
        return ""
    text, before = "", None
    for item in items:
        continues = before is not None and isinstance(item.value, str) and before.field == item.field
        text += item.line if continues or not text else f"\n{item.line}"
        before = item
    return fence(text)


def fence(text: str) -> str:
    """Return *text*, cleaned before, between two marks of 128 random bits."""
    mark = f"DATA-{secrets.token_hex(16)}"
    return f"{mark}\n{text}\n{mark}"


def judge_words(row: StanceRow) -> str:
    """Return who judged, as an agent reads it: "rules", "entailment_model 0.86"."""
    return row.judge.value if row.probability is None else f"{row.judge.value} {row.probability:.2f}"
