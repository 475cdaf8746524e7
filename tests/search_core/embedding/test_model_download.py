"""A model fetched by a child process from a hub on loopback, and what hubs, networks and disks do to that."""

from __future__ import annotations

import logging
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from search_core.domain import DownloadState, DownloadStep
from search_core.embedding.model_download import ModelDownload, may_be_on_a_hub, written_twice
from tests.loopback.child_processes import running_children
from tests.loopback.hub import COMMIT, NAME, ModelHub
from tests.loopback.tiny_model import tiny_model
from tests.search_core.research.workers import wait_until

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def fetched() -> list[bool]:
    """Filled once the model was fetched."""
    return []


@pytest.fixture
def download(cache: Path, fetched: list[bool]) -> Iterator[ModelDownload]:
    """A download of the hub's model, which nobody has asked for yet."""
    asked = ModelDownload(NAME, lambda: fetched.append(True))
    yield asked
    asked.close()


def fetch(download: ModelDownload) -> DownloadState:
    download.fetch()
    wait_until(lambda: not download.state.under_way)
    return download.state


def processes() -> list[int]:
    return [each.pid for each in running_children("serve_download")]


def test_all_that_is_read_is_fetched_on_request(hub: ModelHub, download: ModelDownload, cache: Path, fetched: list[bool]):
    """No request goes out before the click; then what loading reads comes whole, and weights in another form do not."""
    assert (download.state, processes(), hub.asked) == (DownloadState(model=NAME), [], [])
    assert fetch(download).step is DownloadStep.FETCHED
    snapshot = cache / "snapshots" / COMMIT
    files = tiny_model()
    assert "onnx/model.onnx" in files
    assert all((snapshot / path).read_bytes() == data for path, data in files.items() if path != "onnx/model.onnx")
    assert not (snapshot / "onnx").exists()
    assert fetched == [True]
    wait_until(lambda: processes() == [])


def test_a_process_that_is_killed_can_be_followed_by_another(hub: ModelHub, download: ModelDownload, fetched: list[bool]):
    """What is under way is said, also to who clicks twice; a kill is a sentence, and the next click fetches the model."""
    hub.hold_after = 1_000_000
    download.fetch()
    wait_until(lambda: download.state.share > 0)
    download.fetch()
    [process] = processes()
    os.kill(process, signal.SIGKILL)
    wait_until(lambda: not download.state.under_way)
    assert (download.state.step, "도중에 멈췄어요" in download.state.problem) == (DownloadStep.FAILED, True)
    hub.hold_after = None
    hub.go_on.set()
    assert fetch(download).step is DownloadStep.FETCHED
    assert (download.state.problem, fetched) == ("", [True])


def test_closing_ends_a_download(hub: ModelHub, download: ModelDownload, caplog: pytest.LogCaptureFixture):
    """No process stays behind, and nothing is said of one that died."""
    hub.hold_after = 1_000_000
    with caplog.at_level(logging.INFO):
        download.fetch()
        wait_until(lambda: download.state.share > 0)
        download.close()
        assert processes() == []
        wait_until(lambda: not download.state.under_way)
    assert [record.message for record in caplog.records if record.levelno >= logging.WARNING] == []


@pytest.mark.parametrize(
    ("status", "code", "said"),
    [
        (401, "RepoNotFound", "그 이름의 모델이 없어요"),
        (401, "GatedRepo", "허락을 받은 계정만"),
        (429, "", "지금은 모델을 주지 못해요"),
    ],
)
def test_a_refusal_is_a_sentence(hub: ModelHub, download: ModelDownload, status: int, code: str, said: str):
    """Each way in which a hub refuses is told in Korean, with what to do."""
    hub.refuse = (status, code)
    state = fetch(download)
    assert (state.step, said in state.problem) == (DownloadStep.FAILED, True), state.problem


def test_a_refusal_amid_the_files_is_a_sentence(hub: ModelHub, download: ModelDownload):
    """The content network may refuse what the hub allowed."""
    hub.refuse_large = 403
    assert "지금은 모델을 주지 못해요" in fetch(download).problem


def test_without_a_network_it_says_so(cache: Path, download: ModelDownload, monkeypatch: pytest.MonkeyPatch):
    """A hub that cannot be reached is told, with what to look at."""
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{nobody.getsockname()[1]}")
        assert "연결하지 못했거나" in fetch(download).problem


def test_a_folder_that_takes_nothing_is_a_sentence(hub: ModelHub, download: ModelDownload, cache: Path):
    """A file where the folder should be stands for every folder that cannot be written."""
    cache.parents[1].write_text("no folder", encoding="utf-8")
    assert "HF_HOME" in fetch(download).problem


def test_weights_are_fetched_in_one_form():
    """A folder's pickles are left out where safetensors stand beside them, and only there."""
    listed = ["model.safetensors", "pytorch_model.bin", "2_Dense/pytorch_model.bin", "1_Pooling/config.json"]
    assert written_twice(listed) == ["pytorch_model.bin"]


def test_only_names_of_a_hub_are_asked_for_there():
    """A path is no name, so that nobody is asked for it."""
    assert all(map(may_be_on_a_hub, ("intfloat/multilingual-e5-small", "all-MiniLM-L6-v2")))
    assert not any(map(may_be_on_a_hub, ("/models/mine", "../x/y", "")))
