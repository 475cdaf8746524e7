"""Korean summaries of foreign results: by a model where one is given, by extract where it fails or there is none."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

from search_core.domain import Degradation, DegradedPart, SearchResult
from search_core.errors import LanguageModelError
from search_core.presenting.extract import extract_summary, foreign_language, quotable_sentences
from search_core.runtime import wait_or_finish

MAX_AT_ONCE = 4
"""Requests to the model under way at once."""
MAX_FAILURES = 3
"""After as many failures the model is asked no more for this search: a wrong key fails every time."""


Nearness = Callable[[Sequence[str]], Sequence[float] | None]
"""Tells how near sentences of any language are to the question; None where that cannot be told."""


class Summarizer(Protocol):
    """Writes short Korean summaries."""

    async def summarize(self, result_title: str, snippet: str, source: str) -> str:
        """Return one or two Korean sentences; raises LanguageModelError."""
        ...


@dataclass(slots=True)
class _Failures:
    """Counts what went wrong with the model during one search."""

    causes: Counter[str] = field(default_factory=Counter)
    korean: str = ""

    def note(self, cause: str, korean: str) -> None:
        self.causes[cause] += 1
        self.korean = self.korean or korean

    def too_many(self) -> bool:
        return self.causes.total() >= MAX_FAILURES


async def add_summaries(
    results: Sequence[SearchResult],
    model: Summarizer | None,
    *,
    deadline_s: float,
    own_documents: bool = False,
    nearness: Nearness | None = None,
    watch: Callable[[tuple[SearchResult, ...]], None] = lambda _: None,
    finish: asyncio.Event | None = None,
) -> tuple[tuple[SearchResult, ...], tuple[Degradation, ...]]:
    """Return *results* with ``summary`` filled for foreign ones that have none, and what the model failed to do.

    The model has *deadline_s* seconds for all of them together, less once *finish* is set; what it does not deliver is summarised
    by extract. It is sent documents of the library only where *own_documents* allows it. Extracts quote the sentence with the
    greatest *nearness*. *watch* is given the results before the model has written anything, all summarised by extract, and anew
    with each summary it writes.
    """
    foreign = [place for place, result in enumerate(results) if not result.summary and foreign_language(result)]
    if not foreign:
        return tuple(results), ()
    extracts = await asyncio.to_thread(_extracts, {place: results[place] for place in foreign}, nearness)
    summarized = list(results)

    def put(place: int, text: str, origin: Literal["model", "extract"]) -> None:
        summarized[place] = replace(results[place], summary=text, summary_origin=origin)

    def put_written(place: int, text: str) -> None:
        put(place, text, "model")
        watch(tuple(summarized))

    for place, text in extracts.items():
        put(place, text, "extract")
    given = {place: results[place] for place in foreign if own_documents or not results[place].own}
    if model is None or not given:
        return tuple(summarized), ()
    watch(tuple(summarized))
    failures = _Failures()
    missing = await _ask(model, given, deadline_s, failures, put_written, finish or asyncio.Event())
    return tuple(summarized), (_degradation(missing, len(given), failures),) if missing else ()


def _extracts(results: Mapping[int, SearchResult], nearness: Nearness | None) -> dict[int, str]:
    """Return the extract of each of *results* by its place."""
    said = [(place, sentence) for place, result in results.items() for sentence in quotable_sentences(result.snippet)]
    scores = nearness([sentence for _, sentence in said]) if nearness is not None and said else None
    best: dict[int, tuple[float, str]] = {}
    for (place, sentence), score in zip(said, scores or (), strict=scores is not None):
        if place not in best or score > best[place][0]:
            best[place] = (score, sentence)
    return {place: extract_summary(result, best.get(place, (0.0, ""))[1]) for place, result in results.items()}


async def _ask(
    model: Summarizer,
    results: dict[int, SearchResult],
    deadline_s: float,
    failures: _Failures,
    put: Callable[[int, str], None],
    finish: asyncio.Event,
) -> int:
    """Have *model* write, *put* what it wrote by place, and return how many are missing; what is still open then is cancelled."""
    gate = asyncio.Semaphore(MAX_AT_ONCE)
    missing = set(results)

    async def one(place: int, result: SearchResult) -> None:
        async with gate:
            if failures.too_many():
                return
            try:
                put(place, await model.summarize(result.title, result.snippet, result.source))
                missing.discard(place)
            except LanguageModelError as error:
                failures.note(str(error), error.korean)

    async def write_all() -> None:
        tasks = [asyncio.create_task(one(place, result)) for place, result in results.items()]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    writing = asyncio.create_task(write_all())
    await wait_or_finish(writing, finish, timeout_s=deadline_s)
    if not writing.cancelled():
        writing.result()
    elif finish.is_set():
        failures.note("Stopped by the user.", "검색을 멈췄어요.")
    else:
        failures.note(f"No answer within {deadline_s:g} s.", "언어 모델이 시간 안에 답하지 않았어요.")
    return len(missing)


def _degradation(missing: int, wanted: int, failures: _Failures) -> Degradation:
    causes = "; ".join(f"{cause} (x{count})" for cause, count in failures.causes.items())
    return Degradation(
        part=DegradedPart.SUMMARY,
        cause=f"The model summarised {wanted - missing} of {wanted} foreign results: {causes}",
        korean=f"{failures.korean} 외국어 자료 {missing}건은 원문에서 자동으로 정리했어요.",
    )
