"""The command-line arguments of a question: its text, its video and the questions before it."""

from __future__ import annotations

import argparse

from search_core.commands.video_argument import read_video
from search_core.core import SearchCore
from search_core.domain import ConversationMemory, Question


def add_question(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that make a question."""
    parser.add_argument("question")
    parser.add_argument(
        "--video",
        metavar="FILE|URL",
        help="subtitle file, .info.json, text file, video or recording to transcribe, or YouTube address",
    )
    parser.add_argument(
        "--history", action="append", default=[], metavar="QUESTION", help="an earlier question; repeat, oldest first"
    )


def question_of(args: argparse.Namespace, core: SearchCore) -> Question:
    """Return the question *args* make; raises MaekrakError when its video cannot be had."""
    memory = ConversationMemory.from_questions(args.history)
    video = read_video(args.video, core) if args.video else None
    return Question(text=args.question, video=video, memory=memory)
