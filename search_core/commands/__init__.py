"""The command line: one file a command."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from search_core.commands import (
    agents,
    ask,
    backup,
    batch,
    claims,
    doctor,
    evaluate,
    index,
    recover,
    research,
    search,
    transcribe,
    worker,
)
from search_core.errors import MaekrakError
from search_core.settings import Settings

COMMANDS = (search, ask, research, claims, transcribe, index, doctor, batch, evaluate, worker, agents, backup, recover)

EXIT_OK = 0
EXIT_FAILED = 1
EXIT_INTERRUPTED = 130


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of every command."""
    parser = argparse.ArgumentParser(
        prog="python -m search_core",
        description="Web search in the context of a video, answered in Korean, every line attributed.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add_to(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 could not be done, 2 wrong usage."""
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace"), (sys.stderr, "backslashreplace")):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors=errors)
    args = build_parser().parse_args(argv)
    try:
        settings = Settings.from_env()
        logging.basicConfig(level=max(logging.WARNING, getattr(logging, settings.maekrak_log_level)), stream=sys.stderr)
        return int(args.run(args, settings))
    except MaekrakError as error:
        print(error.korean, file=sys.stderr)
        print(f"error: {error}", file=sys.stderr)
        return EXIT_FAILED
    except KeyboardInterrupt:
        print("중단했어요.", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return EXIT_OK


def _discard_output() -> None:
    """Point the output at the null device: its reader is gone, which the interpreter would report at the end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
