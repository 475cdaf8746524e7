"""A report without a model: for each part of the plan the most relevant sentences of its sources, word for word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from search_core import korean
from search_core.answering.citations import strip_citations
from search_core.answering.passages import BEARS_ON
from search_core.answering.question_scorer import ParsedQuestion, QuestionScorer
from search_core.answering.quotes import MAX_QUOTE_CHARS, best_sentence
from search_core.domain import ResearchSource, SearchResult, Subtask
from search_core.presenting import foreign_language, korean_date
from search_core.presenting.dates import aware
from search_core.research.evidence import Evidence
from search_core.sentences import sentences_of, shorten

MAX_SOURCES_OF_PART = 8
MAX_QUOTES_OF_PART = 4
MAX_SENTENCES = 200
CANDIDATES = 5
"""Sentences of one source that are scored: those that share most words with the part."""
MAX_FOREIGN_CHARS = 4000
"""The beginning of a foreign page in which its sentence is looked for; each sentence has to be embedded."""

SUMMARY_HEADING = "## 요약"
OWN_HEADING = "## 내 자료에서"
_OWN_QUOTED = "언어 모델에 보내지 않은 내 자료에서 질문과 관련된 문장을 그대로 옮겼어요. 웹에서 찾은 것이 아니에요."
_QUOTED = "언어 모델이 쓴 글이 아니라, 찾은 자료에서 질문과 관련된 문장을 그대로 옮긴 발췌예요."
_NOTHING_QUOTED = "찾은 자료에서 질문과 바로 이어지는 문장을 찾지 못해서, 옮긴 문장이 없어요."
_NOTHING_FOUND = "이 부분은 찾은 자료가 없어요."
_NOTHING_NEAR = "이 부분과 바로 이어지는 문장을 찾지 못했어요. 관련 자료를 직접 살펴봐 주세요"


class _Line(NamedTuple):
    """One quoted sentence."""

    number: int
    text: str
    score: float


def heading(subtask: Subtask) -> str:
    """Return the heading under which a report answers *subtask*."""
    return f"## {strip_citations(subtask.text)}"


def write_extract(evidence: Evidence, scorer: QuestionScorer, parts: Sequence[Subtask], *, summary: bool = True) -> str:
    """Return the report on *parts* in sentences of the sources, with its *summary* first.

    Raises EmbeddingError when texts cannot be embedded, not even by the embedded embedder.
    """
    used: set[str] = set()
    sections: list[tuple[str, list[_Line], str]] = []
    for part in parts:
        lines, otherwise = _section(evidence, scorer, part, used, evidence.material.of_part(part.number))
        sections.append((heading(part), lines, otherwise))
    written = [_summary(sections)] if summary else []
    written += [
        "\n".join((title, "", *(line.text for line in lines), *filter(None, (otherwise,))))
        for title, lines, otherwise in sections
    ]
    return "\n\n".join(written)


def quote_own_documents(evidence: Evidence, scorer: QuestionScorer) -> str:
    """Return a section of what own documents say to the plan, in their sentences.

    Raises EmbeddingError as ``write_extract`` does.
    """
    used: set[str] = set()
    own = evidence.material.own
    sections = [
        _section(evidence, scorer, part, used, sources)
        for part in evidence.material.plan
        if (sources := [source for source in own if part.number in source.subtasks])
    ]
    lines = [line.text for found, _ in sections for line in found]
    return "\n".join((OWN_HEADING, "", _OWN_QUOTED, "", *(lines or [_nothing_near(own)])))


def _summary(sections: Sequence[tuple[str, list[_Line], str]]) -> str:
    """Return the summary: of each part its most relevant sentence."""
    best = [max(lines, key=lambda line: (line.score, -line.number)).text for _, lines, _ in sections if lines]
    return "\n".join((SUMMARY_HEADING, "", _QUOTED, "", *best) if best else (SUMMARY_HEADING, "", _NOTHING_QUOTED))


def _section(
    evidence: Evidence, scorer: QuestionScorer, part: Subtask, used: set[str], found: Sequence[ResearchSource]
) -> tuple[list[_Line], str]:
    """Return the quotations for *part* from what was *found* for it, and what to say where there are none."""
    sources = found[:MAX_SOURCES_OF_PART]
    if not sources:
        return [], _NOTHING_FOUND
    asked = scorer.parse(evidence.material.request.about(part.text))
    quoted = [source for source in sources if not _is_foreign(source, evidence)]
    lines = [*_quotes(evidence, scorer, asked, quoted, used), *_foreign_quotes(evidence, scorer, asked, sources, used)]
    best = sorted(lines, key=lambda line: -line.score)[:MAX_QUOTES_OF_PART]
    used.update(line.text for line in best)
    if best:
        return sorted(best, key=lambda line: line.number), ""
    return [], _nothing_near(sources)


def _nothing_near(sources: Sequence[ResearchSource]) -> str:
    return f"{_NOTHING_NEAR} {''.join(f'[{source.number}]' for source in sources)}."


def _quotes(
    evidence: Evidence, scorer: QuestionScorer, asked: ParsedQuestion, sources: Sequence[ResearchSource], used: set[str]
) -> list[_Line]:
    """Return the best sentence of each source that is relevant to what is *asked*."""
    said = [(source, sentence) for source in sources for sentence in _candidates(evidence.texts[source.number], asked)]
    if not said:
        return []
    scores = scorer.scores(asked, [sentence for _, sentence in said])
    best: dict[int, _Line] = {}
    for (source, sentence), score in zip(said, scores, strict=True):
        line = _Line(source.number, _quotation(sentence, source, evidence), score)
        if score >= BEARS_ON and line.text not in used and score > best.get(source.number, (0, "", -1.0))[2]:
            best[source.number] = line
    return list(best.values())


def _candidates(text: str, asked: ParsedQuestion) -> list[str]:
    sentences = [
        line for sentence in sentences_of(text, MAX_SENTENCES) if (line := shorten(strip_citations(sentence), MAX_QUOTE_CHARS))
    ]
    wanted = frozenset(korean.terms(asked.text))
    shared = [len(wanted.intersection(terms)) for terms in korean.terms_of(sentences)]
    return [sentences[index] for index in sorted(range(len(sentences)), key=lambda index: (-shared[index], index))[:CANDIDATES]]


def _foreign_quotes(
    evidence: Evidence, scorer: QuestionScorer, asked: ParsedQuestion, sources: Sequence[ResearchSource], used: set[str]
) -> list[_Line]:
    """Return of each foreign source its sentence nearest to what is *asked*, in its language."""
    found = []
    for source in sources:
        if _is_foreign(source, evidence):
            quote = strip_citations(best_sentence(asked, evidence.texts[source.number][:MAX_FOREIGN_CHARS], scorer))
            found.append(_Line(source.number, _quotation(quote, source, evidence), source.relevance_score or 0.0))
    return [line for line in found if line.text not in used and line.score >= BEARS_ON]


def _quotation(quote: str, source: ResearchSource, evidence: Evidence) -> str:
    return f"- “{quote}” ({_origin(source, evidence)}) [{source.number}]"


def _is_foreign(source: ResearchSource, evidence: Evidence) -> bool:
    text = evidence.texts[source.number]
    foreign = foreign_language(SearchResult(title=source.title, url=source.url, snippet=text, source=source.domain))
    return bool(foreign) and korean.has_hangul(evidence.material.request.question)


def _origin(source: ResearchSource, evidence: Evidence) -> str:
    """Return where a quotation is from and when it was written, and whether that was after the video."""
    said = [
        *([strip_citations(source.title)] if source.own and source.title != source.domain else []),
        strip_citations(source.domain) or strip_citations(source.title),
        korean_date(source.publish_date) if source.publish_date else "날짜 모름",
    ]
    video = evidence.material.request.video
    if (
        source.publish_date
        and video is not None
        and video.published_at
        and aware(source.publish_date) > aware(video.published_at)
    ):
        said.append("영상 이후")
    return ", ".join(said)
