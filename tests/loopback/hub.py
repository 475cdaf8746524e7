"""A hub of models on loopback: what huggingface_hub asks of one, with the failures that one has.

with ModelHub(files) as hub:
    monkeypatch.setenv("HF_ENDPOINT", hub.url)

Large files are behind a redirect, as on a content network. What the hub does wrong can be changed while it runs.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
from collections.abc import Mapping
from typing import Any, Self
from urllib.parse import urlsplit

from tests.loopback.http_server import LoopbackServer, QuietHandler

NAME = "maekrak/tiny"
COMMIT = "a" * 40
LARGE = (".safetensors",)


class ModelHub:
    """One model and how it is served."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = dict(files)
        self.asked: list[str] = []
        """The path of each request."""
        self.refuse: tuple[int, str] | None = None
        """Status and X-Error-Code given to every question about the model."""
        self.refuse_large: int | None = None
        """Status given to every question for a large file."""
        self.hold_after: int | None = None
        """Bytes of a large file after which nothing more is sent, until ``go_on``."""
        self.go_on = threading.Event()
        self._server = LoopbackServer(self, _Handler)
        self.url = self._server.url

    def __enter__(self) -> Self:
        self._server.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.go_on.set()
        self._server.__exit__()

    @property
    def content_url(self) -> str:
        """Return the address of large files: another host, as the hub's own are."""
        return f"http://localhost:{self._server.server_port}"

    def info(self) -> dict[str, Any]:
        """Return the model as the API describes it."""
        return {
            "_id": "1",
            "id": NAME,
            "modelId": NAME,
            "sha": COMMIT,
            "private": False,
            "tags": [],
            "downloads": 1,
            "likes": 0,
            "siblings": [
                {"rfilename": path, "size": len(data), "blobId": _git_id(data)}
                | ({"lfs": {"size": len(data), "sha256": _sha256(data), "pointerSize": 134}} if path.endswith(LARGE) else {})
                for path, data in self.files.items()
            ],
        }

    def tree(self) -> list[dict[str, Any]]:
        """Return the files as the API lists them."""
        return [
            {"type": "file", "oid": _git_id(data), "size": len(data), "path": path, **self._large(path, "oid")}
            for path, data in self.files.items()
        ]

    def _large(self, path: str, hash_name: str) -> dict[str, Any]:
        if not path.endswith(LARGE):
            return {}
        data = self.files[path]
        return {"lfs": {hash_name: _sha256(data), "size": len(data), "pointerSize": 134}}


class _Handler(QuietHandler):
    """Answers for a hub."""

    protocol_version = "HTTP/1.1"

    @property
    def hub(self) -> ModelHub:
        return self.server.played

    def answer(self) -> None:
        path = urlsplit(self.path).path
        self.hub.asked.append(path)
        if path.startswith("/cdn/"):
            self._large(path.removeprefix("/cdn/"))
        elif path.startswith((f"/api/models/{NAME}", f"/{NAME}/resolve/")):
            self._model(path)
        else:
            self._say(404, {"error": "Repository not found"}, (("X-Error-Code", "RepoNotFound"),))

    def _model(self, path: str) -> None:
        if self.hub.refuse is not None:
            status, code = self.hub.refuse
            self._say(status, {"error": "refused"}, (("X-Error-Code", code),) if code else ())
        elif "/tree/" in path:
            self._say(200, self.hub.tree())
        elif path.startswith("/api/"):
            self._say(200, self.hub.info())
        else:
            self._file(path.split("/", 5)[5])

    def _file(self, name: str) -> None:
        data = self.hub.files.get(name)
        if data is None:
            self._say(404, {"error": "Entry not found"}, (("X-Error-Code", "EntryNotFound"), ("X-Repo-Commit", COMMIT)))
        elif name.endswith(LARGE):
            headers = (("X-Linked-Etag", f'"{_sha256(data)}"'), ("X-Linked-Size", str(len(data))))
            self._say(302, {}, (*headers, ("X-Repo-Commit", COMMIT), ("Location", f"{self.hub.content_url}/cdn/{_sha256(data)}")))
        else:
            self.respond(200, (("ETag", f'"{_git_id(data)}"'), ("X-Repo-Commit", COMMIT)), data)

    def _large(self, sha256: str) -> None:
        if self.hub.refuse_large is not None:
            self._say(self.hub.refuse_large, {"error": "refused"})
            return
        data = next(data for data in self.hub.files.values() if _sha256(data) == sha256)
        sent = len(data) if self.hub.hold_after is None else self.hub.hold_after
        self.respond(200, (), data[:sent], promised=len(data))
        if sent < len(data) and self.command != "HEAD":
            self.hub.go_on.wait(60)
            with contextlib.suppress(OSError):  # the client is gone
                self.wfile.write(data[sent:])

    def _say(self, status: int, body: Any, headers: tuple[tuple[str, str], ...] = ()) -> None:
        self.respond(status, (*headers, ("Content-Type", "application/json")), json.dumps(body).encode())


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _git_id(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()  # as git names its blobs
