"""What a new statement is to a memory, and how sure that is: certain rules first, then what was learned (SPEC W9).

A rule that names a slot or a correction is certain. Elsewhere the trained relation gives chances, and what the two
statements show rules verdicts out: another number, name or person is never a duplicate, news about another person
retires nothing, nobody retracts without saying so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from yinji.config import RememberSettings
from yinji.language.packs import pack
from yinji.language.text import query_terms, sentences
from yinji.model import TRUST_ORDER, Draft, Judgement, Kind, MemoryEntry, Modality, Polarity, Turn, Verdict
from yinji.remember.discern import Told
from yinji.remember.features import Said, another_value, contrast, cues, each_anew, excludes, said
from yinji.remember.reconcile import begins_later, compare, exact, other_time, outranked, said_at, sets_right
from yinji.remember.relation import relate
from yinji.remember.retract import only_reminds
from yinji.remember.revise import revises, still_holds
from yinji.remember.settle import takes_up
from yinji.remember.states import DONE, stays_beside
from yinji.remember.whose import apart

if TYPE_CHECKING:
    from yinji.ports import Vector

LONGEST = 400
"""Characters that are read of what was said: a statement is short, and what goes on is another matter."""
LONGEST_READ = 250
"""Characters that the tuned layers read of it."""
WHOLE = 2
"""Sentences of a message up to which it is judged as a whole: what one leaves out, the other says."""
ACTS = 0.35
"""Chance that a statement does something to another at all, from which something is done that costs nothing but a
question or a second source: most of what it learned from does nothing, so that its chances are low."""
REVALUED = 0.5
"""Share of ``overtake_point`` that is enough where both give a value of the same thing: of such pairs from 0.2, two in
three of what was held aside from training were over."""
DENIED = -2.5
"""Log-odds, by the tuned layers, that a memory is over, below which a rule that finds it so is not believed."""
EXCLUSIVE = frozenset({"diet", "marital"})
"""Attributes of which one value leaves no room for another, so that no reading is needed to see an end in it."""
OF_PEOPLE = frozenset({"residence"})
"""Attributes of people that have one value at a time and are told with it."""
DOUBTFUL = frozenset({"ask", "hedge"})
"""Cues of what is no news."""
CERTAIN = frozenset({Verdict.UPDATE, Verdict.DUPLICATE, Verdict.RETRACT})
"""Verdicts of the rules that stand, whatever was learned."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Pair:
    """Both statements, as drafted or kept and as said."""

    draft: Draft
    new: Said
    memory: MemoryEntry
    old: Said
    told: Told | None
    """What the tuned layers say of them."""


def told_by(draft: Draft, turn: Turn) -> Said:
    """The words in which a draft was said, with the rest of a short message."""
    whole = len(turn.user) <= LONGEST and len(sentences(turn.user)) <= WHOLE
    return said((turn.user if whole else draft.source.quote)[:LONGEST], draft.language)


def as_said(draft: Draft, turn: Turn) -> str:
    """What is read of the message beside what was said before: all of a short one, else the sentence in which the
    draft was said and the one before it, which often tells what it is about."""
    spans = sentences(turn.user)
    if len(spans) <= WHOLE:
        return turn.user[:LONGEST_READ]
    at = next((n for n, (_, end) in enumerate(spans) if draft.source.start < end), len(spans) - 1)
    start, end = spans[at]
    before = spans[at - 1][0] if at else start
    return turn.user[before if end - before <= LONGEST_READ else start : end][:LONGEST_READ]


def kept_as(memory: MemoryEntry) -> Said:
    """The words in which a memory was said first."""
    return said((memory.sources[0].quote if memory.sources else memory.content)[:LONGEST], memory.language)


def judge(
    draft: Draft,
    new: Said,
    memory: MemoryEntry,
    vectors: tuple[Vector, Vector] | None,
    settings: RememberSettings,
    *,
    told: Told | None = None,
    nearest: bool = True,
) -> Judgement | None:
    """``new``: the draft's words, by :func:`told_by`; ``told``: what the tuned layers say of the pair, if asked.

    None where the draft is not the ``nearest`` of its turn to the memory and no rule tells: what is learned is of the
    nearest.
    """
    pair = _Pair(draft=draft, new=new, memory=memory, old=kept_as(memory), told=told)
    by_rule, reason = compare(draft, memory)
    if _stands(by_rule, reason) and not (by_rule is Verdict.UPDATE and _doubted(pair, reason, vectors, settings)):
        return Judgement(content=draft.content, verdict=by_rule, memory=memory, reason=reason, chance=1.0, sure=True)
    if draft.language != memory.language:
        return Judgement(content=draft.content, verdict=by_rule, memory=memory, reason=reason, chance=1.0, sure=False)
    if excludes(new, pair.old) and draft.subject == memory.subject and not draft.replaces:
        reason = "another value of what does not change"
        return Judgement(
            content=draft.content, verdict=Verdict.CONFLICT, memory=memory, reason=reason, chance=1.0, sure=True
        )
    return _learned(pair, vectors, settings) if nearest else None


def _doubted(pair: _Pair, reason: str, vectors: tuple[Vector, Vector] | None, settings: RememberSettings) -> bool:
    """Whether a rule that finds the memory ended goes too far: another thing is meant, or only a value differs and what
    was learned sees no end in it."""
    if sets_right(pair.draft, pair.memory):
        return False
    if _other_thing(pair):
        return True
    if pair.told is not None:
        return not (pair.draft.replaces or _excludes(pair)) and pair.told.ends < DENIED
    least = settings.overtake_point * REVALUED
    return reason.startswith("another ") and relate(pair.new, pair.old, vectors).ends < least


def _excludes(pair: _Pair) -> bool:
    """Whether both cannot be: a diet given up or taken up again, the home before a move that is done, a state that the
    news names as over."""
    new, old, words = pair.draft.slot, pair.memory.slot, pack(pair.draft.language)
    if new is None or old is None:
        revised = revises(pair.draft, pair.memory)
        return revised is not None and revised.named
    if (new.subject, new.attribute) != (old.subject, old.attribute):
        return False
    if new.value == old.value and _opposed(pair):
        return True
    return new.attribute in EXCLUSIVE or (new.attribute in DONE and takes_up(new.attribute, pair.draft.content, words))


def _stands(verdict: Verdict, reason: str) -> bool:
    if verdict in CERTAIN or verdict is Verdict.UNSURE:
        return True
    if verdict is Verdict.CONFLICT:
        return reason.endswith("does not change")
    return verdict is Verdict.COMPATIBLE and reason.startswith(("another ", "new "))


def _learned(pair: _Pair, vectors: tuple[Vector, Vector] | None, settings: RememberSettings) -> Judgement:
    relation = relate(pair.new, pair.old, vectors, pair.told)
    chances = _possible(pair, relation.chances)
    best = max(chances, key=lambda one: chances[one])
    ending = best in (Verdict.UPDATE, Verdict.RETRACT)
    acts = relation.ends >= settings.end_point or _another_taste(pair) if ending else relation.acts >= ACTS
    anchored = (pair.told is not None and best is not Verdict.CONFLICT) or _anchored(pair)
    sure = chances[best] >= _least(best, settings) and acts and anchored
    return Judgement(
        content=pair.draft.content,
        verdict=best,
        memory=pair.memory,
        reason=f"learned, {chances[best]:.2f}",
        chance=chances[best],
        sure=sure,
        overtakes=not (sure and ending) and _overtakes(pair, relation.ends, settings),
    )


def _possible(pair: _Pair, chances: Mapping[Verdict, float]) -> dict[Verdict, float]:
    """Without the verdicts that cannot be; the chance of one goes to what it is then."""
    possible = {one: one not in POSSIBLE or POSSIBLE[one](pair) for one in chances}
    found = dict(chances)
    for gone, instead, where in INSTEAD:
        if instead in found and not possible[gone] and where(pair):
            found[instead] += found.pop(gone)
    return {one: chance for one, chance in found.items() if possible[one]}


def _read(pair: _Pair) -> bool:
    return pair.told is not None


def _denied(pair: _Pair) -> bool:
    return _read(pair) and _opposed(pair)


def _opposed(pair: _Pair) -> bool:
    """Whether one denies and the other does not, by a word of denial or one that denies by itself ("a non-smoker")."""
    return _denies(pair.draft) is not _denies(pair.memory)


def _denies(statement: Draft | MemoryEntry) -> bool:
    words = pack(statement.language)
    if words.matcher("denying_denied").search(statement.content):
        return False
    return statement.polarity is Polarity.NEGATIVE or bool(words.matcher("denying").search(statement.content))


def _valued_anew(pair: _Pair) -> bool:
    """Whether it gives another value of what has one at a time, and may change."""
    for_good = "fixed" in pair.new.cues & pair.old.cues
    return another_value(pair.new, pair.old) and not for_good and not _other_thing(pair)


def _changed(pair: _Pair) -> bool:
    """Whether it is told as of now, against what was: another value, another taste, or a word of change."""
    turned = _opposed(pair) and bool(pair.new.cues & TURNING - pair.old.cues)
    return _valued_anew(pair) or turned or _another_taste(pair)


def _another_taste(pair: _Pair) -> bool:
    """Whether it is liked what was not, or the other way round: of two tastes the later holds."""
    tastes = pair.draft.kind is pair.memory.kind is Kind.PREFERENCE and pair.draft.subject == pair.memory.subject
    shared = len(pair.new.terms & pair.old.terms)
    return tastes and _opposed(pair) and shared * 2 >= max(len(pair.new.terms), len(pair.old.terms), 1)


def _retold(pair: _Pair) -> bool:
    """Whether the user says to have told it before, and gives no other value."""
    told = pack(pair.draft.language).matcher("retold").search(pair.new.text)
    return bool(told) and not (pair.draft.replaces or another_value(pair.new, pair.old))


def _least(verdict: Verdict, settings: RememberSettings) -> float:
    match verdict:
        case Verdict.UPDATE:
            return settings.update_point
        case Verdict.DUPLICATE:
            return settings.duplicate_point
        case Verdict.CONFLICT:
            return settings.conflict_point
        case Verdict.RETRACT:
            return settings.retract_point
        case Verdict.UNSURE:
            return settings.unsure_point
    return 0.0


def _anchored(pair: _Pair) -> bool:
    """Whether both name the same thing, other than somebody, or fill in the same attribute."""
    words = pack(pair.draft.language)
    called = [one.name for one in (*pair.draft.entities, *pair.memory.entities) if one.type == "person"]
    people = {term for name in called for term in query_terms(name)}
    plain = [name for name in ("change_weak", "weak", "stop", "kin") if name in words.words]
    shared = {one for one in (pair.new.terms & pair.old.terms) - people if not any(words.has(n, one) for n in plain)}
    return bool(shared or {one.place for one in pair.new.filled} & {one.place for one in pair.old.filled})


# ------------------------------------------------------ what cannot be


def _may_repeat(pair: _Pair) -> bool:
    differs = pair.new.names and pair.old.names and not pair.new.names & pair.old.names
    mine, theirs = ({one.number for one in said.counted} for said in (pair.new, pair.old))
    same_numbers = exact(pair.draft) <= exact(pair.memory) and not (mine and theirs and mine.isdisjoint(theirs))
    of_one = pair.new.kin - ROLES == pair.old.kin - ROLES and not apart(pair.draft, pair.memory)
    return not differs and same_numbers and of_one and not _other_thing(pair) and _same_moment(pair)


def _same_moment(pair: _Pair) -> bool:
    return not other_time(pair.draft, pair.memory) and not _opposed(pair)


def _may_update(pair: _Pair) -> bool:
    if (
        pair.draft.source.at < said_at(pair.memory, pair.draft)
        or "ask" in pair.new.cues
        or not (still_holds(pair.memory) or pair.draft.replaces)
    ):
        return False
    if _says_again(pair) or _retold(pair) or _only_silences(pair):
        return False
    trusted = TRUST_ORDER[pair.draft.trust] >= TRUST_ORDER[pair.memory.trust] or pair.draft.replaces
    news = pair.told is not None or bool(pair.new.cues & CHANGING)
    return trusted and news and _same_matter(pair)


def _says_again(pair: _Pair) -> bool:
    """Whether it has all that the memory says and no word of a change: "forgot to say, I'm left-handed"."""
    mine, theirs = set(query_terms(pair.draft.content)), set(query_terms(pair.memory.content))
    alike = not _opposed(pair) and pair.draft.modality is pair.memory.modality
    return alike and theirs <= mine and not pair.new.cues & (CHANGES - pair.old.cues)


def _same_matter(pair: _Pair) -> bool:
    """Whether both are of the same person and, as far as words tell, of the same thing; where the tuned layers were
    asked, they have weighed the thing."""
    aside = begins_later(pair.draft, pair.memory) or stays_beside(pair.draft, pair.memory)
    if aside or apart(pair.draft, pair.memory):
        return False
    return pair.told is not None or not _other_thing(pair)


def _overtakes(pair: _Pair, ends: float, settings: RememberSettings) -> bool:
    """Whether the memory probably holds no more: less is asked where both name the same thing, least where they give
    it other values."""
    if _elsewhere(pair):
        return _may_overtake(pair)
    least = settings.overtake_point if pair.told is not None or _anchored(pair) else settings.end_point
    if another_value(pair.new, pair.old):
        least = settings.overtake_point * REVALUED
    return ends >= least and _may_overtake(pair)


def _elsewhere(pair: _Pair) -> bool:
    """Whether both tell where one person lives, and each another place: of nine such homes in worlds
    held aside, eight were over, whatever the layers said."""
    mine, theirs = ({one.place: one.value for one in side.filled} for side in (pair.new, pair.old))
    places = [place for place in mine.keys() & theirs.keys() if place[0] in OF_PEOPLE]
    same = pair.draft.subject == pair.memory.subject
    return same and any(mine[place] != theirs[place] for place in places)


def _may_overtake(pair: _Pair) -> bool:
    """Whether it may say what holds now in place of the memory: told as so, later, by who may, of the same thing."""
    if pair.draft.source.at <= said_at(pair.memory, pair.draft) or pair.new.cues & DOUBTFUL:
        return False
    told = pair.draft.modality in (Modality.ASSERTED, Modality.QUOTED, pair.memory.modality)
    return told and _same_matter(pair) and not outranked(pair.draft, pair.memory)


def _may_conflict(pair: _Pair) -> bool:
    """Whether both claim something for the same time, and neither is a later value of what changes."""
    if pair.draft.source.at < said_at(pair.memory, pair.draft) or _each_to_come(pair):
        return False
    if _changed(pair) and _may_update(pair):
        return False
    return not _other_thing(pair) and _same_matter(pair) and "ask" not in pair.new.cues


def _each_to_come(pair: _Pair) -> bool:
    """Whether each is meant for a time of its own: who works late tomorrow may do so the day after."""
    planned = pair.draft.modality is pair.memory.modality is Modality.PLANNED
    return planned and other_time(pair.draft, pair.memory)


def _may_retract(pair: _Pair) -> bool:
    """Whether the words ask for it; who gives another value takes nothing back, nor who asks not to forget,
    nor somebody else ("she's asked for no more teapots")."""
    asks = pair.draft.subject == "user" and "retract" in cues(pair.draft.source.quote, pair.draft.language)
    if not asks or another_value(pair.new, pair.old):
        return False
    return not only_reminds(pair.new.text) and not _only_silences(pair) and not apart(pair.draft, pair.memory)


def _only_silences(pair: _Pair) -> bool:
    """Whether it asks not to speak of something to the user: what is known of that stays so."""
    return bool(pack(pair.draft.language).matcher("not_to_mention").search(pair.new.text))


def _may_doubt(pair: _Pair) -> bool:
    return bool(pair.new.cues & {"hedge", "hearsay", "ask"}) or bool(pair.new.names & pair.old.names)


def _other_thing(pair: _Pair) -> bool:
    """Whether each speaks of another of several like things, or the old one of what was, and the new one of now."""
    past = "before" in pair.old.cues and "now" not in pair.old.cues and "before" not in pair.new.cues
    apart = contrast(pair.new, pair.old) or each_anew(pair.new, pair.old)
    return ("correction" not in pair.new.cues and apart) or past


CHANGES = frozenset({"changed", "ended", "done", "before", "correction", "retract"})
"""Cues without which what says the same again changes nothing."""
TURNING = frozenset({"changed", "ended", "now"})
"""Cues of a turn, of which what says the opposite does not contradict what was."""
CHANGING = frozenset({"changed", "ended", "done", "correction", "start", "now"})
"""Cues without one of which nothing is news about what was."""
ROLES = frozenset({"work"})
"""Of whom words speak that tell as often what the user is ("a physics teacher")."""
POSSIBLE: Mapping[Verdict, Callable[[_Pair], bool]] = {
    Verdict.DUPLICATE: _may_repeat,
    Verdict.UPDATE: _may_update,
    Verdict.CONFLICT: _may_conflict,
    Verdict.RETRACT: _may_retract,
    Verdict.UNSURE: _may_doubt,
}
INSTEAD: tuple[tuple[Verdict, Verdict, Callable[[_Pair], bool]], ...] = (
    (Verdict.DUPLICATE, Verdict.CONFLICT, _denied),
    (Verdict.RETRACT, Verdict.UPDATE, _read),
    (Verdict.CONFLICT, Verdict.UPDATE, _changed),
    (Verdict.UPDATE, Verdict.DUPLICATE, _retold),
)
"""What cannot be, what it is then, and where: what says the same, but denies it, contradicts; what would be taken back
without a word that asks for it is over; another value of what has one is the later one; what was told before, by the
user's own words, is told again."""
