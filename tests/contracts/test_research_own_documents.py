"""What research sends to a language model of the documents in the library, and what the report says of them, by the real core."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from search_core.domain.research import ResearchRequest, ResearchStatus
from tests.loopback.language_model import LanguageModelServer
from tests.loopback.world import World
from tests.search_core.whole_core import build_core

SECRET = "청람프로젝트"
QUESTION = "한빛전자 새 메모리의 대역폭은 얼마인가요?"
DOCUMENT = f"# {SECRET} 한빛전자 메모리 대역폭\n\n한빛전자 새 메모리의 대역폭은 {SECRET} 시험에서 초당 3테라바이트였다.\n"


@pytest.mark.parametrize(("choice", "goes"), [("never", False), ("always", True)])
def test_documents_go_where_they_may(world: World, model: LanguageModelServer, tmp_path: Path, choice: str, goes: bool):
    """Else neither plan nor prompt holds a word of them; the report marks them as not of the web and quotes what was not sent."""
    (tmp_path / "secret.md").write_text(DOCUMENT, encoding="utf-8")
    settings = {"search_providers": "library,searxng", "web_search_cache_ttl": 0, "openai_own_documents": choice}
    with closing(build_core(world, tmp_path, model, **settings)) as core:
        core.index([tmp_path / "secret.md"])
        model.asked.clear()
        started = core.research.start(ResearchRequest(question=QUESTION))
        for _ in core.research.events(started.id, ""):
            pass
        run = core.research.get(started.id, "")
    assert (run.status, run.by_model, run.own_sent) == (ResearchStatus.COMPLETE, True, goes)
    assert (f"내 자료: {SECRET}" in "".join(asked.prompt for asked in model.asked)) is goes
    [document] = [source for source in run.sources if source.collection == "user"]
    head, _, own = run.report.partition("## 내 자료에서")
    assert f"> 웹이 아니라 내 자료예요: [{document.number}]" in (head if goes else own)
    assert document.number > max(source.number for source in run.sources if not source.own)
    assert "내 자료" not in run.domains
    if not goes:
        assert SECRET not in "".join(asked.prompt for asked in model.asked)
        assert SECRET not in head
        assert f"대역폭은 {SECRET} 시험에서 초당 3테라바이트였다." in own
        assert any("웹 출처로 세지 않았어요" in line for line in run.coverage)
