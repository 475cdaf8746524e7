"""The tools by name: what they are for, what they take and return, and what they call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from search_core.agents import answer_tools, claim_runs, claim_tool, research_tools, search_tool, shapes, transcript_tool
from search_core.agents.arguments import (
    Arguments,
    AskArguments,
    ResearchArguments,
    RunArguments,
    SearchArguments,
    TranscriptArguments,
    VideoArguments,
)
from search_core.agents.calls import Call
from search_core.agents.replies import Reply
from search_core.agents.run_ids import RunKind, parse_run_id
from search_core.agents.schemas import Schema, short_schema
from search_core.agents.videos import Videos
from search_core.errors import InputError

if TYPE_CHECKING:
    from search_core.core import SearchCore

Work = Callable[["SearchCore", "ToolParts", Any, Call], Reply]
"""Does what a tool is for; the arguments are of its model."""


@dataclass(frozen=True, slots=True)
class ToolParts:
    """What tools of one server keep between calls."""

    videos: Videos = field(default_factory=Videos)
    claims: claim_tool.ClaimFinder = field(default_factory=claim_tool.ClaimFinder)


@dataclass(frozen=True, kw_only=True)
class Tool:
    """A tool as agents see it, and what it calls."""

    name: str
    description: str
    arguments: type[Arguments]
    result: Any
    work: Work
    open_world: bool = True
    """Whether it asks services of the web."""
    read_only: bool = True
    """Whether it changes nothing but what is kept of the call itself."""

    @cached_property
    def argument_schema(self) -> Schema:
        """Return the schema of its arguments."""
        return short_schema(self.arguments)

    @cached_property
    def result_schema(self) -> Schema:
        """Return the schema of its structured content."""
        return short_schema(self.result)


def _search(core: SearchCore, parts: ToolParts, asked: SearchArguments, call: Call) -> Reply:
    return search_tool.search(core, asked.question, parts.videos.open_if_named(core, asked.video, call), asked.page, call)


def _ask(core: SearchCore, parts: ToolParts, asked: AskArguments, call: Call) -> Reply:
    opened = None if asked.conversation else parts.videos.open_if_named(core, asked.video, call)
    return answer_tools.ask(core, asked.question, opened, asked.conversation, call)


def _check(core: SearchCore, parts: ToolParts, asked: AskArguments, call: Call) -> Reply:
    opened = None if asked.conversation else parts.videos.open_if_named(core, asked.video, call)
    return answer_tools.check(core, asked.question, opened, asked.conversation, call)


def _find_claims(core: SearchCore, parts: ToolParts, asked: VideoArguments, call: Call) -> Reply:
    opened = parts.videos.open(core, asked.video, call)
    return claim_tool.claims_reply(opened, parts.claims.find(core, opened, call), asked.page)


def _start_research(core: SearchCore, parts: ToolParts, asked: ResearchArguments, call: Call) -> Reply:
    opened = parts.videos.open_if_named(core, asked.video, call)
    if asked.claims:
        if opened is None:
            raise InputError("Name the video of the claims.", korean="주장이 나온 영상을 video로 알려 주세요.")
        return claim_runs.start_check(core, opened, parts.claims.find(core, opened, call), asked.claims, call)
    return research_tools.start_research(core, asked.question, opened, call, own_only=asked.own_only)


def _get_run(core: SearchCore, _: ToolParts, asked: RunArguments, call: Call) -> Reply:
    run = parse_run_id(asked.run_id)
    return _WAITS[run.kind](core, run, asked.page, asked.wait_s, call)


def _read_transcript(core: SearchCore, parts: ToolParts, asked: TranscriptArguments, call: Call) -> Reply:
    opened = parts.videos.open(core, asked.video, call)
    return transcript_tool.read_transcript(opened, asked.from_s, asked.to_s, asked.page, asked.max_tokens)


_WAITS = {
    RunKind.RESEARCH: research_tools.wait_for_research,
    RunKind.ANSWER: answer_tools.wait_for_answer,
    RunKind.CLAIMS: claim_runs.wait_for_check,
}
TOOLS: Mapping[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool(
            name="search_in_context",
            description="Search the web for a question about a video; scored results with the moment they bear on.",
            arguments=SearchArguments,
            result=shapes.SearchOutput,
            work=cast(Work, _search),
        ),
        Tool(
            name="ask_video",
            description="Answer from what a video says, citing moments; from the web where it says nothing.",
            arguments=AskArguments,
            result=shapes.AnswerOutput,
            work=cast(Work, _ask),
        ),
        Tool(
            name="check_online",
            description="Hold what a video or conversation says against the web: stances, quotes, dates.",
            arguments=AskArguments,
            result=shapes.CheckOutput,
            work=cast(Work, _check),
        ),
        Tool(
            name="find_claims",
            description="List what a video claims that could be looked up, most worth a check first.",
            arguments=VideoArguments,
            result=shapes.ClaimsOutput,
            work=cast(Work, _find_claims),
            open_world=False,
        ),
        Tool(
            name="start_research",
            description="Start a cited report on a question, or a check of a video's claims by number; returns run_id.",
            arguments=ResearchArguments,
            result=shapes.RunStarted,
            work=cast(Work, _start_research),
            read_only=False,
        ),
        Tool(
            name="get_run",
            description="Look at a run_id, waiting up to 25 s for its end; pages of long results.",
            arguments=RunArguments,
            result=shapes.RunOutput,
            work=cast(Work, _get_run),
            open_world=False,
        ),
        Tool(
            name="read_transcript",
            description="Read what is said between two moments.",
            arguments=TranscriptArguments,
            result=shapes.TranscriptOutput,
            work=cast(Work, _read_transcript),
            open_world=False,
        ),
    )
}
