"""``GET /api/openapi.json``: FastAPI describes addresses and bodies; here stands what answers, streams and refusals hold."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import Any, get_args, get_type_hints

from fastapi import FastAPI
from pydantic import ConfigDict, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from search_core.api import schemas
from search_core.api.bodies import MAX_BODY_BYTES
from search_core.domain import ClaimsEvent, ClaimsRun, Conversation, ResearchEvent, ResearchRun
from search_core.domain.plain_json import FORMS, json_paths
from search_core.presenting.report_json import Report
from search_core.version import VERSION

Schema = dict[str, Any]

REF = "#/components/schemas/{model}"
_OF_RUNS = (schemas.RunStarted, schemas.Interrupted)
_STREAMS: dict[str, tuple[str, tuple[type, ...]]] = {
    "Event": ("an answer.", schemas.ANSWER_EVENTS),
    "ResearchEvent": ("a run; `event:` and `type` are the same.", (*get_args(ResearchEvent), *_OF_RUNS)),
    "ClaimsEvent": ("a check of claims; `event:` and `type` are the same.", (*get_args(ClaimsEvent), *_OF_RUNS)),
}
"""What the streams tell, by the names of their schemas: the types of their events."""
_RECORDS = (Report, Conversation, ResearchRun, ClaimsRun, schemas.ClaimsFound)
_OTHERS = (schemas.Problem, schemas.NotConfigured, schemas.Sessions, schemas.ResearchRuns, schemas.ClaimsRuns)
_CONFIG = ConfigDict(use_attribute_docstrings=True)


def answer_schemas(described: Schema) -> dict[str, Schema]:
    """Return the schemas of answers and events that *described* refers to, with those that they refer to."""
    kinds = (*_RECORDS, *_OTHERS, *(kind for _, events in _STREAMS.values() for kind in events))
    adapter: TypeAdapter[Any] = TypeAdapter(reduce(or_, kinds), config=_CONFIG)
    generated = adapter.json_schema(mode="serialization", ref_template=REF, schema_generator=_AnswerSchema)
    types = _in_json_words(generated["$defs"])
    types |= {kind.__name__: _form_schema(kind, types) for kind in (*FORMS, *_RECORDS) if kind.__name__ in types}
    for name, (told, events) in _STREAMS.items():
        told_events = {f"{kind.__name__}Event": _event_schema(kind, types) for kind in events}
        types |= {**told_events, name: {"description": f"The events of {told}", "oneOf": list(map(ref, told_events))}}
    named = {name: {**schema, "title": name} for name, schema in types.items()}
    return _with_references(described, {}, named)


def ref(name: str) -> Schema:
    """Return a reference to a schema by its name."""
    return {"$ref": REF.format(model=name)}


class _AnswerSchema(GenerateJsonSchema):
    """Describes values as they are sent: fields that have a default are there, too, and titles do not repeat names of fields."""

    def field_is_required(self, *_: Any, **__: Any) -> bool:
        return True

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def named_tuple_schema(self, schema: Any) -> JsonSchemaValue:
        return self.kw_arguments_schema(schema["fields"], None)

    def field_title_should_be_set(self, _: Any) -> bool:
        return False


def _form_schema(kind: type, types: Mapping[str, Schema]) -> Schema:
    """Return the schema of the JSON of *kind*, whose names lead to fields or properties of it."""
    properties = {name: _schema_at(kind, path, types) for name, path in json_paths(kind).items()}
    return {**types[kind.__name__], "properties": properties, "required": list(properties)}


def _schema_at(kind: type, path: str, types: Mapping[str, Schema]) -> Schema:
    *way, name = path.split(".")
    for step in way:
        kind = get_type_hints(kind)[step]
    fields: Schema = types[kind.__name__]["properties"]
    return fields.get(name) or TypeAdapter(get_type_hints(getattr(kind, name).fget)["return"]).json_schema()


def _event_schema(kind: Any, types: Mapping[str, Schema]) -> Schema:
    schema, named = types[kind.__name__], {"type": {"const": kind.name, "type": "string"}}
    return {**schema, "properties": named | schema["properties"], "required": ["type", *schema["required"]]}


def _with_references(referring: Schema, schemas: dict[str, Schema], types: Mapping[str, Schema]) -> dict[str, Schema]:
    """Return *schemas* with all of *types* that *referring* refers to, directly or by one another."""
    found = re.findall(rf"{REF.format(model='')}(\w+)", str(referring))
    missing = {name: types[name] for name in found if name not in schemas and name in types}
    return _with_references(missing, schemas | missing, types) if missing else schemas


def _in_json_words(schemas: Schema) -> Schema:
    """Return *schemas* with descriptions that say what JSON calls what Python's docstrings speak of."""
    described: Schema = json.loads(re.sub(r"(\b|\\n)None\b", r"\1null", json.dumps(schemas).replace("``", "`")))
    return described


Responses = dict[int | str, Schema]

_ABOUT = (
    "Answers about videos, from the video and from the web, every line attributed. Texts are what models, videos and web pages "
    "wrote, as Markdown at most, and may hold links and pictures of anybody's: show them as text, or make them safe first. "
    "A number in brackets names one of the sources."
)
_SECURITY = "A token of API_TOKENS. Where none are set, callers on the server's own machine need none, and others are refused."
_REFUSED = "Why the request is refused."
_RETRY = {"Retry-After": {"description": "Seconds to wait, with 429 and 503.", "schema": {"type": "integer", "minimum": 1}}}
LOCATION: Schema = {"Location": {"description": "Address of the run.", "schema": {"type": "string"}}}


class Api(FastAPI):
    """The application under ``/api``; *root* is the address below which a client finds it."""

    def __init__(self, root: str) -> None:
        super().__init__(
            title="Maekrak",
            version=VERSION,
            description=_ABOUT,
            openapi_url=None,
            redirect_slashes=False,
            max_body_size=MAX_BODY_BYTES,
            responses={"default": {**answer(_REFUSED, "Problem"), "headers": _RETRY}},
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
