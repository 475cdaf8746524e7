"""The tools by name: each says what it is for, what it takes and returns, and calls the core."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from search_core.agents import answer_tools, claim_runs, claim_tool, research_tools, search_tool, shapes, transcript_tool
from search_core.agents.arguments import (
    MAX_CLAIMS,
    MAX_QUESTION_CHARS,
    MAX_REPLY_TOKENS,
    MAX_WAIT_S,
    Handle,
    Page,
    Question,
    Seconds,
    Video,
)
from search_core.agents.calls import Call
from search_core.agents.replies import REPLY_TOKENS, Reply
from search_core.agents.run_ids import RunKind, parse_run_id
from search_core.agents.videos import OpenedVideo, Videos
from search_core.errors import InputError

if TYPE_CHECKING:
    from search_core.core import SearchCore


@dataclass(frozen=True, slots=True)
class ToolParts:
    """What tools of one server keep between calls."""

    videos: Videos = field(default_factory=Videos)
    claims: claim_tool.ClaimFinder = field(default_factory=claim_tool.ClaimFinder)


class Tool(BaseModel):
    """A call of a tool, with its arguments; unknown names are refused, for they may be misspelt. Agents read the docstrings."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    name: ClassVar[str]
    result: ClassVar[Any]
    open_world: ClassVar[bool] = True
    """Whether it asks services of the web."""
    read_only: ClassVar[bool] = True
    """Whether it changes nothing but what is kept of the call itself."""

    @abstractmethod
    def run(self, core: SearchCore, parts: ToolParts, call: Call) -> Reply:
        """Do what the tool is for."""


class SearchInContext(Tool):
    """Search the web for a question about a video; scored results with the moment they bear on."""

    name = "search_in_context"
    result = shapes.SearchOutput
    question: Question
    video: Video = ""
    page: Page = 1

    def run(self, core: SearchCore, parts: ToolParts, call: Call) -> Reply:
        """Search."""
        return search_tool.search(core, self.question, parts.videos.open_if_named(core, self.video, call), self.page, call)


class AskVideo(Tool):
    """Answer from what a video says, citing moments; from the web where it says nothing."""

    name = "ask_video"
    result: ClassVar[Any] = shapes.AnswerOutput
    question: Question
    video: Video = ""
    conversation: Handle = ""

    def run(self, core: SearchCore, parts: ToolParts, call: Call) -> Reply:
        """Ask."""
        return answer_tools.ask(core, self.question, self._opened(core, parts, call), self.conversation, call)

    def _opened(self, core: SearchCore, parts: ToolParts, call: Call) -> OpenedVideo | None:
        return None if self.conversation else parts.videos.open_if_named(core, self.video, call)


class CheckOnline(AskVideo):
    """Hold what a video or conversation says against the web: stances, quotes, dates."""

    name = "check_online"
    result = shapes.CheckOutput

    def run(self, core: SearchCore, parts: ToolParts, call: Call) -> Reply:
        """Check."""
        return answer_tools.check(core, self.question, self._opened(core, parts, call), self.conversation, call)


class FindClaims(Tool):
    """List what a video claims that could be looked up, most worth a check first."""

    name = "find_claims"
    result = shapes.ClaimsOutput
    open_world = False
    video: Video
    page: Page = 1

    def run(self, core: SearchCore, parts: ToolParts, call: Call) -> Reply:
        """Find them."""
        opened = parts.videos.open(core, self.video, call)
        return claim_tool.claims_reply(opened, parts.claims.find(core, opened, call), self.page)


class StartResearch(Tool):
    """Start a cited report on a question, or a check of a video's claims by number; returns run_id."""

    name = "start_research"
    result = shapes.RunStarted
    read_only = False
    question: Annotated[str, Field(max_length=MAX_QUESTION_CHARS)] = ""
    video: Video = ""
    claims: Annotated[list[int], Field(max_length=MAX_CLAIMS)] = Field(default_factory=list)
    own_only: bool = False

    def run(self, core: SearchCore, parts: ToolParts, call: Call) -> Reply:
        """Start one or the other."""
        opened = parts.videos.open_if_named(core, self.video, call)
        if not self.claims:
            return research_tools.start_research(core, self.question, opened, call, own_only=self.own_only)
        if opened is None:
            raise InputError("Name the video of the claims.", korean="주장이 나온 영상을 video로 알려 주세요.")
        return claim_runs.start_check(core, opened, parts.claims.find(core, opened, call), self.claims, call)


class GetRun(Tool):
    """Look at a run_id, waiting up to 25 s for its end; pages of long results."""

    name = "get_run"
    result = shapes.RunOutput
    open_world = False
    run_id: Handle
    wait_s: Annotated[float, Field(ge=0, le=MAX_WAIT_S, allow_inf_nan=False)] = 20
    page: Page = 1

    def run(self, core: SearchCore, _: ToolParts, call: Call) -> Reply:
        """Wait for the run."""
        run = parse_run_id(self.run_id)
        return _WAITS[run.kind](core, run, self.page, self.wait_s, call)


class ReadTranscript(Tool):
    """Read what is said between two moments."""

    name = "read_transcript"
    result = shapes.TranscriptOutput
    open_world = False
    video: Video
    from_s: Seconds = 0
    to_s: Seconds | None = None
    page: Page = 1
    max_tokens: Annotated[int, Field(ge=500, le=MAX_REPLY_TOKENS)] = REPLY_TOKENS

    def run(self, core: SearchCore, parts: ToolParts, call: Call) -> Reply:
        """Read it."""
        opened = parts.videos.open(core, self.video, call)
        return transcript_tool.read_transcript(opened, self.from_s, self.to_s, self.page, self.max_tokens)


_WAITS = {
    RunKind.RESEARCH: research_tools.wait_for_research,
    RunKind.ANSWER: answer_tools.wait_for_answer,
    RunKind.CLAIMS: claim_runs.wait_for_check,
}
TOOLS: Mapping[str, type[Tool]] = {
    tool.name: tool for tool in (SearchInContext, AskVideo, CheckOnline, FindClaims, StartResearch, GetRun, ReadTranscript)
}
