"""``index PATH…``: adds files and folders to the library."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing

from search_core.core import SearchCore
from search_core.domain.scorer import LibraryState
from search_core.search.presenting.wording import library_line
from search_core.settings import Settings


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Index documents, print the changes and embed the documents; return 1 if nothing could be read."""
    with closing(SearchCore.from_settings(settings)) as core:
        outcome = core.index(args.paths)
        for path, reason in outcome.failed:
            print(f"읽지 못함: {path} — {reason}", file=sys.stderr)
        for path, limits in outcome.cut:
            print(f"일부만 읽음: {path} — {limits}", file=sys.stderr)
        print(
            f"새로 넣음 {outcome.added} · 바뀜 {outcome.updated} · 그대로 {outcome.unchanged} · 지움 {outcome.removed}"
            f" · 읽지 못함 {len(outcome.failed)}",
            flush=True,
        )
        _prepare(core)
    read = outcome.added + outcome.updated + outcome.unchanged + outcome.removed
    return 0 if read or not outcome.failed else 1


def _prepare(core: SearchCore) -> None:
    """Wait until the documents can be found by meaning, and print how they are found."""
    printed = -1

    def watch(state: LibraryState) -> None:
        nonlocal printed
        if state.total and state.percent >= printed + 5:
            printed = state.percent
            print(f"뜻으로 찾을 준비: {state.percent}% (그만하려면 Ctrl-C, 나중에 이어서 해요)", file=sys.stderr, flush=True)

    if line := library_line(core.own_documents.prepare(watch)):
        print(line)
