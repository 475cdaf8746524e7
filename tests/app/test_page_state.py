"""A database that is away while a conversation or a run is open is named on the page, which recovers by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from search_core.chat import Chat, memory_of
from search_core.domain import ResearchRequest
from search_core.errors import ConversationNotFoundError, StorageError
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
def core(chat: Chat) -> CoreDouble:
    core = CoreDouble()
    core.chat = chat  # type: ignore[assignment]
    return core


@pytest.fixture
def conversation(chat: Chat) -> str:
    """Return a conversation with one answered question."""
    entry = chat.new("", SAMPLE)
    assert chat.ask(entry.id, "", QUESTION).wait(SOON_S)
    return entry.id


def test_a_conversation_waits_for_its_database(visit, core: CoreDouble, file: FragileFile, conversation: str):
    """The reason stays at each look and the address keeps its id; with the database, conversation and video are there."""
    here = visit(page="chat", core=core)
    file.break_down()
    here.at.query_params["chat"] = conversation
    for _ in range(3):
        here.look()
        assert BROKEN in here.errors()
        assert here.param("chat") == conversation
        assert here.session.video is None
    file.repair()
    here.look()
    assert QUESTION in here.texts()
    assert here.session.video == SAMPLE
    assert (here.errors(), here.param("chat")) == ("", conversation)
    here.at.query_params["chat"] = "gone"
    for _ in range(2):
        here.look()
        assert ConversationNotFoundError().korean in here.texts()
        assert here.param("chat") == ""


def test_actions_in_a_conversation_say_why_they_fail(visit, core: CoreDouble, chat: Chat, file: FragileFile, conversation: str):
    """Asking, renaming and deleting while the database is away each name the reason; the question stays in the box."""
    here = visit(page="chat", core=core, chat=conversation)
    here.click("rename")
    file.break_down()
    here.at.text_input(key=f"title-of-{conversation}").set_value("새 이름")
    here.press("저장")
    assert BROKEN in here.errors()
    here.ask_chat("또 물어요")
    assert BROKEN in here.errors()
    assert here.at.chat_input[0].value == "또 물어요"
    file.repair()
    here.look()
    here.click("delete")
    file.break_down()
    here.click("delete-yes")
    assert BROKEN in here.errors()
    assert here.param("chat") == conversation
    file.repair()
    assert memory_of(chat.open(conversation, "").messages).turns


def test_a_run_waits_for_its_database(visit):
    """The reason stays at each look, the address keeps its id, and the run is there once the database is."""
    core = CoreDouble()
    core.research = AwayResearch()
    run = core.research.start(ResearchRequest(question=QUESTION, video=SAMPLE))
    here: Visit = visit(page="research", core=core, video=True)
    core.research.away = True
    here.at.query_params["run"] = run.id
    for _ in range(3):
        here.look()
        assert BROKEN in here.errors()
        assert here.param("run") == run.id
    core.research.away = False
    here.look()
    assert "조사를 마쳤어요" in here.texts()
    assert here.errors() == ""
