"""Speakers: the names that open turns ("최영란: …", "[최영란] …", "JANE DOE: …", a name on its own line)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import islice

from search_core.language.entities import EntityKind, find_entities
from search_core.video.discovery import is_korean_name

Lines = tuple[str, ...]
"""The lines of one caption or turn."""
_ROLE = re.compile(
    r"(?:참석자|화자|발화자|발언자|話者|発言者|发言人|说话人|진행자|사회자|기자|앵커|질문|답변|speaker|spk|spkr|person|host|moderator|interviewer|guest|question|"
    r"answer|un(?:known|named|identified)(?: speaker)?|uu|[a-z])(?:[\s_-]*\d{1,3}|[\s_-][a-z])?|\d{1,3}",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"^(?:[-–—]\s?)?(?:\[(?P<bracketed>[^\W\d_][^\[\]:：.,!?;()]{0,38})\]\s?[:：]?"
    r"|(?P<bare>[^\W\d_](?:[^:：.,!?;()\[\]]{0,38}[^\s:：.,!?;()\[\]])?)\s?[:：])(?:\s+(?=\S)|$)"
)
"""A speaker's label before the words of a turn, as in "[최영란] …"."""
_PLACED_LABEL = re.compile(r"^(?:[-–—]\s?)?([^\s:：][^:：]{0,58}?)\s?[:：]\s+(?=\S)")
"""Any words before a colon, which count as labels if nearly every caption begins so."""
_NEARLY_ALL = 0.9
_LABEL_WORDS = 4
_MOST_LABELS = 200
"""Most labels of a text that are examined; no text has as many speakers."""
_LABELLED_SHARE = 0.5
_HEAD = re.compile(r"[(\[]?([^\s()\[\]:：][^()\[\]:：.!?,;]{0,38}(?:\([^()]{1,20}\))?)[)\]]?\s?[:：]?")
_LATIN_NAME = re.compile(r"(?:[A-Z][\w.'’-]+ ){1,3}[A-Z][\w.'’-]+|[A-Z][A-Z .'’-]+")
_FIRST_NAME = re.compile(r"[A-Z][a-z]{1,14}")
"""A first name, if others take turns with it; alone it may be any word before a colon."""
_HANGUL_NAME = re.compile(r"[가-힣]{3,4}")
_HANGUL_LABEL = re.compile(r"[가-힣]{3,4}(?:\s?[가-힣]{1,6}){0,2}")


def take_labels(said: Sequence[Lines]) -> tuple[list[Lines], Lines]:
    """Return the words *said* in each caption without the labels that open turns, and these labels in order.

    A label is the full name of a Korean person, or recurs and is written like a name or a role. If nearly every caption begins
    with words and a colon, all of these are labels, however written.
    """
    heads = find_heads(said)
    if heads:
        said = [lines[1:] if len(lines) > 1 and head_of(lines[0]) in heads else lines for lines in said]
    spoken = [lines for lines in said if lines]
    every = [line for lines in spoken for line in lines]
    labels = _placed_labels([lines[0] for lines in spoken]) or _placed_labels(every)
    if not labels:
        counts = _labels_in(every)
        talking = [label for label, turns in counts.items() if turns > 1 and _FIRST_NAME.fullmatch(label)]
        labels = tuple(
            label
            for label, turns in counts.items()
            if _full_name(label)
            or (_is_like_a_name(label) and (turns > 1 or label[-1].isdigit()))
            or (label in talking and len(talking) > 1)
        )
    if labels:
        names = frozenset(labels)
        said = [tuple(words for line in lines if (words := without_label(line, names))) for lines in said]
    return list(said), (*heads, *labels)


def find_heads(said: Iterable[Lines]) -> Lines:
    """Return the labels on lines of their own above the words of turns, in order."""
    spoken = [lines for lines in said if lines]
    heads = Counter(head for lines in spoken if len(lines) > 1 and (head := head_of(lines[0])))
    often = sum(turns for turns in heads.values() if turns > 1) >= _LABELLED_SHARE * len(spoken)
    return tuple(head for head, turns in heads.items() if _is_like_a_name(head) and (turns > 1 or often or head[-1].isdigit()))


def head_of(line: str) -> str:
    """Return the label on *line*, or "" if *line* holds other words or too many."""
    match = _HEAD.fullmatch(line.strip())
    return match[1].strip() if match and len(match[1].split()) <= _LABEL_WORDS else ""


def text_labels(lines: Sequence[str]) -> Lines:
    """Return the speakers' labels ("김민수: …") in a text without times, in order.

    Prose has colons, too. So labels count if they recur or are in capitals, and together open half of the lines; otherwise only
    a Korean person's full name on the first line counts.
    """
    opened = _labels_in(lines)
    labels = [label for label, turns in opened.items() if turns > 1 or (len(label) > 1 and label.isascii() and label.isupper())]
    if sum(opened[label] for label in labels) >= _LABELLED_SHARE * len(lines):
        return tuple(labels)
    return tuple(label for label in opened if label == _label_of(lines[0]) and _full_name(label))


def without_label(line: str, labels: Collection[str]) -> str:
    """Return *line* without its label, if that is one of *labels*."""
    match = _LABEL.match(line)
    if match and (match["bracketed"] or match["bare"]).strip() in labels:
        return line[match.end() :]
    placed = _PLACED_LABEL.match(line)
    return line[placed.end() :] if placed and placed[1] in labels else line


def names_among(labels: Iterable[str]) -> Lines:
    """Return the names among *labels*, in order, without roles, titles and duplicates."""
    return tuple(dict.fromkeys(_full_name(label) or label for label in labels if label and not is_role(label)))


def is_role(label: str) -> bool:
    """Return whether *label* is a role or a number, and no name."""
    return _ROLE.fullmatch(label) is not None


def _labels_in(lines: Iterable[str]) -> dict[str, int]:
    counts = Counter(label for line in lines if (label := _label_of(line)) and len(label.split()) <= _LABEL_WORDS)
    return dict(islice(counts.items(), _MOST_LABELS))


def _label_of(line: str) -> str:
    match = _LABEL.match(line)
    return (match["bracketed"] or match["bare"]).strip() if match else ""


def _placed_labels(lines: Sequence[str]) -> Lines:
    """Return the labels before the first colon of nearly all *lines*, if some repeat; else nothing."""
    placed = Counter(match[1] for line in lines if (match := _PLACED_LABEL.match(line)) and any(map(str.isalpha, match[1])))
    enough = len(lines) > 2 and len(placed) < placed.total() and placed.total() >= _NEARLY_ALL * len(lines)
    return tuple(placed) if enough else ()


def _is_like_a_name(label: str) -> bool:
    return is_role(label) or _LATIN_NAME.fullmatch(label) is not None or is_korean_name(label, expected=True)


def _full_name(label: str) -> str:
    """Return the full name of a Korean person in *label* without the title, or nothing."""
    if not _HANGUL_LABEL.fullmatch(label) or is_role(label):
        return ""
    named = [entity for entity in find_entities(label) if entity.kind is EntityKind.PERSON]
    return named[0].text if named and named[0].start == 0 and _HANGUL_NAME.fullmatch(named[0].text) else ""
