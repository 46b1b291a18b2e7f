"""JSON Schema of the values on the wire, made from their types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, get_args, get_origin

from yinji.interfaces.wire import bare, hints_of, is_optional

Schema = dict[str, Any]
_PLAIN: Mapping[Any, str] = {str: "string", bool: "boolean", int: "integer", float: "number"}
_BOUNDS = {str: ("minLength", "maxLength"), int: ("minimum", "maximum"), float: ("minimum", "maximum")}


def schema_of(kind: Any, named: dict[str, Schema]) -> Schema:
    """The schema of a type hint; those of dataclasses and enumerations go into ``named``, by their names."""
    inner, least, most = bare(kind)
    made = _inner(inner, named)
    if least is not None and inner in _BOUNDS:
        low, high = _BOUNDS[inner]
        made = made | {low: least, high: most}
    return _or_null(made) if is_optional(kind) else made


def _or_null(made: Schema) -> Schema:
    if "type" in made and "enum" not in made:
        return made | {"type": [made["type"], "null"]}
    return {"anyOf": [made, {"type": "null"}]}


def _inner(kind: Any, named: dict[str, Schema]) -> Schema:
    if kind in _PLAIN:
        return {"type": _PLAIN[kind]}
    if kind is datetime:
        return {"type": "string", "format": "date-time"}
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        named.setdefault(kind.__name__, {"type": "string", "enum": [one.value for one in kind]})
        return _reference(kind)
    if is_dataclass(kind) and isinstance(kind, type):
        if kind.__name__ not in named:
            named[kind.__name__] = {}
            named[kind.__name__] = _record(kind, named)
        return _reference(kind)
    if get_origin(kind) in (tuple, list, Sequence):
        return _several(get_args(kind), named)
    return {"type": "object"} | _values(get_args(kind), named)


def _reference(kind: type) -> Schema:
    return {"$ref": f"#/components/schemas/{kind.__name__}"}


def _record(kind: Any, named: dict[str, Schema]) -> Schema:
    hints = hints_of(kind)
    needed = [one.name for one in fields(kind) if one.default is MISSING and one.default_factory is MISSING]
    made: Schema = {
        "type": "object",
        "description": " ".join((kind.__doc__ or "").split("\n\n", maxsplit=1)[0].split()),
        "properties": {one.name: schema_of(hints[one.name], named) for one in fields(kind)},
        "additionalProperties": False,
    }
    return made | {"required": needed} if needed else made


def _several(parts: tuple[Any, ...], named: dict[str, Schema]) -> Schema:
    if len(parts) == 2 and parts[1] is not Ellipsis:
        both = [schema_of(part, named) for part in parts]
        return {"type": "array", "prefixItems": both, "minItems": 2, "maxItems": 2}
    return {"type": "array", "items": schema_of(parts[0], named)}


def _values(parts: tuple[Any, ...], named: dict[str, Schema]) -> Schema:
    """Of a mapping: what its values are, where that is known."""
    return {} if len(parts) != 2 or parts[1] is Any else {"additionalProperties": schema_of(parts[1], named)}
