"""How long a text says: counts and their units, two counts in one breath, some tens of years."""

from __future__ import annotations

from collections.abc import Mapping

from yinji.language.time.lexicon import Lexicon
from yinji.language.time.said import Amount, Said


def amount(text: str, words: Lexicon) -> Amount | None:
    """The counts and units that a text adds up; ``None`` when it is none."""
    found = []
    for match in words.amounts.finditer(text):
        count = least(match["count"], words)
        if count is None:
            return None
        unit = str(word_fields(words, "unit", match["unit"])["unit"])
        extra = match["and"] or ""
        if match["half"] or words.halves(extra):
            count += 0.25 if words.quarters(match["half"] or extra) else 0.5
        if unit == "quarter_hour":
            count, unit = count * 15, "minute"
        if unit == "year" and count % 1:
            count, unit = count * 12, "month"
        found.append((count, unit))
    if any(unit == "day" for _, unit in found):
        # Three days and two nights are three days.
        found = [one for one in found if one[1] != "night"]
    return tuple(found) or None


def least(text: str, words: Lexicon) -> float | None:
    """A count, of two said in one breath the first: 两三天 is two days, or three."""
    pair = counts(text, words)
    return pair[0] if pair else words.number(text)


def counts(text: str, words: Lexicon) -> tuple[float, float] | None:
    """The two counts of a text that says one and another a little larger, as Chinese does."""
    if len(text) != 2 or text.isascii():
        return None
    first, second = (words.number(sign) or 0 for sign in text)
    return (first, second) if 1 <= first < second <= min(first + 2, 9) else None


def some_tens(length: Amount, sign: int, most: float | None) -> Said:
    """Between two tens away: 二十几年前."""
    ((count, unit),) = length[:1]
    low = 20 if most else count // 10 * 10
    return Said(amount=((low, unit),), most=((most or low + 10, unit),), sign=sign)


def word_fields(words: Lexicon, name: str, text: str) -> Mapping[str, int | str]:
    """The fields of a word, however it is spaced and dotted."""
    table = words.words[name]
    key = " ".join(text.split())
    return table[key] if key in table else table[key.replace(" ", "").replace(".", "")]
