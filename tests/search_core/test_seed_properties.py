"""Each of the seventeen properties that the product was asked to keep is tried, often and in videos of all kinds."""

from __future__ import annotations

import ast
import re
from pathlib import Path

TAG = re.compile(r"Feature: improved-web-search, Property (\d+): \w")


def test_every_property_is_tried_in_generated_videos():
    """By the examples of ``SEED``, with a generated video or what is found for one; Property 2 is tagged once, and so on."""
    tried: list[int] = []
    for path in sorted(Path(__file__).parent.rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        for test in ast.walk(ast.parse(text)) if TAG.search(text) and path.name != Path(__file__).name else ():
            if isinstance(test, ast.FunctionDef) and "SEED" in [ast.unparse(each) for each in test.decorator_list]:
                tried += map(int, TAG.findall(ast.get_docstring(test) or ""))
                assert {"video", "found", "result", "results", "query"} & {each.arg for each in test.args.args}, test.name
    assert sorted(tried) == list(range(1, 18))
