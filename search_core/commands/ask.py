"""``ask QUESTION [--video FILE|URL]``: an answer from the video, and from the web where the video says nothing."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from contextlib import closing
from typing import Any

from search_core.answering import event_json
from search_core.commands.json_line import as_line
from search_core.commands.question_arguments import add_question, question_of
from search_core.core import SearchCore
from search_core.domain import (
    AnswerDone,
    AnswerEvent,
    AnswerFinished,
    AnswerToken,
    FallbackDecided,
    WebAnswerFailed,
    WebAnswerFinished,
    WebSearching,
    WebSource,
    WebSourcesFound,
)
from search_core.llm.visible import visible
from search_core.presenting import korean_date
from search_core.settings import Settings

EXIT_NOT_ANSWERED = 1


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    parser = commands.add_parser("ask", help="ask about a video; what it does not say is looked for on the web")
    add_question(parser)
    parser.add_argument("--json", action="store_true", help="print each event as one line of JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Answer and print it as it is written; 0 when there is an answer, 1 when neither the video nor the web gave one."""
    with closing(SearchCore.from_settings(settings)) as core, closing(core.answer(question_of(args, core))) as events:
        return _followed(events, as_json=args.json)


def _followed(events: Iterable[AnswerEvent], *, as_json: bool) -> int:
    answered = True
    for event in events:
        if isinstance(event, FallbackDecided):
            answered = not event.triggered
        elif isinstance(event, WebAnswerFinished):
            answered = True
        if as_json:
            print(as_line(event_json(event)), flush=True)
        else:
            print(visible(_text(event)), end="", flush=True)  # foreign text must not steer the terminal
    return 0 if answered else EXIT_NOT_ANSWERED


def _text(event: AnswerEvent) -> str:
    """Return what a terminal shows of *event*; mostly nothing."""
    match event:
        case AnswerToken():
            return event.text
        case AnswerFinished():
            return f"\n· {event.notice}\n" if event.notice else "\n"
        case FallbackDecided(triggered=True, enabled=False):
            return "· 웹 검색으로 이어 찾지 않았어요(WEB_SEARCH_FALLBACK_ENABLED가 꺼져 있어요).\n"
        case WebSearching():
            return "\n웹에서 찾아볼게요…\n"
        case WebSourcesFound():
            return "".join(f"{_source(source)}\n" for source in event.sources) + "\n"
        case WebAnswerFinished():
            return "\n"
        case WebAnswerFailed():
            return f"\n· {event.korean}\n"
        case AnswerDone():
            return f"({event.total_ms / 1000:.1f}초)\n"
        case _:
            return ""


def _source(source: WebSource) -> str:
    date = f" · {korean_date(source.publish_date)}" if source.publish_date else ""
    return f"[{source.number}] {source.title} — {source.source}{date}\n    {source.url}"
