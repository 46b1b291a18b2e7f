"""Numbers in words, by a language's table of digits, multipliers and joining words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Numerals:
    """A language's number words: values that add up, what they are multiplied by, and words that say nothing."""

    values: Mapping[str, float]
    multipliers: Mapping[str, float]
    prefixes: Mapping[str, float]
    """Values that a digit is added to although they stand alone."""
    spaced: bool
    """Whether words stand apart; else each character is one."""


SHORTENED = 100
"""From this multiplier on a last digit may go without its own."""


def number(text: str, numerals: Numerals) -> float | None:
    """The number a text says in digits or words; ``None`` when it is none."""
    text = text.strip().replace(",", "")
    if not text:
        return None
    try:
        return float(text)
    except ValueError:
        pass
    words = text.replace("-", " ").split() if numerals.spaced else _characters(text)
    return _digits(words, numerals) if _is_digits(words, numerals) else _sum(words, numerals)


def _characters(text: str) -> list[str]:
    """Runs of digits and single characters."""
    words: list[str] = []
    for char in text:
        if char.isascii() and words and words[-1].isascii() and (char.isdigit() or char == "."):
            words[-1] += char
        elif not char.isspace():
            words.append(char)
    return words


def _is_digits(words: list[str], numerals: Numerals) -> bool:
    """Whether digits are read out one by one, as those of a year are."""
    values = [numerals.values.get(word) for word in words]
    return len(words) > 1 and all(value is not None and value < 10 and value % 1 == 0 for value in values)


def _digits(words: list[str], numerals: Numerals) -> float:
    return float("".join(str(int(numerals.values[word])) for word in words))


def _sum(words: list[str], numerals: Numerals) -> float | None:
    total, section, digit, below = 0.0, 0.0, None, 1.0
    for at, word in enumerate(words):
        if not numerals.spaced and numerals.values.get(word) == 0 and at:
            below = 1.0  # one thousand, nought, five: no digit is left out
        elif word in numerals.multipliers:
            times = numerals.multipliers[word]
            if times >= 10000 or (numerals.spaced and times >= 1000):
                total += (section + (digit or 0.0) or 1.0) * times
                section = 0.0
            elif numerals.spaced:
                section = (section + (digit or 0.0) or 1.0) * times
            else:
                section += (1.0 if digit is None else digit) * times
            digit, below = None, 1.0 if numerals.spaced or times < SHORTENED else times / 10
        elif word in numerals.prefixes:
            section += numerals.prefixes[word]
        elif word in numerals.values:
            value = numerals.values[word]
            if digit is not None and not (numerals.spaced and (digit >= 20 > value or value < 1)):
                if not (numerals.spaced and 10 <= digit < 100 and 10 <= value < 100):
                    return None
                # Nineteen ninety-six: the first pair is hundreds.
                section, digit = section + digit * 100, None
            digit = (digit or 0.0) + value
        else:
            try:
                digit = float(word)
            except ValueError:
                return None
    # Eighteen thousand said as 一万八, three hundred and fifty as 三百五: the last digit is of the place below.
    return total + section + (digit or 0.0) * (1.0 if digit is None or digit >= 10 else below)
