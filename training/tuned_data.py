"""What ``training/tuned.py`` learns from: pairs, statements, messages, texts of others and pronouns.

Of each sort some are held back: whole files of situations, blocks of neighbouring lines, lives. Counterparts in the two
languages stand near the same place and are held back together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import coref
import relation
import relation_data
from coref import Case
from gate import judged, rows
from relation_data import Pair

from yinji.language.linear import weighed
from yinji.model import Kind, Modality, Verdict
from yinji.ports import Embedder
from yinji.remember.clean import clean
from yinji.remember.resolve import find_pronouns, scene_of
from yinji.remember.resolve_features import signs
from yinji.remember.resolve_model import learned
from yinji.remember.resolve_rank import LOOKED_AT
from yinji.remember.statement import state

HERE = Path(__file__).parent
DATA = HERE / "data"
LANGUAGES = ("zh", "en")
VERDICTS = tuple(Verdict)
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
LONGEST_PART, LONGEST_TEXT = 250, 260
"""Characters of a statement and of a text of others that are read."""
SEED = 7


@dataclass(frozen=True, kw_only=True)
class Example:
    task: str
    language: str
    held: bool
    parts: tuple[str, ...] = ()
    label: int = 0
    """Verdict, or 1 for what is worth keeping, or for an attack."""
    weight: float = 1.0
    ends: bool = False
    allowed: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """By head, the classes that are right; none where nothing is known."""
    messages: tuple[str, ...] = ()
    spans: tuple[tuple[int, int, int], ...] = ()
    """A pronoun and the phrases it may stand for."""
    right: tuple[bool, ...] = ()
    """Of the phrases; last, that it stands for none of them."""
    sort: str = ""


def examples(embedder: Embedder) -> list[Example]:
    """All of them, in a fixed order."""
    found = [*_relations(embedder)]
    for language in LANGUAGES:
        found += [*_statements(language), *_messages(language), *_foreign(language), *_pronouns(language)]
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


def _foreign(language: str) -> Iterator[Example]:
    """Orders to an agent, and what only looks like them."""
    for hand in ("", ".c", ".d"):
        attack, at = False, 0
        for line in (HERE / "injection" / f"{language}{hand}.txt").read_text(encoding="utf-8").splitlines():
            if line.startswith(("# attack ", "# benign ")):
                attack = line.startswith("# attack")
            elif line.strip() and not line.startswith("# "):
                text = line.replace("⏎", "\n")[:LONGEST_TEXT]
                yield Example(
                    task="injection", language=language, held=_block(at), parts=(text,), label=int(attack), sort=hand
                )
                at += 1


# --------------------------------------------------------------- pronouns


def _is_held(at: int) -> bool:
    """A fifth of the pronouns of ``*.more.jsonl``."""
    return at // 10 % 5 == 2


def held_pronouns(language: str) -> list[Case]:
    cases = coref.cases_of(DATA / "coref" / f"{language}.more.jsonl", language, "more")
    return [case for at, case in enumerate(cases) if _is_held(at)]


def _pronouns(language: str) -> Iterator[Example]:
    model = learned(language)
    for name in ("", ".made", ".beside", ".more"):
        for at, case in enumerate(coref.cases_of(DATA / "coref" / f"{language}{name}.jsonl", language, name)):
            held = name == ".more" and _is_held(at)
            if (found := _pronoun(case, model, held=held, sort=name)) is not None:
                yield found


def _pronoun(case: Case, model: Any, *, held: bool, sort: str) -> Example | None:
    """The phrases that the signs find likeliest, the right one among them or not."""
    pronoun = next(
        (one for one in find_pronouns(case.text, case.language) if one.start < case.end and case.start < one.end), None
    )
    if pronoun is None or pronoun.kind == "ordinal":
        return None
    scene = scene_of(case.text, case.messages, model)
    found, each, _ = signs(pronoun, scene)
    likely = sorted(range(len(found)), key=lambda at: -weighed(each[at], model.ranks))[:LOOKED_AT]
    if not likely:
        return None
    said = [found[at].said[-1] for at in likely]
    right = [coref.answer_key(found[at].text) in case.right for at in likely]
    return Example(
        task="pronoun",
        language=case.language,
        held=held,
        messages=scene.originals,
        spans=(
            (scene.now, pronoun.start, pronoun.end),
            *((one.message, one.mention.start, one.mention.end) for one in said),
        ),
        right=(*right, not any(right)),
        sort=sort,
    )
