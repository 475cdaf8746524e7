"""By what a stage compares statements with texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from search_core.checking.verdicts.judge import Entails
from tests.quality.scope import SHIPPED
from tests.quality.scorers import LOAD_S, running_host


@dataclass(frozen=True, slots=True)
class Judge:
    """By what statements and texts are compared: words and rules, or the models that ship beside them."""

    name: str = ""
    entails: Entails | None = None


def judges() -> Iterator[Judge]:
    """Give words and rules alone, then with the models that ship, where these load, under the name of the embedder."""
    yield Judge()
    with running_host(SHIPPED) as host:
        if host is not None:
            yield Judge(host.wait(LOAD_S).name, host.entailment.judge_or_none)
