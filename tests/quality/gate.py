"""Measures quality and holds it against the floors in git: ``make quality``.

A stage is a module ``NAME_quality`` beside this one, with a function ``measure`` that returns figures in [0, 1] by name, higher
is better.

``--model`` measures another model (a name, or a folder) by the same questions.

``--since REVISION`` measures the stages whose code or data changed since then, ``--quick`` on own data alone.

``--update`` raises floors to what was measured (less a small margin) and never lowers one; ``--allow-regression`` lowers as well,
for a change that has its reason in the commit.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path, PurePosixPath

import grimp

from tests.quality.scope import ALL, Scope
from tests.quality.sets import are_present

FLOORS = Path(__file__).with_name("floors.json")
ROOT = FLOORS.parents[2]
MARGIN = 0.005
"""Floors stand this far below what was measured, so that harmless noise does not fail the gate."""
STAGES = sorted(file.stem.removesuffix("_quality") for file in FLOORS.parent.glob("*_quality.py"))
SCORED = ("answer_line", "claims", "excerpts", "fallback", "library", "quotes", "ranking", "relevance", "standing")
"""What scorers are measured by."""
CHEAPEST = ("answers", "entities", "fallback", "intent", "queries")
"""What every run of the tests measures."""


def measure(stage: str, scope: Scope = ALL) -> dict[str, float]:
    """Return the figures of *stage* by name."""
    return dict(import_module(_module_of(stage)).measure(scope))


def _module_of(stage: str) -> str:
    return f"tests.quality.{stage}_quality"


def floors() -> dict[str, float]:
    """Return the floor of each figure, by name."""
    return dict(json.loads(FLOORS.read_text(encoding="utf-8")))


def below(measured: dict[str, float], least: dict[str, float]) -> list[str]:
    """Return a sentence for each figure that was measured and fell below its floor."""
    return [
        f"{name}: {measured[name]:.4f} is below its floor {floor:.4f}"
        for name, floor in sorted(least.items())
        if name in measured and measured[name] < floor
    ]


def raised(measured: dict[str, float], least: dict[str, float], *, lower: bool) -> dict[str, float]:
    """Return the floors after *measured*: higher where it allows, lower only when *lower*."""
    fresh = {name: round(value - MARGIN, 4) for name, value in measured.items()}
    kept = {name: value if lower else max(value, least.get(name, value)) for name, value in fresh.items()}
    return dict(sorted({**least, **kept}.items()))


def stages_of(changed: Iterable[str]) -> list[str]:
    """Return the stages that a change of these files, given below the root, can move.

    A module moves the stages that import it, however far down; other requirements move all. Data lie below the code that reads
    them: they move the stages of the modules in the folder above in which their name stands.
    """
    paths = [PurePosixPath(name) for name in changed]
    if any(path.match("requirements*.txt") for path in paths):
        return STAGES
    graph = grimp.build_graph("search_core", "tests")
    touched = {module for path in paths for module in ([path.with_suffix("")] if path.suffix == ".py" else _readers_of(path))}
    return [
        stage
        for stage in STAGES
        for modules in [{_module_of(stage), *graph.find_upstream_modules(_module_of(stage))}]
        if touched & {PurePosixPath(*name.split(".")) for name in modules}
    ]


def _readers_of(data: PurePosixPath) -> list[PurePosixPath]:
    """Return the modules in the folder above that name *data*, or all of them if none does."""
    modules = list((ROOT / data.parent.parent).glob("*.py"))
    readers = [file for file in modules if data.stem in file.read_text(encoding="utf-8")]
    return [data.parent.parent / file.stem for file in readers or modules]


def changed_since(revision: str) -> list[str]:
    """Return the files that differ from a revision of git, those not committed among them."""
    command = ["git", "diff", "--name-only", "--end-of-options", revision]
    return subprocess.run(command, cwd=FLOORS.parent, capture_output=True, text=True, check=True).stdout.splitlines()


def main() -> int:
    """Measure, print a line for each figure, and return 1 when one is below its floor."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stages", nargs="*", choices=[*STAGES, []], help="only these stages")
    parser.add_argument("--model", help="measure only this model, in what scorers are measured by")
    parser.add_argument("--since", metavar="REVISION", help="only the stages that a change since then can move")
    parser.add_argument("--quick", action="store_true", help="on own data alone")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--allow-regression", action="store_true")
    args = parser.parse_args()
    measured: dict[str, float] = {}
    if not are_present():
        print("Only what ships is measured, for there is no development data.")
    scope = Scope(models=(args.model,) if args.model else ALL.models, everything=not args.quick)
    chosen = args.stages or (stages_of(changed_since(args.since)) if args.since else SCORED if args.model else STAGES)
    for name in chosen:
        measured |= measure(name, scope)
    least = floors()
    for name, value in sorted(measured.items()):
        print(f"{name:60s} {value:.4f}   floor {least.get(name, float('nan')):.4f}")
    failures = below(measured, least)
    for failure in failures:
        print(failure, file=sys.stderr)
    if args.update:
        FLOORS.write_text(json.dumps(raised(measured, least, lower=args.allow_regression), indent=2) + "\n", encoding="utf-8")
        return 0
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
