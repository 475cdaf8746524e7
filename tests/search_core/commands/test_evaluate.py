"""``evaluate``: labelled searches of a file or of the page, on the defaults of an installation without a model."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from search_core.commands import main
from search_core.domain import SCORE_SCALE, Label
from search_core.settings import Settings
from search_core.storage import Database
from search_core.storage.stored_searches import StoredSearches
from tests.search_core.storage.test_stored_searches import REPORT

RELEVANT = {
    "id": "1",
    "title": "HBM4 양산 시작",
    "snippet": "SK하이닉스가 HBM4 양산을 시작했다.",
    "url": "https://a.kr/1",
    "relevant": 1,
}
WEATHER = {"id": "2", "title": "오늘의 날씨", "snippet": "전국이 맑다.", "url": "https://b.kr/2", "relevant": 0}
UNJUDGED = {"id": "3", "title": "HBM4 공급", "snippet": "HBM4 양산 물량이 는다.", "url": "https://c.kr/3", "relevant": None}
DOCUMENTS = (RELEVANT, WEATHER, UNJUDGED)


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MAEKRAK_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("EMBEDDING_MODEL", "kiwi")
    monkeypatch.setenv("SEARCH_PROVIDERS", "library")


def label_file(folder: Path, *lines: Any) -> str:
    path = folder / "labels.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines))
    return str(path)


def search(name: str, *documents: dict[str, Any]) -> dict[str, Any]:
    return {"id": name, "query": "HBM4 양산은 시작됐나", "results": [*documents]}


def evaluated(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, Any]:
    assert main(["evaluate", *args]) == 0
    return dict(json.loads(capsys.readouterr().out))


def test_searches_are_scored_and_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Of three results, two judged, the relevant one is first; at 100 points none is shown; lines are counted, not ids."""
    found = evaluated(capsys, label_file(tmp_path, search("a", *DOCUMENTS)))
    assert (found["searches"], found["results"], found["labels"], found["scorer"]) == (1, 3, 2, "kiwi")
    assert found["measures"]["judged@10"] == pytest.approx(2 / 3)
    assert found["measures"]["precision_shown"] == 1.0
    assert (found["suggested"]["threshold"], found["suggested"]["missing_searches"]) == (None, 10)
    assert evaluated(capsys, label_file(tmp_path, search("a", *DOCUMENTS), search("a", *DOCUMENTS)))["searches"] == 2
    found = evaluated(capsys, label_file(tmp_path, search("a", *DOCUMENTS)), "--threshold", "1")
    assert (found["ranking"]["threshold"], found["measures"]["recall_found"]) == (1.0, 0.0)
    assert found["measures"]["precision_shown"] is None


def test_bad_lines_are_named_and_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """A line that is no JSON and one without results are named by their number; where none is left, or no file is, it fails."""
    assert main(["evaluate", label_file(tmp_path, "{", search("a", *DOCUMENTS), {"id": "b", "query": "x"})]) == 0
    out, err = capsys.readouterr()
    assert (json.loads(out)["searches"], json.loads(out)["labels"]) == (1, 2)
    assert [line.split(":")[0] for line in err.splitlines()] == ["line 1", "line 3"]
    assert main(["evaluate", label_file(tmp_path, "{")]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["measures"]["ndcg@10"], found["judged"]) == (None, None)
    assert main(["evaluate", str(tmp_path / "nothing.jsonl")]) == 1
    assert "error:" in capsys.readouterr().err


def test_without_a_file_the_labels_of_the_page_are_measured(capsys: pytest.CaptureFixture[str]):
    """Labels of every owner count, with the scores that the searches had, those of another scale aside; without any it fails."""
    assert main(["evaluate"]) == 1
    capsys.readouterr()
    database = Database.of(Settings())
    searches = StoredSearches(database)
    for number, (owner, label) in enumerate((("", Label.RELEVANT), ("somebody", Label.NOT_RELEVANT))):
        searches.keep(str(number), owner, replace(REPORT, scale=SCORE_SCALE))
        searches.label(str(number), owner, "https://a.kr/1", label)
    searches.keep("of a weighted sum", "", REPORT)
    searches.label("of a weighted sum", "", "https://a.kr/1", Label.NOT_RELEVANT)
    database.close()
    found = evaluated(capsys)
    assert (found["searches"], found["results"], found["labels"], found["scorer"]) == (2, 4, 2, "kiwi")
    assert found["measures"]["precision_shown"] == 0.5
    assert found["measures"]["ndcg@10"] == 1.0
