"""What changes nothing: recall, context, list, show, history, stats."""

from __future__ import annotations

from yinji.errors import InvalidInput
from yinji.interfaces.cli.call import Call, standard_input
from yinji.interfaces.cli.entry import DONE
from yinji.interfaces.cli.show import local, pairs, short, size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from yinji.interfaces.cli.screen import Screen
    from yinji.model import Hit, JournalEntry, MemoryEntry


SENTENCE_ENDS = ".\u3002"


def recall(call: Call) -> int:
    options = call.options
    with call.memory(reads=True) as memory:
        found = memory.recall(question(call), options.top_k, trace=options.trace, **asked_with(call))
    if call.screen.json:
        call.screen.value(found)
        return DONE
    if options.trace:
        from yinji.interfaces.cli.why import tell_trace

        tell_trace(call.screen, found)
    for hit in () if options.trace else found:
        _show_hit(call.screen, hit)
    if not found:
        call.screen.note(call.say("recall.nothing"))
    _warn(call, found.warnings)
    return DONE


def asked_with(call: Call) -> dict[str, Any]:
    """What a question is asked with, as ``recall`` and ``why`` take it."""
    options = call.options
    return {
        "kinds": _kinds(call),
        "as_of": options.as_of,
        "during": options.during,
        "now": options.now,
        "past": options.past,
        "language": options.lang,
    }


def question(call: Call) -> str:
    """The question that was given, or standard input for ``-``."""
    query: str = standard_input(call.say) if call.options.query == "-" else call.options.query
    if not query.strip():
        raise InvalidInput(what=call.say("recall.what"), problem=call.say("recall.empty"), hint=call.say("recall.hint"))
    return query


def _kinds(call: Call) -> Iterable[str] | None:
    wanted: list[str] | None = call.options.kind
    return wanted or None


def _show_hit(screen: Screen, hit: Hit) -> None:
    screen.paragraph(f"{hit.rank}. ", hit.memory.content, "bold")
    about = [
        hit.why.rstrip(SENTENCE_ENDS),
        screen.say.term("kind", hit.memory.kind.value),
        local(hit.memory.recorded_at),
        screen.say("score", score=f"{hit.score:.2f}"),
        short(hit.memory.id),
    ]
    screen.paragraph("   ", " · ".join(filter(None, about)), "dim")


def _warn(call: Call, warnings: tuple[str, ...]) -> None:
    for warning in warnings:
        call.screen.note(f"{call.say('warning')}{call.say.warning(warning)}")


def context(call: Call) -> int:
    options = call.options
    with call.memory(reads=True) as memory:
        made = memory.context(
            question(call),
            options.budget,
            format=options.format,
            top_k=options.top_k,
            as_of=options.as_of,
            now=options.now,
            language=options.lang,
            used=not options.unused,
            session=options.session,
            gate=not options.always,
        )
    if call.screen.json:
        call.screen.value(made)
        return DONE
    if made.text:
        call.screen.data(made.text)
    call.screen.note(call.say("context.cost", tokens=made.tokens, budget=made.budget, n=len(made.hits)))
    if made.left_out and not made.text:
        call.screen.note(call.say("context.too_small", n=len(made.left_out)))
    elif not made.needed:
        call.screen.note(call.say("context.not_needed"))
    elif made.text and not made.hits:
        call.screen.note(call.say("context.lasting"))
    _warn(call, made.warnings)
    return DONE


def list_(call: Call) -> int:
    options = call.options
    if options.dropped or options.digests:
        from yinji.interfaces.cli.review import list_unkept

        return list_unkept(call)
    with call.memory(reads=True) as memory:
        memories = memory.list(
            kinds=_kinds(call),
            validity=None if options.all else "current",
            limit=options.limit,
            offset=options.offset,
            hidden=options.hidden,
        )
    if call.screen.json:
        call.screen.value(memories)
        return DONE
    titles = [call.say(f"column.{name}") for name in ("id", "kind", "said", "validity", "content")]
    call.screen.rows(titles, (_row(call, one) for one in memories))
    if not memories and options.limit and not options.offset:
        call.screen.note(call.say("list.nothing", owner=call.owner))
    elif len(memories) == options.limit:
        call.screen.note(call.say("list.more", limit=options.limit, next=options.offset + options.limit))
    return DONE


def _row(call: Call, memory: MemoryEntry) -> tuple[str, ...]:
    marks = ("📌 " if memory.pinned else "") + (f"({call.say('hidden')}) " if memory.hidden_at else "")
    return (
        short(memory.id),
        call.say.term("kind", memory.kind.value),
        local(memory.recorded_at),
        call.say.term("validity", memory.validity.value),
        marks + memory.content,
    )


def show(call: Call) -> int:
    with call.memory(reads=True) as memory:
        entry = memory.get(call.options.id)
    if call.screen.json:
        call.screen.value(entry)
        return DONE
    call.screen.paragraph("", entry.content, "bold")
    pairs(call.screen, ((call.say(f"column.{name}"), value) for name, value in _details(call, entry) if value))
    return DONE


def _details(call: Call, entry: MemoryEntry) -> Iterator[tuple[str, str]]:
    term = call.say.term
    yield "id", entry.id
    yield "kind", term("kind", entry.kind.value)
    yield "layer", term("layer", entry.layer.value)
    yield "validity", term("validity", entry.validity.value)
    yield "importance", f"{entry.importance:.2f}"
    yield "confidence", f"{entry.confidence:.2f}"
    yield "said", local(entry.recorded_at)
    yield "written", local(entry.created_at)
    yield "retired", local(entry.retired_at)
    if entry.valid is not None:
        yield "valid", f"{local(entry.valid.start)} – {local(entry.valid.end)} {entry.valid.recurrence or ''}".strip()
    yield "recalls", str(entry.recalls)
    yield "pinned", call.say("yes") if entry.pinned else ""
    yield "hidden", local(entry.hidden_at)
    yield "entities", ", ".join(f"{one.name} ({term('entity', one.type)})" for one in entry.entities)
    yield "scenes", ", ".join(entry.scenes)
    yield "trust", term("trust", entry.trust.value)
    for source in entry.sources:
        yield "source", f"{local(source.at)} {source.session}#{source.seq} “{source.quote}”"
    for link in entry.links:
        yield "link", f"{term('link', link.kind.value)} {short(link.target)}"


def history(call: Call) -> int:
    with call.memory(reads=True) as memory:
        entries = memory.history(call.options.id, limit=call.options.limit)
    if call.screen.json:
        call.screen.value(entries)
        return DONE
    titles = [call.say(f"column.{name}") for name in ("entry", "when", "action", "memory", "actor", "reason")]
    call.screen.rows(titles, (_change(call, one) for one in entries))
    if not entries:
        call.screen.note(call.say("history.nothing"))
    return DONE


def _change(call: Call, entry: JournalEntry) -> tuple[str, ...]:
    reason = "" if entry.reason == entry.action else str(call.say.phrase(entry.reason))
    return (
        str(entry.id),
        local(entry.at),
        call.say.term("action", entry.action) + (f" ({call.say('undone')})" if entry.undone else ""),
        short(entry.memory_id or ""),
        entry.actor + (f" ({entry.app})" if entry.app else ""),
        reason,
    )


def stats(call: Call) -> int:
    with call.memory(reads=True) as memory:
        counted = memory.stats()
    if call.screen.json:
        call.screen.value(counted)
        return DONE
    say = call.say

    def shares(group: str, counts: Mapping[str, int]) -> str:
        return " · ".join(f"{say.term(group, name)} {count}" for name, count in sorted(counts.items())) or say("none")

    pairs(
        call.screen,
        [
            (say("column.owner"), counted.owner),
            (say("column.memories"), str(counted.memories)),
            (say("column.kind"), shares("kind", counted.by_kind)),
            (say("column.validity"), shares("validity", counted.by_validity)),
            (say("column.language"), shares("language", counted.by_language)),
            (
                say("column.turns"),
                say("stats.turns", turns=counted.turns, pending=counted.pending, failed=counted.failed),
            ),
            (say("column.drops"), shares("drop", counted.drops)),
            (say("column.hidden"), str(counted.hidden)),
            (say("column.without_vector"), str(counted.without_vector)),
            (say("column.documents"), str(counted.documents)),
            (say("column.model"), counted.model or say("none")),
            (say("column.file"), say("stats.file", size=size(counted.file_bytes), schema=counted.schema)),
        ],
    )
    return DONE
