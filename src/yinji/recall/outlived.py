"""Which of two answers to a question is over by the other: a small regression over what reading tells of both.

When it was written, a statement is held beside the few that are nearest to it, and has to be over whatever is asked.
Two that answer one question for one value are seldom both true, so that less is enough to tell the older to be perhaps
outdated. FEATURES is the list; data and scores are in ``training/newest.md``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import permutations
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from yinji import shipped
from yinji.language.linear import weighed
from yinji.language.packs import pack
from yinji.language.text import is_telling, query_terms, terms
from yinji.model import Candidate, MemoryEntry, Query, Verdict
from yinji.ports import Discerning
from yinji.recall.breath import Beside
from yinji.recall.read import ANSWERED, FACTOR, PERHAPS, answers, is_told, odds_of, part, part_with
from yinji.recall.signs import asking
from yinji.recall.single import SO, former, is_ahead
from yinji.recall.sought import COST, given_by, sort_sought

if TYPE_CHECKING:
    from yinji.ports import Vector

VERDICT, ENDS = "relation", "ends"
"""The heads of the tuned layers that tell what is between two statements."""
BESIDE = ("update", "conflict", "duplicate", "unrelated")
"""Verdicts whose scores are compared with that of "compatible"."""
COMPARED = 8
"""So many pairs of memories that may answer are held beside each other."""
SURE = 4.0
"""Log-odds beyond which that a memory answers says no more of whether it is over."""
STANDS = -2.0
"""Log-odds that the newer as it was said ends the older, below which that may be left standing (training/newest.md)."""
FEATURES: Mapping[str, str] = {
    "ends": "log-odds, by reading both, that the newer ends the older, whatever is asked",
    "ends_said": "the same of the newer with what was said in the same breath, where that is more",
    "rather": "by how much that is above zero, where the older is rather over than not",
    "update": "score of the verdict that the newer updates the older, above that they are compatible",
    "conflict": "the same of the verdict that they contradict each other",
    "duplicate": "the same of the verdict that they say the same",
    "unrelated": "the same of the verdict that they have nothing to do with each other",
    "old": "log-odds that the older answers the question",
    "new": "the same of the newer",
    "both": "the lesser of the two",
    "now": "1 if the question says that it is about now",
    "several": "1 if it asks for several things, or for a sum of money",
    "two": "1 if it asks two things in one sentence",
    "ever": "1 if it asks for all that there was, and not for how many or how much",
    "count": "1 if it asks for how many or how much",
    "sort": "1 if it seeks a sort of thing that can be told by its form",
    "values": "1 if both give something of that sort",
    "same": "1 if they give the same",
    "alike": "share of the words of the one with fewer that the other has, without those of the question",
    "about": "share of the question's words that both have",
    "apart": "1 if they have no word in common",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Answers:
    """Two memories that may answer a question, the older and the newer, with the log-odds that each does. ``said``: the
    newer as it is read with what was said in the same breath, which often tells that the older is over."""

    old: MemoryEntry
    new: MemoryEntry
    odds: tuple[float, float]
    said: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Regression:
    """What each feature weighs, and the log-odds from which the older is told to be perhaps outdated (``over``), and
    from which it comes after a newer one that answers about as well (``behind``)."""

    bias: float
    weights: Mapping[str, float]
    over: float
    behind: float

    def odds(self, features: Mapping[str, float]) -> float:
        return self.bias + weighed(features, self.weights)


@dataclass(frozen=True, kw_only=True, slots=True)
class Outlived:
    """By the id of an older answer the newer one: of which it is told to be perhaps outdated, and of those that only
    come after it."""

    over: Mapping[str, MemoryEntry]
    behind: Mapping[str, MemoryEntry]


NOTHING = Outlived(over=MappingProxyType({}), behind=MappingProxyType({}))


@cache
def regression() -> Regression:
    made: Mapping[str, Any] = shipped.json("models/newest.json")
    return Regression(**made)


def outlived(reader: object, query: Query, candidates: Sequence[Candidate], within: int, beside: Beside) -> Outlived:
    """Of the first ``within`` that may answer, what is over by a later one that may answer as well, wherever that
    stands; nothing where nothing reads. ``beside``: by id what was said in the same breath."""
    pairs = _pairs(query, candidates, within, beside)
    surely = former(query, candidates)
    told = _held_beside(reader, pairs)
    if not told:
        return replace(NOTHING, over=surely)
    made, over, behind = regression(), {}, {}
    found = zip(pairs, told, strict=True)
    for pair, (verdicts, ends) in sorted(found, key=lambda one: one[0].new.recorded_at):
        features = compared(query, pair, verdicts, ends)
        score = made.odds(features)
        if score >= made.over or turned(features):
            over[pair.old.id] = pair.new
        elif score >= made.behind and comes_after(features):
            behind[pair.old.id] = pair.new
    return Outlived(over={**before_now(query, candidates), **surely, **over}, behind=behind)


def turned(features: Mapping[str, float]) -> bool:
    """Whether one thing that is so now is asked for, which the newer answers, no worse than the older, and that is
    rather over by it than not: of 22 such pairs that ``training/newest.py`` learns from 19 are."""
    one = features["now"] and not features["several"] and not features["two"]
    return bool(one and features["rather"] > 0 and features["new"] >= max(features["old"], ANSWERED))


def comes_after(features: Mapping[str, float]) -> bool:
    """Whether the order alone may be changed: where it is asked how many or how much and both tell, since what is
    counted grows; and where now is asked about, the older is rather over than not, and answers no better. Of anything
    else what is later may be about something else."""
    counted = features["count"] and features["values"] and features["new"] >= ANSWERED
    return bool(counted or (features["now"] and features["ends"] > 0 and features["new"] >= features["old"]))


def before_now(query: Query, candidates: Sequence[Candidate]) -> dict[str, MemoryEntry]:
    """Of what answers a question for the one thing that is so now, by id, what was told before the latest of it: who
    says "now" knows that it was otherwise."""
    signs = asking(query.language)
    if not signs["now"].search(query.text) or signs["several"].search(query.text):
        return {}
    found = [one.memory for one in candidates if odds_of(one) >= ANSWERED]
    latest = max((one for one in found if one.modality in SO), key=lambda one: one.recorded_at, default=None)
    return {one.id: latest for one in found if latest is not None and one.recorded_at < latest.recorded_at}


def doubted(
    reader: object,
    query: Query,
    candidates: Sequence[Candidate],
    linked: Mapping[str, MemoryEntry],
    beside: Beside,
) -> dict[str, MemoryEntry]:
    """Of what something later was told to have perhaps taken the place of (``linked``, by id), what is in doubt for
    this question: not what reading both beside it leaves standing. What was not read stays in doubt."""
    read = [one for one in candidates if FACTOR in one.factors and _is_read(linked.get(one.memory.id), one)]
    odds = {one.memory.id: odds_of(one) for one in candidates if FACTOR in one.factors}
    later = {linked[one.memory.id].id: linked[one.memory.id] for one in read}
    missing = [Candidate(memory=one, score=0.0, paths=()) for id, one in later.items() if id not in odds]
    if missing:
        told = answers(reader, query.text, missing) or [-SURE] * len(missing)
        odds |= {one.memory.id: found for one, found in zip(missing, told, strict=True)}
    said = beside(list(later.values())) if later else {}
    pairs = [_answers(one.memory, linked[one.memory.id], odds, said) for one in read]
    found = zip(pairs, _held_beside(reader, pairs), strict=False)
    stands = {pair.old.id for pair, told in found if _unlikely(query, pair, *told)}
    return {id: one for id, one in linked.items() if id not in stands}


def _unlikely(query: Query, pair: Answers, verdicts: Mapping[str, float], ends: Sequence[float]) -> bool:
    features, made = compared(query, pair, verdicts, ends), regression()
    return features["ends_said"] < STANDS and made.odds(features) < made.behind


def _is_read(newer: MemoryEntry | None, older: Candidate) -> bool:
    return newer is not None and newer.language == older.memory.language and is_told(newer)


def _held_beside(reader: object, pairs: Sequence[Answers]) -> list[tuple[Mapping[str, float], tuple[float, float]]]:
    """Of each pair the scores of the verdicts, and the log-odds that the older is over by the newer alone and as it
    was said; nothing where nothing reads."""
    if not pairs or not isinstance(reader, Discerning):
        return []
    longer = [at for at, one in enumerate(pairs) if one.said != part(one.new)]
    alone = [(part(one.old), part(one.new)) for one in pairs]
    told = reader.discern([*alone, *((part(pairs[at].old), pairs[at].said) for at in longer)], (VERDICT, ENDS))
    if told is None:
        return []
    ends = [float(one) for (one,) in told[ENDS]]
    said = dict(zip(longer, ends[len(pairs) :], strict=True))
    return [(_by_name(told[VERDICT][at]), (ends[at], said.get(at, ends[at]))) for at in range(len(pairs))]


def _pairs(query: Query, candidates: Sequence[Candidate], within: int, beside: Beside) -> list[Answers]:
    """Each earlier one of the first with each later one of its language, the likeliest to answer first."""
    first = {one.memory.id for one in candidates[:within]}
    likely = [one for one in candidates if odds_of(one) >= PERHAPS]
    pairs = [
        (old, new)
        for old, new in permutations(likely, 2)
        if old.memory.id in first and _may_follow(query, old.memory, new.memory)
    ]
    best = sorted(pairs, key=lambda pair: -sum(map(odds_of, pair)))[:COMPARED]
    said = beside([new.memory for _, new in best]) if best else {}
    odds = {one.memory.id: odds_of(one) for one in likely}
    return [_answers(old.memory, new.memory, odds, said) for old, new in best]


def _answers(
    old: MemoryEntry, new: MemoryEntry, odds: Mapping[str, float], said: Mapping[str, Sequence[MemoryEntry]]
) -> Answers:
    return Answers(old=old, new=new, odds=(odds[old.id], odds[new.id]), said=part_with(new, said.get(new.id, ())))


def _may_follow(query: Query, old: MemoryEntry, new: MemoryEntry) -> bool:
    """Whether the newer can be what is so instead: a plan is not, before its day, but in place of another plan, nor the
    rent that is to be paid from a day to come on."""
    if old.recorded_at >= new.recorded_at or old.language != new.language or is_ahead(query, new):
        return False
    begun = new.valid is not None and new.valid.start is not None and new.valid.start <= query.now
    return begun or new.modality in SO or old.modality not in SO


def _by_name(verdicts: Vector) -> dict[str, float]:
    return {one.value: float(score) for one, score in zip(Verdict, verdicts, strict=True)}


def compared(query: Query, pair: Answers, verdicts: Mapping[str, float], ends: Sequence[float]) -> dict[str, float]:
    """Each feature of a pair. ``verdicts``, ``ends``: what reading both tells of them, of the newer alone and as it was
    said."""
    old, new = (min(SURE, max(-SURE, one)) for one in pair.odds)
    alone, said = ends
    return {
        "ends": alone,
        "ends_said": max(alone, said),
        "rather": max(alone, said, 0.0),
        **{name: verdicts[name] - verdicts[Verdict.COMPATIBLE.value] for name in BESIDE},
        "old": old,
        "new": new,
        "both": min(old, new),
        **_of_question(query),
        **_of_values(query, (pair.old, pair.new)),
        **_of_words(query, (pair.old, pair.new)),
    }


def _of_question(query: Query) -> dict[str, float]:
    """What the question asks for."""
    said, signs = query.text.lower(), asking(query.language)
    asks = {name: signs[name].search(said) is not None for name in ("now", "several", "two", "ever", "count", "total")}
    summed = asks.pop("total") and sort_sought(query) == COST
    found = {**asks, "several": asks["several"] or summed, "ever": asks["ever"] and not asks["count"]}
    return {name: float(one) for name, one in found.items()}


def _of_values(query: Query, pair: Sequence[MemoryEntry]) -> dict[str, float]:
    """Whether the two give something of the sort that is sought, and the same."""
    sort = sort_sought(query)
    first, second = (frozenset(given_by(query, sort, one)) if sort else frozenset() for one in pair)
    return {"sort": float(bool(sort)), "values": float(bool(first and second)), "same": float(bool(first & second))}


def _of_words(query: Query, pair: Sequence[MemoryEntry]) -> dict[str, float]:
    """How much the two have in common, of what the question says and besides; "the user" is nothing in common."""
    asked = frozenset(filter(is_telling, query.terms))
    both = [_words(one) for one in pair]
    first, second = (frozenset(filter(is_telling, words)) for words in both)
    besides = [first - asked, second - asked]
    least = min(map(len, besides))
    alike = len(besides[0] & besides[1]) / least if least else 0.0
    about = len(asked & first & second) / len(asked) if asked else 0.0
    return {"alike": alike, "about": about, "apart": float(not both[0] & both[1])}


def _words(memory: MemoryEntry) -> frozenset[str]:
    person = pack(memory.language).tables["person"]["user"]
    return frozenset(query_terms(memory.content)) - frozenset(terms(person))
