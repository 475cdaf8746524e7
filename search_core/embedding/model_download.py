"""A model fetched from its hub by a child process, on request only: its size first, then its files."""

from __future__ import annotations

import logging
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from search_core.child_process import Cancellation, ChildError, ChildPool, python_call, serve
from search_core.domain import DownloadState, DownloadStep
from search_core.job import Job

_log = logging.getLogger(__name__)

_NAME = re.compile(r"[\w.-]+(/[\w.-]+)?")
_LOOK, _FETCH = "look", "fetch"
_ENVIRONMENT = {
    "HF_HUB_DISABLE_XET": "1",  # whose transfers begin anew after an interruption
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
}
_STEP_S = 3600.0
"""For one step; the longest holds all files against their hashes."""
_KOREAN = {
    "away": "모델 저장소가 지금은 답하지 못해요. 잠시 뒤에 다시 시도해 주세요.",
    "busy": "모델 저장소가 요청이 많다며 잠시 쉬어 달라고 해요. 몇 분 뒤에 다시 시도해 주세요.",
    "damaged": "받은 파일이 온전하지 않아 쓰지 않았어요. 다시 내려받아 주세요.",
    "elsewhere": "다른 프로그램이 이 모델을 내려받고 있어요. 끝난 뒤에 다시 확인해 주세요.",
    "folder": "모델을 둘 폴더에 쓸 수 없어요. HF_HOME이 가리키는 폴더의 권한을 확인해 주세요.",
    "gated": "이 모델은 허락을 받은 계정만 내려받을 수 있어요. 모델 페이지에서 허락을 받고 HF_TOKEN을 설정해 주세요.",
    "name": "모델 저장소에 그 이름의 모델이 없어요. EMBEDDING_MODEL을 확인해 주세요.",
    "offline": "모델 저장소에 연결하지 못했거나 연결이 끊겼어요. 네트워크를 확인하고 다시 시도해 주세요.",
    "room": "디스크에 남은 공간이 모자라요. 공간을 비우고 다시 시도해 주세요.",
    "strange": "모델 저장소의 답을 쓸 수 없어요. HF_ENDPOINT와 네트워크 설정을 확인해 주세요.",
    "switched_off": "HF_HUB_OFFLINE이 켜져 있어 모델 저장소에 묻지 않았어요.",
    "unusable": "이 모델에는 여기서 읽을 수 있는 형태의 파일이 없어요. 다른 모델을 EMBEDDING_MODEL에 적어 주세요.",
}
_BROKE_OFF = {
    _LOOK: "모델의 크기를 알아보지 못했어요. 다시 시도해 주세요.",
    _FETCH: "내려받기가 도중에 멈췄어요. 다시 누르면 받은 데서부터 이어 받아요.",
}


class ModelDownload(Job[DownloadState]):
    """Asks a hub about one model and fetches it, each on request; what was fetched stays when it is cancelled."""

    def __init__(self, model: str, on_fetched: Callable[[], None]) -> None:
        """Take the model's name on the hub, and what to call when it is here; sends no request."""
        super().__init__(DownloadState(model=model))
        self._on_fetched = on_fetched
        self._process: ChildPool | None = None
        self._cancellation = Cancellation()
        self._ended.set()

    @property
    def state(self) -> DownloadState:
        """Return how far the download is."""
        return self._snapshot

    def look_up(self) -> None:
        """Ask the hub how large the model is; returns at once, does nothing while something is under way."""
        self._begin(_LOOK, DownloadStep.ASKING)

    def fetch(self) -> None:
        """Fetch the model, from where it broke off; returns at once, does nothing while something is under way."""
        self._begin(_FETCH, DownloadStep.FETCHING)

    def cancel(self) -> None:
        """End what is under way; what was fetched stays on the disk for the next time."""
        with self._lock:
            process, self._process = self._process, None
            if self._snapshot.under_way:
                step = DownloadStep.OFFERED if self._snapshot.total_bytes else DownloadStep.IDLE
                self._snapshot = replace(self._snapshot, step=step, problem="")
        if process is not None:
            self._cancellation.cancel()  # so that no step after this one starts it again
            process.close()
            self._ended.set()

    def _begin(self, what: str, step: DownloadStep) -> None:
        with self._lock:
            if self._snapshot.under_way:
                return
            self._snapshot = replace(self._snapshot, step=step, problem="")
            self._ended.clear()
            command = python_call("search_core.embedding.model_download:serve_download", what, self._snapshot.model)
            self._process = process = ChildPool(command, size=1)
            self._cancellation = Cancellation()
        threading.Thread(
            target=self._follow, args=(process, what, self._cancellation), name="maekrak-model-download", daemon=True
        ).start()

    def _follow(self, process: ChildPool, what: str, cancellation: Cancellation) -> None:
        """Have *process* do step after step, publishing each, and end in a state in any case."""
        told: dict[str, Any] = {}
        try:
            while not told.keys() & {"done", "failed"}:
                told = process.ask({}, b"", limit_s=_STEP_S, cancellation=cancellation)
                self._take(process, told)
        except ChildError as error:
            _log.info("The process that fetches %s broke off: %s", self._snapshot.model, error)
        process.close()
        fetched = what == _FETCH and "done" in told
        with self._lock:
            if self._process is not process:
                return  # cancelled
            self._process = None
        if fetched:
            self._on_fetched()  # first, so that nobody sees a model that is here and not at work
        with self._lock:
            if fetched:
                self._snapshot = replace(self._snapshot, step=DownloadStep.FETCHED, here_bytes=self._snapshot.total_bytes)
            elif "done" in told:
                self._snapshot = replace(self._snapshot, step=DownloadStep.OFFERED)
            elif self._snapshot.under_way:  # it died without a word
                self._snapshot = replace(self._snapshot, step=DownloadStep.FAILED, problem=_BROKE_OFF[what])
        self._ended.set()

    def _take(self, process: ChildPool, told: dict[str, Any]) -> None:
        with self._lock:
            if self._process is not process:
                return
            match told:
                case {"total": int(total), "here": int(here), "free": int(free)}:
                    self._snapshot = replace(self._snapshot, total_bytes=total, here_bytes=here, free_bytes=free)
                case {"here": int(here)}:
                    self._snapshot = replace(self._snapshot, here_bytes=here)
                case {"failed": str(kind), "cause": str(cause)}:
                    _log.warning("The model %s cannot be had (%s): %s", self._snapshot.model, kind, cause)
                    self._snapshot = replace(self._snapshot, step=DownloadStep.FAILED, problem=_KOREAN.get(kind, _KOREAN["away"]))


def serve_download(what: str, name: str) -> None:
    """Look a model up, and fetch it where that is asked for: each request has this process do the next step and tell of it."""
    os.environ.update(_ENVIRONMENT)
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())  # the library warns there of what is told anyway
    steps = _steps(what, name)
    serve(lambda *_: next(steps), memory_bytes=None)


def _steps(what: str, name: str) -> Iterator[dict[str, Any]]:
    from search_core.embedding import model_hub

    try:
        model = model_hub.HubModel(name)
        yield {"total": model.total_bytes, "here": model.fetched_bytes, "free": model_hub.free_disk_bytes()}
        if what == _FETCH:
            for here in model.fetch():
                yield {"here": here}
        else:
            model.hold_room()
        yield {"done": True}
    except model_hub.HubError as error:
        yield {"failed": error.kind, "cause": str(error)}


def may_be_on_a_hub(model: str) -> bool:
    """Return whether *model* has the form of a name on a hub, and is no folder."""
    return _NAME.fullmatch(model) is not None
