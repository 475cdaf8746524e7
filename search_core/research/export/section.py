"""A run as a part of a larger Markdown file, such as the conversation it was asked for in."""

from __future__ import annotations

from dataclasses import replace

from search_core.domain import ResearchRun
from search_core.research.export.contents import build_document
from search_core.research.export.document import Document, Heading
from search_core.research.export.markdown import markdown_file

DEEPEST = 6
"""Of the levels of headings that Markdown has."""


def markdown_section(run: ResearchRun, level: int) -> str:
    """Return *run* as Markdown without its title, its headings from *level* on."""
    title, *blocks = build_document(run).blocks
    assert isinstance(title, Heading)
    deeper = level - title.level - 1
    moved = tuple(replace(b, level=min(DEEPEST, b.level + deeper)) if isinstance(b, Heading) else b for b in blocks)
    return markdown_file(Document(title="", blocks=moved)).decode("utf-8").rstrip("\n")
