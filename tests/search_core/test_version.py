"""The version number."""

import tomllib
from pathlib import Path

from search_core.package import VERSION
from search_core.providers.kit.http import user_agent
from search_core.reading.fetch import USER_AGENT
from tests.search_core.api.served import served


def test_one_version_everywhere(tmp_path):
    """The package, the description of the API and both user agents carry the same version."""
    project = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]
    with served(tmp_path) as server, server.client() as client:
        described = client.get("/api/openapi.json").json()["info"]["version"]
    assert project["version"] == VERSION == described
    assert USER_AGENT.startswith(f"Maekrak/{VERSION} ")
    assert user_agent("").startswith(f"Maekrak/{VERSION} ")
