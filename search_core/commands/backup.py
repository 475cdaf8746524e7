"""``backup FOLDER``: copies all databases in the data folder, even while the app runs."""

from __future__ import annotations

import argparse
import sys

from search_core.errors import StorageError
from search_core.settings import Settings
from search_core.storage.sqlite_file import back_up


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Copy the files and print each; return 1 if one failed."""
    try:
        outcome = back_up(settings.maekrak_data_dir, args.folder)
    except OSError as error:
        raise StorageError(
            f"The folder for the backup cannot be used: {type(error).__name__}.",
            korean="백업할 폴더를 만들지 못했어요. 경로와 권한, 남은 공간을 확인해 주세요.",
        ) from error
    for file in outcome:
        if file.problem:
            print(f"복사하지 못함: {file.name} — {file.problem}", file=sys.stderr)
        else:
            print(f"복사함: {file.name}")
    copied = sum(not file.problem for file in outcome)
    print(f"데이터베이스 {len(outcome)}개 중 {copied}개를 {args.folder}에 복사했어요.")
    if settings.database_url.get_secret_value():
        print("대화와 조사, 내 자료는 PostgreSQL에 있어요. 그쪽은 pg_dump로 백업해 주세요.")
    return 0 if copied == len(outcome) else 1
