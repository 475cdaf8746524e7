"""A model fetched by ``huggingface_hub`` into the cache that it is loaded from, on request only, in a child process."""

from __future__ import annotations

import errno
import io
import logging
import os
import re
import sys
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from search_core.child_process import ChildError, ChildFailure, ChildPool, python_call, serve
from search_core.domain import DownloadState, DownloadStep

_log = logging.getLogger(__name__)

_NAME = re.compile(r"[\w.-]+(/[\w.-]+)?")
_ENVIRONMENT = {"HF_HUB_DISABLE_XET": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
"""Plain HTTP tells of each piece that has come; the other way only of whole files."""
_OTHER_FORMS = [
    *("*.ckpt", "*.gguf", "*.h5", "*.msgpack", "*.npz", "*.onnx", "*.onnx_data", "*.ot", "*.tflite"),
    *(".git*", "coreml/*", "onnx/*", "openvino/*"),
]
"""Weights in forms that sentence-transformers does not read."""
_LOOK_S = 0.5
_ANSWER_S = 60.0
"""The process answers each half second, how long the files may take."""
_KOREAN = {
    "away": "모델 저장소가 지금은 모델을 주지 못해요. 잠시 뒤에 다시 시도해 주세요.",
    "broke_off": "내려받기가 도중에 멈췄어요. 다시 시도해 주세요.",
    "folder": "모델을 둘 폴더에 쓸 수 없어요. HF_HOME이 가리키는 폴더의 권한을 확인해 주세요.",
    "gated": "이 모델은 허락을 받은 계정만 내려받을 수 있어요. 모델 페이지에서 허락을 받고 HF_TOKEN을 설정해 주세요.",
    "name": "모델 저장소에 그 이름의 모델이 없어요. EMBEDDING_MODEL을 확인해 주세요.",
    "offline": "모델 저장소에 연결하지 못했거나 연결이 끊겼어요. 네트워크를 확인하고 다시 시도해 주세요.",
    "room": "디스크에 남은 공간이 모자라요. 공간을 비우고 다시 시도해 주세요.",
}


class ModelDownload:
    """Fetches one model when it is asked to."""

    def __init__(self, model: str, on_fetched: Callable[[], None]) -> None:
        """Take the model's name on the hub, and what to call when it is here; sends no request."""
        self.state = DownloadState(model=model)
        self._on_fetched = on_fetched
        self._lock = threading.Lock()
        self._process: ChildPool | None = None

    def fetch(self) -> None:
        """Fetch the model; returns at once, does nothing while that is under way."""
        with self._lock:
            if self.state.under_way:
                return
            self.state = replace(self.state, step=DownloadStep.FETCHING, share=0.0, problem="")
            command = python_call("search_core.embedding.model_download:serve_download", self.state.model)
            self._process = process = ChildPool(command, size=1)
        threading.Thread(target=self._follow, args=(process,), name="maekrak-model-download", daemon=True).start()

    def close(self) -> None:
        """End what is under way."""
        with self._lock:
            if self._process is not None:
                self._process.close()

    def _follow(self, process: ChildPool) -> None:
        """Publish what *process* tells until it has fetched the model or cannot."""
        told: dict[str, Any] = {"share": 0.0}
        try:
            while "share" in told:
                self.state = replace(self.state, share=told["share"])
                told = process.ask({}, b"", limit_s=_ANSWER_S)
        except ChildError as error:
            if error.kind is ChildFailure.CANCELLED:
                self.state = replace(self.state, step=DownloadStep.IDLE)
                return
            told = {"failed": "broke_off", "cause": str(error)}
        process.close()
        if "failed" in told:
            _log.warning("The model %s cannot be had (%s): %s", self.state.model, told["failed"], told["cause"])
            self.state = replace(self.state, step=DownloadStep.FAILED, problem=_KOREAN[told["failed"]])
            return
        self._on_fetched()  # first, so that nobody sees a model that is here and not at work
        self.state = replace(self.state, step=DownloadStep.FETCHED)


def serve_download(name: str) -> None:
    """Fetch a model, and tell at each request how far that is."""
    os.environ.update(_ENVIRONMENT)
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())  # the library warns there of what is told anyway
    bars: list[Any] = []
    fetching = ThreadPoolExecutor(1).submit(_fetch, name, bars)
    serve(lambda *_: _how_far(fetching, bars), memory_bytes=None)


def _fetch(name: str, bars: list[Any]) -> None:
    """Fetch the model; what counts its bytes is added to *bars*."""
    from huggingface_hub import HfApi, snapshot_download
    from huggingface_hub.utils.tqdm import tqdm

    class Bar(tqdm):
        """Counts, and draws nothing."""

        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options | {"disable": False, "file": io.StringIO()})  # type: ignore[no-untyped-call]
            if options.get("unit") == "B":
                bars.append(self)

    unread = [*_OTHER_FORMS, *written_twice(HfApi().list_repo_files(name))]
    snapshot_download(name, ignore_patterns=unread, tqdm_class=Bar)


def written_twice(files: Iterable[str]) -> list[str]:
    """Return those of *files* that hold weights which stand beside them as safetensors, too."""
    paths = [PurePosixPath(file) for file in files]
    folders = {path.parent for path in paths if path.suffix == ".safetensors"}
    return [str(path) for path in paths if path.suffix == ".bin" and path.parent in folders]


def _how_far(fetching: Future[None], bars: list[Any]) -> dict[str, Any]:
    wait([fetching], _LOOK_S)
    if not fetching.done():
        return {"share": max((bar.n / bar.total for bar in bars if bar.total), default=0.0)}
    error = fetching.exception()
    return {"done": True} if error is None else {"failed": _kind(error), "cause": f"{type(error).__name__}: {error}"}


def _kind(error: BaseException) -> str:
    """Return what *error* means to whoever wants the model: the word of a Korean sentence."""
    import httpx2
    from huggingface_hub import errors

    match error:
        case errors.GatedRepoError():
            return "gated"
        case errors.RepositoryNotFoundError() | errors.HFValidationError():
            return "name"
        case errors.LocalEntryNotFoundError(__cause__=errors.HfHubHTTPError()) | errors.HfHubHTTPError():
            return "away"
        case errors.LocalEntryNotFoundError() | errors.OfflineModeIsEnabled() | httpx2.TransportError():
            return "offline"
        case OSError(errno=errno.ENOSPC | errno.EDQUOT):
            return "room"
        case OSError(errno=errno.EACCES | errno.EPERM | errno.EROFS | errno.ENOTDIR | errno.EEXIST):
            return "folder"
    return "away"


def may_be_on_a_hub(model: str) -> bool:
    """Return whether *model* has the form of a name on a hub, and is no folder."""
    return _NAME.fullmatch(model) is not None
