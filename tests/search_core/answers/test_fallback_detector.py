from __future__ import annotations

import unicodedata

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from search_core.answers.fallback_cues import FallbackReason
from search_core.answers.fallback_detector import FallbackDecision, FallbackDetector
from search_core.answers.regression import read_weights
from search_core.errors import EmbeddingError
from search_core.language.vectors import TRAINED

ANSWERED = FallbackDecision(False, FallbackReason.NONE, "")
PIECES = (
    "I don't know", "I cannot search the web", "real-time", "the video does not mention", "but", "however,", "I think",
    "Paris", "잘 모르겠습니다", "영상에서 언급되지 않았습니다", "없습니다만,", "정보가", "죄송합니다", "파리입니다", ". ", "? ",
    ", ", "\n", "\n- ", "1. ", '"', "“", "'", "`", "```", "<think>", "</think>", "> ", " ", "\u1100\u1161", "\u0301", "\x00",
    "\ud800", "🧀",
)  # fmt: skip
EMPTY = ("", " \n\t", "…", "---", "**", "\u200b", "<think>Maybe 1931?</think>", "<think>cut off")
answers = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=30).map("".join))


@pytest.fixture(scope="module")
def detector() -> FallbackDetector:
    return FallbackDetector()


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("I cannot search the web.", FallbackReason.NO_WEB_ACCESS),
        ("저는 인터넷 검색을 할 수 없습니다.", FallbackReason.NO_WEB_ACCESS),
        ("I don't have access to real-time information.", FallbackReason.NO_CURRENT_INFORMATION),
        ("저는 실시간 정보에 접근할 수 없습니다.", FallbackReason.NO_CURRENT_INFORMATION),
        ("The video does not mention it.", FallbackReason.NOT_IN_SOURCE),
        ("영상에서 언급되지 않았습니다.", FallbackReason.NOT_IN_SOURCE),
        ("I'm not sure.", FallbackReason.NO_KNOWLEDGE),
        ("잘 모르겠습니다.", FallbackReason.NO_KNOWLEDGE),
        (unicodedata.normalize("NFD", "잘 모르겠습니다."), FallbackReason.NO_KNOWLEDGE),
        *((empty, FallbackReason.EMPTY_ANSWER) for empty in EMPTY),
    ],
)
def test_each_kind_of_not_knowing_has_its_reason(detector: FallbackDetector, answer: str, reason: FallbackReason):
    """Want of access, of current information, of a passage, of knowledge and of any word differ, in both languages."""
    evidence = "" if reason is FallbackReason.EMPTY_ANSWER else answer
    assert detector.detect(answer) == FallbackDecision(True, reason, evidence)


def test_the_evidence_is_the_sentence_as_written(detector: FallbackDetector):
    """Regret before the sentence and advice after it are left out; apostrophes, emphasis, quotes and letter case stay."""
    answer = "Sorry! I *don’t* have REAL-TIME data. Please check the operator's website."
    assert detector.detect(answer).evidence == "I *don’t* have REAL-TIME data."
    assert detector.detect('"I don\'t know."', "How deep is the lake?").evidence == "I don't know."
    assert detector.detect("I have no information about their privacy policy.", "What is their privacy policy?").triggered


def test_advice_after_the_cue_is_no_answer(detector: FallbackDetector):
    """A list of places to look changes nothing; a list of facts is an answer."""
    cue = "I don't have real-time weather data."
    advice = "\n\nHowever, you can check:\n1. **Weather app:** It shows the radar.\n2. **News:** The forecast follows at eight."
    facts = "\n\nHowever, autumn there is like this:\n1. **September:** Warm and dry.\n2. **October:** Mild with some rain."
    assert detector.detect(cue + advice).evidence == cue
    assert detector.detect(cue + facts) == ANSWERED


def test_what_the_source_lacks_counts_behind_what_it_has_in_one_sentence(detector: FallbackDetector):
    """A sentence may say what the video does speak of before it says what not; after an answer such a sentence adds nothing."""
    lacking = "영상은 거울을 닦는 방법을 다루지만 가격은 언급하지 않았습니다."
    assert detector.detect(lacking, "거울은 얼마야?").reason is FallbackReason.NOT_IN_SOURCE
    answer = "The mirror is cast and polished for six years. The video does not mention its price."
    assert detector.detect(answer, "How is the mirror polished?") == ANSWERED


@pytest.mark.parametrize(
    ("answer", "question"),
    [
        *((answer, "What is it?") for answer in ("42", "No.", "네", "🧀", "€", "Paris is the capital of France.", "파리입니다.")),
        ("I don't know who won, but it was probably the home side.", "Who won?"),
        ("영상에서는 언급되지 않았지만 홈 팀이 이긴 것으로 알려져 있습니다.", "Who won?"),
        ("죄송하지만 그 요청은 도와드릴 수 없습니다.", "위조지폐는 어떻게 만들어?"),
        ("I don't know where the river ends.", "Write a poem about a river"),
        ("아니요, 영상에서는 가격을 언급하지 않습니다.", "영상에서 가격을 언급하나요?"),
        ('He wrote "I cannot search the web" on the wall.', None),
        ("If you don't know the answer, skip the question.", None),
    ],
)
def test_words_about_not_knowing_are_an_answer(detector: FallbackDetector, answer: str, question: str | None):
    """Short answers, guesses, refusals, translations, quotes, conditions and words of others do not trigger."""
    assert detector.detect(answer, question) == ANSWERED


class Unsure:
    """Gives texts with "unfathomable" the vector of not knowing and all others its opposite, or fails; notes what it embeds."""

    label, limits = "말 없는", TRAINED

    def __init__(self, *, name="", fails=False):
        self.name, self.fails, self.embedded = name or read_weights("unknown")["model"], fails, []

    def embed(self, texts, kind="passage"):
        self.embedded += texts
        if self.fails:
            raise EmbeddingError("The model is gone.", korean="모델이 없어요.")
        learnt = np.array(read_weights("unknown")["vector"])
        towards = 100 * learnt / (learnt @ learnt)
        return np.array([towards if "unfathomable" in text else -towards for text in texts], dtype=np.float32)


def test_the_classifier_finds_what_no_cue_foresees():
    """Its evidence is the first sentence that says something; quotes are not read; a long answer is read at its beginning."""
    unsure = Unsure()
    decision = FallbackDetector(lambda: unsure).detect("I'm sorry. The *price* is unfathomable. Ask 'him'.", "How much?")
    assert decision == FallbackDecision(True, FallbackReason.NO_KNOWLEDGE, "The *price* is unfathomable.")
    assert unsure.embedded == ["I'm sorry. The price is unfathomable. Ask … ."]


@pytest.mark.parametrize(
    ("answer", "question", "asked"),
    [
        ("It is 'unfathomable', he says.", "What is it?", 1),
        ("I don't know.", "What is it?", 0),
        ("It is unfathomable. " + "The lake has 12 arms. " * 30, "What is it?", 0),
        ("It is unfathomable, and illegal.", "What is it?", 0),
        ("Is it unfathomable?", "What is it?", 0),
        ("It is unfathomable.", "Is the lake mentioned in the video?", 0),
    ],
)
def test_the_classifier_is_asked_only_where_it_can_tell(answer: str, question: str, asked: int):
    """Not after a cue or a quoted one, of long answers, refusals, questions back, nor where not knowing would be the answer."""
    unsure = Unsure()
    decision = FallbackDetector(lambda: unsure).detect(answer, question)
    assert (len(unsure.embedded), decision) == (asked, FallbackDetector().detect(answer, question))


@pytest.mark.parametrize("unsure", [Unsure(name="another"), Unsure(fails=True)])
def test_without_the_classifiers_own_model_cues_decide(unsure: Unsure):
    """Vectors of another model say nothing to it; a model that is gone costs no answer."""
    assert FallbackDetector(lambda: unsure).detect("The price is unfathomable.", "How much?") == ANSWERED


@given(answers, st.one_of(st.none(), answers))
@example("I don't know.", None)
def test_any_answer_has_one_verdict(answer: str, question: str | None):
    """No text raises, space around it changes nothing; evidence stands in the answer, and reason and verdict agree."""
    decision = FallbackDetector().detect(answer, question)
    assert decision == FallbackDetector().detect(f" \n{answer}\t ", question)
    assert decision.evidence in answer
    assert decision.triggered == bool(decision.reason)
    assert bool(decision.evidence) == (decision.triggered and decision.reason is not FallbackReason.EMPTY_ANSWER)
