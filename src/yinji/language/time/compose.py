"""The time expressions of a text: parts found by rules, joined where they stand together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from yinji.language.time.lengths import bounded
from yinji.language.time.lexicon import Lexicon, lexicon, plain
from yinji.language.time.read import read
from yinji.language.time.repeat import repeated
from yinji.language.time.said import (
    CLOCK,
    DAY,
    DECADE,
    MONTH,
    WEEK,
    WITHIN_YEAR,
    YEAR,
    Expression,
    Said,
    is_end,
    merged,
)
from yinji.language.time.weekdays import week_range, weekly

HOURS = frozenset({*CLOCK, "part", "part_edge", "ampm", "exact", "hour_to", "approximate"})
"""Fields that name no day."""
NEAR = frozenset(
    (
        "day_shift",
        "month_shift",
        "year_shift",
        "week_shift",
        "quarter_shift",
        "weekday_shift",
        "season_shift",
        "turn",
        "now",
        "amount",
        "recent",
    )
)
"""Fields that say when of themselves and take nothing from what stands beside them."""
RANKS = (
    (*YEAR, *DECADE),
    (*WITHIN_YEAR, "holiday", "lunar", "leap"),
    (*WEEK, "edge", "edge_of", "weekday_nth"),
    tuple(name for name in DAY if name not in ("holiday", "weekday_nth")),
    ("part", "ampm"),
    CLOCK,
)
"""Fields from the widest stretch to the narrowest."""


def expressions(text: str, words: Lexicon) -> list[Expression]:
    """Every time expression of a text in the form of ``lexicon.plain``, in order."""
    if not words.hint.search(text):
        return []
    joined = _listed(
        _ranges(_counted(_joined(_atoms(text, words), text, words), text, words), text, words), text, words
    )
    kept = [one for one in joined if not _is_bare(one, text, words)]
    kept = _without_names(kept, text, words)
    whole = repeated(list(_with_words_around(kept, text, words)), text, words)
    return bounded(weekly(whole, text, words), text, words)


def _with_words_around(found: list[Expression], text: str, words: Lexicon) -> Iterator[Expression]:
    """Each with the words beside it that bound it or make it less sure, up to its neighbours."""
    first = 0
    for at, one in enumerate(found):
        last = found[at + 1].start if at + 1 < len(found) else len(text)
        whole = _bounded(_approximate(one, text, words, first, last), text, words, first, last)
        first = whole.end
        yield whole


def _without_names(found: list[Expression], text: str, words: Lexicon) -> list[Expression]:
    """Without what somebody is called; who is called June once is meant wherever no word of time stands before it."""
    named = {text[one.start : one.end] for one in found if _is_name(one, text, words)}
    return [one for one in found if text[one.start : one.end] not in named or _is_led(one, text, words)]


def names_somebody(text: str, start: int, end: int, language: str) -> bool:
    """Whether somebody is called like the month or season that stands there, by what is said around it."""
    return _is_called(plain(text), start, end, lexicon(language))


def _is_name(one: Expression, text: str, words: Lexicon) -> bool:
    """Whether somebody or something is called so ("I met June at the gym"), or no day of a calendar is meant."""
    if words.glue["named_led"].search(text, 0, one.end) or _is_called(text, one.start, one.end, words):
        return True
    return words.glue["titled"].search(_around(text, one.start, one.end)) is not None


def _is_called(text: str, start: int, end: int, words: Lexicon) -> bool:
    glue = words.glue
    if glue["named"].match(text, start):
        return True
    called = glue["called"].fullmatch(text, start, end)
    return bool(called and glue["named_around"].search(_around(text, start, end)))


def _around(text: str, start: int, end: int) -> str:
    """The text with a null character in place of what stands there."""
    return f"{text[:start]}\0{text[end:]}"


def _is_led(one: Expression, text: str, words: Lexicon) -> bool:
    return not _is_name(one, text, words) and bool(words.glue["dated_led"].search(text, 0, one.start))


def _is_bare(one: Expression, text: str, words: Lexicon) -> bool:
    """Whether a part of the day stands where nothing says that it is one: an open mic night."""
    said = text[one.start : one.end]
    if not {"part", "part_edge"}.issuperset(one.said.given()) or " " in said or said == text.strip():
        return False
    return words.glue["part_led"].search(text, 0, one.start) is None


# ------------------------------------------------------------------- atoms


def _atoms(text: str, words: Lexicon) -> list[Expression]:
    """What the rules find, the longest first where they overlap."""
    digits = any(char.isdecimal() for char in text)
    found = [
        (match.start() - match.end(), match.start(), order, match)
        for order, rule in enumerate(words.rules)
        for match in rule.matches(text, digits=digits)
        if match.end() > match.start()
    ]
    found.sort(key=lambda one: one[:3])
    taken = bytearray(len(text))
    kept: list[Expression] = []
    for length, start, order, match in found:
        end = start - length
        if any(taken[start:end]) or words.glue["title"].search(text, 0, start):
            continue
        said = read(match, words.rules[order], words)
        if said is not None:
            end -= match[0].endswith(".") and not said.has("ampm")
            taken[start:end] = b"\1" * (end - start)
            kept.append(_atom(start, end, said))
    return sorted(kept, key=lambda one: one.start)


def _atom(start: int, end: int, said: Said) -> Expression:
    dated = not HOURS.issuperset(said.given())
    return Expression(start=start, end=end, said=said, dates=((start, end, said),) if dated else ())


# ----------------------------------------------------------------- joining


def _joined(atoms: list[Expression], text: str, words: Lexicon) -> list[Expression]:
    joined: list[Expression] = []
    for atom in atoms:
        both = None
        if joined and words.glue["merge"].fullmatch(text, joined[-1].end, atom.start):
            both = _both(joined[-1], atom)
        elif joined and atom.said.has("hour") and joined[-1].said.has(*DAY):
            both = _until_hour(joined[-1], atom, text, words)
        elif joined and joined[-1].said.has("hour") and atom.said.has(*DAY):
            both = _hour_or_later(joined[-1], atom, text, words)
        if both is not None:
            joined[-1] = both
            continue
        joined.append(atom)
    return joined


def _until_hour(day: Expression, hour: Expression, text: str, words: Lexicon) -> Expression | None:
    """A day and the hour of it that it ends at or starts from: ``tomorrow before 5pm``."""
    for bound in words.bounds:
        found = bound.before.search(text, day.end, hour.start) if bound.before else None
        if found and not text[day.end : found.start()].strip() and (both := _both(day, hour)):
            return replace(both, said=replace(both.said, bound=bound.bound))
    return None


def _hour_or_later(hour: Expression, day: Expression, text: str, words: Lexicon) -> Expression | None:
    """An hour that is an end, and its day: ``3 pm or later on Monday``."""
    for bound in words.bounds:
        found = bound.after.match(text, hour.end, day.start) if bound.after and not bound.before else None
        if found and words.glue["merge"].fullmatch(text, found.end(), day.start) and (both := _both(hour, day)):
            return replace(both, said=replace(both.said, bound=bound.bound))
    return None


def _both(first: Expression, second: Expression) -> Expression | None:
    said = merged(first.said, second.said)
    if said is None:
        return None
    return Expression(start=first.start, end=second.end, said=said, dates=_dates(first, second))


def _dates(first: Expression, second: Expression) -> tuple[tuple[int, int, Said], ...]:
    """The words for the day, as one stretch where they stand together."""
    if not (first.dates and second.dates):
        return first.dates or second.dates
    one, other = first.dates[-1], second.dates[0]
    both = merged(one[2], other[2])
    if both is None:
        return (*first.dates, *second.dates)
    return (*first.dates[:-1], (one[0], other[1], both), *second.dates[1:])


# ------------------------------------------------------------------ ranges


def _ranges(groups: list[Expression], text: str, words: Lexicon) -> list[Expression]:
    found: list[Expression] = []
    for group in map(_whole_range, groups):
        if found and not found[-1].said.has("until") and not group.said.has("until"):
            both = _range(found[-1], group, text, words)
            if both is not None:
                found[-1] = both
                continue
        found.append(group)
    return [_led(one, text, words) if one.said.has("until") else one for one in found]


def _whole_range(group: Expression) -> Expression:
    """A range that one rule found, with what stands beside it given to both ends."""
    if group.said.until is None:
        return group
    said = range_of(group.said.without("until"), group.said.until)
    return group if said is None else replace(group, said=said)


def _range(first: Expression, last: Expression, text: str, words: Lexicon) -> Expression | None:
    gap = (first.end, last.start)
    if not words.glue["range"].fullmatch(text, *gap):
        between = words.glue["range_after"].match(text, last.end) or words.glue["between"].search(text, 0, first.start)
        if not (between and words.glue["range_and"].fullmatch(text, *gap)):
            return None
    said = range_of(first.said, last.said, day_first=bool(last.dates) and last.dates[0][0] == last.start)
    if said is None:
        return None
    after = words.glue["range_after"].match(text, last.end)
    return Expression(
        start=first.start, end=after.end() if after else last.end, said=said, dates=(*first.dates, *last.dates)
    )


def _led(one: Expression, text: str, words: Lexicon) -> Expression:
    before = words.glue["range_before"].search(text, 0, one.start)
    return replace(one, start=before.start()) if before else one


def range_of(first: Said, last: Said, *, day_first: bool = False) -> Said | None:
    """Both as the ends of a range, each with what only the other says; ``None`` when they are of different kinds.

    ``day_first``: the last end says its day before its hour, and so for itself alone.
    """
    if (weekdays := week_range(first, last)) is not None:
        return weekdays
    if is_end(first, last) and not last.has("recent", "every", "bound"):
        return replace(first, until=last)
    if last.has("every") and not first.has("every") and {*first.given()} == {*last.given()} - {"every", "interval"}:
        # From Monday to Friday every week.
        return range_of(replace(first, every=last.every, interval=last.interval), last.without("every", "interval"))
    if first.has("amount", "recent", "bound") or (last.has("recent", "every", "bound")):
        return None
    if last.has("amount") and not first.has(*CLOCK, *DAY):
        return None
    mixed = last.has(*CLOCK) != first.has(*CLOCK)
    if mixed and not (first.has("now", "part") or last.has("now", "amount", "part")):
        return None
    filled_last = _filled(last, first, wider=True)
    alone = day_first and first.has(*CLOCK, "part") and last.has(*CLOCK, "part")
    filled_first = first if alone else _filled(first, last, wider=False)
    if last.has("day") and not last.has(*MONTH) and filled_last.month and first.day and (last.day or 0) < first.day:
        filled_last = replace(filled_last, month=filled_last.month % 12 + 1)
    filled_first = _year_before(filled_first, filled_last, said=first.year)
    if first.has(*CLOCK) and last.has(*CLOCK) and not alone:
        filled_first, filled_last = _halves(filled_first, filled_last, first, last)
    return replace(filled_first, until=filled_last)


def _year_before(first: Said, last: Said, *, said: int | None) -> Said:
    """A start that took its year from the end is in the year before when it would come after it."""
    if said is not None or last.year is None or first.year != last.year or first.month is None:
        return first
    later = (first.month, first.day or 0) > (last.month or 13, last.day or 32)
    return replace(first, year=last.year - 1) if later else first


def _filled(one: Said, other: Said, *, wider: bool) -> Said:
    """With the wider fields of the other end; the start takes them only where it names no year, month or day."""
    if one.has("now") or (NEAR & one.given().keys() and one.has(*DAY, *MONTH, *YEAR, *WEEK, "amount")):
        return one
    given, there = one.given(), other.given()
    ranks = [rank for rank, names in enumerate(RANKS) if any(name in given for name in names)]
    if not ranks:
        return one
    taken = [name for names in RANKS[: min(ranks)] for name in names if name in there and name not in HOURS]
    if not wider and not set(taken) - {"lunar"}:
        return one
    extra = {name: there[name] for name in taken if name not in given}
    if "weekday" in given or "day" in given:
        extra = {name: value for name, value in extra.items() if name not in ("weekday", "day")}
    return replace(one, **extra)


def _halves(first: Said, last: Said, one: Said, other: Said) -> tuple[Said, Said]:
    """Clock times that share a part or half of the day: ``3 to 8pm``, two to four in the afternoon."""
    if other.has("ampm", "part") and not one.has("ampm", "part", "exact"):
        # Eleven to one pm starts in the morning, unless a part says when.
        earlier = (one.hour or 0) % 12 <= (other.hour or 0) % 12
        if other.part is not None:
            first = replace(first, part=other.part)
        elif earlier:
            first = replace(first, ampm=other.ampm)
        else:
            first = replace(first, ampm="am" if other.ampm == "pm" else "pm")
    elif one.has("ampm", "part") and not other.has("ampm", "part", "exact"):
        if one.part is not None:
            last = replace(last, part=one.part)
        elif (one.hour or 0) % 12 < (other.hour or 0) % 12:
            last = replace(last, ampm=one.ampm)
    return first, last


def _listed(groups: list[Expression], text: str, words: Lexicon) -> list[Expression]:
    """Gives a day in a list the month or week that the one before it names: next Tuesday and Thursday."""
    found: list[Expression] = []
    for group in groups:
        listed = found and words.glue["list"].fullmatch(text, found[-1].end, group.start)
        if listed and _continues(found[-1], group):
            found.append(replace(group, said=_filled(group.said, found[-1].said, wider=True)))
        else:
            found.append(group)
    return found


def _continues(first: Expression, second: Expression) -> bool:
    names = {*second.said.given()} - HOURS
    return names in ({"day"}, {"weekday"}, {"month"}, {"month", "day"}) and names <= {*first.said.given()}


# -------------------------------------------------------- bounds and around


def _approximate(one: Expression, text: str, words: Lexicon, first: int, last: int) -> Expression:
    before = words.glue["approximate_before"].search(text, first, one.start)
    after = _up_to(words.glue["approximate_after"].match(text, one.end), last)
    if before and not one.said.has("amount", "hour") and words.glue["approximate_count"].match(before[0]):
        before = None
    if not (before or after):
        return one
    return replace(
        one,
        start=before.start() if before else one.start,
        end=after.end() if after else one.end,
        said=replace(one.said, approximate=1),
    )


def _up_to(found: re.Match[str] | None, last: int) -> re.Match[str] | None:
    """The match, unless it runs into the next expression."""
    return found if found is not None and found.end() <= last else None


def _bounded(one: Expression, text: str, words: Lexicon, first: int, last: int) -> Expression:
    if one.said.has("recent", "every", "now", "bound") or (one.said.has("amount") and not one.said.has("sign")):
        return one
    if words.tense["decides"].search(text[: one.start] + "\0"):
        return one  # what is put off until Friday is on Friday
    return next(_bounds(one, text, words, first, last), one)


def _bounds(one: Expression, text: str, words: Lexicon, first: int, last: int) -> Iterator[Expression]:
    for bound in words.bounds:
        if one.said.has("until"):
            return
        before = bound.before.search(text, first, one.start) if bound.before else None
        after = _up_to(bound.after.match(text, one.end), last) if bound.after else None
        if bound.before is not None and before is None:
            continue
        if bound.before is None and after is None:
            continue
        start, end = before.start() if before else one.start, after.end() if after else one.end
        if one.said.has("amount") and bound.bound in ("before", "after"):
            continue
        yield replace(one, start=start, end=end, said=replace(one.said, bound=bound.bound))


# ------------------------------------------------------------ amounts and what they count from


def _counted(groups: list[Expression], text: str, words: Lexicon) -> list[Expression]:
    """Joins a length with the time that it is counted from: two weeks before Christmas, three days from Monday."""
    found: list[Expression] = []
    for group in groups:
        if found and (whole := _from_hour(found[-1], group, text, words)):
            found[-1] = whole
        elif found and (both := _beside(found[-1], group, text, words)):
            found[-1] = both
        elif found and (both := _lasting(found[-1], group, text, words) or _based(found[-1], group, text, words)):
            found[-1] = both
            if len(found) > 1 and (whole := _on_day(found[-2], found[-1], text, words)):
                found[-2:] = [whole]
        else:
            found.append(group)
    return found


def _beside(first: Expression, second: Expression, text: str, words: Lexicon) -> Expression | None:
    """A day and how long before or after it: two weeks before a feast, said in that order."""
    if second.said.recent is None or first.end != second.start or not first.said.has(*DAY):
        return None
    if not words.glue["beside"].match(text, second.start) or first.said.has(
        "amount", "every", "recent", "until", "hour"
    ):
        return None
    said = Said(amount=second.said.amount, sign=second.said.recent, base=first.said)
    return Expression(start=first.start, end=second.end, said=said, dates=((first.start, second.end, said),))


def _from_hour(lasting: Expression, hour: Expression, text: str, words: Lexicon) -> Expression | None:
    """The hour that follows a day and a length of it: 14 February for seven hours from half past nine."""
    base = lasting.said.base
    if base is None or lasting.said.recent is None or base.has("hour") or not hour.said.has("hour"):
        return None
    both = merged(base, hour.said) if words.glue["merge"].fullmatch(text, lasting.end, hour.start) else None
    return None if both is None else replace(lasting, end=hour.end, said=replace(lasting.said, base=both))


def _on_day(day: Expression, lasting: Expression, text: str, words: Lexicon) -> Expression | None:
    """The day before a length that starts at an hour of it."""
    base = lasting.said.base
    if base is None or lasting.said.recent is None or not words.glue["merge"].fullmatch(text, day.end, lasting.start):
        return None
    both = merged(day.said, base)
    return None if both is None else replace(lasting, start=day.start, said=replace(lasting.said, base=both))


def _is_length(said: Said) -> bool:
    return said.has("amount") and not said.has("sign", "recent", "every", "base")


def _is_weekday(said: Said) -> bool:
    return said.given().keys() == {"weekday"}


def _based(first: Expression, second: Expression, text: str, words: Lexicon) -> Expression | None:
    if not (_is_length(first.said) or _is_weekday(first.said)) or second.said.has("amount", "every", "recent", "until"):
        return None
    between = words.glue["based"].fullmatch(text, first.end, second.start)
    if between is None:
        return None
    sign = -1 if words.glue["earlier"].search(between[0]) else 1
    counted = first.said.amount or ((1, "day"),)
    said = replace(first.said, amount=counted, sign=sign, base=second.said)
    return Expression(start=first.start, end=second.end, said=said, dates=((first.start, second.end, said),))


def _lasting(first: Expression, second: Expression, text: str, words: Lexicon) -> Expression | None:
    """A length that starts at a time, whichever is said first."""
    gap = (first.end, second.start)
    after = words.glue["for"].match(text, first.start) and words.glue["lasting_for"].fullmatch(text, *gap)
    if _is_length(first.said) and (after or words.glue["lasting"].fullmatch(text, *gap)):
        length, start = first.said, second.said
    elif (
        _is_length(second.said)
        and words.glue["for"].match(text, second.start)
        and not text[gap[0] : gap[1]].strip(" ,")
    ):
        length, start = second.said, first.said
    else:
        return None
    if start.has("amount", "every", "recent", "until", "now"):
        return None
    said = Said(amount=length.amount, recent=1, base=start)
    return Expression(start=first.start, end=second.end, said=said, dates=())
