"""States that end with news of another kind: who is back at work is no longer off sick, who parted has no partner.

Each is a pair of what the news says and what the memory says; both must be of the same person or thing, which the
news names in its own words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from yinji.language.kin import with_one_kin
from yinji.language.packs import Pack, pack
from yinji.language.text import query_terms
from yinji.model import Draft, Kind, MemoryEntry, Modality, Polarity
from yinji.remember.whose import apart

LASTING = (Modality.ASSERTED, Modality.PLANNED)
"""What may hold, or be meant, until news ends it."""
OF_COUPLES = frozenset({"name", "marital", "residence"})
"""Attributes that tell of somebody as a partner."""
DONE = ("residence", "employer")
"""Attributes that a plan may tell, that become so when it is done, and that may be over without being named."""
INITIALS = re.compile(r"[A-Z]{2,4}")
"""How a name of several words is put short."""
NEWS = (
    "state_over",
    "parting",
    "gone",
    "lost",
    "is_off",
    "healed",
    "resumed",
    "child_born",
    "child_lost",
    "over_residence",
    "over_employer",
    "done_residence",
    "done_employer",
    "back_in",
)
"""Patterns of news that a memory may answer to."""
UNDONE = (("healed", "hurt"), ("resumed", "given_up"))
"""Patterns of news that names what it is about, each with that of what is over then."""
Ends = Callable[[Draft, MemoryEntry, Pack], str | None]


def ended_state(draft: Draft, memory: MemoryEntry, words: Pack) -> str | None:
    """Why the news ends what the memory tells as lasting; None when it does not."""
    if draft.modality is not Modality.ASSERTED and memory.kind is not Kind.PROCEDURE:
        return None
    if memory.modality not in LASTING or memory.polarity is Polarity.NEGATIVE:
        return None
    return next((reason for ends in ENDS if (reason := ends(draft, memory, words)) is not None), None)


def of_two(draft: Draft, memory: MemoryEntry) -> str | None:
    """Why news of a couple ends what the memory tells of either of them: they parted, the child is born or lost."""
    if draft.language != memory.language or draft.modality is not Modality.ASSERTED:
        return None
    if memory.modality not in LASTING or memory.polarity is Polarity.NEGATIVE:
        return None
    words = pack(draft.language)
    return _parted(draft, memory, words) or _born_or_lost(draft, memory, words)


def is_undone(draft: Draft, memory: MemoryEntry) -> str | None:
    """Why what befell somebody, or what they did away with, is so no more: the wrist has healed, they smoke again."""
    if draft.modality is not Modality.ASSERTED or draft.polarity is Polarity.NEGATIVE:
        return None
    if memory.modality is not Modality.ASSERTED:
        return None
    words, of_another = pack(draft.language), apart(draft, memory)
    for news, before in UNDONE:
        if not words.matcher(before).search(memory.content):
            continue
        for match in (one for matcher in words.matchers(news) for one in matcher.finditer(draft.content)):
            owned = bool(match.groupdict().get("whose"))
            if _has_all(memory, match["what"]) and (owned or not of_another):
                return f"{match['what'].strip()}: it is over"
    return None


def takes_back(draft: Draft, memory: MemoryEntry) -> bool:
    """Whether it only says that what was asked for is asked for no more ("don't call me Pebble any more")."""
    if memory.kind is not Kind.PROCEDURE or draft.language != memory.language:
        return False
    words, quote = pack(draft.language), draft.source.quote
    found = (
        one for name in ("demand_off", "demand_over") for each in words.matchers(name) for one in each.finditer(quote)
    )
    return any(_tells_of(memory, one["what"]) and not _more(quote, one, memory, words) for one in found)


def _more(quote: str, taken: re.Match[str], memory: MemoryEntry, words: Pack) -> set[str]:
    """Telling words of what is said around a request that is taken back, and not in the request."""
    rest = f"{quote[: taken.start()]} {quote[taken.end() :]}"
    telling = {term for term in query_terms(rest) if len(term) > 1 and not words.has("change_weak", term)}
    return telling - set(query_terms(memory.content))


def may_end(text: str, language: str) -> bool:
    """Whether it may be news that ends a state or makes a plan so, however little it says by itself."""
    words = pack(language)
    return any(matcher.search(text) for name in NEWS for matcher in words.matchers(name))


def stays_beside(draft: Draft, memory: MemoryEntry) -> bool:
    """Whether the news is only for a while and the memory for good, or of a journey that comes to nothing and of where
    somebody lives or works."""
    words = pack(draft.language)
    if words.matcher("for_a_while").search(draft.source.quote) and memory.modality is Modality.ASSERTED:
        return not words.matcher("for_a_while").search(memory.content)
    if not words.matcher("journey_off").search(draft.content) or words.matcher("moves").search(draft.content):
        return False
    return memory.modality is Modality.ASSERTED and bool(words.matcher("resides").search(memory.content))


def one_of_several(what: str, content: str, words: Pack) -> bool:
    """Whether what is over is named in the memory beside others of its kind ("two cats, Miso and Taro")."""
    said, told = what.strip().casefold(), content.casefold()
    at = told.find(said)
    if not said or at < 0:
        return False
    before, behind = told[:at], told[at + len(said) :]
    return bool(words.matcher("joint_before").search(before) or words.matcher("joint_behind").match(behind))


def _no_more(draft: Draft, memory: MemoryEntry, words: Pack) -> str | None:
    """What was asked for is asked for no more ("no more quotations, please")."""
    if memory.kind is not Kind.PROCEDURE:
        return None
    name = "demand_off" if draft.kind is Kind.PROCEDURE else "demand_over"
    found = (one for matcher in words.matchers(name) for one in matcher.finditer(draft.source.quote))
    return "it is asked for no more" if any(_tells_of(memory, one["what"]) for one in found) else None


def _undone(draft: Draft, memory: MemoryEntry, words: Pack) -> str | None:
    """Back at work, together again: the opposite of what was."""
    if draft.subject != memory.subject or draft.polarity is Polarity.NEGATIVE or _elsewhere(draft, memory):
        return None
    for news, state in _pairs(words.language):
        if news.search(draft.content) and state.search(memory.content) and not state.search(draft.content):
            return "it is over"
    return None


def _elsewhere(draft: Draft, memory: MemoryEntry) -> bool:
    """Whether each names a place and the memory not that of the news: the tickets to Oslo are not those to Berlin."""
    mine, theirs = ({one.name.casefold() for one in side.entities if one.type == "place"} for side in (draft, memory))
    return bool(mine and theirs) and mine.isdisjoint(theirs)


@cache
def _pairs(language: str) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    words = pack(language)
    return tuple(zip(words.matchers("state_over"), words.matchers("state"), strict=True))


def _parted(draft: Draft, memory: MemoryEntry, words: Pack) -> str | None:
    """Who parted from somebody has them no longer: the memory tells of them as the partner."""
    match = words.matcher("parting").search(draft.content)
    if memory.slot is not None and memory.slot.attribute not in OF_COUPLES:
        return None  # what somebody likes or is allergic to outlasts the couple
    if match is None or draft.polarity is Polarity.NEGATIVE or words.matcher("parting").search(memory.content):
        return None
    told = with_one_kin(memory.content.casefold(), words)
    partners = {one[0] for one in words.matcher("partner").finditer(told)}
    news = with_one_kin(draft.content.casefold(), words)
    named = {one.name.casefold() for one in draft.entities if one.type == "person"}
    kin = {one[0] for one in words.matcher("partner").finditer(news)}
    if not partners or (kin and not kin & partners):
        return None
    if words.matcher("user_self").search(news):
        known = bool(named or kin or words.matcher("own_partner").search(told))
    else:  # of one name there may be two: both that parted must be named, or be the same relative
        relative = bool(words.matcher("anybody").search(draft.subject)) and draft.subject == memory.subject
        known = len(named) > 1 or (relative and memory.modality is Modality.ASSERTED)
    return "they parted" if known and all(one in told for one in named) else None


def _born_or_lost(draft: Draft, memory: MemoryEntry, words: Pack) -> str | None:
    """Who gave birth or lost the child is expecting no more: the same person, or the user's partner by the user's
    word."""
    expecting = words.matcher("expecting")
    if expecting.search(draft.content) or not expecting.search(memory.content):
        return None
    born = draft.polarity is not Polarity.NEGATIVE and words.matcher("child_born").search(draft.content)
    if not born and not words.matcher("child_lost").search(draft.content):
        return None
    told = with_one_kin(memory.content.casefold(), words)
    of_couple = memory.subject == "user" or bool(words.matcher("own_partner").search(told))
    unnamed = words.matcher("somebody_unnamed").fullmatch(draft.subject.casefold())
    own = draft.subject == "user" or bool(unnamed or words.matcher("own_child").search(draft.content))
    return "the child is born or lost" if draft.subject == memory.subject or (own and of_couple) else None


def _called_off(draft: Draft, memory: MemoryEntry, words: Pack) -> str | None:
    """What was planned is off."""
    if not _to_come(draft, memory, words):
        return None
    found = (one for matcher in words.matchers("is_off") for one in matcher.finditer(draft.content))
    what = next((one["what"].strip() for one in found if _tells_of(memory, one["what"])), None)
    return f"{what} is off" if what is not None else None


def _to_come(draft: Draft, memory: MemoryEntry, words: Pack) -> bool:
    """Whether the memory tells of what was still to come when the news was told."""
    if memory.modality is Modality.PLANNED:
        return True
    until = memory.valid.end if memory.valid is not None else None
    ahead = until is not None and until > draft.source.at and memory.kind is Kind.EVENT
    return ahead or bool(words.matcher("still_to_come").search(memory.content))


def _gone(draft: Draft, memory: MemoryEntry, words: Pack) -> str | None:
    """What died or ran away is not kept any longer."""
    found = (words.matcher(name).search(draft.content) for name in ("gone", "lost"))
    match = next((one for one in found if one is not None), None)
    if match is None or not words.matcher("keeping").search(memory.content):
        return None
    if one_of_several(match["what"], memory.content, words):
        return None
    return f"{match['what'].strip()} is gone" if _tells_of(memory, match["what"]) else None


def _lost(draft: Draft, memory: MemoryEntry, words: Pack) -> str | None:
    """A job or a home is over that is not named: "they let me go", 退租了; not one that ended before it was told."""
    slot = memory.slot
    if slot is None or slot.attribute not in DONE or draft.subject != memory.subject:
        return None
    match = words.matcher(f"over_{slot.attribute}").search(draft.content)
    before = draft.valid is not None and draft.valid.end is not None and draft.valid.end <= memory.recorded_at
    if match is None or before or draft.polarity is Polarity.NEGATIVE:
        return None
    named = match.groupdict().get("what")
    return "it is over" if not named or _tells_of(memory, named) else None


def _has_all(memory: MemoryEntry, what: str) -> bool:
    """Whether all of its terms stand in the memory, be they parts of other words there."""
    told, terms = memory.content.casefold(), query_terms(what)
    if memory.language == "zh":
        return bool(terms) and all(term in told for term in terms)
    return _tells_of(memory, what)


def _tells_of(memory: MemoryEntry, what: str) -> bool:
    """Whether it has all the telling words, of which there must be some, or a name of those initials ("NZ")."""
    if INITIALS.fullmatch(what.strip()):
        named = re.findall(r"(?:[A-Z]\w+ ?){2,}", memory.content)
        if any(what.strip() == "".join(word[0] for word in name.split()) for name in named):
            return True
    telling = {term for term in query_terms(what) if len(term) > 1}
    return bool(telling) and telling <= set(query_terms(memory.content))


ENDS: tuple[Ends, ...] = (_no_more, _undone, _called_off, _gone, _lost)
