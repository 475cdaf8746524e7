"""Who speaks, by the names that stand before turns in captions and texts ("최영란: …", "[최영란] …", "JANE DOE: …")."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import islice

from search_core.text.entities import EntityKind, find_entities
from search_core.video.discovery import is_korean_name

_ROLE = re.compile(
    r"(?:참석자|화자|발화자|발언자|진행자|사회자|기자|앵커|질문|답변|speaker|person|unknown|host|moderator|interviewer|guest|q|a|"
    r"question|answer)\s*\d*",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"^(?:[-–—]\s?)?(?:\[(?P<bracketed>[^\W\d_][^\[\]:：.,!?;()]{0,38})\]\s?[:：]?"
    r"|(?P<bare>[^\W\d_](?:[^:：.,!?;()\[\]]{0,38}[^\s:：.,!?;()\[\]])?)\s?[:：])(?:\s+(?=\S)|$)"
)
"""What stands before the words of a turn."""
_LABEL_WORDS = 4
_MOST_LABELS = 200
"""Labels of a text that are looked at; people in it are fewer."""
_LABELLED_SHARE = 0.5
_LATIN_NAME = re.compile(r"(?:[A-Z][\w.'’-]+ ){1,3}[A-Z][\w.'’-]+|[A-Z][A-Z .'’-]+")
_HANGUL_NAME = re.compile(r"[가-힣]{3,4}")
_HANGUL_LABEL = re.compile(r"[가-힣]{3,4}(?:\s?[가-힣]{1,6}){0,2}")


def speaker_labels(lines: Sequence[str], *, timed: bool) -> tuple[str, ...]:
    """Return who opens turns, in order, roles ("진행자") among them.

    In captions, which are *timed*, a turn goes on over many lines: a label there is the full name of a Korean person, or comes
    back and is written like a name or a role. In a text, where colons are in prose, too, it comes back or is in capitals and
    half of the lines have one, or it is the full name with which the text begins.
    """
    found = Counter(label for line in lines if (label := _label_of(line)) and len(label.split()) <= _LABEL_WORDS)
    opened = dict(islice(found.items(), _MOST_LABELS))
    if timed:
        return tuple(label for label, turns in opened.items() if _full_name(label) or (turns > 1 and _is_like_a_name(label)))
    labels = [label for label, turns in opened.items() if turns > 1 or (len(label) > 1 and label.isascii() and label.isupper())]
    if sum(opened[label] for label in labels) >= _LABELLED_SHARE * len(lines):
        return tuple(labels)
    return tuple(label for label in opened if label == _label_of(lines[0]) and _full_name(label))


def names_of_speakers(labels: Iterable[str]) -> tuple[str, ...]:
    """Return the names among *labels*, in order, without roles, titles and doubles."""
    return tuple(dict.fromkeys(_full_name(label) or label for label in labels if not is_role(label)))


def without_label(line: str, labels: Collection[str]) -> str:
    """Return *line* without the label that opens it, where that is one of *labels*."""
    found = _LABEL.match(line)
    return line[found.end() :] if found and (found["bracketed"] or found["bare"]).strip() in labels else line


def is_role(label: str) -> bool:
    """Return whether *label* is a role, and no name."""
    return _ROLE.fullmatch(label) is not None


def _label_of(line: str) -> str:
    found = _LABEL.match(line)
    return (found["bracketed"] or found["bare"]).strip() if found else ""


def _is_like_a_name(label: str) -> bool:
    return is_role(label) or _LATIN_NAME.fullmatch(label) is not None or is_korean_name(label, expected=True)


def _full_name(label: str) -> str:
    """Return the full name of a Korean person that *label* is, without the title behind it; nothing for another label."""
    if not _HANGUL_LABEL.fullmatch(label) or is_role(label):
        return ""
    named = [entity for entity in find_entities(label) if entity.kind is EntityKind.PERSON]
    return named[0].text if named and named[0].start == 0 and _HANGUL_NAME.fullmatch(named[0].text) else ""
