"""The evidence of a report: numbered sources, each with a fair share of the text, and statements about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from search_core.answers.citations import CitationRegistry, CitedAnswer, strip_citations
from search_core.answers.reader import embedded_of_each, excerpt
from search_core.answers.support import Nearness
from search_core.domain.research import ResearchRequest, ResearchSource, Subtask, SubtaskState
from search_core.errors import MaekrakError
from search_core.language.vectors import Embedder
from search_core.models.llm.prompt import ChatMessage

SNIPPETS_ONLY = "> 페이지 본문을 읽지 못해서 검색 결과의 짧은 요약만으로 쓴 보고서예요."
WEB_SNIPPETS_ONLY = "> 웹 페이지 본문을 읽지 못해서 웹 자료는 검색 결과의 짧은 요약만 썼어요."
_UNASKED = "웹 검색 서비스에 물어보지 못한 부분이 있어요. 자료가 없다는 뜻이 아니에요: {parts}"


class NoSourcesError(MaekrakError):
    """Says that a report has no sources, so none is to be written."""

    def __init__(self) -> None:
        super().__init__("There are no sources to answer from.", korean="답의 근거로 삼을 자료가 없어서 답을 쓰지 않았어요.")


def preface(material: Material) -> str:
    """Return the notice above a report and an empty line; empty without a notice."""
    lines = []
    if not material.web:
        lines.append("> 웹에서 가져온 자료가 없어서 내 자료만으로 쓴 보고서예요.")
    unasked = [f"{part.number}. {strip_citations(part.text)}" for part in material.plan if part.state is SubtaskState.FAILED]
    if unasked:
        lines.append(f"> {_UNASKED.format(parts=' / '.join(unasked))}")
    if material.snippets_only:
        lines.append(WEB_SNIPPETS_ONLY if material.own else SNIPPETS_ONLY)
    return "".join(f"{line}\n\n" for line in lines)


def closing(material: Material, cited: Sequence[int]) -> str:
    """Return a note on which *cited* sources are own documents; empty if there are none, or no web pages beside them."""
    used = [f"[{source.number}]" for source in material.own if source.number in cited]
    return f"> 웹이 아니라 내 자료예요: {', '.join(used)}" if used and material.web else ""


MAX_CONTENT_CHARS = 8_000
TOTAL_CHARS = 48_000
"""Characters of all sources together: some 30,000 tokens of Korean, which common models can read besides a report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What a report is written from: the request, its subtasks, and the sources with their passages."""

    request: ResearchRequest
    plan: tuple[Subtask, ...]
    sources: tuple[ResearchSource, ...]
    """Numbered from 1 without gaps."""
    pages: Mapping[int, str] = field(default_factory=dict)
    """Texts of the pages that were read, by number of the source; for other sources the snippet is used."""
    now: datetime
    """Time zone aware."""

    @property
    def snippets_only(self) -> bool:
        """Return whether no web page could be read, so that only snippets are known."""
        return bool(self.web) and not any(self.pages.get(source.number, "").strip() for source in self.web)

    @property
    def web(self) -> tuple[ResearchSource, ...]:
        """Return the sources that are pages of the web."""
        return tuple(source for source in self.sources if not source.own)

    @property
    def own(self) -> tuple[ResearchSource, ...]:
        """Return the sources that are documents of the library."""
        return tuple(source for source in self.sources if source.own)

    def of_part(self, number: int) -> tuple[ResearchSource, ...]:
        """Return the sources found for one subtask, most relevant first."""
        return tuple(source for source in self.sources if number in source.subtasks)


class ReportSources:
    """Holds the sources of one report and checks the report against them."""

    def __init__(self, material: Material, *, total: int = TOTAL_CHARS, embedder: Embedder | None = None) -> None:
        """Take the sources of *material*, all together with at most *total* characters.

        Longer ones are cut to the sentences that answer best; *embedder* reads those in another language than the question's.
        Raises NoSourcesError without a usable source.
        """
        if not material.sources:
            raise NoSourcesError
        self.material = material
        pages = material.pages
        whole = [pages.get(each.number, "").strip() or each.snippet.strip() or each.title for each in material.sources]
        shares = fair_shares([len(text) for text in whole], total)
        about = " ".join((material.request.question, *(part.text for part in material.plan)))
        self._registry = CitationRegistry()
        self.texts: dict[int, str] = {}
        """The used part of each source's text, by number."""
        self.excerpted = tuple(
            source.number for source, text, share in zip(material.sources, whole, shares, strict=True) if len(text) > share
        )
        """Numbers of the sources of which only the sentences nearest to the question are used."""
        at_most = embedded_of_each(len(self.excerpted))
        for source, text, share in zip(material.sources, whole, shares, strict=True):
            used = excerpt(text, about, share, embedder, at_most=at_most)
            self.texts[source.number] = used
            title = f"{source.domain}: {source.title}" if source.own else source.title
            given = self._registry.add(title=title, text=used, url=source.url, published=source.publish_date)
            if given != source.number:
                raise ValueError(f"source {source.number} of a report would be cited as {given}")

    def describe(self) -> str:
        """Return the sources as data for a language model."""
        return self._registry.described(max_chars=MAX_CONTENT_CHARS)

    def check(self, report: str, nearness: Nearness | None = None, asked: Sequence[ChatMessage] = ()) -> CitedAnswer:
        """Return *report* without unknown source numbers, and how far its sources and the question support it."""
        return self._registry.resolve(report, nearness, asked)


def fair_shares(lengths: Sequence[int], total: int) -> list[int]:
    """Return how many characters each text may have; what short texts do not need is shared among the long ones."""
    shares = [0] * len(lengths)
    left = total
    for done, index in enumerate(sorted(range(len(lengths)), key=lambda index: lengths[index])):
        shares[index] = min(lengths[index], left // (len(lengths) - done))
        left -= shares[index]
    return shares
