"""What a correction says in full: "it isn't 40, it's 36" and "no, Friday" name only what was wrong or right."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from yinji.language.packs import Pack, pack
from yinji.language.text import query_terms, sentences
from yinji.model import Misstated
from yinji.remember.mend import Mended, another_role, exchanged, mended, respelt
from yinji.remember.values import Value, values

SHORT = 8
"""Characters, or half as many words, up to which what is denied and what is put for it are only values."""
RECENT = 3
"""Sentences back of which what is set right may be."""
_FIGURES = re.compile(r"\d+(?:[.,]\d+)*")
_EDGES = " 。.!！，,；;…"


@dataclass(frozen=True, kw_only=True, slots=True)
class Corrected:
    """What the sentence says once it is told in full."""

    text: str
    rest: int
    """Where in the sentence what does not belong to the correction goes on; its length when nothing does."""
    of: Misstated | None = None
    """What was said before, where that is told again with what is right."""


def only_opens(text: str, language: str) -> bool:
    """Whether it says no more than that something said before was wrong."""
    return bool(pack(language).matcher("correction_only").match(text.strip()))


def opens(text: str, language: str) -> bool:
    """Whether it opens by saying that something was wrong."""
    return bool(pack(language).matcher("correction_opening").match(text.strip()))


def correct(text: str, before: Sequence[str], language: str, *, announced: bool = False) -> Corrected | None:
    """The correction in full; None when it is none, or what it corrects is not clear.

    ``announced``: the sentence before said that something was wrong. ``before``: what was said, oldest first.
    """
    words = pack(language)
    opening = words.matcher("correction_opening").match(text)
    at = opening.end() if opening and opening.end() < len(text) else 0
    said = _without_remark(text[at:], words)
    announced = announced or len(said) < len(text) - at
    if (named := _spelt_anew(said, before, words)) is not None:
        return replace(named, rest=len(text))
    if (other := _other_said(said, words, sure=bool(at) or announced) or _other_meant(said, before, words)) is not None:
        return Corrected(text=other, rest=len(text))
    for matcher in words.matchers("correct_whole"):
        if match := matcher.match(said):
            told = _told(match, before, words, sure=bool(at) or announced)
            if told is not None:
                return replace(told, rest=_after(text, at + match.end()))
    wrong = bool(at) or announced or bool(words.matcher("correct_self").match(said))
    if wrong and not words.matcher("mend_more").search(said):
        return _in_part(said, before, words, text) or _bare(said, before, words, len(text))
    return None


def _in_part(said: str, before: Sequence[str], words: Pack, text: str) -> Corrected | None:
    """What was said, told again with the part of it that is given anew."""
    part = words.matcher("mend_end").split(words.matcher("spelt_out").sub("", said), maxsplit=1)[0]
    for number, earlier in enumerate(islice(_latest(before), RECENT)):
        told = earlier.strip(_EDGES)
        found = another_role(part, told, words) or mended(part, told, words, last=not number)
        if found is not None:
            return Corrected(text=found.text, rest=_after(text, len(text) - len(said) + len(part)), of=found.of)
    return None


def _spelt_anew(said: str, before: Sequence[str], words: Pack) -> Corrected | None:
    """What was said with a name spelt otherwise: "it's Kathryn with a K", 是皓月的皓，不是浩瀚的浩."""
    char = words.first_match("char_exchanged", said.strip())
    if char is not None and (earlier := _replaced(char["old"], char["new"], before, words)) is not None:
        return Corrected(text=earlier.text, rest=0, of=earlier.of)
    bare = words.matcher("spelt_out").sub("", said.strip())
    name = words.matcher("name_spelt").match(bare)
    if name is None or bare == said.strip():
        return None
    spelt = (respelt(name["new"], one.strip(_EDGES), words) for one in islice(_latest(before), RECENT))
    anew = next((one for one in spelt if one is not None), None)
    return Corrected(text=anew.text, rest=0, of=anew.of) if anew is not None else None


def _other_said(said: str, words: Pack, *, sure: bool) -> str | None:
    """What was meant by what is quoted as said wrong: "I told you my dad's 71, he's 72"."""
    match = words.matcher("said_wrong").match(said)
    if match is None or not (sure or any(match.groupdict().get(one) for one in ("when", "before", "truly"))):
        return None
    quoted, meant = match["said"].strip(), match["meant"].strip()
    numbers = list(words.matcher("one_number").finditer(quoted))
    if len(numbers) == 1 and words.matcher("one_number").fullmatch(meant):
        return f"{quoted[: numbers[0].start()]}{meant}{quoted[numbers[0].end() :]}"
    if words.matcher("same_verb").match(meant):
        return _set_right(quoted, meant, words)
    value = _bare(meant, [quoted], words, len(meant))
    return value.text if value is not None else None


def _other_meant(said: str, before: Sequence[str], words: Pack) -> str | None:
    """What is told of the one who is meant and not of the other: "it was Alfie who cried, not Poppy"."""
    match = words.first_match("cleft", said)
    if match is None:
        return None
    right, what = match["right"].strip(), match["what"].strip()
    earlier = _replaced(match["wrong"].strip(), right, before, words)
    if earlier is not None and what.split()[0].lower() in earlier.text.lower():
        return earlier.text
    return words.tables["whose"]["cleft"].format(right=right, what=what).replace(" '", "'")


def at_once(text: str, language: str) -> Corrected | None:
    """What a sentence means whose speaker sets it right in the same breath ("my dog, no, my brother's dog"); None
    when nobody does, or what should stand is not clear."""
    words = pack(language)
    match = words.matcher("same_breath").match(text)
    if match is None:
        return None
    before, mark, said = match["said"].rpartition("\uff0c")
    meant = match["meant"].strip().removeprefix(words.tables["answer"]["being"]) or match["meant"]
    told, rest = _set_right(said, meant, words), match.groupdict().get("rest") or ""
    return Corrected(text=f"{before}{mark}{told}{rest}", rest=_after(text, match.end())) if told else None


def _set_right(said: str, meant: str, words: Pack) -> str | None:
    """The clause with what was meant: a clause of its own, whose it is, another value, or another object."""
    if words.matcher("own_head").match(meant):
        of = words.matcher("head_of").match(said)
        owner = of is not None and meant[-1] == of[0][-1] and not words.matcher("head_of").match(meant)
        return f"{meant}{said[of.end() :]}" if of and owner else meant
    if (again := mended(meant, said, words, last=True) or exchanged(meant, said, words)) is not None:
        return again.text
    value = _bare(meant, [said], words, len(meant))
    if value is not None and values(meant, words):
        return value.text
    number = words.matcher("number_end").search(said)
    if number and words.matcher("number_end").match(meant[:1]):
        return f"{said[: number.start()]}{meant}"
    return value.text if value is not None else None


def denied(before: str, text: str, words: Pack) -> str | None:
    """ "It's Jayne" behind "my name isn't Jane", with what it is said of; None when it is nothing of the kind."""
    wrong, right = words.matcher("denies").match(before), words.matcher("sets_right").match(text)
    return f"{wrong['of']} {words.tables['answer']['being']} {right['new']}" if wrong and right else None


def _without_remark(said: str, words: Pack) -> str:
    remark = words.matcher("correction_remark").search(said)
    return said[: remark.start()] if remark else said


def _after(text: str, at: int) -> int:
    while at < len(text) and text[at] in _EDGES:
        at += 1
    return at


def _told(match: re.Match[str], before: Sequence[str], words: Pack, *, sure: bool) -> Corrected | None:
    head, old, new = match["head"].strip(), match["old"].strip(), match["new"].strip()
    full = Corrected(text=f"{head}{_affirmed(match, words)}{new}", rest=0)
    earlier = _replaced(old, new, before, words)
    bare = not head or _is_cleft(head, earlier, words) or bool(words.matcher("correct_no_head").fullmatch(head))
    if not bare and (sure or _alike(old, new, words)):
        return full
    if earlier is not None:
        return Corrected(text=earlier.text, rest=0, of=earlier.of)
    return full if head and sure and not words.matcher("correct_pointing").fullmatch(head) else None


def _is_cleft(head: str, earlier: Mended | None, words: Pack) -> bool:
    """Whether it only says which of what was said is meant: 过敏的, of 我对青霉素过敏."""
    if earlier is None or not words.matcher("correct_cleft").fullmatch(head):
        return False
    return set(query_terms(head)) <= set(query_terms(earlier.of.said))


def _affirmed(match: re.Match[str], words: Pack) -> str:
    groups = match.groupdict()
    if groups.get("yes"):
        return str(groups["yes"])
    found = words.matcher("affirmed").search(match["no"])
    return f" {found[0]} " if found else " "


def _alike(old: str, new: str, words: Pack) -> bool:
    """Whether one is put for the other: both are values of the same type."""
    types = [{one.type.split()[0] for one in values(text, words)} for text in (old, new)]
    return bool(types[0] & types[1])


# ------------------------------------------------------- what was said before


def _replaced(old: str, new: str, before: Sequence[str], words: Pack) -> Mended | None:
    """The latest sentence that has the old value, with the new one for it; none for what is a clause of its own."""
    if words.matcher("correct_clause").search(new):
        return None
    for said in _latest(before):
        at = _where(old, said, words)
        if at is not None:
            head, tail = said[:at], said[at + len(old) :]
            text = f"{head}{_unrepeated(_going_on(head, new), tail, words)}{tail}".strip(_EDGES)
            return Mended(text=text, of=Misstated(said=said, wrong=said[at : at + len(old)]))
    return None


def _going_on(head: str, new: str) -> str:
    """The new value without what stands before the old one already: "at NetEase" for "Alibaba"."""
    said = head.lower()
    return new[next((at for at in range(len(new) - 1, 0, -1) if said.endswith(new[:at].lower())), 0) :]


def _where(old: str, said: str, words: Pack) -> int | None:
    apart = words.language == "en" and old.isascii()
    edge, close = (r"(?<!\w)", r"(?!\w)") if apart else (r"(?<!\d)", r"(?!\d)")
    match = re.search(f"{edge}{re.escape(old)}{close}", said, re.IGNORECASE)
    return match.start() if match else None


def _unrepeated(new: str, tail: str, words: Pack) -> str:
    """The new value without the last word, when what follows the old one says it already."""
    if words.language == "zh":
        return new[:-1] if len(new) > 1 and tail[:1] == new[-1] else new
    first, _, last = new.rpartition(" ")
    return first if first and tail.lower().split()[:1] == [last.lower()] else new


def _bare(said: str, before: Sequence[str], words: Pack, end: int) -> Corrected | None:
    """A value alone, put for the only one of its type in the latest sentence that has one."""
    match = words.matcher("correct_bare").match(words.matcher("spelt_out").sub("", said.strip()))
    if match is None:
        return None
    new = values(match["new"], words)
    if not new:
        return _exchanged(match["new"].strip(), before, words, end) or _renamed(
            match["new"].strip(), before, words, end
        )
    if len(new) != 1 or len(match["new"]) - (new[0].end - new[0].start) > SHORT:
        return None
    said = match["new"][new[0].start : new[0].end]
    for earlier in _latest(before):
        alike = [one for one in values(earlier, words) if _same_type(one, new[0])]
        if len(alike) == 1 and alike[0].key != new[0].key:
            wrong = earlier[alike[0].start : alike[0].end]
            text = _led_alike(_with_unit(said, new[0], wrong, alike[0]), wrong, words)
            told = f"{earlier[: alike[0].start]}{text}{earlier[alike[0].end :]}".strip(_EDGES)
            return Corrected(text=told, rest=end, of=Misstated(said=earlier, wrong=wrong))
        if alike:
            return None
    return None


def _with_unit(new: str, put: Value, old: str, wrong: Value) -> str:
    """A number alone with the unit of the one it is put for: "83.5 kg", "$1,250"."""
    numbers = list(_FIGURES.finditer(old))
    if len(put.type.split()) >= len(wrong.type.split()) or len(numbers) != 1 or not _FIGURES.fullmatch(new):
        return new
    return f"{old[: numbers[0].start()]}{new}{old[numbers[0].end() :]}"


def _led_alike(new: str, old: str, words: Pack) -> str:
    """The new value with the word that leads to the old one: "at six", "half six"."""
    lead, _, rest = old.partition(" ")
    both = [words.has("breaks_name", one.lower()) for one in (lead, new.partition(" ")[0])]
    return f"{lead} {new}" if rest and both == [True, False] else new


def _exchanged(new: str, before: Sequence[str], words: Pack, end: int) -> Corrected | None:
    """A name put for the only one of its type in the last sentence."""
    earlier = next(_latest(before), "").strip(_EDGES)
    found = exchanged(new, earlier, words) if earlier else None
    return Corrected(text=found.text, rest=end, of=found.of) if found else None


def _renamed(new: str, before: Sequence[str], words: Pack, end: int) -> Corrected | None:
    """A name or noun put for the one with which the last sentence ends."""
    earlier = next(_latest(before), None)
    if earlier is None or words.matcher("correct_clause").search(new) or words.matcher("not_named").search(new):
        return None
    match = words.matcher("correct_earlier").fullmatch(earlier.strip(_EDGES))
    if match is None or match["old"] == new or not _same_sort(new, match["old"], words):
        return None
    told = f"{match['head']}{_going_on(match['head'], new)}"
    return Corrected(text=told, rest=end, of=Misstated(said=earlier, wrong=match["old"]))


def _same_sort(new: str, old: str, words: Pack) -> bool:
    """Whether a noun may stand for the other: one without an article, as "geography", is none of those with one."""
    article = words.matcher("article")
    return new[:1].isupper() or bool(article.match(new)) or not article.match(old)


def _same_type(one: Value, other: Value) -> bool:
    """An amount without a unit may stand for one that has one."""
    kinds = [one.type.split(), other.type.split()]
    return kinds[0][0] == kinds[1][0] and (len(kinds[0]) != len(kinds[1]) or kinds[0] == kinds[1])


def _latest(before: Sequence[str]) -> Iterator[str]:
    """Sentences said before, the latest first."""
    for text in reversed(before):
        for start, end in reversed(sentences(text)):
            yield text[start:end]
