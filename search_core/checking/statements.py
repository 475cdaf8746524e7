"""The statements of a video that are checked against the web: the passages behind its answer, sentence by sentence."""

from __future__ import annotations

from collections.abc import Sequence

from search_core.answers.check_worthiness import score_check_worthiness
from search_core.answers.passages import choose_passages, relevant_passages
from search_core.answers.question_scorer import QuestionScorer
from search_core.answers.quotes import sentences
from search_core.checking.verdicts.compare import asserts_something
from search_core.domain.conversation import AnswerRecord
from search_core.domain.report import Question
from search_core.domain.stance import Statement
from search_core.domain.video import TranscriptPassage
from search_core.language import korean
from search_core.language.entities import find_entities
from search_core.search.presenting.dates import day_in_korea

MAX_STATEMENTS = 6
"""A reader looks at no more statements of one answer."""
WORTH_A_CHECK = 0.3
"""How check-worthy a sentence that an answer rests on has to be, less than one that is chosen from a whole video: somebody asked
about it. "전고체 배터리는 불이 나지 않습니다" has .38, "그래서 전고체 배터리가 나옵니다" .29."""
BEARS = 0.5
"""Share of the best sentence's bearing on the question that another one needs."""


def passages_to_check(question: Question, answer: AnswerRecord | None, scorer: QuestionScorer) -> tuple[TranscriptPassage, ...]:
    """Return the passages at the moments that *answer* cites, or else those of its passages relevant to *question*.

    Without an answer they are chosen from the video. They come in order of time. Raises EmbeddingError when there is no answer
    and texts cannot be embedded.
    """
    if question.video is None:
        return ()
    if answer is None:
        chosen = relevant_passages(choose_passages(scorer.parse(question, of_video=True), question.video, scorer))
    else:
        chosen = _passages_at(answer.passages, answer.moments) or relevant_passages(answer.passages)
    return tuple(sorted(chosen, key=lambda passage: passage.start_s))


def names_something(text: str) -> bool:
    """Return whether *text* names a person, an organisation, a place or a product, and so needs no subject before it."""
    analysed = korean.morphemes(text)
    counted = {morpheme.end for morpheme in analysed if morpheme.tag == "SN"}  # a unit is no name
    return bool(find_entities(text)) or any(each.tag == "NNP" and each.start not in counted for each in analysed)


def statements_to_compare(
    question: Question, passages: Sequence[TranscriptPassage], scorer: QuestionScorer
) -> tuple[Statement, ...]:
    """Return the check-worthy sentences of *passages* relevant to *question*, as they are said.

    If none is check-worthy, the most relevant one; none if nothing is asserted. Raises EmbeddingError when texts cannot be
    embedded.
    """
    day = day_in_korea(question.video.published_at) if question.video is not None and question.video.published_at else None
    spoken = [quote for passage in passages for quote in sentences(passage, scorer.ends)]
    assertions = [quote for quote in spoken if asserts_something(quote.text, day)]
    if not assertions:
        return ()
    texts, asked = [quote.text for quote in assertions], scorer.parse(question, of_video=True)
    scores = score_check_worthiness(texts, scorer.embedder).scores
    bearing = [1.0] * len(texts) if asked.whole else scorer.scores(asked, texts)
    least = BEARS * max(bearing)
    order = sorted(range(len(assertions)), key=lambda place: -bearing[place])
    worthy = [place for place in order if scores[place] >= WORTH_A_CHECK and bearing[place] >= least][:MAX_STATEMENTS]
    return tuple(
        Statement(assertions[place].start_s, assertions[place].start_s, texts[place]) for place in sorted(worthy or order[:1])
    )


def _passages_at(passages: Sequence[TranscriptPassage], moments: Sequence[float]) -> tuple[TranscriptPassage, ...]:
    return tuple(
        passage
        for passage in passages
        if any(int(passage.start_s) <= moment <= max(passage.start_s, passage.end_s) for moment in moments)
    )
