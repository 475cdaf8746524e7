"""Words for what own documents say beside an answer, the same on the page, in a terminal and in an export."""

from __future__ import annotations

from search_core.domain import OwnDocumentsFound

WITHOUT_WEB = "웹 없이 덧붙인 답"


def sent_to_model(found: OwnDocumentsFound) -> str:
    """Return a Korean sentence that says whether the texts of *found* went to the language model."""
    return f"이 자료의 글은 언어 모델에 {'보냈어요' if found.to_model else '보내지 않았어요'}."
