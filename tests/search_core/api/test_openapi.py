"""The description of the API is valid and complete, and real answers fit it."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_args

import jsonschema
from openapi_spec_validator import validate

from search_core import domain
from tests.search_core.answers.chat.scripted_chat import NOW, from_video, from_web
from tests.search_core.api.served import QUESTION, Served, description, told
from tests.search_core.scripted import stance_row


def paths() -> dict[str, Any]:
    """Return what is described of each address."""
    return description()["paths"]


def shape(name: str) -> dict[str, Any]:
    """Return the schema *name* with all it refers to."""
    return {"$ref": f"#/components/schemas/{name}", "components": description()["components"]}


def check(value: Any, name: str) -> None:
    """Hold *value* to the schema *name*."""
    jsonschema.Draft202012Validator(shape(name)).validate(value)


def alternatives(name: str) -> list[dict[str, Any]]:
    """Return the properties of each event of a stream."""
    schemas = description()["components"]["schemas"]
    return [schemas[each["$ref"].rpartition("/")[2]]["properties"] for each in schemas[name]["oneOf"]]


def test_the_description_is_valid(server: Served):
    """A validator of OpenAPI 3.1 finds nothing wrong with it, and it is what its address serves."""
    assert description()["openapi"] == "3.1.0"
    validate(description())
    with server.client() as client:
        answer = client.get("/api/openapi.json")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == description()


def test_operations_and_schemas_have_their_names():
    """Each operation stands in one group; a schema, after whose title generators name a class, has its own name."""
    schemas = description()["components"]["schemas"]
    assert [name for name, schema in schemas.items() if schema.get("title", name) != name] == []
    operations = [operation for item in paths().values() for operation in item.values()]
    assert all(len(operation["tags"]) == 1 for operation in operations)
    groups = {"answers", "claims", "description", "research", "search", "sessions"}
    assert {operation["tags"][0] for operation in operations} == groups
    assert [server["url"] for server in description()["servers"]] == ["/"]
    assert {"/api/search", "/api/sessions"} <= paths().keys()


def test_every_operation_says_how_it_is_refused():
    """Each describes its typed error, and how long to wait."""
    for path, method in ((path, method) for path, item in paths().items() for method in item if method != "parameters"):
        refused = paths()[path][method]["responses"]["default"]
        assert refused["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/Problem"}
        assert "Retry-After" in refused["headers"], path


SENT_WHOLE = (domain.WebSource, domain.OwnDocument, domain.StanceRow, domain.Subtask, domain.ResearchSource)
SENT_WHOLE += (domain.SearchResult, domain.Degradation, domain.ScoreParts)


def test_every_field_of_a_type_is_described():
    """A type of the domain that is sent whole has all its fields in the description, and each is always there."""
    for kind in SENT_WHOLE:
        schema = description()["components"]["schemas"][kind.__name__]
        assert list(schema["properties"]) == schema["required"] == [field.name for field in fields(kind)]


def test_every_event_is_as_described(server: Served):
    """Each event of an answer and of a check fits exactly one description; all kinds are described with their fields."""
    row = stance_row(
        statement="양산한다",
        stance=domain.Stance.AGREE,
        quote="양산했다",
        date=NOW,
        why="같은 연도",
        judge=domain.Judge.ENTAILMENT_MODEL,
        probability=0.91,
    )
    table = domain.Comparison(rows=(row,))
    searching, sources, *rest = from_web("양산한다 [1].")
    pages = domain.PagesRead(pages=(domain.PageOutcome(number=1, failure="timeout"),))
    failure = domain.WebAnswerFailed(failure=domain.WebFailure.MODEL_FAILED, cause="Broke off.", korean="못 했어요.")
    memo = domain.OwnDocument(number=1, title="메모", url="library:a", quote="글", source="내 자료", publish_date=None)
    own = domain.OwnDocumentsFound(documents=(memo,), to_model=True)
    alone = domain.AnsweredWithoutWeb(text="답이에요 [1].", moments=(1.0,), cited=(1,), unsupported=((0, 2),))
    *answered, done = from_video("네.")
    server.answers.steps = (*answered, searching, sources, failure, own, alone, done)
    server.checks.steps = (searching, sources, pages, domain.StancesCompared(comparison=table, summary="같아요."), *rest)
    with server.client() as client:
        events = [
            event for path in ("chat", "web-search") for event in told(client.post(f"/api/{path}", json={"query": QUESTION}))
        ]
    for event in events:
        check(event, "Event")
    described = {each["type"]["const"]: each.keys() - {"type"} for each in alternatives("Event")}
    assert described.keys() - {event["type"] for event in events} == {"error"}
    kinds = get_args(domain.AnswerEvent)
    assert len(described) == len(kinds) + 1
    whole = [kind for kind in kinds if kind not in (domain.AnswerToken, domain.AnswerDone)]
    assert all({field.name for field in fields(kind)} in described.values() for kind in whole)
    assert described["done"] >= {field.name for field in fields(domain.AnswerDone)}


def test_every_event_of_a_run_is_described():
    """A stream of research and one of a check have the events of their kind and the two of the stream itself."""
    for name, kinds in (("ResearchEvent", domain.ResearchEvent), ("ClaimsEvent", domain.ClaimsEvent)):
        described = [each["type"]["const"] for each in alternatives(name)]
        assert len(described) == len(get_args(kinds)) + 2
        assert {"run", "interrupted"} <= {*described}
