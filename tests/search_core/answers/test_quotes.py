from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from search_core.answers.quotes import MAX_QUOTE_CHARS, best_sentence, read_passages, sentences
from search_core.domain.video import TranscriptPassage, TranscriptSegment
from search_core.models.embedding.embedder import KiwiEmbedder

from .asking import asking, best_quotes, failing_scorer, scorer


def passage(*said: tuple[float, float, str]) -> TranscriptPassage:
    return TranscriptPassage(segments=tuple(TranscriptSegment(*one) for one in said), score=0.5)


def told(quotes: Iterable[TranscriptSegment]) -> list[tuple[float, str]]:
    """Return when each quotation begins, and its words."""
    return [(quote.start_s, quote.text) for quote in quotes]


def test_a_sentence_over_two_captions_begins_with_the_first():
    """Sentences are put together across captions; one that begins within a caption has a moment by the letters before it."""
    spoken = passage((10, 14, "HBM은 메모리를 위로"), (14, 18, "쌓은 것입니다. 그래서"), (18, 22, "대역폭이 넓습니다."))
    assert told(sentences(spoken)) == [(10, "HBM은 메모리를 위로 쌓은 것입니다."), (17, "그래서 대역폭이 넓습니다.")]


def test_speech_without_sentences_is_quoted_in_parts_that_begin_with_captions():
    """What a machine wrote down without marks, and in which no sentence ends, is quoted caption after caption, none too long."""
    spoken = passage(*((place * 3.0, place * 3.0 + 3, f"말이 이어지고 {place} 번째로 또 이어지고" * 2) for place in range(12)))
    found = sentences(spoken)
    assert [quote.start_s for quote in found] == [0.0, 15.0, 30.0]  # five captions of 40 letters each
    assert sentences(passage((0, 5, "가" * 1000)))[0].text == "가" * MAX_QUOTE_CHARS


def test_a_sentence_that_is_said_twice_is_quoted_once():
    """Of what bears on the question nothing comes twice, and nothing said gives no quote."""
    said = "메모리 장벽은 속도의 차이입니다."
    asked = scorer().parse(asking("메모리 장벽이 뭐야?"))
    assert best_quotes(asked, [passage((90, 95, said)), passage((10, 15, said))], scorer()) == (
        TranscriptSegment(10, 14.72, said),
    )
    assert best_quotes(asked, [], scorer()) == ()
    assert sentences(passage((0, 1, "…"))) == []


INTERVIEW = (
    (0, 4, "꿀벌이 사라지는 까닭은 무엇이라고 보십니까?"),
    (4, 8, "저는 진드기와 따뜻한 겨울을 꼽습니다."),
    (8, 12, "지난겨울에 벌통을 얼마나 잃으셨나요"),
    (12, 16, "이백 개 가운데 팔십 개가 비었습니다."),
)


def test_a_question_of_the_talk_is_no_answer_and_leads_to_the_one_behind_it():
    """An interviewer's question is left out, and what is said next stands for it."""
    asked = scorer().parse(asking("꿀벌은 왜 사라지나요?"))
    assert told(best_quotes(asked, [passage(*INTERVIEW)], scorer())) == [(4, INTERVIEW[1][2])]


def test_an_answer_is_quoted_whose_subject_is_named_in_the_sentence_before():
    """Of two sentences about a thing the one with what is asked for is quoted, behind the one that names the thing."""
    said = ("보이저 1호는 2012년에 태양권을 벗어났습니다.", "1977년에 발사된 탐사선입니다.", "화성에는 위성이 두 개 있습니다.")
    talk = passage(*((4.0 * place, 4.0 * place + 4, sentence) for place, sentence in enumerate(said)))
    quotes = best_quotes(scorer().parse(asking("보이저 1호는 언제 발사됐어?")), [talk], scorer())
    assert told(quotes) == [(0, f"{said[0]} {said[1]}")]


def test_a_sentence_with_the_amount_asked_for_comes_before_all_without():
    """A question for beehives is answered with those, not with the days that the sentence beside them tells of."""
    said = ("벌통은 우리 마을에 많습니다.", "벌통을 마을에 놓는 데 12일이 걸렸습니다.", "모두 스물여섯 통입니다.")
    talk = passage(*((4.0 * place, 4.0 * place + 4, sentence) for place, sentence in enumerate(said)))
    found = read_passages(scorer().parse(asking("벌통은 마을에 몇 통 있어?")), [talk], scorer())
    assert found is not None
    assert found.reading.order[0] == 2
    without = read_passages(scorer().parse(asking("벌통은 마을에 몇 통 있어?")), [passage((0, 4, said[1]))], scorer())
    assert without is not None
    assert not without.answers


def test_what_is_told_at_the_moment_of_the_question_comes_first_and_answers():
    """Asked over either of two captions "how many" is answered with that one, whatever passages share with the question."""
    said = ((10, 14, "첫 창고의 종자는 모두 58톨입니다."), (300, 304, "새 창고의 종자는 모두 94톨입니다."))
    passages = [replace(passage(one), score=0.15) for one in said]
    for at, _, text in said:
        found = read_passages(replace(scorer().parse(asking("몇 톨이야?")), moment_s=at + 5.0), passages, scorer())
        assert found is not None
        assert (found.best()[0].text, found.answers) == (text, True)
    elsewhere = read_passages(scorer().parse(asking("몇 톨이야?")), passages, scorer())
    assert elsewhere is not None
    assert not elsewhere.answers


def test_passages_with_the_likeliest_sentences_come_first():
    """A model reads first where the answer is said."""
    beside, answering = passage((60, 64, "벌집은 육각형입니다.")), passage(*INTERVIEW)
    found = read_passages(scorer().parse(asking("꿀벌은 왜 사라지나요?")), [beside, answering], scorer())
    assert found is not None
    assert found.order([beside, answering]) == [answering, beside]


def test_quotes_are_chosen_by_words_where_the_model_fails(caplog: pytest.LogCaptureFixture):
    """A model that is killed while a question is asked costs no answer: what words find is quoted, and the log says so."""
    whole, killed = scorer(), failing_scorer(KiwiEmbedder())
    asked = whole.parse(asking("꿀벌은 왜 사라지나요?"))
    assert best_quotes(asked, [passage(*INTERVIEW)], killed) == best_quotes(asked, [passage(*INTERVIEW)], whole)
    assert "Sentences are chosen by words: no vectors today" in caplog.text


def test_a_sentence_of_a_page_is_quoted_without_the_heading_over_it():
    """Headings and paragraphs stand on lines of their own."""
    page = "온돌 복원 백서: 구들장 300장을 새로 놓다\n온돌은 2013년 5월에 복원을 마쳤다. 굴뚝은 두 개다."
    asked = scorer().parse(asking("온돌 복원은 언제 끝났나요?"))
    assert best_sentence(asked, page, scorer()) == "온돌은 2013년 5월에 복원을 마쳤다."
