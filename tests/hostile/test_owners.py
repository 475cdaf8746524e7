"""What one visitor has, asked for by others: every kind of address of the pages, whoever knows it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing

import pytest
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

from search_core.checking.claims.workflow import ClaimsStore
from search_core.domain.claim import Claim, ClaimsRequest
from search_core.domain.research import ResearchRequest
from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.research.store import ResearchStore
from search_core.storage.conversations import ConversationStore
from search_core.storage.database import FILE, Database
from search_core.storage.videos import VideoStore
from tests.browser.servers import environment, free_port, running
from tests.loopback.page_visitor import PageVisitor
from tests.search_core.research.workers import wait_until

COOKIE, SECRET, ISSUER = "_streamlit_user", "c" * 40, "https://id.example"
MINSU = f"{ISSUER}|minsu"
SECRETLY = "민수만 아는 이야기"
VIDEO = VideoContext(title=SECRETLY, transcript=(TranscriptSegment(0.0, 5.0, f"{SECRETLY}입니다."),))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, dict[str, str]]]:
    """Run an app with a login over what one visitor has, and lend its address and what leads to each thing."""
    folder, port = tmp_path_factory.mktemp("owners"), free_port()
    with closing(Database(folder / "data" / FILE)) as database:
        conversations = ConversationStore(database)
        research, claims = ResearchStore(database), ClaimsStore(database)
        led = {"video": VideoStore(folder / "data").keep(VIDEO, MINSU)}
        checked = ClaimsRequest(video=VIDEO, claims=(Claim(number=1, text=SECRETLY),), owner=MINSU)
        led["chat"] = conversations.create(MINSU, VIDEO, SECRETLY).id
        led["run"] = research.create(ResearchRequest(question=SECRETLY, owner=MINSU)).id
        led["claims"] = claims.create(checked).id
    secrets = folder / "secrets.toml"
    keys = {"redirect_uri": f"http://127.0.0.1:{port}/oauth2callback", "cookie_secret": SECRET, "client_id": "maekrak"}
    keys |= {"client_secret": "loopback", "server_metadata_url": f"{ISSUER}/.well-known/openid-configuration"}
    secrets.write_text("\n".join(["[auth]", *(f'{name} = "{value}"' for name, value in keys.items())]), "utf-8")
    options = ["--server.port", str(port), "--server.address", "127.0.0.1", "--secrets.files", str(secrets)]
    with running(["streamlit", "run", "app.py", *options], port, "URL:", environment(folder / "data")) as address:
        yield address, led


def cookie(address: str, subject: str, secret: str = SECRET) -> str:
    """Return what a login of *subject* leaves in the browser."""
    user = {"origin": address, "is_logged_in": True, "iss": ISSUER, "sub": subject, "name": subject}
    return f"{COOKIE}={create_signed_value(secret, COOKIE, json.dumps(user)).decode()}"


CALLERS = {
    "owner": lambda address: cookie(address, "minsu"),
    "another": lambda address: cookie(address, "younghee"),
    "nobody": lambda _: "",
    "forged": lambda address: cookie(address, "minsu", "d" * 40),
    "cut": lambda address: cookie(address, "minsu")[:-6],
}


@pytest.mark.parametrize("caller", CALLERS)
@pytest.mark.parametrize("parameter", ["chat", "run", "claims", "video"])
def test_an_address_shows_its_thing_to_the_owner_alone(served: tuple[str, dict[str, str]], caller: str, parameter: str):
    """Another visitor sees the page without it; without a login that holds, nothing but the way in is there."""
    address, led = served
    with PageVisitor(address, CALLERS[caller](address)) as visitor:
        visitor.run(query=f"{parameter}={led[parameter]}")
        assert visitor.shows(SECRETLY) is (caller == "owner")
        assert visitor.shows("login-default") is (caller not in ("owner", "another"))


@pytest.mark.parametrize("caller", CALLERS)
@pytest.mark.parametrize("parameter", ["run", "claims"])
def test_a_file_is_for_the_owner_alone(served: tuple[str, dict[str, str]], caller: str, parameter: str):
    """Every file of a run that has ended holds what it is about; to others none is offered."""
    address, led = served
    with PageVisitor(address, CALLERS[caller](address)) as visitor:
        query, may = f"{parameter}={led[parameter]}&tab={parameter}", caller == "owner"
        wait_until(lambda: visitor.run(query=query) > 0 and bool(visitor.files) is may)
        assert [SECRETLY in visitor.download(each) for each in visitor.files] == [True] * len(visitor.files)


@pytest.mark.parametrize("caller", CALLERS)
def test_files_are_taken_from_those_who_have_logged_in(served: tuple[str, dict[str, str]], caller: str):
    """Whoever only sees the login fills no memory."""
    address, _ = served
    with PageVisitor(address, CALLERS[caller](address)) as visitor:
        visitor.run()
        assert visitor.upload("talk", b"x") == (204 if caller in ("owner", "another") else 401)
