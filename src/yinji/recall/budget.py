"""A context that fits: what always belongs, then what was found, then a line on what had no room; in the caller's form,
never over budget (SPEC R9)."""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from types import MappingProxyType
from xml.sax.saxutils import escape, quoteattr

from yinji.model import Context, Hit, Kind, Layer, MemoryEntry, Polarity, Validity
from yinji.recall.breath import JOINER, together
from yinji.recall.overflow import Brief, Overflow, summed_up

CountTokens = Callable[[str], int]

SAFETY = frozenset({"allergy", "diet"})
"""Attributes whose absence from a prompt can harm the user; an allergy, also those for whom he cares."""
IDENTITY = ("name", "residence", "job", "employer", "age", "marital", "school", "birthday")
"""Attributes by which an agent knows whom it speaks with, the most telling first."""
PINNED, GUARDS, DEMANDS, WHO, LIKINGS, NONE = range(6)
"""Sorts of hard facts, and what is none."""

_PIECES = re.compile(r"[A-Za-z]+|[0-9]+|[^\S\n]+|\n+|.", re.DOTALL)
_ASTRAL = 0x10000
_ASCII = 0x80
_CHARACTERS_PER_TOKEN = 4
_DIGITS_PER_TOKEN = 3


OUTDATED = "perhaps outdated"
"""What is told of a memory of which a newer value is known, though not surely: it stands beside it."""
NOTHING_BESIDES: Mapping[str, Sequence[MemoryEntry]] = MappingProxyType({})


def estimate_tokens(text: str) -> int:
    """An upper estimate of what a model's tokenizer counts, without one.

    A run of Latin letters costs a token per four, digits one per three, a Chinese character or a mark one,
    an accented letter two, an emoji three; spaces are free, line ends one.
    """
    return sum(_cost(piece) for piece in _PIECES.findall(text))


def _cost(piece: str) -> int:
    first = piece[0]
    if first.isspace():
        return 1 if first == "\n" else 0
    if first.isascii():
        return math.ceil(len(piece) / (_DIGITS_PER_TOKEN if first.isdigit() else _CHARACTERS_PER_TOKEN))
    if ord(first) >= _ASTRAL:
        return 3
    return 1 if ord(first) >= 0x2E80 or not first.isalpha() else 2


def stable_memories(memories: Sequence[MemoryEntry], most: int) -> list[MemoryEntry]:
    """The hard facts that every context carries: what is pinned, what must not go wrong (allergies, also of others,
    diet), how the user wants things done, who the user is, plain preferences; one of each in turn until there are
    ``most``.

    The choice and the order depend on the memories alone, so the block is the same byte for byte while none changes.
    """
    groups = [sorted((one for one in memories if _group(one) == group), key=_weight) for group in range(NONE)]
    turns = zip_longest(*groups[GUARDS:])
    chosen = [*groups[PINNED], *(one for turn in turns for one in turn if one is not None)]
    return sorted(chosen[:most], key=lambda one: one.id)


def _group(memory: MemoryEntry) -> int:
    if memory.pinned or memory.layer is Layer.CORE:
        return PINNED
    if guards(memory):
        return GUARDS
    if memory.subject != "user":
        return NONE
    if memory.kind is Kind.PROCEDURE:
        return DEMANDS
    if memory.slot is not None and memory.slot.attribute in IDENTITY and memory.kind in (Kind.FACT, Kind.STATE):
        return WHO
    return LIKINGS if memory.kind is Kind.PREFERENCE else NONE


def guards(memory: MemoryEntry) -> bool:
    """Whether leaving it out can harm the user."""
    if memory.slot is None or memory.slot.attribute not in SAFETY:
        return False
    if memory.slot.attribute == "allergy":
        return memory.polarity is not Polarity.NEGATIVE
    return memory.subject == "user"


def _weight(memory: MemoryEntry) -> tuple[bool, int, float, str]:
    """Sorts the user's own before those of others, and who the user is by what tells most of it."""
    attribute = memory.slot.attribute if memory.slot else ""
    telling = IDENTITY.index(attribute) if attribute in IDENTITY else len(IDENTITY)
    return (memory.subject != "user", telling, -memory.importance, memory.id)


@dataclass(frozen=True, kw_only=True, slots=True)
class Form:
    """How a context is written: its frame, one memory in it, and the line on what had no room. Escaping keeps a
    memory's text inside its place."""

    line: Callable[[MemoryEntry, float | None, str], str]
    """Of a memory, how near it is, and how far it holds: empty where it does."""
    more: Callable[[Overflow], str]
    frame: Callable[[Sequence[str], Sequence[str], str], str]
    """Of what always stands there, what was recalled, and the line on the rest, which may be empty."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """A recalled memory as it is written, and the ids of what is told with it."""

    hit: Hit
    text: str
    beside: tuple[str, ...] = ()


def pack(
    hits: Sequence[Hit],
    stable: Sequence[MemoryEntry],
    *,
    most: int,
    budget: int,
    form: str,
    brief: float = 0.0,
    fixed: float = 1.0,
    count: CountTokens = estimate_tokens,
    warnings: tuple[str, ...] = (),
    needed: bool = True,
    besides: Mapping[str, Sequence[MemoryEntry]] = NOTHING_BESIDES,
) -> Context:
    """The stable block first, then hits by rank while they fit; what does not fit is ``left_out``, and told in brief
    in one line.

    At most ``most`` recalled memories beside the stable ones. ``brief``: the share of the budget that is kept for that
    line where there are more hits than fit; ``fixed``: the share that the stable block may take, but for what is pinned
    or guards the user, and what has no room in it is told in that line, too. ``besides``: for the id of a hit what was
    said in the same breath, which is told with it where there is room.
    ``text`` is empty when there is nothing to say or the budget cannot hold one memory.
    """
    write = FORMS[form]

    def fits(text: str) -> bool:
        return count(text) <= budget

    block = _fixed(stable, write, lambda texts: count(write.frame(texts, [], "")), budget, fixed)
    always, known = list(block.values()), frozenset(block)
    wanted = [hit for hit in hits if hit.memory.id not in known]
    lines = _lines(
        wanted,
        most=most,
        besides=besides,
        known=known,
        fits=lambda texts: fits(write.frame(always, texts, "")),
        write=write,
    )
    if len(lines) < len(wanted):
        lines = _shortened(lines, lambda texts: count(write.frame(always, texts, "")) <= budget * (1 - brief))
    told = known.union(*({line.hit.memory.id, *line.beside} for line in lines))
    left = [hit for hit in wanted if hit.memory.id not in told]
    rest = [Brief.of(memory, _when(memory), _validity(memory)) for memory in stable if memory.id not in told]
    rest += [Brief.of(hit.memory, _when(hit.memory), _held(hit)) for hit in left if hit.newer not in told]
    text, in_brief = _framed(write, always, [line.text for line in lines], rest, fits)
    return Context(
        text=text,
        tokens=count(text) if text else 0,
        budget=budget,
        hits=tuple(hit for hit in hits if hit.memory.id in told),
        left_out=tuple(left),
        warnings=warnings,
        needed=needed,
        always=tuple(block),
        besides=tuple(id for line in lines for id in line.beside),
        in_brief=in_brief,
    )


def _fixed(
    stable: Sequence[MemoryEntry], write: Form, cost: Callable[[Sequence[str]], int], budget: int, share: float
) -> dict[str, str]:
    """Their lines by their ids: what cannot be left out as far as the budget goes, the others as far as their share."""
    lines: dict[str, str] = {}
    for memory in sorted(stable, key=lambda one: (_may_wait(one), _group(one), _weight(one))):
        line = write.line(memory, None, _validity(memory))
        if cost([*lines.values(), line]) <= budget * (share if _may_wait(memory) else 1):
            lines[memory.id] = line
    return {one.id: lines[one.id] for one in stable if one.id in lines}


def _may_wait(memory: MemoryEntry) -> bool:
    return not (guards(memory) or _group(memory) == 0)


def _lines(
    hits: Sequence[Hit],
    *,
    most: int,
    besides: Mapping[str, Sequence[MemoryEntry]],
    known: frozenset[str],
    fits: Callable[[Sequence[str]], bool],
    write: Form,
) -> list[Line]:
    """Hits by rank while they fit; each with what was said in the same breath, where that fits too."""
    lines: list[Line] = []
    told = set(known)
    for hit in hits:
        if len(lines) == most:
            break
        if hit.memory.id in told:
            continue
        more = [one for one in besides.get(hit.memory.id, ()) if one.id not in told]
        for taken in (more, []) if more else ([],):
            text = write.line(together(hit.memory, taken), hit.score, _held(hit))
            if fits([*(line.text for line in lines), text]):
                lines.append(Line(hit=hit, text=text, beside=tuple(one.id for one in taken)))
                told |= {hit.memory.id, *lines[-1].beside}
                break
    return lines


def _shortened(lines: list[Line], fits: Callable[[Sequence[str]], bool]) -> list[Line]:
    """The first of them that fit, one at the least."""
    while len(lines) > 1 and not fits([line.text for line in lines]):
        lines = lines[:-1]
    return lines


def _framed(
    write: Form, always: Sequence[str], lines: Sequence[str], left: Sequence[Brief], fits: Callable[[str], bool]
) -> tuple[str, tuple[str, ...]]:
    """(The text, with as much on what is left as fits; the ids of what is told in brief). Empty where there is
    nothing else to say."""
    if not always and not lines:
        return "", ()
    plain = write.frame(always, lines, "")
    if not left:
        return plain, ()

    def text(told: int, *, named: bool) -> str:
        return write.frame(always, lines, write.more(summed_up(left, told, named=named)))

    told = bisect_left(range(len(left)), True, key=lambda many: not fits(text(many + 1, named=False)))
    shown = tuple(one.id for one in left[:told])
    choices = (text(told, named=True), text(told, named=False))
    return next(((one, shown) for one in choices if fits(one)), (plain, ()))


def outdated(memory: MemoryEntry) -> MemoryEntry:
    """Told beside another, of which it says by itself that it may not hold."""
    return replace(memory, content=f"{memory.content} ({OUTDATED})")


def _held(hit: Hit) -> str:
    return OUTDATED if hit.newer and hit.memory.validity is Validity.CURRENT else _validity(hit.memory)


def _validity(memory: MemoryEntry) -> str:
    return "" if memory.validity is Validity.CURRENT else memory.validity.value


def halves(context: Context) -> tuple[str, str]:
    """The XML text of a context as two: what stands in every one, and what this message recalled. Either may be empty.

    The first is the same byte for byte while no hard fact changes, whatever was recalled.
    """
    _, *lines, _ = context.text.split("\n") if context.text else ("", "")
    fixed, recalled = lines[: len(context.always)], lines[len(context.always) :]
    return _xml_frame(fixed, [], "") if fixed else "", _xml_frame([], recalled, "") if recalled else ""


def _when(memory: MemoryEntry) -> str:
    """The day it is about, or was said, where it was said: the day that its words mean."""
    start = memory.valid.start if memory.valid and memory.valid.start else memory.recorded_at
    return start.strftime("%Y-%m-%d")


def _flat(text: str) -> str:
    """On one line: a line of its own could pass for a heading or another speaker."""
    return " ".join(text.split())


def _source(memory: MemoryEntry) -> str:
    return memory.sources[0].session if memory.sources else ""


def _xml_line(memory: MemoryEntry, relevance: float | None, validity: str) -> str:
    near = "" if relevance is None else f" relevance={quoteattr(f'{relevance:.2f}')}"
    held = f" validity={quoteattr(validity)}" if validity else ""
    return (
        f"<memory time={quoteattr(_when(memory))} importance={quoteattr(f'{memory.importance:.2f}')}{near}{held}"
        f" source={quoteattr(_flat(_source(memory)))}>{escape(_flat(memory.content), {chr(34): '&quot;'})}</memory>"
    )


def _xml_more(left: Overflow) -> str:
    ids = f" ids={quoteattr(' '.join(left.ids))}" if left.ids else ""
    return (
        f"<more count={quoteattr(str(left.count))} from={quoteattr(left.since)} to={quoteattr(left.until)}{ids}>"
        f"{escape(JOINER.join(left.told), {chr(34): '&quot;'})}</more>"
    )


def _xml_frame(always: Sequence[str], lines: Sequence[str], more: str) -> str:
    return "\n".join(["<memory_context>", *always, *lines, *([more] if more else []), "</memory_context>"])


_MARKDOWN = str.maketrans(
    {"`": "\\`", "<": "&lt;", ">": "&gt;", "*": "\\*", "_": "\\_", "[": "\\[", "]": "\\]", "#": "\\#", "|": "\\|"}
)


def _markdown_line(memory: MemoryEntry, relevance: float | None, validity: str) -> str:
    held = f" ({validity})" if validity else ""
    return f"- {_when(memory)}{held}: {_flat(memory.content).translate(_MARKDOWN)}"


def _markdown_more(left: Overflow) -> str:
    told = JOINER.join(left.told).translate(_MARKDOWN)
    ids = f" ({' '.join(left.ids)})" if left.ids else ""
    return f"- (+{left.count}) {left.since} – {left.until}{': ' if told else ''}{told}{ids}"


def _markdown_frame(always: Sequence[str], lines: Sequence[str], more: str) -> str:
    return "\n".join(["**Memory**", *always, *lines, *([more] if more else [])])


def _json_line(memory: MemoryEntry, relevance: float | None, validity: str) -> str:
    values: dict[str, object] = {
        "time": _when(memory),
        "importance": round(memory.importance, 2),
        "content": memory.content,
        "source": _source(memory),
    }
    if relevance is not None:
        values["relevance"] = round(relevance, 2)
    if validity:
        values["validity"] = validity
    return _json(values)


def _json_more(left: Overflow) -> str:
    return _json({"count": left.count, "from": left.since, "to": left.until, "about": [*left.told], "ids": [*left.ids]})


def _json(values: Mapping[str, object]) -> str:
    return json.dumps(values, ensure_ascii=False).replace("<", "\\u003c").replace(">", "\\u003e")


def _json_frame(always: Sequence[str], lines: Sequence[str], more: str) -> str:
    return '{"memories": [' + ", ".join([*always, *lines]) + "]" + (f', "more": {more}' if more else "") + "}"


FORMS: dict[str, Form] = {
    "xml": Form(line=_xml_line, more=_xml_more, frame=_xml_frame),
    "markdown": Form(line=_markdown_line, more=_markdown_more, frame=_markdown_frame),
    "json": Form(line=_json_line, more=_json_more, frame=_json_frame),
}
