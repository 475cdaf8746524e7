"""The tools by name: each says what it is for, what it takes and returns, and calls the core."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NotRequired

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from search_core.agents import answer_tools, run_tools, search_tool, video_tools
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
from search_core.agents.replies import REPLY_TOKENS, Reply, RunKind, Status, parse_run_id
from search_core.agents.videos import OpenedVideo, Videos
from search_core.errors import InputError

if TYPE_CHECKING:
    from search_core.core import SearchCore


class ToolOutput(TypedDict):
    """What every result holds."""

    status: Status
    note: str
    coverage: list[str]


class Hit(TypedDict):
    """A result of a search."""

    n: int
    title: str
    url: str
    snippet: str
    date: NotRequired[str]
    score: NotRequired[float]
    at_s: NotRequired[float]
    own: bool


class SearchData(TypedDict):
    """What a search found."""

    query: str
    results: NotRequired[list[Hit]]


class SearchOutput(ToolOutput):
    """The result of a search."""

    video: NotRequired[str]
    services: NotRequired[dict[str, str]]
    data: NotRequired[SearchData]


class Moment(TypedDict):
    """A place of the video."""

    at_s: float
    quote: str
    cited: bool


class Source(TypedDict):
    """A numbered source."""

    n: int
    title: str
    url: str
    date: NotRequired[str]


class StanceOutput(TypedDict):
    """How a source stands to what is said."""

    at_s: float
    stance: str
    said: str
    found: str
    source: int


class AnswerData(TypedDict, total=False):
    """What an answer says, and what it rests on."""

    answer: str
    web_answer: str
    moments: list[Moment]
    sources: list[Source]


class AnswerOutput(ToolOutput):
    """The result of asking."""

    run_id: NotRequired[str]
    conversation: NotRequired[str]
    origin: NotRequired[str]
    data: NotRequired[AnswerData]


class CheckData(TypedDict, total=False):
    """What a check came to."""

    summary: str
    web_answer: str
    stances: list[StanceOutput]
    sources: list[Source]


class CheckOutput(ToolOutput):
    """The result of a check."""

    run_id: NotRequired[str]
    conversation: NotRequired[str]
    data: NotRequired[CheckData]


class ClaimOutput(TypedDict):
    """Something that is said and could be looked up."""

    n: int
    text: str
    at_s: list[float]
    score: float


class ClaimsData(TypedDict, total=False):
    """The claims of a video."""

    claims: list[ClaimOutput]


class ClaimsOutput(ToolOutput):
    """The result of looking for claims."""

    video: NotRequired[str]
    data: NotRequired[ClaimsData]


class RunStarted(ToolOutput):
    """The id of what was started."""

    run_id: NotRequired[str]


class RunOutput(ToolOutput):
    """A run as it stands."""

    state: NotRequired[str]
    data: NotRequired[RunData]


class RunData(TypedDict, total=False):
    """What a run has made."""

    report: str
    answer: str
    sources: list[dict[str, object]]


class Line(TypedDict):
    """A line of a transcript."""

    at_s: float
    text: str


class TranscriptData(TypedDict, total=False):
    """A part of a transcript."""

    title: str
    lines: list[Line]


class TranscriptOutput(ToolOutput):
    """The result of reading a transcript."""

    video: NotRequired[str]
    data: NotRequired[TranscriptData]


@dataclass(frozen=True, slots=True)
class ToolParts:
    """What tools of one server keep between calls."""

    videos: Videos = field(default_factory=Videos)
    claims: video_tools.ClaimFinder = field(default_factory=video_tools.ClaimFinder)


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
    result = SearchOutput
    question: Question
    video: Video = ""
    page: Page = 1

    def run(self, core: SearchCore, parts: ToolParts, call: Call) -> Reply:
        """Search."""
        return search_tool.search(core, self.question, parts.videos.open_if_named(core, self.video, call), self.page, call)


class AskVideo(Tool):
    """Answer from what a video says, citing moments; from the web where it says nothing."""

    name = "ask_video"
    result: ClassVar[Any] = AnswerOutput
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
    result = CheckOutput

    def run(self, core: SearchCore, parts: ToolParts, call: Call) -> Reply:
        """Check."""
        return answer_tools.check(core, self.question, self._opened(core, parts, call), self.conversation, call)


class FindClaims(Tool):
    """List what a video claims that could be looked up, most worth a check first."""

    name = "find_claims"
    result = ClaimsOutput
    open_world = False
    video: Video
    page: Page = 1

    def run(self, core: SearchCore, parts: ToolParts, call: Call) -> Reply:
        """Find them."""
        opened = parts.videos.open(core, self.video, call)
        return video_tools.claims_reply(opened, parts.claims.find(core, opened, call), self.page)


class StartResearch(Tool):
    """Start a cited report on a question, or a check of a video's claims by number; returns run_id."""

    name = "start_research"
    result = RunStarted
    read_only = False
    question: Annotated[str, Field(max_length=MAX_QUESTION_CHARS)] = ""
    video: Video = ""
    claims: Annotated[list[int], Field(max_length=MAX_CLAIMS)] = Field(default_factory=list)
    own_only: bool = False

    def run(self, core: SearchCore, parts: ToolParts, call: Call) -> Reply:
        """Start one or the other."""
        opened = parts.videos.open_if_named(core, self.video, call)
        if not self.claims:
            return run_tools.start_research(core, self.question, opened, call, own_only=self.own_only)
        if opened is None:
            raise InputError("Name the video of the claims.", korean="주장이 나온 영상을 video로 알려 주세요.")
        return run_tools.start_check(core, opened, parts.claims.find(core, opened, call), self.claims, call)


class GetRun(Tool):
    """Look at a run_id, waiting up to 25 s for its end; pages of long results."""

    name = "get_run"
    result = RunOutput
    open_world = False
    run_id: Handle
    wait_s: Annotated[float, Field(ge=0, le=MAX_WAIT_S, allow_inf_nan=False)] = 20
    page: Page = 1

    def run(self, core: SearchCore, _: ToolParts, call: Call) -> Reply:
        """Wait for the run."""
        run = parse_run_id(self.run_id)
        wait = answer_tools.wait_for_answer if run.kind is RunKind.ANSWER else run_tools.wait_for_run
        return wait(core, run, self.page, self.wait_s, call)


class ReadTranscript(Tool):
    """Read what is said between two moments."""

    name = "read_transcript"
    result = TranscriptOutput
    open_world = False
    video: Video
    from_s: Seconds = 0
    to_s: Seconds | None = None
    page: Page = 1
    max_tokens: Annotated[int, Field(ge=500, le=MAX_REPLY_TOKENS)] = REPLY_TOKENS

    def run(self, core: SearchCore, parts: ToolParts, call: Call) -> Reply:
        """Read it."""
        opened = parts.videos.open(core, self.video, call)
        return video_tools.read_transcript(opened, self.from_s, self.to_s, self.page, self.max_tokens)


TOOLS: Mapping[str, type[Tool]] = {
    tool.name: tool for tool in (SearchInContext, AskVideo, CheckOnline, FindClaims, StartResearch, GetRun, ReadTranscript)
}
