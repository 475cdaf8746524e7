"""What results of tools hold, as their schemas tell it."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from search_core.agents.replies import Status


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
    weak: NotRequired[bool]


class SearchData(TypedDict):
    """What a search found."""

    query: NotRequired[str]
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

    id: str
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


class RunEntry(TypedDict):
    """A run as a list has it."""

    run_id: str
    about: str
    state: str
    started: str


class RunsData(TypedDict, total=False):
    """The runs there are."""

    runs: list[RunEntry]


class RunsOutput(ToolOutput):
    """The runs of the caller."""

    data: NotRequired[RunsData]


class PageData(TypedDict, total=False):
    """What a page says."""

    title: str
    text: str


class PageOutput(ToolOutput):
    """A page of the web, or a document of the user."""

    url: NotRequired[str]
    date: NotRequired[str]
    data: NotRequired[PageData]


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
