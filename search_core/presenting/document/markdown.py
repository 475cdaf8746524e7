"""A document as Markdown in which foreign text stays text and only sources have addresses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from search_core.llm.markdown import code, fence
from search_core.presenting.document import blocks as doc
from search_core.presenting.inert_markdown import escape, link
from search_core.text.web_address import markdown_link


def markdown_file(document: doc.Document) -> bytes:
    """Return *document* as Markdown (CommonMark with tables), UTF-8."""
    writer = _Writer({block.number: block.title.url for block in document.blocks if isinstance(block, doc.SourceEntry)})
    return ("\n".join(writer.blocks(document.blocks)) + "\n").encode("utf-8", "replace")


class _Writer:
    """Writes blocks; *addresses* holds where each source can be found, empty where that is no address of the web."""

    def __init__(self, addresses: Mapping[int, str]) -> None:
        self._addresses = addresses

    def blocks(self, blocks: Iterable[doc.Block]) -> list[str]:
        """Return the lines of *blocks*, an empty line between them, but not between sources."""
        lines: list[str] = []
        before: doc.Block | None = None
        for block in blocks:
            together = isinstance(block, doc.SourceEntry) and isinstance(before, doc.SourceEntry)
            lines += [*([""] if lines and not together else []), *self._block(block)]
            before = block
        return lines

    def _block(self, block: doc.Block) -> list[str]:
        match block:
            case doc.Heading(level, runs):
                return [f"{'#' * level} {self._one_line(runs)}"]
            case doc.Paragraph(runs):
                return self._inline(runs).split("\n")
            case doc.Quotation(inner):
                return [f"> {line}".rstrip() for line in self.blocks(inner)]
            case doc.Code(text):
                return fence(text)
            case doc.Items(items, start):
                return self._items(items, start)
            case doc.Table(rows):
                return self._table(rows)
            case doc.SourceEntry():
                return self._source(block)

    def _items(self, items: Sequence[Sequence[doc.Block]], start: int | None) -> list[str]:
        lines: list[str] = []
        for place, item in enumerate(items):
            marker = "- " if start is None else f"{start + place}. "
            inner = self.blocks(item) or [""]
            lines.append(f"{marker}{inner[0]}".rstrip())
            lines += [f"{' ' * len(marker)}{line}".rstrip() for line in inner[1:]]
        return lines

    def _table(self, rows: Sequence[Sequence[Sequence[doc.Run]]]) -> list[str]:
        written = [f"| {' | '.join(self._one_line(cell) for cell in row)} |" for row in rows]
        return [written[0], f"| {' | '.join('---' for _ in rows[0])} |", *written[1:]]

    def _source(self, entry: doc.SourceEntry) -> list[str]:
        indent = " " * (len(str(entry.number)) + 2)
        title = link(entry.title.text, entry.title.url)
        address = [f"{indent}- {escape(entry.address)}"] if entry.address else []
        return [
            f"{entry.number}. {title}",
            f"{indent}- {escape(entry.facts)}",
            *address,
            *(f"{indent}- {escape(line)}" for line in entry.lines),
        ]

    def _one_line(self, runs: Sequence[doc.Run]) -> str:
        return " ".join(self._inline(runs).replace("\\\n", " ").split("\n"))

    def _inline(self, runs: Sequence[doc.Run]) -> str:
        return "".join(self._run(run) for run in runs)

    def _run(self, run: doc.Run) -> str:
        if run.cites:
            sign = escape(run.text)
            target = self._addresses.get(run.cites, "")
            return markdown_link(sign, target) if target else sign
        if run.url:
            return link(run.text, run.url)
        if run.code:
            return code(run.text, in_table=True)
        if run.text == "\n":
            return "\\\n"
        core = escape(run.text)
        if not core:
            return " " if run.text else ""
        for mark, worn in (("**", run.bold), ("*", run.italic), ("~~", run.struck)):
            core = f"{mark}{core}{mark}" if worn else core
        return f"{' ' if run.text[0].isspace() else ''}{core}{' ' if run.text[-1].isspace() else ''}"
