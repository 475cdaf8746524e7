"""A visitor of the pages without a browser: speaks over the websocket as Streamlit's own page does, and uploads files."""

from __future__ import annotations

import time
from contextlib import ExitStack, suppress
from typing import Self

import httpx
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

SOON_S = 100
_NONE_KEPT = httpx.Limits(max_keepalive_connections=0)
"""A connection that lies still may be closed by the server just as the next request goes out on it."""
_TOKEN = "_streamlit_xsrf"


class PageVisitor:
    """One visit of an app at *address*; the page is asked for with ``run``."""

    def __init__(self, address: str, cookies: str = "") -> None:
        """Visit the app at *address*, with more *cookies* as a header writes them."""
        self._cookies = cookies
        self._address = address.removeprefix("http://")
        self._stack = ExitStack()
        self.visit = ""
        """The id of the visit, known after the first run."""
        self.box = ""
        """The id of the box that the page drew last."""
        self._drawn: list[bytes] = []

    def __enter__(self) -> Self:
        self._client = self._stack.enter_context(
            httpx.Client(base_url=f"http://{self._address}", timeout=SOON_S, trust_env=False, limits=_NONE_KEPT)
        )
        self._client.get("/_stcore/health")  # brings the cookie
        self._token = self._client.cookies[_TOKEN]
        self._socket = self._stack.enter_context(
            connect(
                f"ws://{self._address}/_stcore/stream",
                origin=Origin(f"http://{self._address}"),
                additional_headers={"Cookie": self._all_cookies()},
                subprotocols=[Subprotocol("streamlit"), Subprotocol(self._token)],
                max_size=None,
                ping_interval=None,  # a server on a busy machine may answer late, and is waited for
                proxy=None,
            )
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def run(self, page: str = "", *uploads: tuple[str, str, int], query: str = "") -> float:
        """Have a page drawn, and return the seconds until all of it has come.

        *uploads* are files that lie in the page's box: the name under which each was uploaded, its own name and its size; *query*
        is what stands in the address.
        """
        message = BackMsg()
        message.rerun_script.page_name, message.rerun_script.query_string = page, query
        if uploads:
            state = message.rerun_script.widget_states.widgets.add()
            state.id = self.box
            state.chat_input_value.data = ""
            for file_id, name, size in uploads:
                file = state.chat_input_value.file_uploader_state.uploaded_file_info.add()
                file.file_id, file.name, file.size = file_id, name, size
                file.file_urls.file_id = file_id
        begun = time.perf_counter()
        self._drawn.clear()
        self._socket.send(message.SerializeToString())
        while True:
            self._drawn.append(self._socket.recv(SOON_S, decode=False))
            told = ForwardMsg.FromString(self._drawn[-1])
            if told.HasField("new_session"):
                self.visit = told.new_session.initialize.session_id
            if told.delta.new_element.HasField("chat_input"):
                self.box = told.delta.new_element.chat_input.id
            if told.HasField("script_finished") and told.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                return time.perf_counter() - begun

    def send_broken(self, frame: bytes | str) -> None:
        """Send what no page sends, and wait until the server has closed the connection."""
        with suppress(ConnectionClosed):
            self._socket.send(frame)
            while True:
                self._socket.recv(SOON_S)

    def shows(self, text: str) -> bool:
        """Return whether what was drawn last holds *text*."""
        return any(text.encode() in drawn for drawn in self._drawn)

    @property
    def files(self) -> list[str]:
        """Return the ids of the files that what was drawn last offers."""
        told = (ForwardMsg.FromString(drawn).delta.new_element for drawn in self._drawn)
        return [element.download_button.deferred_file_id for element in told if element.HasField("download_button")]

    def download(self, file_id: str) -> str:
        """Return the text of a file that the page offers, or why there is none."""
        message = BackMsg()
        message.backend_operation_request.request_id, message.backend_operation_request.session_id = file_id, self.visit
        message.backend_operation_request.deferred_file.file_id = file_id
        self._socket.send(message.SerializeToString())
        while True:
            told = ForwardMsg.FromString(self._socket.recv(SOON_S, decode=False))
            if told.HasField("backend_operation_response"):
                answer = told.backend_operation_response
                return answer.error_msg or self._client.get(answer.deferred_file.url).text

    def upload(self, name: str, data: bytes) -> int:
        """Upload a file that no box of a page asked for, and return the status of the answer."""
        files = {"file": (name, data, "text/plain")}
        return self._client.put(self._path(name), files=files, headers=self._headers()).status_code

    def _path(self, name: str) -> str:
        return f"/_stcore/upload_file/{self.visit}/{name}"

    def _headers(self) -> dict[str, str]:
        return {"X-Xsrftoken": self._token, "Origin": f"http://{self._address}", "Cookie": self._all_cookies()}

    def _all_cookies(self) -> str:
        return f"{_TOKEN}={self._token}; {self._cookies}".removesuffix("; ")
