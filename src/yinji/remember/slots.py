"""Which attributes of somebody or something a statement fills in, read from ``data/lang/slots/<language>.toml``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from yinji import shipped
from yinji.language.packs import pack
from yinji.language.text import content_key


@dataclass(frozen=True, kw_only=True, slots=True)
class Attribute:
    """One thing that can be said of somebody or something."""

    name: str
    valued: str
    """``one`` value at a time, one for good (``fixed``, or ``closed``: of a few), or ``many`` at once."""
    topic: re.Pattern[str] | None
    value: tuple[re.Pattern[str], ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Filled:
    """An attribute with its value, normalised; ``what`` tells several things of one attribute apart."""

    attribute: str
    valued: str
    value: str
    what: str = ""

    @property
    def place(self) -> tuple[str, str]:
        """What two statements must have in common for their values to be compared."""
        return self.attribute, self.what


@cache
def attributes(language: str) -> tuple[Attribute, ...]:
    return tuple(
        Attribute(
            name=row["attribute"],
            valued=row["valued"],
            topic=_compiled("|".join(f"(?:{one})" for one in row["topic"])) if "topic" in row else None,
            value=tuple(map(_compiled, row.get("value", ()))),
        )
        for row in shipped.toml(f"lang/slots/{language}.toml")["slot"]
    )


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def topics(text: str, language: str) -> frozenset[str]:
    """The attributes that it speaks of, whether it gives a value or not."""
    return frozenset(one.name for one in attributes(language) if one.topic is not None and one.topic.search(text))


def filled(text: str, language: str) -> tuple[Filled, ...]:
    """The attributes that it gives a value for."""
    return tuple(_filled(text, language))


def _filled(text: str, language: str) -> Iterator[Filled]:
    words = pack(language)
    aliases, asked = words.tables["aliases"], words.matcher("interrogative")
    for one in attributes(language):
        for pattern in one.value:
            for match in pattern.finditer(text):
                groups = match.groupdict()
                if asked.search(groups["value"]):
                    continue
                key = content_key(groups["value"])
                what = content_key(groups.get("what") or "")
                yield Filled(attribute=one.name, valued=one.valued, value=aliases.get(key, key), what=what)
