"""Measures speed and memory: ``make bench``, or ``python -m benchmarks NAME…``.

Absolute times depend on the machine; compare ratios printed by one run.
"""

from __future__ import annotations

import sys

from benchmarks import failing_services, first_paint, searches, side_by_side

BENCHMARKS = {
    "own-time": searches.own_time,
    "threshold": searches.threshold,
    "cancelling": searches.cancelling,
    "memory": searches.memory,
    "wall-time": side_by_side.wall_time,
    "side-by-side": side_by_side.side_by_side,
    "failing-services": failing_services.failing_services,
    "stampede": failing_services.stampede,
    "event-log": failing_services.event_log,
    "first-paint": first_paint.first_paint,
}


def main() -> int:
    """Run the benchmarks named, or all of them."""
    names = sys.argv[1:] or list(BENCHMARKS)
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        print(f"unknown: {', '.join(unknown)}; known: {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    for name in names:
        print(f"\n== {name}")
        BENCHMARKS[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main())
