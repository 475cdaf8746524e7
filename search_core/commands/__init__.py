"""The command line: ``arguments`` has the arguments, one file does the work of each command, imported when needed."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module

from search_core.commands.arguments import EXIT_USAGE, SERVING, build_parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 failed, 2 wrong usage, 130 interrupted."""
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace"), (sys.stderr, "backslashreplace")):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors=errors)
    try:
        code = _parse_and_run(argv)
        if sys.stdout is not None:  # None when the caller has closed it
            sys.stdout.flush()
    except BrokenPipeError:  # a reader that has left, as ``head`` does, has what it wants
        with suppress(OSError, ValueError):  # else the interpreter would report unwritten output at its end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code


def _parse_and_run(argv: Sequence[str] | None) -> int:
    parser = build_parser()
    try:
        args = parser.parse_args(argv)
    except SystemExit as ended:  # after help or a version was printed, or an error of usage
        return int(ended.code or 0)
    return _run(args, parser.prog)


def _run(args: argparse.Namespace, program: str) -> int:
    gc.disable()  # what is imported stays: looking through it for garbage takes a tenth of the time of importing
    import logging

    from search_core.errors import MaekrakError, UnknownServiceError
    from search_core.settings import Settings

    try:
        command = import_module(f"{__name__}.{args.module}")
        gc.freeze()
        gc.enable()
        logging.basicConfig(level=logging.WARNING if args.command in SERVING else logging.ERROR, stream=sys.stderr)
        return int(command.run(args, Settings.from_env()))
    except UnknownServiceError as error:
        print(f"{program} {args.command}: error: {error}", file=sys.stderr)
        return EXIT_USAGE
    except MaekrakError as error:
        print(error.korean, file=sys.stderr)
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("중단했어요.", file=sys.stderr)
        return 130
