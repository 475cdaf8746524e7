"""``index PATH…``: files and folders into the library."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from search_core.core import SearchCore
from search_core.settings import Settings


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    parser = commands.add_parser("index", help="put documents into the library (txt, md, html, srt, vtt, json, pdf)")
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    parser.add_argument("--rebuild", action="store_true", help="put the library aside as *.broken first and begin an empty one")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Index and print what changed; 1 when nothing at all could be read."""
    with closing(SearchCore.from_settings(settings)) as core:
        if args.rebuild:
            core.rebuild_library()
        outcome = core.index(args.paths)
    for path, reason in outcome.failed:
        print(f"읽지 못함: {path} — {reason}", file=sys.stderr)
    print(
        f"새로 넣음 {outcome.added} · 바뀜 {outcome.updated} · 그대로 {outcome.unchanged} · 지움 {outcome.removed}"
        f" · 읽지 못함 {len(outcome.failed)}"
    )
    read = outcome.added + outcome.updated + outcome.unchanged + outcome.removed
    return 0 if read or not outcome.failed else 1
