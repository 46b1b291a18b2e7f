"""Several weekdays on which something repeats, as one rule: Monday and Thursday afternoons, three days, Mon to Wed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from yinji.language.time.dates import BARE_WEEKEND
from yinji.language.time.lexicon import Lexicon
from yinji.language.time.said import MONTH, WEEKDAYS, YEAR, Expression, Said, begun

PARTS = ("part", "part_edge")
CLOCK = ("hour", "minute", "ampm", "exact")


def weekly(found: list[Expression], text: str, words: Lexicon) -> list[Expression]:
    """Each expression; weekdays that stand in a list with days that repeat, or where what repeats is said, as one."""
    return _listed(_of_weeks(found, text, words), text, words)


def week_range(first: Said, last: Said) -> Said | None:
    """From one weekday to another of every week, where both are said to repeat or the last, for both, is."""
    one, other = days_of(first), days_of(last)
    if len(one) != 1 or len(other) != 1 or one == other or not _repeats(last):
        return None
    if not (_repeats(first) or _is_bare(first)) or (first.interval or 1) != (last.interval or 1):
        return None
    whole = last if _is_bare(first) and not first.has("part") else first
    ends = [WEEKDAYS.index(day) + 1 for day in (one[0], other[0])]
    return replace(_rule(one, whole), byday=None, weekday=ends[0], until=Said(weekday=ends[1]))


def days_of(said: Said) -> tuple[str, ...]:
    """The weekdays of a bare weekday, of a range of them, or of a weekly rule; empty for anything else."""
    if not (_is_bare(said) or _is_weekend(said) or _repeats(said)):
        return ()
    if said.weekend is not None:
        return WEEKDAYS[5], WEEKDAYS[6]
    first = said.byday.split(",") if said.byday else [WEEKDAYS[said.weekday - 1]] if said.weekday else []
    if said.until is None or not first:
        return tuple(first)
    if {*said.until.given()} != {"weekday"} or len(first) > 1:
        return ()
    start, end = WEEKDAYS.index(first[0]), said.until.weekday or 1
    return tuple(WEEKDAYS[at % 7] for at in range(start, end + 7 * (end <= start)))


def _is_bare(said: Said) -> bool:
    """A weekday of no week, or from one to another, of which nothing more is said than the part of the day."""
    return said.weekday is not None and {"weekday", "until", *PARTS, *CLOCK}.issuperset(said.given())


def _is_weekend(said: Said) -> bool:
    """A weekend of no week, of which nothing more is said than the part of the day."""
    return said.weekend == BARE_WEEKEND and {"weekend", *PARTS, *CLOCK}.issuperset(said.given())


def _repeats(said: Said) -> bool:
    known = {"every", "interval", "byday", "weekday", "until", *PARTS, *CLOCK}
    return said.every == "week" and said.has("byday", "weekday") and known.issuperset(said.given())


def _rule(days: Sequence[str], like: Said) -> Said:
    """Every week on these days, with the interval and the hours of another."""
    listed = ",".join(day for day in WEEKDAYS if day in days)
    kept = {name: getattr(like, name) for name in (*PARTS, *CLOCK)}
    return Said(every="week", interval=like.interval, byday=listed, **kept)


def _both(first: Said, last: Said) -> Said | None:
    """The days of both; the part of the day only where it is that of both."""
    days = (*days_of(first), *days_of(last))
    if not days_of(first) or not days_of(last) or (first.interval or 1) != (last.interval or last.interval or 1):
        return None
    lent = _is_bare(first) and not first.has(*PARTS, *CLOCK)
    same = all(getattr(first, name) == getattr(last, name) for name in (*PARTS, *CLOCK))
    return _rule(days, last if lent or same else Said(interval=first.interval))


# ------------------------------------------------------------------- lists


def _listed(found: list[Expression], text: str, words: Lexicon) -> list[Expression]:
    """From the last of a list back: only that one may say that the days repeat ("Monday and Thursday afternoons")."""
    done: list[Expression] = []
    linked = False
    for one in reversed(found):
        whole, last = None, done[-1] if done else None
        apart = last is not None and _is_bare(last.said) and words.glue["new_clause"].match(text, last.end)
        if last is not None and not apart and (_repeats(one.said) or _repeats(last.said)):
            gap = text[one.end : last.start]
            also = words.glue["days_and"].fullmatch(gap)
            if also or (linked and words.glue["list"].fullmatch(gap)):
                whole = _both(one.said, last.said)
        linked = whole is not None
        if whole is not None and last is not None:
            done[-1] = Expression(start=one.start, end=last.end, said=whole)
        else:
            done.append(one)
    return done[::-1]


# ------------------------------------------------- where what repeats is said


def _of_weeks(found: list[Expression], text: str, words: Lexicon) -> list[Expression]:
    """Bare weekdays beside "three days a week", or of what is open or works on them, as what repeats."""
    done: list[Expression] = []
    at = 0
    while at < len(found):
        first = found[at]
        counted = _counts_in_weeks(first.said)
        run = _run(found, at + 1 if counted else at, text, words)
        if counted and run and words.glue["days_beside"].fullmatch(text, first.end, run[0].start):
            done.append(_whole([first, *run], run, first.said.interval))
            at += 1 + len(run)
        elif not counted and run and (length := _beside(found, at + len(run), run, text, words)) is not None:
            done.append(_whole(found[at : at + length], run, None))
            at += length
        else:
            done.append(first)
            at += 1
    return done


def _run(found: Sequence[Expression], at: int, text: str, words: Lexicon) -> list[Expression]:
    """The bare weekdays that stand in a list from there on."""
    run: list[Expression] = []
    for one in found[at:]:
        if not ((_is_bare(one.said) or _is_weekend(one.said)) and days_of(one.said)):
            break
        if run and not words.glue["days_run"].fullmatch(text, run[-1].end, one.start):
            break
        run.append(one)
    return run


def _beside(
    found: Sequence[Expression], after: int, run: Sequence[Expression], text: str, words: Lexicon
) -> int | None:
    """How many expressions are the rule, where something behind or before the run says that it repeats."""
    weekend = _is_weekend(run[0].said)
    several = weekend or len(run) > 1 or run[0].said.until is not None
    if after < len(found) and several and _counts_in_weeks(found[after].said):
        return len(run) + 1 if words.glue["days_beside"].fullmatch(text, run[-1].end, found[after].start) else None
    dated = any(one.said.has("week_shift", "day_shift", "day", *MONTH, *YEAR) for one in found)
    led = words.glue["weekly_led"].search(text, 0, run[0].start)
    if weekend:
        usual = led if words.glue["weekends"].fullmatch(text, run[0].start, run[0].end) else None
    else:
        usual = led or words.glue["weekly_after"].match(text, run[-1].end)
    over = words.tense["past"].search(text, begun(text, run[0].start) if led else 0, run[0].start)
    return len(run) if several and usual and not (dated or over) else None


def _counts_in_weeks(said: Said) -> bool:
    return said.every == "week" and {"every", "interval"}.issuperset(said.given())


def _whole(parts: Sequence[Expression], run: Sequence[Expression], interval: int | None) -> Expression:
    days = [day for one in run for day in days_of(one.said)]
    last = run[-1].said
    return Expression(start=parts[0].start, end=parts[-1].end, said=_rule(days, replace(last, interval=interval)))
