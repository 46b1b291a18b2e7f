"""Lengths of time that are not said exactly: three to six months, at least two years, no more than a week."""

from __future__ import annotations

from dataclasses import replace

from yinji.language.time.lexicon import Lexicon
from yinji.language.time.said import Expression, Said

AT_LEAST, AT_MOST = "at_least", "at_most"


def bounded(found: list[Expression], text: str, words: Lexicon) -> list[Expression]:
    """Each length with what bounds it beside it, and two that are the ends of one as one."""
    done: list[Expression] = []
    for at, one in enumerate(found):
        before = done[-1].end if done else 0
        after = found[at + 1].start if at + 1 < len(found) else len(text)
        length = _bounded(one, text, words, before, after) if is_length(one.said) else one
        whole = _range(done[-1], length, text, words) if done else None
        if whole is None:
            done.append(length)
        else:
            done[-1] = whole
    return done


def is_length(said: Said) -> bool:
    return said.has("amount") and {"amount", "approximate", "most", "open"}.issuperset(said.given())


def _range(first: Expression, last: Expression, text: str, words: Lexicon) -> Expression | None:
    """From one length to another, or at least one and at most another."""
    if not is_length(first.said) or not is_length(last.said):
        return None
    gap = text[first.end : last.start]
    plain = first.said.open is None and last.said.open is None and last.said.most is None
    joined = plain and (words.glue["range"].fullmatch(gap) or words.glue["length_range"].fullmatch(gap))
    both = first.said.open == AT_LEAST and last.said.open == AT_MOST and words.glue["joint"].fullmatch(gap)
    if not joined and not both:
        return None
    most = last.said.amount if joined else last.said.most
    return Expression(start=first.start, end=last.end, said=replace(first.said, most=most, open=None))


def _bounded(one: Expression, text: str, words: Lexicon, first: int, last: int) -> Expression:
    amount = one.said.amount or ()
    low = words.glue["low"].search(text, first, one.start)
    count = words.number(low["low"]) if low else None
    if low and count is not None and len(amount) == 1 and count < amount[0][0]:
        said = replace(one.said, amount=((count, amount[0][1]),), most=amount)
        return replace(one, start=low.start(), said=said)
    for name in (AT_MOST, AT_LEAST):
        before = words.glue[f"{name}_before"].search(text, first, one.start)
        after = words.glue[f"{name}_after"].match(text, one.end, last)
        if before or after:
            said = replace(one.said, open=name, most=amount if name == AT_MOST else None)
            start, end = before.start() if before else one.start, after.end() if after else one.end
            return replace(one, start=start, end=end, said=said)
    return one
