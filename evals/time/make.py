"""Writes zh.jsonl and en.jsonl, or with ``--check`` says whether they are what it would write.

python evals/time/make.py [--check]
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

import edges_en
import edges_zh
import phrases_en
import phrases_zh
import sentences_en
import sentences_zh
from rules import Rule

HERE = Path(__file__).parent

Case = dict[str, object]
Moment = tuple[str, str]
"""When and where it is said: local wall clock, zone."""

WEEK: dict[str, Sequence[Moment]] = {
    "zh": (
        ("2026-05-11 12:00", "Asia/Shanghai"),
        ("2026-05-12 08:20", "Asia/Shanghai"),
        ("2026-05-13 23:50", "Asia/Shanghai"),
        ("2026-05-14 00:30", "Asia/Shanghai"),
        ("2026-05-15 18:40", "Asia/Shanghai"),
        ("2026-05-16 12:00", "Europe/Berlin"),
        ("2026-05-17 23:50", "Asia/Shanghai"),
    ),
    "en": (
        ("2026-05-11 12:00", "America/New_York"),
        ("2026-05-12 08:20", "Europe/Berlin"),
        ("2026-05-13 23:50", "America/New_York"),
        ("2026-05-14 00:30", "Europe/Berlin"),
        ("2026-05-15 18:40", "America/New_York"),
        ("2026-05-16 12:00", "Asia/Kolkata"),
        ("2026-05-17 23:50", "Europe/Berlin"),
    ),
}
"""Monday to Sunday of one week of 2026, two of them close to midnight from below and one from above."""

SEASONS: dict[str, Sequence[Moment]] = {
    "zh": (
        ("2026-01-03 09:00", "Asia/Shanghai"),
        ("2026-05-12 10:00", "Asia/Shanghai"),
        ("2026-11-25 21:30", "Asia/Shanghai"),
    ),
    "en": (
        ("2026-01-03 09:00", "America/New_York"),
        ("2026-05-12 10:00", "Europe/Berlin"),
        ("2026-11-25 21:30", "America/New_York"),
    ),
}
"""Three times of the year, so that what has no year lies now before and now after."""


class Row(NamedTuple):
    """What is said, the time expression in it, what that means, and the direction that the sentence gives."""

    text: str
    phrase: str
    rule: Rule
    reading: str | None = None


Told = tuple[str, str, Rule] | tuple[str, str, Rule, str]
Tables = Mapping[tuple[str, str, str], Sequence[Told]]
"""What is said, by moment, zone and group."""

MATRIX = {"zh": (phrases_zh.WEEK, phrases_zh.CALENDAR), "en": (phrases_en.WEEK, phrases_en.CALENDAR)}
EDGES = {"zh": edges_zh.EDGES, "en": edges_en.EDGES}
SENTENCES = {"zh": sentences_zh.SENTENCES, "en": sentences_en.SENTENCES}


def spoken_at(moment: Moment) -> datetime:
    """The moment in its zone; a wall clock that ends in Z is UTC, to be read in that zone."""
    wall, zone = moment
    if wall.endswith("Z"):
        return datetime.fromisoformat(wall.replace("Z", "+00:00")).astimezone(ZoneInfo(zone))
    return datetime.fromisoformat(wall).replace(tzinfo=ZoneInfo(zone))


def shown(moment: datetime) -> str:
    """ISO 8601 with offset; a wall clock that a change of clocks skips is shown as the instant that it stands for."""
    return moment.astimezone(UTC).astimezone(moment.tzinfo).isoformat()


def digest(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()


def split_of(lang: str, phrase: str) -> str:
    return "dev" if int(digest(lang, phrase.casefold())[:8], 16) % 2 else "test"


def case(lang: str, setting: str, group: str, moment: Moment, row: Row) -> Case:
    at = spoken_at(moment)
    found = row.rule(at)
    made: Case = {
        "id": f"{lang}-{digest(row.text, row.phrase, *moment)[:8]}",
        "lang": lang,
        "at": (at.astimezone(UTC) if moment[0].endswith("Z") else at).isoformat(),
        "tz": moment[1],
        "text": row.text,
        "phrase": row.phrase,
        "start": shown(found.start),
        "end": shown(found.end),
        "grain": found.grain,
        "recurrence": found.recurrence,
        "alternatives": [{"start": shown(start), "end": shown(end)} for start, end in found.also],
        "match": found.match,
        "reading": row.reading,
        "setting": setting,
        "group": group,
        "split": split_of(lang, row.phrase),
    }
    if found.recurrence_also:
        made["recurrence_also"] = list(found.recurrence_also)
    return made


def matrix(lang: str) -> Iterator[Case]:
    """Every phrase at every one of its moments."""
    for table, moments, setting in zip(MATRIX[lang], (WEEK[lang], SEASONS[lang]), ("week", "calendar"), strict=True):
        for group, rows in table.items():
            for phrase, rule, *said in rows:
                text = str(said[0] if said else "{}").format(phrase)
                row = Row(text, phrase, rule, said[1] if len(said) > 1 else None)
                yield from (case(lang, setting, group, moment, row) for moment in moments)


def told(lang: str, tables: Tables, setting: str) -> Iterator[Case]:
    """Edges and sentences: each table has its own moment and group."""
    for (wall, zone, group), rows in tables.items():
        yield from (case(lang, setting, group, (wall, zone), Row(*row)) for row in rows)


def cases(lang: str) -> list[Case]:
    made = [*matrix(lang), *told(lang, EDGES[lang], "edge"), *told(lang, SENTENCES[lang], "sentence")]
    twice = [one for one, count in Counter(str(row["id"]) for row in made).items() if count > 1]
    assert not twice, [row["text"] for row in made if row["id"] in twice]
    lost = [row["text"] for row in made if str(row["text"]).count(str(row["phrase"])) != 1]
    assert not lost, f"the phrase must stand in the text exactly once: {lost}"
    return made


def lines(lang: str) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in cases(lang))


def main(arguments: list[str]) -> int:
    stale = []
    for lang in ("zh", "en"):
        path, text = HERE / f"{lang}.jsonl", lines(lang)
        if "--check" not in arguments:
            path.write_text(text, encoding="utf-8", newline="\n")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(path.name)
    if stale:
        print(f"{', '.join(stale)}: not what make.py writes; run it without --check", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
