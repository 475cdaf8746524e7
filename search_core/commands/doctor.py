"""``doctor``: what is configured, what answers, and how searching has gone."""

from __future__ import annotations

import argparse
from contextlib import closing
from typing import Any

from search_core.core import ProbeJob, SearchCore
from search_core.relevance import ScorerState
from search_core.settings import Settings

SCORER_WAIT_S = 5.0
"""Longer than it takes to find out that there is no model; one that is there may go on loading."""


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    parser = commands.add_parser("doctor", help="ask each search service once, and show how searching has gone")
    parser.add_argument("--offline", action="store_true", help="do not ask anybody, only show what is configured and recorded")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Print the state of every part; 0 when at least one search service can answer."""
    with closing(SearchCore.from_settings(settings)) as core:
        print(f"자료 폴더: {settings.maekrak_data_dir}")
        probe = None if args.offline else core.start_probe()
        if probe is not None:
            _print_probe(core, probe)
        print(core.health_text(core.health()))
        print(f"채점: {_scorer(core.scorer(wait_s=SCORER_WAIT_S))}")
        if probe is None:
            return 0 if any(info.available for info in core.providers()) else 1
        return 0 if any(reply.status.answered for reply in probe.replies) else 1


def _print_probe(core: SearchCore, probe: ProbeJob) -> None:
    probe.wait()
    print("지금 점검:")
    for line in core.probe_ledger(probe):
        print(f"- {line.korean}")
    print()


def _scorer(state: ScorerState) -> str:
    return state.label if state.state == "ready" else f"{state.label} — {state.detail}"
