"""What the API asks of the search core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from search_core.chat import Chat
    from search_core.domain import Question, SearchOptions, SearchReport, VideoContext
    from search_core.job import SearchJob
    from search_core.research import ResearchService
    from search_core.settings import Settings


class CoreApi(Protocol):
    """The search core as far as the API knows it; its methods raise MaekrakError."""

    @property
    def settings(self) -> Settings:
        """Return the settings in force."""
        ...

    @property
    def chat(self) -> Chat:
        """Return the conversations."""
        ...

    @property
    def research(self) -> ResearchService:
        """Return the service for deep research."""
        ...

    def samples(self) -> tuple[VideoContext, ...]:
        """Return the sample videos."""
        ...

    def default_options(self) -> SearchOptions:
        """Return the options the settings ask for."""
        ...

    def start_search(self, question: Question, options: SearchOptions | None = None) -> SearchJob:
        """Start a search and return at once."""
        ...

    def report_json(self, report: SearchReport) -> dict[str, Any]:
        """Return *report* as values for JSON."""
        ...
