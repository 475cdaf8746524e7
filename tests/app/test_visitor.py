"""Who gets to see the pages, and whose things they see. No real provider of identities was asked for any of this."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts import services
from tests.app.conftest import APP, OpenPage
from tests.app.core_double import CoreDouble

AUTH = {
    "redirect_uri": "http://localhost:8501/oauth2callback",
    "cookie_secret": "x" * 32,
    "client_id": "id",
    "client_secret": "secret",
    "server_metadata_url": "https://id.example/.well-known/openid-configuration",
}
MINSU = {"is_logged_in": True, "iss": "https://id.example", "sub": "7", "name": "김민수 ![x](http://203.0.113.7/b.png)"}


@pytest.fixture(autouse=True)
def _a_core():
    """Give the pages a core."""
    services.provide(lambda: CoreDouble("found", 3))
    yield
    services.provide(services.from_settings)


def visit(user: dict[str, Any], auth: dict[str, Any] | None = None) -> AppTest:
    """Open the app as *user* where a login is asked for."""
    at = AppTest.from_file(str(APP), default_timeout=30)
    at.secrets["auth"] = AUTH if auth is None else auth
    at.user = user
    at.run()
    assert not at.exception
    return at


def owner_of(user: dict[str, Any], *, login: bool = True) -> str | None:
    """Return whose things *user* sees, as a page learns it; None where the page ends there."""

    def page() -> None:
        import streamlit as st

        from pages.parts import visitor

        st.text(visitor.owner())

    at = AppTest.from_function(page, default_timeout=30)
    if login:
        at.secrets["auth"] = AUTH
    at.user = user
    at.run()
    assert not at.exception
    return at.text[0].value if at.text else None


def buttons(at: AppTest) -> dict[str, str]:
    return {button.key: button.label for button in at.button if button.key}


def test_without_a_login_nobody_is_asked(visit: OpenPage):
    """Where no login is set up, the page is there, no button leads out, and what does logins is not even loaded."""
    there = visit()
    assert "logout" not in buttons(there.at)
    assert there.at.text_input(key="question")
    assert not any(name.startswith("authlib") for name in sys.modules)


def test_who_is_not_logged_in_sees_a_login_and_nothing_else():
    """One button in Korean stands where the pages would; no page has run."""
    at = visit({"is_logged_in": False})
    assert buttons(at) == {"login-default": "로그인"}
    assert not at.text_input
    assert "나만 볼 수 있게" in at.main.markdown[0].value


def test_who_is_logged_in_sees_the_page_and_a_way_out():
    """The page is there, the name is shown as text, and a button leads out: after it, nobody is logged in.

    A later run of AppTest runs the page without app.py, which the server does not, so each look is a visit of its own.
    """
    at = visit(MINSU)
    assert at.text_input(key="question")
    assert buttons(at)["logout"] == "로그아웃"
    assert any("김민수" in caption.value and "![" not in caption.value for caption in at.sidebar.caption)
    at.button(key="logout").click().run()
    assert at.user == {"is_logged_in": False}
    assert "login-default" in buttons(visit(at.user))


def test_a_user_without_an_identity_stays_outside():
    """A provider that tells neither a number nor a verified address has told nobody apart."""
    at = visit({"is_logged_in": True, "email": "minsu@id.example", "email_verified": False})
    assert "구분할 정보를" in at.error[0].value
    assert set(buttons(at)) == {"logout"}


def test_each_provider_has_its_button():
    """Several providers are offered by their names."""
    one = {"client_id": "a", "client_secret": "b", "server_metadata_url": "https://id.example"}
    shared = {"redirect_uri": AUTH["redirect_uri"], "cookie_secret": "x" * 32, "client_kwargs": {"prompt": "login"}}
    at = visit({"is_logged_in": False}, {**shared, "google": one, "naver": one})
    assert buttons(at) == {"login-google": "Google 계정으로 로그인", "login-naver": "Naver 계정으로 로그인"}


def test_a_login_that_is_set_up_wrongly_says_so():
    """The visitor reads a sentence, not a traceback."""
    at = visit({"is_logged_in": False}, {"cookie_secret": "x"})
    at.button(key="login-default").click().run()
    assert not at.exception
    assert "로그인 설정에 문제가" in at.error[0].value


@pytest.mark.parametrize(
    ("user", "owner"),
    [
        (MINSU, "https://id.example|7"),
        ({**MINSU, "name": "다른 이름", "email": "new@id.example"}, "https://id.example|7"),
        ({**MINSU, "iss": "https://other.example"}, "https://other.example|7"),
        ({"is_logged_in": True, "email": " Minsu@ID.example ", "email_verified": True}, "mailto:minsu@id.example"),
        ({"is_logged_in": True, "email": "minsu@id.example", "email_verified": "false"}, None),
        ({"is_logged_in": True, "sub": "7"}, None),
        ({**MINSU, "is_logged_in": False}, None),
        ({}, None),
    ],
)
def test_an_owner_is_who_the_provider_vouches_for(user: dict[str, Any], owner: str | None):
    """The number at the provider stays when name and address change; who claims something only gets to see no page."""
    assert owner_of(user) == owner


def test_without_a_login_everything_is_everybodys():
    """Where no login is set up, what a browser claims about itself counts for nothing."""
    assert owner_of(MINSU, login=False) == ""
