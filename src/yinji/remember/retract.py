"""What a turn asks to forget ("forget my weight"), and which memories are meant by it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from yinji.language.packs import Pack, pack
from yinji.language.text import detect, query_terms
from yinji.model import HOLDS, MemoryEntry
from yinji.remember.whose import whose

_MARKS = ",.;!\uff0c\u3002\uff1b\uff01"
MEANT_SHARE = 0.6
"""Share of the words of what is to be forgotten that a memory must have."""
MOST = 12
"""Memories that one request may mean where it does not ask for all of them."""
STEM, LONGER = 5, 4
"""Letters that two English words must share to be of one stem, and by how many their lengths may differ."""


def asks_to_forget(text: str) -> bool:
    """Whether it asks that something said be forgotten; who says "don't forget" does not."""
    return bool(pack(detect(text)).matcher("retraction").search(text.strip()))


def only_reminds(text: str) -> bool:
    """Whether it speaks of forgetting and does not ask for it: "don't forget the dentist", "I always forget keys"."""
    return bool(pack(detect(text)).matcher("reminder").search(text)) and not asks_to_forget(text)


def had_by_user(text: str, known: Callable[[str], Iterable[MemoryEntry]]) -> list[MemoryEntry]:
    """What is meant by a request to delete something that does not say of what is remembered ("delete the licence
    plate"): memories that call it the user's, in these words. ``known``: those that a text may mean."""
    words = pack(detect(text))
    asked = next((found for one in words.matchers("retraction_named") if (found := one.search(text))), None)
    if asked is None:
        return []
    users, joint = words.tables["person"]["users"], " " if words.language == "en" else ""
    own = f"{users}{joint}{asked['what'].strip()}".lower()
    return [one for one in known(text) if own in one.content.lower() and one.language == words.language]


def meant(text: str, known: Sequence[MemoryEntry], latest: Sequence[MemoryEntry]) -> list[MemoryEntry]:
    """Which memories are meant; none when that is not clear.

    ``known``: memories that may be, those that were superseded too. ``latest``: those of the turn before, which "that"
    may mean.
    """
    words = pack(detect(text))
    if attribute := attribute_of(text):
        found = [one for one in known if one.slot is not None and one.slot.attribute == attribute]
        if found := [one for one in found if one.subject == "user"]:
            return found
    named = sought(_request(text, words), words)
    wanted = named or sought(text, words)
    last = bool(words.matcher("retract_last").search(text))
    if not wanted:
        return list(latest) if last else []
    shares = [(covered(wanted, one), one) for one in known]
    every = words.matcher("retract_all").search(text)
    if found := _of_whom(text, [one for share, one in shares if share == 1], words):
        found = [*found, *_same_breath(found, wanted, known)]
        return found if every or len(found) <= MOST else []
    shares = [(share, one) for share, one in shares if one.validity in HOLDS]
    best = max((share for share, _ in shares), default=0.0)
    if best < MEANT_SHARE:
        return _told_before(text, wanted, known, words) or (list(latest) if last and not named else [])
    found = _of_whom(text, [one for share, one in shares if share >= (MEANT_SHARE if every else best)], words)
    return found if every or len(found) == 1 else []


def covered(wanted: set[str], memory: MemoryEntry) -> float:
    """How much of what is to be forgotten it has, 0 to 1."""
    had = set(query_terms(memory.content))
    return sum(has_term(had, one) for one in wanted) / len(wanted)


def has_term(had: set[str], term: str) -> bool:
    if term in had or not term.isascii():
        return term in had
    alike = (one for one in had if one.isascii() and one[:STEM] == term[:STEM] and abs(len(one) - len(term)) <= LONGER)
    return len(term) >= STEM and any(min(len(one), len(term)) >= STEM + 1 for one in alike)


def _of_whom(text: str, found: Sequence[MemoryEntry], words: Pack) -> list[MemoryEntry]:
    """Without what is told of somebody whom the request does not name, where something of the user is meant as well."""
    own = [one for one in found if not whose(one).another or whose(one).named_in(text)]
    return own if own or words.matcher("retract_own").search(text) else list(found)


def _same_breath(found: Sequence[MemoryEntry], wanted: set[str], known: Sequence[MemoryEntry]) -> list[MemoryEntry]:
    """What was said with it, of the same thing: "failed the Shell interview, Shell never wrote back"."""
    turns = {source.turn_id for one in found for source in one.sources}
    others = [one for one in known if one not in found and any(source.turn_id in turns for source in one.sources)]
    return [one for one in others if any(has_term(set(query_terms(one.content)), term) for term in wanted)]


def _request(text: str, words: Pack) -> str:
    """The part of it that asks; what stands behind a comma gives a reason."""
    text = text.strip()
    asks = words.matcher("retraction").search(text)
    if asks is None:
        return text
    end = next((at for at in range(max(asks.end() - 1, 0), len(text)) if text[at] in _MARKS), len(text))
    start = next((at + 1 for at in range(asks.start() - 1, -1, -1) if text[at] in _MARKS), 0)
    return text[start:end]


def _told_before(text: str, wanted: set[str], known: Sequence[MemoryEntry], words: Pack) -> list[MemoryEntry]:
    """What "what I said about the running plan" means: the one memory of it that there is, told in other words."""
    if not words.matcher("retract_about").search(text):
        return []
    stems = [_stems(word, words) for word in wanted]
    terms = [(one, set(query_terms(one.content))) for one in known if one.validity in HOLDS]
    found = [one for one, said in terms if all(said & stem for stem in stems)]
    return found if len(found) == 1 else []


def _stems(word: str, words: Pack) -> set[str]:
    """The word, and in Chinese the verb alone of a verb with its object (跑步, 跑)."""
    verb = words.matcher("verb_with_object").fullmatch(word)
    return {word, verb["verb"]} if verb else {word}


def attribute_of(text: str) -> str | None:
    """The attribute of the user that it names ("where I live"); None when it names none."""
    words = pack(detect(text))
    for pattern, attribute in words.tables["retract_attribute"].items():
        if pattern in text.lower():
            return attribute
    return None


def about(text: str) -> str:
    """What the request is about, in its words: to look up what may be meant."""
    words = pack(detect(text))
    return words.matcher("retract_words").sub(" ", _request(text, words) if names(text) else text).strip()


def names(text: str) -> bool:
    """Whether the request itself names what is to be forgotten: "please forget all that" does not."""
    words = pack(detect(text))
    return bool(attribute_of(text) or sought(_request(text, words), words))


def sought(text: str, words: Pack) -> set[str]:
    """The words that say what is to be forgotten; single characters tell nothing."""
    plain = words.matcher("retract_words").sub(" ", text)
    return {term for term in query_terms(plain) if len(term) > 1 and not words.has("change_weak", term)}
