"""Korean texts that several modules draw, and lengths in words."""

from __future__ import annotations

import math

BRAND, TITLE = "맥락", "맥락 · 영상의 맥락으로 찾는 검색"
OPEN_TITLE = "내 영상 열기"
TYPED_NAME = "직접 입력"
STATUSES = {
    "success": "성공",
    "no_results": "결과 없음",
    "api_key_missing": "키 없음",
    "invalid_api_key": "키가 맞지 않음",
    "quota_exhausted": "사용량 소진",
    "rate_limited": "요청 한도 초과",
    "blocked": "접속 막힘",
    "network_error": "연결 안 됨",
    "timeout": "시간 초과",
    "not_awaited": "기다리지 않음",
    "invalid_response": "읽을 수 없는 답",
    "cooling_down": "쉬는 중",
    "unknown_error": "알 수 없는 오류",
}


def weight(count: int) -> str:
    """Return a number of bytes as ``470MB`` or, from a thousand of those on, ``1.2GB``; less than one counts as one."""
    megabytes = math.ceil(count / 1e6)
    return f"{count / 1e9:,.1f}GB" if megabytes >= 1000 else f"{megabytes}MB"
