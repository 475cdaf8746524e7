"""``research QUESTION [--video FILE|URL]``: a question researched in parts, with a report."""

from __future__ import annotations

import argparse
from contextlib import closing

from search_core.commands.output import follow
from search_core.commands.video_argument import question_of
from search_core.core import SearchCore
from search_core.domain.research import ResearchRequest
from search_core.research.export import export_run
from search_core.settings import Settings


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Print research; return 0 with a report, 1 on failure, 130 after an interrupt."""
    with closing(SearchCore.from_settings(settings)) as core:
        question = question_of(args, core)  # first, so that a refusal need not wait for the rest
        service = core.work_on_runs().research
        request = ResearchRequest(
            question=question.text, video=question.video, memory=question.memory, moment_s=question.moment_s
        )
        started = service.start(request)
        return follow(service, started.id, export_run, as_json=args.json)
