"""The sidebar: a language model on this machine, offered once it is found, switched on and off by a click."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.parts.shared import services, visitor
from pages.parts.shared.buttons import quiet
from pages.parts.shared.escaping import md

if TYPE_CHECKING:
    from search_core.models.llm.local_models import LocalModel

_found: tuple[LocalModel, ...] = ()
_taken: LocalModel | None = None


def look() -> None:
    """Record the chosen model or, if there is none and it is allowed, look for model servers on this machine; blocks."""
    global _found, _taken
    from search_core.errors import SettingsError
    from search_core.models.llm.local_models import chosen_model, find_local_models, may_offer
    from search_core.settings import Settings

    try:
        own = Settings.from_env(services.secrets())
    except SettingsError:  # each visitor is told
        return
    _taken = chosen_model(own)
    _found = find_local_models() if may_offer(own) and _taken is None else ()


def offer() -> None:
    """Draw the model in use, or those available, to visitors at this machine and the operator."""
    if _taken is None and not _found:
        return
    at_home = not visitor.owner() and not services.core().settings.allowed_hosts
    if not (at_home or visitor.is_operator()):
        return
    with st.sidebar.container(key="local-model"):
        if _taken is not None:
            st.caption(f"언어 모델: 이 컴퓨터의 {_shown(_taken)}")
            quiet("끄기", _choose, None, key="local-model-off")
        for model in _found:
            tip = "답과 보고서를 이 컴퓨터에서 도는 언어 모델이 써요. 질문과 자막, 찾은 글이 이 컴퓨터를 떠나지 않아요."
            st.caption(f"이 컴퓨터의 언어 모델을 쓸까요? {_shown(model)} ({model.server})", help=tip)
            quiet("쓰기", _choose, model, key=f"local-model-{model.server}")


def _shown(model: LocalModel) -> str:
    """Return the name of *model* to show; if it is a file's path, as with llama.cpp, only the file's name."""
    return md(model.name.rpartition("/")[2] if model.name.endswith(".gguf") else model.name, 60)


def _choose(model: LocalModel | None) -> None:
    from search_core.models.llm.local_models import choose_model

    choose_model(services.core().settings, model)
    services.restart()
    look()
