"""What can be asked of a memory through a server's door, one function each: its parameters are the arguments on the
wire, its result is what comes back. Validation, the OpenAPI document, the tools and the reference are made from here.

The names are those of the Python ``Memory``; their meaning in both languages stands in ``data/operations.toml``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from yinji.engine import Forgotten, Memory, Undone
from yinji.errors import InvalidInput, NotAllowed
from yinji.interfaces.wire import OBJECT, from_json, hints_of
from yinji.model import (
    Choice,
    Context,
    Erasure,
    Interval,
    JournalEntry,
    Kind,
    Layer,
    MemoryEntry,
    Question,
    Recall,
    Remembered,
    Role,
    Stats,
    Turn,
    Validity,
    Why,
)
from yinji.ownership.portability import Imported

GRANTS = ("remember", "recall", "list", "edit", "forget", "erase", "export", "import", "metrics")
"""What a token may be allowed; each operation needs one (``metrics`` is for the page of that name)."""

Share = Annotated[float, (0, 1)]
Count = Annotated[int, (0, 1_000_000_000)]
TopK = Annotated[int, (1, 100)]
Tokens = Annotated[int, (1, 1_000_000)]
Text = Annotated[str, (1, 1_000_000)]
Name = Annotated[str, (1, 200)]


class Effect(StrEnum):
    """What an operation does to what is kept."""

    READS = "reads"
    ADDS = "adds"
    CHANGES = "changes"
    """``undo`` takes it back."""
    DESTROYS = "destroys"


class Language(StrEnum):
    EN = "en"
    ZH = "zh"


class Format(StrEnum):
    XML = "xml"
    MARKDOWN = "markdown"
    JSON = "json"


class Listed(StrEnum):
    """Which memories are listed, by whether they still hold."""

    ANY = "any"
    CURRENT = "current"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"
    RETRACTED = "retracted"
    DISPUTED = "disputed"


@dataclass(frozen=True, kw_only=True, slots=True)
class Identity:
    """For whom a door acts: whose memory, through which app, and what it may do there."""

    owner: str
    app: str | None = None
    may: frozenset[str] = frozenset(GRANTS)
    name: str = ""
    """Of its token; empty where none is needed."""

    def require(self, grant: str, what: str) -> None:
        """Raises NotAllowed unless it has the grant."""
        if grant not in self.may:
            raise NotAllowed(
                what=what,
                problem=f"the token {self.name!r} has no grant {grant!r}",
                hint="Make one that has: yinji token add",
            )


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """A turn as a caller gives it."""

    user: Text
    assistant: Text | None = None
    at: datetime | None = None
    session: Name = "default"
    seq: Count | None = None
    key: Name | None = None
    role: Role = Role.USER


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcomes:
    outcomes: tuple[Remembered, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Memories:
    memories: tuple[MemoryEntry, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Changes:
    entries: tuple[JournalEntry, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Questions:
    questions: tuple[Question, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Lines:
    """JSON Lines, one at a time: nothing that fits into one object."""

    lines: Iterator[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Counted:
    used: int
    """How many of the memories were known."""


# ---------------------------------------------------------------- the functions


def remember(
    memory: Memory,
    who: Identity,
    *,
    user: Text,
    assistant: Text | None = None,
    at: datetime | None = None,
    session: Name = "default",
    seq: Count | None = None,
    key: Name | None = None,
    role: Role = Role.USER,
    wait: bool = False,
) -> Remembered:
    return memory.remember(
        user, assistant, owner=who.owner, session=session, seq=seq, key=key, at=at, role=role, app=who.app, wait=wait
    )


def remember_many(memory: Memory, who: Identity, *, turns: tuple[Said, ...], wait: bool = False) -> Outcomes:
    ready: list[Turn | Mapping[str, object]] = [_as_turn(one, who) for one in turns]
    return Outcomes(outcomes=tuple(memory.remember_many(ready, owner=who.owner, wait=wait)))


def _as_turn(said: Said, who: Identity) -> dict[str, object]:
    turn: dict[str, object] = {
        "user": said.user,
        "assistant": said.assistant,
        "session": said.session,
        "seq": -1 if said.seq is None else said.seq,
        "key": said.key or "",
        "role": said.role,
        "app": who.app,
    }
    return turn if said.at is None else turn | {"at": said.at}


def outcome(memory: Memory, who: Identity, *, turn_id: Name) -> Remembered:
    return memory.outcome(turn_id, owner=who.owner)


def recall(
    memory: Memory,
    who: Identity,
    *,
    query: Text,
    top_k: TopK | None = None,
    kinds: tuple[Kind, ...] | None = None,
    scenes: tuple[Name, ...] | None = None,
    now: datetime | None = None,
    as_of: datetime | None = None,
    during: Interval | None = None,
    past: bool = False,
    language: Language | None = None,
) -> Recall:
    return memory.recall(
        query,
        top_k,
        owner=who.owner,
        now=now,
        as_of=as_of,
        during=during,
        kinds=kinds or None,
        scenes=scenes or None,
        past=past,
        language=language,
    )


def why(
    memory: Memory,
    who: Identity,
    *,
    query: Text,
    id: Name,
    top_k: TopK | None = None,
    kinds: tuple[Kind, ...] | None = None,
    scenes: tuple[Name, ...] | None = None,
    now: datetime | None = None,
    as_of: datetime | None = None,
    during: Interval | None = None,
    past: bool = False,
    language: Language | None = None,
) -> Why:
    return memory.why(
        query,
        id,
        top_k,
        owner=who.owner,
        now=now,
        as_of=as_of,
        during=during,
        kinds=kinds or None,
        scenes=scenes or None,
        past=past,
        language=language,
    )


def context(
    memory: Memory,
    who: Identity,
    *,
    query: Text,
    budget: Tokens | None = None,
    session: Name | None = None,
    format: Format | None = None,
    top_k: TopK | None = None,
    now: datetime | None = None,
    as_of: datetime | None = None,
    language: Language | None = None,
    used: bool = True,
) -> Context:
    return memory.context(
        query,
        budget,
        owner=who.owner,
        session=session,
        format=format,
        top_k=top_k,
        now=now,
        as_of=as_of,
        language=language,
        used=used,
    )


def feedback(memory: Memory, who: Identity, *, used: tuple[Name, ...]) -> Counted:
    return Counted(used=memory.used(used, owner=who.owner))


def list_(
    memory: Memory,
    who: Identity,
    *,
    kinds: tuple[Kind, ...] | None = None,
    validity: Listed = Listed.CURRENT,
    limit: Count = 50,
    offset: Count = 0,
    hidden: bool = False,
) -> Memories:
    wanted = None if validity is Listed.ANY else Validity(validity)
    found = memory.list(
        owner=who.owner, kinds=kinds or None, validity=wanted, limit=limit, offset=offset, hidden=hidden
    )
    return Memories(memories=tuple(found))


def get(memory: Memory, who: Identity, *, id: Name) -> MemoryEntry:
    return memory.get(id, owner=who.owner)


def edit(
    memory: Memory,
    who: Identity,
    *,
    id: Name,
    content: Text | None = None,
    kind: Kind | None = None,
    importance: Share | None = None,
    layer: Layer | None = None,
    scenes: tuple[Name, ...] | None = None,
) -> MemoryEntry:
    changes = {"content": content, "kind": kind, "importance": importance, "layer": layer, "scenes": scenes}
    if all(one is None for one in changes.values()):
        known = ", ".join(changes)
        raise InvalidInput(
            what="The operation edit", problem="there is nothing to change", hint=f"Give one of: {known}."
        )
    return memory.edit(
        id, owner=who.owner, content=content, kind=kind, importance=importance, layer=layer, scenes=scenes
    )


def pin(memory: Memory, who: Identity, *, id: Name, pinned: bool = True) -> MemoryEntry:
    return memory.pin(id, pinned, owner=who.owner)


def forget(memory: Memory, who: Identity, *, ids: tuple[Name, ...], hard: bool = False) -> Forgotten:
    if hard:
        who.require("erase", "forget")
    return memory.forget(ids, owner=who.owner, hard=hard)


def undo(memory: Memory, who: Identity, *, entry: Count | None = None) -> Undone:
    return memory.undo(entry, owner=who.owner)


def history(memory: Memory, who: Identity, *, id: Name | None = None, limit: Count = 50) -> Changes:
    return Changes(entries=tuple(memory.history(id, owner=who.owner, limit=limit)))


def questions(memory: Memory, who: Identity, *, answered: bool = False) -> Questions:
    return Questions(questions=tuple(memory.questions(owner=who.owner, answered=answered)))


def answer(memory: Memory, who: Identity, *, id: Count, choice: Choice) -> Question:
    return memory.answer(id, choice, owner=who.owner)


def stats(memory: Memory, who: Identity) -> Stats:
    return memory.stats(owner=who.owner)


def erase(memory: Memory, who: Identity, *, owner: Name) -> Erasure:
    """The owner is named once more: nothing is erased by a request that came out empty (F31)."""
    if owner != who.owner:
        raise NotAllowed(
            what="To erase",
            problem=f"{owner!r} is another owner than the one asked for here",
            hint="Name your own to confirm.",
        )
    return memory.erase(who.owner)


def import_(memory: Memory, who: Identity, *, memories: tuple[OBJECT, ...], dry_run: bool = False) -> Imported:
    return memory.import_(memories, owner=who.owner, dry_run=dry_run)


def export(memory: Memory, who: Identity) -> Lines:
    from yinji.interfaces.lines import exported

    return Lines(lines=exported(memory, who.owner))


# -------------------------------------------------------------------- the table


@dataclass(frozen=True, kw_only=True, slots=True)
class Parameter:
    kind: Any
    """Its type hint, bounds included."""
    default: object = inspect.Parameter.empty

    @property
    def required(self) -> bool:
        return self.default is inspect.Parameter.empty


@dataclass(frozen=True, kw_only=True, slots=True)
class Operation:
    """One thing that can be asked, with what a door must know of it."""

    name: str
    run: Callable[..., object]
    grant: str
    effect: Effect
    idempotent: bool
    """Doing it twice is doing it once."""
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    returns: Any = None

    def arguments(self, given: Mapping[str, object]) -> dict[str, Any]:
        """What was given as the function takes it. Raises InvalidInput for what is unknown, missing or of no use."""
        for name in given:
            if name not in self.parameters:
                raise unknown_argument(self.name, name, self.parameters)
        read = {name: from_json(self.parameters[name].kind, value, name) for name, value in given.items()}
        for name, parameter in self.parameters.items():
            if parameter.required and name not in read:
                raise InvalidInput(what=f"The operation {self.name}", problem=f"{name!r} is missing", hint="Give it.")
        return read


def unknown_argument(operation: str, name: str, known: Mapping[str, object]) -> InvalidInput:
    from yinji.arguments import nearest

    return InvalidInput(
        what=f"The operation {operation}",
        problem=f"there is no argument {name!r}",
        hint=f"Known are: {', '.join(known) or 'none'}.{nearest(name, known)}",
    )


def _operation(run: Callable[..., object], grant: str, effect: Effect, *, idempotent: bool = False) -> Operation:
    hints = hints_of(run)
    own = [one for one in inspect.signature(run).parameters.values() if one.kind is one.KEYWORD_ONLY]
    return Operation(
        name=run.__name__.rstrip("_"),
        run=run,
        grant=grant,
        effect=effect,
        idempotent=idempotent or effect is Effect.READS,
        parameters={one.name: Parameter(kind=hints[one.name], default=one.default) for one in own},
        returns=hints["return"],
    )


OPERATIONS: Mapping[str, Operation] = {
    one.name: one
    for one in (
        _operation(remember, "remember", Effect.ADDS),
        _operation(remember_many, "remember", Effect.ADDS),
        _operation(outcome, "remember", Effect.READS),
        _operation(recall, "recall", Effect.READS),
        _operation(context, "recall", Effect.READS),
        _operation(why, "recall", Effect.READS),
        _operation(feedback, "recall", Effect.ADDS),
        _operation(list_, "list", Effect.READS),
        _operation(get, "list", Effect.READS),
        _operation(history, "list", Effect.READS),
        _operation(questions, "list", Effect.READS),
        _operation(answer, "edit", Effect.CHANGES),
        _operation(stats, "list", Effect.READS),
        _operation(edit, "edit", Effect.CHANGES, idempotent=True),
        _operation(pin, "edit", Effect.CHANGES, idempotent=True),
        _operation(undo, "edit", Effect.CHANGES),
        _operation(forget, "forget", Effect.DESTROYS),
        _operation(erase, "erase", Effect.DESTROYS),
        _operation(import_, "import", Effect.ADDS, idempotent=True),
        _operation(export, "export", Effect.READS),
    )
}
