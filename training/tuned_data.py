"""What ``training/tuned.py`` learns from: pairs, worlds, statements, messages and pronouns.

Of each sort some are held back: whole files of situations, whole worlds, blocks of neighbouring lines, lives.
Counterparts in the two languages stand near the same place and are held back together.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import coref
import numpy as np
import relation
import relation_data
from gate import judged, rows
from relation_data import Pair

from yinji.model import Kind, Modality, Verdict
from yinji.ports import Embedder, Purpose
from yinji.remember.clean import clean
from yinji.remember.statement import state

HERE = Path(__file__).parent
DATA = HERE / "data"
LANGUAGES = ("zh", "en")
VERDICTS = tuple(Verdict)
HARMLESS = (VERDICTS.index(Verdict.UNRELATED), VERDICTS.index(Verdict.COMPATIBLE))
KINDS = (
    *(str(one) for one in (Kind.FACT, Kind.PREFERENCE, Kind.STATE, Kind.EVENT, Kind.RELATION, Kind.PROCEDURE)),
    "none",
)
MODALITIES = (
    *(str(one) for one in (Modality.ASSERTED, Modality.PLANNED, Modality.WISHED, Modality.HYPOTHETICAL)),
    "asked",
    "quoted",
)
POLARITIES = ("positive", "negative")
SUBJECTS = ("user", "assistant", "other")
CLASSES = {"kind": KINDS, "modality": MODALITIES, "polarity": POLARITIES, "subject": SUBJECTS}
HELD_FILES = (5, 11, 17)
"""Situations in the columns of ``conflict/*.more.tsv`` that are held back."""
OF_LIVES, OF_JUDGED = 1000, 1600
"""Pairs of which nothing ends anything that are taken from lives as told, and as the pipeline weighed them."""
SORTS = ("worlds", "dialogues")
"""Of worlds: of statements as they are kept, and of messages as they were said."""
LONGEST_PART = 250
"""Characters of a statement that are read."""
TOUCHES = {
    "update": (Verdict.UPDATE, True),
    "correct": (Verdict.UPDATE, True),
    "conflict": (Verdict.CONFLICT, False),
    "duplicate": (Verdict.DUPLICATE, False),
    "refine": (Verdict.COMPATIBLE, False),
    "retract": (Verdict.RETRACT, True),
    "unsure": (Verdict.UNSURE, False),
}
"""What a world's labels say: the verdict, and whether the old statement is over."""
NEAREST = 10
"""Memories without effect that a world's statement or question is held beside in training, the likest; where it is held
back, all."""
SAID_BEFORE = 10
"""Messages before a pronoun that are read, the last."""
SEED = 7


@dataclass(frozen=True, kw_only=True)
class Beside:
    """How a statement or a question stands to a memory of its world."""

    item: tuple[str, str, int]
    """The world, ``n`` for a statement or ``q`` for a question, and its number."""
    touched: bool
    """Whether it does something to the memory, or is answered by it."""
    near: float
    """Cosine of the two."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A pronoun in the last of some messages."""

    messages: tuple[str, ...]
    spoken: tuple[bool, ...]
    """Which are the assistant's."""
    start: int
    end: int
    meant: tuple[str, ...]
    """Wordings of what it stands for; none where it stands for nothing that was said."""


@dataclass(frozen=True, kw_only=True)
class Example:
    task: str
    language: str
    held: bool
    parts: tuple[str, ...] = ()
    label: int = 0
    """Verdict, or 1 for what is worth keeping, or for a memory that answers."""
    weight: float = 1.0
    ends: bool = False
    allowed: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """By head, the classes that are right; none where nothing is known."""
    beside: Beside | None = None
    asked: Asked | None = None
    sort: str = ""


def examples(embedder: Embedder) -> list[Example]:
    """All of them, in a fixed order."""
    found = [*_relations(embedder)]
    for language in LANGUAGES:
        found += [*_statements(language), *_messages(language), *_pronouns(language)]
        found += [one for sort in SORTS for world in worlds(language, sort) for one in _of_world(world, embedder)]
    return found


def _block(at: int) -> bool:
    """Every tenth block of twenty lines."""
    return at // 20 % 10 == 3


# ------------------------------------------------------------------ pairs


def more_pairs(language: str) -> Iterator[tuple[int, Pair]]:
    """Pairs by a hand that had not seen the component, each with the number of its file of situations."""
    for line in (DATA / "conflict" / f"{language}.more.tsv").read_text(encoding="utf-8").splitlines():
        number, label, after, category, old, new = line.split("\t")
        yield (
            int(number),
            Pair(
                line=int(number),
                language=language,
                label=Verdict(label),
                after=after,
                category=category,
                old=old,
                new=new,
            ),
        )


def held_pairs() -> list[Pair]:
    return [pair for language in LANGUAGES for number, pair in more_pairs(language) if number in HELD_FILES]


def _relations(embedder: Embedder) -> Iterator[Example]:
    told = [one for language in LANGUAGES for one in (*relation_data._pairs(language), *relation_data._sets(language))]
    held = relation._groups(told) * 2654435761 % 2**32 % 10 == 0
    own = [_pair(pair, bool(aside), pair.category) for pair, aside in zip(told, held, strict=True)]
    own += [_pair(pair, n in HELD_FILES, "more") for language in LANGUAGES for n, pair in more_pairs(language)]
    yield from own
    yield from _strangers(own)
    chance = Random(SEED)
    for found, most in ((relation_data._lives(embedder), OF_LIVES), (relation_data._lived(embedder), OF_JUDGED)):
        every = list(found)
        harmless = [one for one in every if not one.ends]
        chance.shuffle(harmless)
        for pair in (*(one for one in every if one.ends), *harmless[:most]):
            yield _pair(pair, pair.line % 10 == 3, pair.category)


def _pair(pair: Pair, held: bool, sort: str) -> Example:
    return Example(
        task="relation",
        language=pair.language,
        held=held,
        parts=(pair.old[:LONGEST_PART], pair.new[:LONGEST_PART]),
        label=VERDICTS.index(pair.label),
        weight=pair.weight,
        ends=pair.ends,
        sort=sort,
    )


def _strangers(own: Sequence[Example]) -> Iterator[Example]:
    """Every sixth new statement with an old one from further on."""
    for language in LANGUAGES:
        mine = [one for one in own if one.language == language]
        for at, one in enumerate(mine[::6]):
            other = mine[(6 * at + 61 + 6 * at % 13) % len(mine)]
            if other.parts[0] != one.parts[0] and other.held == one.held:
                parts, label = (other.parts[0], one.parts[1]), VERDICTS.index(Verdict.UNRELATED)
                yield Example(
                    task="relation",
                    language=language,
                    held=one.held,
                    parts=parts,
                    label=label,
                    weight=0.0,
                    sort="strangers",
                )


# -------------------------------------------------- statements and messages


def _statements(language: str) -> Iterator[Example]:
    """Single clauses, every other one in the third person, as it would be kept."""
    for at, line in enumerate((DATA / "statements" / f"{language}.tsv").read_text(encoding="utf-8").splitlines()):
        text, *labels = line.split("\t")
        said = state(clean(text, language).text or text, language).told if at % 2 else text
        allowed = {
            head: frozenset(classes.index(one) for one in label.split(",") if one in classes)
            for (head, classes), label in zip(CLASSES.items(), labels, strict=True)
        }
        yield Example(task="statement", language=language, held=_block(at), parts=(said,), allowed=allowed)
    for line in (DATA / "extract" / f"kinds.{language}.tsv").read_text(encoding="utf-8").splitlines():
        text, _, named = line.partition("\t")
        kinds = {"kind": frozenset(KINDS.index(one) for one in named.split(","))}
        yield Example(task="statement", language=language, held=False, parts=(text,), allowed=kinds)


def _messages(language: str) -> Iterator[Example]:
    for at, row in enumerate(rows(DATA / "gate" / f"{language}.jsonl")):
        asked = judged(row).question
        text = row["text"][:LONGEST_PART]
        kinds = [one for one in (row["kind"], *row.get("kind_also", ())) if one in KINDS]
        yield Example(
            task="gate",
            language=language,
            held=_block(at),
            parts=(asked[:120], text) if asked else (text,),
            label=int(row["keep"]),
            allowed={"kind": frozenset(map(KINDS.index, kinds))},
        )


# ----------------------------------------------------------------- worlds


@dataclass(frozen=True, kw_only=True)
class World:
    """What is kept of an invented life, with news and questions, each with what it touches: (memory, label)."""

    name: str
    language: str
    sort: str = SORTS[0]
    memories: list[str] = field(default_factory=list)
    news: list[tuple[str, dict[int, str]]] = field(default_factory=list)
    questions: list[tuple[str, dict[int, str]]] = field(default_factory=list)

    @property
    def held(self) -> bool:
        """Every sixth of those whose names begin alike, so that both languages' of one number are on one side."""
        return zlib.crc32(self.name.replace(" ", "")[:5].encode()) % 6 == 0


def worlds(language: str, sort: str = SORTS[0]) -> list[World]:
    """See ``data/worlds/README.md`` for the form."""
    found: list[World] = []
    for line in (DATA / sort / f"{language}.txt").read_text(encoding="utf-8").splitlines():
        kind, _, rest = line.partition(" ")
        text, _, touched = (one.strip() for one in rest.rpartition(" |"))
        match kind:
            case "#":
                found.append(World(name=rest, language=language, sort=sort))
            case "m":
                found[-1].memories.append(rest)
            case "n":
                found[-1].news.append((text, _touched(touched, ";")))
            case "q":
                found[-1].questions.append((text, _touched(touched, ",")))
    return found


def _touched(told: str, between: str) -> dict[int, str]:
    """``1 update; 3 unsure`` → memory, counted from 0 → label."""
    each = [one.partition(" ") for one in map(str.strip, told.split(between)) if one]
    return {int(number) - 1: label for number, _, label in each}


def _of_world(world: World, embedder: Embedder) -> Iterator[Example]:
    """Each piece of news and each question beside what it touches, and beside what is likest of the rest."""
    memories = np.asarray(embedder.embed(world.memories, purpose="passage"))
    kinds: tuple[tuple[str, Any, Purpose], ...] = (("n", world.news, "passage"), ("q", world.questions, "query"))
    for kind, told, purpose in kinds:
        vectors = embedder.embed([text for text, _ in told], purpose=purpose)
        for number, ((text, touched), near) in enumerate(zip(told, np.asarray(vectors) @ memories.T, strict=True)):
            rest = [int(at) for at in np.argsort(-near) if at not in touched]
            for at in (*touched, *(rest if world.held else rest[:NEAREST])):
                beside = Beside(item=(world.name, kind, number), touched=at in touched, near=float(near[at]))
                yield _news(world, at, text, beside, touched) if kind == "n" else _question(world, at, text, beside)


def _news(world: World, at: int, text: str, beside: Beside, touched: Mapping[int, str]) -> Example:
    verdict, ends = TOUCHES[touched[at]] if beside.touched else (Verdict.COMPATIBLE, False)
    return Example(
        task="relation",
        language=world.language,
        held=world.held,
        parts=(world.memories[at], text),
        label=VERDICTS.index(verdict),
        ends=ends,
        beside=beside,
        sort="worlds",
    )


def _question(world: World, at: int, text: str, beside: Beside) -> Example:
    return Example(
        task="answers",
        language=world.language,
        held=world.held,
        parts=(text, world.memories[at]),
        label=int(beside.touched),
        beside=beside,
        sort=world.sort,
    )


# --------------------------------------------------------------- pronouns


def _pronouns(language: str) -> Iterator[Example]:
    for name in ("first", "made", "beside", coref.LATER, *coref.HELD_TENS, "evals"):
        told = coref.rows_of(language, name)
        for row, held in zip(told, coref.held(name, told), strict=True):
            yield Example(task="point", language=language, held=held, asked=_asked(row), sort=name)


def _asked(row: Mapping[str, Any]) -> Asked:
    said = [one.partition(":") for one in row["context"][-SAID_BEFORE:]]
    return Asked(
        messages=(*(text.strip() for _, _, text in said), row["text"]),
        spoken=(*(speaker == "assistant" for speaker, _, _ in said), False),
        start=row["pronoun_start"],
        end=row["pronoun_start"] + len(row["pronoun"]),
        meant=(row["antecedent"], *row["antecedent_also"]) if row["antecedent"] else (),
    )
