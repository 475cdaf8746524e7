"""Steps of a run save what they find together, and look for what was found before."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from search_core.runs.run_workflow import RunSteps
from search_core.storage.json_codec import JsonCodec

NUMBER = JsonCodec(int)


@dataclass
class RecordingStore:
    """Holds findings, and saves the first only when it is told to."""

    findings: dict[str, Any] = field(default_factory=dict)
    saved: list[dict[str, Any]] = field(default_factory=list)
    looked_for: list[str] = field(default_factory=list)
    first: threading.Event = field(default_factory=threading.Event)
    fails_once: bool = False

    def finding_keys(self, _: str) -> set[str]:
        """Return the keys of all findings."""
        return set(self.findings)

    def find(self, _: str, keys: Sequence[str]) -> dict[str, Any]:
        """Return the findings of *keys* and remember that they were looked for."""
        self.looked_for += keys
        return {key: self.findings[key] for key in keys if key in self.findings}

    def save_findings(self, _: str, findings: Mapping[str, Any]) -> None:
        """Save *findings*, once the first may be saved."""
        assert self.first.wait(10)
        if self.fails_once:
            self.fails_once = False
            raise ZeroDivisionError
        self.saved.append(dict(findings))
        self.findings |= findings


def steps_of(store: RecordingStore) -> RunSteps:
    """Return the steps of a run that keep their findings in *store*."""
    service: Any = SimpleNamespace(store=store, parts=None, loop=None)
    run: Any = SimpleNamespace(id="run", request=None)
    return RunSteps(service, run, control=None)


async def saved_side_by_side(store: RecordingStore) -> list[BaseException | None]:
    """Save three findings, two of them while the first is being saved, and return what each raised."""
    steps = steps_of(store)
    saving = [asyncio.create_task(steps._save(key, NUMBER, number)) for number, key in enumerate("abc")]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    store.first.set()
    return await asyncio.gather(*saving, return_exceptions=True)


def test_findings_that_come_while_others_are_saved_are_saved_together():
    """Two that come while the first is saved are one transaction; where saving fails, its own step fails, and nothing is lost."""
    store = RecordingStore()
    assert asyncio.run(saved_side_by_side(store)) == [None, None, None]
    assert store.saved == [{"a": 0}, {"b": 1, "c": 2}]
    store = RecordingStore(fails_once=True)
    failed, *others = asyncio.run(saved_side_by_side(store))
    assert (type(failed), others) == (ZeroDivisionError, [None, None])
    assert store.findings == {"a": 0, "b": 1, "c": 2}


def test_only_what_was_found_before_is_looked_for():
    """A step asks the database for a finding only where the run has one by that key, its own ones among them."""
    store = RecordingStore(findings={"a": 1})
    store.first.set()

    async def look() -> list[int | None]:
        steps = steps_of(store)
        found = [await steps._find(key, NUMBER) for key in ("a", "b")]
        await steps._save("b", NUMBER, 2)
        return [*found, await steps._find("b", NUMBER)]

    assert asyncio.run(look()) == [1, None, 2]
    assert store.looked_for == ["a", "b"]
