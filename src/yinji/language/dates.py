"""Which times a text names, as intervals relative to when it was said (docs/time.md states the conventions).

One parser serves writing and asking. ``yinji.language.time`` holds it: words and rules are data, the rest computes.
"""

from __future__ import annotations

from datetime import datetime

from yinji.language.time.find import Found, find


def find_times(
    text: str, *, at: datetime, language: str, convention: str | None = None, before: str = ""
) -> list[Found]:
    """Every time the text names, in order, none overlapping another. ``at`` is aware; its zone is the speaker's.

    Lengths of time and words for now name none. ``convention`` names a set of ``data/lang/time/conventions.toml``.
    ``before``: what was said just before, from whose times those of the text may go on. Raises NotFound.
    """
    found = find(text, at=at, language=language, convention=convention, before=before)
    return [one for one in found if one.kind in ("time", "rule")]


__all__ = ["Found", "find_times"]
