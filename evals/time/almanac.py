"""When the festivals of 2024 to 2028 fall, as literal tables.

The lunar months were compared with two independent calendars (the packages ``lunardate`` and
``cnlunar``), which agree on every row; neither is needed to build the cases.
"""

from __future__ import annotations

from datetime import date, timedelta

LUNAR_MONTHS = {
    2023: "1=0122 2=0220 +2=0322 3=0420 4=0519 5=0618 6=0718 7=0816 8=0915 9=1015 10=1113 11=1213 12=0111",
    2024: "1=0210 2=0310 3=0409 4=0508 5=0606 6=0706 7=0804 8=0903 9=1003 10=1101 11=1201 12=1231",
    2025: "1=0129 2=0228 3=0329 4=0428 5=0527 6=0625 +6=0725 7=0823 8=0922 9=1021 10=1120 11=1220 12=0119",
    2026: "1=0217 2=0319 3=0417 4=0517 5=0615 6=0714 7=0813 8=0911 9=1010 10=1109 11=1209 12=0108",
    2027: "1=0206 2=0308 3=0407 4=0506 5=0605 6=0704 7=0802 8=0901 9=0930 10=1029 11=1128 12=1228",
    2028: "1=0126 2=0225 3=0326 4=0425 5=0524 +5=0623 6=0722 7=0820 8=0919 9=1018 10=1116 11=1216 12=0115",
    2029: "1=0213 2=0315 3=0414 4=0513 5=0612 6=0711 7=0810 8=0908 9=1008 10=1106 11=1205 12=0104",
}
"""First day (month and day) of every lunar month by lunar year; ``+`` marks a leap month. A twelfth month that
opens in January belongs to the Gregorian year after."""

QINGMING = {2023: 5, 2024: 4, 2025: 4, 2026: 5, 2027: 5, 2028: 4, 2029: 4}
"""The day in April."""

WINTER_SOLSTICE = {2023: 22, 2024: 21, 2025: 21, 2026: 22, 2027: 22, 2028: 21, 2029: 21}
"""The day in December, in China."""

EASTER = {2023: (4, 9), 2024: (3, 31), 2025: (4, 20), 2026: (4, 5), 2027: (3, 28), 2028: (4, 16), 2029: (4, 1)}
"""Western Easter Sunday as month and day."""


def lunar_date(year: int, month: int, day: int, *, leap: bool = False) -> date:
    """The Gregorian date of a day of the lunar year that begins in Gregorian ``year``."""
    name = f"+{month}" if leap else str(month)
    opens = dict(item.split("=") for item in LUNAR_MONTHS[year].split())[name]
    turned = month == 12 and opens.startswith("01")
    first = date(year + turned, int(opens[:2]), int(opens[2:]))
    return first + timedelta(days=day - 1)
