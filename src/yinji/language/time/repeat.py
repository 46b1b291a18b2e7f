"""What repeats, with the words beside it: several days of the month, days left out, from when and until when."""

from __future__ import annotations

from dataclasses import replace

from yinji.language.time.lexicon import Lexicon
from yinji.language.time.said import DAY, MONTH, WEEKDAYS, YEAR, Expression, Said

FROM, UNTIL = ("since",), ("by", "until", "before")


def repeated(found: list[Expression], text: str, words: Lexicon) -> list[Expression]:
    """Each expression, or two as one where the second says something of the rule that is the first, or before it."""
    done: list[Expression] = []
    for one in found:
        whole = _joined(done[-1], one, text, words) if done else None
        if whole is None:
            done.append(one)
        else:
            done[-1] = whole
    return done


def _joined(first: Expression, second: Expression, text: str, words: Lexicon) -> Expression | None:
    gap = text[first.end : second.start]
    if words.glue["list"].fullmatch(gap):
        said = _days(first.said, second.said) or _days(second.said, first.said)
    elif words.glue["except"].fullmatch(gap):
        said = _but(first.said, second.said)
    elif words.glue["except_before"].search(text, 0, first.start) and words.glue["except_gap"].fullmatch(gap):
        said = _but(second.said, first.said)
    elif words.glue["starts"].fullmatch(gap):
        said = _bounded(first.said, replace(second.said, bound="since"))
    elif words.glue["joint"].fullmatch(gap):
        said = _bounded(first.said, second.said) or _bounded(second.said, first.said) or _on(first.said, second.said)
    else:
        said = None
    return None if said is None else Expression(start=first.start, end=second.end, said=said)


def _days(rule: Said, day: Said) -> Said | None:
    """The first and the fifteenth of every month."""
    if rule.every != "month" or rule.day is None or {*day.given()} != {"day"}:
        return None
    listed = [*(rule.bymonthday or str(rule.day)).split(","), str(day.day)]
    return replace(rule, bymonthday=",".join(sorted(set(listed), key=int)))


def _but(rule: Said, left_out: Said) -> Said | None:
    """Every day but Sunday."""
    names = {*left_out.given()} - {"every"}
    if rule.every not in ("day", "week") or names not in ({"weekday"}, {"byday"}) or rule.has("weekday", "interval"):
        return None
    away = (left_out.byday or "").split(",") if left_out.byday else [WEEKDAYS[(left_out.weekday or 1) - 1]]
    left = [one for one in (rule.byday.split(",") if rule.byday else WEEKDAYS) if one not in away]
    return replace(rule, every="week", byday=",".join(left)) if left else None


def _on(rule: Said, days: Said) -> Said | None:
    """Biweekly on Fridays, weekly on Wednesday evenings."""
    if (
        rule.every != days.every
        or not days.has("byday", "weekday")
        or not {"every", "interval"}.issuperset(rule.given())
    ):
        return None
    return replace(days, interval=rule.interval)


def _bounded(rule: Said, end: Said) -> Said | None:
    """Every other Friday starting 6 March; every morning at seven until Friday."""
    if not rule.has("every") or end.has("every", "until", "hour") or not end.has(*DAY, *MONTH, *YEAR, "edge"):
        return None
    if end.bound in FROM and rule.since is None:
        return replace(rule, since=end.without("bound"))
    if end.bound in UNTIL and rule.until is None:
        return replace(rule, until=end.without("bound"))
    return None
