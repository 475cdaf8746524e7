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


def test_a_page_is_read_from_its_markup_and_from_a_file(extract, tmp_path: Path):
    """``html`` and ``path`` give the same text, in an old Korean encoding as well; the address tells the date."""
    file = tmp_path / "page.html"
    file.write_bytes(PAGE.encode("cp949"))
    first, second = extract(
        {"id": 1, "html": PAGE, "url": "https://example.org/2026/03/04/a", "extra": True}, {"id": "b", "path": str(file)}
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


def test_a_page_without_a_text_says_so(extract):
    """A shell has an error and no text, and the run goes on."""
    shell, page = extract({"id": 1, "html": "<div id=root></div>"}, {"id": 2, "html": PAGE})
    assert (shell["text"], shell["method"]) == ("", "")
    assert shell["error"]
    assert TEXT in page["text"]


def test_a_bad_line_says_why_and_the_run_goes_on(extract, tmp_path: Path):
    """Lines without a page, with an unreadable path or a page that is too large each get an error."""
    large = tmp_path / "large.html"
    large.write_bytes(b"x" * ((4 << 20) + 1))
    bad = [
        {"id": 0},
        {"id": 1, "html": 5},
        {"id": 2, "path": ""},
        {"id": 3, "path": str(tmp_path / "missing.html")},
        {"id": 4, "path": str(tmp_path)},
        {"id": 5, "path": "a\x00b"},
        {"id": 6, "path": str(large)},
        {"id": 7, "html": "\ud800"},
    ]
    *errors, page = extract(*bad, {"id": 8, "html": PAGE})
    assert [row["id"] for row in errors] == list(range(8))
    assert all(row["error"] for row in errors)
    assert (page["id"], page["error"]) == (8, None)
