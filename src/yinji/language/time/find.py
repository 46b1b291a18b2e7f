"""Every time expression of a text, as intervals in the speaker's zone."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from yinji.language.time.calendar import DAYS, MONTHS, SECONDS, Span, days, midnight
from yinji.language.time.compose import HOURS, expressions
from yinji.language.time.conventions import conventions, current, using
from yinji.language.time.follow import LATER, Anchor, follow, in_month, is_bare_day, month_beside
from yinji.language.time.lengths import AT_LEAST, AT_MOST
from yinji.language.time.lexicon import Lexicon, lexicon, plain
from yinji.language.time.moment import Moment, bounded_lean
from yinji.language.time.recur import first_day, first_time, last_day, rule
from yinji.language.time.resolve import Reading, Stretch, resolve
from yinji.language.time.said import CLAUSE, Amount, Expression, Said, begun
from yinji.model import Grain, Interval

PARTIAL = HOURS | {
    "edge", "half_of", "lunar", "leap", "turn", "week_of", "day_end", "head", "head_unit", "nth", "nth_unit", "bound"
}  # fmt: skip
"""Fields that need another to name a time."""
_LISTED = re.compile(r"\s*[,\uff0c\u3001]\s*")
_END = re.compile(r"[.!?](?=\s)|[\u3002\uff01\uff1f\n]")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Text:
    """The text at hand, as it is said and as rules match it, when it is said, and the words that it is read by."""

    text: str
    folded: str
    at: datetime
    words: Lexicon

    def found(self, one: Expression, leans: str | None, at: datetime | None = None) -> Found | None:
        return _found(one, self, at or self.at, leans)

    def clause(self, one: Expression) -> str:
        return _around(self.folded, one.start, one.end, CLAUSE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """A time expression: its interval, where it stands, and where in it the words for the date stand."""

    kind: str = "time"
    """``time``; ``rule`` for what repeats; ``length`` for a mere length of time; ``now`` for the moment of speaking."""
    interval: Interval
    """Unbounded where a rule repeats; ``first`` is then its first time."""
    start: int
    end: int
    date_start: int
    date_end: int
    date: Interval | None
    """What the date words alone mean; ``None`` when there are none, or when there are several."""
    relative: bool
    """Whether the words mean another time when read on another day."""
    first: Interval | None = None
    """The first occurrence that is not over, of what repeats."""
    others: tuple[Interval, ...] = ()
    """Other readings, the likeliest first."""
    certainty: float = 1.0
    """How sure the reading is, 0 to 1."""
    reading: str = "present"
    """``past``, ``future``, or ``present`` when the moment of speaking is inside."""
    leans: str | None = None
    """Which way its own clause leans: ``past``, ``future``, ``coming`` for what may be today; ``None`` when none."""
    dates: tuple[tuple[int, int, Interval], ...] = ()
    """Each stretch of date words with what it means: two in a range."""
    length: float | None = None
    """Seconds, of a mere length of time; it has no interval. The least of one that is not exact."""
    longest: float | None = None
    """The most of a length that is not exact; infinite where it is only said to be at least so long."""


def find(text: str, *, at: datetime, language: str, convention: str | None = None, before: str = "") -> list[Found]:
    """Every time expression in order, mere lengths of time too. ``at`` is aware; its zone is the speaker's.

    ``convention`` names the set that says what is meant where people differ, else the one in use. ``before``: what
    was said just before, from whose times the first ones here may go on. Raises NotFound.
    """
    with using(convention or current()):
        return _find(text, at, language, before)


def _find(text: str, at: datetime, language: str, before: str) -> list[Found]:
    said = _said(text, at, lexicon(language))
    read = expressions(said.folded, said.words)
    earlier = _anchors(before, at, said.words) if before and read else []
    found = [one for _, one in _told(said, read, earlier) if one is not None]
    return _joined(found, text) if conventions(current()).lists == "joined" else found


def _joined(found: list[Found], text: str) -> list[Found]:
    """Days that follow each other in a list as one stretch."""
    done: list[Found] = []
    for one in found:
        last = done[-1] if done else None
        if last and _LISTED.fullmatch(text, last.end, one.start) and _follows(last.interval, one.interval):
            whole = text[last.start : one.end]
            done[-1] = replace(last, end=one.end, interval=replace(last.interval, end=one.interval.end, text=whole))
        else:
            done.append(one)
    return done


def _follows(first: Interval, then: Interval) -> bool:
    return first.end is not None and first.end == then.start and Grain.DAY == first.grain == then.grain


def _anchors(before: str, at: datetime, words: Lexicon) -> list[Anchor]:
    """The times of what was said before, as those that others go on from."""
    said = _said(before, at, words)
    told = [_anchor(one, found) for one, found in _told(said, expressions(said.folded, words), [])]
    behind = [replace(anchor, end=anchor.end - len(before)) for anchor in told if anchor is not None]
    last = max((match.end() for match in _END.finditer(before)), default=0) - len(before)
    return [anchor for anchor in behind if anchor.end > last]


def _anchor(one: Expression, found: Found | None) -> Anchor | None:
    if found is None or found.kind != "time" or found.interval.start is None or one.said.has("bound"):
        return None
    if found.date is None and not found.dates:
        return None
    return Anchor(said=one.said, start=found.interval.start, end=one.end)


def _said(text: str, at: datetime, words: Lexicon) -> _Text:
    return _Text(text=text, folded=plain(text), at=at, words=words)


def _told(said: _Text, read: Sequence[Expression], earlier: Sequence[Anchor]) -> list[tuple[Expression, Found | None]]:
    """Each expression with what it means, by itself or as it goes on from those before it."""
    told: list[tuple[Expression, Found | None]] = []
    leans = {one.start: _lean_of(one, said.folded, said.words) for one in read}
    for one in read:
        anchors = [*earlier, *(anchor for pair in told if (anchor := _anchor(*pair)) is not None)]
        told.append(_going_on(one, anchors, leans[one.start], said))
    others = [anchor for one, found in told if not is_bare_day(one) and (anchor := _anchor(one, found)) is not None]
    return [(one, _of_month(one, found, [*earlier, *others], leans[one.start], said)) for one, found in told]


def _going_on(
    one: Expression, anchors: Sequence[Anchor], leans: str | None, said: _Text
) -> tuple[Expression, Found | None]:
    """The expression as it is to be read, with what it then means."""
    alone = said.found(one, leans)
    way = follow(one, anchors, said.clause(one), said.folded, words=said.words)
    if way is None or alone is None:
        return one, alone
    found = said.found(way.one, LATER if way.at else leans, way.at)
    if found is None or found.interval.start is None:
        return one, alone
    if leans != "coming" and not _agrees(found.interval.start, said.at, leans):
        return one, alone
    return way.one, replace(found, reading=_side(found.interval, said.at), relative=alone.relative, leans=alone.leans)


def _agrees(day: datetime, at: datetime, leans: str | None) -> bool:
    """Whether a day lies where its sentence leans."""
    return leans not in ("past", "future", "coming") or (day > at) is (leans != "past")


def _side(interval: Interval, at: datetime) -> str:
    if interval.end is not None and interval.end <= at:
        return "past"
    return "future" if interval.start is not None and interval.start > at else "present"


def _of_month(
    one: Expression, found: Found | None, others: Sequence[Anchor], leans: str | None, said: _Text
) -> Found | None:
    """A day of some month as of the month of the other dates, where the sentence does not lean away from it."""
    if found is None or not is_bare_day(one) or said.words.tense["returns"].search(said.clause(one)):
        return found
    near = month_beside(one, others)
    if near is None or not _agrees(near.replace(hour=23, minute=59), said.at, leans):
        return found
    return said.found(in_month(one, near.month), "future" if near.date() > said.at.date() else "past")


def _found(one: Expression, text: _Text, at: datetime, leans: str | None) -> Found | None:
    words, differing = text.words, conventions(current())
    parts = {**words.parts, **differing.parts} if differing.parts else words.parts
    moment = Moment(at=at, lean=leans, parts=parts, conventions=differing, whole_weeks=words.whole_weeks)
    said = text.text[one.start : one.end]
    if one.said.has("amount") and not one.said.has("sign", "recent", "every", "until", "base"):
        return Found(
            interval=Interval(start=None, end=None, text=said),
            start=one.start, end=one.end, date_start=one.start, date_end=one.start, date=None, relative=False,
            kind="length", length=0.0 if one.said.open == AT_MOST else _seconds(one.said.amount or ()),
            longest=math.inf if one.said.open == AT_LEAST else _seconds(one.said.most) if one.said.most else None,
        )  # fmt: skip
    if one.said.has("every"):
        return _repeating(one, said, moment)
    if not _names_a_time(one.said):
        return None
    reading = resolve(one.said, moment)
    if reading is None:
        return None
    return replace(_dated(one, said, text.text, reading, moment), leans=_lean(text.clause(one), words))


def _names_a_time(said: Said) -> bool:
    """Whether it says more than which part of something, such as its end."""
    return said.has("hour", "part", "ampm") or not PARTIAL.issuperset(said.given())


def _lean_of(one: Expression, text: str, words: Lexicon) -> str | None:
    if words.tense["up_to_now"].match(text, one.start, one.end):
        return "past"
    if one.said.bound in ("until", "by"):
        before = _around(text, one.start, one.end, CLAUSE).partition("\0")[0]
        if words.tense["reaches"].search(before + text[one.start : one.end]):
            return "future"
    leans = lean(text, one.start, one.end, words)
    return "near" if leans == "past" and one.said.bound in ("before", "by") else leans


def lean(text: str, start: int, end: int, words: Lexicon) -> str | None:
    """Which way the clause around an expression leans, else the sentence; ``None`` when nothing says.

    ``coming`` is of what is to come, perhaps today.
    """
    clause = _around(text, start, end, CLAUSE)
    if own := _lean(clause, words):
        return own
    if clause.strip() == "\0" and words.glue["opens"].match(text, start, end):
        return "coming"
    return _lean(_around(text, start, end, _END), words)


def _around(text: str, start: int, end: int, ends: re.Pattern[str]) -> str:
    """What stands around an expression up to such an end, with a null character in its place."""
    first = begun(text, start, ends)
    last = ends.search(text, end)
    return text[first:start] + "\0" + text[end : last.start() if last else len(text)]


def _lean(text: str, words: Lexicon) -> str | None:
    if words.tense["decides"].search(text):
        return "future"
    if words.tense["booked"].search(text):
        return "coming"
    if words.tense["put_off"].search(text):
        return "near"
    if (reports := words.tense["reports"].search(text)) and (told := _lean(text[reports.end() :], words)):
        return told
    past, future = words.tense["past"].search(text), words.tense["future"].search(text)
    if past and future and words.tense["strong"].search(text):
        return "past"
    if future or past:
        return "future" if future else "past"
    return "coming" if words.tense["coming"].search(text) else None


def _seconds(amount: Amount) -> float:
    """A year as 365 days, a month as 30."""
    units: dict[str, float] = {"workday": 86400, **SECONDS}
    units |= {unit: days * 86400 for unit, days in DAYS.items()}
    units["weekend"] = 2 * 86400
    units |= {unit: (count // 12 * 365 + count % 12 * 30) * 86400 for unit, count in MONTHS.items()}
    return sum(count * units[unit] for count, unit in amount)


def _repeating(one: Expression, said: str, moment: Moment) -> Found:
    first, last = first_day(one.said, moment), last_day(one.said, moment)
    whole = one.said.without("approximate", "since")
    span = first_time(whole, moment if first is None else _from(first, moment))
    if span is not None and first is not None and span.start.date() < first:
        span = days(first, first + timedelta(days=1))
    if span is not None and whole.until is not None and last is None:
        span = _with_end(span, whole, moment)
    return Found(
        kind="rule",
        interval=Interval(
            start=None if first is None else moment.aware(midnight(first)),
            end=None if last is None else moment.aware(midnight(last + timedelta(days=1))),
            recurrence=rule(whole, moment),
            text=said,
        ),
        start=one.start,
        end=one.end,
        date_start=one.start,
        date_end=one.start,
        date=None,
        relative=False,
        first=None if span is None else _interval(_stretch(span), moment),
    )


def _from(day: date, moment: Moment) -> Moment:
    """The moment, or the beginning of a later day."""
    return max(moment, replace(moment, at=moment.aware(midnight(day))), key=lambda one: one.at)


def _stretch(span: Span) -> Stretch:
    return Stretch(start=span.start, end=span.end, grain=span.grain)


def _with_end(first: Span, said: Said, moment: Moment) -> Span:
    """The first time of a range that repeats lasts as long as the range does."""
    names = ("every", "interval", "byday")
    reading = resolve(replace(said, **dict.fromkeys(names)), moment)
    if reading is None or reading.chosen.start is None or reading.chosen.end is None:
        return first
    return replace(first, end=first.start + (reading.chosen.end - reading.chosen.start))


def _dated(one: Expression, said: str, text: str, reading: Reading, moment: Moment) -> Found:
    interval = _interval(reading.chosen, moment, said)
    dates = tuple(_written(one, moment))
    single = dates[0] if len(dates) == 1 and not one.said.has("until") else None
    others = [_interval(other, moment, said) for other in reading.others]
    return Found(
        kind="now" if one.said.has("now") and not one.said.has("until", "bound") else "time",
        interval=interval,
        start=one.start,
        end=one.end,
        date_start=single[0] if single else one.start,
        date_end=single[1] if single else one.start,
        date=single[2] if single else None,
        relative=_is_relative(one.said),
        others=tuple(dict.fromkeys(other for other in others if other != interval)),
        certainty=_certainty(one.said, reading),
        reading=_reading(reading.chosen, moment),
        dates=dates,
    )


def _written(one: Expression, moment: Moment) -> Iterator[tuple[int, int, Interval]]:
    """What each stretch of date words means, if one date can stand for it; so many months away, the whole month."""
    lean = bounded_lean(one.said.bound, moment) if one.said.bound else moment.lean
    moment = replace(moment, lean=lean)
    for start, end, said in one.dates:
        reading = resolve(said.without("hour", "minute", "second"), moment)
        if reading is None or reading.chosen.start is None or said.has("recent", "span_days", "head", "now"):
            continue
        chosen = reading.chosen
        if said.amount is not None and reading.others and reading.others[0].grain in (Grain.MONTH, Grain.YEAR):
            chosen = reading.others[0]
        yield start, end, _interval(chosen, moment)


def _is_relative(said: Said) -> bool:
    return not said.has("year", "era", "century") and (said.decade or 0) < 100


def _certainty(said: Said, reading: Reading) -> float:
    return round(reading.certainty * (0.8 if said.approximate else 1.0), 2)


def _reading(chosen: Stretch, moment: Moment) -> str:
    now = moment.now
    if chosen.end is not None and chosen.end <= now:
        return "past"
    return "future" if chosen.start is not None and chosen.start > now else "present"


def _interval(stretch: Stretch, moment: Moment, said: str = "") -> Interval:
    """The stretch as instants; what lasts no longer than hours keeps its length over a change of clocks."""
    start = None if stretch.start is None else moment.aware(stretch.start)
    end = None if stretch.end is None else moment.aware(stretch.end)
    if start is not None and end is not None and end <= start and stretch.start is not None and stretch.end is not None:
        end = start + max(stretch.end - stretch.start, timedelta(seconds=1))
    return Interval(start=start, end=end, grain=stretch.grain, text=said)
