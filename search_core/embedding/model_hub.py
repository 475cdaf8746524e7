"""Models of a hub, fetched into the cache that its library reads: what a model weighs, and its files.

Only the process of ``model_download`` imports it. The hub's library begins a file anew after each interruption and takes
its length for proof (huggingface_hub 2.4.0, ``_download_to_tmp_and_move``). So the large files are fetched into the place where
that library looks for them, from where they broke off; the rest is its work, and so is holding all of them against their hashes.
"""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path
from typing import BinaryIO, NamedTuple

import httpx2
from filelock import FileLock, Timeout
from huggingface_hub import HfApi, get_session, get_token, hf_hub_url, hf_raise_for_status, snapshot_download
from huggingface_hub.constants import HF_HUB_CACHE
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    HFValidationError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
)
from huggingface_hub.file_download import repo_folder_name

_ASK_S = 15.0
_SILENCE_S = 30.0
"""A server that sends nothing for so long is given up; what came stays."""
_TRIES = 3
"""In a row without a byte."""
_CHUNK = 1 << 18
_SPARE = 256 << 20
"""Left free for whatever else writes to the disk meanwhile."""
_OTHER_FORMS = ("*.ckpt", "*.gguf", "*.h5", "*.msgpack", "*.npz", "*.onnx", "*.onnx_data", "*.ot", "*.tflite")
_NOT_READ = (*_OTHER_FORMS, ".git*", "coreml/*", "onnx/*", "openvino/*", "*.jpg", "*.pdf", "*.png", "*.svg")
"""Other forms of the same weights, and what is for people."""
_WEIGHTS = (".safetensors", ".bin")
_REFUSED = {401, 403}
_BUSY = 429


class HubError(Exception):
    """Names why a model cannot be had by a word that the page has a sentence for."""

    def __init__(self, kind: str, cause: str) -> None:
        super().__init__(cause)
        self.kind = kind


class HubFile(NamedTuple):
    """A file of a model."""

    path: str
    size: int
    sha256: str
    """Of a large file; empty for those that are stored in git itself."""


class HubModel:
    """A model by its name on the hub, as it stands there now; raises HubError wherever it cannot be had."""

    def __init__(self, name: str) -> None:
        """Ask the hub what the model consists of."""
        self.name = name
        with _as_hub_errors():
            info = HfApi().model_info(name, files_metadata=True, timeout=_ASK_S)
        self._commit = info.sha or "main"
        listed = [HubFile(file.rfilename, file.size or 0, file.lfs.sha256 if file.lfs else "") for file in info.siblings or ()]
        self.files = choose_files(listed)
        if not any(file.path.endswith(_WEIGHTS) for file in self.files):
            raise HubError("unusable", f"{name} has no weights in a form that can be read here")
        self._folder = Path(HF_HUB_CACHE) / repo_folder_name(repo_id=name, repo_type="model")

    @property
    def total_bytes(self) -> int:
        """Return how large the model is."""
        return sum(file.size for file in self.files)

    @property
    def fetched_bytes(self) -> int:
        """Return how much of its large files is on this machine."""
        return sum(_size(self._blob(file)) or _size(self._part(file)) for file in self.files if file.sha256)

    def hold_room(self) -> None:
        """Raise HubError where the disk has no room for what is missing."""
        missing, free = self.total_bytes - self.fetched_bytes, free_disk_bytes()
        if missing > 0 and missing + _SPARE > free:
            raise HubError("room", f"{missing} bytes are missing and {free} are free")

    def fetch(self) -> Iterator[int]:
        """Fetch what is missing, hold all files against the hub's hashes, and yield how many bytes are here as they come."""
        self.hold_room()
        with _as_hub_errors(), self._alone():
            done = 0
            for file in (file for file in self.files if file.sha256):
                for here in self._fetch_large(file):
                    yield done + here
                done += file.size
            snapshot_download(self.name, allow_patterns=[file.path for file in self.files])
            self._verify()
            yield self.total_bytes

    def _fetch_large(self, file: HubFile) -> Iterator[int]:
        """Yield how much of *file* is here, from what was here before to all of it."""
        blob, part = self._blob(file), self._part(file)
        if _size(blob):
            yield file.size
            return
        blob.parent.mkdir(parents=True, exist_ok=True)
        with part.open("ab") as stream:
            if stream.tell() > file.size:
                stream.truncate(0)
            yield stream.tell()
            yield from self._read(file, stream)
        part.replace(blob)

    def _read(self, file: HubFile, stream: BinaryIO) -> Iterator[int]:
        fails = 0
        while (here := stream.tell()) < file.size:
            try:
                yield from self._read_once(file, stream)
            except (httpx2.TransportError, httpx2.StreamError) as error:
                fails = fails + 1 if stream.tell() == here else 0
                if fails == _TRIES:
                    raise HubError("offline", f"{file.path} broke off: {type(error).__name__}: {error}") from error
            else:
                if here == stream.tell():
                    raise HubError("damaged", f"{file.path} ends after {here} of {file.size} bytes")
        if stream.tell() > file.size:
            stream.truncate(0)
            raise HubError("damaged", f"{file.path} is longer than {file.size} bytes")

    def _read_once(self, file: HubFile, stream: BinaryIO) -> Iterator[int]:
        here = stream.tell()
        url = hf_hub_url(self.name, file.path, revision=self._commit)
        token = get_token()
        headers = {"Accept-Encoding": "identity", "Range": f"bytes={here}-"}
        if token:
            headers["Authorization"] = f"Bearer {token}"  # left out by the client where the hub sends it to another host
        with get_session().stream("GET", url, headers=headers, timeout=_SILENCE_S) as response:
            hf_raise_for_status(response)
            if response.status_code != httpx2.codes.PARTIAL_CONTENT:
                stream.truncate(0)
                stream.seek(0)
            for chunk in response.iter_bytes(_CHUNK):
                stream.write(chunk)
                stream.flush()
                yield stream.tell()

    def _verify(self) -> None:
        """Hold every file against its hash; one that differs is removed, so that it is fetched anew the next time."""
        checked = HfApi().verify_repo_checksums(self.name)
        for mismatch in checked.mismatches:
            pointer = checked.verified_path / mismatch["path"]
            pointer.resolve().unlink(missing_ok=True)
            pointer.unlink(missing_ok=True)
        if checked.mismatches:
            raise HubError("damaged", "not as the hub says: " + ", ".join(mismatch["path"] for mismatch in checked.mismatches))

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other processes from fetching the same model at the same time."""
        lock = FileLock(Path(HF_HUB_CACHE) / ".locks" / f"{self._folder.name}.lock", timeout=0)
        try:
            lock.acquire()
        except Timeout as error:
            raise HubError("elsewhere", "another process is fetching this model") from error
        try:
            yield
        finally:
            lock.release()

    def _blob(self, file: HubFile) -> Path:
        return self._folder / "blobs" / file.sha256

    def _part(self, file: HubFile) -> Path:
        return self._folder / "blobs" / f"{file.sha256}.incomplete"


def choose_files(files: Sequence[HubFile]) -> tuple[HubFile, ...]:
    """Return those of *files* that loading the model reads: of weights in several forms the first that is taken."""
    read = [file for file in files if not any(fnmatch(file.path, pattern) for pattern in _NOT_READ)]
    folders = {str(Path(file.path).parent) for file in read if file.path.endswith(".safetensors")}
    return tuple(file for file in read if not (file.path.endswith(".bin") and str(Path(file.path).parent) in folders))


def free_disk_bytes() -> int:
    """Return the room on the disk of the cache."""
    folder = Path(HF_HUB_CACHE)
    return shutil.disk_usage(next(place for place in (folder, *folder.parents) if place.exists())).free


def _size(file: Path) -> int:
    return file.stat().st_size if file.is_file() else 0


@contextmanager
def _as_hub_errors() -> Iterator[None]:
    """Raise what the hub's library and the disk raise as HubError."""
    try:
        yield
    except HubError:
        raise
    except (httpx2.HTTPError, OSError, ValueError) as error:
        raise HubError(_kind(error), f"{type(error).__name__}: {error}") from error


def _kind(error: BaseException) -> str:
    """Return what *error*, or what it came from, means to whoever wants the model."""
    match error:
        case GatedRepoError():
            return "gated"
        case RepositoryNotFoundError():
            return "name"
        case HFValidationError():
            return "name"
        case HfHubHTTPError():
            return _kind_of_status(error.response.status_code)
        case OfflineModeIsEnabled():
            return "switched_off"
        case httpx2.TransportError():
            return "offline"
        case OSError(errno=errno.ENOSPC | errno.EDQUOT):
            return "room"
        case OSError(errno=errno.EACCES | errno.EPERM | errno.EROFS | errno.ENOTDIR | errno.EEXIST):
            return "folder"
    return _kind(error.__cause__) if error.__cause__ is not None else "strange"


def _kind_of_status(status: int) -> str:
    if status == _BUSY:
        return "busy"
    return "gated" if status in _REFUSED else "away"
