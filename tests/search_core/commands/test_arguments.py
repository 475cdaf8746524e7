"""What commands take: help that costs nothing, and errors of usage, which all end alike."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from search_core.commands import main
from search_core.commands.arguments import COMMANDS, DOCUMENT_LIMITS, STAGES
from search_core.commands.batch import STAGES as RUN_STAGES
from search_core.package import VERSION
from search_core.reading.documents import LIMIT_S, MAX_BYTES, MAX_DOCUMENT_CHARS
from search_core.reading.pdf import MAX_PAGES, READ_S

HELP = """
import json, sys
from search_core.commands import main
for command in json.loads(sys.argv[1]):
    assert main([command, "--help"]) == 0
print(json.dumps([name for name in sys.modules if not name.startswith(("_", "encodings"))]))
"""


def test_help_imports_nothing_that_commands_need_for_their_work():
    """Help of every command needs the module of arguments alone, and no package but Python's own."""
    run = subprocess.run(
        [sys.executable, "-c", HELP, json.dumps([*COMMANDS])], capture_output=True, text=True, check=True, timeout=60
    )
    loaded = json.loads(run.stdout.splitlines()[-1])
    ours = {name for name in loaded if name.startswith("search_core")}
    assert ours == {"search_core", "search_core.commands", "search_core.commands.arguments", "search_core.package"}
    site = {name.partition(".")[0] for name in loaded} - set(sys.stdlib_module_names) - {"search_core", "sitecustomize"}
    assert {"numpy", "kiwipiepy", "sqlalchemy", "dbos", "pandas", "streamlit", "mcp", "fastapi"} & site == set()
    for command in COMMANDS:
        assert f"usage: python -m search_core {command}" in run.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["search", "질문", "--threshold", "2"], "argument --threshold: '2' is not between 0 and 1"),
        (["search", "질문", "--threshold", "high"], "argument --threshold: 'high' is not between 0 and 1"),
        (["search", "질문", "--threshold", "nan"], "argument --threshold: 'nan' is not between 0 and 1"),
        (["search", "질문", "--providers", ","], "argument --providers: nothing is named"),
        (["search", "질문", "--providers", "altavista"], "There is no search service named altavista; set up are library."),
        (["claims", "--video", "talk.srt", "--check", "-3"], "argument --check: '-3' is not a count, 0 or more"),
        (["search", "질문", "--moment", "-5"], "argument --moment: '-5' is not a time as 1:02:07 or a number of seconds"),
        (["ask", "질문", "--moment", "1:72"], "argument --moment: '1:72' is not a time as 1:02:07 or a number of seconds"),
        (["research", "질문", "--moment", "inf"], "argument --moment: 'inf' is not a time as 1:02:07 or a number of seconds"),
        (["claims"], "the following arguments are required: --video"),
    ],
)
def test_wrong_usage_ends_with_code_2_and_one_line(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]):
    """A value that cannot be used and a service that is not set up end alike."""
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", f"python -m search_core {arguments[0]}: error: {said}\n")


def test_an_installed_command_names_itself(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Help shows what its reader has typed, and the version is that of the code."""
    monkeypatch.setattr(sys, "argv", [str(Path("bin") / "maekrak")])
    assert main(["--help"]) == 0
    assert capsys.readouterr().out.startswith("usage: maekrak ")
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"maekrak {VERSION}\n"


def test_help_names_the_stages_and_the_limits_there_are():
    """Help of batch has each stage there is, and help of index each limit of a document."""
    assert STAGES.keys() == RUN_STAGES.keys()
    figures = (MAX_BYTES >> 20, MAX_DOCUMENT_CHARS, int(LIMIT_S), MAX_PAGES, int(READ_S))
    assert [int(word.replace(",", "")) for word in DOCUMENT_LIMITS.split() if word[0].isdigit()] == list(figures)


@pytest.mark.parametrize("stage", sorted(STAGES))
def test_the_fields_that_help_calls_needed_are_needed(
    stage: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """A line without fields is refused by the name of one that stands before the semicolon."""
    monkeypatch.setattr(sys, "stdin", io.StringIO('{"id": 1}\n'))
    assert main(["batch", stage]) == 0
    error = json.loads(capsys.readouterr().out)["error"]
    needed = STAGES[stage].partition(";")[0]
    assert error.split("'")[1] in needed.replace(",", " ").split()
