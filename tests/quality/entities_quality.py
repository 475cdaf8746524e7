"""How well names are found: exact spans with their kind, persons and organisations apart.

Mapping of the development set: KLUE-NER labels PS as persons and OG as organisations; its other labels have no match
here. Of whole talks (``talks``) the organisations of the video are held against those that the talk names: read
with its signs, without them (``bare``), and of an English one also in small letters, as machines write (``small``). No rule was
fitted to half of the talks (``held``), but the table of known names was written by somebody who knew them.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable

from search_core.domain.video import VideoContext
from search_core.language.entities import EntityKind, find_entities
from search_core.video.discovery import MAX_ORGANIZATIONS, discover
from tests.quality.scope import Scope
from tests.quality.sets import f1, loaders, read_rows, segments_of

KINDS = {"PS": EntityKind.PERSON, "OG": EntityKind.ORGANIZATION}
_SIGNS = re.compile(r"[.,?!]")
CAPTION_CHARS = 60
CAPTION_S = 6.0

Spans = set[tuple[int, int, EntityKind]]


def measure(scope: Scope) -> dict[str, float]:
    """Return precision, recall and F1 by set and kind, in [0, 1]; of the own texts alone unless *scope* has everything."""
    figures = _scores("shipped", _shipped(), (EntityKind.PERSON, EntityKind.ORGANIZATION, EntityKind.EVENT))
    for part in ("tuned", "held"):
        figures |= _talks(part)
    if scope.reads_development:
        rows = loaders().ner("klue_ner_dev", side="dev")
        klue = ((row["text"], {(s, e, KINDS[kind]) for s, e, kind in row["entities"] if kind in KINDS}) for row in rows)
        figures |= _scores("klue", klue, KINDS.values())
    return figures


def _shipped() -> Iterable[tuple[str, Spans]]:
    for row in read_rows("entities"):
        yield row["text"], {(e["start"], e["end"], EntityKind(e["kind"])) for e in row["entities"]}


def _scores(name: str, rows: Iterable[tuple[str, Spans]], kinds: Iterable[EntityKind]) -> dict[str, float]:
    counts = {kind: [0, 0, 0] for kind in kinds}
    for text, gold in rows:
        spans_found = {(entity.start, entity.end, entity.kind) for entity in find_entities(text)}
        for kind, count in counts.items():
            ours, theirs = ({span for span in spans if span[2] is kind} for spans in (spans_found, gold))
            count[0] += len(ours & theirs)
            count[1] += len(ours)
            count[2] += len(theirs)
    figures = {}
    for kind, (right, said, there) in counts.items():
        figures[f"entities/{name}/{kind}_precision"] = right / max(said, 1)
        figures[f"entities/{name}/{kind}_recall"] = right / max(there, 1)
        figures[f"entities/{name}/{kind}_f1"] = f1(right, said, there)
    return figures


def _talks(part: str) -> dict[str, float]:
    """Return precision and recall of organisations in talks with signs, without them, and in small letters."""
    counts: dict[str, list[int]] = {}
    for row in read_rows("entities_talks"):
        if row["part"] != part:
            continue
        bare = _SIGNS.sub("", row["said"])
        written = {"written": row["said"], "bare": bare} | ({"small": bare.lower()} if bare.isascii() else {})
        for way, said in written.items():
            names = {name.casefold() for name in discover(_as_video(said)).organizations}
            named = {name.casefold() for name in row["organizations"]}
            count = counts.setdefault(way, [0, 0, 0])
            for place, number in enumerate((len(names & named), len(names), min(len(named), MAX_ORGANIZATIONS))):
                count[place] += number
    return {
        f"entities/talks/{part}_{way}_{name}": right / max(there, 1)
        for way, (right, said, named) in counts.items()
        for name, there in (("precision", said), ("recall", named))
    }


def _as_video(said: str) -> VideoContext:
    """Return what is *said* as captions of words, as they come on a screen."""
    captions = enumerate(textwrap.wrap(said, CAPTION_CHARS))
    return VideoContext(transcript=segments_of((place * CAPTION_S, (place + 1) * CAPTION_S, text) for place, text in captions))
