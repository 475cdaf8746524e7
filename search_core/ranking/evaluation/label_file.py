"""Labelled searches as JSON lines, and labels and orders in the forms that trec_eval reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from search_core.domain import Label, RankingOptions, ScoreParts, SearchResult, VideoContext
from search_core.domain.text_limits import LABEL_SEARCH_ID, QUESTION, RESULT_ID, RESULT_SNIPPET, RESULT_TITLE, RESULT_URL
from search_core.errors import InputError, check_length
from search_core.providers.kit import payload
from search_core.ranking import arrange
from search_core.ranking.evaluation.labels import LabelledSearch
from search_core.ranking.evaluation.measures import GAINS

MOST_RESULTS = 500
"""A line with more results is refused: no search has as many."""
_LABELS = {0: Label.NOT_RELEVANT, 1: Label.RELEVANT}
_Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] | None
_RUN_NAME = "maekrak"
_RESULT_LIMITS = (RESULT_ID, RESULT_TITLE, RESULT_SNIPPET, RESULT_URL)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledLine:
    """Holds one line of labels: a search, perhaps of a video, whose results may come without the parts of a score."""

    search: LabelledSearch
    video: VideoContext | None


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore", coerce_numbers_to_str=True)


class _Parts(_Row):
    semantic_video: _Share = None
    semantic_question: _Share = None
    lexical: _Share = None
    entity: _Share = None
    recency: _Share = None
    agreement: _Share = None
    meaning_share: _Share = None


class _Result(_Row):
    id: str | None = None
    title: str | None = None
    snippet: str | None = None
    url: str | None = None
    published: str | int | None = None
    relevant: Literal[0, 1] | None = None
    parts: _Parts | None = None


class _Line(_Row):
    id: str | None = None
    query: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
    video: dict[str, Any] | None = None
    results: Annotated[list[_Result], Field(max_length=MOST_RESULTS)]


def read_labelled_line(row: Mapping[str, Any], now: datetime) -> LabelledLine:
    """Return the labelled search in *row*: ``{id, query, video?, results: [{id, title, snippet, url, published?, relevant}]}``.

    ``relevant`` is 1, 0 or null. A result without an id is named by its address or its place; ``parts`` of a score that an export
    wrote are taken as they are. Raises InputError where that is not what stands there, and TooLongError.
    """
    try:
        line = _Line.model_validate(row)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise InputError(f"'{place}': {first['msg']}.", korean=f"'{place}' 자리의 값을 읽을 수 없어요.") from None
    check_length(LABEL_SEARCH_ID, line.id)
    check_length(QUESTION, line.query)
    for item in line.results:
        for limit, value in zip(_RESULT_LIMITS, (item.id, item.title, item.snippet, item.url), strict=True):
            check_length(limit, value)
    results = tuple(_result(item, place, now) for place, item in enumerate(line.results, start=1))
    if len({result.url for result in results}) < len(results):
        raise InputError("Two results have one id.", korean="결과의 'id'가 서로 달라야 해요.")
    labels = {
        result.url: _LABELS[item.relevant]
        for result, item in zip(results, line.results, strict=True)
        if item.relevant is not None
    }
    search = LabelledSearch(id=line.id or "", query=line.query, results=results, labels=labels)
    return LabelledLine(search=search, video=VideoContext.from_mapping(line.video) if line.video else None)


def labelled_line(search: LabelledSearch) -> dict[str, Any]:
    """Return *search* as `read_labelled_line` reads it, with the parts of its scores; an unsure label has no number."""
    results = [
        {
            "id": result.url,
            "title": result.title,
            "snippet": result.snippet,
            "url": result.url,
            "published": result.publish_date.isoformat() if result.publish_date else None,
            "relevant": GAINS.get(search.labels[result.url]) if result.url in search.labels else None,
            "parts": asdict(result.parts) if result.parts else None,
        }
        for result in search.results
    ]
    return {"id": search.id, "query": search.query, "results": results}


def qrels_text(searches: Iterable[LabelledSearch]) -> str:
    """Return the labels of *searches* as qrels of TREC: ``query 0 document gain`` a line; unsure labels are left out."""
    return "".join(
        f"{_word(search.id)} 0 {_word(address)} {GAINS[label]}\n"
        for search in searches
        for address, label in search.labels.items()
        if label in GAINS
    )


def run_text(searches: Iterable[LabelledSearch], ranking: RankingOptions) -> str:
    """Return the order in which *ranking* places the results of *searches* as a run of TREC.

    A line is ``query Q0 document rank score name``.
    """
    lines = []
    for search in searches:
        shown, hidden = arrange(search.results, ranking)
        placed: Sequence[SearchResult] = (*shown, *hidden)
        # trec_eval orders by score alone, so that the place makes the score
        lines += [
            f"{_word(search.id)} Q0 {_word(result.url)} {place} {len(placed) - place + 1} {_RUN_NAME}\n"
            for place, result in enumerate(placed, start=1)
        ]
    return "".join(lines)


def _result(item: _Result, place: int, now: datetime) -> SearchResult:
    return SearchResult(
        title=item.title or "",
        url=item.id or item.url or str(place),
        snippet=item.snippet or "",
        source="",
        publish_date=payload.date(item.published, now),
        parts=ScoreParts(**item.parts.model_dump()) if item.parts else None,
    )


def _word(text: str) -> str:
    """Return *text* as one word: the forms of TREC are split at white space."""
    return "_".join(text.split()) or "_"
