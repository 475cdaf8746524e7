"""``batch STAGE``: one stage over JSON lines, stdin to stdout.

Unknown fields are ignored; a line that cannot be used yields ``{"id": …, "error": …}`` and the run goes on. ``id`` in an
error is null when the line could not be read at all.
"""

from __future__ import annotations

import argparse
import logging
import math
import re
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

from search_core.answers import FallbackDetector
from search_core.answers.check_worthiness import score_check_worthiness
from search_core.checking.claims.finder import find_groups
from search_core.checking.verdicts.compare import judge_sources
from search_core.domain.plain_json import fields_json, plain_json
from search_core.domain.query import ConversationMemory
from search_core.domain.report import Question
from search_core.domain.result import SearchResult
from search_core.domain.stance import Stance, Statement
from search_core.domain.video import VideoContext
from search_core.errors import InputError, MaekrakError, PageReadError, check_moment
from search_core.language.entities import find_entities
from search_core.language.json_line import as_line, id_of, number_in, read_line, read_lines, text_in
from search_core.models.embedding import EmbedderHost, KiwiEmbedder
from search_core.providers.kit import payload
from search_core.reading.fetch import MAX_PAGE_BYTES
from search_core.reading.page_reader import PageExtractor
from search_core.search.presenting import ResultFormatter
from search_core.search.ranking import RelevanceFilter, rank_candidates
from search_core.search.understanding import QueryConstructor, QueryIntentAnalyzer
from search_core.search.understanding.context import video_subject_at
from search_core.settings import Settings
from search_core.storage import VectorCache

Row = Mapping[str, Any]
_WHITE_SPACE = re.compile(r"\s")
"""Has no place in an address, and a line break there would start a line of its own in the list."""


def text_of(row: Row, key: str) -> str:
    """Return the text under *key*; raises InputError when there is none."""
    value = row.get(key)
    if not isinstance(value, str):
        raise InputError(f"'{key}' must be a text.", korean=f"'{key}'에 글을 넣어 주세요.")
    return value


def page_of(row: Row) -> tuple[bytes, str]:
    """Return the bytes and the content type of the page in *row*; raises InputError without a page."""
    if isinstance(row.get("html"), str):
        return row["html"].encode("utf-8", "replace"), "text/html; charset=utf-8"
    path = row.get("path")
    if not isinstance(path, str) or not path:
        raise InputError("'html' or 'path' must be a text.", korean="'html'이나 'path'에 페이지를 넣어 주세요.")
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_PAGE_BYTES + 1)
    except (OSError, ValueError) as error:
        raise InputError(f"The file cannot be read: {error}", korean="파일을 읽지 못했어요. 경로를 확인해 주세요.") from None
    if len(data) > MAX_PAGE_BYTES:
        raise InputError("The page is too large.", korean="페이지가 너무 커요.")
    return data, ""


def rows_of(row: Row, key: str) -> list[Row]:
    """Return the list of objects under *key*; raises InputError when there is none."""
    value = row.get(key)
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise InputError(f"'{key}' must be a list of objects.", korean=f"'{key}'에 결과 목록을 넣어 주세요.")
    return cast("list[Row]", value)


def video_of(row: Row) -> VideoContext | None:
    """Return the video in *row*, or None; raises InputError or VideoReadError if it cannot be read."""
    value = row.get("video")
    if value is None:
        return None
    if not isinstance(value, dict):
        raise InputError("'video' must be an object.", korean="'video'에 영상 정보를 객체로 넣어 주세요.")
    return VideoContext.from_mapping(value)


def moment_of(row: Row) -> float | None:
    """Return the moment in *row* in seconds, or None; raises QuestionError for an invalid one."""
    value = row.get("moment_s")
    moment_s = None if value is None else number_in(value)
    check_moment(math.nan if moment_s is None and value is not None else moment_s)
    return moment_s


def memory_of(row: Row) -> ConversationMemory:
    """Return the earlier turns in *row*; raises InputError if they are no list."""
    value = row.get("history") or []
    if not isinstance(value, list):
        raise InputError("'history' must be a list of texts.", korean="'history'에 이전 질문 목록을 넣어 주세요.")
    return ConversationMemory.from_questions(_turn(item) for item in value)


def _turn(item: object) -> str:
    if isinstance(item, dict):
        item = next((item[key] for key in ("question", "query", "content", "text") if isinstance(item.get(key), str)), "")
    return item if isinstance(item, str) else ""


def result_of(row: Row, now: datetime) -> SearchResult:
    """Return *row* as a search result; dates like "어제" are relative to *now*."""
    return SearchResult(
        title=text_in(row.get("title")),
        url=_WHITE_SPACE.sub(lambda match: quote(match[0]), text_in(row.get("url")).strip()),
        snippet=text_in(row.get("snippet")) or text_in(row.get("content")),
        source=text_in(row.get("source")),
        publish_date=payload.date(row.get("published") or row.get("publish_date"), now),
        relevance_score=number_in(row.get("relevance_score")),
        language=text_in(row.get("language")),
        providers=_names(row.get("providers")),
    )


def _names(value: object) -> tuple[str, ...]:
    names = value if isinstance(value, list) else [value]
    return tuple(name for name in map(text_in, names) if name)


logger = logging.getLogger(__name__)
Stage = Callable[[Row], dict[str, Any]]
_STANCE_NAMES = {
    Stance.AGREE: "agrees",
    Stance.ADDS: "adds",
    Stance.CONTRADICTS: "contradicts",
    Stance.CHANGED: "changed_since",
    Stance.CANNOT_TELL: "unverifiable",
}
_MODEL_WAIT_S = 60.0


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Answer every line; return 0 even if some are invalid, as their answers say so."""
    stage = STAGES[args.stage](settings)
    for line in read_lines(sys.stdin) if sys.stdin else ():  # None when the caller has closed it
        if line.strip():
            print(answer(stage, line), flush=True)
    return 0


def answer(stage: Stage, line: str) -> str:
    """Return the result of *stage* for one JSON *line*, or its error, as one JSON line."""
    row_id: Any = None
    try:
        row = read_line(line)
        row_id = id_of(row)
        return as_line({"id": row_id, **stage(row)})
    except MaekrakError as error:
        return as_line({"id": row_id, "error": str(error)})
    except Exception as error:  # one bad line must not end the run; its failure is its answer
        logger.exception("A line failed unexpectedly")
        return as_line({"id": row_id, "error": f"Unexpected {type(error).__name__}: {error}"})


def _intent_stage(_settings: Settings) -> Stage:
    analyzer, constructor = QueryIntentAnalyzer(), QueryConstructor()

    def stage(row: Row) -> dict[str, object]:
        question = Question(text=text_of(row, "query"), video=video_of(row), memory=memory_of(row), moment_s=moment_of(row))
        intent = analyzer.analyze_intent(question.text, question.video, question.memory, moment_s=question.moment_s)
        constructed = constructor.query_for(intent, question.video, question.memory)
        return {
            "intent_type": intent.intent_type,
            "confidence": round(intent.confidence, 4),
            "search_terms": intent.search_terms,
            "requires_context": intent.requires_context,
            "query": constructed.text,
            "parts": plain_json(constructed.parts),
            "references": [{"text": entry.reference, "meaning": entry.meaning} for entry in constructed.referents],
            "also": [entry.text for entry in constructed.also],
            "fallback_queries": constructed.fallback_queries,
        }

    return stage


def _subject_stage(_settings: Settings) -> Stage:
    def stage(row: Row) -> dict[str, object]:
        video = video_of(row)
        if video is None:
            raise InputError("'video' must be an object.", korean="'video'에 영상 정보를 객체로 넣어 주세요.")
        names = fields_json(video, "speakers", "organizations", "events", "key_terms")
        return {"subject": video_subject_at(video, moment_of(row)), **names}

    return stage


def _entities_stage(_settings: Settings) -> Stage:
    def stage(row: Row) -> dict[str, object]:
        return {"entities": find_entities(text_of(row, "text"))}

    return stage


def _extract_stage(_settings: Settings) -> Stage:
    extractor = PageExtractor(workers=1)

    def stage(row: Row) -> dict[str, object]:
        data, content_type = page_of(row)
        try:
            page = extractor.extract(data, text_in(row.get("url")), content_type)
        except PageReadError as error:
            return {"title": "", "text": "", "published": None, "method": "", "error": str(error)}
        return {**fields_json(page, "title", "text", "published", "method"), "error": None}

    return stage


def _rank_stage(settings: Settings) -> Stage:
    """Return a stage that ranks results as the app does, by the scorer in the settings."""
    now = datetime.now(UTC)
    embedders = _ready_embedders(settings)
    embedded = KiwiEmbedder()

    def stage(row: Row) -> dict[str, object]:
        query = row.get("query")
        results = [(candidate.get("id"), result_of(candidate, now)) for candidate in rows_of(row, "results")]
        question = Question(text=query if isinstance(query, str) else "", video=video_of(row), moment_s=moment_of(row))
        for embedder in (embedders.current(), embedded):
            ranked = rank_candidates(RelevanceFilter(embedder, now=lambda: now), question.text, question.video, results)
            if all(entry["relevance_score"] is not None for entry in ranked):
                break  # a model that does not answer leaves all unscored
        return {"ranked": ranked, "scorer": embedder.name}

    return stage


def _claims_stage(settings: Settings) -> Stage:
    """Return a stage that finds claims as the app does."""
    embedders = _ready_embedders(settings)

    def stage(row: Row) -> dict[str, object]:
        sentences, video = rows_of(row, "sentences"), video_of(row)
        texts = [text_of(sentence, "text") for sentence in sentences]
        worthiness = score_check_worthiness(texts, embedders.current())
        claims = [
            {
                "sentence": claim[0].sentence,
                "text": claim[0].text,
                "quote": texts[claim[0].sentence],
                "start_s": number_in(sentences[claim[0].sentence].get("start_s")),
                "score": round(claim[0].score, 4),
            }
            for claim in find_groups(texts, worthiness, video)[0]
        ]
        return {"scores": [round(score, 4) for score in worthiness.scores], "claims": claims}

    return stage


def _ready_embedders(settings: Settings) -> EmbedderHost:
    """Return the embedders of *settings*, waiting for the model: a batch prefers waiting to weaker scores."""
    vectors = VectorCache(settings.maekrak_data_dir / "vectors")
    embedders = EmbedderHost(model=settings.embedding_model, entailment=settings.entailment_model, vectors=vectors)
    embedders.start()
    embedders.wait(_MODEL_WAIT_S)
    state = embedders.state()
    if not state.as_chosen:
        print(f"{state.label}: {state.detail}", file=sys.stderr)
    return embedders


def _format_stage(_settings: Settings) -> Stage:
    formatter = ResultFormatter(now=datetime.now(UTC))

    def stage(row: Row) -> dict[str, object]:
        results = [result_of(result, formatter.now) for result in rows_of(row, "results")]
        return {"text": formatter.format_korean_response(results, query=text_in(row.get("query")))}

    return stage


def _fallback_stage(settings: Settings) -> Stage:
    detector = FallbackDetector(_ready_embedders(settings).current)

    def stage(row: Row) -> dict[str, object]:
        question = row.get("question")
        decision = detector.detect(text_of(row, "answer"), question if isinstance(question, str) else None)
        return {"triggered": decision.triggered, "reason": decision.reason}

    return stage


def _stance_stage(settings: Settings) -> Stage:
    now = datetime.now(UTC)
    embedders = _ready_embedders(settings)

    def stage(row: Row) -> dict[str, object]:
        statement = Statement(0.0, 0.0, text_of(row, "said"))
        days = [payload.date(row.get(key), now) for key in ("said_at", "found_at")]
        said_at, found_at = days if any(days) else (now, now)  # two sentences without days are of one time
        video = VideoContext(published_at=said_at)
        source = SearchResult(title="", url="", snippet=text_of(row, "found"), source="", publish_date=found_at)
        rows = judge_sources([statement], [source], video, now, entails=embedders.entailment.judge_or_none).rows
        if not rows:
            return {"stance": "unverifiable", "reason": "서로 다른 것을 말하고 있어요.", "judge": None, "probability": None}
        return {
            "stance": _STANCE_NAMES[rows[0].stance],
            "reason": rows[0].why,
            "judge": rows[0].judge,
            "probability": rows[0].probability,
        }

    return stage


STAGES: dict[str, Callable[[Settings], Stage]] = {
    "extract": _extract_stage,
    "intent": _intent_stage,
    "subject": _subject_stage,
    "entities": _entities_stage,
    "rank": _rank_stage,
    "claims": _claims_stage,
    "format": _format_stage,
    "fallback": _fallback_stage,
    "stance": _stance_stage,
}
