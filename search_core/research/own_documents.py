"""What a report says by rules of its sources: of which parts the web could not be asked, and which of them are own documents."""

from __future__ import annotations

from collections.abc import Sequence

from search_core.answering.citations import strip_citations
from search_core.domain import ResearchSource, SubtaskState
from search_core.research.evidence import Material

OWN_ONLY = "내 자료만으로 쓴 보고서예요. 웹은 검색하지 않았어요."
NOT_OF_THE_WEB = "웹에서 가져온 자료가 없어서 내 자료만으로 쓴 보고서예요."
NOTHING_OWN = (
    "내 자료만 찾아봤고 웹은 검색하지 않았어요. 내 자료에서 찾은 것이 없어서 보고서를 쓰지 않았어요. "
    "질문을 바꾸거나, 자료를 더 넣거나, 웹까지 다시 조사해 보세요."
)
SNIPPETS_ONLY = "> 페이지 본문을 읽지 못해서 검색 결과의 짧은 요약만으로 쓴 보고서예요."
WEB_SNIPPETS_ONLY = "> 웹 페이지 본문을 읽지 못해서 웹 자료는 검색 결과의 짧은 요약만 썼어요."
_SOME_SAMPLES = "자료 {count}개 중 {samples}개는 앱에 들어 있는 예시예요."
_UNASKED = "웹 검색 서비스에 물어보지 못한 부분이 있어요. 자료가 없다는 뜻이 아니에요: {parts}"
_MARKS_OWN = "웹이 아니라 내 자료예요: {numbers}"
_MARKS_SAMPLES = "앱에 들어 있는 예시예요: {numbers}"


def preface(material: Material) -> str:
    """Return the notice at the head of a report, with an empty line behind it; empty where there is none."""
    lines = []
    samples = sum(source.sample for source in material.sources)
    samples_note = f" {_SOME_SAMPLES.format(count=len(material.sources), samples=samples)}" if samples else ""
    if material.request.own_only:
        lines.append(f"> {OWN_ONLY}{samples_note}")
    elif not material.web:
        lines.append(f"> {NOT_OF_THE_WEB}{samples_note}")
    unasked = [f"{part.number}. {strip_citations(part.text)}" for part in material.plan if part.state is SubtaskState.FAILED]
    if unasked and not material.request.own_only:
        lines.append(f"> {_UNASKED.format(parts=' / '.join(unasked))}")
    if material.snippets_only:
        lines.append(WEB_SNIPPETS_ONLY if material.own else SNIPPETS_ONLY)
    return "".join(f"{line}\n\n" for line in lines)


def closing(material: Material, cited: Sequence[int]) -> str:
    """Return which of the *cited* sources are own documents, and which of those ship with the app; empty where none are."""
    used = [source for source in material.own if source.number in cited]
    lines = [_MARKS_OWN.format(numbers=_numbers(used))] if used and material.web else []
    all_samples = all(source.sample for source in material.sources)  # at the head of the report
    samples = [source for source in used if source.sample and not all_samples]
    lines += [_MARKS_SAMPLES.format(numbers=_numbers(samples))] if samples else []
    return "\n>\n".join(f"> {line}" for line in lines)


def _numbers(sources: Sequence[ResearchSource]) -> str:
    return ", ".join(f"[{source.number}]" for source in sources)
