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
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from search_core.answers.check_worthiness import score_check_worthiness
from search_core.answers.fallback_detector import FallbackDetector
from search_core.checking.claims.finder import closed, find_groups
from search_core.checking.verdicts.compare import judge_sources
from search_core.domain.plain_json import fields_json, plain_json
from search_core.domain.query import ConversationMemory
from search_core.domain.result import SearchResult
from search_core.domain.stance import Stance, Statement
from search_core.domain.video import VideoContext
from search_core.errors import InputError, MaekrakError, PageReadError, check_moment
from search_core.language.entities import find_entities
from search_core.language.json_line import as_line, id_of, number_in, read_line, read_lines, text_in
from search_core.models.embedding.embedder import KiwiEmbedder
from search_core.models.embedding.host import EmbedderHost
from search_core.providers.kit import payload
from search_core.reading.fetch import MAX_PAGE_BYTES
from search_core.reading.page_reader import PageExtractor
from search_core.search.presenting.formatter import ResultFormatter
from search_core.search.ranking.filter import RelevanceFilter, rank_candidates
from search_core.search.understanding.constructor import QueryConstructor
from search_core.search.understanding.context import video_subject_at
from search_core.search.understanding.question import QueryIntentAnalyzer
from search_core.settings import Settings
from search_core.storage.cache_file import VectorCache

Row = Mapping[str, Any]
T = TypeVar("T")
logger = logging.getLogger(__name__)

_WHITE_SPACE = re.compile(r"\s")
"""White space, which addresses must not have; a line break would break the printed list."""
_KINDS: Mapping[type, tuple[str, str]] = {str: ("a text", "글을"), list: ("a list", "목록을"), dict: ("an object", "객체를")}
_STANCE_NAMES = {
    Stance.AGREE: "agrees",
    Stance.ADDS: "adds",
    Stance.CONTRADICTS: "contradicts",
    Stance.CHANGED: "changed_since",
    Stance.CANNOT_TELL: "unverifiable",
}
_MODEL_WAIT_S = 60.0


def field_of(row: Row, key: str, kind: type[T]) -> T:
    """Return the value under *key*; raises InputError if it is not of that *kind*."""
    value = row.get(key)
    if not isinstance(value, kind):
        wanted, korean = _KINDS[kind]
        raise InputError(f"'{key}' must be {wanted}.", korean=f"'{key}'에 {korean} 넣어 주세요.")
    return value


def rows_of(row: Row, key: str) -> list[Row]:
    """Return the list of objects under *key*; raises InputError when there is none."""
    return [field_of({f"{key}[{place}]": item}, f"{key}[{place}]", dict) for place, item in enumerate(field_of(row, key, list))]


def video_of(row: Row) -> VideoContext | None:
    """Return the video in *row*, or None; raises InputError or VideoReadError if it cannot be read."""
    return None if row.get("video") is None else VideoContext.from_mapping(field_of(row, "video", dict))


def moment_of(row: Row) -> float | None:
    """Return the moment in *row* in seconds, or None; raises QuestionError for an invalid one."""
    value = row.get("moment_s")
    moment_s = None if value is None else number_in(value)
    check_moment(math.nan if moment_s is None and value is not None else moment_s)
    return moment_s


def memory_of(row: Row) -> ConversationMemory:
    """Return the earlier turns in *row*; raises InputError if they are no list."""
    return ConversationMemory.from_questions(map(_turn, field_of(row, "history", list) if row.get("history") else ()))


def _turn(item: object) -> str:
    if isinstance(item, dict):
        item = next((item[key] for key in ("question", "query", "content", "text") if isinstance(item.get(key), str)), "")
    return item if isinstance(item, str) else ""


def result_of(row: Row, now: datetime) -> SearchResult:
    """Return *row* as a search result; dates like "어제" are relative to *now*."""
    providers = row.get("providers")
    return SearchResult(
        title=text_in(row.get("title")),
        url=_WHITE_SPACE.sub(lambda match: quote(match[0]), text_in(row.get("url")).strip()),
        snippet=text_in(row.get("snippet")) or text_in(row.get("content")),
        source=text_in(row.get("source")),
        publish_date=payload.date(row.get("published") or row.get("publish_date"), now),
        relevance_score=number_in(row.get("relevance_score")),
        language=text_in(row.get("language")),
        providers=tuple(filter(None, map(text_in, providers if isinstance(providers, list) else [providers]))),
    )


class Batch:
    """Holds what the lines of one run share; the model and the reader of pages are started by the first line that needs them."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.now = datetime.now(UTC)

    @cached_property
    def extractor(self) -> PageExtractor:
        """Return the reader of pages."""
        return PageExtractor(workers=1)

    @cached_property
    def embedders(self) -> EmbedderHost:
        """Return the embedders of the settings, once the model has loaded, so that no line is scored by words only."""
        vectors = VectorCache(self._settings.maekrak_data_dir / "vectors")
        model, entailment = self._settings.embedding_model, self._settings.entailment_model
        embedders = EmbedderHost(model=model, entailment=entailment, vectors=vectors)
        state = embedders.state(wait_s=_MODEL_WAIT_S)
        if not state.as_chosen:
            print(f"{state.label}: {state.detail}", file=sys.stderr)
        return embedders


Stage = Callable[[Batch, Row], dict[str, Any]]


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Answer every line; return 0 even if some are invalid, as their answers say so."""
    batch = Batch(settings)
    for line in read_lines(sys.stdin) if sys.stdin else ():  # None when the caller has closed it
        if line.strip():
            print(answer(STAGES[args.stage], batch, line), flush=True)
    return 0


def answer(stage: Stage, batch: Batch, line: str) -> str:
    """Return the result of *stage* for one JSON *line*, or its error, as one JSON line."""
    row_id: Any = None
    try:
        row = read_line(line)
        row_id = id_of(row)
        return as_line({"id": row_id, **stage(batch, row)})
    except MaekrakError as error:
        return as_line({"id": row_id, "error": str(error)})
    except Exception as error:  # one bad line must not end the run; its failure is its answer
        logger.exception("A line failed unexpectedly")
        return as_line({"id": row_id, "error": f"Unexpected {type(error).__name__}: {error}"})


def _intent(_: Batch, row: Row) -> dict[str, Any]:
    question, video, memory = field_of(row, "query", str), video_of(row), memory_of(row)
    intent = QueryIntentAnalyzer().analyze_intent(question, video, memory, moment_s=moment_of(row))
    constructed = QueryConstructor().query_for(intent, video, memory)
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


def _subject(_: Batch, row: Row) -> dict[str, Any]:
    video = VideoContext.from_mapping(field_of(row, "video", dict))
    names = fields_json(video, "speakers", "organizations", "events", "key_terms")
    return {"subject": video_subject_at(video, moment_of(row)), **names}


def _extract(batch: Batch, row: Row) -> dict[str, Any]:
    html = row.get("html")
    if isinstance(html, str):
        data, content_type = html.encode("utf-8", "replace"), "text/html; charset=utf-8"
    else:
        data, content_type = _read_file(row.get("path")), ""
    try:
        page = batch.extractor.extract(data, text_in(row.get("url")), content_type)
    except PageReadError as error:
        return {"title": "", "text": "", "published": None, "method": "", "error": str(error)}
    return {**fields_json(page, "title", "text", "published", "method"), "error": None}


def _read_file(path: object) -> bytes:
    if not isinstance(path, str) or not path:
        raise InputError("'html' or 'path' must be a text.", korean="'html'이나 'path'에 페이지를 넣어 주세요.")
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_PAGE_BYTES + 1)
    except (OSError, ValueError) as error:
        raise InputError(f"The file cannot be read: {error}", korean="파일을 읽지 못했어요. 경로를 확인해 주세요.") from None
    if len(data) > MAX_PAGE_BYTES:
        raise InputError("The page is too large.", korean="페이지가 너무 커요.")
    return data


def _rank(batch: Batch, row: Row) -> dict[str, Any]:
    """Rank results as the app does, by the scorer in the settings."""
    query, video = text_in(row.get("query")), video_of(row)
    results = [(candidate.get("id"), result_of(candidate, batch.now)) for candidate in rows_of(row, "results")]
    moment_of(row)  # a candidate's own moment is found in the video; one of the question has only to be valid
    for embedder in (batch.embedders.current(), KiwiEmbedder()):
        relevance = RelevanceFilter(embedder, now=lambda: batch.now)
        ranked = rank_candidates(relevance, query, video, results)
        if all(entry["relevance_score"] is not None for entry in ranked):
            break  # a model that does not answer leaves all unscored
    return {"ranked": ranked, "scorer": embedder.name}


def _claims(batch: Batch, row: Row) -> dict[str, Any]:
    sentences, video = rows_of(row, "sentences"), video_of(row)
    texts = [field_of(sentence, "text", str) for sentence in sentences]
    said = [closed(text) for text in texts]
    worthiness = score_check_worthiness(said, batch.embedders.current())
    claims = [
        {
            "sentence": claim.sentence,
            "text": claim.text,
            "quote": texts[claim.sentence],
            "start_s": number_in(sentences[claim.sentence].get("start_s")),
            "score": round(claim.score, 4),
        }
        for claim, *_ in find_groups(said, worthiness, video)[0]
    ]
    return {"scores": [round(score, 4) for score in worthiness.scores], "claims": claims}


def _format(batch: Batch, row: Row) -> dict[str, Any]:
    results = [result_of(result, batch.now) for result in rows_of(row, "results")]
    return {"text": ResultFormatter(now=batch.now).format_korean_response(results, query=text_in(row.get("query")))}


def _fallback(batch: Batch, row: Row) -> dict[str, Any]:
    question = row.get("question")
    detector = FallbackDetector(batch.embedders.current)
    decision = detector.detect(field_of(row, "answer", str), question if isinstance(question, str) else None)
    return {"triggered": decision.triggered, "reason": decision.reason}


def _stance(batch: Batch, row: Row) -> dict[str, Any]:
    statement = Statement(0.0, field_of(row, "said", str))
    days = [payload.date(row.get(key), batch.now) for key in ("said_at", "found_at")]
    said_at, found_at = days if any(days) else (batch.now, batch.now)  # two sentences without days are of one time
    source = SearchResult(title="", url="", snippet=field_of(row, "found", str), source="", publish_date=found_at)
    entails = batch.embedders.entailment.judge_or_none
    rows = judge_sources([statement], [source], VideoContext(published_at=said_at), batch.now, entails=entails).rows
    if not rows:
        return {"stance": "unverifiable", "reason": "서로 다른 것을 말하고 있어요.", "judge": None, "probability": None}
    judged = rows[0]
    stance = _STANCE_NAMES[judged.stance]
    return {"stance": stance, "reason": judged.why, "judge": judged.judge, "probability": judged.probability}


STAGES: dict[str, Stage] = {
    "extract": _extract,
    "intent": _intent,
    "subject": _subject,
    "entities": lambda _, row: {"entities": find_entities(field_of(row, "text", str))},
    "rank": _rank,
    "claims": _claims,
    "format": _format,
    "fallback": _fallback,
    "stance": _stance,
}
