"""The README's sentences about answers that fall back to the web: each stands there, and each is true of the whole core."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from search_core.commands import main
from search_core.core import SearchCore
from search_core.domain import AnswerOrigin
from tests.loopback.language_model import LanguageModelServer
from tests.loopback.world import World
from tests.search_core.whole_core import (
    ALONE,
    FOUND,
    FOUNDER,
    NOBEL,
    NOT_MENTIONED,
    SECRET,
    answered,
    prompts,
    unknowing,
    whole_core,
)

README = " ".join((Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8").split())
SUBTITLES = "1\n00:00:01,000 --> 00:00:04,000\n오늘은 메모리 장벽 이야기를 합니다.\n"


@pytest.fixture
def core(world: World, model: LanguageModelServer, folder: Path) -> Iterator[SearchCore]:
    """Run a core with a model, whose web has an answer."""
    world.reset(pages=FOUND)
    model.answer = unknowing
    model.asked.clear()
    with whole_core(world, folder, model) as core:
        yield core


def stands(sentence: str) -> None:
    """Hold the README to contain *sentence*, wherever its lines break."""
    assert " ".join(sentence.split()) in README


def test_the_web_is_searched_in_the_words_of_the_question(core: SearchCore, world: World):
    """It goes out as it is; a pointing word is all that changes."""
    stands(
        'the web is searched for the question in its own words (only words that point, like "이 회사", are replaced by what they '
        "mean)"
    )
    answered(core, NOBEL)
    assert {query for _, query in world.asked} == {NOBEL}
    world.asked.clear()
    answered(core, "이 회사의 창업자는 누구인가요?")
    assert {query for _, query in world.asked} == {"SK하이닉스의 창업자는 누구인가요?"}


def test_a_second_answer_is_made_of_the_web(core: SearchCore, model: LanguageModelServer):
    """At most three numbered sources of the web, and the passages that were looked at."""
    stands(
        "a second answer is made from the best three snippets of the web, with numbered sources and the passages that were "
        "checked in vain"
    )
    record = answered(core)
    assert record.web_origin is AnswerOrigin.MODEL
    assert 1 <= len(record.sources) <= 3
    assert all(source.url.startswith("http") for source in record.sources)
    assert record.fallback is not None
    assert record.fallback.passages
    assert SECRET not in "".join(prompts(model))


def test_the_first_answer_stands_where_the_web_fails(core: SearchCore, world: World):
    """The reason of each service is told in the specified words."""
    stands("When that fails the first answer stands and the reason is said.")
    stands("When no service of the web answers, that is said with the reason of each (`[웹 검색 사용 불가]`).")
    world.play_all(failure="500")
    record = answered(core)
    assert record.text == NOT_MENTIONED
    assert record.failure is not None
    assert record.failure.reason.startswith("[웹 검색 사용 불가]")
    assert all(f"{name}: " in record.failure.reason for name in ("위키백과", "Tavily", "DuckDuckGo"))


def test_a_model_is_told_in_the_same_turn(core: SearchCore, world: World, model: LanguageModelServer):
    """Its second prompt holds the notice, and what it then says follows the first answer."""
    stands(
        "A model, where there is one, is told so in the same turn and asked once more for what video, conversation and own "
        "documents say; if that is anything, it follows the first answer."
    )
    world.play_all(failure="500")
    record = answered(core)
    [prompt] = prompts(model, "alone")
    assert "[웹 검색 사용 불가]" in prompt
    assert record.text == NOT_MENTIONED
    assert record.without_web is not None
    assert record.without_web.text == ALONE


def test_own_documents_follow_under_their_own_name(core: SearchCore, world: World):
    """They are told apart from the web, with whether a model was sent their words."""
    stands(
        "What they say to the question follows under a name of its own, samples marked 예시, and with it stands whether their "
        "text went to the model (`OPENAI_OWN_DOCUMENTS`)."
    )
    beside = answered(core)
    world.play_all(failure="500")
    away = answered(core)
    for record, to_model in ((beside, False), (away, True)):
        assert record.own is not None
        assert [document.title for document in record.own.documents] == ["SK하이닉스 창업자 메모"]
        assert record.own.to_model is to_model


def test_own_documents_are_sent_while_the_web_is_away_only(
    core: SearchCore, world: World, model: LanguageModelServer, folder: Path
):
    """Not beside an answer of the web, and not where the operator says never."""
    stands(
        "Documents of the library go into an answer's prompt only while the web is away and where `OPENAI_OWN_DOCUMENTS` allows "
        "it."
    )
    answered(core)
    assert SECRET not in "".join(prompts(model))
    world.play_all(failure="500")
    answered(core)
    assert SECRET in "".join(prompts(model))
    model.asked.clear()
    with whole_core(world, folder, model, openai_own_documents="never") as silent:
        answered(silent)
    assert prompts(model, "alone")
    assert SECRET not in "".join(prompts(model))


def test_the_command_prints_own_documents_and_exits_with_1(
    world: World, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """Neither the video nor the web answered; what one's own memo says is printed all the same."""
    stands("What documents of your own say is printed under `내 자료에서`.")
    stands("the exit code is 1 when neither the video nor the web gave an answer.")
    world.play_all(failure="500")
    settings = world.settings(maekrak_data_dir=folder / "data", embedding_model="kiwi", search_providers="library,tavily")
    for name, value in settings.items():
        monkeypatch.setenv(name.upper(), str(value))
    (folder / "talk.srt").write_text(SUBTITLES, encoding="utf-8")
    assert main(["ask", FOUNDER, "--video", str(folder / "talk.srt")]) == 1
    printed = capsys.readouterr().out
    assert printed.index("내 자료에서\n") < printed.index(SECRET)


def test_the_fallback_can_be_turned_off(world: World, folder: Path):
    """Nothing is searched, and the first answer stands."""
    stands("`WEB_SEARCH_FALLBACK_ENABLED=false` turns the search off.")
    world.asked.clear()
    with whole_core(world, folder, web_search_fallback_enabled=False) as core:
        record = answered(core)
    assert record.text.startswith(NOT_MENTIONED)
    assert (world.asked, record.searched_for, record.own) == ([], "", None)
