"""The rules of the code that a machine can check, each over all files in one pass."""

from __future__ import annotations

import ast
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[2]
MAX_MODULE_LINES = 500
MAX_FUNCTION_LINES = 60
MAX_PAGE_LINES = 120
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
CLIENTS = frozenset(
    {
        *("socket", "httpx", "httpx2", "httpcore", "httpcore2", "requests", "urllib3", "urllib.request", "http.client"),
        *("primp", "ddgs", "openai", "mcp", "redis", "psycopg", "curl_cffi", "websockets", "youtube_transcript_api", "yt_dlp"),
        *("aiohttp", "huggingface_hub", "ftplib", "smtplib", "telnetlib", "xmlrpc", "pycurl", "grpc"),
    }
)
ALLOWED = {
    "search_core/reading/": {"socket", "httpx2", "httpcore2"},  # pages of strangers, guarded at the connection
    "search_core/providers/kit/http.py": {"httpx"},  # search services
    "search_core/providers/kit/playwright_session.py": {"mcp"},
    "search_core/agents/": {"mcp"},  # serves agents: opens no connection
    "search_core/providers/duckduckgo.py": {"ddgs", "primp"},
    "search_core/models/llm/": {"openai", "httpx2"},  # the endpoint that the operator names
    "search_core/storage/": {"redis"},
    "search_core/models/embedding/embedder.py": {"huggingface_hub"},  # which models are on this machine
    "search_core/runs/worker_registry.py": {"socket"},  # the name of this machine
    "search_core/video/youtube.py": {"requests", "urllib3", "youtube_transcript_api"},  # YouTube; the errors of urllib3
}
"""Who may open a connection, and by what. Addresses that strangers write are fetched by ``reading/`` alone, behind its guard; all
others lead where the operator says or where a service lives. A new way out is a decision, so it fails here first.
"""
CALLS = frozenset({"open_connection", "create_connection", "fetch_url", "urlopen", "urlretrieve", "fetch_response"})
"""What opens connections under other names: ``asyncio.open_connection``, ``trafilatura.fetch_url``."""


@dataclass(frozen=True, slots=True)
class Source:
    """A Python file in git: its path below the root, its text, and every node of its syntax tree."""

    path: Path
    text: str
    nodes: tuple[ast.AST, ...]

    def at(self, node: ast.AST) -> str:
        """Return where *node* stands, as an editor opens it."""
        return f"{self.path.as_posix()}:{getattr(node, 'lineno', 1)}"


@cache
def tracked(*patterns: str) -> tuple[Path, ...]:
    """Return the files of git, below the root, those about to be added among them."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return tuple(Path(name) for name in listed.stdout.splitlines() if (ROOT / name).is_file())


@cache
def parsed(*folders: str) -> tuple[Source, ...]:
    """Return the Python files of *folders*, each read and parsed once."""
    found = []
    for path in tracked("*.py"):
        if path.parts[0] in folders:
            text = (ROOT / path).read_text(encoding="utf-8")
            found.append(Source(path, text, tuple(ast.walk(ast.parse(text)))))
    return tuple(found)


def sources() -> tuple[Source, ...]:
    """Return the files of the product."""
    return parsed("search_core", "pages", "app.py")


def functions(source: Source) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Return the functions of a file."""
    return (node for node in source.nodes if isinstance(node, FUNCTIONS))


def test_modules_and_functions_are_short():
    """No module is longer than 500 lines, no page script than 120, no function than 60."""
    long = []
    for source in sources():
        lines = source.text.count("\n")
        if lines > (MAX_PAGE_LINES if source.path.parent == Path("pages") else MAX_MODULE_LINES):
            long.append(f"{source.path.as_posix()}: {lines} lines")
        long += [source.at(each) for each in functions(source) if (each.end_lineno or 0) - each.lineno > MAX_FUNCTION_LINES]
    assert long == []


def test_a_broad_except_logs_or_raises():
    """An ``except Exception`` re-raises, logs or hands on what it caught."""
    silent, handed_on = [], re.compile(r"raise|logger\.(exception|warning|error)|problem_of\(|set_exception|\bsend\(")
    for source in sources():
        for node in source.nodes:
            broad = isinstance(node, ast.ExceptHandler) and (
                node.type is None or (isinstance(node.type, ast.Name) and node.type.id in ("Exception", "BaseException"))
            )
            if broad and not handed_on.search(ast.unparse(node)):
                silent.append(source.at(node))
    assert silent == []


def test_only_settings_read_the_environment():
    """Nothing but ``settings.py`` reads the environment (a child process may be given one)."""
    readers = [source.path.as_posix() for source in sources() if re.search(r"os\.getenv|environ\.get|environ\[", source.text)]
    assert [path for path in readers if not path.endswith("/settings.py")] == []


def test_names_say_what_is_inside():
    """No folder or module is named after nothing in particular, or after its own history."""
    bad = re.compile(r"(^|_)(utils?|helpers?|common|misc|legacy|old|new|v\d+|improved)(_|\.|$)")
    paths = tracked("*.py")
    assert [path.as_posix() for path in paths if any(bad.search(part) for part in path.parts[-3:])] == []


def test_public_classes_have_names_of_their_own():
    """No two public classes of the product share a name."""
    classes = [node.name for source in sources() for node in source.nodes if isinstance(node, ast.ClassDef)]
    assert [name for name, count in Counter(classes).items() if count > 1 and not name.startswith("_")] == []


def test_docstrings_say_what_a_thing_is():
    """No class docstring begins with "Is", no docstring with "Tell whether", and every test has one."""
    odd = []
    for source in sources():
        for node in source.nodes:
            text = (ast.get_docstring(node) or "") if isinstance(node, (ast.ClassDef, *FUNCTIONS)) else ""
            if text.startswith("Is " if isinstance(node, ast.ClassDef) else "Tell whether"):
                odd.append(source.at(node))
    for source in parsed("tests"):
        odd += [source.at(each) for each in functions(source) if each.name.startswith("test_") and not ast.get_docstring(each)]
    assert odd == []


def test_texts_hold_no_path_of_a_machine_and_no_work_left_undone():
    """No tracked text holds a path of somebody's machine or work left undone."""
    mark = re.compile(r"/" + r"work/|/" + r"root/|/" + r"farm/|\b(TO" + r"DO|FIX" + r"ME)\b|NotImplemented" + r"Error")
    suffixes = {".py", ".md", ".toml", ".txt", ".sh", ".yml", ".json", ".example", ""}
    found = []
    for path in tracked():
        if path.suffix in suffixes:
            text = (ROOT / path).read_text(encoding="utf-8", errors="replace")
            found += [f"{path.as_posix()}: {match.group()}" for match in mark.finditer(text)]
    assert found == []


def test_direct_dependencies_are_pinned():
    """Every line of the requirements names one tested version."""
    files = list(ROOT.glob("requirements*.txt"))
    assert ROOT / "requirements.txt" in files
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            wanted = line.split("#")[0].strip()
            pinned = re.fullmatch(r"[A-Za-z0-9._-]+(\[[a-z,]+\])?==[\w.]+(; sys_platform [!=]= '\w+')?", wanted)
            assert not wanted or wanted.startswith("-r ") or pinned, line


def test_no_file_imports_itself_round_a_circle():
    """No module reaches itself by imports, late ones and those for type checking included."""
    graph = grimp.build_graph("search_core", "pages", include_external_packages=False, exclude_type_checking_imports=False)
    after = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    order = TopologicalSorter(after)
    order.prepare()  # raises CycleError, which names the circle
    assert order.is_active()


def imported(source: Source) -> Iterator[str]:
    """Yield the modules that a file imports, anywhere in it, types that are only checked included."""
    for node in source.nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def clients(source: Source) -> set[str]:
    """Return the packages that open connections and that a file imports."""
    return {client for module in imported(source) for client in CLIENTS if f"{module}.".startswith(f"{client}.")}


def test_only_named_rooms_open_connections():
    """No module reaches the network but through the rooms made for it, and each of them does."""
    found, used = [], {room: set[str]() for room in ALLOWED}
    for source in sources():
        rooms = [room for room in ALLOWED if source.path.as_posix().startswith(room)]
        imports = clients(source)
        for room in rooms:
            used[room] |= imports
        if imports - {client for room in rooms for client in ALLOWED[room]}:
            found.append(source.path.as_posix())
        for node in source.nodes:
            func = node.func if isinstance(node, ast.Call) else None
            if (func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")) in CALLS:
                found.append(source.at(node))
    assert found == []
    assert used == ALLOWED


def test_certificates_are_checked_and_redirects_not_followed():
    """No client accepts any certificate, and none follows redirects by itself."""
    found = []
    for source in sources():
        for node in source.nodes:
            if isinstance(node, ast.keyword) and isinstance(node.value, ast.Constant):
                wrong = (node.arg in ("verify", "check_hostname") and node.value.value is False) or (
                    node.arg in ("follow_redirects", "allow_redirects") and node.value.value is True
                )
                found += [source.at(node.value)] if wrong else []
    assert found == []


SETTING = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")


def test_no_sentence_of_a_page_names_a_setting():
    """Visitors read what to do, and never the name of an environment variable."""
    named = []
    for source in parsed("pages"):
        for node in source.nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.search("[가-힣]", node.value):
                named += [source.at(node)] if SETTING.search(node.value) else []
    assert named == []


SMALL_PLACES = ('[data-testid="stPopoverBody"]', ".st-key-upload-place")
"""What may ask for anything within: there is little in it, and it seldom changes."""


def test_styles_do_not_look_through_the_whole_page():
    """A rule asks by :has() for a known way down; what may stand anywhere within is looked for at every change of a page."""
    styles = (ROOT / "static" / "styles.css").read_text("utf-8")
    asked = re.findall(r"([^\s,:]*(?::not\()?):has\(([^()]*)\)", styles)
    assert len(asked) == styles.count(":has(")
    for subject, wanted in asked:
        ways = [re.sub(r"\s*>\s*", ">", way.strip()) for way in wanted.split(",")]
        assert subject.startswith(SMALL_PLACES) or all(re.fullmatch(r"(>[^\s>]+)+", way) for way in ways), (subject, wanted)
