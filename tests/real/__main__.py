"""Prints what the product makes of real models beside the floors: ``make real``.

``--only answers,loops,contexts,speech`` takes some parts; ``--recordings FOLDER`` holds recordings of people, each beside a text
file with its words. The exit code is 1 where a floor is missed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.real import answers, models, speech
from tests.real.web import small_web

PARTS = ("answers", "loops", "contexts", "speech")
LOOP_S = 60.0
"""A model that repeats itself is ended so fast."""
CONTEXTS = (2048, 4096)
ROOMY = 16_384
_MARKED, _MARKED_RIGHTLY = 0.6, 0.6


def main() -> int:
    """Walk the parts that are wanted; return 1 where a floor is missed, 2 where packages are missing."""
    parser = argparse.ArgumentParser(prog="python -m tests.real", description=__doc__)
    parser.add_argument("--only", default=",".join(PARTS), help="parts, by commas")
    parser.add_argument("--questions", type=int, help="only the first so many questions")
    parser.add_argument("--recordings", type=Path, help="a folder of recordings with their words")
    args = parser.parse_args()
    if missing := models.missing_packages():
        print(f"These packages are missing: {', '.join(missing)}. Run `make real`.", file=sys.stderr)
        return 2
    walks: dict[str, Callable[[argparse.Namespace], Iterator[tuple[str, bool]]]] = {
        "answers": _answers, "loops": _loops, "contexts": _contexts, "speech": _speech,
    }  # fmt: skip
    held = True
    for part in args.only.split(","):
        print(f"## {part}", flush=True)
        for line, good in walks[part](args):
            print(f"{'  ' if good else '! '}{line}", flush=True)
            held &= good
    return 0 if held else 1


def _answers(args: argparse.Namespace) -> Iterator[tuple[str, bool]]:
    with small_web() as web:
        without = list(answers.ask_all(web, args.questions))
        yield f"without a model: {answers.figures_of(without)}", True
        asked = []
        with models.serve(models.weak_model(), context_tokens=ROOMY) as url:
            for each in answers.ask_all({**web, "openai_base_url": url, "openai_model": "weak"}, args.questions):
                shown = " ".join(each.shown.split())[:200]
                yield f"{each.question['where']:8}{each.seconds:6.1f} s  {each.question['question']} → {shown or '(없음)'}", True
                asked.append(each)
    with_one, bare = answers.figures_of(asked), answers.figures_of(without)
    yield f"with a weak model: {with_one}", True
    yield (
        f"right: {with_one['right']:g} of {len(asked)} (floor {bare['right']:g}, as without)",
        with_one["right"] >= bare["right"],
    )
    yield f"figures nobody said: {with_one['invented']:g} (floor 0)", not with_one["invented"]
    yield (
        f"told as unanswered beside the answer: {with_one['missed']:g} (floor {bare['missed']:g})",
        (with_one["missed"] <= bare["missed"]),
    )


def _loops(args: argparse.Namespace) -> Iterator[tuple[str, bool]]:
    with small_web() as web, models.serve(models.looping_model(), context_tokens=ROOMY) as url:
        for each in answers.ask_all({**web, "openai_base_url": url, "openai_model": "looping"}, args.questions or 2):
            line = f"{each.seconds:.1f} s (floor {LOOP_S:g}): {each.question['question']} → {' '.join(each.shown.split())[:200]}"
            yield line, each.seconds <= LOOP_S and len(each.shown) > 0


def _contexts(_: argparse.Namespace) -> Iterator[tuple[str, bool]]:
    for tokens in CONTEXTS:
        with small_web() as web, models.serve(models.weak_model(), context_tokens=tokens) as url:
            for door, end in answers.walk_doors({**web, "openai_base_url": url, "openai_model": "weak"}):
                yield f"{tokens} tokens, {door}: {end}", end != "no text"


def _speech(args: argparse.Namespace) -> Iterator[tuple[str, bool]]:
    if args.recordings is None:
        yield "no --recordings: nothing was heard", True
        return
    heard = speech.hear_all(args.recordings, models.whisper_folder())
    for each in heard:
        yield f"{each.name}: wrong {each.wrong:.3f}, plain {each.plain_wrong:.3f}; {each.cpu_s_per_min:.1f} s a minute", True
    ours, plain = (sum(getattr(each, name) for each in heard) / len(heard) for name in ("wrong", "plain_wrong"))
    yield f"letters wrong, mean: {ours:.3f} (floor {plain:.3f}, plain faster-whisper)", ours <= plain
    lines = [mark for each in heard for mark in each.marks]
    both, bad, marked = (sum(map(found, lines)) for found in (all, lambda mark: mark[0], lambda mark: mark[1]))
    found, right = both / max(bad, 1), both / max(marked, 1)
    yield (
        f"bad lines marked: {found:.2f} of {bad} (floor {_MARKED}), rightly {right:.2f} of {marked} (floor {_MARKED_RIGHTLY})",
        (found >= _MARKED and right >= _MARKED_RIGHTLY),
    )


if __name__ == "__main__":
    sys.exit(main())
