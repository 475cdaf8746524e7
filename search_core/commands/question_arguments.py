"""The command-line arguments of a question: its text, its video and the questions before it."""

from __future__ import annotations

import argparse
from pathlib import Path

from search_core.core import SearchCore
from search_core.domain import ConversationMemory, Question, VideoContext


def add_question(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that make a question."""
    parser.add_argument("question")
    parser.add_argument("--video", metavar="FILE|URL", help="subtitle file, .info.json, text file or YouTube address")
    parser.add_argument(
        "--history", action="append", default=[], metavar="QUESTION", help="an earlier question; repeat, oldest first"
    )


def question_of(args: argparse.Namespace, core: SearchCore) -> Question:
    """Return the question *args* make; raises VideoReadError when its video cannot be read."""
    memory = ConversationMemory.from_questions(args.history)
    return Question(text=args.question, video=_video(args.video, core), memory=memory)


def _video(given: str | None, core: SearchCore) -> VideoContext | None:
    if not given:
        return None
    if given.startswith(("http://", "https://")):
        return core.open_video(given)
    return VideoContext.from_file(Path(given))
