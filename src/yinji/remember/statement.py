"""What one clause says, read by rule: its third-person wording, slot, kind, polarity, modality and weight.

All words and patterns are the language pack's. Kinds are tried in a fixed order; a slot rule that fits decides
kind and importance itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from yinji.language.entities import find_entities
from yinji.language.memo import while_reading
from yinji.language.packs import Pack, SlotRule, pack
from yinji.language.text import content_key
from yinji.model import Entity, Kind, Layer, Modality, Polarity, Slot
from yinji.remember.clauses import QUOTED, head
from yinji.remember.own_subject import own_being
from yinji.remember.third_person import retell

LAYERS = {
    Kind.FACT: Layer.SEMANTIC,
    Kind.PREFERENCE: Layer.SEMANTIC,
    Kind.RELATION: Layer.SEMANTIC,
    Kind.STATE: Layer.SEMANTIC,
    Kind.EVENT: Layer.EPISODIC,
    Kind.PROCEDURE: Layer.PROCEDURAL,
}
MEANT = {Modality.PLANNED: Kind.EVENT, Modality.WISHED: Kind.PREFERENCE}
"""What kind it is that is meant to be and not so yet."""
KINDS = (Kind.PROCEDURE, Kind.FACT, Kind.RELATION, Kind.PREFERENCE, Kind.STATE, Kind.EVENT)
"""The order in which kinds are tried; what is none of them is a fact."""
IMPORTANCE = {
    Kind.FACT: 0.6,
    Kind.PREFERENCE: 0.6,
    Kind.RELATION: 0.7,
    Kind.STATE: 0.5,
    Kind.EVENT: 0.45,
    Kind.PROCEDURE: 0.75,
}
NAMED = frozenset({"person", "organisation", "place", "product", "project", "device", "code", "other"})
"""Entities that something can be said of."""
PEOPLE = frozenset({"person"})
"""Entities that a phrase such as "my colleague" is about."""
POLAR = frozenset({"likes", "allergy", "diet"})
"""Attributes whose rules say which way they point."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Statement:
    """A clause as it would be kept, before its dates are written out."""

    told: str
    language: str
    subject: str
    """``user``, or the words that name whom it is about."""
    slot: Slot | None
    kind: Kind
    certain: bool
    """Whether something in it told the kind."""
    layer: Layer
    polarity: Polarity
    modality: Modality
    importance: float
    confidence: float
    replaces: bool
    demand: bool


@while_reading(512)
def state(text: str, language: str, *, subject: str | None = None) -> Statement:
    """The reading of a cleaned clause. ``subject``: whom it is about when it does not say so itself."""
    words = pack(language)
    plain = strip_openings(text, words)
    demand = is_demand(plain, words)
    told = retell(plain, language, demand=demand, subject=subject)
    given = _given(told, subject, words)
    main = head(told, words)
    slot, rule = find_slot(told, words)
    if slot is None and main != told:
        slot, rule = find_slot(main, words)
    if slot is not None and given is not None and slot.subject == "user":
        slot = replace(slot, subject=given)
    meant_before = words.matcher("meant_before").search(main)
    modality = _modality(told if meant_before else main, words, demand)
    polarity = _polarity(main, words, rule)
    kind, certain = kind_by_rules(
        main, words, rule=rule, demand=demand, modality=_meaning(main, words, modality), polarity=polarity
    )
    hedged = bool(words.matcher("hedge").search(told))
    importance = rule.importance if rule else IMPORTANCE[kind]
    return Statement(
        told=told,
        language=language,
        subject=slot.subject if slot else given or _subject(_as_said(told, plain), words),
        slot=slot,
        kind=kind,
        certain=certain,
        layer=LAYERS[kind],
        polarity=polarity,
        modality=modality,
        importance=round(min(1.0, importance + 0.2 * bool(words.matcher("important").search(told))), 2),
        confidence=0.7 if hedged else 1.0,
        replaces=bool(words.matcher("correction").search(text)),
        demand=demand,
    )


def carried(read: Statement, before: str | None = None) -> str | None:
    """Whom the next clause is about when it does not say, in the words of this one; None for the user.

    ``before``: whom this one was about when it did not say.
    """
    if name := introduced(read):
        return name
    if read.subject == "user" and pack(read.language).tables["person"]["user"] not in read.told.lower():
        return before
    if read.subject == "user":
        return None
    if read.told.lower().startswith(read.subject.lower()):
        return read.told[: len(read.subject)]
    return _called(read) or _reported_of(read)


def _reported_of(read: Statement) -> str | None:
    """Whom somebody's words are of, as they call them ("the doctor says the user's mum …")."""
    match = pack(read.language).matcher("reported").match(read.told)
    rest = read.told[match.end() :].lstrip() if match else ""
    return rest[: len(read.subject)] if rest.lower().startswith(read.subject.lower()) else None


def _called(read: Statement) -> str | None:
    """How the statement itself calls whom it is about ("用户的媳妇" for the wife)."""
    words = pack(read.language)
    lead = words.matcher("time_before").match(read.told)
    told = read.told[lead.end() if lead else 0 :]
    match = words.first_match("subject_phrase", told)
    if match is None:
        return None
    if told[match.end() :].lstrip().startswith(read.subject):
        return read.subject
    if subject_key(match["subject"], words) != read.subject and _short(match, words) != read.subject:
        return None
    return str(match["subject"])


def with_subject(text: str, subject: str | None, words: Pack) -> str:
    """The clause with whom the one before it brought in where it says "he" or "she"."""
    match = words.matcher("pronoun_subject").match(text)
    if not subject or match is None or words.tables["person"]["user"] in subject:
        return text
    return f"{text[: match.start('pronoun')]}{subject}{text[match.end('pronoun') :]}"


def introduced(read: Statement) -> str | None:
    """Who is brought in by "I have a cousin called Bram", whom the next clause goes on about; empty when there is no
    name for them, None when nobody is."""
    words = pack(read.language)
    match = words.matcher("introduces").search(read.told)
    if match is None:
        return None
    groups = match.groupdict()
    if name := groups.get("name"):
        return str(name)
    return f"{words.tables['person']['users']}{groups['kin']}" if groups.get("kin") else ""


def strip_openings(text: str, words: Pack) -> str:
    """The clause without "remember that", "no, actually", "I got it wrong", a tag question and a conjunction that
    joined it to another; what it is about stands once ("as for the project, it's late")."""
    for name in ("correction_remark", "tag"):
        if (match := words.matcher(name).search(text)) and match.start():
            text = text[: match.start()]
    for name in ("remember_prefix", "correction_opening", "correction_prefix", "conjunction", "conjunction"):
        match = words.matcher(name).match(text)
        if match and len(match[0]) < len(text):
            text = text[match.end() :].lstrip(" ，,：:")
    topic = words.matcher("topic").match(text)
    return f"{topic['topic']}{text[topic.end() :]}" if topic else text


def is_demand(text: str, words: Pack) -> bool:
    """Whether it tells the assistant how to behave from now on."""
    return bool(words.matcher("standing").search(text)) and not words.matcher("standing_of_me").search(text)


# ------------------------------------------------------------------- slots


def find_slot(told: str, words: Pack) -> tuple[Slot | None, SlotRule | None]:
    """The first slot rule that the statement fits, and what it fills in."""
    for rule, patterns in words.slot_matchers():
        for pattern in patterns:
            match = pattern.search(told)
            if match is None or words.matcher("slot_barrier").search(told[: match.start()]):
                continue
            slot = _slot(match, rule, told, words)
            if rule.attribute == "employer" and _is_place(match["value"], words):
                continue
            if words.matcher("interrogative").search(match.groupdict().get("value") or ""):
                continue
            if slot.subject != "user" or match.groupdict().get("what") or _names_user(told[: match.end()], words):
                return slot, rule
    return None, None


def _is_place(value: str, words: Pack) -> bool:
    """Whether one works in that town, not for it."""
    named = next(iter(find_entities(value, language=words.language)), None)
    return named is not None and named.type == "place" and named.name == value.strip()


def _names_user(told: str, words: Pack) -> bool:
    return words.tables["person"]["user"] in told.lower()


def _slot(match: re.Match[str], rule: SlotRule, told: str, words: Pack) -> Slot:
    groups = match.groupdict()
    value = rule.value if rule.value is not None else (groups.get("value") or match[0])
    attribute = f"{rule.attribute} {content_key(groups['what'])}" if groups.get("what") else rule.attribute
    subject = groups.get("subject") or rule.subject
    return Slot(
        subject=subject_key(subject, words) if subject else _subject(told, words),
        attribute=attribute,
        value=value_key(value, words),
        single=rule.single,
    )


def value_key(value: str, words: Pack) -> str:
    """The value as values are compared: its key without the words around it that do not matter."""
    bare = words.matcher("value_noise").sub("", value.strip())
    key = content_key(bare or value)
    return words.tables["aliases"].get(key, key)


def subject_key(subject: str, words: Pack) -> str:
    """``user`` for the user, else the words, in lower case and without an article."""
    bare = words.matcher("subject_noise").sub("", subject.strip()).strip().lower()
    bare = words.matcher("called_kin").sub(lambda found: words.tables["same_kin"].get(found[0], found[0]), bare)
    return "user" if not bare or bare == words.tables["person"]["user"] else bare


def _given(told: str, subject: str | None, words: Pack) -> str | None:
    """Whom the statement shares with the one before it, when it has no subject of its own."""
    if subject is None or not told.lower().startswith(subject.lower()):
        return None
    if words.matcher("whose_behind").match(told[len(subject) :]):
        return None  # it is about somebody of theirs
    phrases = (found for one in words.matchers("subject_phrase") if (found := one.match(told)))
    if (match := next(phrases, None)) is not None and match["subject"] == subject:
        subject = _short(match, words)
    if words.tables["person"]["user"] in subject.lower():
        return subject_key(subject, words)
    return words.matcher("pointed_at").sub("the ", subject)


def _as_said(told: str, plain: str) -> str:
    """The statement with its first letter as it was said, so that a word is not taken for a name."""
    same = told[:1] != plain[:1] and told[:1].lower() == plain[:1]
    return f"{plain[:1]}{told[1:]}" if same else told


def _subject(told: str, words: Pack) -> str:
    """Whom it is about: a name, also one that follows "my colleague", else the phrase, else the user."""
    if lead := words.matcher("time_before").match(told):
        told = told[lead.end() :]
    if opinion := words.matcher("opines").match(told):
        told = told[opinion.end() :]
    said = told
    if (teller := _teller(told, words)) is not None:
        told = teller
    if words.matcher("pair_with_user").match(told):
        return "user"
    if words.matcher("bidden").match(told):
        return "user"
    named = find_entities(told, language=words.language)
    if theirs := _of_named(told, named, words):
        return theirs
    if name := _owned_name(told, named, words):
        return name
    match = words.first_match("subject_phrase", told)
    about_user = match is not None and match["subject"].lower() == words.tables["person"]["user"]
    at = match.end() if match and not about_user else 0
    at += len(told[at:]) - len(told[at:].lstrip())
    if name := _name_at(told, at, named, words):
        return name
    if match is None:
        unclear = words.matcher("pronoun_subject").match(told)
        if teller is not None and (other := _told_of(said, words)) is not None:
            return other
        if teller is not None and _tells_of_another(teller, said, words):
            return subject_key(teller, words)
        if unclear and unclear["pronoun"].lower() not in words.tables["things"]:
            return unclear[0].strip().lower()
        return own_being(told, words.language) or "user"
    phrase = _short(match, words)
    if words.matcher("of_self").match(phrase) or _is_thing(phrase, words):
        return "user"
    if words.matcher("whose_behind").match(told[match.end() :]) and (theirs := own_being(told, words.language)):
        phrase = theirs
    if words.tables["person"]["user"] in phrase.lower():
        return subject_key(phrase, words)
    return words.matcher("pointed_at").sub("the ", phrase)


def _is_thing(phrase: str, words: Pack) -> bool:
    """Whether it names no being but what is the user's, and whose news is the user's: their phone, their firm."""
    users = words.tables["person"]["users"].strip()
    return phrase.lower().startswith(users) and not words.matcher("being").search(phrase[len(users) :])


def _told_of(told: str, words: Pack) -> str | None:
    """Who of the user's people what somebody says is of ("the valuer says the user's grandpa's watercolour …")."""
    match = words.matcher("reported").match(told)
    rest = told[match.end() :].lstrip() if match else ""
    if not rest.lower().startswith(words.tables["person"]["users"].strip()):
        return None
    subject = _subject(rest, words)
    return subject if subject != "user" and words.matcher("somebody").search(subject) else None


def _tells_of_another(teller: str, told: str, words: Pack) -> bool:
    """Whether what somebody says is of anybody but the user, whom they may say it to; a doctor says of the user
    what is not said of the doctor."""
    match = words.matcher("reported").match(told)
    if match is None or _names_user(told[match.end() :], words):
        return False
    treats = words.matcher("treats").search(teller) is not None
    return not treats or words.matcher("of_teller").search(told[match.end() :]) is not None


def _short(match: re.Match[str], words: Pack) -> str:
    """Whom the phrase names, without what tells them from others: "my two eldest sisters" are the user's sisters,
    but my daughter's teacher is not the user's."""
    head, users = match.groupdict().get("head"), words.tables["person"]["users"]
    if not head or words.matcher("somebody").match(match["subject"].removeprefix(users)[: -len(head)]):
        return str(match["subject"])
    owned = match["subject"].startswith(words.tables["person"]["user"])
    return f"{users}{head}" if owned else str(head)


def _of_named(told: str, named: Sequence[Entity], words: Pack) -> str | None:
    """Somebody of a person whose name opens the statement: "Jen's husband", 小王的老婆."""
    name = next((one for one in named if one.type in PEOPLE and one.start == 0), None)
    of = words.matcher("of_named").match(told[name.end :]) if name is not None else None
    return told[: name.end + of.end()] if name is not None and of is not None else None


def _owned_name(told: str, named: Sequence[Entity], words: Pack) -> str | None:
    """The name behind "the user's", whoever they are to the user."""
    owned = words.matcher("owned_named").match(told)
    return _name_at(told, owned.end(), named, words) if owned else None


def _teller(told: str, words: Pack) -> str | None:
    """Who says it, when somebody else than the user does."""
    match = words.matcher("reported").match(told)
    user = words.tables["person"]["user"]
    if match is None or match["who"].lower().endswith(user) or match["who"].lower().startswith(f"{user} "):
        return None
    return str(match["who"])


def _name_at(told: str, at: int, named: Sequence[Entity], words: Pack) -> str | None:
    """The name that stands where the subject does: behind "my colleague" only a person's, and none that only says
    where somebody is from."""
    types, user, person = PEOPLE if at else NAMED, words.tables["person"]["user"], words.matcher("somebody")
    for one in named:
        kin = one.type == "organisation" and person.search(one.name)
        if not at and words.matcher("of_place").match(told[one.end :]):
            continue
        if words.language == "en" and not at and words.has("creature", one.name):
            continue  # "Wean's poorly": a word that is written as a name
        called = words.language != "en" or not at or one.name[:1].isupper()
        if called and one.start == at and one.type in types and not kin and user not in one.name.lower():
            return one.name
    return None


# ------------------------------------------------- kind, polarity, modality


def kind_by_rules(
    told: str, words: Pack, *, rule: SlotRule | None, demand: bool, modality: Modality, polarity: Polarity
) -> tuple[Kind, bool]:
    """What kind of statement it is, and whether anything in it told so; what nothing tells is a fact."""
    if demand:
        return Kind.PROCEDURE, True
    if rule is not None and rule.attribute == "residence" and words.matcher("moved_then").search(told):
        return Kind.EVENT, True
    if rule is not None and rule.kind:
        kind: Kind | None = Kind(rule.kind)
    else:
        kind = next((kind for kind in KINDS if words.matcher(f"kind_{kind}").search(told)), None)
    if kind in (Kind.STATE, Kind.RELATION) and words.matcher("befell").search(told):
        kind = Kind.EVENT
    if kind in (None, Kind.FACT, Kind.STATE) and modality in MEANT and not _lasts(told, words):
        kind = MEANT[modality] if polarity is Polarity.POSITIVE else Kind.PREFERENCE
    return kind or Kind.FACT, kind is not None


def _lasts(told: str, words: Pack) -> bool:
    if words.matcher("kind_fact").search(told):
        return True
    return bool(words.matcher("term").search(told)) and not words.matcher("deadline").search(told)


def _polarity(told: str, words: Pack, rule: SlotRule | None) -> Polarity:
    """That of the rule, else that of the clause; words that are quoted deny nothing."""
    told = words.matcher("no_denial").sub("", QUOTED.sub("", told) or told) or told
    if rule is None or rule.attribute not in POLAR:
        negative = bool(words.matcher("negative").search(words.matcher("contrast").sub("", told) or told))
    else:
        negative = rule.negative or bool(words.matcher("not_slot").search(told))
    return Polarity.NEGATIVE if negative else Polarity.POSITIVE


def _modality(told: str, words: Pack, demand: bool) -> Modality:
    if demand:
        return Modality.ASSERTED
    if _teller(told, words) is not None or words.matcher("told_by").match(told):
        return Modality.QUOTED
    return _intended(told, words)


def _meaning(told: str, words: Pack, modality: Modality) -> Modality:
    """How it is meant by whoever says it: somebody's "she's moving to Leeds" is a plan that is told of."""
    teller = _teller(told, words) if modality is Modality.QUOTED else None
    return modality if teller is None else _intended(told[len(teller) :], words)


def _intended(told: str, words: Pack) -> Modality:
    """How it is meant; what was to be once is a plan that is told of, unless it is told what came of it."""
    told = words.matcher("name_like_wish").sub("", told)
    if words.matcher("meant_before").search(told):
        return Modality.ASSERTED if words.matcher("came_of_it").search(told) else Modality.PLANNED
    if words.matcher("meant_once").search(told):
        return Modality.ASSERTED
    if words.matcher("longed").search(told):
        return Modality.WISHED
    usual = any(words.matcher(name).search(told) for name in ("habitual", "going_on"))
    if words.matcher("planned").search(told) and not (usual and not words.matcher("intends").search(told)):
        return Modality.PLANNED
    return Modality.WISHED if words.matcher("wished").search(told) else Modality.ASSERTED
