from __future__ import annotations

import pytest

from search_core.korean import detect_language


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("메모리 대역폭", "ko"),
        ("memory bandwidth", "en"),
        ("東京タワーの高さ", "ja"),
        ("北京大学", "zh"),
        ("Привет", "ru"),
        ("", ""),
        ("😀", ""),
    ],
)
def test_language_is_told_by_script(text: str, code: str) -> None:
    """The script decides, and a text without letters has no language."""
    assert code == detect_language(text)
