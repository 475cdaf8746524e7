"""``ask QUESTION [--video FILE|URL] [--check]``: an answer from the video or the web, and a check of it."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from contextlib import closing

from search_core.answers.chat.conversation_text import answer_lines
from search_core.commands.arguments import MODEL_WAIT_S
from search_core.commands.output import print_event, scored_by, tell_what_decided
from search_core.commands.video_argument import question_of
from search_core.core import SearchCore
from search_core.domain.conversation import AnswerEvent, AnswerRecord
from search_core.domain.video import VideoContext
from search_core.language.sentences import visible
from search_core.search.presenting.wording import library_line
from search_core.settings import Settings


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Print an answer; return 0, or 1 if neither the video nor the web gave one.

    Own documents are printed but count as no answer. With a check both must have a result.
    """
    with closing(SearchCore.from_settings(settings, once=True)) as core:
        core.models.load_on_demand(MODEL_WAIT_S)
        question = question_of(args, core)
        documents = core.own_documents.get_ready_once() if core.asks_own_documents(core.default_options()) else None
        with closing(core.answer(question)) as events:
            record = _print(events, question.video, as_json=args.json)
        answered = record.fallback is None or not record.fallback.triggered or bool(record.web_origin)
        if args.check:
            with closing(core.check_online(question, record)) as events:
                answered &= bool(_print(events, question.video, as_json=args.json).web_origin)
        state = tell_what_decided(core)
        if not args.json:
            print(f"· {scored_by(state.name, state)}")
            if documents is not None and documents.under_way:
                print(f"· {library_line(documents)}")
    return 0 if answered else 1


def _print(events: Iterable[AnswerEvent], video: VideoContext | None, *, as_json: bool) -> AnswerRecord:
    record = AnswerRecord()
    for event in events:
        if as_json:
            print_event(event.name, event)
        record = record.after(event)
    if not as_json:
        text = "\n".join(answer_lines(record, video)).strip()
        print(f"{visible(text)}\n", flush=True)  # foreign text must not steer the terminal
    return record
