"""The events of a research run; ``name`` is what an event is called wherever programs read it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from search_core.domain.research import CoverageLine, PlanOrigin, ResearchMetrics, ResearchSource, ResearchStatus, Subtask


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusChanged:
    """How far the run is."""

    name: ClassVar = "status"
    status: ResearchStatus
    message: str
    """One Korean sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubtaskPlanned:
    """A subtask, new or changed: a thought of the plan."""

    name: ClassVar = "thought"
    subtask: Subtask


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanMade:
    """The plan is complete with the subtasks so far; says who made it."""

    name: ClassVar = "thought"
    origin: PlanOrigin
    note: str = ""
    """One Korean sentence when the model could not make it."""
    size: int | None = None
    """How many subtasks it has, those of higher numbers are gone; None leaves all there were."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcesUpdated:
    """What the searches have found so far, after one more of them has ended."""

    name: ClassVar = "sources_update"
    subtask: Subtask
    count: int
    """Different sources so far, over all subtasks."""
    domains: Mapping[str, int]
    """Sources of the web by domain, most first."""
    ledger: tuple[str, ...] = ()
    """A Korean sentence for each search service that was asked for this subtask."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcesComplete:
    """All sources, by relevance, when the searches for all subtasks have ended."""

    name: ClassVar = "sources_complete"
    sources: tuple[ResearchSource, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRead:
    """Reading the page of one source begins (``source.reading``), or has ended.

    Pages are read while others are still searched for: until all sources are published the number of the source is 0.
    """

    name: ClassVar = "source_read"
    source: ResearchSource


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentChunk:
    """A piece of the report as it is written."""

    name: ClassVar = "content_chunk"
    text: str
    begins: bool = False
    """True for the first piece of a report; it replaces an earlier attempt that was cut off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportWritten:
    """The whole report, its citations looked up; replaces the chunks."""

    name: ClassVar = "report"
    text: str
    by_model: bool
    """False for an extract."""
    cited: tuple[int, ...] = ()
    unsupported: tuple[tuple[int, int], ...] = ()
    """Where in ``text`` sentences stand that the sources they cite do not bear out."""
    note: str = ""
    """One Korean sentence when the model could not write it, or only snippets could be used."""
    unfinished: bool = False
    """True when it breaks off because writing failed."""
    own_sent: bool | None = None
    """Whether own documents were given to the language model; None where there are none or no model."""
    excerpted: tuple[int, ...] = ()
    """Numbers of the sources of which only the sentences nearest to the question were used, because all together are too long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResearchFailed:
    """A failure by its type and in words; the run ends with it only when its status says so."""

    name: ClassVar = "error"
    kind: str
    """What failed, as in "Search failed" or the name of an error's type."""
    description: str
    """One English sentence without the question."""
    korean: str
    """One or two Korean sentences: what failed and what to try."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResearchEnded:
    """Ends every run."""

    name: ClassVar = "research_complete"
    status: ResearchStatus
    metrics: ResearchMetrics
    coverage: tuple[str, ...] = ()
    """The coverage ledger in Korean sentences: asked, failed and why, pages really read, snippets only."""
    coverage_lines: tuple[CoverageLine, ...] = ()
    """The same with what each line is about; empty in events of versions up to 0.3.0."""
    unanswered: tuple[int, ...] = ()
    """Numbers of the subtasks that were not answered."""
    at: datetime | None = None
    """Time zone aware."""


ResearchEvent = (
    StatusChanged
    | SubtaskPlanned
    | PlanMade
    | SourcesUpdated
    | SourcesComplete
    | SourceRead
    | ContentChunk
    | ReportWritten
    | ResearchFailed
    | ResearchEnded
)
