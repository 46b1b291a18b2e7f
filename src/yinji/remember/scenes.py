"""Which part of the user's life a statement is about: work, life, leisure, and scenes of the user's own (SPEC W11)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache

from yinji import shipped
from yinji.config import RememberSettings
from yinji.language.linear import model, runs
from yinji.language.packs import pack
from yinji.language.script import simplify
from yinji.language.text import content_key, detect, terms
from yinji.model import Draft, Turn
from yinji.remember.clauses import leans

SCENES = ("work", "life", "leisure")
SHORTEST = 3
"""Characters of a clause that may be a scene of its own."""

Extract = Callable[[Turn], Sequence[Draft]]
"""What is drafted of a turn."""


def label(text: str, settings: RememberSettings) -> tuple[str, ...]:
    """The scenes of a statement: those likely enough, else the likeliest; and the user's own by their words."""
    chances = {name: one.probability(features(text)) for name, one in model("scenes").items()}
    likely = [name for name in SCENES if chances[name] >= settings.scene_point]
    return (*(likely or [max(SCENES, key=lambda name: chances[name])]), *_own(text, settings.scenes))


def features(text: str) -> Iterator[str]:
    """What the classifier weighs: words, and which scenes' words are among them."""
    yield from runs(text)
    plain, stems = content_key(text), set(terms(text))
    for name, (phrases, known) in _lexicon().items():
        hits = len(known & stems) + sum(one in plain for one in phrases)
        yield from (f"scene {name} {count}" for count in range(1, min(hits, 3) + 1))


def _own(text: str, defined: str) -> Iterator[str]:
    plain, stems = content_key(text), set(terms(text))
    for name, words in own_scenes(defined):
        if any(content_key(word) in plain if not word.isascii() else set(terms(word)) <= stems for word in words):
            yield name


@lru_cache(maxsize=8)
def own_scenes(defined: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The user's own scenes, written as ``name: word word; name: word``."""
    rows = (row.replace("\uff1a", ":").partition(":") for row in re.split(r"[;\uff1b\n]", defined) if row.strip())
    return tuple((name.strip(), tuple(words.split())) for name, _, words in rows if name.strip() and words.split())


@cache
def _lexicon() -> Mapping[str, tuple[frozenset[str], frozenset[str]]]:
    """Per scene: Chinese words, looked for in the text, and the stems of English ones."""
    found = {}
    for name, text in _data()["words"].items():
        words = simplify(text).split()
        han = frozenset(content_key(one) for one in words if not one.isascii())
        found[name] = (han, frozenset(terms(" ".join(one for one in words if one.isascii()))))
    return found


# -------------------------------------------------------------- one per scene


def in_scenes(drafts: Sequence[Draft], turn: Turn, extract: Extract, settings: RememberSettings) -> list[Draft]:
    """The drafts with their scenes; one that spans scenes is drafted clause by clause where the clauses stand alone."""
    done: list[Draft] = []
    for one in drafts:
        if one.scenes:
            done.append(one)
            continue
        scenes = label(one.content, settings)
        parts = _apart(one, turn, extract, settings) if len(scenes) > 1 else []
        done += parts or [replace(one, scenes=scenes)]
    return done


def _apart(one: Draft, turn: Turn, extract: Extract, settings: RememberSettings) -> list[Draft]:
    """A draft for each clause, when all say something by themselves and not all are of the same scenes."""
    spans = list(_clauses(one.source.quote, one.source.start))
    if len(spans) < 2 or not all(_predicates(turn.user[start:end]) for start, end in spans):
        return []
    if _belongs_together(one, [turn.user[start:end] for start, end in spans]):
        return []
    read = [list(extract(replace(turn, user=_only(turn.user, *span)))) for span in spans]
    labelled = [[replace(draft, scenes=label(draft.content, settings)) for draft in part] for part in read]
    told = {draft.scenes for part in labelled for draft in part}
    whole = all(labelled) and len(told) > 1 and _same_people(one, labelled)
    return [draft for part in labelled for draft in part] if whole else []


def _belongs_together(one: Draft, said: Sequence[str]) -> bool:
    """Whether a clause says nothing without the one before it, tells of somebody who was just brought in, or sets it
    right."""
    words = pack(one.language)
    brought = words.matcher("introduces").search(said[0]) and not words.matcher("own_head").match(said[1])
    return bool(brought or words.matcher("same_breath").match(one.source.quote)) or any(
        leans(text, words) for text in said[1:]
    )


def _same_people(one: Draft, parts: Sequence[Sequence[Draft]]) -> bool:
    """Whether no clause is taken for the user's by itself that is somebody else's beside the others."""
    words = pack(one.language)
    alone = [draft for part in parts[1:] for draft in part if draft.subject == "user" != one.subject]
    return all(words.matcher("own_head").match(draft.source.quote) for draft in alone)


def _predicates(text: str) -> bool:
    """Whether it has a verb: "six hundred" of "six hundred and twelve" has none."""
    return bool(pack(detect(text)).matcher("has_verb").search(text))


def _clauses(quote: str, offset: int) -> Iterator[tuple[int, int]]:
    start = 0
    for found in re.finditer(_data()["split"][detect(quote)], quote, re.IGNORECASE):
        if found.start() - start >= SHORTEST:
            yield offset + start, offset + found.start()
            start = found.end()
    if len(quote) - start >= SHORTEST:
        yield offset + start, offset + len(quote)


def _only(text: str, start: int, end: int) -> str:
    """The text with all but one stretch blanked, so that offsets stay."""
    return f"{' ' * start}{text[start:end]}{' ' * (len(text) - end)}"


@cache
def _data() -> Mapping[str, Mapping[str, str]]:
    return shipped.toml("scenes.toml")
