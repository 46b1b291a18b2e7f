"""What a turn asks to forget ("forget my weight"), and which memories are meant by it."""

from __future__ import annotations

from collections.abc import Sequence

from yinji.language.packs import Pack, pack
from yinji.language.text import detect, query_terms
from yinji.model import MemoryEntry

_MARKS = ",.;!\uff0c\u3002\uff1b\uff01"
MEANT_SHARE = 0.6
"""Share of the words of what is to be forgotten that a memory must have."""


def asks_to_forget(text: str) -> bool:
    """Whether it asks that something said be forgotten."""
    return bool(pack(detect(text)).matcher("retraction").search(text))


def meant(text: str, known: Sequence[MemoryEntry], latest: Sequence[MemoryEntry]) -> list[MemoryEntry]:
    """Which memories are meant; none when that is not clear.

    ``known``: current memories that may be. ``latest``: those of the turn before, which "that" may mean.
    """
    words = pack(detect(text))
    if attribute := attribute_of(text):
        found = [one for one in known if one.slot is not None and one.slot.attribute == attribute]
        if found := [one for one in found if one.subject == "user"]:
            return found
    named = _wanted(_request(text, words), words)
    wanted = named or _wanted(text, words)
    if not wanted:
        return list(latest) if words.matcher("retract_last").search(text) else []
    shares = [(len(wanted & set(query_terms(one.content))) / len(wanted), one) for one in known]
    best = max((share for share, _ in shares), default=0.0)
    if best < MEANT_SHARE and (told := _told_before(text, wanted, known, words)):
        return told
    if best < MEANT_SHARE:
        return list(latest) if not named and words.matcher("retract_last").search(text) else []
    every = words.matcher("retract_all").search(text)
    found = [one for share, one in shares if share >= (MEANT_SHARE if every else best)]
    return found if every or len(found) == 1 else []


def _request(text: str, words: Pack) -> str:
    """The part of it that asks; what stands behind a comma gives a reason."""
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
    terms = [(one, set(query_terms(one.content))) for one in known]
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


def _wanted(text: str, words: Pack) -> set[str]:
    """The words that say what is to be forgotten; single characters tell nothing."""
    plain = words.matcher("retract_words").sub(" ", text)
    return {term for term in query_terms(plain) if len(term) > 1 and not words.has("change_weak", term)}
