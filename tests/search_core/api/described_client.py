"""A client that knows the API by its description alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx


class DescribedClient:
    """Asks what *described* describes, over *http*; parameters and bodies that are not given are made from their schemas."""

    def __init__(self, http: httpx.Client, described: dict[str, Any]) -> None:
        self._http = http
        self._components = described["components"]
        self._root = described["servers"][0]["url"]
        self.operations = {
            operation["operationId"]: (method, path, operation)
            for path, item in described["paths"].items()
            for method, operation in item.items()
        }

    def call(self, name: str, body: dict[str, Any] | None = None, **given: Any) -> list[Any]:
        """Return the events of a stream, or the one object of another answer; nothing where an operation answers nothing."""
        method, path, operation = self.operations[name]
        sent: dict[str, dict[str, str]] = {"path": {}, "query": {}, "header": {}}
        for parameter in operation.get("parameters", ()):
            if parameter["name"] in given or parameter.get("required"):
                sent[parameter["in"]][parameter["name"]] = str(given.get(parameter["name"], "none"))
        content = operation.get("requestBody", {}).get("content", {})
        made = {**self._example(content["application/json"]["schema"]), **(body or {})} if content else None
        response = self._http.request(
            method, self._root + path.format(**sent["path"]), json=made, params=sent["query"], headers=sent["header"]
        )
        return list(self._answers(response))

    def _answers(self, response: httpx.Response) -> Iterator[Any]:
        if response.headers.get("content-type") == "application/json":
            yield response.json()
            return
        for line in response.iter_lines():
            if line.startswith("data: "):
                yield json.loads(line.removeprefix("data: "))

    def _example(self, schema: dict[str, Any]) -> Any:
        """Return the least that fits *schema*."""
        match schema:
            case {"$ref": str(reference)}:
                return self._example(self._components["schemas"][reference.rpartition("/")[2]])
            case {"type": "object"}:
                return {name: self._example(schema["properties"][name]) for name in schema.get("required", ())}
            case {"type": "integer"}:
                return int(schema["minimum"])
            case _:
                return "메모리 대역폭은 왜 중요한가?"
