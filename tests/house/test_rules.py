"""The rules of the house that a machine can keep."""

from __future__ import annotations

import ast
import re
import subprocess
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[2]
MAX_MODULE_LINES = 300
MAX_FUNCTION_LINES = 60
MAX_PAGE_LINES = 120


@cache
def tracked(*patterns: str) -> tuple[Path, ...]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return tuple(path for name in listed.stdout.split() if (path := ROOT / name).is_file())


def sources() -> list[Path]:
    return [path for path in tracked("*.py") if path.relative_to(ROOT).parts[0] in ("search_core", "pages", "app.py")]


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", sources(), ids=name)
def test_a_module_fits_the_head(path: Path):
    """No module of the app is longer than 300 lines, no page script longer than 120."""
    lines = path.read_text(encoding="utf-8").count("\n")
    is_page = path.parent == ROOT / "pages"
    assert lines <= (MAX_PAGE_LINES if is_page else MAX_MODULE_LINES)


@pytest.mark.parametrize("path", sources(), ids=name)
def test_a_function_fits_the_screen(path: Path):
    """No function of the app is longer than 60 lines."""
    functions = [node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    long = {f.name: f.end_lineno - f.lineno for f in functions if f.end_lineno and f.end_lineno - f.lineno > MAX_FUNCTION_LINES}
    assert long == {}


@pytest.mark.parametrize("path", sources(), ids=name)
def test_a_broad_except_is_heard_of(path: Path):
    """An ``except Exception`` re-raises, logs or hands on what it caught."""
    silent = []
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ExceptHandler) and (
            node.type is None or (isinstance(node.type, ast.Name) and node.type.id in ("Exception", "BaseException"))
        ):
            body = ast.unparse(node)
            if "raise" not in body and not re.search(r"logger\.(exception|warning|error)|set_exception|frames\.send", body):
                silent.append(node.lineno)
    assert silent == []


@pytest.mark.parametrize("path", [path for path in sources() if path.name != "settings.py"], ids=name)
def test_only_settings_read_the_environment(path: Path):
    """Nothing but ``settings.py`` reads the environment (a child process may be given one)."""
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"os\.getenv|environ\.get|environ\[", text)


def test_no_drawers():
    """No folder or module is named after nothing in particular, or after its own history."""
    bad = re.compile(r"(^|_)(utils?|helpers?|common|misc|legacy|old|new|v\d+|improved)(_|\.|$)")
    assert [
        name(path)
        for path in tracked("*.py")
        if bad.search(path.name) or any(bad.search(part) for part in path.parent.parts[-2:])
    ] == []


def test_every_test_says_what_it_holds_to():
    """Each test's docstring is there and is one sentence or begins with one."""
    missing = []
    for path in tracked("tests/*.py", "tests/**/*.py"):
        for node in ast.walk(tree(path)):
            if (
                isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
                and node.name.startswith("test_")
                and not ast.get_docstring(node)
            ):
                missing.append(f"{name(path)}:{node.lineno}")
    assert missing == []


def test_nothing_tells_of_the_machine():
    """No tracked text holds a path of somebody's machine or work left undone."""
    mark = re.compile(r"/" + r"work/|/" + r"root/|/" + r"farm/|\b(TO" + r"DO|FIX" + r"ME)\b|NotImplemented" + r"Error")
    suffixes = {".py", ".md", ".toml", ".txt", ".sh", ".yml", ".json", ".example", ""}
    found = []
    for path in tracked():
        if path.suffix in suffixes:
            text = path.read_text(encoding="utf-8", errors="replace")
            found += [f"{name(path)}: {match.group()}" for match in mark.finditer(text)]
    assert found == []


def test_direct_dependencies_are_pinned():
    """Every line of the requirements names one tested version."""
    for file in ("requirements.txt", "requirements-dev.txt", "requirements-whisper.txt"):
        for line in (ROOT / file).read_text(encoding="utf-8").splitlines():
            wanted = line.split("#")[0].strip()
            pinned = re.fullmatch(r"[A-Za-z0-9._-]+(\[[a-z,]+\])?==[\w.]+(; sys_platform [!=]= '\w+')?", wanted)
            assert not wanted or wanted.startswith("-r ") or pinned, line


def test_the_seventeen_properties_are_tested():
    """Each correctness property of the specification has its tagged test."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in tracked("tests/*.py", "tests/**/*.py"))
    tagged = {int(number) for number in re.findall(r"Feature: improved-web-search, Property (\d+):", text)}
    assert tagged >= set(range(1, 18))


@pytest.mark.parametrize("path", sources(), ids=name)
def test_a_class_says_what_it_is(path: Path):
    """No class docstring begins with "Is": it names the thing, or tells what it does."""
    classes = [node for node in ast.walk(tree(path)) if isinstance(node, ast.ClassDef)]
    assert [each.name for each in classes if (ast.get_docstring(each) or "").startswith("Is ")] == []


def test_no_file_imports_itself_round_a_circle():
    """No module reaches itself by imports, late ones and those for type checking included."""
    graph = grimp.build_graph("search_core", "pages", include_external_packages=False, exclude_type_checking_imports=False)
    after = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    order = TopologicalSorter(after)
    order.prepare()  # raises CycleError, which names the circle
    assert order.is_active()
