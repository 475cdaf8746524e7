"""A database that is away while a conversation or a run is open is named on the page, which recovers by itself."""

from __future__ import annotations

from typing import Any

from tests.app.core_double import BROKEN, SAMPLE, Away, CoreDouble

QUESTION = "대역폭은 얼마나 늘었나요?"


def test_a_conversation_waits_for_its_database(visit):
    """The reason stays at each look and each action, the address keeps its id, and what was typed stays in the box."""
    core: Any = CoreDouble()
    core.chat = Away(core.chat)
    conversation = core.chat.new("", SAMPLE).id
    core.chat.ask(conversation, "", QUESTION)
    here = visit(core=core)
    core.chat.away = ("open", "conversations", "ask")
    here.at.query_params["chat"] = conversation
    for _ in range(3):
        here.look()
        assert BROKEN in here.errors()
        assert (here.param("chat"), here.session.video) == (conversation, None)
    core.chat.away = ()
    here.look()
    assert QUESTION in here.texts()
    assert (here.errors(), here.param("chat"), here.session.video) == ("", conversation, SAMPLE)
    core.chat.away = ("ask",)
    here.ask("또 물어요")
    assert BROKEN in here.errors()
    assert here.draft == "또 물어요"
