"""Korean texts that several modules draw."""

from __future__ import annotations

BRAND, TITLE = "맥락", "맥락 · 영상의 맥락으로 찾는 검색"
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
