"""Labelled searches as JSON lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from search_core.domain import Label, Question, SearchResult, VideoContext
from search_core.domain.text_limits import QUESTION, RESULT_ID, RESULT_SNIPPET, RESULT_TITLE, RESULT_URL
from search_core.errors import InputError, check_length
from search_core.providers.kit import payload

MOST_RESULTS = 500
"""A line with more results is refused: no search has as many."""
_LABELS = {0: Label.NOT_RELEVANT, 1: Label.RELEVANT}
_RESULT_LIMITS = (RESULT_ID, RESULT_TITLE, RESULT_SNIPPET, RESULT_URL)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledLine:
    """Holds one line of labels: a question, perhaps about a video, and results that are still to be scored."""

    question: Question
    results: tuple[SearchResult, ...]
    labels: Mapping[str, Label]
    """By the address of the result."""


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore", coerce_numbers_to_str=True)


class _Result(_Row):
    id: str | None = None
    title: str | None = None
    snippet: str | None = None
    url: str | None = None
    published: str | int | None = None
    relevant: Literal[0, 1] | None = None


class _Line(_Row):
    query: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
    video: dict[str, Any] | None = None
    results: Annotated[list[_Result], Field(max_length=MOST_RESULTS)]


def read_labelled_line(row: Mapping[str, Any], now: datetime) -> LabelledLine:
    """Return the labelled search in *row*: ``{query, video?, results: [{id?, title, snippet, url, published?, relevant}]}``.

    ``relevant`` is 1, 0 or null. A result without an id is named by its address or its place. Raises InputError where that is
    not what stands there, and TooLongError.
    """
    try:
        line = _Line.model_validate(row)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise InputError(f"'{place}': {first['msg']}.", korean=f"'{place}' 자리의 값을 읽을 수 없어요.") from None
    check_length(QUESTION, line.query)
    for item in line.results:
        for limit, value in zip(_RESULT_LIMITS, (item.id, item.title, item.snippet, item.url), strict=True):
            check_length(limit, value)
    results = tuple(_result(item, place, now) for place, item in enumerate(line.results, start=1))
    if len({result.url for result in results}) < len(results):
        raise InputError("Two results have one id.", korean="결과의 'id'가 서로 달라야 해요.")
    return LabelledLine(
        question=Question(text=line.query, video=VideoContext.from_mapping(line.video) if line.video else None),
        results=results,
        labels={
            result.url: _LABELS[item.relevant]
            for result, item in zip(results, line.results, strict=True)
            if item.relevant is not None
        },
    )


def _result(item: _Result, place: int, now: datetime) -> SearchResult:
    return SearchResult(
        title=item.title or "",
        url=item.id or item.url or str(place),
        snippet=item.snippet or "",
        source="",
        publish_date=payload.date(item.published, now),
    )
