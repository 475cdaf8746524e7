"""``doctor``: what is configured and what answers."""

from __future__ import annotations

import argparse
from contextlib import closing
from dataclasses import replace
from typing import Any

from search_core.core import SearchCore
from search_core.domain import Question, SearchReport
from search_core.providers import catalogue
from search_core.relevance import ScorerState
from search_core.settings import Settings

PROBE = "위키백과"
"""A question every general search service has results for."""
SCORER_WAIT_S = 5.0
"""Longer than it takes to find out that there is no model; one that is there may go on loading."""


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    parser = commands.add_parser("doctor", help="show what is configured and ask each search service once")
    parser.add_argument("--offline", action="store_true", help="do not ask anybody, only show what is configured")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Print the state of every part; 0 when at least one search service can answer."""
    with closing(SearchCore.from_settings(settings)) as core:
        print(f"자료 폴더: {settings.maekrak_data_dir}")
        services = core.providers()
        report = None if args.offline or not services else _probe(core)
        told = {} if report is None else {line.provider: line.text for line in core.ledger(report)}
        print("검색 서비스:")
        for info in services:
            state = told.get(info.name, "쓸 수 있어요. 이번에는 묻지 않았어요.")
            print(f"- {info.label} ({info.name}): {state if info.available else f'쓰지 않아요. {info.absent_because}'}")
        used = {info.name for info in services}
        for name, provider in catalogue().items():
            if name not in used:
                print(f"- {provider.label} ({name}): 쓰지 않아요. SEARCH_PROVIDERS에 적으면 쓸 수 있어요.")
        if report is not None:
            print(core.headline(report))
        print(f"채점: {_scorer(core.scorer(wait_s=SCORER_WAIT_S))}")
    if report is None:
        return 0 if any(info.available for info in services) else 1
    return 0 if any(reply.status.answered for reply in report.replies) else 1


def _probe(core: SearchCore) -> SearchReport:
    """Ask every tier, also those a search leaves alone once an earlier one has found something."""
    options = replace(core.default_options(), verbatim=True, use_cache=False)
    reports = [core.search(Question(text=PROBE), replace(options, providers=tier)) for tier in core.settings.provider_tiers]
    return replace(reports[-1], replies=tuple(reply for report in reports for reply in report.replies))


def _scorer(state: ScorerState) -> str:
    return state.label if state.state == "ready" else f"{state.label} — {state.detail}"
