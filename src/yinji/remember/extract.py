"""Which statements a turn makes, and what of it is dropped and why.

Sentence by sentence; a sentence is taken apart into clauses when it mixes a fact with a request, says several
things that can change apart, or is too long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from yinji.config import RememberSettings
from yinji.language.dates import Found, find_times
from yinji.language.entities import find_entities
from yinji.language.packs import Pack, pack
from yinji.language.script import simplify
from yinji.language.text import content_key, detect, sentences
from yinji.model import (
    Draft,
    Drop,
    DropReason,
    Entity,
    Fields,
    Grain,
    Interval,
    Kind,
    Mention,
    Modality,
    Role,
    Slot,
    Source,
    Trust,
    Turn,
)
from yinji.remember.clean import clean
from yinji.remember.gate import evidence, judge, refuse
from yinji.remember.resolve import resolve, restate, said_before
from yinji.remember.statement import Statement, state

LONGEST = {"zh": 48, "en": 38}
"""Characters or words of a clause group, two short of the limit of a memory: the subject is added."""
_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Piece:
    """Some neighbouring clauses of a sentence, as offsets into its cleaned text."""

    start: int
    end: int
    text: str


@dataclass(kw_only=True, slots=True)
class _Reader:
    """What is known while a turn is read."""

    turn: Turn
    settings: RememberSettings
    before: list[str]
    """What was said before the sentence at hand, oldest first."""
    seen: set[str] = field(default_factory=set)
    drafts: list[Draft] = field(default_factory=list)
    drops: list[Drop] = field(default_factory=list)


def extract(turn: Turn, recent: Sequence[Turn], settings: RememberSettings) -> tuple[list[Draft], list[Drop]]:
    """The statements to propose and the pieces that are dropped, both in the order they were said.

    ``recent``: the session's turns before this one, oldest first. Offsets point into ``turn.user``.
    """
    if turn.role not in (Role.USER, Role.IMPORT):
        return [], [_foreign(turn)]
    reader = _Reader(turn=turn, settings=settings, before=said_before(recent))
    for start, end in _readable(turn.user, reader):
        _read_sentence(start, end, reader)
        reader.before.append(turn.user[start:end])
    if turn.assistant and turn.assistant.strip():
        reader.drops.append(
            Drop(text=turn.assistant, reason=DropReason.ASSISTANT, end=len(turn.assistant), role=Role.ASSISTANT)
        )
    if not reader.drafts and not reader.drops:
        _drop(0, len(turn.user), DropReason.FILLER, reader)
    for remembered in (clean, refuse, evidence, state, find_entities):
        remembered.cache_clear()  # what was said must not stay behind in memory once it is erased
    return reader.drafts, reader.drops


def _foreign(turn: Turn) -> Drop:
    """Text that is not the user's own is never taken for what the user says."""
    injected = any(pack(language).matcher("injection").search(turn.user) for language in ("zh", "en"))
    reason = DropReason.INJECTION if injected else DropReason.NOT_ABOUT_USER
    return Drop(text=turn.user, reason=reason, end=len(turn.user), role=turn.role)


def _readable(text: str, reader: _Reader) -> Iterator[tuple[int, int]]:
    """The sentences to read: no code blocks, and nothing beyond the longest message."""
    limit = reader.settings.max_chars
    if not text.strip():
        reader.drops.append(Drop(text=text, reason=DropReason.EMPTY, end=len(text)))
        return
    if len(text) > limit:
        reader.drops.append(Drop(text=text[limit:], reason=DropReason.TOO_LONG, start=limit, end=len(text)))
    head = text[:limit]
    for block in _CODE.finditer(head):
        _drop(block.start(), block.end(), DropReason.NOT_ABOUT_USER, reader)
    plain = _CODE.sub(lambda block: "\n" * len(block[0]), head)
    yield from sentences(plain)


def _drop(start: int, end: int, reason: DropReason, reader: _Reader) -> None:
    reader.drops.append(Drop(text=reader.turn.user[start:end], reason=reason, start=start, end=end))


# --------------------------------------------------------------- sentences


def _read_sentence(start: int, end: int, reader: _Reader) -> None:
    raw = reader.turn.user[start:end]
    language = detect(raw)
    cleaned = clean(raw, language)
    subject, kept = None, False
    if not cleaned.text:
        _drop(start, end, refuse(raw, language=language) or DropReason.FILLER, reader)
        return
    for piece in _pieces(cleaned.text, raw, language, reader.settings):
        source = cleaned.source(piece.start, piece.end)
        span = (start + source[0], start + source[1])
        read = _read_piece(piece, span, language, reader, subject=subject, follows=kept)
        if read is not None:
            subject, kept = _carried(read), True


def _read_piece(
    piece: _Piece, span: tuple[int, int], language: str, reader: _Reader, *, subject: str | None, follows: bool
) -> Statement | None:
    """Keeps one piece and gives what it says, or drops it.

    ``subject``: whom it is about when it does not say. ``follows``: a piece of its sentence was kept before.
    """
    text = resolve(piece.text, reader.before, language)
    corrected = restate(text, reader.before, language)
    said = corrected or text
    reason = judge(said, language=language, settings=reader.settings, seen=reader.seen, follows=follows)
    if reason is not None:
        _drop(*span, reason, reader)
        return None
    read = state(said, language, subject=subject)
    reader.seen.add(content_key(text))
    reader.drafts.append(_draft(read, span, reader.turn, replaces=read.replaces or corrected is not None))
    return read


def _carried(read: Statement) -> str | None:
    """The subject of a Chinese statement in its own words, when it is not the user."""
    if read.language != "zh" or read.subject == "user" or not read.told.startswith(read.subject):
        return None
    return read.subject


def _pieces(text: str, raw: str, language: str, settings: RememberSettings) -> list[_Piece]:
    """The sentence in as few pieces as can be: whole when it asks nothing, says one thing and is short.

    What would be dropped as a whole is looked at clause by clause, unless its form leaves no hope.
    """
    words = pack(language)
    clauses = list(_clauses(text, words))
    if len(clauses) == 1 or refuse(raw, language=language) in UNDIVIDED:
        return [_Piece(start=0, end=len(text), text=text)]
    if refuse(clauses[0].text, language=language) is DropReason.HYPOTHETICAL:
        return [_Piece(start=0, end=len(text), text=text)]
    asked = [bool(words.matcher("request").search(one.text)) for one in clauses]
    runs = _runs(clauses, asked) if any(asked) or refuse(raw, language=language) is not None else [clauses]
    groups = [group for run in runs for group in _grouped(run, text, language)]
    return [piece for group in groups for piece in _hopeful(group, settings, words)]


def _hopeful(group: _Piece, settings: RememberSettings, words: Pack) -> list[_Piece]:
    """The group, or its clauses when the whole would be dropped and one of them would not."""
    if judge(group.text, language=words.language, settings=settings) is None:
        return [group]
    clauses = [
        _Piece(start=group.start + one.start, end=group.start + one.end, text=one.text)
        for one in _clauses(group.text, words)
    ]
    kept = any(judge(one.text, language=words.language, settings=settings) is None for one in clauses)
    return clauses if kept else [group]


UNDIVIDED = frozenset({DropReason.INJECTION, DropReason.GREETING, DropReason.ACKNOWLEDGEMENT, DropReason.FILLER})


def _clauses(text: str, words: Pack) -> Iterator[_Piece]:
    at = 0
    for cut in words.matcher("clause_split").finditer(text):
        if text[at : cut.start()].strip() and words.matcher("has_verb").search(text[at : cut.start()]):
            yield _Piece(start=at, end=cut.start(), text=text[at : cut.start()])
            at = cut.end()
    if text[at:].strip():
        yield _Piece(start=at, end=len(text), text=text[at:])


def _runs(clauses: Sequence[_Piece], asked: Sequence[bool]) -> list[list[_Piece]]:
    """Clauses that ask by themselves, the others with their neighbours."""
    runs: list[list[_Piece]] = []
    for at, clause in enumerate(clauses):
        if at and not asked[at] and not asked[at - 1]:
            runs[-1].append(clause)
        else:
            runs.append([clause])
    return runs


def _grouped(clauses: Sequence[_Piece], text: str, language: str) -> list[_Piece]:
    """Neighbours together until a group is full or the next clause fills a slot of its own."""
    groups = [clauses[0]]
    filled = state(clauses[0].text, language).slot
    for clause in clauses[1:]:
        slot = state(clause.text, language).slot
        leans = pack(language).matcher("leans").search(clause.text)
        joined = _Piece(start=groups[-1].start, end=clause.end, text=text[groups[-1].start : clause.end])
        fits = _length(joined.text, language) <= LONGEST[language]
        if fits and (leans or _keeps_slots(joined, filled, slot, language)):
            groups[-1], filled = joined, filled or (None if leans else slot)
        else:
            groups.append(clause)
            filled = slot
    return groups


def _keeps_slots(joined: _Piece, first: Slot | None, second: Slot | None, language: str) -> bool:
    """Whether two clauses told together still say what each fills in."""
    if first is not None and second is not None:
        return False
    filled = first or second
    together = state(joined.text, language).slot
    return filled is None or (together is not None and together.attribute == filled.attribute)


def _length(text: str, language: str) -> int:
    return len(text) if language == "zh" else len(text.split())


# ------------------------------------------------------------------ drafts


def _draft(read: Statement, span: tuple[int, int], turn: Turn, *, replaces: bool) -> Draft:
    words = pack(read.language)
    times = find_times(read.told, at=turn.at, language=read.language)
    settled = read.demand or words.matcher("habitual").search(read.told) or _is_yearly(read)
    quote = turn.user[span[0] : span[1]]
    entities = _placed(quote, span[0], read.language)
    return Draft(
        content=_finished(read.told if settled else _dated(read.told, times, words), read.language),
        kind=read.kind,
        layer=read.layer,
        language=read.language,
        importance=read.importance,
        confidence=read.confidence,
        source=_source(span, quote, turn),
        subject=read.subject,
        slot=read.slot,
        polarity=read.polarity,
        modality=read.modality,
        fields=_fields(entities, quote, span[0], turn, read.language),
        entities=entities,
        valid=_valid(read, [] if settled and not _recurs(times) else times),
        sensitivity=read.sensitivity,
        trust=_trust(read, turn),
        replaces=replaces,
    )


def _is_yearly(read: Statement) -> bool:
    """Whether its date comes round every year and must not be given one."""
    return read.slot is not None and read.slot.attribute == "birthday"


def _trust(read: Statement, turn: Turn) -> Trust:
    if turn.role is Role.IMPORT:
        return Trust.IMPORT
    return Trust.USER_EXPLICIT if read.confidence >= 1.0 else Trust.USER_IMPLIED


def _source(span: tuple[int, int], quote: str, turn: Turn) -> Source:
    return Source(
        turn_id=turn.id,
        session=turn.session,
        seq=turn.seq,
        role=turn.role,
        start=span[0],
        end=span[1],
        quote=quote,
        at=turn.at,
        app=turn.app,
    )


def _placed(quote: str, offset: int, language: str) -> tuple[Entity, ...]:
    return tuple(
        Entity(name=one.name, type=one.type, start=one.start + offset, end=one.end + offset)
        for one in find_entities(quote, language=language)
    )


def _fields(entities: Sequence[Entity], quote: str, offset: int, turn: Turn, language: str) -> Fields:
    def of(*types: str) -> tuple[Mention, ...]:
        return tuple(Mention(text=one.name, start=one.start, end=one.end) for one in entities if one.type in types)

    times = tuple(
        Mention(text=quote[one.start : one.end], start=one.start + offset, end=one.end + offset)
        for one in find_times(quote, at=turn.at, language=language)
    )
    return Fields(time=times, place=of("place"), people=of("person"), object=of("product", "device", "code"))


# ------------------------------------------------------------------- dates


def _recurs(times: Sequence[Found]) -> bool:
    return any(one.interval.recurrence for one in times)


def _dated(told: str, times: Sequence[Found], words: Pack) -> str:
    """The statement with its relative dates written out, so that it stands alone on any other day."""
    for one in reversed(times):
        if one.relative and one.date is not None:
            said = told[one.date_start : one.date_end]
            told = f"{told[: one.date_start]}{_written(one.date, said, words)}{told[one.date_end :]}"
    return told


def _written(date: Interval, said: str, words: Pack) -> str:
    start, table = date.start, words.tables["date_format"]
    if start is None or date.end is None:
        return said
    days = (date.end - start).days
    form = "weekend" if date.grain is Grain.DAY and days == 2 else str(date.grain)
    if form not in table:
        return said
    return table[form].format(
        year=start.year,
        month=start.month,
        day=start.day,
        month_name=words.tables.get("month_names", {}).get(str(start.month), ""),
        part=words.tables["part_names"].get(simplify(said).lower(), said),
    )


def _valid(read: Statement, times: Sequence[Found]) -> Interval | None:
    """When it holds: an event while it lasts, anything else from then on; None when no time is named."""
    if not times:
        return None
    interval = next((one.interval for one in times if read.slot is None or not one.interval.recurrence), None)
    if interval is None:
        return None
    lasting = read.slot is not None and read.slot.single and read.kind is not Kind.EVENT
    if lasting and read.modality is not Modality.PLANNED and interval.start is not None:
        return Interval(start=interval.start, end=None, grain=interval.grain, text=interval.text)
    return interval


def _finished(content: str, language: str) -> str:
    return f"{content[:1].upper()}{content[1:]}" if language == "en" else content
