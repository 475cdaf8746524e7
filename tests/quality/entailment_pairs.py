"""What the entailment model learns from: labelled pairs, and pairs made by machine from plain and from translated sentences.

``entailment.jsonl`` was written for it: windows as web pages have them, each with statements that it bears out, denies or leaves
open, within Korean, within English and across; and statements with windows that share nearly all their words, whichever they do.
``entailment_claims.jsonl`` has what is said in videos, with texts of web pages that say it in other words, tell another value, or
only look alike; in all but the first 1,676 groups agreements are as near verbatim as look-alikes. The weights that ship have not
learnt from it. One group in ten is kept aside.

A sentence bears out itself with a part left out, and its translation; with another figure, bound or a *not* it is denied. It is
silent on the next sentence, and on itself about something else: another name, somebody who belongs to whom it names, a part, a
plan or a rumour of it.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from search_core.language.sentences import sentence_spans
from search_core.models.embedding.entailment import known_pairs
from tests.quality.sets import DEVELOPMENT, part_of, read_rows

BEARS_OUT, SILENT, DENIES = range(3)
LABELS = {"e": BEARS_OUT, "n": SILENT, "c": DENIES}
SOURCES = ("klue", "mnli-dev", "snli-dev", "cad-snli", "fever-symmetric", "fool-me-twice")
"""What is learnt from; sources that state no licence are not."""
MADE, TRANSLATED = 12_000, 8_000
WRITTEN_TIMES, ALIKE_TIMES = 2, 6
"""How often their pairs are seen in a pass, and those of the groups in which nearly all words are shared."""
PASSAGES = "ko_retrieval/korquad1_dev/corpus.jsonl.gz"
PARALLEL = ("ntrex", "jungyeul", "3b1b_subtitles")

_NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*")
_ASIDE = re.compile(r"\s*\([^()]{2,}\)")
_FIRST_PART = re.compile(r"^[^,]{4,25}, (?=\S{2,})")
_OPPOSITES = (
    ("이상", "이하"), ("이하", "이상"), ("증가", "감소"), ("감소", "증가"), ("최대", "최소"), ("높", "낮"),
    ("낮", "높"), ("많", "적"),
    ("이전", "이후"), ("이후", "이전"), ("찬성", "반대"), ("반대", "찬성"), ("성공", "실패"), ("실패", "성공"),
    ("처음", "마지막"),
    ("있다", "없다"), ("없다", "있다"), ("있습니다", "없습니다"), ("이다.", "이 아니다."), ("하였다.", "하지 않았다."),
    ("했다.", "하지 않았다."), ("되었다.", "되지 않았다."), ("됐다.", "되지 않았다."), ("합니다.", "하지 않습니다."),
    ("했습니다.", "하지 않았습니다."), ("한다.", "하지 않는다."), ("된다.", "되지 않는다."), ("입니다.", "이 아닙니다."),
    (" is ", " is not "), (" are ", " are not "), (" was ", " was not "), (" were ", " were not "), (" will ", " will not "),
    (" can ", " cannot "), (" has ", " has never "), (" have ", " have never "), (" more ", " less "), (" less ", " more "),
    (" higher ", " lower "), (" before ", " after "), (" after ", " before "), (" increase", " decrease"), (" first ", " last "),
    (" all ", " none of the "), (" always ", " never "), (" never ", " always "), (" best ", " worst "), (" with ", " without "),
)  # fmt: skip

_SUBJECT = re.compile(r"^(?P<who>[^,]{2,20}?[가-힣A-Za-z0-9])(?P<particle>은|는|이|가)\s")
_THE = re.compile(r"^(?P<who>The [a-z]+|[A-Z][a-z]+(?: [A-Z][a-z]+)?) (?=(?:is|was|has|had|will|can|[a-z]+ed)\b)")
_OTHERS = (
    "자회사", "경쟁사", "협력사", "공급사", "노조", "연구진", "후속작", "일부", "이웃", "전신", "지사", "투자자", "경쟁자",
    "부품", "초안", "시험판",
)  # fmt: skip
_ENGLISH_OTHERS = (
    "supplier", "rivals", "parent", "union", "successor", "neighbour", "critics", "subsidiary", "budget", "roof", "battery",
    "founder",
)  # fmt: skip
_STAGES = (
    ("했다.", "하기로 했다."), ("했다.", "할 계획이다."), ("했다.", "할 수 있다는 전망이 나왔다."),
    ("했다.", "해 달라는 요구를 받았다."), ("하였다.", "할 예정이었다."), ("됐다.", "될 예정이다."),
    ("되었다.", "될 것이라는 소문이 있다."), ("했습니다.", "할 계획입니다."), ("한다.", "할지 검토하고 있다."),
    ("이다.", "이라는 주장이 있다."), (" was ", " may have been "), (" is ", " is rumoured to be "),
    (" has ", " plans to have "), (" are ", " could one day be "), (" were ", " were expected to be "),
)  # fmt: skip
"""What was done, and what was only planned, asked for or said of it."""


class Pair(NamedTuple):
    """A window of a text, a statement, and whether the window bears it out, denies it or is silent."""

    window: str
    statement: str
    label: int
    source: str


def read_labelled(part: str) -> list[Pair]:
    """Return the labelled pairs of a part, ``train`` or ``dev``."""
    rows = _lines(DEVELOPMENT / "nli" / f"{part}.jsonl.gz")
    return [Pair(row["premise"], row["hypothesis"], LABELS[row["label"]], row["source"]) for row in rows]


def read_written(part: str) -> list[Pair]:
    """Return the project's own pairs of a part, ``train`` or ``dev``; the source of those that look alike is ``alike``."""
    pairs = [Pair(*pair, label, "written") for pair, label in known_pairs()] if part == "dev" else []
    files = {"alike": "entailment", "claims": "entailment_claims"}
    for source, group in ((source, group) for source, name in files.items() for group in read_rows(name)):
        window, statement = group.get("window"), group.get("statement")
        if (part_of(window or statement, 10) == 0) != (part == "dev"):
            continue
        for label, name in enumerate(("bears_out", "silent", "denies")):
            pairs += [
                Pair(window, text, label, "written") if window else Pair(text, statement, label, source) for text in group[name]
            ]
    return pairs


def pairs_to_learn(chance: random.Random) -> list[Pair]:
    """Return all that is learnt from, in an order of *chance*."""
    pairs = [pair for pair in read_labelled("train") if pair.source in SOURCES]
    for pair in read_written("train"):
        pairs += [pair] * (ALIKE_TIMES if pair.source == "alike" else WRITTEN_TIMES)
    pairs += _some(made_of_passages(list(_lines(DEVELOPMENT / PASSAGES)), chance), MADE, chance)
    for name in PARALLEL:
        rows = list(_lines(next((DEVELOPMENT / "ko_en_parallel").glob(f"{name}.dev.jsonl*"))))
        pairs += _some(made_of_translations(rows, chance), TRANSLATED // len(PARALLEL), chance)
    chance.shuffle(pairs)
    return pairs


def made_of_passages(passages: Sequence[dict[str, Any]], chance: random.Random) -> Iterator[Pair]:
    """Yield pairs of Korean passages with their titles."""
    titles = sorted({row["title"].replace("_", " ") for row in passages})
    for row in passages:
        text, title = row["text"], row["title"].replace("_", " ")
        sentences = [text[start:end] for start, end in sentence_spans(text) if 15 <= end - start <= 120]
        for place in range(len(sentences) - 1):
            sentence, following = sentences[place], sentences[place + 1]
            window = f"{sentences[place - 1]} {sentence}" if place and chance.random() < 0.4 else sentence
            if (shorter := shortened(sentence)) is not None:
                yield Pair(window, shorter, BEARS_OUT, "made")
            elif chance.random() < 0.2:
                yield Pair(f"{sentence} {following}", sentence, BEARS_OUT, "made")
            if (changed := changed_sentence(sentence, chance)) is not None:
                yield Pair(*((window, changed) if chance.random() < 0.7 else (changed, sentence)), DENIES, "made")
            if chance.random() < 0.4:
                yield Pair(window, following, SILENT, "made")
            yield from (Pair(other, sentence, SILENT, "made") for other in lookalikes(sentence, chance))
            if title in sentence and (other := chance.choice(titles)) != title:
                yield Pair(sentence, sentence.replace(title, other), SILENT, "made")


def made_of_translations(rows: Sequence[dict[str, Any]], chance: random.Random) -> Iterator[Pair]:
    """Yield pairs whose halves stand in two languages."""
    for row, near in zip(rows, [*rows[2:], *rows[:2]], strict=True):
        here, there = ("ko", "en") if chance.random() < 0.5 else ("en", "ko")
        if not 12 <= len(row["ko"]) <= 110:
            continue
        yield Pair(row[here], row[there], BEARS_OUT, "translated")
        yield from (Pair(other, row[here], SILENT, "translated") for other in lookalikes(row[there], chance))
        if (changed := changed_sentence(row[there], chance)) is not None:
            yield Pair(row[here], changed, DENIES, "translated")
        if chance.random() < 0.6:
            yield Pair(row[here], near[there], SILENT, "translated")


def shortened(sentence: str) -> str | None:
    """Return the sentence without an aside or its first part; None where it has neither."""
    without = _FIRST_PART.sub("", _ASIDE.sub("", sentence), count=1)
    return without if without != sentence and len(without) >= 12 else None


def lookalikes(sentence: str, chance: random.Random) -> Iterator[str]:
    """Yield sentences that share nearly all words with *sentence* but say it of another thing, or as a plan."""
    korean, english = _SUBJECT.match(sentence), _THE.match(sentence)
    if korean is not None:
        other = chance.choice(_OTHERS)
        closed = (ord(other[-1]) - 0xAC00) % 28 > 0
        particle = {"은": "은는", "는": "은는", "이": "이가", "가": "이가"}[korean["particle"]][not closed]
        yield f"{korean['who']}의 {other}{particle} {sentence[korean.end() :]}"
    elif english is not None:
        yield f"{english['who']}'s {chance.choice(_ENGLISH_OTHERS)}{sentence[english.end('who') :]}"
    staged = [(old, new) for old, new in _STAGES if old in sentence]
    if staged and chance.random() < 0.5:
        old, new = chance.choice(staged)
        place = sentence.rfind(old)
        yield sentence[:place] + new + sentence[place + len(old) :]


def changed_sentence(sentence: str, chance: random.Random) -> str | None:
    """Return the sentence with one figure, bound or word turned into another, or None."""
    turned = [(old, new) for old, new in _OPPOSITES if old in sentence]
    numbers = list(_NUMBER.finditer(sentence))
    if numbers and (not turned or chance.random() < 0.6):
        number = chance.choice(numbers)
        return sentence[: number.start()] + _other_number(number[0], chance) + sentence[number.end() :]
    if not turned:
        return None
    old, new = chance.choice(turned)
    place = sentence.rfind(old)
    return sentence[:place] + new + sentence[place + len(old) :]


def _other_number(number: str, chance: random.Random) -> str:
    """Return a number with as many digits, one of them another."""
    places = [place for place, letter in enumerate(number) if letter.isdigit()]
    place = chance.choice(places)
    digits = [digit for digit in "123456789" if digit != number[place]]
    return number[:place] + chance.choice(digits) + number[place + 1 :]


def _some(pairs: Iterable[Pair], count: int, chance: random.Random) -> list[Pair]:
    """Return *count* pairs drawn by *chance*, equally many of each label."""
    by_label: dict[int, list[Pair]] = {label: [] for label in LABELS.values()}
    for pair in pairs:
        by_label[pair.label].append(pair)
    share = count // len(by_label)
    return [pair for rows in by_label.values() for pair in chance.sample(rows, min(share, len(rows)))]


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    data = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
    yield from map(json.loads, data.splitlines())
