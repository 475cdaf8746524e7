"""A data folder as version 0.3.0 left it: a conversation with answers and a check, a report, a plan that waits, a document."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from search_core.core import SearchCore
from search_core.settings import Settings

QUESTION = "HBM4 표준의 대역폭은 얼마인가요?"
NOBODY = ""
"""The owner of what an installation without logins keeps."""


def copy_data(folder: Path) -> None:
    """Copy the data into a *folder* that is not there yet."""
    shutil.copytree(Path(__file__).parent / "written_by_0_3_0", folder)


@contextmanager
def core_over(folder: Path) -> Iterator[SearchCore]:
    """Give a core over a *folder* of such data, which works on no run and searches the library alone."""
    settings = Settings(
        maekrak_data_dir=folder,
        embedding_model="kiwi",
        search_providers="library",
        library_samples=False,
        research_works_here=False,
    )
    with closing(SearchCore.from_settings(settings)) as core:
        yield core
