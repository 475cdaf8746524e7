"""``batch extract``: the text of pages, for scripts."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from search_core.commands import main

TEXT = "정부는 오늘 인터포저 위에 메모리를 쌓는 새로운 공정을 지원하겠다고 발표했습니다."
BODY = f"<article><h1>공정 지원</h1>{f'<p>{TEXT}</p>' * 3}</article>"
PAGE = f"<html><head><title>공정 지원</title></head><body>{BODY}</body></html>"


@pytest.fixture
def extract(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    def run(*rows: object) -> list[dict]:
        lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
        monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines)))
        assert main(["batch", "extract"]) == 0
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return run


def test_pages_become_texts_and_bad_lines_errors(extract, tmp_path: Path):
    """``html`` and ``path`` give one text, in an old Korean encoding, too; a shell and unusable lines each have an error."""
    file, large = tmp_path / "page.html", tmp_path / "large.html"
    file.write_bytes(PAGE.encode("cp949"))
    large.write_bytes(b"x" * ((4 << 20) + 1))
    bad = (
        {"id": 0},
        {"id": 1, "html": 5},
        {"id": 2, "path": ""},
        {"id": 3, "path": str(tmp_path / "missing.html")},
        {"id": 4, "path": str(tmp_path)},
        {"id": 5, "path": "a\x00b"},
        {"id": 6, "path": str(large)},
        {"id": 7, "html": "\ud800"},
    )
    first, second, shell, *errors, last = extract(
        {"id": 1, "html": PAGE, "url": "https://example.org/2026/03/04/a", "extra": True},
        {"id": "b", "path": str(file)},
        {"id": 1, "html": "<div id=root></div>"},
        *bad,
        {"id": 8, "html": PAGE},
    )
    assert first == {
        "id": 1,
        "title": "공정 지원",
        "text": first["text"],
        "published": "2026-03-04T00:00:00+00:00",
        "method": "trafilatura",
        "error": None,
    }
    assert TEXT in first["text"]
    assert (second["id"], second["text"], second["published"]) == ("b", first["text"], None)
    assert (shell["text"], shell["method"], bool(shell["error"])) == ("", "", True)
    assert [(row["id"], bool(row["error"])) for row in errors] == [(row["id"], True) for row in bad]
    assert (last["id"], last["error"], last["text"]) == (8, None, first["text"])
