"""What is installed by default, and what only some uses need."""

from __future__ import annotations

import ast
import importlib
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXTRAS = {
    "models": ("torch", "sentence_transformers"),
    "speech": ("av",),
    "whisper": ("faster_whisper",),
    "scaling": ("redis",),
    "login": ("authlib",),
}
"""The packages that each extra brings, as they are imported."""
DECODERS = {"search_core/speech/sound_worker.py"}
"""The modules of the process that decodes sound, which is not started where PyAV is missing."""


def imported_at_once(text: str) -> set[str]:
    """Return the packages that a module with this *text* imports when it is imported itself: not in functions or for types."""
    found: set[str] = set()
    blocks: list[ast.AST] = [ast.parse(text)]
    while blocks:
        for node in ast.iter_child_nodes(blocks.pop()):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                found.add((node.module or "").partition(".")[0])
            elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.expr) and not is_for_types(node):
                blocks.append(node)
    return found


def is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def test_only_the_process_that_decodes_sound_imports_an_extra():
    """The app starts without any extra: no other module imports one of their packages before it is used."""
    extras = {module for modules in EXTRAS.values() for module in modules}
    files = [ROOT / "app.py", *(ROOT / "pages").rglob("*.py"), *(ROOT / "search_core").rglob("*.py")]
    texts = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in files}
    named = {
        path: text for path, text in texts.items() if any(f"import {name}" in text or f"from {name}" in text for name in extras)
    }
    assert {path for path, text in named.items() if imported_at_once(text) & extras} == DECODERS


def test_each_extra_has_its_file_and_its_target():
    """`make NAME` installs requirements-NAME.txt, and the tests install every extra but faster-whisper."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    files = {path.stem.removeprefix("requirements-") for path in ROOT.glob("requirements-*.txt")}
    assert files == {*EXTRAS, "dev"}
    for name in EXTRAS:
        assert re.search(rf"^{name}: \S.* ## ", makefile, re.MULTILINE), name
        assert f"$(PIP) -r requirements-{name}.txt\n" in makefile, name
    included = re.findall(r"^-r requirements-(\w+)\.txt$", (ROOT / "requirements-dev.txt").read_text("utf-8"), re.MULTILINE)
    assert set(included) == EXTRAS.keys() - {"whisper"}


def test_an_installed_command_has_its_script_its_files_and_its_extras():
    """The script leads to a function, the files that the package takes along exist, and its extras are those of `make`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    module, _, function = project["project"]["scripts"]["maekrak"].partition(":")
    assert callable(getattr(importlib.import_module(module), function))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert all((ROOT / given).exists() for given in (*wheel["packages"], *wheel["force-include"]))
    hook = ast.parse((ROOT / project["tool"]["hatch"]["metadata"]["hooks"]["custom"]["path"]).read_text(encoding="utf-8"))
    [extras] = [ast.literal_eval(node.value) for node in hook.body if isinstance(node, ast.Assign)]
    assert set(extras) == EXTRAS.keys()


def test_torch_is_pinned_and_installed_first():
    """The pinned torch is installed before what would take another version, and is the same one in every file."""
    wanted = [line for line in (ROOT / "requirements-models.txt").read_text("utf-8").splitlines() if not line.startswith("#")]
    torch = wanted[0]
    assert re.fullmatch(r"torch==[\d.]+", torch)
    for file in ("Makefile", "Dockerfile"):
        text = (ROOT / file).read_text(encoding="utf-8")
        assert re.findall(r"torch==[\d.]+", text) == [torch], file
        assert text.index(torch) < text.rindex("requirements-"), file
