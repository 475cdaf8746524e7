"""A model fetched by a child process from a hub on loopback, with all that hubs, networks and disks do to it."""

from __future__ import annotations

import hashlib
import os
import signal
import socket
from pathlib import Path

import pytest
from filelock import FileLock

from search_core.domain import DownloadStep
from search_core.embedding.model_download import ModelDownload, may_be_on_a_hub
from search_core.embedding.model_hub import HubFile, choose_files
from tests.loopback.child_processes import running_children
from tests.loopback.hub import COMMIT, NAME, ModelHub
from tests.loopback.tiny_model import tiny_model

WAIT_S = 120
FILES = tiny_model()
WEIGHTS = FILES["model.safetensors"]
READ = sum(len(data) for path, data in FILES.items() if path != "onnx/model.onnx")
HALF = 2_500_000

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    for name in ("HF_TOKEN", "HF_HUB_OFFLINE", "HF_HUB_CACHE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "hf" / "hub" / "models--maekrak--tiny"


@pytest.fixture
def hub(cache, monkeypatch):
    with ModelHub(FILES) as served:
        monkeypatch.setenv("HF_ENDPOINT", served.url)
        yield served


@pytest.fixture
def download(cache):
    fetched = []
    asked = ModelDownload(NAME, lambda: fetched.append(True))
    asked.fetched = fetched
    yield asked
    asked.cancel()


def processes():
    return [each.pid for each in running_children("serve_download")]


def part_of(cache):
    return cache / "blobs" / f"{hashlib.sha256(WEIGHTS).hexdigest()}.incomplete"


def whole(cache):
    """Tell whether the snapshot holds what is read of the model, as the hub has it."""
    snapshot = cache / "snapshots" / COMMIT
    return all((snapshot / path).read_bytes() == data for path, data in FILES.items() if path != "onnx/model.onnx")


def fetch(download):
    download.fetch()
    download.wait(WAIT_S)
    return download.state


def test_the_size_is_known_before_all_that_is_read_is_fetched(hub, download, cache):
    """No request goes out before a click; looking up fetches no file; fetching takes one form of the weights, whole."""
    assert (download.state.step, processes(), hub.asked) == (DownloadStep.IDLE, [], [])
    download.look_up()
    download.wait(WAIT_S)
    state = download.state
    assert (state.step, state.total_bytes, state.here_bytes) == (DownloadStep.OFFERED, READ, 0)
    assert state.free_bytes > READ
    assert not cache.exists()
    assert download.fetched == []
    state = fetch(download)
    assert (state.step, state.here_bytes, state.problem) == (DownloadStep.FETCHED, READ, "")
    assert whole(cache)
    assert not (cache / "snapshots" / COMMIT / "onnx").exists()
    assert download.fetched == [True]


@pytest.mark.parametrize("how", ["cancelled", "killed"])
def test_what_was_fetched_is_not_fetched_again(hub, download, cache, how):
    """After a cancel, and after a kill amid a file, the next click goes on from the byte it broke off at."""
    hub.hold_after = HALF
    download.fetch()
    assert hub.held.wait(WAIT_S)
    while not part_of(cache).stat().st_size:  # the hub has sent it; the child writes it in its own time
        assert not download.wait(0.01)
        assert download.state.step is DownloadStep.FETCHING
    if how == "cancelled":
        download.cancel()
        assert (download.state.step, download.state.problem, processes()) == (DownloadStep.OFFERED, "", [])
    else:
        os.kill(*processes(), signal.SIGKILL)
        assert download.wait(WAIT_S)
        assert download.state.step is DownloadStep.FAILED
        assert "이어 받아요" in download.state.problem
        hub.ignore_range = True  # what then comes whole stands in the place of the part that was here
    hub.hold_after = None
    hub.go_on.set()
    had = part_of(cache).stat().st_size
    assert 0 < had < len(WEIGHTS)
    assert fetch(download).step is DownloadStep.FETCHED
    assert hub.ranges() == ["bytes=0-", f"bytes={had}-"]
    assert whole(cache)
    assert not part_of(cache).exists()


def test_a_body_that_breaks_off_is_gone_on_with(hub, download, cache):
    """A connection closed amid a file costs what is missing, and nobody has to click again."""
    hub.cut_after = HALF
    assert fetch(download).step is DownloadStep.FETCHED
    assert len(hub.ranges()) == 2
    assert hub.ranges()[1] != "bytes=0-"
    assert whole(cache)


def test_damage_is_found_out(hub, download, cache):
    """A file whose hash is another one is not used, is removed, and comes whole the next time."""
    hub.damage = True
    state = fetch(download)
    assert (state.step, "온전하지 않아" in state.problem) == (DownloadStep.FAILED, True)
    assert not (cache / "snapshots" / COMMIT / "model.safetensors").exists()
    hub.damage = False
    assert fetch(download).step is DownloadStep.FETCHED
    assert whole(cache)


@pytest.mark.parametrize(
    ("status", "code", "said"),
    [
        (401, "RepoNotFound", "그 이름의 모델이 없어요"),
        (401, "GatedRepo", "허락을 받은 계정만"),
        (429, "", "몇 분 뒤에"),
    ],
)
def test_a_refusal_is_a_sentence(hub, download, status, code, said):
    """Each way in which a hub refuses is told in Korean, with what to do."""
    hub.refuse = (status, code)
    download.look_up()
    download.wait(WAIT_S)
    state = download.state
    assert (state.step, said in state.problem) == (DownloadStep.FAILED, True), state.problem


def test_a_refusal_amid_the_files_is_a_sentence(hub, download):
    """The content network may refuse what the hub allowed."""
    hub.refuse_large = 503
    assert "지금은 답하지 못해요" in fetch(download).problem


def test_without_a_network_it_says_so(cache, download, monkeypatch):
    """A hub that cannot be reached is told, with what to look at."""
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{nobody.getsockname()[1]}")
        download.look_up()
        assert download.wait(WAIT_S)
        assert "연결하지 못했거나" in download.state.problem


def test_a_model_too_large_for_the_disk_is_not_begun(hub, download, cache):
    """The room is looked at before the first byte."""
    hub.claimed_bytes = 10**15
    assert "공간이 모자라요" in fetch(download).problem
    assert hub.ranges() == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
def test_a_disk_that_fills_up_amid_a_file_is_a_sentence(hub, download, cache):
    """It is told as a full disk and not as a broken network."""
    part_of(cache).parent.mkdir(parents=True)
    part_of(cache).symlink_to("/dev/full")
    assert "공간이 모자라요" in fetch(download).problem


def test_a_folder_that_takes_nothing_is_a_sentence(hub, download, cache):
    """A file where the folder should be stands for every folder that cannot be written."""
    cache.parents[1].write_text("no folder", encoding="utf-8")
    assert "HF_HOME" in fetch(download).problem


def test_two_processes_do_not_fetch_the_same_model(hub, download, cache):
    """The second one says that the first is at it."""
    lock = cache.parent / ".locks" / f"{cache.name}.lock"
    lock.parent.mkdir(parents=True)
    with FileLock(lock):
        assert "다른 프로그램" in fetch(download).problem


def test_one_form_of_the_weights_is_chosen_in_each_folder():
    """Safetensors before pickles, pickles where there is nothing else, never those of other programs."""
    listed = [
        "README.md", "model.safetensors", "pytorch_model.bin", "2_Dense/pytorch_model.bin", "onnx/model.onnx", "tf_model.h5",
        "openvino/openvino_model.bin", "1_Pooling/config.json", ".gitattributes", "model-q8.gguf", "picture.png",
    ]  # fmt: skip
    chosen = [file.path for file in choose_files([HubFile(path, 1, "") for path in listed])]
    assert chosen == ["README.md", "model.safetensors", "2_Dense/pytorch_model.bin", "1_Pooling/config.json"]


def test_only_names_of_a_hub_are_asked_for_there():
    """A path is no name, so that nobody is asked for it."""
    assert all(map(may_be_on_a_hub, ("intfloat/multilingual-e5-small", "all-MiniLM-L6-v2")))
    assert not any(map(may_be_on_a_hub, ("/models/mine", "../x/y", "")))
