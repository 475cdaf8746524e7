"""A database that is away while somebody looks at a conversation, or at a run: said on the page, which finds back by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pages.parts import services
from search_core.chat import Chat, memory_of
from search_core.domain import ResearchRequest
from search_core.errors import ConversationNotFoundError, StorageError
from search_core.research import ResearchNotFoundError
from search_core.storage.conversations import ConversationStore
from search_core.storage.database import Database
from tests.app.conftest import Visit
from tests.app.core_double import SAMPLE, CoreDouble
from tests.app.research_double import ResearchDouble
from tests.search_core.chat.scripted_chat import SOON_S, open_chat

BROKEN = "가 손상되었어요"
QUESTION = "대역폭은 얼마나 늘었나요?"


class FragileFile:
    """A real database whose file can be made unreadable, and readable again."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "maekrak.sqlite"
        self._whole = b""
        self.database = Database(self._path)

    def break_down(self) -> None:
        self.database.close()
        self._whole = self._path.read_bytes()
        self._path.write_bytes(b"no database" * 1000)

    def repair(self) -> None:
        self.database.close()
        self._path.write_bytes(self._whole)


class AwayResearch(ResearchDouble):
    """Research whose database can be away."""

    away = False

    def get(self, run_id, owner):
        self._refuse()
        return super().get(run_id, owner)

    def list(self, *arguments, **more):
        self._refuse()
        return super().list(*arguments, **more)

    def _refuse(self) -> None:
        if self.away:
            raise StorageError("away", korean=f"{BROKEN}.")


@pytest.fixture
def file(tmp_path: Path) -> FragileFile:
    return FragileFile(tmp_path)


@pytest.fixture
def chat(tmp_path: Path, file: FragileFile) -> Iterator[Chat]:
    with open_chat(tmp_path, store=ConversationStore(file.database)) as chat:
        yield chat


@pytest.fixture
def core(chat: Chat) -> Iterator[CoreDouble]:
    core = CoreDouble()
    core.chat = chat  # type: ignore[assignment]
    core.research = AwayResearch()
    services.provide(lambda: core)
    yield core
    services.provide(services.from_settings)


def opened(core: CoreDouble, page: str) -> Visit:
    """Return a visitor of *page* with a sample video."""
    here = Visit(core, {})
    here.at.switch_page(f"pages/{page}.py")
    here.look()
    here.open_sample()
    return here


def address(here: Visit, name: str) -> str:
    value = here.at.query_params.get(name, "")
    return value if isinstance(value, str) else value[0]


def problems(here: Visit) -> str:
    return "\n".join(str(box.value) for box in here.at.error)


def a_conversation(chat: Chat, video=SAMPLE) -> str:
    entry = chat.new("", video)
    assert chat.ask(entry.id, "", QUESTION).wait(SOON_S)
    return entry.id


def test_a_conversation_waits_for_its_database(core: CoreDouble, chat: Chat, file: FragileFile):
    """The sentence stays at each look, the address keeps its id, and the conversation is there once the database is."""
    talk = a_conversation(chat)
    here = opened(core, "chat")
    file.break_down()
    here.at.query_params["chat"] = talk
    for _ in range(3):
        here.look()
        assert BROKEN in problems(here)
        assert address(here, "chat") == talk
    file.repair()
    here.look()
    assert QUESTION in here.texts()
    assert address(here, "chat") == talk
    assert problems(here) == ""


def test_a_conversation_that_comes_late_brings_its_video(core: CoreDouble, chat: Chat, file: FragileFile):
    """The video it is about is opened at the first look that can read it."""
    talk = a_conversation(chat)
    here = Visit(core, {})
    here.at.switch_page("pages/chat.py")
    file.break_down()
    here.at.query_params["chat"] = talk
    here.look()
    assert here.at.session_state["page-session"].video is None
    file.repair()
    here.look()
    assert here.at.session_state["page-session"].video == SAMPLE


def test_nothing_done_in_a_conversation_ends_unexpectedly(core: CoreDouble, chat: Chat, file: FragileFile):
    """Asking, renaming and deleting while the database is away each say why they cannot be; the question stays in the box."""
    talk = a_conversation(chat)
    here = opened(core, "chat")
    here.at.query_params["chat"] = talk
    here.look()
    here.click("rename")
    file.break_down()
    here.at.text_input(key=f"title-of-{talk}").set_value("새 이름")
    next(button for button in here.at.button if button.label == "저장").click()
    here.look()
    assert BROKEN in problems(here)
    here.at.chat_input[0].set_value("또 물어요")
    here.look()
    assert BROKEN in problems(here)
    assert here.at.chat_input[0].value == "또 물어요"
    file.repair()
    here.look()
    here.click("delete")
    file.break_down()
    here.click("delete-yes")
    assert BROKEN in problems(here)
    assert address(here, "chat") == talk
    file.repair()
    assert memory_of(chat.open(talk, "").messages).turns


def test_a_run_waits_for_its_database(core: CoreDouble):
    """The sentence stays at each look, the address keeps its id, and the run is there once the database is."""
    run = core.research.start(ResearchRequest(question=QUESTION, video=SAMPLE))
    here = opened(core, "research")
    core.research.away = True
    here.at.query_params["run"] = run.id
    for _ in range(3):
        here.look()
        assert BROKEN in problems(here)
        assert address(here, "run") == run.id
    core.research.away = False
    here.look()
    assert "조사를 마쳤어요" in here.texts()
    assert problems(here) == ""


@pytest.mark.parametrize(
    ("page", "name", "error"),
    [("chat", "chat", ConversationNotFoundError()), ("research", "run", ResearchNotFoundError())],
    ids=["conversation", "run"],
)
def test_what_is_gone_is_left_with_a_sentence(core: CoreDouble, page: str, name: str, error):
    """An address of something that is not there is taken off the page, which says so."""
    here = opened(core, page)
    here.at.query_params[name] = "gone"
    here.look()
    assert error.korean in here.texts()
    assert address(here, name) == ""
    here.look()
    assert error.korean in here.texts()
