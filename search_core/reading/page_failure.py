"""What a page that could not be read is said to be."""

from __future__ import annotations

from search_core.errors import PageFailure, PageReadError

_KOREAN = {
    PageFailure.REFUSED_ADDRESS: "공개된 웹 주소가 아니어서 읽지 않았어요.",
    PageFailure.NETWORK: "페이지에 연결하지 못했어요. 잠시 뒤에 다시 시도해 주세요.",
    PageFailure.TIMEOUT: "페이지가 제때 답하지 않았어요. 잠시 뒤에 다시 시도해 주세요.",
    PageFailure.TOO_LARGE: "페이지가 너무 커서 읽지 않았어요. 원문을 직접 열어 주세요.",
    PageFailure.WRONG_TYPE: "글로 된 웹 페이지가 아니어서 읽지 못했어요. 원문을 직접 열어 주세요.",
    PageFailure.BLOCKED: "사이트가 자동 접근을 막아 읽지 못했어요. 원문을 직접 열어 주세요.",
    PageFailure.UNREADABLE: "페이지에서 본문을 찾지 못했어요. 원문을 직접 열어 주세요.",
}


def page_failure(kind: PageFailure, message: str) -> PageReadError:
    """Return the error of *kind* with its Korean sentence; *message* holds no address, only a host."""
    return PageReadError(kind, message, korean=_KOREAN[kind])
