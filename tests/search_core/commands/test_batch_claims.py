"""``batch claims``: what of given sentences is worth a check, for scripts."""

from __future__ import annotations

import io
import json
import sys

import pytest

from search_core.commands import main


@pytest.fixture
def claims(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path):
    monkeypatch.setenv("EMBEDDING_MODEL", "kiwi")
    monkeypatch.setenv("MAEKRAK_DATA_DIR", str(tmp_path / "data"))

    def run(*rows: object) -> list[dict]:
        monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(json.dumps(row, ensure_ascii=False) for row in rows)))
        assert main(["batch", "claims"]) == 0
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return run


def test_each_sentence_has_a_score_and_claims_stand_alone(claims):
    """Scores are in the order of the sentences; a claim tells its sentence, its quote and when it is said."""
    said = [
        {"text": "안녕하세요 여러분!"},
        {"text": "엔비디아는 지난해 609억 달러를 벌었습니다.", "start_s": 12.5, "speaker": "진행"},
        {"text": "이 회사는 직원이 3만 명을 넘었어요.", "unknown": 1},
    ]
    (row,) = claims({"id": 7, "sentences": said, "video": {"title": "엔비디아 이야기", "published_at": "2024-03-02"}})
    assert (row["id"], len(row["scores"])) == (7, 3)
    assert all(0 <= score <= 1 for score in row["scores"])
    first, second = row["claims"]
    assert first == {
        "sentence": 1,
        "text": "엔비디아는 2023년 609억 달러를 벌었습니다.",
        "quote": "엔비디아는 지난해 609억 달러를 벌었습니다.",
        "start_s": 12.5,
        "score": row["scores"][1],
    }
    assert (second["text"], second["start_s"]) == ("엔비디아는 직원이 3만 명을 넘었어요.", None)


def test_a_bad_line_is_an_error_of_its_own(claims):
    """Sentences that are no list, or have no text, end that line alone."""
    first, second, third = claims(
        {"id": 1, "sentences": "글"}, {"id": 2, "sentences": [{"start_s": 1}]}, {"id": 3, "sentences": []}
    )
    assert "'sentences'" in first["error"]
    assert "'text'" in second["error"]
    assert third == {"id": 3, "scores": [], "claims": []}
