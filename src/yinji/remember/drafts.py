"""A statement as it is proposed for keeping: its dates written out, its fields, and when it holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from yinji.language.dates import Found, find_times
from yinji.language.entities import find_entities
from yinji.language.packs import Pack, pack
from yinji.language.script import simplify
from yinji.language.sensitive import Policy, is_delicate
from yinji.language.text import lead_to
from yinji.language.time.said import WEEKDAYS
from yinji.model import (
    Draft,
    Entity,
    Fields,
    Grain,
    Interval,
    Kind,
    Layer,
    Mention,
    Modality,
    Role,
    Sensitivity,
    Slot,
    Source,
    Trust,
    Turn,
)
from yinji.remember.statement import Statement, value_key

LONGEST_DAYS = {"day": 1, "part_of_day": 1, "week": 7, "month": 31}
"""Days that a date of that form may last; a longer stretch keeps its words."""
RANGE = 2
"""Stretches of date words in a range: from one, to the other."""


def draft(read: Statement, span: tuple[int, int], turn: Turn, *, replaces: bool, policy: Policy) -> Draft:
    words = pack(read.language)
    before = bool(words.matcher("meant_before").search(read.told))
    meant = not before and (read.modality is Modality.PLANNED or bool(words.matcher("arranged").search(read.told)))
    past = not meant and (before or bool(words.matcher("is_over").search(read.told)))
    said = _times(read, turn, words, before=lead_to(turn.user, span[0]))
    found = [_turned(one, turn, ahead=meant) if meant or past else one for one in said]
    times = [one for one in found if not _tells_apart(one, read.told, words)]
    read = _to_come(_birthday_dated(read, times, words), times, turn, words)
    settled = read.demand or _is_usual(read, words) or _is_yearly(read)
    quote = turn.user[span[0] : span[1]]
    entities = _with_name(read, _placed(quote, span[0], read.language), quote, span[0])
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
        fields=fields_of(entities, quote, span[0], turn.at, read.language),
        entities=entities,
        valid=_weekly(read, times, words) or _valid(read, [] if settled and not _recurs(times) else times, turn.at),
        sensitivity=Sensitivity.SENSITIVE if is_delicate(read.told, policy) else Sensitivity.NORMAL,
        trust=_trust(read, turn),
        replaces=replaces,
    )


def _to_come(read: Statement, times: Sequence[Found], turn: Turn, words: Pack) -> Statement:
    """What is told as so but for a time that is still to come is a plan; a term that ends then, or a taste, is none."""
    dated = [one for one in times if not (_recurs(times) and _is_of_the_day(one))]
    starts = [one.interval.start for one in dated if one.interval.start is not None and not one.interval.recurrence]
    if read.modality is not Modality.ASSERTED or not starts or min(starts) <= turn.at or read.demand:
        return read
    if all(_is_of_the_day(one) for one in times) or _is_of_today(read, starts, turn, words):
        return read  # "in the evening" alone tells when in the day, not on which
    if words.matcher("term").search(read.told) or _is_usual(read, words) or _is_yearly(read):
        return read
    if read.kind is Kind.PREFERENCE:
        return read
    if read.kind in (Kind.FACT, Kind.STATE):
        read = replace(read, kind=Kind.EVENT, layer=Layer.EPISODIC)
    return replace(read, modality=Modality.PLANNED)


def _is_of_today(read: Statement, starts: Sequence[datetime], turn: Turn, words: Pack) -> bool:
    """Whether it was done today: "this afternoon" has not begun or is not over, but what was done then is."""
    today = all(one.date() == turn.at.astimezone(one.tzinfo).date() for one in starts)
    return today and bool(words.matcher("is_over").search(read.told))


def _birthday_dated(read: Statement, times: Sequence[Found], words: Pack) -> Statement:
    """A birthday "on Saturday", 明天: which day of the year it is, for the words say it only to who hears them."""
    one = next((one for one in times if one.date is not None and not one.interval.recurrence), None)
    if read.slot is None or not _is_yearly(read) or one is None or one.date is None or one.date.start is None:
        return read
    said, day = read.told[one.date_start : one.date_end], one.date.start
    if one.date.grain is not Grain.DAY or not words.matcher("near_day").fullmatch(said.strip()):
        return read
    month = words.tables.get("month_names", {}).get(str(day.month), "")
    written = words.tables["date_format"]["yearly"].format(month=day.month, day=day.day, month_name=month)
    told = f"{_fitted(read.told[: one.date_start], written, said, words)}{read.told[one.date_end :]}"
    own = words.matcher("date_preposition").match(written)
    return replace(read, told=told, slot=replace(read.slot, value=value_key(written[own.end() if own else 0 :], words)))


def _is_of_the_day(one: Found) -> bool:
    """Whether only a time of the day is named, of no day."""
    timely = one.interval.grain in (Grain.PART_OF_DAY, Grain.HOUR, Grain.MINUTE) and not one.interval.recurrence
    return timely and one.date is None and not one.dates


def _is_usual(read: Statement, words: Pack) -> bool:
    return any(words.matcher(name).search(read.told) for name in ("habitual", "weekly"))


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


def _with_name(read: Statement, entities: tuple[Entity, ...], quote: str, offset: int) -> tuple[Entity, ...]:
    """With the name that it says somebody has, whatever else that word means ("my daughter is called 小满")."""
    if read.slot is None or read.slot.attribute != "name":
        return entities
    at = quote.lower().rfind(read.slot.value)
    end = at + len(read.slot.value)
    if at < 0 or any(one.start < end + offset and at + offset < one.end for one in entities):
        return entities
    return (*entities, Entity(name=quote[at:end], type="person", start=at + offset, end=end + offset))


def fields_of(entities: Sequence[Entity], quote: str, offset: int, at: datetime, language: str) -> Fields:
    """When, where, who and what a text names, which stands at ``offset`` and was said ``at``."""

    def of(*types: str) -> tuple[Mention, ...]:
        return tuple(Mention(text=one.name, start=one.start, end=one.end) for one in entities if one.type in types)

    times = tuple(
        Mention(text=quote[one.start : one.end], start=one.start + offset, end=one.end + offset)
        for one in find_times(quote, at=at, language=language)
    )
    return Fields(time=times, place=of("place"), people=of("person"), object=of("product", "device", "code"))


# ------------------------------------------------------------------- dates


def _times(read: Statement, turn: Turn, words: Pack, *, before: str) -> list[Found]:
    """The time expressions, which may go on from what was said before; a number of a seat or a floor is none, nor is
    a day that somebody likes or hates, or on which it is not."""
    found = find_times(read.told, at=turn.at, language=read.language, before=before)
    numbered = [match.span() for match in words.matcher("numbered").finditer(read.told)]
    found = [one for one in found if not any(start <= one.start < end for start, end in numbered)]
    found = [one for one in found if not words.matcher("liked_day").search(read.told[: one.end])]
    found = [one for one in found if not words.matcher("not_on").search(read.told[: one.start])]
    return _moved(found, read.told, turn, words)


def _turned(one: Found, turn: Turn, *, ahead: bool) -> Found:
    """A day that something is meant or booked for is still to come, one on which something was done is over; unless
    its own clause says that it comes."""
    start, end = one.interval.start, one.interval.end
    if start is None or (start >= turn.at) is ahead or one.interval.recurrence:
        return one
    if (ahead and end is not None and end > turn.at) or (not ahead and one.leans in ("future", "coming")):
        return one
    others = (other for other in one.others if other.start is not None and (other.start >= turn.at) is ahead)
    other = next(others, None)
    return one if other is None else replace(one, interval=other, date=one.date and other)


def _moved(times: Sequence[Found], told: str, turn: Turn, words: Pack) -> list[Found]:
    """A day that something was moved to is still to come."""
    done = []
    for one in times:
        behind = one.interval.start is not None and one.interval.start.date() < turn.at.date()
        alone = words.matcher("day_alone").fullmatch(told[one.date_start : one.date_end].strip())
        if behind and alone and words.matcher("moved_to").search(told[: one.date_start]):
            week = timedelta(days=7)
            one = replace(one, interval=_later(one.interval, week), date=one.date and _later(one.date, week))  # noqa: PLW2901
        done.append(one)
    return done


def _later(interval: Interval, by: timedelta) -> Interval:
    start, end = interval.start, interval.end
    return replace(interval, start=start and start + by, end=end and end + by)


def _recurs(times: Sequence[Found]) -> bool:
    return any(one.interval.recurrence for one in times)


def _dated(told: str, times: Sequence[Found], words: Pack) -> str:
    """The statement with its relative dates written out, so that it stands alone on any other day."""
    for one in reversed(times):
        if not one.relative:
            continue
        for start, end, date in reversed(_dates(one)):
            before, said, after = told[:start], told[start:end], told[end:]
            if words.matcher("named_day").fullmatch(said.strip()):
                if any(other.date_end == start for other in times) or words.matcher("is_day").search(before):
                    continue  # "yesterday, Christmas Eve", "today is Christmas": the date is told already
                told = f"{before}{_named(date, said, words)}{after}"
                continue
            listed = any(other.relative and other.date_start == end < other.date_end for other in times)
            apart = words.tables["date_format"]["listed"] if listed else ""
            told = f"{_fitted(before, written(date, said, words), said, words)}{apart}{after}"
    return told


def _named(date: Interval, said: str, words: Pack) -> str:
    """A named day with its year: the name is what it will be asked for by."""
    if date.start is None:
        return said
    name = words.matcher("named_day").sub(lambda found: found["name"], said.strip())
    return words.tables["date_format"]["named"].format(name=name, year=date.start.year)


def _dates(one: Found) -> tuple[tuple[int, int, Interval], ...]:
    """The stretches of date words to write out: the date, or the first and the last day of a range of days."""
    if one.date is not None:
        return ((one.date_start, one.date_end, one.date),)
    since, until = one.interval.start, one.interval.end
    if len(one.dates) != RANGE or since is None or until is None or any(d.grain != Grain.DAY for *_, d in one.dates):
        return ()
    (first, last), day = one.dates, timedelta(days=1)
    return (
        (first[0], first[1], replace(first[2], start=since, end=since + day)),
        (last[0], last[1], replace(last[2], start=until - day, end=until)),
    )


def _tells_apart(one: Found, told: str, words: Pack) -> bool:
    return _is_attribute(told[: one.date_start], told[one.date_start : one.date_end], told[one.date_end :], words)


def _is_attribute(before: str, said: str, after: str, words: Pack) -> bool:
    """Whether the day only says which of several things is meant, or is part of a name ("the Thursday show")."""
    if words.matcher("day_or_name").fullmatch(said.strip()) or words.matcher("of_day").match(after):
        return True
    if not words.matcher("day_alone").fullmatch(said.strip()):
        return False
    if words.matcher("moved_to").search(before) and words.matcher("lesson").search(before):
        return True
    bare = not words.matcher("date_preposition").match(said)
    named = bare and words.matcher("noun_before_day").search(before)
    return bool(named or words.matcher("noun_behind_day").match(after))


def _fitted(before: str, written: str, said: str, words: Pack) -> str:
    """The date behind what stands before it, with one preposition and not two."""
    if written == said:
        return f"{before}{said}"
    own = words.matcher("date_preposition").match(written)
    if own is None:
        apart = " " if before[-1:].isdigit() and written[:1].isdigit() else ""  # "v2.5.0今天上线"
        return f"{before}{apart}{written}"
    same = words.matcher("preposition_same").search(before)
    if same and (same[0].strip() == own[0].strip() or not words.matcher("time_alone").search(said)):
        return f"{before[: same.start()]}{written}"
    if words.matcher("preposition_kept").search(before) is None:
        return f"{before}{written}"
    day = written[own.end() :]
    doubled = before.endswith(" the ") and day.startswith("the ")  # "for the upcoming week"
    return f"{before}{day[len('the ') :] if doubled else day}"


def written(date: Interval, said: str, words: Pack) -> str:
    """A stretch of whole days as statements have it; ``said`` where there is no form for it."""
    start, table = date.start, words.tables["date_format"]
    if start is None or date.end is None:
        return said
    days = (date.end - start).days
    form = "weekend" if date.grain is Grain.DAY and days == 2 else str(date.grain)
    if form not in table or days > LONGEST_DAYS.get(form, days):
        return said
    return table[form].format(
        year=start.year,
        month=start.month,
        day=start.day,
        month_name=words.tables.get("month_names", {}).get(str(start.month), ""),
        part=words.tables["part_names"].get(simplify(said).lower(), said),
    )


def _valid(read: Statement, times: Sequence[Found], at: datetime) -> Interval | None:
    """When it holds: an event while it lasts, anything else from then on; None when no time is named. ``at``: when it
    is told."""
    if not times or (
        read.kind not in (Kind.EVENT,) and not any(one.date or one.dates or _recurs([one]) for one in times)
    ):
        return None
    interval = next((one.interval for one in times if not one.interval.recurrence or _is_when(one, read.slot)), None)
    if interval is None:
        return None
    if interval.end == at and read.kind is not Kind.EVENT and interval.start is not None:
        return replace(interval, end=None)  # "since May": what is so up to now does not end by being told
    later = read.kind is not Kind.EVENT and interval.start is not None and interval.start > at
    if later and pack(read.language).matcher("from_then").search(read.told):
        return replace(interval, end=None)  # a rent that is to rise stays so
    lasting = read.slot is not None and read.slot.single and read.kind is not Kind.EVENT
    if lasting and read.modality is not Modality.PLANNED and interval.start is not None:
        return Interval(start=interval.start, end=None, grain=interval.grain, text=interval.text)
    return interval


def _weekly(read: Statement, times: Sequence[Found], words: Pack) -> Interval | None:
    """Every week on the weekdays named, of a statement that tells of a weekly habit by bare weekdays."""
    if not words.matcher("weekly").search(read.told) or _recurs(times) or read.slot is not None:
        return None
    days = [one.date.start.weekday() for one in times if one.date is not None and one.date.start is not None]
    alone = all(words.matcher("day_alone").fullmatch(read.told[one.date_start : one.date_end]) for one in times)
    if not days or not alone or len(days) < len(times):
        return None
    listed = ",".join(WEEKDAYS[day] for day in sorted(set(days)))
    said = read.told[times[0].start : times[-1].end]
    return Interval(start=None, end=None, recurrence=f"FREQ=WEEKLY;BYDAY={listed}", text=said)


def _is_when(one: Found, slot: Slot | None) -> bool:
    """Whether what repeats is when the attribute holds: of a single one, such as a home, only what its value says."""
    if slot is None or not slot.single:
        return True
    return slot.attribute.startswith("time ") or one.interval.text in (slot.value or "")


def _finished(content: str, language: str) -> str:
    return f"{content[:1].upper()}{content[1:]}" if language == "en" else content
