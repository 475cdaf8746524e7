"""A real client and models that answer, break off, lie about their form and never end."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import socket
import traceback
from concurrent.futures import ThreadPoolExecutor
from functools import reduce

import pytest

from search_core.errors import LanguageModelError
from search_core.errors import LanguageModelFailure as Kind
from search_core.models.llm.chat import MAX_ANSWER_CHARS
from search_core.models.llm.endpoint import THINKING_TOKENS, ChatRequest, Endpoint
from search_core.models.llm.openai_compatible import OpenAICompatible
from search_core.models.llm.prompt import ChatMessage
from search_core.models.llm.thoughts import Restart, append_piece
from search_core.settings import Settings
from tests.loopback import language_model as play
from tests.loopback.language_model import DONE, KEY, LanguageModelServer, Stream, Whole, data, event

from .conftest import ModelOf

ASKED = [ChatMessage("system", "한국어로 답해요."), ChatMessage("user", "HBM4는 언제 나오나요?")]
SAID = "2026년에 나온다고 해요 [1]."
LEAVES_WITHIN_S = 10
"""A bound for slow machines; the client closes its socket in well under half a second."""


async def pieces_of(model: OpenAICompatible, **options) -> tuple[list[str], LanguageModelError | None]:
    pieces: list[str] = []
    try:
        async for piece in model.chat(ASKED, **options):
            pieces.append(piece)
    except LanguageModelError as error:
        return pieces, error
    return pieces, None


def chat(model: OpenAICompatible, **options) -> tuple[str, LanguageModelError | None]:
    pieces, error = asyncio.run(pieces_of(model, **options))
    return reduce(append_piece, pieces, ""), error


def broken(model: OpenAICompatible, korean: str = "") -> tuple[str, Kind]:
    """Return the answer up to its error, and the error's kind; its Korean sentence must hold *korean*."""
    answer, error = chat(model)
    assert error is not None
    assert KEY not in "".join(traceback.format_exception(error))
    assert re.search("[가-힣]", error.korean)
    assert korean in error.korean
    return answer, error.kind


def test_an_answer_comes_as_it_is_written(endpoint: LanguageModelServer, model_of: ModelOf):
    """The pieces come in order, and the conversation goes out as given, with no tools."""
    endpoint.answer = play.saying(SAID)
    pieces, error = asyncio.run(pieces_of(model_of()))
    assert (pieces, error) == ([SAID[start : start + 3] for start in range(0, len(SAID), 3)], None)
    [asked] = endpoint.asked
    assert (asked.path, asked.key) == ("/v1/chat/completions", f"Bearer {KEY}")
    assert asked.body == {
        "model": "m",
        "stream": True,
        "messages": [{"role": "system", "content": "한국어로 답해요."}, {"role": "user", "content": "HBM4는 언제 나오나요?"}],
        "max_tokens": 700,
    }


def test_openai_itself_is_given_the_bound_by_its_newer_name():
    """Its models count what they think, too, so there is room for that."""
    own = Endpoint(Settings(openai_api_key="k"))
    asked = own.chat_arguments(ChatRequest(model="m", messages=ASKED, max_tokens=300), own.habits)
    assert (asked["max_completion_tokens"], "max_tokens" in asked) == (300 + THINKING_TOKENS, False)


STREAMS = (
    [b": ping\n\n", event(SAID), event(finish="stop"), DONE],
    [event(SAID).replace(b"data: ", b"data:"), event(finish="stop"), DONE],
    [event(SAID)[:40], event(SAID)[40:], event(finish="stop"), DONE],
    [event(role="assistant", content=None), event(SAID), event(finish="stop"), DONE],
    [event(reasoning_content="생각해 보면"), event(SAID), event(finish="stop"), DONE],
    [data({"obfuscation": "xyz"}), data(None), data(5), data([]), data("글"), event(SAID), event(finish="stop"), DONE],
    [data({"choices": None}), data({"choices": [None]}), data({"choices": [{"delta": None}]}), event(SAID, "stop"), DONE],
    [event("<think>생"), event("각</think>"), event(SAID), event(finish="stop"), DONE],
    [event(SAID, finish="stop")],
    [event("", finish="stop"), event(SAID), event(finish="stop"), DONE],
    [event("2026년에 ", finish=""), event("나온다고 해요 [1].", finish=""), event(finish="stop"), DONE],
    [event(SAID), DONE],
    [event(SAID), b"data: [DONE]\n"],
    *([event(SAID), event(finish=end), DONE] for end in ("eos", "end_turn", "STOP", "COMPLETE", "eos_token")),
    [event([{"type": "thinking", "thinking": "음"}, {"type": "text", "text": SAID}]), event(finish="stop"), DONE],
    [event(SAID), event("<|im_end|>"), event("12:41:00" * 50)],
)


def test_streams_of_many_servers_are_read(endpoint: LanguageModelServer, model_of: ModelOf):
    """Comments, odd fields and line ends, thoughts, parts, one piece and whatever ends a whole answer do no harm."""
    for stream in STREAMS:
        endpoint.answer = lambda _, stream=stream: Stream(stream)
        assert (stream, chat(model_of())) == (stream, (SAID, None))
    endpoint.answer = lambda _: play.completion(SAID, None)
    assert chat(model_of()) == (SAID, None)
    endpoint.answer = lambda _: Stream([event("좋아요 \ud83d"), event(finish="stop"), DONE])
    assert chat(model_of()) == ("좋아요 \ufffd", None)  # half an emoji breaks nothing that it is sent on to


BROKEN = (
    (play.dying(0), "", Kind.CUT),
    (play.dying(50), "가" * 50, Kind.CUT),
    (lambda _: Stream([event("반만")]), "반만", Kind.CUT),
    (lambda _: Stream([DONE]), "", Kind.CUT),
    (lambda _: Stream([event("반만"), event(finish="max_tokens"), DONE]), "반만", Kind.CUT),
    (lambda _: Stream([event("반만"), event("<|im_start|>"), event("user")]), "반만", Kind.CUT),
    (lambda _: Stream([event("<|im_end|>"), event("12:41:00")]), "", Kind.UNREADABLE),
    (lambda _: Stream([event(finish="tool_calls"), DONE]), "", Kind.CUT),
    (lambda _: Stream([]), "", Kind.CUT),
    (lambda _: Stream([], kind="text/plain"), "", Kind.UNREADABLE),
    (lambda _: Stream([event(finish="stop"), DONE]), "", Kind.UNREADABLE),
    (lambda _: Stream([event("반만"), b"data: {broken\n\n"]), "반만", Kind.UNREADABLE),
    (play.failing_inside("반만", message=f"boom {KEY}", type="server_error", code=None), "반만", Kind.UNAVAILABLE),
    (play.failing_inside("", message="slow", code=["odd"], type=429), "", Kind.UNAVAILABLE),
    (play.failing_inside("", message="slow", code=429), "", Kind.RATE_LIMITED),
    (play.web_page, "", Kind.UNREADABLE),
    (lambda _: Whole(200, "application/json", b""), "", Kind.UNREADABLE),
    (play.REFUSALS["bad key"], "", Kind.REFUSED_KEY),
    (play.REFUSALS["rate limit"], "", Kind.RATE_LIMITED),
    (play.REFUSALS["broken"], "", Kind.UNAVAILABLE),
    (lambda _: Whole(302, "text/html", b""), "", Kind.UNAVAILABLE),
)


def test_a_broken_answer_keeps_what_came(endpoint: LanguageModelServer, model_of: ModelOf):
    """Whatever way an answer breaks off or is refused, what came is handed out, then the kind; the question is asked once."""
    for number, (played, said, kind) in enumerate(BROKEN):
        endpoint.answer = played
        assert (number, broken(model_of())) == (number, (said, kind))
        assert len(endpoint.asked) == number + 1


def test_thoughts_that_end_without_having_begun_are_taken_back(endpoint: LanguageModelServer, model_of: ModelOf):
    """The answer begins anew behind their end, and the next one is held back until then."""
    endpoint.answer = lambda _: Stream(
        [event("질문은 액수다.\n"), event("</think>\n\n"), event(SAID), event(finish="stop"), DONE]
    )
    model = model_of()
    first, second = (asyncio.run(pieces_of(model))[0] for _ in range(2))
    assert [(piece, isinstance(piece, Restart)) for piece in first] == [("질문은 액수다.\n", False), ("", True), (SAID, False)]
    assert second == [SAID]


def test_an_answer_that_goes_round_ends(endpoint: LanguageModelServer, model_of: ModelOf):
    """It ends once its last 200 characters stood shortly before, whatever the length of a round."""
    for one_round in ("[12:41:00] ", "그리고 그다음에는 이렇게 말했어요. " * 3, "가나다라마바사" * 40 + "끝"):
        endpoint.answer = lambda _, one_round=one_round: Stream(event(one_round) for _ in itertools.count())
        said, kind = broken(model_of(), "되풀이")
        assert (kind, len(said) < 200 + 3 * len(one_round)) == (Kind.UNUSABLE, True)
    endpoint.answer = lambda _: Stream(event(f"[{number:02}:00] 그리고 또 말했어요. ") for number in itertools.count())
    assert broken(model_of(), "되풀이")[1] is Kind.UNUSABLE


def test_a_model_that_thinks_past_the_bound_is_given_more(endpoint: LanguageModelServer, model_of: ModelOf):
    """Where thoughts took all of it, the model is asked once more with room for them, and so from then on."""

    def answer(asked: play.Asked) -> Stream:
        enough = asked.body["max_tokens"] > 700
        return Stream([event("<think>음"), event("</think>" + SAID, "stop") if enough else event(finish="length"), DONE])

    endpoint.answer = answer
    model = model_of()
    assert [chat(model), chat(model)] == [(SAID, None)] * 2
    assert [asked.body["max_tokens"] for asked in endpoint.asked] == [700, 4700, 4700]


REFUSED_BY_NAME = (
    ({"message": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'.", "param": "max_tokens"}, "max_tokens"),
    ({"detail": "max_tokens: Extra inputs are not permitted"}, "max_tokens"),
    ([{"error": {"message": "Invalid value at max_tokens", "code": 400}}], "max_tokens"),
)


@pytest.mark.parametrize(("body", "name"), REFUSED_BY_NAME)
def test_a_parameter_refused_by_name_is_put_otherwise(endpoint: LanguageModelServer, model_of: ModelOf, body: object, name: str):
    """The bound goes out by its other name, at once and from then on."""

    def answer(asked: play.Asked) -> Whole | Stream:
        refused = Whole(400, "application/json", json.dumps({"error": body} if isinstance(body, dict) else body).encode())
        return refused if name in asked.body else play.saying(SAID)(asked)

    endpoint.answer = answer
    model = model_of()
    assert [chat(model), chat(model)] == [(SAID, None)] * 2
    assert [asked.body.get("max_completion_tokens") for asked in endpoint.asked] == [None, 700, 700]


def test_an_address_of_the_whole_path_is_read_as_its_beginning(endpoint: LanguageModelServer, model_of: ModelOf):
    """One without its version is refused with a sentence that says what it must end in."""
    endpoint.answer = play.saying(SAID)
    assert chat(model_of(openai_base_url=f"{endpoint.url}/chat/completions")) == (SAID, None)
    root = endpoint.url.removesuffix("/v1")
    endpoint.elsewhere = Whole(404, "text/plain", b"404 page not found")
    assert broken(model_of(openai_base_url=root), "/v1로 끝나는지") == ("", Kind.NO_MODEL)
    endpoint.elsewhere = Whole(200, "application/json", b'{"error":"Unexpected endpoint or method. (POST /chat/completions)"}')
    assert broken(model_of(openai_base_url=root), "/v1로 끝나는지") == ("", Kind.NO_MODEL)


def test_a_port_that_is_closed_and_a_connection_that_is_are_unreachable():
    """A server that takes the question and hangs up may have worked on it, and is asked once."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        model = OpenAICompatible(Settings(openai_base_url=address, openai_model="m"))
        with ThreadPoolExecutor(1) as pool:
            talk = pool.submit(broken, model)
            connection, _ = listener.accept()
            connection.recv(65536)
            connection.close()
            assert talk.result() == ("", Kind.UNREACHABLE)
        listener.setblocking(False)
        with pytest.raises(BlockingIOError):
            listener.accept()
    assert broken(model) == ("", Kind.UNREACHABLE)


@pytest.mark.parametrize("said", ["", "반만"])
def test_a_model_that_falls_silent_ends_in_time(endpoint: LanguageModelServer, model_of: ModelOf, said: str):
    """Silence before the first piece and between two pieces ends in a timeout, and the connection is closed."""
    endpoint.answer = play.mute(after=said)
    assert broken(model_of(openai_timeout=1.5 if not said else 4.5)) == (said, Kind.TIMEOUT)
    assert endpoint.left.wait(LEAVES_WITHIN_S)


def test_a_drip_that_never_ends_is_ended(endpoint: LanguageModelServer, model_of: ModelOf):
    """Comments that keep the connection awake are silence; a letter now and then is taken for six times the silence allowed."""

    def pings():
        while not endpoint.closing.wait(0.05):
            yield b": ping\n\n"

    endpoint.answer = lambda _: Stream(pings())
    assert broken(model_of(openai_timeout=0.4)) == ("", Kind.TIMEOUT)
    endpoint.answer = play.dripping(endpoint, "가" * 10_000, every_s=0.05)
    said, kind = broken(model_of(openai_timeout=0.5))
    assert (set(said), kind) == ({"가"}, Kind.TIMEOUT)


def test_an_answer_without_end_is_cut(endpoint: LanguageModelServer, model_of: ModelOf):
    """An answer ends at its bound, the connection with it; so does one line of data that would fill the memory."""

    def flood():
        yield b"data: "
        while True:
            yield b"x" * 65536

    endpoint.answer = lambda _: Stream(event(f"{play.word(number)} ") for number in itertools.count())
    said, kind = broken(model_of())
    assert (len(said), kind) == (MAX_ANSWER_CHARS, Kind.CUT)
    assert endpoint.left.wait(LEAVES_WITHIN_S)
    endpoint.left.clear()
    endpoint.answer = lambda _: Stream(flood())
    assert broken(model_of()) == ("", Kind.UNREADABLE)
    assert endpoint.left.wait(LEAVES_WITHIN_S)


@pytest.mark.parametrize("how", ["cancel", "close"])
def test_leaving_closes_the_connection(endpoint: LanguageModelServer, model_of: ModelOf, how: str):
    """The first piece is there while the model still speaks; a cancelled task and a closed generator then end the request."""
    endpoint.answer = play.mute(after="첫")

    async def left_early() -> None:
        answer = model_of().chat(ASKED)
        assert await anext(answer) == "첫"
        if how == "close":
            await answer.aclose()
        else:
            waiting = asyncio.create_task(anext(answer))
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
        assert await asyncio.to_thread(endpoint.left.wait, LEAVES_WITHIN_S)

    asyncio.run(left_early())
