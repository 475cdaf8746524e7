"""The words that visitors read name none of the operators' settings."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SETTING = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")


def test_no_sentence_of_a_page_names_a_setting():
    """Visitors read what to do, and never the name of an environment variable; docstrings are for developers."""
    named = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted((ROOT / "pages").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if re.search("[가-힣]", node.value) and SETTING.search(node.value)
    ]
    assert named == []
