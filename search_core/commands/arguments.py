"""Each command's arguments and help; imports nothing that a command needs for its work."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from search_core.package import VERSION

EXIT_USAGE = 2
MODEL_WAIT_S = 30.0
"""The shipped model takes two seconds; this is for a busy machine."""
DOCUMENT_LIMITS = (
    "A file may have 100 MB and 5,000,000 characters, and take 10 s of a processor; a PDF is read as far as 2,000 pages and 40 s."
)
STAGES = {
    "claims": "sentences (a list of objects: text, and start_s, speaker); video",
    "entities": "text",
    "extract": "html or path; url",
    "fallback": "answer; question",
    "format": "results (a list of objects: title, url, snippet, source, published, relevance_score, providers); query",
    "intent": "query; video, history (earlier questions), moment_s",
    "rank": "results (a list of objects: id, title, url, snippet, source, published, language); query, video, moment_s",
    "stance": "said, found; said_at, found_at (days)",
    "subject": "video; moment_s",
}
"""The fields of a line for each stage, those that it must have before the semicolon."""
SERVING = ("worker", "mcp")
"""Commands whose log is all that they say; the others tell in Korean what their warnings would repeat in English."""
_MODULES = {"worker": "serving", "mcp": "serving", "research": "runs", "claims": "runs"}
"""Modules of the commands that are not called like them."""
_BATCH = (
    "A line is a JSON object; its id is repeated in the answer, unknown fields are ignored. Fields, after the semicolon those "
    "that may be left out:\n\n"
    + "\n".join(f"  {stage:9} {fields}" for stage, fields in STAGES.items())
    + "\n\nA video is an object: title, description, channel, url, chapters, and transcript, a list of objects (start_s, end_s, "
    "text)."
)


class Parser(argparse.ArgumentParser):
    """Parses a command line and reports errors in one line."""

    def error(self, message: str) -> NoReturn:
        """Print *message* and exit with the code for wrong usage."""
        self.exit(EXIT_USAGE, f"{self.prog}: error: {message}\n")


def program_name() -> str:
    """Return the command that starts the program, as its user types it."""
    return "maekrak" if Path(sys.argv[0]).stem == "maekrak" else "python -m search_core"


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of every command; ``module`` in its result names the command's module."""
    parser = Parser(
        prog=program_name(),
        description="Web search in the context of a video, answered in Korean, every line attributed.",
    )
    parser.add_argument("--version", action="version", version=f"maekrak {VERSION}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (text, add_to) in COMMANDS.items():
        command = commands.add_parser(
            name, help=text, description=f"{text[0].upper()}{text[1:]}.", formatter_class=argparse.RawDescriptionHelpFormatter
        )
        command.set_defaults(module=_MODULES.get(name, name))
        add_to(command)
    return parser


def _search(parser: argparse.ArgumentParser) -> None:
    _add_question(parser)
    parser.add_argument("--providers", type=_names, metavar="a,b", help="ask only these search services")
    parser.add_argument("--threshold", type=_share, metavar="T", help="hide results scored below T, 0 to 1")
    parser.add_argument("--verbatim", action="store_true", help="send the question as it is, without the video")
    parser.add_argument("--no-cache", action="store_true", help="ask anew even when the answer is kept")
    parser.add_argument("--json", action="store_true", help="print the whole report as JSON")


def _ask(parser: argparse.ArgumentParser) -> None:
    _add_question(parser)
    parser.add_argument("--check", action="store_true", help="check the answer online: sources, a table of stances, a summary")
    _add_events(parser)


def _research(parser: argparse.ArgumentParser) -> None:
    _add_question(parser)
    _add_events(parser)


def _claims(parser: argparse.ArgumentParser) -> None:
    _add_video(parser, required=True)
    parser.add_argument("--check", type=_count, metavar="N", default=0, help="check so many of them, those most worth it")
    parser.add_argument("--claims", type=_names, metavar="ID,ID", default=(), help="check these, by the ids that the list has")
    _add_events(parser)


def _transcribe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="FILE", help="video or recording")


def _index(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    parser.epilog, parser.formatter_class = DOCUMENT_LIMITS, argparse.HelpFormatter


def _doctor(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--offline", action="store_true", help="do not ask anybody, only show what is configured and recorded")


def _batch(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("stage", choices=sorted(STAGES))
    parser.epilog = _BATCH


def _evaluate(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--threshold", type=_share, metavar="T", help="measure what is shown at T, 0 to 1")


def _backup(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER")


def _nothing(_: argparse.ArgumentParser) -> None:
    """Take no arguments."""


def _add_question(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question")
    _add_video(parser, required=False)
    parser.add_argument(
        "--history", action="append", default=[], metavar="QUESTION", help="an earlier question; repeat, oldest first"
    )
    parser.add_argument(
        "--moment", type=_moment, metavar="TIME", help="where in the video the question is asked, as in 1:02:07 or 3727 (seconds)"
    )


def _add_video(parser: argparse.ArgumentParser, *, required: bool) -> None:
    parser.add_argument(
        "--video",
        metavar="FILE|URL",
        required=required,
        help="subtitle file, .info.json, text file (- for standard input), video or recording to transcribe, YouTube address, "
        "or the id of a sample",
    )
    parser.add_argument("--title", default="", help="title of the video, where its file has none")
    parser.add_argument("--channel", default="", help="channel of the video")
    parser.add_argument(
        "--date", default="", metavar="DAY", help="day of the video (2026-11-24); without it nothing can contradict it"
    )


def _add_events(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print each event as one line of JSON")


def _share(text: str) -> float:
    return _number(text, "between 0 and 1", lambda value: 0 <= value <= 1)


def _moment(text: str) -> float:
    from search_core.language.dates import clock_seconds  # here, for help imports nothing else

    at_s = clock_seconds(text)
    return (
        _number(text, "a time as 1:02:07 or a number of seconds", lambda value: 0 <= value < math.inf) if at_s is None else at_s
    )


def _number(text: str, what: str, fits: Callable[[float], bool]) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not fits(value):
        raise argparse.ArgumentTypeError(f"{text!r} is not {what}")
    return value


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a count, 0 or more")
    return int(text)


def _names(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if not names:
        raise argparse.ArgumentTypeError("nothing is named")
    return names


COMMANDS: dict[str, tuple[str, Callable[[argparse.ArgumentParser], None]]] = {
    "search": ("search the web in the context of a video", _search),
    "ask": ("ask about a video; what it does not say is looked for on the web", _ask),
    "research": ("research a question in parts and write a report with sources", _research),
    "claims": ("list what a video claims, and hold the claims most worth it against the web", _claims),
    "transcribe": ("print the speech of a video or a recording as subtitles (WebVTT)", _transcribe),
    "index": ("put documents into the library (txt, md, html, subtitles, pdf, hwpx, docx)", _index),
    "doctor": ("ask each search service once, and show how searching has gone", _doctor),
    "batch": ("run one stage over JSON lines, stdin to stdout", _batch),
    "evaluate": ("measure labelled searches and suggest a threshold", _evaluate),
    "worker": ("work on research and checks of videos for all processes that share the database", _nothing),
    "mcp": ("serve tools for agents over stdio (Model Context Protocol); a client starts it", _nothing),
    "backup": ("copy all databases of the data folder into another folder", _backup),
}
"""What each command does, and what adds its arguments to its parser."""
