"""Reads what ``training/relation.py`` learns from: pairs, sets of news about one statement, and short lives.

``*.tsv``: label, what holds after, category, old, new. ``sets.*.txt``: a line ``= statement``, then what is said
later, each with its label in one letter. ``lives.*.txt``: what somebody says, in order; ``[a]`` names a statement,
``[-a]`` says that this one ends it; what is not said to be ended holds on.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from unittest.mock import patch

import numpy as np

from yinji.config import RememberSettings, Settings
from yinji.evals.around import Plain
from yinji.evals.runner import opener
from yinji.model import Draft, Judgement, MemoryEntry, Verdict
from yinji.ports import Embedder
from yinji.remember import beside, judge
from yinji.remember.discern import Told
from yinji.remember.features import Said
from yinji.remember.judge import kept_as

if TYPE_CHECKING:
    from yinji.ports import Vector

DATA = Path(__file__).parent / "data" / "conflict"
LETTERS = {
    "u": Verdict.UPDATE,
    "b": Verdict.COMPATIBLE,
    "c": Verdict.CONFLICT,
    "d": Verdict.DUPLICATE,
    "q": Verdict.UNSURE,
    "r": Verdict.RETRACT,
    "x": Verdict.UNRELATED,
}
AFTER = {Verdict.UPDATE: "new", Verdict.DUPLICATE: "old", Verdict.UNSURE: "old", Verdict.RETRACT: "none"}
RARE = {Verdict.DUPLICATE: 3.0, Verdict.CONFLICT: 2.0, Verdict.RETRACT: 2.0, Verdict.UNSURE: 1.5}
"""Weight of labels that the sets have few of, so that all count about as often as they come up in conversations."""
PUBLIC = {"zh": ("memorybank_zh",), "en": ("memorybank_en",)}
"""Sets of what somebody says over a time, by language."""
NEAREST = 8
"""Earlier statements of a life that each is held beside as it was said."""
OF_A_LIFE = 150
"""Messages of each of them that are read."""
SETS, LIVES, OTHERS = 20_000, 30_000, 10_000
"""Where the line numbers of each kind begin: they decide the fold."""
START = datetime(2025, 1, 1, 12, tzinfo=UTC)
_KEYS = re.compile(r"\[([^\]]*)\]\s*")


@dataclass(frozen=True, kw_only=True)
class Pair:
    line: int
    """Pairs of a line are on the same side of every split."""
    language: str
    label: Verdict
    after: str
    category: str
    old: str
    new: str
    vectors: tuple[Vector, Vector] | None = None
    """Of the new and the old one as they were kept, where they went through the pipeline."""
    weight: float = 1.0
    """For what label it is; 0 where only whether it does anything is to be learned."""

    @property
    def ends(self) -> bool:
        """Whether the old statement no longer holds."""
        return self.after in ("new", "none")


def pairs(embedder: Embedder) -> list[Pair]:
    told = [one for language in ("zh", "en") for one in (*_pairs(language), *_sets(language))]
    return [*told, *_strangers(told), *_lives(embedder), *_lived(embedder)]


def _lines(name: str) -> list[str]:
    return (DATA / name).read_text(encoding="utf-8").splitlines()


def _pairs(language: str) -> Iterator[Pair]:
    for line, text in enumerate(_lines(f"{language}.tsv")):
        label, after, category, old, new = text.split("\t")
        verdict = Verdict(label)
        yield Pair(
            line=line,
            language=language,
            label=verdict,
            after=after,
            category=category,
            old=old,
            new=new,
            weight=RARE.get(verdict, 1.0),
        )


def _sets(language: str) -> Iterator[Pair]:
    old, line = "", SETS - 1
    for text in _lines(f"sets.{language}.txt"):
        letter, said = text.split(" ", 1)
        if letter == "=":
            old, line = said, line + 1
            continue
        label = LETTERS[letter]
        yield Pair(
            line=line,
            language=language,
            label=label,
            after=AFTER.get(label, "both"),
            category="sets",
            old=old,
            new=said,
            weight=RARE.get(label, 1.0),
        )


def _strangers(told: Sequence[Pair]) -> Iterator[Pair]:
    """Each new statement with the old one of another line, further on."""
    for language in ("zh", "en"):
        own = [one for one in told if one.language == language]
        for at, one in enumerate(own):
            other = own[(at + 37 + at % 11) % len(own)]
            if other.line != one.line:
                yield _harmless(one.line, language, "strangers", other.old, one.new)


def _harmless(line: int, language: str, category: str, old: str, new: str) -> Pair:
    label = Verdict.UNRELATED
    return Pair(
        line=line, language=language, label=label, after="both", category=category, old=old, new=new, weight=0.0
    )


# -------------------------------------------------------------------- lives


def _lives(embedder: Embedder) -> Iterator[Pair]:
    """Each statement of a life with those that it ends, and with the nearest earlier ones that hold on."""
    for language in ("zh", "en"):
        for line, life in enumerate(_told("\n".join(_lines(f"lives.{language}.txt"))), LIVES):
            vectors = np.asarray(embedder.embed([text for text, _ in life], purpose="passage"))
            for at, (new, ended) in enumerate(life):
                for other in _nearest(vectors, at, range(at), NEAREST, also=ended):
                    old = life[other][0]
                    if other in ended:
                        label, after = Verdict.UPDATE, "new"
                        yield Pair(
                            line=line, language=language, label=label, after=after, category="lives", old=old, new=new
                        )
                    else:
                        yield _harmless(line, language, "lives", old, new)


def _told(text: str) -> Iterator[list[tuple[str, tuple[int, ...]]]]:
    """The lives: statements, each with the numbers of those that it ends."""
    for block in re.split(r"^# .*\n", text, flags=re.MULTILINE)[1:]:
        life: list[tuple[str, tuple[int, ...]]] = []
        named: dict[str, int] = {}
        for line in block.strip().splitlines():
            keys = (match[1] if (match := _KEYS.match(line)) else "").split()
            ended = tuple(named[key[1:]] for key in keys if key.startswith("-"))
            named |= {key: len(life) for key in keys if not key.startswith("-")}
            life.append((_KEYS.sub("", line, count=1), ended))
        yield life


def _nearest(
    vectors: np.ndarray, at: int, earlier: Sequence[int], most: int, *, also: Sequence[int] = ()
) -> Iterator[int]:
    yield from also
    others = [one for one in earlier if one not in also]
    yield from sorted(others, key=lambda other: -float(vectors[at] @ vectors[other]))[:most]


# --------------------------------------------------------- what is judged


def _lived(embedder: Embedder) -> Iterator[Pair]:
    """What the pipeline itself weighs, message by message: lives of our own, and public ones, in which hardly
    anything that is said changes what was said before. What is said to end something is left out here."""
    for language in ("zh", "en"):
        for line, told in enumerate(_told("\n".join(_lines(f"lives.{language}.txt"))), LIVES):
            ended = frozenset((at, other) for at, (_, others) in enumerate(told) for other in others)
            texts = [text for text, _ in told]
            own = _Life(texts=texts, language=language, line=line, category="judged", ended=ended)
            yield from _weighed(own, embedder)
        for name in PUBLIC[language]:
            for number, texts in enumerate(_of_public(name)):
                line = OTHERS + zlib.crc32(f"{name} {number}".encode()) % 10_000
                life = _Life(texts=texts, language=language, line=line, category="neighbours")
                yield from _weighed(life, embedder)


def _of_public(name: str) -> Iterator[list[str]]:
    """What each speaker of a set said, in order; messages of the update eval are left out."""
    folder = Path(os.environ["YINJI_EVAL_DATA"])
    file = folder / "retrieval" / name / "memories.jsonl"
    measured = (folder / "update" / "longmemeval_en.jsonl").read_text(encoding="utf-8")
    said: dict[str, list[str]] = {}
    for row in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
        mine = row.get("role", "user") == "user" and 8 <= len(row["text"]) <= 400
        if mine and json.dumps(row["text"])[1:41] not in measured:
            said.setdefault(row["owner"], []).append(row["text"])
    left = OF_A_LIFE
    for texts in said.values():
        yield texts[:left]
        left -= len(texts)
        if left <= 0:
            return


@dataclass(frozen=True, kw_only=True)
class _Life:
    texts: Sequence[str]
    language: str
    line: int
    category: str
    ended: frozenset[tuple[int, int]] = frozenset()
    """(what ends, what is ended), by number."""


def _weighed(life: _Life, embedder: Embedder) -> Iterator[Pair]:
    """Every pair that is judged by what was learned while these messages are read."""
    seen: list[tuple[Said, MemoryEntry, tuple[Vector, Vector] | None]] = []

    def watched(
        draft: Draft,
        new: Said,
        memory: MemoryEntry,
        vectors: tuple[Vector, Vector] | None,
        settings: RememberSettings,
        *,
        told: Told | None = None,
    ) -> Judgement:
        found = judge.judge(draft, new, memory, vectors, settings)
        if found.chance < 1.0 and not found.sure:
            seen.append((new, memory, vectors))
        return replace(found, sure=False, overtakes=False) if found.chance < 1.0 else found

    settings = Settings.load()
    with (
        TemporaryDirectory() as folder,
        patch.object(beside, "judge", watched),
        opener(settings, Plain(embedder))(Path(folder) / "life.yinji") as memory,
    ):
        for at, text in enumerate(life.texts):
            seen.clear()
            turn = {"user": text, "session": "life", "seq": at, "at": START + timedelta(days=2 * at)}
            memory.remember_many([turn])
            for new, old, vectors in seen:
                before = old.sources[0].seq if old.sources else at
                if before < at and (at, before) not in life.ended:
                    one = _harmless(life.line, life.language, life.category, kept_as(old).text, new.text)
                    yield replace(one, vectors=vectors)
