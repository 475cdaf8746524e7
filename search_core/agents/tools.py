"""What every tool is: arguments with a name, a schema of its result, and work over the core."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from pydantic import BaseModel, ConfigDict

from search_core.agents.arguments import Schema
from search_core.agents.calls import Call
from search_core.agents.replies import Reply
from search_core.agents.videos import Videos
from search_core.domain import SearchReport
from search_core.recent import Recent

if TYPE_CHECKING:
    from search_core.core import SearchCore
    from search_core.reading.page_reader import ReadPage

MAX_SEARCHES = 32
MAX_PAGES = 16


@dataclass(frozen=True, slots=True)
class Searched:
    """A search that has ended."""

    report: SearchReport
    id: str
    """Under which it is kept; empty where it is not."""
    in_time: bool
    """False where services were still waited for when the call had to return."""


@dataclass(frozen=True, slots=True)
class ToolParts:
    """What tools of one server keep between calls."""

    videos: Videos = field(default_factory=Videos)
    searches: Recent[tuple[str, ...], Searched] = field(default_factory=lambda: Recent(MAX_SEARCHES))
    """By their owner, their video and their arguments, so that a later page is of the same search."""
    pages: Recent[tuple[str, ...], ReadPage] = field(default_factory=lambda: Recent(MAX_PAGES))
    """By their owner and their address, so that what follows the first part of one is of the same page."""


class Tool(BaseModel):
    """A call of a tool, with its arguments; unknown names are refused, for they may be misspelt. Agents read the docstrings."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    name: ClassVar[str]
    result: ClassVar[Schema]
    """The schema of the structured result."""
    open_world: ClassVar[bool] = True
    """Whether it asks services of the web."""
    read_only: ClassVar[bool] = True
    """Whether it changes nothing but what is kept of the call itself."""

    @abstractmethod
    def run(self, core: SearchCore, parts: ToolParts, call: Call) -> Reply:
        """Do what the tool is for."""
