"""Words for own documents beside what the web says, the same on the page, in a terminal and in an export."""

from __future__ import annotations

from search_core.domain import OwnDocumentsFound

WITHOUT_WEB = "웹 없이 덧붙인 답"


def sent_to_model(found: OwnDocumentsFound) -> str:
    """Return a Korean sentence that says whether the texts of *found* went to the language model."""
    return f"이 자료의 글은 언어 모델에 {'보냈어요' if found.to_model else '보내지 않았어요'}."


def count_sources(found: int, own: int) -> str:
    """Return how many of *found* sources are of the web, and apart from them how many are *own* documents."""
    counts = [f"출처 {found - own}개"] if found > own or not own else []
    return " · ".join([*counts, f"내 자료 {own}개"] if own else counts)
