"""Chinese phrases where calendars and clocks are awkward: (text, phrase, meaning, direction where one is taken)."""

from __future__ import annotations

from collections.abc import Sequence

from picks import (
    FRI,
    MON,
    SAT,
    SUN,
    THU,
    bare,
    coming_the,
    day,
    in_year,
    latest,
    latest_the,
    lone,
    lone_the,
    lunar,
    lunar_eve,
    month_of,
    months,
    nth,
    of_lunar_year,
    of_year,
    on,
    qingming,
    quarter,
    the,
    third_of_month,
    upcoming,
    weekday,
    weekend,
    weeks,
    winter_solstice,
    year,
)
from rules import Rule, apart, between, clock, dated, elapsed, part, rough, small_hours

SHANGHAI, BERLIN, NEW_YORK, KOLKATA = "Asia/Shanghai", "Europe/Berlin", "America/New_York", "Asia/Kolkata"

Edge = tuple[str, str, Rule] | tuple[str, str, Rule, str]


def alone(*rows: tuple[str, Rule]) -> Sequence[Edge]:
    return [(phrase, phrase, rule) for phrase, rule in rows]


FESTIVALS = {
    "春节": lunar(1, 1),
    "元宵节": lunar(1, 15),
    "清明节": qingming,
    "端午节": lunar(5, 5),
    "七夕": lunar(7, 7),
    "中秋节": lunar(8, 15),
    "重阳节": lunar(9, 9),
    "腊八节": lunar(12, 8),
    "冬至": winter_solstice,
    "母亲节": nth(5, SUN, 2),
}
YEARS = range(2024, 2029)

EDGES: dict[tuple[str, str, str], Sequence[Edge]] = {
    ("2026-01-31 10:00", SHANGHAI, "edge-month"): alone(
        ("一个月后", apart(months=1, unit="month")),
        ("下个月", dated(months(1), grain="month")),
        ("明天", dated(day(1))),
        ("下周末", dated(weekend(1))),
        ("31号", dated(the(31))),
        ("月底", rough(third_of_month(0, 3))),
        ("下个月底", rough(third_of_month(1, 3))),
    ),
    ("2026-03-31 10:00", SHANGHAI, "edge-month"): alone(
        ("一个月前", apart(months=-1, unit="month")),
        ("一个月后", apart(months=1, unit="month")),
        ("上个月", dated(months(-1), grain="month")),
        ("上个月底", rough(third_of_month(-1, 3))),
        ("大前天", dated(day(-3))),
        ("明早", part("早上", day(1))),
        ("下个季度", dated(quarter(1), grain="quarter")),
    ),
    ("2026-03-01 00:30", SHANGHAI, "edge-month"): alone(
        ("昨天", dated(day(-1))),
        ("昨晚", part("晚上", day(-1), wide=(18, 30))),
        ("前天", dated(day(-2))),
        ("上周末", dated(weekend(-1))),
        ("上个月", dated(months(-1), grain="month")),
        ("今天凌晨", part("凌晨", day(0))),
    ),
    ("2026-08-31 09:00", SHANGHAI, "edge-month"): alone(
        ("半年后", apart(months=6, unit="month")),
        ("半年前", apart(months=-6, unit="month")),
        ("一个月后", apart(months=1, unit="month")),
        ("十天后", apart(days=10)),
    ),
    ("2026-02-20 09:00", SHANGHAI, "edge-month"): [
        ("31号我已经还了钱。", "31号", dated(latest_the(31)), "past"),
        ("31号要还钱。", "31号", dated(coming_the(31)), "future"),
        ("30号要体检。", "30号", dated(coming_the(30)), "future"),
    ],
    ("2026-12-31 23:50", SHANGHAI, "edge-year"): alone(
        ("明天", dated(day(1))),
        ("后天", dated(day(2))),
        ("下个月", dated(months(1), grain="month")),
        ("明年", dated(year(1), grain="year")),
        ("下周一", dated(weekday(1, MON))),
        ("上周五", dated(weekday(-1, FRI))),
        ("这周六", dated(weekday(0, SAT))),
        ("今晚十二点", clock("24:00", day(0))),
        ("半小时后", elapsed(minutes=30)),
        ("下个季度", dated(quarter(1), grain="quarter")),
        ("一个月前", apart(months=-1, unit="month")),
        ("明早", part("早上", day(1))),
        ("凌晨两点", small_hours(clock, "02:00")),
    ),
    ("2026-01-01 00:30", SHANGHAI, "edge-year"): alone(
        ("昨天", dated(day(-1))),
        ("去年", dated(year(-1), grain="year")),
        ("上个月", dated(months(-1), grain="month")),
        ("上个季度", dated(quarter(-1), grain="quarter")),
        ("昨晚", part("晚上", day(-1), wide=(18, 30))),
        ("昨晚十二点", clock("24:00", day(-1))),
        ("上周末", dated(weekend(-1))),
        ("这周一", dated(weekday(0, MON))),
        ("上周", dated(weeks(-1), grain="week")),
        ("半小时前", elapsed(minutes=-30)),
        ("一个小时前", elapsed(hours=-1)),
        ("凌晨两点", small_hours(clock, "02:00")),
    ),
    ("2027-01-03 12:00", SHANGHAI, "edge-year"): alone(
        ("上周五", dated(weekday(-1, FRI))),
        ("这周", dated(weeks(0), grain="week")),
        ("上周日", dated(weekday(-1, SUN))),
        ("下周一", dated(weekday(1, MON))),
        ("上上周四", dated(weekday(-2, THU))),
        ("去年年底", rough(in_year(month_of(12), -1), grain="month")),
    ),
    ("2028-02-28 10:00", SHANGHAI, "edge-leap"): alone(
        ("明天", dated(day(1))),
        ("后天", dated(day(2))),
        ("一年前", apart(months=-12, unit="year")),
        ("三天后", apart(days=3)),
        ("月底", rough(third_of_month(0, 3))),
        ("2月29号", dated(*bare(on(2, 29)))),
    ),
    ("2028-02-29 10:00", SHANGHAI, "edge-leap"): alone(
        ("昨天", dated(day(-1))),
        ("明天", dated(day(1))),
        ("一年后", apart(months=12, unit="year")),
        ("一年前", apart(months=-12, unit="year")),
        ("四年前", apart(months=-48, unit="year")),
        ("一个月后", apart(months=1, unit="month")),
        ("这个月", dated(months(0), grain="month")),
        ("今年", dated(year(0), grain="year")),
    ),
    ("2027-02-28 10:00", SHANGHAI, "edge-leap"): alone(
        ("明天", dated(day(1))),
        ("一年后", apart(months=12, unit="year")),
    ),
    ("2026-06-10 10:00", SHANGHAI, "edge-leap"): [
        ("2月29号我要过生日，四年才有一次。", "2月29号", dated(upcoming(on(2, 29))), "future"),
        ("2月29号我过了生日，四年才有一次。", "2月29号", dated(latest(on(2, 29))), "past"),
        ("2024年2月29日我们结婚了。", "2024年2月29日", dated(of_year(on(2, 29), 2024))),
    ],
    ("2026-03-28 22:00", BERLIN, "edge-dst"): alone(
        ("明天", dated(day(1))),
        ("24小时后", elapsed(hours=24)),
        ("五个小时后", elapsed(hours=5)),
        ("明天上午九点", clock("09:00", day(1))),
        ("明早", part("早上", day(1))),
        ("今晚十二点", clock("24:00", day(0))),
        ("今晚十一点到凌晨四点", between("23:00", "28:00", day(0))),
    ),
    ("2026-03-29 01:30", BERLIN, "edge-dst"): alone(
        ("一小时后", elapsed(hours=1)),
        ("半小时后", elapsed(minutes=30)),
        ("今天", dated(day(0))),
        ("今天下午三点", clock("15:00", day(0))),
    ),
    ("2026-10-25 10:00", BERLIN, "edge-dst"): alone(
        ("昨天", dated(day(-1))),
        ("今天", dated(day(0))),
        ("24小时前", elapsed(hours=-24)),
        ("十个小时前", elapsed(hours=-10)),
        ("昨晚十一点", clock("23:00", day(-1))),
        ("这个月", dated(months(0), grain="month")),
    ),
    ("2026-03-08 12:00", NEW_YORK, "edge-dst"): alone(
        ("今天", dated(day(0))),
        ("昨天", dated(day(-1))),
        ("12个小时前", elapsed(hours=-12)),
        ("这周末", dated(weekend(0))),
    ),
    ("2026-11-01 12:00", NEW_YORK, "edge-dst"): alone(
        ("今天", dated(day(0))),
        ("12个小时前", elapsed(hours=-12)),
        ("明天早上八点", clock("08:00", day(1))),
        ("上周日", dated(weekday(-1, SUN))),
    ),
    ("2026-05-12T20:30Z", SHANGHAI, "edge-zone"): alone(
        ("今天", dated(day(0))),
        ("昨天", dated(day(-1))),
        ("今天凌晨", part("凌晨", day(0))),
        ("周三", dated(*lone(2))),
        ("半小时后", elapsed(minutes=30)),
    ),
    ("2026-05-12T20:30Z", NEW_YORK, "edge-zone"): alone(
        ("今天", dated(day(0))),
        ("明天", dated(day(1))),
        ("今晚八点", clock("20:00", day(0))),
    ),
    ("2026-05-12T18:45Z", KOLKATA, "edge-zone"): alone(
        ("今天", dated(day(0))),
        ("昨晚", part("晚上", day(-1), wide=(18, 30))),
        ("明天中午", part("中午", day(1))),
    ),
    ("2026-05-12 12:45", SHANGHAI, "edge-zone"): [
        ("中午12:45我收到了录用通知。", "中午12:45", clock("12:45", day(0)), "past"),
    ],
    ("2026-05-12 00:00", SHANGHAI, "edge-midnight"): alone(
        ("今天", dated(day(0))),
        ("昨天", dated(day(-1))),
        ("昨晚", part("晚上", day(-1), wide=(18, 30))),
        ("凌晨三点", small_hours(clock, "03:00")),
        ("今晚十二点", clock("24:00", day(0))),
    ),
    ("2026-05-12 05:59", SHANGHAI, "edge-midnight"): alone(
        ("凌晨", small_hours(part, "凌晨")),
        ("今天凌晨三点", clock("03:00", day(0))),
        ("明天凌晨三点", clock("03:00", day(1))),
        ("昨天半夜", part("半夜", day(-1))),
        ("今早", part("早上", day(0))),
    ),
    ("2026-05-12 23:59", SHANGHAI, "edge-midnight"): alone(
        ("今天", dated(day(0))),
        ("明天", dated(day(1))),
        ("凌晨三点", small_hours(clock, "03:00")),
        ("两分钟后", elapsed(minutes=2)),
        ("明天零点", clock("00:00", day(1))),
    ),
    ("2026-02-16 20:00", SHANGHAI, "edge-lunar"): [
        ("明天", "明天", dated(day(1))),
        ("大年初三要去姑姑家。", "大年初三", dated(upcoming(lunar(1, 3))), "future"),
        ("除夕", "除夕", dated(in_year(lunar_eve))),
        ("去年春节", "去年春节", dated(in_year(lunar(1, 1), -1))),
        ("今年春节", "今年春节", dated(in_year(lunar(1, 1)))),
        ("正月十五要去看灯。", "正月十五", dated(upcoming(lunar(1, 15))), "future"),
        ("腊八我喝了粥。", "腊八", dated(latest(lunar(12, 8))), "past"),
    ],
    ("2027-01-20 20:00", SHANGHAI, "edge-lunar"): [
        ("今年春节要去三亚。", "今年春节", dated(in_year(lunar(1, 1)))),
        ("去年春节我在上海。", "去年春节", dated(in_year(lunar(1, 1), -1))),
        ("除夕要吃团圆饭。", "除夕", dated(upcoming(lunar_eve)), "future"),
        ("腊八我煮了粥。", "腊八", dated(latest(lunar(12, 8))), "past"),
        ("去年中秋我们在西安。", "去年中秋", dated(in_year(lunar(8, 15), -1))),
    ],
    ("2025-07-25 10:00", SHANGHAI, "edge-lunar"): [
        ("农历六月初一", "农历六月初一", dated(of_year(lunar(6, 1), 2025), of_year(lunar(6, 1, leap=True), 2025))),
        ("闰六月初一", "闰六月初一", dated(of_year(lunar(6, 1, leap=True), 2025))),
        ("农历七月十五要给爷爷上坟。", "农历七月十五", dated(upcoming(lunar(7, 15))), "future"),
    ],
    ("2026-07-01 10:00", SHANGHAI, "edge-festival-years"): alone(
        *[
            (f"{number}年{name}", dated(of_year(yearly, number)))
            for number in YEARS
            for name, yearly in FESTIVALS.items()
            if name != "腊八节"
        ],
        *[(f"{number}年腊八节", dated(*of_lunar_year(12, 8, number))) for number in YEARS],
    ),
    ("2026-05-12 10:10", SHANGHAI, "edge-script"): alone(
        ("上週五", dated(weekday(-1, FRI))),
        ("下個月", dated(months(1), grain="month")),
        ("後天", dated(day(2))),
        ("這週末", dated(weekend(0))),
        ("明天晚上八點", clock("20:00", day(1))),
        ("三個月後", apart(months=3, unit="month")),
        ("明天１５：３０", clock("15:30", day(1))),
        ("２０２６年３月５号", dated(of_year(on(3, 5), 2026))),
        ("2026年 3月 6日", dated(of_year(on(3, 6), 2026))),
        ("贰零贰伍年十月", dated(of_year(month_of(10), 2025), grain="month")),
        ("廿八号", dated(*lone_the(28))),
        ("明天下午3：45", clock("15:45", day(1))),
    ),
}
