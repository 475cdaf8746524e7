"""Why a model cannot be used, in the words of its process and of the process that starts it."""

from __future__ import annotations

KOREAN = {
    "absent": "EMBEDDING_MODEL에 적힌 의미 분석 모델이 이 컴퓨터에 없어요.",
    "folder": "EMBEDDING_MODEL에 적힌 폴더가 없어요.",
    "no_wheel": "함께 들어오는 의미 분석 모델이 이 컴퓨터에는 없어요.",
    "not_installed": "의미 분석 모델을 불러오는 sentence-transformers가 설치되지 않았어요. 서버에서 make models를 실행해 주세요.",
    "library": "의미 분석 프로그램이 설치되어 있지 않아요.",
    "load": "의미 분석 모델을 불러오지 못했어요.",
    "memory": "비어 있는 메모리가 2GB보다 적어 의미 분석 모델을 쓰지 않아요.",
    "weights": "의미 분석 모델의 파일을 읽지 못했어요.",
    "hang": "의미 분석 모델을 불러오다 멈췄어요.",
    "crash": "의미 분석 모델이 거듭 멈췄어요.",
}
EXPECTED = ("absent", "folder", "no_wheel", "memory")
"""Such a machine works without a model."""
FETCHABLE = ("absent", "no_wheel", "load")
"""What fetching its files from a hub may help against."""
_MEMORY_S = 15.0
"""Looking at the memory costs nothing."""
_ELSE_S = 600.0


def retry_after_s(kind: str) -> float:
    """Return after how many seconds a model that could not be used is tried again."""
    return _MEMORY_S if kind == "memory" else _ELSE_S
