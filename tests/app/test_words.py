"""The words that visitors read: one term for each thing, and none of the operators' settings."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GONE = (
    *(
        "누구에게 물었나",
        "검색 범위",
        "어디까지 조사했",
        "무엇을 찾아봤나",
        "누가 판단했나",
        "판정",
        "결과 수 초과",
        "기준 아래",
        "새로 찾기",
    ),
    *(
        "만든 방법을 모르는",
        "이 주장으로",
        "영상 위의 판단",
        "지금까지로 마무리",
        "확신으로 약속",
        "견주",
        "견줄",
        "견준",
        "견줘",
        "견줬",
        "낱말",
    ),
    *("글쇠", "까닭", "눈금"),
)
SPOKEN = re.compile(r"[가-힣]요(?:[.,:) ]|$)[^\n]*\Z")
"""In a sentence to somebody, and in no list of words that are looked for."""
SETTING = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")


@cache
def _sentences(*folders: str) -> list[tuple[str, str]]:
    """Return the Korean texts of the code in *folders*, each with where it stands; docstrings are for developers."""
    found = []
    for path in (path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.search("[가-힣]", node.value):
                found.append((f"{path.relative_to(ROOT)}:{node.lineno}", node.value))
    return found


@pytest.mark.parametrize("term", GONE)
def test_terms_that_went_are_gone(term: str):
    """No text of the pages, and no sentence of results, files and the terminal, uses a term that was replaced."""
    told = (text for text in _sentences("search_core") if SPOKEN.search(text[1]))
    assert [where for where, text in (*_sentences("pages", "search_core/presenting"), *told) if term in text] == []


def test_no_sentence_of_a_page_names_a_setting():
    """Visitors read what to do, and never the name of an environment variable."""
    assert [where for where, text in _sentences("pages") if SETTING.search(text)] == []
