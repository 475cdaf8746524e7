"""``recover``: what can be read of damaged databases into new files; the damaged ones are kept."""

from __future__ import annotations

import argparse
from datetime import datetime

from search_core.errors import StorageError
from search_core.settings import Settings
from search_core.storage.database import FILE
from search_core.storage.recover import Recovery, recover_conversations, recover_library
from search_core.storage.sqlite_library import LIBRARY_FILE


def run(_: argparse.Namespace, settings: Settings) -> int:
    """Recover each damaged database and print what became of it; 1 when one could not be."""
    folder, now = settings.maekrak_data_dir, datetime.now()  # noqa: DTZ005 - part of a file name, in the time of its reader
    failed = False
    for label, unit, name, recover in (
        ("대화와 조사", "개를", FILE, recover_conversations),
        ("내 자료", "건을", LIBRARY_FILE, recover_library),
    ):
        if name == FILE and settings.database_url.get_secret_value():
            print(f"{label}: PostgreSQL에 있어요. 데이터베이스의 백업으로 되살려 주세요.")
            continue
        try:
            print(f"{label}: {_outcome(recover(folder / name, now), unit)}")
        except (StorageError, OSError) as error:
            failed = True
            print(f"{label}: 되살리지 못했어요. 손상된 파일은 그대로 있어요. ({error})")
    return 1 if failed else 0


def _outcome(recovery: Recovery | None, unit: str) -> str:
    if recovery is None:
        return "손상되지 않았어요."
    lost = f" 속한 곳을 잃어 넣지 못한 줄이 {recovery.lost:,}개 있어요." if recovery.lost else ""
    return f"{recovery.saved:,}{unit} 살렸어요.{lost} 손상된 파일은 {recovery.kept_as.name}에 그대로 있어요."
