"""The whole core finding the claims of a video, with a language model and without."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

from search_core.core import SearchCore
from search_core.domain import ClaimOrigin, TranscriptSegment, VideoContext
from search_core.settings import Settings
from tests.loopback.language_model import LanguageModelServer, saying

VIDEO = VideoContext(
    title="국민은행 이야기",
    transcript=(TranscriptSegment(0, 5, "안녕하세요."), TranscriptSegment(5, 10, "국민은행은 2025년에 3조 원을 벌었거든요.")),
)
WORDED = "국민은행은 2025년에 3조 원을 벌었습니다."


def core(folder: Path, **more: str) -> SearchCore:
    return SearchCore.from_settings(Settings(maekrak_data_dir=folder, embedding_model="kiwi", library_samples=False, **more))


def test_a_language_model_words_them_where_one_is_set_up(tmp_path: Path, model: LanguageModelServer):
    """Claims are told as they were said; a model that is set up words them, and their moments stay."""
    model.answer = saying(json.dumps({"number": 1, "claim": WORDED, "worth": 90}, ensure_ascii=False))
    with closing(core(tmp_path / "without")) as running:
        (by_rules,) = running.find_claims(VIDEO).claims
    with closing(core(tmp_path / "with", openai_base_url=model.url, openai_model="m")) as running:
        (claim,) = running.find_claims(VIDEO).claims
    assert (by_rules.text, by_rules.start_s, by_rules.origin) == (VIDEO.transcript[1].text, 5, ClaimOrigin.RULES)
    assert (claim.text, claim.origin, claim.moments) == (WORDED, ClaimOrigin.MODEL, by_rules.moments)
