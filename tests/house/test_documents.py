"""What README and docs show works: links, commands, code, routes, and tables that list what the code has."""

from __future__ import annotations

import argparse
import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from search_core.agents.server import NAMES
from search_core.api import ROOT as API
from search_core.api.create_api import build_api
from search_core.commands import main
from search_core.commands.arguments import build_parser
from search_core.domain.reply import SearchStatus
from search_core.providers import provider_names

ROOT = Path(__file__).parents[2]
READMES = tuple(ROOT / name for name in ("README.md", "README.ko.md"))
GUIDES = (*READMES, *sorted((ROOT / "docs").glob("*.md")))
PAGES = (*GUIDES, ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs/decisions").rglob("*.md")))
MAPS = (ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", ROOT / "docs/where.md")
MAX_README_WORDS = 900

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_COMMAND = re.compile(r"-m search_core (.+)")
_IN_FILE = re.compile(r"`([\w/.]+\.py)` \(((?:`[\w.]+`(?:, | and )?)+)\)")
_NAMED = re.compile(r"`((?:[\w.-]+/)+|[\w./-]+\.(?:py|jsonl?|txt|csv))`")
"""A folder or a file in code marks."""
OUTPUT = {"cwd": ROOT, "capture_output": True, "text": True, "check": True}
_TARGET = re.compile(r"(?:^|`|\s)make ([a-z]+)(?=[`\s]|$)", re.MULTILINE)


def _read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def _blocks(*languages: str) -> list[str]:
    """Return the code blocks of *languages* in all guides."""
    return [code for page in GUIDES for language, code in _FENCE.findall(_read(page)) if language in languages]


def _shell_lines() -> list[str]:
    return [line.removeprefix("$ ") for code in _blocks("sh", "console") for line in code.splitlines()]


def _prose(page: Path) -> str:
    return _FENCE.sub("", _read(page))


def _anchors(page: Path) -> set[str]:
    """Return the anchors of *page* as GitHub makes them out of its headings."""
    plain = [re.sub(r"[^\w\- ]", "", heading.lower()) for heading in _HEADING.findall(_prose(page))]
    return {text.strip().replace(" ", "-") for text in plain}


def _first_cells(text: str) -> set[str]:
    """Return the names in code marks that begin the rows of tables in *text*."""
    starts = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    return {name for start in starts for name in re.findall(r"`([^`]+)`", start)}


def test_links_lead_to_files_and_headings_that_exist():
    """Every relative link of README, docs and decisions names a file that exists and, after #, one of its headings."""
    broken = []
    for page in PAGES:
        for link in _LINK.findall(_prose(page)):
            if re.match(r"\w+:", link):
                continue
            name, _, anchor = link.partition("#")
            target = (page.parent / name).resolve() if name else page
            if not target.exists() or (anchor and anchor not in _anchors(target)):
                broken.append(f"{page.name}: {link}")
    assert broken == []


def test_rooms_and_files_of_decisions_exist_or_their_heads_say_what_they_are_now():
    """So do those of ARCHITECTURE.md, CONTRIBUTING.md and docs/where.md, which have no such line."""
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], **OUTPUT).stdout.splitlines()
    known = {parent for name in listed for parent in (name, *map(str, Path(name).parents))}
    ends = {"/".join(Path(name).parts[start:]) for name in known for start in range(len(Path(name).parts))}
    gone = [
        f"{page.name}: {named}"
        for page in (*MAPS, *sorted((ROOT / "docs/decisions").rglob("*.md")))
        for named in set(_NAMED.findall(_read(page)))
        if named.rstrip("/") not in ends and "\nNow: " not in _read(page)
    ]
    assert gone == []


def test_names_in_brackets_behind_a_file_stand_in_it():
    """What a map names as in ``manager.py`` (``_ask_aside``) is in that file."""
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], **OUTPUT).stdout.splitlines()
    named = [match.groups() for page in MAPS for match in _IN_FILE.finditer(_read(page))]
    gone = [
        f"{file}: {name}"
        for file, names in named
        for name in re.findall(r"[\w.]+", names)
        if not any(name.rpartition(".")[2] in _read(ROOT / path) for path in listed if f"/{path}".endswith(f"/{file}"))
    ]
    assert len(named) >= 20
    assert gone == []


def test_every_guide_is_in_the_list_of_guides():
    """docs/README.md links to each page beside it."""
    linked = set(_LINK.findall(_read(ROOT / "docs/README.md")))
    assert {page.name for page in (ROOT / "docs").glob("*.md")} - linked == {"README.md"}


def test_commands_are_accepted_by_the_command_line():
    """The parser takes the arguments of every search_core command that a code block shows."""
    parser = build_parser()
    commands = [match[1] for line in _shell_lines() if (match := _COMMAND.search(line))]
    refused = []
    for command in commands:
        try:
            parser.parse_args(shlex.split(command, comments=True))
        except SystemExit:
            refused.append(command)
    assert len(commands) >= 15
    assert refused == []


def test_make_targets_exist():
    """Every ``make`` target that README and docs name is in the Makefile."""
    targets = set(re.findall(r"^([a-z]+):", _read(ROOT / "Makefile"), re.MULTILINE))
    named = {name for page in GUIDES for marked in _code(page) for name in _TARGET.findall(marked)}
    assert {"run", "test"} <= named
    assert named - targets == set()


def _code(page: Path) -> list[str]:
    """Return what stands in code marks and shell blocks of *page*."""
    shell = [code for language, code in _FENCE.findall(_read(page)) if language in ("sh", "console")]
    return [*shell, *re.findall(r"`[^`\n]+`", _prose(page))]


def test_requests_and_routes_are_those_of_the_api():
    """Every curl command is what the API's description allows, and docs/api.md has exactly its methods and paths."""
    described = build_api(lambda: None).openapi()
    commands = [shlex.split(line) for line in _shell_lines() if line.startswith("curl ")]
    assert commands
    for command in commands:
        [path] = [part.partition(":8501")[2] for part in command if ":8501" in part]
        schema = described["paths"][path.removeprefix(API)]["post"]["requestBody"]["content"]["application/json"]["schema"]
        body = json.loads(command[command.index("-d") + 1])
        Draft202012Validator({**schema, "components": described["components"]}).validate(body)
    listed = set(re.findall(r"^\| `([A-Z]+ /api/[^`]+)`", _read(ROOT / "docs/api.md"), re.MULTILINE))
    routes = {f"{method.upper()} {API}{path}" for path, ways in described["paths"].items() for method in ways}
    assert listed == {*routes, f"GET {API}/openapi.json"}


def test_python_blocks_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Every Python block runs against the sample library and prints results with their source."""
    monkeypatch.setenv("SEARCH_PROVIDERS", "library")
    monkeypatch.setenv("EMBEDDING_MODEL", "kiwi")
    blocks = _blocks("python")
    assert blocks
    for block in blocks:
        exec(compile(block, "docs", "exec"), {})
        assert "출처: 맥락 샘플 자료" in capsys.readouterr().out


def test_search_in_the_readme_prints_what_is_shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Without network, the README's search builds the query it shows and says that the web could not be asked."""
    monkeypatch.setenv("SEARCH_PROVIDERS", "library,wikipedia")
    monkeypatch.setenv("EMBEDDING_MODEL", "kiwi")
    command, _, shown = _blocks("console")[0].partition("\n")
    assert main(shlex.split(_COMMAND.search(command)[1])) == 1
    printed = capsys.readouterr().out
    query, _, outage = shown.splitlines()[:3]
    assert printed.splitlines()[0] == query
    assert all(part.strip(", ") in printed for part in outage.split("…"))


def test_files_that_the_page_on_tests_names_exist():
    """The last cell of a row names test files; one without a folder stands beside the one before it."""
    rows = [line for line in (ROOT / "tests/README.md").read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    gone = []
    for row in rows:
        folder = Path()
        for name in re.findall(r"`([\w/.-]+\.py)`", row.rstrip("|").rpartition("|")[2]):
            path = Path(name) if "/" in name else folder / name
            folder = path.parent
            if not any((ROOT / "tests" / room / path).exists() for room in ("", "search_core")):
                gone.append(name)
    assert not gone


def test_both_readmes_show_the_same():
    """The English and the Korean README link to the same pages, show the same commands and services, and are short."""
    english, korean = (_read(page) for page in READMES)
    assert len(english.split()) <= MAX_README_WORDS
    assert set(_LINK.findall(english)) - {"README.ko.md"} == set(_LINK.findall(korean)) - {"README.md"}
    assert _FENCE.findall(english)[1:] == _FENCE.findall(korean)[1:]
    assert _first_cells(english) == _first_cells(korean)


def test_tables_name_what_the_code_has():
    """Services stand in the README and docs/privacy.md, statuses in docs/outages.md; tools and commands are exactly those."""
    assert set(provider_names()) - _first_cells(_read(READMES[0])) == set()
    assert set(provider_names()) - _first_cells(_read(ROOT / "docs/privacy.md")) == set()
    assert {status.value for status in SearchStatus} - _first_cells(_read(ROOT / "docs/outages.md")) == set()
    assert _first_cells(_read(ROOT / "docs/agents.md")) == set(NAMES)
    [commands] = [action for action in build_parser()._actions if isinstance(action, argparse._SubParsersAction)]
    assert _first_cells(_read(ROOT / "docs/command-line.md")) == set(commands.choices)
