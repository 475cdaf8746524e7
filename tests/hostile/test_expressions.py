"""Expressions over text of strangers cost no more than the text is long, however it is written to cost the most."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice

import pytest

from search_core.answers.fallback_detector import FallbackDetector
from search_core.models.llm.failures import read_refusal
from search_core.models.llm.prompt import without_template_marks
from search_core.video.discovery import chapters_in
from tests.hostile.expressions import attacks, expressions, seconds

SHORT, LONG = 120, 3_000
"""What grows exponentially freezes on the first, what grows by the square takes 20 ms on the second and more."""
LIMIT_S = 0.01
"""Thrice what the longest table of words takes for so many characters; by the square it would be 0.4 s for 20,000."""
GIVE_UP_S = 1.0


class TookTooLongError(Exception):
    """An expression that would not have ended."""


@contextmanager
def at_most(processor_s: float) -> Iterator[None]:
    """Raise TookTooLongError after so much processor time of this process; expressions look for signals while they run."""

    def give_up(*_: object) -> None:
        raise TookTooLongError

    before = signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, processor_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@pytest.mark.timeout(300)
def test_every_expression_takes_time_in_proportion_to_its_text():
    """What each repeat repeats, thousands of times and followed by what fits nothing, is read in milliseconds."""
    slow: list[str] = []
    found = expressions()
    assert len(found) > 400
    for where, pattern, called in found:
        for method in {name if name in ("match", "fullmatch") else "search" for name in called}:
            for text in (*islice(attacks(pattern, SHORT), 400), *islice(attacks(pattern, LONG), 60)):
                try:
                    with at_most(GIVE_UP_S):
                        fast = any(seconds(pattern, text, method) < LIMIT_S for _ in range(3))
                except TookTooLongError:
                    fast = False
                if not fast:
                    slow.append(f"{where}.{method}: {text[:40]!r} … {text[-12:]!r}")
                    break
    assert slow == []


@pytest.mark.parametrize(
    ("reads", "read"),
    [
        pytest.param(
            lambda: FallbackDetector().detect("I am not" + " really" * 34 + " x.").triggered, False, id="a model's answer"
        ),
        pytest.param(lambda: chapters_in("0:00 처음\n" + "말 " + " " * 1_500 + "7"), (), id="a video's description"),
        pytest.param(lambda: read_refusal(400, "max" * 9_000).refuses, "", id="a model server's refusal"),
        pytest.param(lambda: "<" in without_template_marks("<s " * 6_000 + ">" * 6_000), False, id="marks within marks"),
    ],
)
def test_a_sentence_does_not_freeze_the_app(reads: Callable[[], object], read: object):
    """Texts that once froze every thread, again after each restart, are read in seconds, what is loaded once included."""
    with at_most(8 * GIVE_UP_S):
        assert reads() == read
