"""A document as one HTML file that loads and runs nothing: no scripts, pictures or remote styles, and a policy that says so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from search_core.presenting.document import blocks as doc

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_STYLE = """
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #1f2328; background: #fff; line-height: 1.7;
  font-family: Pretendard, "Apple SD Gothic Neo", "Malgun Gothic", "Noto Sans KR", sans-serif; word-break: keep-all;
  overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.35; } h2 { margin-top: 2.2rem; border-bottom: 1px solid #d0d7de; font-size: 1.25rem; }
h3 { font-size: 1.08rem; } blockquote { margin: 0; padding-left: 1rem; border-left: 3px solid #d0d7de; color: #57606a; }
table { border-collapse: collapse; } th, td { border: 1px solid #d0d7de; padding: .3rem .6rem; text-align: left; }
pre { white-space: pre-wrap; background: #f6f8fa; padding: .8rem; } a { color: #0b5cad; } .facts { color: #57606a; }
.sources li { margin-bottom: .8rem; } @media print { body { margin: 0; } }
"""
_LINK = 'rel="noopener noreferrer nofollow" referrerpolicy="no-referrer"'
_MARKS = (("bold", "strong"), ("italic", "em"), ("struck", "s"))


def html_file(document: doc.Document) -> bytes:
    """Return *document* as HTML, UTF-8."""
    known = frozenset(block.number for block in document.blocks if isinstance(block, doc.SourceEntry))
    body = "\n".join(_Writer(known).blocks(document.blocks))
    page = f"""<!DOCTYPE html>
<html lang="ko">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(document.title)}</title>
<style>{_STYLE}</style>
</head>
<body>
{body}
</body>
</html>
"""
    return page.encode("utf-8", "replace")


class _Writer:
    """Writes blocks; *known* holds the numbers of the sources that can be referred to."""

    def __init__(self, known: frozenset[int]) -> None:
        self._known = known

    def blocks(self, blocks: Iterable[doc.Block]) -> list[str]:
        """Return the lines of *blocks*; neighbouring sources stand in one list."""
        lines: list[str] = []
        listed = False
        for block in blocks:
            is_source = isinstance(block, doc.SourceEntry)
            if is_source != listed:
                lines.append('<ol class="sources">' if is_source else "</ol>")
                listed = is_source
            lines.append(self._block(block))
        return [*lines, *(["</ol>"] if listed else [])]

    def _block(self, block: doc.Block) -> str:
        match block:
            case doc.Heading(level, runs):
                return f"<h{level}>{self._inline(runs)}</h{level}>"
            case doc.Paragraph(runs):
                return f"<p>{self._inline(runs)}</p>"
            case doc.Quotation(inner):
                return "\n".join(("<blockquote>", *self.blocks(inner), "</blockquote>"))
            case doc.Code(text):
                return f"<pre>{escape(text)}</pre>"
            case doc.Items(items, start):
                return self._items(items, start)
            case doc.Table(rows):
                return self._table(rows)
            case doc.SourceEntry():
                return self._source(block)

    def _items(self, items: Sequence[Sequence[doc.Block]], start: int | None) -> str:
        opening, closing = ("<ul>", "</ul>") if start is None else (f'<ol start="{start}">', "</ol>")
        return "\n".join((opening, *(f"<li>{self._item(item)}</li>" for item in items), closing))

    def _item(self, item: Sequence[doc.Block]) -> str:
        if len(item) == 1 and isinstance(item[0], doc.Paragraph):
            return self._inline(item[0].runs)
        return "\n".join(self.blocks(item))

    def _table(self, rows: Sequence[Sequence[Sequence[doc.Run]]]) -> str:
        written = [
            f"<tr>{''.join(f'<{cell}>{self._inline(runs)}</{cell}>' for runs in row)}</tr>"
            for cell, row in zip(("th", *("td" for _ in rows[1:])), rows, strict=True)
        ]
        return "\n".join(("<table>", *written, "</table>"))

    def _source(self, entry: doc.SourceEntry) -> str:
        details = [f'<div class="facts">{escape(entry.facts)}</div>']
        details += [f'<div class="facts">{escape(entry.address)}</div>'] if entry.address else []
        details += [f"<div>{escape(line)}</div>" for line in entry.lines]
        title = self._run(entry.title)
        return f'<li id="source-{entry.number}" value="{entry.number}">{title}{"".join(details)}</li>'

    def _inline(self, runs: Sequence[doc.Run]) -> str:
        return "".join(self._run(run) for run in runs)

    def _run(self, run: doc.Run) -> str:
        if run.text == "\n":
            return "<br>"
        text = escape(run.text)
        if run.code:
            text = f"<code>{text}</code>"
        for name, tag in _MARKS:
            text = f"<{tag}>{text}</{tag}>" if getattr(run, name) else text
        if run.cites in self._known:
            return f'<a href="#source-{run.cites}">{text}</a>'
        return f'<a href="{escape(run.url)}" {_LINK}>{text}</a>' if run.url else text
