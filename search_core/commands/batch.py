"""``batch STAGE``: one stage over JSON lines, stdin to stdout.

Unknown fields are ignored; a line that cannot be used yields ``{"id": …, "error": …}`` and the run goes on. ``id`` in an
error is null when the line could not be read at all.
"""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from search_core.answering import FallbackDetector
from search_core.claims import find_in, score_check_worthiness
from search_core.commands.batch_rows import Row, memory_of, page_of, result_of, rows_of, text_of, video_of
from search_core.domain import SearchResult, Stance, Statement, VideoContext
from search_core.entities import find_entities
from search_core.errors import MaekrakError, PageReadError
from search_core.intent import QueryIntentAnalyzer
from search_core.json_line import as_line, id_of, number_in, read_line, read_lines, text_in
from search_core.presenting import ResultFormatter
from search_core.provider_kit import payload
from search_core.query import QueryConstructor
from search_core.reading.extraction import PageExtractor
from search_core.relevance import EmbedderHost, KiwiEmbedder, RelevanceFilter, rank_candidates
from search_core.settings import Settings
from search_core.stance import compare
from search_core.storage import VectorCache
from search_core.wiring import build_embedders

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


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    parser = commands.add_parser("batch", help="run one stage over JSON lines, stdin to stdout")
    parser.add_argument("stage", choices=sorted(STAGES))
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Answer every line; 0 even when some lines could not be used, for each says so itself."""
    stage = STAGES[args.stage](settings)
    for line in read_lines(sys.stdin) if sys.stdin else ():  # None when the caller has closed it
        if line.strip():
            print(answer(stage, line), flush=True)
    return 0


def answer(stage: Stage, line: str) -> str:
    """Return what *stage* makes of one JSON *line*, or its error, as one JSON line."""
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

    def stage(row: Row) -> dict[str, Any]:
        query, video, memory = text_of(row, "query"), video_of(row), memory_of(row)
        intent = analyzer.analyze_intent(query, video, memory)
        constructed = constructor.construct_query(intent, video, memory)
        return {
            "intent_type": intent.intent_type.value,
            "confidence": round(intent.confidence, 4),
            "search_terms": list(intent.search_terms),
            "requires_context": intent.requires_context,
            "query": constructed.text,
            "parts": [{"text": part.text, "origin": part.origin.value} for part in constructed.parts],
            "fallback_queries": list(constructed.fallback_queries),
        }

    return stage


def _entities_stage(_settings: Settings) -> Stage:
    def stage(row: Row) -> dict[str, Any]:
        found = find_entities(text_of(row, "text"))
        return {"entities": [{"text": e.text, "kind": e.kind.value, "start": e.start, "end": e.end} for e in found]}

    return stage


def _extract_stage(_settings: Settings) -> Stage:
    extractor = PageExtractor(workers=1)

    def stage(row: Row) -> dict[str, Any]:
        data, content_type = page_of(row)
        try:
            page = extractor.extract(data, text_in(row.get("url")), content_type)
        except PageReadError as error:
            return {"title": "", "text": "", "published": None, "method": "", "error": str(error)}
        published = page.published.isoformat() if page.published else None
        return {"title": page.title, "text": page.text, "published": published, "method": page.method, "error": None}

    return stage


def _rank_stage(settings: Settings) -> Stage:
    """Return what ranks as the app does, by the scorer that the settings name."""
    now = datetime.now(UTC)
    embedders = _ready_embedders(settings)
    embedded = KiwiEmbedder()

    def stage(row: Row) -> dict[str, Any]:
        query = row.get("query")
        results = [(candidate.get("id"), result_of(candidate, now)) for candidate in rows_of(row, "results")]
        video, asked = video_of(row), query if isinstance(query, str) else ""
        for embedder in (embedders.current(), embedded):
            ranked = rank_candidates(RelevanceFilter(embedder, now=lambda: now), asked, video, results)
            if all(entry["relevance_score"] is not None for entry in ranked):
                break  # a model that does not answer leaves all unscored
        return {"ranked": ranked, "scorer": embedder.name}

    return stage


def _claims_stage(settings: Settings) -> Stage:
    """Return what finds claims as the app does before a language model has a say."""
    embedders = _ready_embedders(settings)

    def stage(row: Row) -> dict[str, Any]:
        said, video = rows_of(row, "sentences"), video_of(row)
        texts = [text_of(sentence, "text") for sentence in said]
        worth = score_check_worthiness(
            texts, embedders.current(), speakers=[text_in(sentence.get("speaker")) for sentence in said]
        )
        found = [
            {
                "sentence": claim[0].sentence,
                "text": claim[0].text,
                "quote": texts[claim[0].sentence],
                "start_s": number_in(said[claim[0].sentence].get("start_s")),
                "score": round(claim[0].score, 4),
            }
            for claim in find_in(texts, worth, video)
        ]
        return {"scores": [round(score, 4) for score in worth.scores], "claims": found}

    return stage


def _ready_embedders(settings: Settings) -> EmbedderHost:
    """Return what embeds as *settings* say; whoever runs a batch rather waits for the model."""
    embedders = build_embedders(settings, VectorCache(settings.maekrak_data_dir / "vectors"))
    embedders.start()
    embedders.wait(_MODEL_WAIT_S)
    state = embedders.state()
    if not state.as_chosen:
        print(f"{state.label}: {state.detail}", file=sys.stderr)
    return embedders


def _format_stage(_settings: Settings) -> Stage:
    formatter = ResultFormatter(now=datetime.now(UTC))

    def stage(row: Row) -> dict[str, Any]:
        results = [result_of(result, formatter.now) for result in rows_of(row, "results")]
        return {"text": formatter.format_korean_response(results, query=text_in(row.get("query")))}

    return stage


def _fallback_stage(settings: Settings) -> Stage:
    detector = FallbackDetector(_ready_embedders(settings).current)

    def stage(row: Row) -> dict[str, Any]:
        question = row.get("question")
        decision = detector.detect(text_of(row, "answer"), question if isinstance(question, str) else None)
        return {"triggered": decision.triggered, "reason": decision.reason.value}

    return stage


def _stance_stage(settings: Settings) -> Stage:
    now = datetime.now(UTC)
    embedders = _ready_embedders(settings)

    def stage(row: Row) -> dict[str, Any]:
        said = Statement(0.0, 0.0, text_of(row, "said"))
        days = [payload.date(row.get(key), now) for key in ("said_at", "found_at")]
        said_at, found_at = days if any(days) else (now, now)  # two sentences without days are of one time
        video = VideoContext(published_at=said_at)
        found = SearchResult(title="", url="", snippet=text_of(row, "found"), source="", publish_date=found_at)
        nearness = RelevanceFilter(embedders.current()).similarities
        rows = compare([said], [found], video, now, nearness=nearness, entails=embedders.entailment.judge_or_none).rows
        if not rows:
            return {"stance": "unverifiable", "reason": "서로 다른 것을 말하고 있어요.", "judge": None, "probability": None}
        return {
            "stance": _STANCE_NAMES[rows[0].stance],
            "reason": rows[0].why,
            "judge": rows[0].judge.value,
            "probability": rows[0].probability,
        }

    return stage


STAGES: dict[str, Callable[[Settings], Stage]] = {
    "extract": _extract_stage,
    "intent": _intent_stage,
    "entities": _entities_stage,
    "rank": _rank_stage,
    "claims": _claims_stage,
    "format": _format_stage,
    "fallback": _fallback_stage,
    "stance": _stance_stage,
}
