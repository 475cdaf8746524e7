"""A provider of identities on loopback: OpenID Connect as Streamlit's login speaks it, letting in the ``user`` it is given."""

from __future__ import annotations

import json
import time
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

from tests.loopback.http_server import PlayedSite, QuietHandler

CLIENT = "maekrak"
VALID_S = 600


class IdentityProvider(PlayedSite):
    """Answers discovery, authorization, token and keys; the code of a login is its nonce."""

    def __init__(self) -> None:
        self.user: dict[str, Any] = {}
        self.key = RSAKey.generate_key(2048, {"kid": "1", "alg": "RS256", "use": "sig"})

    @property
    def issuer(self) -> str:
        """Return the address that names the provider."""
        return self.server.url

    def secrets_toml(self, app: str) -> str:
        """Return what the app at the address *app* needs to know."""
        lines = {
            "redirect_uri": f"{app}/oauth2callback",
            "cookie_secret": "c" * 40,
            "client_id": CLIENT,
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

    def tokens(self, nonce: str) -> dict[str, Any]:
        """Return the tokens of a login."""
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT, "iat": now, "exp": now + VALID_S, "nonce": nonce}
        signed = jwt.encode({"alg": "RS256", "kid": "1"}, {**claims, **self.user}, self.key)
        return {"access_token": "unused", "token_type": "Bearer", "expires_in": VALID_S, "id_token": signed}

    def send(self, request: QuietHandler) -> None:
        """Answer one request."""
        parts = urlsplit(request.path)
        if parts.path == "/authorize":
            asked = dict(parse_qsl(parts.query))
            back = f"{asked['redirect_uri']}?{urlencode({'code': asked['nonce'], 'state': asked['state']})}"
            request.respond(302, (("Location", back),), b"")
            return
        if request.command == "POST":
            answer = self.tokens(dict(parse_qsl(request.read_body().decode()))["code"])
        else:
            answer = {"keys": [self.key.as_dict(private=False)]} if parts.path == "/jwks" else self.metadata()
        request.respond(200, (("Content-Type", "application/json"),), json.dumps(answer).encode())
