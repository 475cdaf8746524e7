"""A provider of identities on loopback: OpenID Connect as Streamlit's login speaks it, letting in whoever ``user`` says.

with IdentityProvider() as provider:
    provider.user = {"sub": "7", "name": "김민수"}
"""

from __future__ import annotations

import json
import secrets
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qsl, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

VALID_S = 600


class IdentityProvider:
    """Answers discovery, authorization, token and keys; ``asked`` lists the paths in order."""

    def __init__(self) -> None:
        self.user: dict[str, Any] = {}
        self.asked: list[str] = []
        self.codes: dict[str, dict[str, str]] = {}
        self.key = RSAKey.generate_key(2048, {"kid": "1", "alg": "RS256", "use": "sig"})
        self.issuer = ""

    def __enter__(self) -> Self:
        """Start on a free port."""
        handler = type("_Bound", (_Handler,), {"provider": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()
        self.issuer = f"http://127.0.0.1:{self._server.server_port}"
        return self

    def __exit__(self, *_: object) -> None:
        """Stop."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def secrets_toml(self, app: str) -> str:
        """Return what the app at the address *app* needs to know."""
        lines = {
            "redirect_uri": f"{app}/oauth2callback",
            "cookie_secret": "c" * 40,
            "client_id": "maekrak",
            "client_secret": "loopback",
            "server_metadata_url": f"{self.issuer}/.well-known/openid-configuration",
        }
        return "\n".join(["[auth]", *(f'{name} = "{value}"' for name, value in lines.items())])

    def metadata(self) -> dict[str, Any]:
        """Return what clients find out first."""
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/jwks",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
        }

    def authorized(self, asked: dict[str, str]) -> str:
        """Return the address that the browser is sent back to with a code."""
        code = secrets.token_hex(8)
        self.codes[code] = asked
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def tokens(self, code: str) -> dict[str, Any]:
        """Return the tokens for *code*, which is good for one time."""
        asked, now = self.codes.pop(code), int(time.time())
        told = {"iss": self.issuer, "aud": asked["client_id"], "iat": now, "exp": now + VALID_S, "nonce": asked["nonce"]}
        signed = jwt.encode({"alg": "RS256", "kid": "1"}, {**told, **self.user}, self.key)
        return {"access_token": "unused", "token_type": "Bearer", "expires_in": VALID_S, "id_token": signed}


class _Handler(BaseHTTPRequestHandler):
    provider: IdentityProvider

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        self.provider.asked.append(parts.path)
        if parts.path == "/authorize":
            self.send_response(302)
            self.send_header("Location", self.provider.authorized(dict(parse_qsl(parts.query))))
            self.end_headers()
        elif parts.path == "/jwks":
            self._send({"keys": [self.provider.key.as_dict(private=False)]})
        else:
            self._send(self.provider.metadata())

    def do_POST(self) -> None:
        self.provider.asked.append(self.path)
        form = dict(parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        self._send(self.provider.tokens(form["code"]))

    def _send(self, value: dict[str, Any]) -> None:
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass
