"""The visitor: anonymous or, if the operator wants a login, a user of an identity provider.

A login is required if ``secrets.toml`` has an ``[auth]`` section. Otherwise nothing is asked, imported or looked up.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping

import streamlit as st
from starlette.requests import Request
from streamlit.errors import StreamlitAuthError, StreamlitMissingAuthlibError

from pages.parts import BRAND
from pages.parts.shared import services
from pages.parts.shared.buttons import quiet
from pages.parts.shared.escaping import md

logger = logging.getLogger(__name__)
LOGOUT = "로그아웃"


def owner() -> str:
    """Return the visitor's id as an owner: empty without a login, else the same at each visit.

    Ends the run of a page that was reached without a login.
    """
    if not _auth():
        return ""
    identity = _identity(st.user.to_dict())
    if not identity:
        st.stop()
    return identity


def is_operator() -> bool:
    """Return whether the visitor logged in with a verified address of an operator."""
    if not _auth():
        return False
    user = st.user.to_dict()
    operators = {address.strip().lower() for address in services.core().settings.operators.split(",")} - {""}
    return user.get("email_verified") is True and str(user.get("email") or "").strip().lower() in operators


def require() -> None:
    """Let a logged-in visitor continue, with a logout button; show others the login and end the run.

    Every run of the app begins with this, before any page is looked for.
    """
    auth = _auth()
    if not auth:
        return
    user: Mapping[str, object] = st.user.to_dict()
    if not user.get("is_logged_in"):
        _show_login(auth)
    elif not _identity(user):
        nobody = "로그인한 계정에서 사용자를 구분할 정보를 받지 못했어요. 이메일을 확인한 계정으로 다시 로그인해 주세요."
        st.error(nobody, icon=":material/no_accounts:")
        st.button(LOGOUT, key="logout", on_click=st.logout)
    else:
        with st.sidebar.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.caption(md(str(user.get("name") or user.get("email") or "로그인한 사용자"), 80), width="content")
            quiet(LOGOUT, st.logout, key="logout", icon="logout")
        return
    services.note_painted()
    st.stop()


def may_upload(request: Request) -> bool:
    """Return whether no login is required, or *request* comes from a logged-in visitor."""
    from streamlit.web.server.starlette.starlette_auth_routes import _get_cookie_value_from_request
    from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

    return not _auth() or _get_cookie_value_from_request(request, USER_COOKIE_NAME) is not None


def _auth() -> Mapping[str, object]:
    section = services.secrets().get("auth")
    return section if isinstance(section, Mapping) else {}


def _identity(user: Mapping[str, object]) -> str:
    """Return the identity of a user: the provider and the user's number there, or a verified address.

    Empty if there is neither: names and unverified addresses can be chosen freely, so they identify nobody.
    """
    if not user.get("is_logged_in"):
        return ""
    issuer, subject, address = (str(user.get(name) or "").strip() for name in ("iss", "sub", "email"))
    if issuer and subject:
        return f"{issuer}|{subject}"
    return f"mailto:{address.lower()}" if address and user.get("email_verified") is True else ""


def _show_login(auth: Mapping[str, object]) -> None:
    sections = [name for name, value in auth.items() if isinstance(value, Mapping) and "client_id" in value]
    unnamed = [None] if "client_id" in auth or not sections else []
    st.title(BRAND, anchor=False)
    st.markdown("대화와 조사 기록을 나만 볼 수 있게 보관하려고 로그인을 받고 있어요.")
    for name in (*unnamed, *sections):
        words = "로그인" if name is None else f"{md(name.capitalize(), 40)} 계정으로 로그인"
        if st.button(words, key=f"login-{name or 'default'}", type="primary", icon=":material/login:"):
            _log_in(name)


def _log_in(provider: str | None) -> None:
    try:
        st.login(provider)
    except StreamlitMissingAuthlibError:
        logger.error("Login is set up, but Authlib is not installed: run `make login`")
        words = "로그인에 필요한 Authlib이 설치되지 않았어요. 서버에서 make login을 실행해 주세요."
        st.error(words, icon=":material/settings_alert:")
    except StreamlitAuthError as error:
        logger.error("Nobody can log in: %s", error)
        st.error("로그인 설정에 문제가 있어서 로그인할 수 없어요. 관리자에게 알려 주세요.", icon=":material/settings_alert:")
