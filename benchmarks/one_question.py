"""What one question passes through on its way to a report: own modules and functions that are entered."""

from __future__ import annotations

import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

from search_core import SearchCore
from search_core.domain.report import Question, SearchOptions
from search_core.settings import Settings

ROOT = Path(__file__).parents[1] / "search_core"
QUESTION = "이 회사의 최근 실적은 어떤가?"


class Trace:
    """Notes which functions of the core are entered, on all threads that start after it was made."""

    def __init__(self) -> None:
        self.on = False
        self.entered: set[tuple[str, str, int]] = set()
        threading.setprofile(self._note)
        sys.setprofile(self._note)

    def _note(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if self.on and event == "call" and code.co_filename.startswith(str(ROOT)) and not code.co_name.startswith("<"):
            module = str(Path(code.co_filename).relative_to(ROOT).with_suffix(""))
            self.entered.add((module, code.co_qualname, code.co_firstlineno))


def one_question() -> None:
    """Print how many modules and functions a search enters: the library alone is asked, about a sample video, scored by Kiwi."""
    trace = Trace()
    with tempfile.TemporaryDirectory() as folder:
        core = SearchCore.from_settings(Settings.model_validate({"MAEKRAK_DATA_DIR": folder, "EMBEDDING_MODEL": "kiwi"}))
        core.warm_up()
        core.wait_until_warm()
        trace.on = True
        job = core.start_search(Question(text=QUESTION, video=core.samples()[0]), SearchOptions(providers=("library",)))
        job.wait()
        trace.on = False
        core.close()
    sys.setprofile(None)
    threading.setprofile(None)
    by_module = Counter(module for module, _, _ in trace.entered)
    assert job.report is not None
    found = len(job.report.results) + len(job.report.hidden)
    print(f"one question, {found} results: {len(by_module)} modules (bar 60), {len(trace.entered)} functions (bar 250)")
    for module, count in sorted(by_module.items()):
        print(f"{count:4d} {module}: {', '.join(sorted(name for where, name, _ in trace.entered if where == module))}")
