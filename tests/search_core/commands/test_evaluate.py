"""``evaluate``: labelled searches from a file, on the defaults of an installation without a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from search_core.commands import main
from search_core.ranking.evaluation.profile import Profile, profile_json
from tests.search_core.ranking.evaluation.made import BY_WORDS

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
    assert main(["evaluate", *args, "--json"]) == 0
    return dict(json.loads(capsys.readouterr().out))


def test_searches_are_scored_and_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Of three results, two judged, the relevant one is first; ten more searches are missing; lines are counted, not ids."""
    found = evaluated(capsys, label_file(tmp_path, search("a", *DOCUMENTS)))
    assert (found["searches"], found["results"], found["labels"], found["scorer"]) == (1, 3, 2, "kiwi")
    assert found["measures"]["judged@10"]["value"] == pytest.approx(2 / 3)
    assert found["measures"]["precision_shown"]["value"] == 1.0
    assert found["suggested"] is None
    assert found["not_suggested"]["missing_searches"] == 10
    assert evaluated(capsys, label_file(tmp_path, search("a", *DOCUMENTS), search("a", *DOCUMENTS)))["searches"] == 2


def test_bad_lines_are_named_and_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """A line that is no JSON and one without results are named by their number; where none is left the command fails."""
    assert main(["evaluate", label_file(tmp_path, "{", search("a", *DOCUMENTS), {"id": "b", "query": "x"})]) == 0
    out, err = capsys.readouterr()
    assert "검색 1건 · 결과 3개 · 판정 2개" in out
    assert [line.split(":")[0] for line in err.splitlines()] == ["line 1", "line 3"]
    assert main(["evaluate", label_file(tmp_path, "{"), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["measures"]["ndcg@10"]["value"], found["judged"]) == (None, None)


def test_a_profile_and_a_threshold_place_the_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """The settings of the file hold, and --threshold goes before its own."""
    profile = tmp_path / "p.json"
    profile.write_text(profile_json(Profile(name="낱말", ranking=BY_WORDS)), encoding="utf-8")
    file = label_file(tmp_path, search("a", *DOCUMENTS))
    assert evaluated(capsys, file, "--profile", str(profile))["ranking"]["threshold"] == 0.5
    found = evaluated(capsys, file, "--profile", str(profile), "--threshold", "0.7")["ranking"]
    assert (found["threshold"], found["weights"]["lexical"], found["weights"]["entity"]) == (0.7, 1, 0)


@pytest.mark.parametrize("args", [["nothing.jsonl"], ["--profile", "nothing.json", "labels.jsonl"]])
def test_what_cannot_be_read_is_said(args: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """A missing file is named in words."""
    label_file(tmp_path, search("a", *DOCUMENTS))
    paths = [str(tmp_path / arg) if arg.endswith(("jsonl", "json")) else arg for arg in args]
    assert main(["evaluate", *paths]) == 1
    assert "error:" in capsys.readouterr().err
