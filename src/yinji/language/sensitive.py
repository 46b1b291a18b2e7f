"""What in a text identifies, pays or unlocks, and the text with that masked.

Patterns and policy are ``data/sensitive.toml``: a class is masked (its place is kept by ``[class]``) or only marked.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, kw_only=True, slots=True)
class SensitiveSpan:
    """Where something sensitive stands in the text that was given, and what is done about it."""

    type: str
    start: int
    end: int
    action: str
    """``mask`` or ``mark``."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Masked:
    """The text fit to be written down, and all that was found in the original."""

    text: str
    spans: tuple[SensitiveSpan, ...]

    @property
    def masked(self) -> int:
        return sum(span.action == "mask" for span in self.spans)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Class:
    name: str
    action: str
    check: str | None
    patterns: tuple[re.Pattern[str], ...]


def mask(text: str) -> Masked:
    """The text with what the policy masks replaced by ``[type]``; idempotent."""
    spans = find(text)
    pieces, at = [], 0
    for span in spans:
        if span.action == "mask":
            pieces += [text[at : span.start], f"[{span.type}]"]
            at = span.end
    return Masked(text="".join(pieces) + text[at:], spans=spans)


def find(text: str) -> tuple[SensitiveSpan, ...]:
    """All sensitive spans in order; where classes overlap, the earlier one of the policy file."""
    narrow = _narrow(text)
    spans: list[SensitiveSpan] = []
    for kind in _classes():
        for pattern in kind.patterns:
            for match in pattern.finditer(narrow):
                start, end = match.span("value" if "value" in pattern.groupindex else 0)
                free = all(end <= span.start or span.end <= start for span in spans)
                if free and (kind.check is None or CHECKS[kind.check](narrow[start:end])):
                    spans.append(SensitiveSpan(type=kind.name, start=start, end=end, action=kind.action))
    return tuple(sorted(spans, key=lambda span: span.start))


def _narrow(text: str) -> str:
    """The text with every full-width form in its ASCII form, character for character."""
    if text.isascii():
        return text
    return "".join(_narrow_char(char) for char in text)


def _narrow_char(char: str) -> str:
    if not "\uff01" <= char <= "\uff5e" and char != "\u3000":
        return char
    return unicodedata.normalize("NFKC", char)


def _is_id_card(value: str) -> bool:
    """Resident identity number of GB 11643: a possible birthday, and the ISO 7064 mod 11-2 check character."""
    digits = re.sub(r"[ -]", "", value).upper()
    year, month, day = int(digits[6:10]), int(digits[10:12]), int(digits[12:14])
    if not (1900 <= year <= 2099 and 1 <= month <= 12 and 1 <= day <= 31):
        return False
    total = sum(int(digit) * pow(2, 17 - at, 11) for at, digit in enumerate(digits[:17]))
    return "10X98765432"[total % 11] == digits[17]


def _is_luhn(value: str) -> bool:
    """The check digit of ISO/IEC 7812, annex B."""
    digits = [int(char) for char in value if char.isdigit()]
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0 and len(set(digits)) > 1


CHECKS: Mapping[str, Callable[[str], bool]] = {"id_card": _is_id_card, "luhn": _is_luhn}


@cache
def _classes() -> tuple[_Class, ...]:
    read = tomllib.loads((files("yinji") / "data" / "sensitive.toml").read_text(encoding="utf-8"))
    return tuple(
        _Class(
            name=row["name"],
            action=row["action"],
            check=row.get("check"),
            patterns=tuple(re.compile(pattern) for pattern in row["patterns"]),
        )
        for row in read["class"]
    )
