"""``search QUESTION [--video FILE|URL]``: one search, printed as Korean text or JSON."""

from __future__ import annotations

import argparse
import json
from contextlib import closing
from dataclasses import replace

from search_core.commands.arguments import MODEL_WAIT_S
from search_core.commands.output import scored_by, tell_what_decided
from search_core.commands.video_argument import question_of
from search_core.core import SearchCore
from search_core.domain.report import SearchOptions, SearchReport
from search_core.search.presenting.ledger import headline, hidden_line, ledger, not_asked_line
from search_core.search.presenting.score_text import threshold_points
from search_core.settings import Settings


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Search and print the results, own documents even if the web is unreachable.

    Returns 1 when the web was to be searched and none of its services answered, or when no service answered at all, 0 otherwise.
    """
    with closing(SearchCore.from_settings(settings, once=True)) as core:
        core.models.load_on_demand(MODEL_WAIT_S)
        options = _options(args, core.default_options())
        if core.asks_own_documents(options):
            core.own_documents.get_ready_once()
        report = core.search(question_of(args, core), options)
        tell_what_decided(core)
        if args.json:
            print(json.dumps(core.report_json(report), ensure_ascii=False, indent=2))
        else:
            print(search_text(core, report))
    answered = any(reply.status.answered for reply in report.replies) and not report.web_unavailable
    return 0 if answered else 1


def _options(args: argparse.Namespace, options: SearchOptions) -> SearchOptions:
    if args.threshold is not None:
        options = replace(options, ranking=replace(options.ranking, threshold=args.threshold))
    return replace(options, providers=args.providers, verbatim=args.verbatim, use_cache=not args.no_cache)


def search_text(core: SearchCore, report: SearchReport) -> str:
    """Return what the command prints of *report*."""
    labels = core.provider_labels()
    parts = " + ".join(f"{part.text}({part.origin})" for part in report.constructed.parts)
    out = [f"뺀 말: {', '.join(report.constructed.left_out)}"] if report.constructed.left_out else []
    lines = [f"검색어: {report.constructed.text}", f"구성: {parts}", *out, "", core.format_report(report), ""]
    if report.hidden:
        lines.append(f"{hidden_line(report)} · 기준 {threshold_points(report.options.ranking.threshold)}점")
    lines += [f"· {warning}" for warning in (report.question.video.warnings if report.question.video else ())]
    lines += [f"· {degradation.korean}" for degradation in report.degradations]
    lines += [f"- {line.label}: {line.text}" for line in ledger(report.replies, labels)]
    lines += [f"- {left_out}"] if (left_out := not_asked_line(report, labels)) else []
    lines.append(
        f"{headline(report.replies, labels)} · {report.elapsed_ms / 1000:.1f}초 · {scored_by(report.scorer, core.scorer())}"
    )
    return "\n".join(lines)
