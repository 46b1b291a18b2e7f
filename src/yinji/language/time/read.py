"""What a match of a rule says: its groups as fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from yinji.language.time.amounts import amount, counts, some_tens, word_fields
from yinji.language.time.conventions import conventions, current
from yinji.language.time.lexicon import Lexicon, Rule
from yinji.language.time.said import LUNAR, MAYBE_LUNAR, NAMES, WEEKDAYS, Said

SOME = 7
"""A couple, where that may be more than two."""
Raw: TypeAlias = dict[str, Any]
Reader: TypeAlias = Callable[[Raw, re.Match[str], Lexicon], "Said | None"]

NUMBERS = frozenset({
    "t", "year", "month", "day", "hour", "minute", "second", "week", "quarter", "decade", "century", "nth", "head",
    "weekday_nth", "era_year", "interval", "year_to", "month_to", "day_to", "hour_to", "minute_to", "second_to",
    "minutes", "year_also", "half", "weekday_shift"
})  # fmt: skip


def read(match: re.Match[str], rule: Rule, words: Lexicon) -> Said | None:
    """What the match says; ``None`` when it only looks like a time."""
    raw: Raw = dict(rule.set)
    for group, text in match.groupdict().items():
        if text is None:
            continue
        name = group.rstrip("0123456789")
        if name in words.words:
            raw |= word_fields(words, name, text)
        elif name in NUMBERS:
            value = words.number(text)
            if value is None or (value % 1 and name != "minutes"):
                return None
            raw[name] = int(value) if value >= 1 or not value else value
        else:
            raw[name] = text
    return READERS[rule.read](raw, match, words)


def said(raw: Raw) -> Said | None:
    """The fields as they are; ends of a range under their own names with ``_to``. ``None`` when out of range."""
    fields = {name: value for name, value in raw.items() if name in NAMES and name != "hour_to"}
    if "year" in fields and fields["year"] < 100:
        fields["year"] += 1900 if fields["year"] >= conventions(current()).short_years else 2000
    ends = {name.removesuffix("_to"): value for name, value in raw.items() if name.endswith("_to") and value != ""}
    if ends:
        until = said({name: value for name, value in ends.items() if name in NAMES})
        if until is None:
            return None
        fields["until"] = until
    return Said(**fields) if _in_range(fields) else None


LIMITS = {"month": (1, 12), "day": (1, 31), "hour": (0, 24), "minute": (0, 59), "second": (0, 59), "year": (1, 9998)}


def _in_range(fields: Mapping[str, Any]) -> bool:
    return all(
        low <= fields[name] <= high or (name in ("day", "month") and -31 <= fields[name] < 0)
        for name, (low, high) in LIMITS.items()
        if name in fields
    )


# ----------------------------------------------------------------- readers


def _fields(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    if "era_year" in raw:
        raw["year"] = raw.pop("era") + raw.pop("era_year")
        return Said(year=raw["year"]) if raw["year"] >= 100 else None
    return said(raw)


def _nothing(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    return None


def _short_year(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    """Two digits are a year with a 0, read out, at the start, after a preposition or before a month."""
    before, after = match.string[: match.start()].rstrip(), match.string[match.end() :]
    led = match["year"][0] == "0" or not match["year"].isascii()
    beside = words.glue["year_before"].search(before) or words.glue["year_after"].match(after)
    if not led and (words.glue["length_after"].match(after) or (before and not beside)):
        return None
    return said(raw)


def _bare_year(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    year = raw.get("year") or raw.get("year_to") or raw.get("year_also")
    return said({"year": year})


def _lone_year(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    """Four digits, unless what follows is counted by them."""
    before = words.glue["date_before"].search(match.string[: match.start()])
    return None if not before and words.glue["counted"].match(match.string, match.end()) else said(raw)


def _century(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    century = raw.get("century") if raw.get("last") is None else None
    number = 20 if raw.get("last") is not None else century
    if number is None or not 1 <= number <= 30:
        return None
    if "decade" in raw:
        tens = raw["decade"] if raw["decade"] >= 10 else raw["decade"] * 10
        return said({"decade": (number - 1) * 100 + tens, "edge": raw.get("edge")})
    return said({"century": number, "edge": raw.get("edge")})


def _lunar_day(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    """Lunar where it is written as such days are, is a feast of theirs, or the text speaks of them."""
    written = match["day"][0] in words.glue["lunar_first"].pattern or words.glue["lunar_feast"].match(match[0])
    lunar = written or words.glue["lunar_said"].search(match.string)
    return said(raw | {"lunar": LUNAR if lunar else MAYBE_LUNAR})


def _day_of_month(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    """A day, unless what stands before it is what is numbered so: a row, a street, a block."""
    return None if words.glue["day_numbered"].search(match.string, 0, match.start()) else said(raw)


def _weekend(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    return Said(weekend=raw.get("weekend", 9))


def _head(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    count = raw.get("head", 1) * (-1 if words.glue["last"].fullmatch(raw["head_sign"]) else 1)
    return Said(head=count, head_unit=raw["unit"])


def _weekday_nth(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    nth = -1 if raw.get("last") is not None else raw.get("weekday_nth", 1)
    return Said(weekday=raw["weekday"], weekday_nth=nth, every=raw.get("every"))


def _nth(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    return Said(nth=raw["nth"], nth_unit=raw["unit"])


def _first_month(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    return Said(month=1)


def _season(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    """One character is a season only beside a year."""
    if len(match["season"]) == 1 and not words.glue["season_before"].search(match.string[: match.start()]):
        return None
    return said(raw)


def _short_part(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    return Said(part=raw.get("part") or raw.get("part_to"))


def _clock(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    if raw.get("half_past"):
        raw["minute"] = 30
    if raw.get("quarters"):
        raw["minute"] = int(words.number(raw["quarters"]) or 0) * 15
    alone = raw["hour"] == 1 and "minute" not in raw and len(match[0]) == 2 and not match[0][0].isdecimal()
    before, after = words.glue["clock_before"], words.glue["clock_after"]
    if alone and not (before.search(match.string, 0, match.start()) and after.match(match.string, match.end())):
        return None
    return said(_exact(raw, match["hour"]))


def _exact(raw: Raw, text: str) -> Raw:
    """An hour written 05 or past twelve is one of 24."""
    return raw | ({"exact": 1} if raw["hour"] > 12 or raw["hour"] == 0 or text.startswith("0") else {})


def _digital(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    return said(_exact(raw, match["hour"]) if not raw.get("ampm") else raw)


def _bare_hour(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    return said(_exact(raw, match["hour"]))


def _hours(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    if raw["hour_to"] != raw["hour"] + 1:
        return None
    return Said(hour=raw["hour"], hour_to=raw["hour_to"], approximate=1)


def _past(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    """Minutes past or to an hour; digits alone before another hour are the start of a range."""
    if raw.get("to") is not None and match["minutes"].isdecimal() and not words.glue["minutes"].search(match[0]):
        return None
    minutes = int(raw.pop("minutes", 0))
    if raw.pop("to", None) is not None:
        raw |= {"hour": (raw["hour"] - 1) % 12 or 12, "minute": 60 - minutes}
    else:
        raw["minute"] = minutes
    return said(raw)


def _short_of(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    """Minutes or a quarter before an hour."""
    minutes = 15 if raw.get("quarters") else raw["minutes"]
    return said({"hour": (raw["hour"] - 1) % 12 or 12, "minute": 60 - minutes})


def _past_noon(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    minutes = 30 if raw["minutes"] < 1 else raw["minutes"]
    hour = 12 if words.glue["noon"].fullmatch(match["noon"]) else 24
    return said(
        {"hour": hour - 1, "minute": 60 - minutes, "exact": 1}
        if match["to"]
        else {"hour": hour, "minute": minutes, "exact": 1}
    )


def _quarters(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    """One or three quarters of an hour away."""
    minutes = 45 if words.glue["three"].search(match["quarters"]) else 15
    ago = words.glue["ago"].search(match[0])
    return Said(amount=((minutes, "minute"),), sign=-1 if ago else 1)


def _offset(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    length = amount(raw["amount"], words)
    if length is None:
        return None
    if len(length) == 1 and length[0][1] == "weekend":
        return Said(weekend=round(raw["sign"] * length[0][0]))
    if tens := words.glue["some_tens"].match(raw["amount"]):
        return some_tens(length, raw["sign"], most=100 if tens["many"] else None)
    if words.glue["perfect"].search(match.string, 0, match.start()) and raw["sign"] > 0:
        # "I haven't seen her in two weeks" looks back.
        return Said(amount=length, recent=-1)
    return Said(amount=length, sign=raw["sign"], beyond=raw.get("beyond"))


def _same_time(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    """This day of another week, month or year."""
    return Said(amount=((raw["away"], raw["unit"]),), sign=raw["sign"], approximate=1)


def _day_beside(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    """The day before or after what is named, or a part of it."""
    return Said(amount=((1, "day"),), part=raw.get("part"))


def _two_months(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    """Two months in a row, said in one breath."""
    return said(raw) if raw["month_to"] == raw["month"] + 1 else None


def _mostly(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    """More than half of a unit and not all of it."""
    unit, times = ("month", 12) if raw["unit"] == "year" else (raw["unit"], 1)
    return Said(amount=((0.5 * times, unit),), most=((0.9 * times, unit),))


def _moment(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    return None if words.glue["day_said"].search(match.string, 0, match.start()) else said(raw)


def _whole_unit(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    return Said(amount=((1, raw["unit"]),))


def _amount(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    if words.glue["not_length"].fullmatch(match[0]) and match.string[match.end() :][1:2].isalpha():
        return None
    length = amount(raw["amount"], words)
    if length is None:
        return None
    pair = counts(raw["amount"][:2], words)
    return Said(amount=length, most=((pair[1], length[0][1]),) if pair and len(length) == 1 else None)


def _recent(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    length = amount(raw["amount"], words)
    if length is not None and words.glue["last_verb"].search(match.string, 0, match.start()):
        return Said(amount=length)
    if length is None:
        return None
    if raw.get("loose") and length[0][0] == 2 and length[0][1] != "week" and conventions(current()).couple == "loose":
        length = ((SOME, length[0][1]),)
    return Said(amount=length, recent=raw["recent"], within=raw.get("within"))


def _last_unit(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    return Said(amount=((1, raw["unit"]),), recent=raw["recent"])


def _shift(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    """A unit so many before or after this one: ``last week``."""
    return said({f"{raw.pop('unit')}_shift": raw.pop("shift"), **raw})


def _named_date(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    """A month and a day. A word that is not always a month needs more than a small number in words, and a month whose
    day stands before it takes none in words behind it."""
    worded = words.glue["small"].fullmatch(match["day"]) is not None
    doubtful = worded and words.glue["doubtful_month"].fullmatch(match["month_name"])
    second = match.start("month_name") < match.start("day") and (worded or "," in match[0])
    if doubtful or (second and words.glue["dayed"].search(match.string, 0, match.start())):
        return None
    return said(raw)


def _worded_year(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    """A round number in words is a year only after a word that a date follows."""
    if raw["year"] % 100 == 0 and not words.glue["date_before"].search(match.string[: match.start()]):
        return None
    return said(raw)


def _this_decade(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    return Said(decade_shift=0)


def _decades(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    return Said(amount=((raw.get("head", 1), "decade"),), recent=1 if raw["shift"] > 0 else -1)


def _beyond(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    return said({f"{raw['unit']}_shift": raw["beyond"]})


def _beyond_weekday(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    return Said(weekday=raw["weekday"], week_shift=raw["beyond"])


def _beyond_weekend(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    return Said(weekend=raw["beyond"])


def _weekdays_ago(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    return Said(weekday=raw["weekday"], weekday_shift=raw["weekday_shift"] * (1 if raw.get("ahead") else -1))


def _weekday_week(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    """A week or so after that day."""
    length = (amount(raw["amount"], words) or ((2.0, "week"),)) if "amount" in raw else ((1.0, "week"),)
    return Said(amount=length, sign=1, base=Said(weekday=raw["weekday"]))


def _half(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    return Said(half=raw["half"], half_of="year", year_shift=0 if raw.get("half_year") else None)


def _edge(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    return Said(edge=raw["edge"])


def _end_of_unit(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    return Said(edge="end", edge_of="year" if raw["eo"][0] == "y" else "month")


def _season_turn(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    """A season with last, this or next; one whose name is another word too needs a word that a date follows."""
    word = raw.get("season_word")
    if word is not None:
        return Said(season=raw["season"], season_shift=int(words.words["shift"][word]["shift"]))
    beside = words.glue["date_before"].search(match.string, 0, match.start())
    after = words.glue["date_after"].match(match.string, match.end())
    led = len(match[0]) > len(match["season"]) or match[0] == match.string.strip()
    led = led or bool(words.glue["every"].search(match.string, 0, match.start()))
    if not (beside or after or led):
        return None
    return Said(season=raw["season"])


def _turn(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    """What comes round every year, with last, this or next."""
    word = raw.get("turn_word")
    return said(raw | ({"turn": int(words.words["shift"][" ".join(word.split())]["shift"])} if word else {}))


def _hour_range(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    """Two clock times of which one may say the half of the day for both."""
    for name, text in (("exact", match["hour"]), ("exact_to", match["hour_to"])):
        if int(words.number(text) or 0) > 12 or (text.startswith("0") and len(text) > 1):
            raw[name] = 1
    ends = {name.removesuffix("_to"): raw.pop(name) for name in list(raw) if name.endswith("_to")}
    if "ampm" in raw and match.groupdict().get("ampm") is None:
        ends["ampm"] = raw.pop("ampm")
    elif match.groupdict().get("ampm2") is not None and match.groupdict().get("ampm") is not None:
        raw["ampm"] = word_fields(words, "ampm", match["ampm"])["ampm"]
        ends |= word_fields(words, "ampm", match["ampm2"])
    first, last = said(raw), said(ends)
    if first is None or last is None:
        return None
    return replace(first, until=last)


def _counted_units(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    return Said(amount=((raw["head"], raw["unit"]),), recent=raw["recent"])


def _rest_of_day(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    return Said(now=1, until=Said(day_shift=0))


def _every_count(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    return said(raw | {"interval": raw["interval"] * int(words.words["every_unit"][_unit(match)].get("interval", 1))})


def _every_gap(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    """Every so many days left out; of hours and shorter, so many apart."""
    units = words.words["every_unit"][_unit(match)]
    between = conventions(current()).gaps == "between" and units["every"] not in ("hour", "minute", "second")
    apart = raw["interval"] + between
    return said(raw | {"interval": apart * int(units.get("interval", 1))})


def _unit(match: re.Match[str]) -> str:
    return " ".join(match["every_unit"].split())


def _every_weekdays(raw: Raw, match: re.Match[str], words: Lexicon) -> Said | None:
    table = words.words["weekday"]
    named = [table[one] for one in words.glue["weekday"].findall(raw["weekdays"]) if one in table]
    byday = ",".join(dict.fromkeys(WEEKDAYS[int(one["weekday"]) - 1] for one in named))
    gap = 2 if words.glue["gap"].search(raw.get("gap") or "") else raw.get("interval")
    return said({**raw, "every": "week", "byday": byday, "interval": gap} if gap else {"every": "week", "byday": byday})


READERS: Mapping[str, Reader] = {
    "fields": _fields,
    "nothing": _nothing,
    "short_year": _short_year,
    "bare_year": _bare_year,
    "lone_year": _lone_year,
    "century": _century,
    "lunar_day": _lunar_day,
    "day_of_month": _day_of_month,
    "weekend": _weekend,
    "head": _head,
    "weekday_nth": _weekday_nth,
    "nth": _nth,
    "first_month": _first_month,
    "season": _season,
    "short_part": _short_part,
    "clock": _clock,
    "digital": _digital,
    "bare_hour": _bare_hour,
    "hours": _hours,
    "past": _past,
    "past_noon": _past_noon,
    "short_of": _short_of,
    "quarters": _quarters,
    "offset": _offset,
    "amount": _amount,
    "same_time": _same_time,
    "day_beside": _day_beside,
    "two_months": _two_months,
    "mostly": _mostly,
    "moment": _moment,
    "whole_unit": _whole_unit,
    "recent": _recent,
    "last_unit": _last_unit,
    "shift": _shift,
    "named_date": _named_date,
    "named_month": _turn,
    "worded_year": _worded_year,
    "this_decade": _this_decade,
    "decades": _decades,
    "beyond": _beyond,
    "beyond_weekday": _beyond_weekday,
    "beyond_weekend": _beyond_weekend,
    "weekdays_ago": _weekdays_ago,
    "weekday_week": _weekday_week,
    "half": _half,
    "edge": _edge,
    "end_of_unit": _end_of_unit,
    "season_turn": _season_turn,
    "turn": _turn,
    "hour_range": _hour_range,
    "counted_units": _counted_units,
    "rest_of_day": _rest_of_day,
    "every_count": _every_count,
    "every_gap": _every_gap,
    "every_weekdays": _every_weekdays,
}
