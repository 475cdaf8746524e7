"""What the errors of the database mean: a cause for the log, a Korean sentence for the page, and what to do next."""

from __future__ import annotations

import sqlite3

from search_core.storage.sqlite_file import FileFault, fault_of

FILE = "maekrak.sqlite"
FILE_KOREAN = {
    FileFault.LOCKED: "다른 곳에서 대화를 저장하고 있어요. 잠시 뒤에 다시 시도해 주세요.",
    FileFault.FULL: "디스크에 남은 공간이 없어요. 공간을 비우고 다시 시도해 주세요.",
    FileFault.BROKEN: f"대화 저장소({FILE})가 손상되었어요. 앱을 끄고 python -m search_core recover 명령을 실행하면 읽을 수 있는"
    " 내용을 살리고, 손상된 파일은 그대로 남겨 둬요.",
    FileFault.CLOSED: "대화 저장소를 열지 못했어요. 데이터 폴더의 권한을 확인해 주세요.",
}
DAMAGED_ROW_KOREAN = "저장된 내용의 일부가 손상되어 읽지 못했어요. 로그를 확인해 주세요."


def file_fault(error: BaseException) -> tuple[str, FileFault]:
    """Return cause and kind of what a file says."""
    if isinstance(error, sqlite3.Error | OSError):
        return f"{type(error).__name__}: {error}", fault_of(error)
    return type(error).__name__, FileFault.CLOSED


def server_fault(error: BaseException) -> tuple[str, str, bool]:
    """Return cause, Korean sentence and whether to leave the database alone for a while.

    The kinds are PostgreSQL's (postgresql.org/docs/current/errcodes-appendix.html, 2026-11-21).
    """
    state = getattr(error, "sqlstate", None) or ""
    text = str(error)
    cause = f"{type(error).__name__} {state}".strip()
    if state.startswith("28") or "password authentication failed" in text or "no password supplied" in text:
        return f"{cause}: user or password refused", "데이터베이스가 로그인을 거절했어요. DATABASE_URL을 확인해 주세요.", True
    if state == "3D000" or ("database" in text and "does not exist" in text):
        return f"{cause}: no such database", "그 이름의 데이터베이스가 없어요. DATABASE_URL을 확인해 주세요.", True
    if state == "42501":
        return f"{cause}: not permitted", "데이터베이스 사용자의 권한이 모자라요. 테이블 권한을 확인해 주세요.", False
    if state[:2] in ("53", "54"):
        return f"{cause}: out of resources", "데이터베이스에 남은 자원이 없어요. 잠시 뒤에 다시 시도해 주세요.", False
    if type(error).__name__ in ("OperationalError", "ConnectionTimeout", "AdminShutdown", "CannotConnectNow"):
        return f"{cause}: not reached", "데이터베이스에 연결하지 못했어요. 서버와 DATABASE_URL을 확인해 주세요.", True
    if type(error).__name__ == "TimeoutError":
        return f"{cause}: no connection free", "데이터베이스가 바빠요. 잠시 뒤에 다시 시도해 주세요.", False
    return cause, "데이터베이스가 요청을 처리하지 못했어요. 잠시 뒤에 다시 시도해 주세요.", False
