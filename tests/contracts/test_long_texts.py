"""No text of a model, a page or a user holds the app up, however long it is and whatever signs it repeats.

Time is that of the processor, so that a busy machine changes nothing; what is quadratic takes many times what is allowed here.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from time import process_time

import pytest

from pages.parts.shared.escaping import md
from search_core.answers.citations import CitationRegistry
from search_core.answers.draft import MomentMarks
from search_core.answers.fallback_detector import FallbackDetector
from search_core.domain.video import TranscriptPassage, TranscriptSegment
from search_core.language.sentences import sentence_spans, sentences_of
from search_core.language.statements.proposition import amounts_in
from search_core.models.llm.chat import MAX_ANSWER_CHARS
from search_core.models.llm.thoughts import Thoughts
from search_core.research.planning import read_subtasks
from search_core.search.presenting.document import escape
from search_core.video.subtitles import read_subtitles

MOST_S = 0.5
LONG = 7_500
ANSWER = MAX_ANSWER_CHARS // 4
DAY = date(2026, 11, 21)
FACT = "삼성전자는 2026년 3월 18일에 12단 HBM4를 양산한다고 밝혔다."
SIGNS = (
    *("[", "]", "[1", "[1]", "[1, 2", "[12:41", "[12:41, ", "12:41 ", " ", "\n", "\t", "1", "1,", "1.", "5~", "1억 2천만 "),
    *("2026년 3월 ", "2026-03-18 ", "$1 ", "3.5% ", ".", "? ", "Mr. ", "“", "가", "가.", "A", "Abc ", "a@", "http://", "www."),
    *("{\\", "<v ", "<v.", "<v a", "[  ", "00:01 --> 00:02\n가\n\n"),
    *("*", "**a", "_", "`", "~~", "|a|\n", "# ", "- ", "> ", "<", "&#", "\\", ":", "\x00", "\u200b", "\u3164", "[1] 가나다.\n"),
)


def passages() -> tuple[TranscriptPassage, ...]:
    segment = TranscriptSegment(start_s=0, end_s=9, text="말")
    return (TranscriptPassage(segments=(segment,), score=1.0),)


def registry(text: str) -> CitationRegistry:
    made = CitationRegistry()
    made.add(title=text[:300], text=text, url="https://news.example/")
    return made


def streamed(text: str) -> None:
    marks, thoughts = MomentMarks(passages()), Thoughts()
    for start in range(0, len(text), 3):
        marks.feed(thoughts.feed(text[start : start + 3]))
    marks.rest()


READERS: dict[str, tuple[int, Callable[[str], object]]] = {
    "an answer as it comes": (ANSWER, streamed),
    "the citations of an answer": (ANSWER, lambda text: registry(FACT).resolve(f"{text} [1].")),
    "a source": (LONG, lambda text: (registry(text).described(), registry(text).resolve(f"{FACT} [1]."))),
    "whether an answer is one": (ANSWER, lambda text: FallbackDetector().detect(text, "언제 나와요?")),
    "numbers and times": (ANSWER, lambda text: amounts_in(text, DAY)),
    "sentences": (LONG, lambda text: (sentences_of(text, 400), list(sentence_spans(text)))),
    "subtitles": (LONG, lambda text: read_subtitles(f"WEBVTT\n\n00:01 --> 00:02\n[{text}")),
    "a plan": (ANSWER, read_subtasks),
    "titles": (ANSWER, lambda text: (md(text), escape(text))),
}


@pytest.mark.parametrize("name", READERS)
def test_no_text_holds_the_app_up(name: str):
    """Each run of signs a quarter as long as the reader lets in is read within half a second."""
    size, read = READERS[name]
    read(FACT)  # loads what it needs
    slow = {}
    for sign in SIGNS:
        begun = process_time()
        read(sign * (size // len(sign)) + "가a")
        spent = process_time() - begun
        if spent > MOST_S:
            slow[sign] = spent
    assert slow == {}


def test_thoughts_in_one_piece_are_left_out():
    """A server that sends thousands of thoughts in one piece does not exhaust the stack."""
    assert Thoughts().feed("<think>a</think>" * 5000 + "답") == "답"
