"""Who is visiting: nobody in particular, or, where the operator wants a login, somebody a provider of identities vouches for.

A login is wanted where ``secrets.toml`` has an ``[auth]`` section. Without one nothing is asked, imported or looked up.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAuthError

from pages.parts import labels, services, starting
from pages.parts.escaping import md

logger = logging.getLogger(__name__)


def owner() -> str:
    """Return whose things the visitor gets to see: empty without a login, else the same text at each of their visits.

    Ends the run of a page that somebody got to without logging in.
    """
    if not _auth():
        return ""
    found = _identity(st.user.to_dict())
    if not found:
        st.stop()
    return found


def require() -> None:
    """Go on with a visitor who may be here, with a way out in the sidebar; show the others a login and end the run.

    Every run of the app begins with this, before any page is looked for.
    """
    auth = _auth()
    if not auth:
        return
    user: Mapping[str, Any] = st.user.to_dict()
    if not user.get("is_logged_in"):
        _show_login(_providers(auth))
    elif not _identity(user):
        st.error(labels.LOGIN_NOBODY, icon=":material/no_accounts:")
        st.button(labels.LOGOUT, key="logout", on_click=st.logout)
    else:
        _show_way_out(user)
        return
    starting.note_painted()
    st.stop()


def _auth() -> Mapping[str, Any]:
    found = services.secrets().get("auth")
    return found if isinstance(found, Mapping) else {}


def _providers(auth: Mapping[str, Any]) -> tuple[str | None, ...]:
    """Return the names of the providers that the operator has set up; None stands for the only one without a name."""
    named = tuple(name for name, value in auth.items() if isinstance(value, Mapping) and "client_id" in value)
    return named if named and "client_id" not in auth else (None, *named)


def _identity(user: Mapping[str, Any]) -> str:
    """Return what tells a user from all others: who vouches for them and their number there, or an address that was verified.

    Empty where there is neither: a name or an address that anybody may give themselves opens nothing.
    """
    if not user.get("is_logged_in"):
        return ""
    issuer, subject, address = (str(user.get(name) or "").strip() for name in ("iss", "sub", "email"))
    if issuer and subject:
        return f"{issuer}|{subject}"
    return f"mailto:{address.lower()}" if address and user.get("email_verified") is True else ""


def _show_login(providers: tuple[str | None, ...]) -> None:
    st.title(labels.BRAND, anchor=False)
    st.markdown(labels.LOGIN_WHY)
    for name in providers:
        words = labels.LOGIN if name is None else labels.LOGIN_WITH.format(name=md(name.capitalize(), 40))
        if st.button(words, key=f"login-{name or 'default'}", type="primary", icon=":material/login:"):
            _log_in(name)


def _log_in(provider: str | None) -> None:
    try:
        st.login(provider)
    except StreamlitAuthError as error:
        logger.error("Nobody can log in: %s", error)
        st.error(labels.LOGIN_BROKEN, icon=":material/settings_alert:")


def _show_way_out(user: Mapping[str, Any]) -> None:
    with st.sidebar.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.caption(md(str(user.get("name") or user.get("email") or labels.LOGIN_SOMEBODY), 80), width="content")
        st.button(labels.LOGOUT, key="logout", on_click=st.logout, icon=":material/logout:", type="tertiary")
