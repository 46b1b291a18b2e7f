"""The OpenAPI document, made from the tables of operations and routes: it cannot tell of what is not there."""

from __future__ import annotations

from functools import cache

import yinji
from yinji.interfaces.http.table import ACCEPTED, BODYLESS, OK, ROUTES, STATUS, Route
from yinji.interfaces.meanings import meaning, meanings
from yinji.interfaces.operations import OPERATIONS, Lines, Operation
from yinji.interfaces.schema import Schema, schema_of
from yinji.interfaces.wire import to_json

JSON, LINES = "application/json", "application/x-ndjson"
VERSION = "3.1.0"


@cache
def document(language: str) -> Schema:
    """OpenAPI 3.1, with descriptions in ``en`` or ``zh``."""
    named: dict[str, Schema] = {"Error": _error()}
    paths: dict[str, Schema] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _described(route, language, named)
    texts = meanings()["document"]
    return {
        "openapi": VERSION,
        "info": {
            "title": "Yinji",
            "version": yinji.__version__,
            "description": texts["about"][language],
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}, {}],
        "paths": paths,
        "components": {
            "schemas": named,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": texts["token"][language]}},
        },
    }


def _described(route: Route, language: str, named: dict[str, Schema]) -> Schema:
    operation = OPERATIONS[route.operation]
    made: Schema = {
        "operationId": route.name,
        "summary": meaning(route.operation, language),
        "tags": [operation.grant],
        "parameters": _parameters(route, operation, language, named),
        "responses": _responses(route, operation, language, named),
    }
    if route.method not in BODYLESS:
        if route.keyed:
            made["parameters"].append(_idempotency_key(language))
        body = _body(route, operation, language, named)
        if body["properties"]:
            made["requestBody"] = {"required": bool(body.get("required")), "content": {JSON: {"schema": body}}}
        if route.operation == "import":
            made["requestBody"]["content"][LINES] = {"schema": {"type": "string"}}
    return made


def _parameters(route: Route, operation: Operation, language: str, named: dict[str, Schema]) -> list[Schema]:
    """Those in the path and, where there is no body, in the query."""
    made = []
    for blank in route.blanks:
        argument = route.several.get(blank, blank)
        schema = schema_of(operation.parameters[argument].kind, named)
        schema = schema["items"] if blank in route.several else schema
        text = meaning(operation.name, language, argument)
        made.append({"name": blank, "in": "path", "required": True, "schema": schema, "description": text})
    taken = {route.several.get(one, one) for one in route.blanks}
    for name, parameter in operation.parameters.items() if route.method in BODYLESS else ():
        if name not in taken:
            schema = _without_null(schema_of(parameter.kind, named)) | _default(parameter.default)
            text = meaning(operation.name, language, name)
            one = {"name": name, "in": "query", "required": parameter.required, "schema": schema, "description": text}
            made.append(one)
    return made


def _body(route: Route, operation: Operation, language: str, named: dict[str, Schema]) -> Schema:
    own = {name: one for name, one in operation.parameters.items() if name not in route.blanks}
    properties = {
        name: schema_of(one.kind, named)
        | _default(one.default)
        | {"description": meaning(operation.name, language, name)}
        for name, one in own.items()
    }
    made: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    needed = [name for name, one in own.items() if one.required]
    return made | {"required": needed} if needed else made


def _default(value: object) -> Schema:
    return {} if isinstance(value, type) or value is None else {"default": to_json(value)}


def _without_null(schema: Schema) -> Schema:
    """A query cannot say null; leaving the argument out does."""
    if "anyOf" in schema:
        first: Schema = schema["anyOf"][0]
        return first
    kind = schema.get("type")
    return schema | {"type": kind[0]} if isinstance(kind, list) else schema


def _idempotency_key(language: str) -> Schema:
    return {
        "name": "Idempotency-Key",
        "in": "header",
        "required": False,
        "schema": {"type": "string", "minLength": 1, "maxLength": 200},
        "description": meanings()["document"]["idempotency_key"][language],
    }


def _responses(route: Route, operation: Operation, language: str, named: dict[str, Schema]) -> Schema:
    if operation.returns is Lines:
        content: Schema = {LINES: {"schema": {"type": "string"}}}
    else:
        content = {JSON: {"schema": schema_of(operation.returns, named)}}
    texts = meanings()["document"]
    made: Schema = {str(OK): {"description": texts["done"][language], "content": content}}
    if route.status == ACCEPTED:
        made[str(ACCEPTED)] = {"description": texts["accepted"][language], "content": content}
    problem = {JSON: {"schema": {"$ref": "#/components/schemas/Error"}}}
    for status in sorted(set(STATUS.values())):
        made[str(status)] = {"description": texts["refused"][str(status)][language], "content": problem}
    return made


def _error() -> Schema:
    text = {"type": "string"}
    return {
        "type": "object",
        "properties": {"code": {"type": "string", "enum": sorted(STATUS)}, "message": text, "hint": text},
        "required": ["code", "message", "hint"],
        "additionalProperties": False,
    }
