"""Measures speed and memory: ``make bench``, or ``python -m benchmarks NAME…``.

Absolute times depend on the machine; compare ratios printed by one run.
"""

from __future__ import annotations

import argparse
import sys

from benchmarks import (
    at_rest,
    claims_runs,
    commands,
    first_paint,
    first_search,
    held_up,
    kills,
    layout,
    load,
    model_scoring,
    one_question,
    page,
    reference,
    research_runs,
    research_workers,
    searches,
    wall_time,
)

BENCHMARKS = {
    "own-time": searches.own_time,
    "threshold": searches.threshold,
    "memory": searches.memory,
    "one-question": one_question.one_question,
    "model-scoring": model_scoring.model_scoring,
    "wall-time": wall_time.wall_time,
    "research": research_runs.research,
    "research-cold": research_runs.research_cold,
    "research-at-once": research_runs.research_at_once,
    "research-workers": research_workers.research_workers,
    "claims": claims_runs.claims,
    "claims-at-once": claims_runs.claims_at_once,
    "claims-of-three-hours": claims_runs.claims_of_three_hours,
    "commands": commands.commands,
    "first-paint": first_paint.first_paint,
    "first-search": first_search.first_search,
    "page": page.page,
    "layout": layout.layout,
    "load": load.load,
    "held-up": held_up.held_up,
    "at-rest": at_rest.at_rest,
    "kills": kills.kills,
}


def main() -> int:
    """Run the benchmarks named, or all of them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(BENCHMARKS)}; all when none is named")
    parser.add_argument("--keep", action="store_true", help="put the figures of this run into benchmarks/reference.json")
    args = parser.parse_args()
    names = args.names or list(BENCHMARKS)
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        print(f"unknown: {', '.join(unknown)}; known: {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    for name in names:
        print(f"\n== {name}", flush=True)
        BENCHMARKS[name]()
    print(f"\n== beside the reference\n{reference.compare()}")
    if args.keep:
        reference.keep()
    return 0


if __name__ == "__main__":
    sys.exit(main())
