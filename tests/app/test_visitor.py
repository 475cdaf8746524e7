"""Logins: which visitors see the pages, and which owner their things have; no real identity provider is asked."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.shared import services, visitor
from search_core.domain.report import Question
from search_core.domain.video import VideoContext
from search_core.health.report import HIDDEN_QUERY
from search_core.speech.sound import SoundFile
from tests.app.conftest import APP, OpenPage
from tests.app.core_double import CoreDouble, Job

AUTH = {
    "redirect_uri": "http://localhost:8501/oauth2callback",
    "cookie_secret": "x" * 32,
    "client_id": "id",
    "client_secret": "secret",
    "server_metadata_url": "https://id.example/.well-known/openid-configuration",
}
ONE = {"client_id": "a", "client_secret": "b", "server_metadata_url": "https://id.example"}
SHARED = {"redirect_uri": AUTH["redirect_uri"], "cookie_secret": "x" * 32, "client_kwargs": {"prompt": "login"}}
PROVIDERS = {"login-google": "Google 계정으로 로그인", "login-naver": "Naver 계정으로 로그인"}
MINSU = {"is_logged_in": True, "iss": "https://id.example", "sub": "7", "name": "김민수 ![x](http://203.0.113.7/b.png)"}


@pytest.fixture(autouse=True)
def _a_core():
    services.provide(lambda: CoreDouble("found", 3))
    yield
    services.provide(services.from_settings)


def visit(user: dict[str, Any], auth: dict[str, Any] | None = None, **params: str) -> AppTest:
    """Open the app as *user* where a login is asked for, with *params* in the address."""
    at = AppTest.from_file(str(APP), default_timeout=30)
    at.secrets["auth"] = AUTH if auth is None else auth
    at.user = user
    at.query_params.update(params)
    at.run()
    assert not at.exception
    return at


def buttons(at: AppTest) -> dict[str, str]:
    return {button.key: button.label for button in at.button if button.key}


def test_without_a_login_the_page_is_open(visit: OpenPage):
    """Without a login set up, no button leads out, and its library is not loaded."""
    there = visit()
    assert "logout" not in buttons(there.at)
    assert there.at.chat_input
    assert not any(name.startswith("authlib") for name in sys.modules)


def test_a_logged_in_visitor_sees_the_page_and_a_way_out():
    """The page is there, the name is shown as text, and a button leads out and ends the login.

    A later run of AppTest runs the page without app.py, which the server does not, so each look is a visit of its own.
    """
    at = visit(MINSU)
    assert at.chat_input
    assert buttons(at)["logout"] == "로그아웃"
    assert any("김민수" in caption.value and "![" not in caption.value for caption in at.sidebar.caption)
    at.button(key="logout").click().run()
    assert at.user == {"is_logged_in": False}


@pytest.mark.parametrize(
    ("user", "auth", "shown"),
    [
        ({"is_logged_in": False}, AUTH, {"login-default": "로그인"}),
        ({"is_logged_in": False}, {**SHARED, "google": ONE, "naver": ONE}, PROVIDERS),
        ({"is_logged_in": True, "email": "minsu@id.example", "email_verified": False}, AUTH, {"logout": "로그아웃"}),
    ],
    ids=["not logged in", "several providers", "without an identity"],
)
def test_who_is_not_known_sees_only_the_way_in_or_out(user: dict[str, Any], auth: dict[str, Any], shown: dict[str, str]):
    """Buttons in Korean stand where the pages would, one for each provider; no page has run."""
    at = visit(user, auth)
    assert buttons(at) == shown
    assert not at.text_input
    assert bool(at.error) == user["is_logged_in"]


def test_a_login_that_cannot_work_says_so(monkeypatch: pytest.MonkeyPatch):
    """Wrong secrets, and Authlib not being installed, are a sentence each and no page."""
    at = visit({"is_logged_in": False}, {"cookie_secret": "x"})
    at.button(key="login-default").click().run()
    assert not at.exception
    assert "로그인 설정에 문제가" in at.error[0].value
    monkeypatch.setitem(sys.modules, "authlib", None)
    at = visit({"is_logged_in": False})
    at.button(key="login-default").click().run()
    assert not at.exception
    assert "make login" in at.error[0].value
    assert not at.text_input


@pytest.mark.parametrize(
    ("user", "owner"),
    [
        (MINSU, "https://id.example|7"),
        ({**MINSU, "name": "다른 이름", "email": "new@id.example"}, "https://id.example|7"),
        ({**MINSU, "iss": "https://other.example"}, "https://other.example|7"),
        ({"is_logged_in": True, "email": " Minsu@ID.example ", "email_verified": True}, "mailto:minsu@id.example"),
        ({"is_logged_in": True, "email": "minsu@id.example", "email_verified": "false"}, ""),
        ({"is_logged_in": True, "sub": "7"}, ""),
        ({**MINSU, "is_logged_in": False}, ""),
        ({}, ""),
    ],
)
def test_an_owner_is_who_the_provider_vouches_for(user: dict[str, Any], owner: str):
    """The number at the provider stays when name and address change; an unverified claim is nobody's, and shows no page."""
    assert visitor._identity(user) == owner


@pytest.mark.parametrize(
    ("user", "seen"),
    [
        (MINSU, {"민수의 검색어", HIDDEN_QUERY}),
        ({**MINSU, "sub": "8"}, {HIDDEN_QUERY}),
        ({**MINSU, "sub": "8", "email": "ops@id.example", "email_verified": True}, {"민수의 검색어", "영희의 검색어"}),
        ({**MINSU, "sub": "8", "email": "ops@id.example", "email_verified": False}, {HIDDEN_QUERY}),
    ],
    ids=["who asked", "another", "an operator", "an unverified address"],
)
def test_queries_on_the_health_page_are_seen_by_who_asked_and_by_operators(user: dict[str, Any], seen: set[str]):
    """Services, states and times of everybody's searches are there for all; words only for whoever wrote them."""
    core = CoreDouble("found", 3)
    report = core.health()
    asked = [
        replace(report.events[0], query=f"{name}의 검색어", owner=owner)
        for name, owner in (("민수", "https://id.example|7"), ("영희", "https://id.example|9"))
    ]
    core.health = lambda _=24: replace(report, events=tuple(asked))
    core.settings.operators = "Ops@id.example, other@id.example"
    services.provide(lambda: core)
    at = visit(user)
    at.switch_page("pages/health.py").run()
    assert not at.exception
    table = next(each.value for each in at.dataframe if "검색어" in each.value)
    assert set(table["검색어"]) == seen
    assert list(table["검색 서비스"]) == ["위키백과"] * 2


@pytest.mark.parametrize(("user", "seen"), [(MINSU, True), ({**MINSU, "sub": "8"}, False)], ids=["who started it", "another"])
def test_an_address_opens_what_the_visitor_started(user: dict[str, Any], seen: bool):
    """A search under way with its video, and a recording that is listened to, are shown to whoever started them alone."""
    core = CoreDouble("found", 3)
    question = Question(text="민수의 질문", video=VideoContext(title="민수의 영상"))
    core.jobs["s"] = Job(question, core.default_options(), id="s", running=True, owner="https://id.example|7")
    sound = core.transcription.start(SoundFile(path=Path("/nowhere"), name="민수의 녹음.m4a"), "https://id.example|7")
    services.provide(lambda: core)
    at = visit(user, job="s", sound=sound.id)
    shown = " ".join(str(each.value) for each in (*at.markdown, *at.caption, *at.text_input, *at.text))
    assert [words in shown for words in ("민수의 질문", "민수의 영상", "민수의 녹음")] == [seen] * 3
