"""English phrases where calendars and clocks are awkward: (text, phrase, meaning, direction where one is taken)."""

from __future__ import annotations

from collections.abc import Sequence

from picks import (
    FRI,
    MON,
    SAT,
    SUN,
    THU,
    TUE,
    WINTER,
    bare,
    coming_the,
    day,
    easter,
    in_year,
    last_named,
    latest,
    latest_the,
    lone,
    lunar,
    month_of,
    months,
    nth,
    of_year,
    on,
    quarter,
    season,
    the,
    third_of_month,
    this_named,
    upcoming,
    weekday,
    weekend,
    weeks,
    year,
)
from rules import Rule, apart, between, clock, dated, elapsed, part, rough, today_at

NEW_YORK, BERLIN, SHANGHAI, KOLKATA = "America/New_York", "Europe/Berlin", "Asia/Shanghai", "Asia/Kolkata"

Edge = tuple[str, str, Rule] | tuple[str, str, Rule, str]


def alone(*rows: tuple[str, Rule]) -> Sequence[Edge]:
    return [(phrase, phrase, rule) for phrase, rule in rows]


HOLIDAYS = {
    "Easter": easter(),
    "Thanksgiving": nth(11, THU, 4),
    "Labor Day": nth(9, MON, 1),
    "Memorial Day": nth(5, MON, -1),
    "Mother's Day": nth(5, SUN, 2),
    "Chinese New Year": lunar(1, 1),
}
YEARS = range(2024, 2029)

EDGES: dict[tuple[str, str, str], Sequence[Edge]] = {
    ("2026-01-31 10:00", NEW_YORK, "edge-month"): alone(
        ("in a month", apart(months=1, unit="month")),
        ("next month", dated(months(1), grain="month")),
        ("tomorrow", dated(day(1))),
        ("next weekend", dated(weekend(1))),
        ("the 31st", dated(the(31))),
        ("the end of the month", rough(third_of_month(0, 3))),
        ("the end of next month", rough(third_of_month(1, 3))),
    ),
    ("2026-03-31 10:00", BERLIN, "edge-month"): alone(
        ("a month ago", apart(months=-1, unit="month")),
        ("in a month", apart(months=1, unit="month")),
        ("last month", dated(months(-1), grain="month")),
        ("the end of last month", rough(third_of_month(-1, 3))),
        ("tomorrow morning", part("morning", day(1))),
        ("next quarter", dated(quarter(1), grain="quarter")),
    ),
    ("2026-03-01 00:30", NEW_YORK, "edge-month"): alone(
        ("yesterday", dated(day(-1))),
        ("last night", part("night", day(-1), wide=(18, 30))),
        ("the day before yesterday", dated(day(-2))),
        ("last weekend", dated(weekend(-1))),
        ("the weekend before last", dated(weekend(-2))),
        ("last month", dated(months(-1), grain="month")),
    ),
    ("2026-08-31 09:00", NEW_YORK, "edge-month"): alone(
        ("in six months", apart(months=6, unit="month")),
        ("half a year ago", apart(months=-6, unit="month")),
        ("a month from now", apart(months=1, unit="month")),
        ("in ten days", apart(days=10)),
    ),
    ("2026-02-20 09:00", NEW_YORK, "edge-month"): [
        ("I paid him back on the 31st.", "the 31st", dated(latest_the(31)), "past"),
        ("I'll pay him back on the 31st.", "the 31st", dated(coming_the(31)), "future"),
        ("My check-up will be on the 30th.", "the 30th", dated(coming_the(30)), "future"),
    ],
    ("2026-12-31 23:50", NEW_YORK, "edge-year"): alone(
        ("tomorrow", dated(day(1))),
        ("the day after tomorrow", dated(day(2))),
        ("next month", dated(months(1), grain="month")),
        ("next year", dated(year(1), grain="year")),
        ("next Monday", dated(weekday(1, MON))),
        ("last Friday", dated(*last_named(FRI))),
        ("this Saturday", dated(*this_named(SAT))),
        ("midnight tonight", clock("24:00", day(0))),
        ("in half an hour", elapsed(minutes=30)),
        ("next quarter", dated(quarter(1), grain="quarter")),
        ("a month ago", apart(months=-1, unit="month")),
        ("tomorrow morning", part("morning", day(1))),
    ),
    ("2026-01-01 00:30", NEW_YORK, "edge-year"): alone(
        ("yesterday", dated(day(-1))),
        ("last year", dated(year(-1), grain="year")),
        ("last month", dated(months(-1), grain="month")),
        ("last quarter", dated(quarter(-1), grain="quarter")),
        ("last night", part("night", day(-1), wide=(18, 30))),
        ("last weekend", dated(weekend(-1))),
        ("last week", dated(weeks(-1), grain="week")),
        ("half an hour ago", elapsed(minutes=-30)),
        ("an hour ago", elapsed(hours=-1)),
        ("the year before last", dated(year(-2), grain="year")),
    ),
    ("2027-01-03 12:00", BERLIN, "edge-year"): alone(
        ("last Friday", dated(*last_named(FRI))),
        ("this week", dated(weeks(0), grain="week")),
        ("last Sunday", dated(*last_named(SUN))),
        ("next Monday", dated(weekday(1, MON))),
        ("the weekend before last", dated(weekend(-2))),
        ("the end of last year", rough(in_year(month_of(12), -1), grain="month")),
        ("this winter", dated(upcoming(season(WINTER)), in_year(season(WINTER)), grain="month")),
    ),
    ("2028-02-28 10:00", NEW_YORK, "edge-leap"): alone(
        ("tomorrow", dated(day(1))),
        ("the day after tomorrow", dated(day(2))),
        ("a year ago", apart(months=-12, unit="year")),
        ("in three days", apart(days=3)),
        ("the end of the month", rough(third_of_month(0, 3))),
        ("February 29", dated(*bare(on(2, 29)))),
    ),
    ("2028-02-29 10:00", NEW_YORK, "edge-leap"): alone(
        ("yesterday", dated(day(-1))),
        ("tomorrow", dated(day(1))),
        ("in a year", apart(months=12, unit="year")),
        ("a year ago", apart(months=-12, unit="year")),
        ("four years ago", apart(months=-48, unit="year")),
        ("in a month", apart(months=1, unit="month")),
        ("this month", dated(months(0), grain="month")),
        ("this year", dated(year(0), grain="year")),
    ),
    ("2027-02-28 10:00", BERLIN, "edge-leap"): alone(
        ("tomorrow", dated(day(1))),
        ("in a year", apart(months=12, unit="year")),
    ),
    ("2026-06-10 10:00", NEW_YORK, "edge-leap"): [
        ("I'm turning ten, so to speak, on February 29th.", "February 29th", dated(upcoming(on(2, 29))), "future"),
        ("I turned nine, so to speak, on February 29th.", "February 29th", dated(latest(on(2, 29))), "past"),
        ("We married on 29 Feb 2024.", "29 Feb 2024", dated(of_year(on(2, 29), 2024))),
    ],
    ("2026-03-28 22:00", BERLIN, "edge-dst"): alone(
        ("tomorrow", dated(day(1))),
        ("in 24 hours", elapsed(hours=24)),
        ("in five hours", elapsed(hours=5)),
        ("tomorrow at 9am", clock("09:00", day(1))),
        ("tomorrow at 2:30am", clock("02:30", day(1), also=("03:00",))),
        ("tomorrow morning", part("morning", day(1))),
        ("midnight tonight", clock("24:00", day(0))),
        ("tonight from 11pm to 4am", between("23:00", "28:00", day(0))),
    ),
    ("2026-03-29 01:30", BERLIN, "edge-dst"): alone(
        ("in an hour", elapsed(hours=1)),
        ("in half an hour", elapsed(minutes=30)),
        ("today", dated(day(0))),
        ("this afternoon at 3", clock("15:00", day(0))),
    ),
    ("2026-10-25 10:00", BERLIN, "edge-dst"): alone(
        ("yesterday", dated(day(-1))),
        ("today", dated(day(0))),
        ("24 hours ago", elapsed(hours=-24)),
        ("ten hours ago", elapsed(hours=-10)),
        ("last night at 11", clock("23:00", day(-1))),
        ("this month", dated(months(0), grain="month")),
    ),
    ("2026-03-07 20:00", NEW_YORK, "edge-dst"): alone(
        ("tomorrow", dated(day(1))),
        ("in 24 hours", elapsed(hours=24)),
        ("in eight hours", elapsed(hours=8)),
        ("this weekend", dated(weekend(0))),
        ("tomorrow at noon", clock("12:00", day(1))),
    ),
    ("2026-11-01 12:00", NEW_YORK, "edge-dst"): alone(
        ("today", dated(day(0))),
        ("12 hours ago", elapsed(hours=-12)),
        ("tomorrow at 8am", clock("08:00", day(1))),
        ("last Sunday", dated(weekday(-1, SUN))),
        ("last night", part("night", day(-1), wide=(18, 30))),
    ),
    ("2026-05-12T20:30Z", SHANGHAI, "edge-zone"): alone(
        ("today", dated(day(0))),
        ("yesterday", dated(day(-1))),
        ("this morning", part("morning", day(0))),
        ("Wednesday", dated(*lone(2))),
        ("in half an hour", elapsed(minutes=30)),
    ),
    ("2026-05-12T02:30Z", NEW_YORK, "edge-zone"): alone(
        ("today", dated(day(0))),
        ("tomorrow", dated(day(1))),
        ("tonight at 11", clock("23:00", day(0))),
        ("Tuesday", dated(*lone(TUE))),
    ),
    ("2026-05-12T18:45Z", KOLKATA, "edge-zone"): alone(
        ("today", dated(day(0))),
        ("last night", part("night", day(-1), wide=(18, 30))),
        ("tomorrow at noon", clock("12:00", day(1))),
        ("in 15 minutes", elapsed(minutes=15)),
    ),
    ("2026-05-12 12:45", SHANGHAI, "edge-zone"): [
        ("I got the offer at 12:45 pm.", "12:45 pm", clock("12:45", day(0)), "past"),
    ],
    ("2026-05-12 00:00", NEW_YORK, "edge-midnight"): alone(
        ("today", dated(day(0))),
        ("yesterday", dated(day(-1))),
        ("last night", part("night", day(-1), wide=(18, 30))),
        ("midnight tonight", clock("24:00", day(0))),
        ("noon", today_at("12:00")),
    ),
    ("2026-05-12 23:59", BERLIN, "edge-midnight"): alone(
        ("today", dated(day(0))),
        ("tomorrow", dated(day(1))),
        ("in two minutes", elapsed(minutes=2)),
        ("tomorrow night", part("night", day(1))),
        ("this morning", part("morning", day(0))),
    ),
    ("2026-11-26 12:00", NEW_YORK, "edge-holiday"): [
        ("Thanksgiving", "Thanksgiving", dated(in_year(nth(11, THU, 4)))),
        ("Last Thanksgiving I was alone.", "Last Thanksgiving", dated(in_year(nth(11, THU, 4), -1))),
        ("Next Easter we'll be in Rome.", "Next Easter", dated(in_year(easter(), 1))),
    ],
    ("2026-07-01 10:00", NEW_YORK, "edge-holiday-years"): alone(
        *[(f"{name} {number}", dated(of_year(yearly, number))) for number in YEARS for name, yearly in HOLIDAYS.items()]
    ),
    ("2026-05-12 10:10", NEW_YORK, "edge-script"): alone(
        ("next friday", dated(weekday(1, FRI))),
        ("TOMORROW", dated(day(1))),
        ("the day  after tomorrow", dated(day(2))),
        ("on march 5, 2026", dated(of_year(on(3, 5), 2026))),
        ("tomorrow at 3 P.M.", clock("15:00", day(1))),
        ("valentine’s day 2027", dated(of_year(on(2, 14), 2027))),
        ("tomorrow at １５：３０", clock("15:30", day(1))),
        ("Tues. next week", dated(weekday(1, TUE))),
        ("the 2nd of Sept. 2026", dated(of_year(on(9, 2), 2026))),
        ("two-and-a-half hours ago", elapsed(minutes=-150)),
    ),
}
