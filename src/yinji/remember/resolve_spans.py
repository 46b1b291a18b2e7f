"""Where the noun phrases of a message are: every short run of words is scored, and the best that do not overlap stay.

The weights were learned from labelled antecedents (training/coref.py): a run counts for as much as its edges, the
words around it and what is inside say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from yinji.model import Entity
from yinji.remember.resolve_model import Learned
from yinji.remember.resolve_tokens import Token
from yinji.remember.resolve_words import pronoun_words


def _looks(named: str) -> frozenset[str]:
    return frozenset(named.split())


LONGEST = 5
LEAST = -2.0
"""Log odds below which a run is no phrase."""
APART = 2.0
"""How much less likely the second of two that overlap may be."""
_NEVER_INSIDE = _looks(". the my objects de u c p y")
_NEVER_FIRST = _NEVER_INSIDE | _looks("p c u de d r q count other z v1 y ad small prepositions 's")
_OPENS = _looks("the my q count numbers")
_FIRST_WHEN_OPENED = _looks("verb ing ed abstract_verb adverb")
_OWNED = _looks("noun nouns name listed listed_verb adjective quoted code verb_noun abstract number ing")
_NEVER_LATER = frozenset(("d", "z", "ad", "v1"))
"""Chinese words that a phrase does not go on with."""
_AFTER_VERB = _looks("number numbers the my quoted objects")
_NO_TRAIT = _looks("v new_v new_a a vn abstract")
_DONE = frozenset(("ed", "listed_verb"))
"""English words that say what somebody does, right behind who."""
_ALONE = frozenset(("abstract", "f", "t"))
"""Chinese words that open no phrase."""
_NEVER_LAST = _NEVER_INSIDE | _looks(
    "p c u de d r m q count f t y z a a1 ad v1 other small prepositions adverb verb ed adjective 's numbers"
)
CLOSED = _looks("p c u de d r f q m z v1 y count prepositions small objects numbers the my verb verb_noun . 's")
"""Classes whose very words count."""
COARSE = {
    look: coarse
    for coarse, looks in {
        "N": "n nr ns nt nz n1 j l s listed listed1 new_n latin noun nouns name name_first listed_verb code quoted "
        "named_person named_place named_organisation named_product named_device named_project",
        "V": "v v1 new_v vn verb verb_noun ing ed abstract_verb",
        "A": "a a1 b z an new_a new_z adjective",
    }.items()
    for look in looks.split()
}
_EDGE = Token(start=-1, end=-1, text="", look="^")


def runs(words: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """First word and the word after the last of every run that may be a phrase."""
    for first, head in enumerate(words):
        opened = first > 0 and words[first - 1].look in _OPENS
        if head.look == "verb_noun" and (first == 0 or words[first - 1].look == ".") and words[first + 1 : first + 2]:
            continue
        if head.look == "name_first" and words[first + 1 : first + 2] and words[first + 1].look in _AFTER_VERB:
            continue  # "Convert 12 miles"
        if head.look in _NEVER_FIRST or (head.look in _FIRST_WHEN_OPENED and not opened):
            continue
        for after in range(first + 1, min(first + LONGEST, len(words)) + 1):
            tail = words[after - 1]
            if not _goes_on(words, first, after - 1):
                break
            if after - first > 1 and tail.look == "listed" and head.look in _NO_TRAIT and is_person(tail.text):
                continue  # what somebody does or is, and who
            vague = tail.look in ("abstract", "abstract_verb") and after - first == 1 and not opened
            if tail.look not in _NEVER_LAST and not vague:
                yield first, after


def is_person(word: str) -> bool:
    """Whether a Chinese word is one for people."""
    return not word.isascii() and pronoun_words("zh").has("person", word)


def is_relative(word: Token) -> bool:
    """Whether an English word by itself is somebody."""
    return word.text.isascii() and word.look == "listed" and pronoun_words("en").has("person", word.text.lower())


def _goes_on(words: Sequence[Token], first: int, at: int) -> bool:
    """Whether a word can stand inside a phrase, after those before it."""
    look = words[at].look
    if look in _NEVER_INSIDE or (at > first and (look in _NEVER_LATER or _is_apart(words[at - 1], words[at]))):
        return False
    if at > first and words[at - 1].look == "'s" and look not in _OWNED:
        return False
    if at - 1 > first and words[at - 1].look == "verb_noun":
        return False
    if at > first and look in _DONE and is_relative(words[at - 1]):
        return False  # "uncle slipped money", "Mum plays bridge"
    if at - 1 == first and words[first].look in _ALONE and not words[first].text.isascii():
        return False
    if look in ("small", "prepositions", "verb", "adverb"):
        return at + 1 < len(words) and words[at - 1].look == words[at + 1].look == "name"
    return True


def _is_apart(first: Token, second: Token) -> bool:
    """Whether Chinese words were left out between two, or the first is a name that nothing is added to."""
    gap = second.start - first.end
    return gap > 1 or (gap == 1 and not first.text.isascii()) or (first.look == "named_device" and first.text.isascii())


def signs(words: Sequence[Token], first: int, after: int, named: Sequence[Entity]) -> list[str]:
    """What speaks for or against a run being a phrase."""
    before = words[first - 1] if first else _EDGE
    behind = words[after] if after < len(words) else _EDGE
    head, tail = words[first], words[after - 1]
    found = [
        "bias",
        f"size {after - first}",
        f"head {head.look}",
        f"tail {tail.look}",
        f"before {before.look}",
        f"behind {behind.look}",
        f"enter {before.look} {head.look}",
        f"leave {tail.look} {behind.look}",
        f"ends {head.look} {tail.look}",
    ]
    coarse = [COARSE.get(one.look, one.look) for one in (before, head, tail, behind)]
    found += [
        f"before {coarse[0]}",
        f"behind {coarse[3]}",
        f"enter {coarse[0]} {coarse[1]}",
        f"leave {coarse[2]} {coarse[3]}",
        f"around {coarse[0]} {coarse[3]}",
        f"long {min(8, tail.end - head.start)}",
    ]
    found += [f"inside {words[at].look} {words[at + 1].look}" for at in range(first, after - 1)]
    for side, word in (("w-", before), ("w+", behind), ("wh", head), ("wt", tail)):
        if word.look in CLOSED:
            found.append(f"{side} {word.text.lower()}")
    found += _of_names(head.start, tail.end, named)
    return found


def _of_names(start: int, end: int, named: Sequence[Entity]) -> Iterator[str]:
    for one in named:
        if one.start == start and one.end == end:
            yield f"is {one.type}"
        elif one.start < end and start < one.end:
            inside, around = start <= one.start and one.end <= end, one.start <= start and end <= one.end
            yield f"{'holds' if inside else 'within' if around else 'crosses'} {one.type}"


def phrases(words: Sequence[Token], named: Sequence[Entity], model: Learned) -> list[tuple[int, int, float]]:
    """The runs that are likely phrases with their log odds; of those that overlap, the likeliest two."""
    weights = model.spans
    scored = sorted(
        ((sum(weights.get(one, 0.0) for one in signs(words, *run, named)), *run) for run in runs(words)),
        key=lambda one: (-one[0], one[1], one[2]),
    )
    kept: list[tuple[float, int, int]] = []
    for score, first, after in scored:
        if score < LEAST:
            break
        over = [one for one in kept if one[1] < after and first < one[2]]
        if not over or (len(over) == 1 and score >= over[0][0] - APART):
            kept.append((score, first, after))
    return sorted((first, after, score) for score, first, after in kept)
