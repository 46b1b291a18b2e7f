"""What a model is offered: tools with their schemas, what they do to what is kept, and what they mean.

A profile is a set of tools. ``yinji`` has the operations under their own names; ``mem0`` and ``search`` have those that
clients built for other memories call, each of which is one of ours with its arguments put into our words.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from yinji.arguments import nearest
from yinji.errors import NotFound
from yinji.interfaces.meanings import meaning, meanings
from yinji.interfaces.operations import OPERATIONS, Effect, Operation, unknown_argument
from yinji.interfaces.schema import Schema, schema_of

Arguments = Mapping[str, object]
OWN = (
    "remember",
    "recall",
    "context",
    "why",
    "list",
    "get",
    "edit",
    "pin",
    "forget",
    "undo",
    "history",
    "questions",
    "answer",
    "feedback",
    "stats",
)
"""Operations offered to a model; what destroys everything, and what carries it away, is left to people."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Offer:
    """A tool: its name, the operation that it carries out, and how it is asked."""

    name: str
    operation: Operation
    schema: Schema
    about: str
    convert: Callable[[Arguments], Arguments]
    """The tool's arguments as those of the operation."""
    shape: str = ""
    """The form in which another memory's clients expect the result; empty: ours."""

    @property
    def reads(self) -> bool:
        return self.operation.effect is Effect.READS

    @property
    def destroys(self) -> bool:
        return self.operation.effect is Effect.DESTROYS


def offers(profile: str, language: str) -> Mapping[str, Offer]:
    """The tools of a profile by name, told in ``en`` or ``zh``. Raises NotFound."""
    if profile not in PROFILES:
        raise NotFound(what="profile", name=profile, nearest=nearest(profile, PROFILES))
    return {one.name: one for one in PROFILES[profile](language)}


def _own(language: str) -> list[Offer]:
    return [_offer(OPERATIONS[name], language) for name in OWN if name in OPERATIONS]


def _offer(operation: Operation, language: str) -> Offer:
    named: dict[str, Schema] = {}
    properties = {
        name: schema_of(one.kind, named) | {"description": meaning(operation.name, language, name)}
        for name, one in operation.parameters.items()
    }
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if needed := [name for name, one in operation.parameters.items() if one.required]:
        schema["required"] = needed
    if named:
        schema["$defs"] = named
    return Offer(
        name=operation.name,
        operation=operation,
        schema=_with_definitions(schema),
        about=meaning(operation.name, language),
        convert=dict,
    )


def _with_definitions(schema: Schema) -> Schema:
    """The schema standing alone: what it refers to is in itself."""
    text = json.dumps(schema).replace("#/components/schemas/", "#/$defs/")
    made: Schema = json.loads(text)
    return made


# ------------------------------------------------------------ other names


@dataclass(frozen=True, kw_only=True, slots=True)
class Other:
    """A tool of another memory: which operation it is, and what its arguments are called."""

    operation: str
    arguments: Mapping[str, str]
    """Theirs → ours."""
    needed: tuple[str, ...] = ()
    several: bool = False
    """Its one id is a list of one with us."""
    shape: str = ""


def _others(profile: str, language: str) -> list[Offer]:
    return [_other(name, one, language) for name, one in OTHERS[profile].items()]


def _other(name: str, other: Other, language: str) -> Offer:
    ours = _offer(OPERATIONS[other.operation], language)
    properties = {
        theirs: _property(ours.schema["properties"][mine], one_of=other.several)
        for theirs, mine in other.arguments.items()
    }
    schema = ours.schema | {"properties": properties, "required": list(other.needed)}
    about = f"{meanings()['tools'][name][language]}"
    return replace(
        ours,
        name=name,
        schema=schema,
        about=about,
        convert=lambda given: _ours(given, name, other),
        shape=other.shape,
    )


def _property(schema: Schema, *, one_of: bool) -> Schema:
    return {"type": "string", "description": schema["description"]} if one_of else schema


def _ours(given: Arguments, name: str, other: Other) -> Arguments:
    for one in given:
        if one not in other.arguments:
            raise unknown_argument(name, one, other.arguments)
    made: dict[str, Any] = {other.arguments[one]: value for one, value in given.items()}
    return {one: [value] for one, value in made.items()} if other.several else made


OTHERS: Mapping[str, Mapping[str, Other]] = {
    "mem0": {
        "add_memory": Other(operation="remember", arguments={"text": "user"}, needed=("text",), shape="mem0"),
        "search_memories": Other(
            operation="recall", arguments={"query": "query", "limit": "top_k"}, needed=("query",), shape="mem0"
        ),
        "get_memories": Other(operation="list", arguments={"limit": "limit"}, shape="mem0"),
        "get_memory": Other(operation="get", arguments={"memory_id": "id"}, needed=("memory_id",), shape="mem0"),
        "update_memory": Other(
            operation="edit", arguments={"memory_id": "id", "text": "content"}, needed=("memory_id", "text")
        ),
        "delete_memory": Other(operation="forget", arguments={"memory_id": "ids"}, needed=("memory_id",), several=True),
    },
    "search": {
        "search": Other(operation="recall", arguments={"query": "query"}, needed=("query",), shape="search"),
        "fetch": Other(operation="get", arguments={"id": "id"}, needed=("id",), shape="fetch"),
    },
}
PROFILES: Mapping[str, Callable[[str], list[Offer]]] = {
    "yinji": _own,
    "mem0": lambda language: _others("mem0", language),
    "search": lambda language: _others("search", language),
}
