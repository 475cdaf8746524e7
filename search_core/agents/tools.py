"""The tools by name: each says what it is for, what it takes and returns, and calls the core."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from search_core.agents import answer_tools, outputs, page_tool, run_tools, search_tool, video_tools
from search_core.agents.arguments import (
    MAX_CLAIMS,
    MAX_QUESTION_CHARS,
    MAX_REPLY_TOKENS,
    MAX_WAIT_S,
    Domains,
    Handle,
    Page,
    Question,
    Seconds,
    Video,
)
from search_core.agents.calls import Call
from search_core.agents.replies import REPLY_TOKENS, Reply, RunKind, parse_run_id
from search_core.agents.videos import OpenedVideo, Videos
from search_core.claims.service import check_claim_ids, claims_by_id
from search_core.domain.text_limits import REFERENCE, VIDEO_CHANNEL, VIDEO_TITLE
from search_core.errors import InputError
from search_core.video.facts import VideoFacts

if TYPE_CHECKING:
    from search_core.core import SearchCore


@dataclass(frozen=True, slots=True)
class ToolParts:
    """What tools of one server keep between calls."""

    videos: Videos = field(default_factory=Videos)
    claims: video_tools.ClaimFinder = field(default_factory=video_tools.ClaimFinder)
    searches: search_tool.KeptSearches = field(default_factory=search_tool.KeptSearches)
    pages: page_tool.KeptPages = field(default_factory=page_tool.KeptPages)


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
    """Search the web for a question about a video; scored snippets, each with the moment it bears on."""

    name = "search_in_context"
    result = outputs.SearchOutput
    question: Question
    video: Video = ""
    since: date | None = None
    until: date | None = None
    domains: Domains = None
    exclude_domains: Domains = None
    count: Annotated[int, Field(ge=1, le=search_tool.MAX_RESULTS)] = search_tool.MAX_RESULTS
    weak: Annotated[bool, Field(description="also those below the threshold")] = False
    page: Annotated[int, Field(ge=1, le=search_tool.MAX_RESULTS)] = 1

    def run(self, core: SearchCore, parts: ToolParts, call: Call) -> Reply:
        """Search."""
        opened = parts.videos.open_if_named(core, self.video, call)
        wanted = search_tool.Wanted(
            question=self.question,
            since=self.since,
            until=self.until,
            domains=None if self.domains is None else tuple(self.domains),
            exclude_domains=None if self.exclude_domains is None else tuple(self.exclude_domains),
            count=self.count,
            weak=self.weak,
        )
        return search_tool.search(core, wanted, opened, self.page, parts.searches, call)


class AskVideo(Tool):
    """Answer a question by what a video says, citing moments; by the web only where it says nothing."""

    name = "ask_video"
    result: ClassVar[Any] = outputs.AnswerOutput
    question: Question
    video: Video = ""
    conversation: Handle = ""

    def run(self, core: SearchCore, parts: ToolParts, call: Call) -> Reply:
        """Ask."""
        return answer_tools.ask(core, self.question, self._opened(core, parts, call), self.conversation, call)

    def _opened(self, core: SearchCore, parts: ToolParts, call: Call) -> OpenedVideo | None:
        return None if self.conversation else parts.videos.open_if_named(core, self.video, call)


class CheckOnline(AskVideo):
    """Compare what a video, or ask_video's answer, says with web sources: is it right? Stances, quotes, dates."""

    name = "check_online"
    result = outputs.CheckOutput

    def run(self, core: SearchCore, parts: ToolParts, call: Call) -> Reply:
        """Check."""
        return answer_tools.check(core, self.question, self._opened(core, parts, call), self.conversation, call)


class FindClaims(Tool):
    """List what a video claims that could be looked up, most worth a check first, with ids for start_research."""

    name = "find_claims"
    result = outputs.ClaimsOutput
    open_world = False
    video: Video
    page: Page = 1

    def run(self, core: SearchCore, parts: ToolParts, call: Call) -> Reply:
        """Find them."""
        opened = parts.videos.open(core, self.video, call)
        return video_tools.claims_reply(opened, parts.claims.find(core, opened, call), self.page)


class StartResearch(Tool):
    """Start a cited report on a question, or a check of a video's claims by ids; returns run_id."""

    name = "start_research"
    result = outputs.RunStarted
    read_only = False
    question: Annotated[str, Field(max_length=MAX_QUESTION_CHARS)] = ""
    video: Video = ""
    claims: Annotated[list[Annotated[str, Field(max_length=REFERENCE.most)]], Field(max_length=MAX_CLAIMS)] = Field(
        default_factory=list
    )
    own_only: bool = False

    def run(self, core: SearchCore, parts: ToolParts, call: Call) -> Reply:
        """Start one or the other."""
        check_claim_ids(self.claims)
        opened = parts.videos.open_if_named(core, self.video, call)
        if not self.claims:
            return run_tools.start_research(core, self.question, opened, call, own_only=self.own_only)
        if opened is None:
            raise InputError("Name the video of the claims.", korean="주장이 나온 영상을 video로 알려 주세요.")
        chosen = claims_by_id(parts.claims.find(core, opened, call), self.claims)
        return run_tools.start_check(core, opened, chosen, call)


class GetRun(Tool):
    """Look at a run_id, waiting up to 25 s for its end; pages of long results."""

    name = "get_run"
    result = outputs.RunOutput
    open_world = False
    run_id: Handle
    wait_s: Annotated[float, Field(ge=0, le=MAX_WAIT_S, allow_inf_nan=False)] = 20
    page: Page = 1

    def run(self, core: SearchCore, _: ToolParts, call: Call) -> Reply:
        """Wait for the run."""
        run = parse_run_id(self.run_id)
        wait = answer_tools.wait_for_answer if run.kind is RunKind.ANSWER else run_tools.wait_for_run
        return wait(core, run, self.page, self.wait_s, call)


class ListRuns(Tool):
    """List reports and checks, newest first."""

    name = "list_runs"
    result = outputs.RunsOutput
    open_world = False
    page: Page = 1

    def run(self, core: SearchCore, _: ToolParts, call: Call) -> Reply:
        """List them."""
        return run_tools.list_runs(core, self.page, call)


class StopRun(Tool):
    """Stop a run_id; what there is stays."""

    name = "stop_run"
    result = outputs.RunStarted
    open_world = False
    read_only = False
    run_id: Handle

    def run(self, core: SearchCore, _: ToolParts, call: Call) -> Reply:
        """Stop it."""
        run = parse_run_id(self.run_id)
        stop = answer_tools.stop_answer if run.kind is RunKind.ANSWER else run_tools.stop_run
        return stop(core, run, call)


class ReadPage(Tool):
    """Read a web page, or a document that search found."""

    name = "read_page"
    result = outputs.PageOutput
    url: Annotated[str, Field(max_length=page_tool.MAX_URL_CHARS)]
    page: Page = 1

    def run(self, core: SearchCore, parts: ToolParts, call: Call) -> Reply:
        """Read it."""
        return page_tool.read(core, self.url, self.page, parts.pages, call)


class ReadTranscript(Tool):
    """Read what is said between two moments. Tell title, channel and date of a pasted text here."""

    name = "read_transcript"
    result = outputs.TranscriptOutput
    open_world = False
    video: Video
    from_s: Seconds = 0
    to_s: Seconds | None = None
    title: Annotated[str, Field(max_length=VIDEO_TITLE.most)] = ""
    channel: Annotated[str, Field(max_length=VIDEO_CHANNEL.most)] = ""
    date: Annotated[str, Field(max_length=64)] = ""
    page: Page = 1
    max_tokens: Annotated[int, Field(ge=500, le=MAX_REPLY_TOKENS)] = REPLY_TOKENS

    def run(self, core: SearchCore, parts: ToolParts, call: Call) -> Reply:
        """Read it."""
        facts = VideoFacts.read(self.title, self.channel, self.date)
        opened = parts.videos.open(core, self.video, call, facts)
        return video_tools.read_transcript(opened, self.from_s, self.to_s, self.page, self.max_tokens)


TOOLS: Mapping[str, type[Tool]] = {
    tool.name: tool
    for tool in (
        SearchInContext,
        AskVideo,
        CheckOnline,
        FindClaims,
        StartResearch,
        GetRun,
        ListRuns,
        StopRun,
        ReadPage,
        ReadTranscript,
    )
}
