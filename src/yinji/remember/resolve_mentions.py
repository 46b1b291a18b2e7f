"""What a message mentions that a pronoun may stand for: people, places, things, each with its part in the sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from yinji.language.entities.lists import lists
from yinji.language.memo import while_reading
from yinji.language.script import simplify
from yinji.model import Entity
from yinji.remember.resolve_model import Learned
from yinji.remember.resolve_spans import COARSE, phrases
from yinji.remember.resolve_tokens import Token, names, tokens
from yinji.remember.resolve_words import PronounWords, pronoun_words, span_of

ENTITY_KINDS = {
    "person": "person",
    "place": "place",
    "organisation": "organisation",
    "product": "product",
    "device": "machines",
    "project": "project",
}
THINGS = frozenset(
    (
        "thing",
        "animal",
        "vehicles",
        "machines",
        "documents",
        "software",
        "medicine",
        "food",
        "clothes",
        "plants",
        "product",
        "project",
    )
)
PEOPLE = ("person", "animal", "nickname", "agent")
"""Kinds that "he" or "she" may mean."""
OPEN = ("thing", "title", "product", "new", "nickname", "agent")
"""Kinds that do not tell."""
NAMED = frozenset(("person", "animal", "project", "software", "documents", "organisation", "place"))
"""Kinds of things whose names are told in passing ("our dog, Rex")."""
_LOOKS = {
    "quoted": "title",
    "latin": "title",
    "code": "title",
    "name": "title",
    "nr": "nickname",
    "ns": "place",
    "new_n": "new",
}
"""Kinds by the class of the last word, where nothing else tells."""
OWNER = 0.0
"""How sure the edges of somebody are whose something is (log odds)."""
_NO_OWNER = ("abstract", "verb", "count", "q")
"""Classes of words that may end like one for people, and are none."""
_OWNED = ("'s", "de")
"""Classes of the words between somebody and what is theirs."""
_STOP = re.compile(r"[\uff0c,\u3002\uff01!\uff1f?\uff1b;\uff1a:\u2026\u2014]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Mention:
    """A name or noun phrase in one message."""

    text: str
    start: int
    end: int
    kind: str
    score: float
    """How sure its edges are (log odds)."""
    named: bool = False
    gender: str = ""
    """``male``, ``female``, or nothing when it may be either."""
    plural: bool = False
    role: str = "object"
    """``subject``, ``object``, ``moved`` (what is done something with), ``oblique`` or ``owner``."""
    opened: str = ""
    """What stands before: ``new`` ("a"), ``known`` ("the"), ``owned`` ("my"), or nothing."""
    clause: tuple[int, int] = (0, 0)
    order: int = 0
    """0 for the first of the message."""
    whole: bool = False
    """Stands for all that are joined."""
    pair: int = -1
    """Where the first of those stands that it is joined with by "and" or "or"; -1 for none."""
    names: int = -1
    """Where in the message what it is the name of starts ("a cat called Tom"); -1 for none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Message:
    """A message cut into words, with the names in it."""

    text: str
    said: Sequence[Token]
    named: Sequence[Entity]
    words: PronounWords


@while_reading(256)
def mentions(text: str, model: Learned) -> tuple[Mention, ...]:
    """The mentions of one message in order, joined ones also as a whole."""
    plain = simplify(text)
    message = _Message(
        text=plain,
        said=tokens(plain, model.language),
        named=names(text, model.language),
        words=pronoun_words(model.language),
    )
    found = [_mention(message, *phrase) for phrase in _with_owners(message, model)]
    found = [
        replace(one, text=text[one.start : one.end], order=sum(other.end <= one.start for other in found))
        for one in sorted(found, key=lambda one: (one.start, one.end))
    ]
    found += _offered(found, text, message)
    return (*_gendered(list(_named(_joined(found, message), message))), *_deeds(text, message))


def _with_owners(message: _Message, model: Learned) -> Iterator[tuple[int, int, float]]:
    """The phrases, and besides everybody whose something is: "my uncle" of "my uncle's surgery"."""
    found = phrases(message.said, message.named, model)
    yield from found
    ends, words = {after for _, after, _ in found}, message.words
    for at, (one, behind) in enumerate(pairwise(message.said)):
        person = one.look == "named_person" or words.kind_of(one.text) == "person"
        if person and one.look not in _NO_OWNER and behind.look in _OWNED and at + 1 not in ends:
            yield at, at + 1, OWNER


def _offered(found: Sequence[Mention], text: str, message: _Message) -> list[Mention]:
    """What somebody is told to try, whatever its words are."""
    made = []
    for match in message.words.matcher("offered_name").finditer(message.text):
        start, end = span_of(match, "n")
        if not any(one.start <= start and end <= one.end for one in found):
            made.append(
                Mention(
                    text=text[start:end], start=start, end=end, kind="title", score=2.0, named=True, clause=match.span()
                )
            )
    return made


def _deeds(text: str, message: _Message) -> Iterator[Mention]:
    """What somebody wants to do or tells to do, which "this plan" may mean."""
    for match in message.words.matcher("deed").finditer(message.text):
        start, end = span_of(match, "item")
        yield Mention(text=text[start:end], start=start, end=end, kind="deed", score=2.0, clause=(start, end))


def _mention(message: _Message, first: int, after: int, score: float) -> Mention:
    text, said, words = message.text, message.said, message.words
    core, end, tail = said[first].start, said[after - 1].end, said[after - 1].look
    exact = next((one for one in message.named if one.end == end and one.start >= core), None)
    opened = _opened(said, first, words)
    kind = _kind(text[core:end], exact, said[after - 1], opened, words)
    start = _opening(said, first, kind, words)
    clause = _clause(text, core, end)
    return Mention(
        text=text[start:end],
        start=start,
        end=end,
        kind=kind,
        score=score,
        named=(exact is not None and exact.type != "device") or tail in ("quoted", "latin", "name", "code"),
        gender=_gender(text[core:end], exact is not None, words) if kind in PEOPLE else "",
        plural=_is_many(said, first, after, words),
        role=_role(said, first, after, clause, words),
        opened=opened,
        clause=clause,
    )


def _clause(text: str, start: int, end: int) -> tuple[int, int]:
    opened = max((one.end() for one in _STOP.finditer(text, 0, start)), default=0)
    closed = _STOP.search(text, end)
    return opened, closed.start() if closed else len(text)


def _kind(core: str, exact: Entity | None, tail: Token, opened: str, words: PronounWords) -> str:
    if tail.look == "quoted":
        return "title"
    listed = words.kind_of(core)
    if exact is not None and exact.type == "person" and opened and words.language == "en":
        return listed or words.kind_of(core.removesuffix(exact.name).strip()) or "title"
    if exact is not None:
        product = exact.type == "product" and listed in ("software", "vehicles", "medicine", "machines", "food")
        return listed if product else ENTITY_KINDS.get(exact.type, "thing")
    if listed:
        return listed
    if words.matcher("nickname").search(core) and (
        tail.look == "nr" or tail.look.startswith("new") or words.language == "en"
    ):
        return "nickname"
    if words.matcher("agent").search(core):
        return "agent"
    if tail.look == "nr" and not lists("zh").has("surnames", core[0]):
        return "thing"
    return _LOOKS.get(tail.look, "thing")


def _opened(said: Sequence[Token], first: int, words: PronounWords) -> str:
    before = said[first - 1] if first else None
    if before is None:
        return ""
    low = before.text.lower()
    if words.has("new_before", low) or before.look in ("count", "q"):
        known = first > 1 and said[first - 2].text in words.words["known_before"]
        return "known" if known else "new"
    if low in words.words["known_before"]:
        return "known"
    return "owned" if words.has("owned_before", low) else ""


def _opening(said: Sequence[Token], first: int, kind: str, words: PronounWords) -> int:
    """Where the phrase starts with its article or, for people, with whose they are."""
    at = first
    if kind == "person" and at > 1 and words.has("of", said[at - 1].text) and words.has("person", said[at - 2].text):
        at -= 2
    mine = kind == "person" and at > 0 and words.has("owner_of_kin", said[at - 1].text)
    if at and (said[at - 1].look in ("the", "my") or mine):
        at -= 1
    return said[at].start


def _gender(core: str, named: bool, words: PronounWords) -> str:
    if words.language == "en":
        return _english_gender(core, words)
    for gender in ("female", "male"):
        if any(core.endswith(one) for one in words.words[gender] if len(one) > 1 or len(core) < 3):
            return gender
    for gender in ("female", "male"):
        if words.has(f"{gender}_first", core[0]):
            return gender
    known = lists("zh")
    sounded = len(core) > 2 and words.has("sounded_first", core[0])
    if named and 1 < len(core) < 4 and not sounded:
        female = sum(known.has("female", one) for one in core[1:])
        male = sum(known.has("male", one) for one in core[1:])
        if female != male:
            return "female" if female > male else "male"
    return ""


def _english_gender(core: str, words: PronounWords) -> str:
    parts = re.split("[ -]", core)
    for part in reversed(parts):
        for gender in ("female", "male"):
            if words.has(gender, part.lower()):
                return gender
    known = lists("en")
    for part in parts:
        if known.has("first_names", part) and not known.has("either", part):
            return "female" if known.has("female", part) else "male"
    return ""


def _is_many(said: Sequence[Token], first: int, after: int, words: PronounWords) -> bool:
    tail = said[after - 1].text.lower()
    behind = said[after].text if after < len(said) else ""
    before = " ".join(one.text for one in said[max(0, first - 3) : first]).lower()
    if (
        (behind and words.has("many", behind[:1]))
        or words.has("many_words", tail)
        or words.matcher("counted").search(before)
    ):
        return True
    if words.language == "zh":
        return any(tail.endswith(one) for one in words.words["pair_words"]) or tail[-1:] in words.words["many"]
    named = said[after - 1].look in ("name", "quoted", "code")
    return not named and tail.endswith("s") and not tail.endswith(("ss", "us", "is")) and len(tail) > 3


def _role(said: Sequence[Token], first: int, after: int, clause: tuple[int, int], words: PronounWords) -> str:
    before = [one for one in said[:first] if one.start >= clause[0]]
    behind = said[after] if after < len(said) else None
    if behind is not None and words.has("of", behind.text):
        return "owner"
    for one in reversed(before):
        low = one.text.lower()
        if words.has("moves", low):
            return "moved"
        if words.has("copula", low):
            return "complement"
        if words.has("places", low) or one.look == "prepositions":
            return "oblique"
        if COARSE.get(one.look) in ("N", "V") or one.look == "de":
            break
    return "object" if any(COARSE.get(one.look) == "V" for one in before) else "subject"


def _joined(found: Sequence[Mention], message: _Message) -> list[Mention]:
    """Neighbours with a conjunction between them in one pair, and the pair as a whole."""
    made, conjoined = list(found), message.words.matcher("conjoined")
    for at, one in enumerate(made):
        before = ((k, other) for k, other in enumerate(made) if other.end < one.start and not other.whole)
        left = next((pair for pair in before if conjoined.search(message.text[pair[1].end : one.start])), None)
        if left is not None:
            k, first = left
            pair = first.pair if first.pair >= 0 else first.start
            made[k], made[at] = replace(first, pair=pair), replace(one, pair=pair)
    return [*made, *_wholes(made, message.text)]


def _wholes(made: Sequence[Mention], text: str) -> Iterator[Mention]:
    for pair in sorted({one.pair for one in made if one.pair >= 0}):
        inside = [one for one in made if one.pair == pair]
        last = max(inside, key=lambda one: (one.end, -one.start))
        genders = {one.gender for one in inside}
        yield replace(
            inside[0],
            text=text[inside[0].start : last.end],
            end=last.end,
            plural=True,
            whole=True,
            gender=genders.pop() if len(genders) == 1 else "",
        )


def _named(found: Sequence[Mention], message: _Message) -> Iterator[Mention]:
    """What has a name in the same message gives the name its kind."""
    for one in found:
        owner = None if one.whole else _owner(one, found, message)
        if owner is None:
            yield one
            continue
        yield replace(
            one,
            names=owner.start,
            named=True,
            kind=owner.kind if one.kind in ("thing", "title", "person", "place", "organisation") else one.kind,
            gender=one.gender or owner.gender,
        )


def _gendered(found: Sequence[Mention]) -> Iterator[Mention]:
    """Wordings of one person that end together are of one gender: 小雅 and 表姐小雅, "Shona" and "my sister Shona"."""
    for one in found:
        if one.gender or one.kind not in PEOPLE or one.whole:
            yield one
            continue
        genders = {other.gender for other in found if other.end == one.end and other.kind in PEOPLE} - {""}
        yield replace(one, gender=genders.pop() if len(genders) == 1 else "")


def _owner(one: Mention, found: Sequence[Mention], message: _Message) -> Mention | None:
    """What the phrase is the name of."""
    text = message.text[: one.start]
    surely = message.words.matcher("called").search(text)
    if surely and one.opened and not one.named:
        return None  # "the landlord called this morning"
    match = surely or (one.named and message.words.matcher("called_perhaps").search(text)) or None
    if match is None:
        return _beside(one, found, message.text)
    behind = message.text[one.end :]
    if surely and behind and message.words.has("of", behind[0]):
        after = next((other for other in found if other.start == one.end + 1 and other.kind in PEOPLE), None)
        if after is not None:  # 一个叫林溪的女生
            return after
    before = [
        other
        for other in found
        if other.end <= match.start() + 1 and not other.whole and match.start() - other.end < 12
    ]
    if not surely:
        if message.words.kind_of(one.text) == "person":
            return None  # "Mum likes the bridge, Dad the park"
        before = [other for other in before if other.end == match.start() and other.kind in NAMED and not other.named]
        if one.kind == "place":
            before = [other for other in before if other.kind not in PEOPLE]  # "my girlfriend is Leeds born"
    subject = [other for other in before if other.role == "subject" and surely]
    return max(subject or before, key=lambda other: (other.end, other.score), default=None)


def _beside(one: Mention, found: Sequence[Mention], text: str) -> Mention | None:
    """The kind of somebody or of an animal, right before the name."""
    if not (one.named or one.kind in ("nickname", "new")):
        return None
    before = (
        other
        for other in found
        if other.end <= one.start and text[other.end : one.start] in ("", " ") and other.kind in ("person", "animal")
    )
    return max((other for other in before if not other.named), key=lambda other: other.score, default=None)
