"""``GET /api/openapi.json``: FastAPI describes addresses and bodies; here stands what answers, streams and refusals hold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import reduce
from operator import or_
from typing import Any, get_args

from fastapi import FastAPI
from pydantic import ConfigDict, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema
from typing_extensions import is_typeddict

from search_core.api import serializers
from search_core.api.bodies import MAX_BODY_BYTES, MAX_VIDEO_BODY_BYTES
from search_core.domain import AnswerEvent, ClaimsEvent, ClaimsRun, FoundClaims, Message, ResearchEvent, ResearchRun
from search_core.presenting.report_json import INTENT_LEFT_OUT, REPLY_LEFT_OUT
from search_core.version import VERSION

Schema = dict[str, Any]

REF = "#/components/schemas/{model}"
_SENT = tuple(kind for kind in vars(serializers).values() if is_typeddict(kind) and kind.__module__ == serializers.__name__)
_TYPES: tuple[Any, ...] = (AnswerEvent, ResearchEvent, ResearchRun, ClaimsEvent, ClaimsRun, FoundClaims, Message, *_SENT)
_SAME_NAME = "`event:` and `type` are the same."
_CONFIG = ConfigDict(use_attribute_docstrings=True, extra="forbid")
_TEXT: Schema = {"type": "string"}
_NUMBER: Schema = {"type": "integer"}


def answer_schemas(described: Schema) -> dict[str, Schema]:
    """Return the schemas of answers and events that *described* refers to, with those that they refer to."""
    adapter: TypeAdapter[Any] = TypeAdapter(reduce(or_, _TYPES), config=_CONFIG)
    generated = adapter.json_schema(mode="serialization", ref_template=REF, schema_generator=_AnswerSchema)
    types = _in_json_words(generated["$defs"])
    types |= _sent_forms(types)

    answers = {
        **_stream_schemas("Event", "an answer.", AnswerEvent, types, "StreamError"),
        **_stream_schemas("ResearchEvent", f"a run; {_SAME_NAME}", ResearchEvent, types, "RunStarted", "Interrupted"),
        **_stream_schemas("ClaimsEvent", f"a check of claims; {_SAME_NAME}", ClaimsEvent, types, "RunStarted", "Interrupted"),
    }
    named = {name: {**schema, "title": name} for name, schema in (types | answers).items()}
    return _with_references(described, {}, named)


def ref(name: str) -> Schema:
    """Return a reference to a schema by its name."""
    return {"$ref": REF.format(model=name)}


class _AnswerSchema(GenerateJsonSchema):
    """Describes values as they are sent: fields that have a default are there, too, and titles do not repeat names of fields."""

    def field_is_required(self, field: Any, total: bool) -> bool:
        return field["type"] != "typed-dict-field" or bool(field.get("required", total))

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def field_title_should_be_set(self, _: Any) -> bool:
        return False


def _sent_forms(types: Mapping[str, Schema]) -> dict[str, Schema]:
    """Return the schemas of types that are sent otherwise than the domain has them."""
    run, entry, content = types["ResearchRun"], types["ConversationEntry"], types["MessageContent"]["properties"]
    in_message = {name: run["properties"][name] for name in serializers.RUN_IN_MESSAGE}
    done = _replace_properties(types["StreamEnd"], (), types["AnswerDone"]["properties"])
    result = _replace_properties(types["SearchResult"], (), {"ranks": {"type": "array", "items": ref("Rank")}})
    because = types["HiddenResult"]["properties"]
    messages = {"video": types["Report"]["properties"]["video"], "messages": {"type": "array", "items": ref("Message")}}
    return {
        "TranscriptPassage": types["Passage"],
        "QueryPart": types["Part"],
        "AnswerToken": _replace_properties(types["AnswerToken"], ("text",), {"content": _TEXT}),
        "AnswerDone": {**done, "required": types["StreamEnd"]["required"]},
        "SearchIntent": _replace_properties(types["SearchIntent"], INTENT_LEFT_OUT),
        "ProviderReply": _replace_properties(types["ProviderReply"], REPLY_LEFT_OUT, {"count": _NUMBER}),
        "SearchResult": result,
        "HiddenResult": {**_replace_properties(result, (), because), "description": types["HiddenResult"]["description"]},
        "ConversationEntry": _replace_properties(entry, serializers.ENTRY_LEFT_OUT),
        "Session": _replace_properties(entry, serializers.ENTRY_LEFT_OUT, messages),
        "Message": _replace_properties(types["Message"], serializers.MESSAGE_LEFT_OUT, content),
        "MessageRun": _replace_properties(types["MessageRun"], (), in_message),
        "ResearchRun": _replace_properties(run, serializers.RUN_LEFT_OUT, types["RunQuestion"]["properties"]),
        "ClaimsRun": _replace_properties(types["ClaimsRun"], serializers.RUN_LEFT_OUT, types["ClaimsQuestion"]["properties"]),
        "ClaimsEntry": _replace_properties(types["ClaimsEntry"], serializers.CLAIMS_ENTRY_LEFT_OUT),
        "ClaimsFound": _replace_properties(
            types["FoundClaims"], serializers.CLAIMS_FOUND_LEFT_OUT, types["ClaimsPrice"]["properties"]
        ),
        "ResearchEntry": _replace_properties(types["ResearchEntry"], serializers.RUN_ENTRY_LEFT_OUT, {"query": _TEXT}),
    }


def _replace_properties(schema: Schema, left_out: Iterable[str], added: Mapping[str, Schema] | None = None) -> Schema:
    """Return the schema of an object without the properties *left_out* and with those *added*, which are always there."""
    kept = {name: each for name, each in schema["properties"].items() if name not in left_out}
    return {
        **schema,
        "properties": {**kept, **(added or {})},
        "required": [*kept, *(name for name in added or () if name not in kept)],
    }


def _stream_schemas(name: str, told: str, union: Any, types: Mapping[str, Schema], *others: str) -> dict[str, Schema]:
    """Return the schema of what a stream sends, the events of *union* and *others*, and that of each of these events.

    Events of one type in two forms stand together behind it, so that a type leads to one schema.
    """
    events = {f"{kind.__name__}Event": _event(kind.name, types[kind.__name__]) for kind in get_args(union)}
    by_type: dict[str, list[str]] = {types[other]["properties"]["type"]["const"]: [other] for other in others}
    for schema, event in events.items():
        by_type.setdefault(event["properties"]["type"]["const"], []).append(schema)
    forms = {
        f"{kind.capitalize()}Event": {"description": f"A `{kind}` in one of its forms.", "oneOf": [ref(each) for each in schemas]}
        for kind, schemas in by_type.items()
        if len(schemas) > 1
    }
    mapping = {
        kind: ref(schemas[0] if len(schemas) == 1 else f"{kind.capitalize()}Event")["$ref"] for kind, schemas in by_type.items()
    }
    whole = {
        "description": f"The events of {told}",
        "oneOf": [{"$ref": each} for each in mapping.values()],
        "discriminator": {"propertyName": "type", "mapping": mapping},
    }
    return {**events, **forms, name: whole}


def _event(name: str, schema: Schema) -> Schema:
    kind = {"type": {"const": name, "type": "string"}}
    required = dict.fromkeys(("type", *schema["required"]))
    return {**schema, "properties": kind | schema["properties"], "required": list(required)}


def _with_references(referring: Schema, schemas: dict[str, Schema], types: Mapping[str, Schema]) -> dict[str, Schema]:
    """Return *schemas* with all of *types* that *referring* refers to, directly or by one another."""
    found = re.findall(rf"{REF.format(model='')}(\w+)", str(referring))
    missing = {name: types[name] for name in found if name not in schemas and name in types}
    return _with_references(missing, schemas | missing, types) if missing else schemas


def _in_json_words(value: Any) -> Any:
    """Return *value* with descriptions that say what JSON calls what Python's docstrings speak of."""
    match value:
        case {"description": str(text), **rest}:
            text = re.sub(r"\bNone\b", "null", text.replace("``", "`"))
            return {**_in_json_words(rest), "description": text}
        case dict():
            return {name: _in_json_words(each) for name, each in value.items()}
        case list():
            return [_in_json_words(each) for each in value]
        case _:
            return value


Responses = dict[int | str, Schema]

_ABOUT = (
    "Answers about videos, from the video and from the web, every line attributed. Texts are what models, videos and web pages "
    "wrote, as Markdown at most, and may hold links and pictures of anybody's: show them as text, or make them safe first. "
    "A number in brackets names one of the sources."
)
_TAGS = {
    "search": "One search of the web in the context of a video.",
    "answers": "Answers about a video, and the web held against them, as streams of events.",
    "sessions": "Conversations, with what was asked and answered in them.",
    "research": "Deep research: runs that end in a report with sources.",
    "claims": "Claims of a video held against the web.",
    "description": "What this API is.",
}
_SECURITY = "A token of API_TOKENS. Where none are set, callers on the server's own machine need none, and others are refused."
_REFUSED = {
    400: "The body is no JSON, or a value in it cannot be used.",
    401: "No right token; or, without API_TOKENS, a caller from elsewhere than this machine.",
    403: "A page of another site calls.",
    404: "No such session, video or run, or one of another caller's: both get this same answer.",
    408: "The body did not arrive in time.",
    409: "The conversation is being answered already, or is about another video; or the run is too far, or not far enough.",
    413: f"The body holds more than {MAX_BODY_BYTES // 1024} KB, or {MAX_VIDEO_BODY_BYTES // 1024} where it may hold a video.",
    415: "The body is not application/json.",
    429: "Too many requests, or too many at the same time; Retry-After says how many seconds to wait.",
    500: "Something unexpected, before any event was sent.",
    503: "The server stops, has too much to do, or cannot use its settings or what it keeps.",
}
_RETRY = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 1}}}
LOCATION: Schema = {"Location": {"description": "Address of the run.", "schema": {"type": "string"}}}


class Api(FastAPI):
    """The application under ``/api``; *root* is the address below which a client finds it."""

    def __init__(self, root: str) -> None:
        super().__init__(
            title="Maekrak",
            version=VERSION,
            description=_ABOUT,
            openapi_url=None,
            openapi_tags=[{"name": name, "description": told} for name, told in _TAGS.items()],
            redirect_slashes=False,
            responses={**refusals(401, 403, 429, 500, 503), "default": answer("Any other refusal.", "Problem")},
        )
        self._root = root

    def openapi(self) -> Schema:
        """Return the description as values for JSON."""
        if self.openapi_schema is None:
            described = super().openapi()
            described["paths"] = {f"{self._root}{path}": item for path, item in described["paths"].items()}
            described["components"]["schemas"] |= answer_schemas(described["paths"])
            described["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer", "description": _SECURITY}}
            described["security"] = [{"token": []}, {}]
            described["servers"] = [{"url": "/", "description": "The server that this description is from."}]
        return super().openapi()


def answer(text: str, *shapes: str) -> Schema:
    """Return the description of an answer in JSON, of one of *shapes*."""
    schemas = [ref(shape) for shape in shapes]
    schema = {"anyOf": schemas} if len(schemas) > 1 else schemas[0]
    return {"description": text, "content": {"application/json": {"schema": schema}}}


def stream(text: str, event: str, *shapes: str) -> Schema:
    """Return the description of a stream of events, in whose place an answer in JSON, of one of *shapes*, may stand."""
    schema = {"type": "string", "contentMediaType": "application/json", "contentSchema": ref(event)}
    beside = answer(text, *shapes)["content"] if shapes else {}
    return {"description": text, "content": {"text/event-stream": {"schema": schema}, **beside}}


def refusals(*codes: int) -> Responses:
    """Return how refusals of these codes are described."""
    described: Responses = {code: answer(_REFUSED[code], "Problem") for code in codes}
    if 429 in described:
        described[429]["headers"] = _RETRY
    return described


BODY_REFUSED = refusals(400, 404, 408, 413, 415)
"""What every address that takes a body can say."""
