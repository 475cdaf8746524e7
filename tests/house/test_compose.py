"""``compose.yaml`` and what it builds on say what the code says; Docker itself is not needed for that."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from starlette.routing import Route

from search_core.api import monitoring_routes
from search_core.commands.arguments import build_parser
from search_core.settings import Settings, host_names

ROOT = Path(__file__).parents[2]
OURS = ("app", "worker")
SECRET = re.compile(r"\$\{([A-Z_]+):\?[^}]*\}")
OPTIONAL = re.compile(r"\$\{[A-Z_]+:-([^}]*)\}")


@pytest.fixture(scope="module")
def composed() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    return loaded


@pytest.fixture(scope="module")
def dockerfile() -> str:
    return (ROOT / "Dockerfile").read_text(encoding="utf-8")


@pytest.mark.parametrize("service", OURS)
def test_settings_are_settings(composed: dict[str, Any], service: str):
    """What a service of ours is given are settings, of values the settings take; addresses lead to services of the file."""
    given = {
        name.lower(): OPTIONAL.sub(r"\1", SECRET.sub("x", value))
        for name, value in composed["services"][service]["environment"].items()
    }
    assert set(given) <= set(Settings.model_fields)
    settings = Settings(**given)
    assert host_names(settings.allowed_hosts) == (("app",) if service == "app" else ())
    assert settings.research_works_here == (service == "worker")
    hosts = set(re.findall(r"(?:@|//)([a-z]+):\d+", " ".join(given.values())))
    assert {"postgres", "redis"} <= hosts <= set(composed["services"])


def test_no_secret_is_written_down_and_only_the_door_is_open(composed: dict[str, Any]):
    """Passwords come from outside and are asked for; nobody outside reaches a database, or a process past the proxy."""
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    assert set(SECRET.findall(text)) == {"POSTGRES_PASSWORD", "SEARXNG_SECRET"}
    named = re.findall(r"^\s*[A-Z_]*(?:PASSWORD|SECRET|KEY|TOKEN)[A-Z_]*:\s*(\S.*)$", text, re.MULTILINE)
    assert named
    assert all(SECRET.fullmatch(value) for value in named)
    assert [name for name, service in composed["services"].items() if "ports" in service] == ["proxy"]


def test_volumes_and_files_are_there(composed: dict[str, Any]):
    """Each volume is declared and each file that is mounted exists; nothing is declared in vain."""
    sources = [volume.split(":")[0] for service in composed["services"].values() for volume in service.get("volumes", ())]
    assert {source for source in sources if not source.startswith(".")} == set(composed["volumes"])
    assert all((ROOT / source).is_file() for source in sources if source.startswith("."))


def test_workers_run_a_command_there_is(composed: dict[str, Any]):
    """The command of the worker is one of the command line, in the file and in the Makefile."""
    command = composed["services"]["worker"]["command"]
    assert command[:3] == ["python", "-m", "search_core"]
    assert build_parser().parse_args(command[3:]).command == "worker"
    assert f"$(BIN)/{' '.join(command)}\n" in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_what_waits_for_health_waits_for_what_has_it(composed: dict[str, Any], dockerfile: str):
    """A service that others wait for tells of its health; pages do by a route there is, at the port they are served at."""
    services = composed["services"]
    awaited = {name for service in services.values() for name in service.get("depends_on", {})}
    assert awaited == {"app", "postgres", "redis"}
    assert all("test" in services[name]["healthcheck"] for name in awaited - {"app"})
    ports = [port for service in services.values() for port in service.get("ports", ())]
    assert ports == [f"${{PUBLISHED_ON:-127.0.0.1}}:{port}:{port}" for port in (80, 443)], "others only where somebody says so"
    (asked,) = re.findall(r"http://127\.0\.0\.1:(\d+)(/\w+)", dockerfile)
    assert asked[1] in [route.path for route in monitoring_routes(lambda: None) if isinstance(route, Route)]
    assert services["app"]["expose"] == [asked[0]]
    assert f'"--server.port", "{asked[0]}"' in dockerfile


def test_the_image_holds_what_runs_and_nothing_secret(dockerfile: str):
    """What is copied exists and is let in, what is not named stays out, and the process is nobody in particular."""
    copied = re.findall(r"^COPY (\S+) \S+$", dockerfile, re.MULTILINE)
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line.startswith("!")}
    assert set(copied) == let_in
    assert all(list(ROOT.glob(path)) for path in copied)
    assert "\n*\n" in (ROOT / ".dockerignore").read_text(encoding="utf-8")
    assert dockerfile.index("\nUSER maekrak\n") < dockerfile.index("\nCMD ")
    (extras,) = re.findall(r'^ARG EXTRAS="([a-z ]+)"$', dockerfile, re.MULTILINE)
    assert "scaling" in extras.split(), "the client of REDIS_URL"
    assert all((ROOT / f"requirements-{extra}.txt").is_file() for extra in extras.split())


def test_the_door_keeps_a_visitor_at_one_process(composed: dict[str, Any]):
    """The proxy knows the replicas by their service and port, gives each visitor a seat, and keeps the numbers inside."""
    text = (ROOT / "deploy/Caddyfile").read_text(encoding="utf-8")
    assert f"dynamic a app {composed['services']['app']['expose'][0]} " in text
    assert "lb_policy cookie " in text
    assert re.search(r"@inside path /metrics /_stcore/metrics\s+respond @inside 404", text)
    assert set(re.findall(r"\{\$([A-Z_]+)", text)) <= set(composed["services"]["proxy"]["environment"])
    searxng = yaml.safe_load((ROOT / "deploy/searxng.yml").read_text(encoding="utf-8"))
    assert "json" in searxng["search"]["formats"], "SearXNG is asked for JSON"
