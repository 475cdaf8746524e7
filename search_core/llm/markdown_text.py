"""Plain text as Markdown that shows exactly it: signs escaped, addresses as code, numbers in brackets as our own links."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from search_core.web_address import markdown_link, web_address

_LABEL = re.compile(r"\[([^\[\]\n]{1,40})\]")
_NUMBERS = re.compile(r"\d{1,4}(?:\s*,\s*\d{1,4})*")
_UNKNOWN_BEFORE_END = re.compile(r"(?<!\s)\s*\x00(?=[\s.,!?…)。]|$)|\x00")
_RUN = re.compile(r"[^\s\[\]]+")
_ADDRESS = re.compile(r"://|www\.|[\w.+-]@[\w-]", re.IGNORECASE)
"""What readers' renderers make links of by themselves: addresses, hosts and mail addresses (GFM, autolinks)."""
_AROUND = "()<>{}\"'“”‘’「」『』.,;:!?…·。、"
_SIGN = re.compile(r"(?P<icon>:(?:streamlit|material/\w+):)|(?P<tag><(?=[/!?a-zA-Z]))|[\\`*_\[\]<~$|!]|&(?=[#\w])|:(?=[^\W\d]|:)")
"""Signs that mean something, and what Streamlit draws even when its colons are escaped."""
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_LINE_START = re.compile(r"^([-+=#>])", re.MULTILINE)
_LINE_NUMBER = re.compile(r"^(\d{1,9})([.)])", re.MULTILINE)
_MOMENT = re.compile(r"#t=\d{1,6}")
"""A moment of the video on the page itself."""


def drop_unknown_numbers(text: str, links: Mapping[str, str]) -> str:
    """Return *text* without the numbers in brackets that *links* does not hold, and the space before them."""
    return "".join(split_at_unknown_numbers(text, links))


def split_at_unknown_numbers(text: str, links: Mapping[str, str]) -> list[str]:
    """Return the pieces of *text* between the brackets of which ``drop_unknown_numbers`` leaves nothing."""

    def keep_known(match: re.Match[str]) -> str:
        label = match[1].strip()
        if label in links or not _NUMBERS.fullmatch(label):
            return match[0]
        known = [number for number in _numbers(label) if number in links]
        return f"[{', '.join(known)}]" if known else "\x00"

    return _UNKNOWN_BEFORE_END.split(_LABEL.sub(keep_known, text.replace("\x00", "")))


def inert_text(text: str, links: Mapping[str, str]) -> str:
    """Return Markdown that shows *text*; ``[n]`` that *links* holds becomes a link to the address it gives."""
    return "".join(_link_citations(_BREAK.sub(" ", text), links))


def at_line_starts(text: str) -> str:
    """Return inline Markdown with the signs escaped that would make a list, a heading or a quotation at a line's beginning."""
    return _LINE_NUMBER.sub(r"\1\\\2", _LINE_START.sub(r"\\\1", text))


def code(text: str, *, in_table: bool = False) -> str:
    """Return *text* as a code span."""
    text = text.replace("\n", " ")
    if in_table:
        text = text.replace("|", "\\|")
    marks = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    padding = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{marks}{padding}{text}{padding}{marks}"


def fence(text: str) -> list[str]:
    """Return *text* as the lines of a code block that names no language, for some languages are drawn and not shown."""
    marks = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", text) or [""]))
    return [marks, *text.rstrip("\n").split("\n"), marks]


def _numbers(label: str) -> list[str]:
    return [str(int(number)) for number in label.split(",")]


def _link_citations(text: str, links: Mapping[str, str]) -> Iterator[str]:
    done = 0
    for match in _LABEL.finditer(text):
        label = match[1].strip()
        cited = [label] if label in links else _numbers(label) if _NUMBERS.fullmatch(label) else []
        if cited and all(number in links for number in cited):
            yield from _plain(text[done : match.start()])
            for number in cited:
                url = links[number]
                target = url if _MOMENT.fullmatch(url) else web_address(url)
                sign = rf"\[{_escape(number)}\]"
                yield markdown_link(sign, target) if target else sign
            done = match.end()
    yield from _plain(text[done:])


def _plain(text: str) -> Iterator[str]:
    """Yield *text* escaped, what looks like an address as code."""
    done = 0
    for run in _RUN.finditer(text):
        if _ADDRESS.search(run[0]):
            inside = run[0].strip(_AROUND)
            if not _ADDRESS.search(inside):
                inside = run[0]  # as in ".@host": the full stop is a name
            start = run.start() + run[0].index(inside)
            yield _escape(text[done:start])
            yield code(inside)
            done = start + len(inside)
    yield _escape(text[done:])


def _escape(text: str) -> str:
    return _SIGN.sub(_escape_sign, text)


def _escape_sign(found: re.Match[str]) -> str:
    if found["icon"]:
        return code(found[0])
    # Not "\\<": who takes the text for HTML before it is read as Markdown would see an element behind the backslash.
    return "&lt;" if found["tag"] else f"\\{found[0]}"
