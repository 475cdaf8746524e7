"""Each command's arguments and help; imports nothing that a command needs for its work."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NoReturn

from search_core.package import VERSION

EXIT_USAGE = 2
MODEL_WAIT_S = 30.0
"""Longest wait for a model to load; the shipped one takes two seconds, more on a busy machine."""
DOCUMENT_LIMITS = """A file may have 100 MB and 5,000,000 characters, and take 10 s of a processor;
a PDF is read as far as 2,000 pages and 40 s."""
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
"""The fields of an input line by stage: required ones before the semicolon, optional ones after it."""
COMMANDS = {
    "search": "search the web in the context of a video",
    "ask": "ask about a video; what it does not say is looked for on the web",
    "research": "research a question in parts and write a report with sources",
    "claims": "list what a video claims, and hold the claims most worth it against the web",
    "transcribe": "print the speech of a video or a recording as subtitles (WebVTT)",
    "index": "put documents into the library (txt, md, html, pdf, hwpx, docx)",
    "doctor": "ask each search service once, and show how searching has gone",
    "batch": "run one stage over JSON lines, stdin to stdout",
    "evaluate": "measure labelled searches and suggest a threshold",
    "worker": "work on research and checks of videos for all processes that share the database",
    "mcp": "serve tools for agents over stdio (Model Context Protocol); a client starts it",
    "backup": "copy all databases of the data folder into another folder",
}
SERVING = ("worker", "mcp")
"""Commands that report by their log only; others print in Korean what log warnings would repeat in English."""
_MODULES = {"worker": "serving", "mcp": "serving", "research": "runs", "claims": "runs"}
"""Modules of the commands whose module has another name."""
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


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of every command; ``module`` in its result names the command's module."""
    parser = Parser(
        prog="maekrak" if Path(sys.argv[0]).stem == "maekrak" else "python -m search_core",
        description="Web search in the context of a video, answered in Korean, every line attributed.",
    )
    parser.add_argument("--version", action="version", version=f"maekrak {VERSION}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    by_name = {}
    for name, text in COMMANDS.items():
        by_name[name] = commands.add_parser(
            name, help=text, description=f"{text[0].upper()}{text[1:]}.", formatter_class=argparse.RawDescriptionHelpFormatter
        )
        by_name[name].set_defaults(module=_MODULES.get(name, name))
    for name in ("search", "ask", "research", "claims"):
        _add_question(by_name[name], alone=name != "claims")
    for name in ("ask", "research", "claims"):
        by_name[name].add_argument("--json", action="store_true", help="print each event as one line of JSON")
    _add_own(by_name)
    return parser


def _add_question(parser: argparse.ArgumentParser, *, alone: bool) -> None:
    """Add the arguments that name a video and, with *alone*, those of a question, for which the video is optional."""
    if alone:
        parser.add_argument("question")
        parser.add_argument(
            "--history", action="append", default=[], metavar="QUESTION", help="an earlier question; repeat, oldest first"
        )
        parser.add_argument(
            "--moment", type=_moment, metavar="TIME", help="where in the video it is asked, as in 1:02:07 or 3727 (seconds)"
        )
    parser.add_argument(
        "--video",
        metavar="FILE|URL",
        required=not alone,
        help="subtitle file, .info.json, text file (- for standard input), video or recording to transcribe, YouTube address, "
        "or the id of a sample",
    )
    parser.add_argument("--title", default="", help="title of the video, where its file has none")
    parser.add_argument("--channel", default="", help="channel of the video")
    parser.add_argument(
        "--date", default="", metavar="DAY", help="day of the video (2026-11-24); without it nothing can contradict it"
    )


def _add_own(by_name: Mapping[str, argparse.ArgumentParser]) -> None:
    search = by_name["search"]
    search.add_argument("--providers", type=_names, metavar="a,b", help="ask only these search services")
    search.add_argument("--threshold", type=_share, metavar="T", help="hide results scored below T, 0 to 1")
    search.add_argument("--verbatim", action="store_true", help="send the question as it is, without the video")
    search.add_argument("--no-cache", action="store_true", help="ask anew even when the answer is kept")
    search.add_argument("--json", action="store_true", help="print the whole report as JSON")
    check_help = "check the answer online: sources, a table of stances, a summary"
    by_name["ask"].add_argument("--check", action="store_true", help=check_help)
    claims = by_name["claims"]
    claims.add_argument("--check", type=_count, metavar="N", default=0, help="check so many of them, those most worth it")
    claims.add_argument("--claims", type=_names, metavar="ID,ID", default=(), help="check these, by the ids that the list has")
    by_name["transcribe"].add_argument("source", metavar="FILE", help="video or recording")
    by_name["index"].add_argument("paths", nargs="+", type=Path, metavar="PATH")
    by_name["index"].epilog = DOCUMENT_LIMITS
    offline_help = "do not ask anybody, only show what is configured and recorded"
    by_name["doctor"].add_argument("--offline", action="store_true", help=offline_help)
    by_name["batch"].add_argument("stage", choices=sorted(STAGES))
    by_name["batch"].epilog = _BATCH
    by_name["evaluate"].add_argument("--threshold", type=_share, metavar="T", help="measure what is shown at T, 0 to 1")
    by_name["backup"].add_argument("folder", type=Path, metavar="FOLDER")


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
