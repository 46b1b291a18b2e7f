"""What the user said, told of the user: first person turned to third in the user's own language.

Chinese needs words exchanged and a dropped subject filled in; English also needs its verbs made to agree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from yinji.language.packs import Pack, pack
from yinji.remember.own_subject import own_being

_BE = {"i'm": "is", "im": "is", "i've": "has", "ive": "has", "i'll": "will"}
_FIRST = re.compile(r"\b(?:I(?:['’](?:m|ve|ll|d))?|i['’](?:m|ve|ll|d)|i|im|Im|ive|Ive)\b(?!\.\w)")
_PAIR = re.compile(r"(?:[\w'’.-]+ ){1,4}and [iI](?= )(?! (?:am|was)\b)")
_WORD = re.compile(r"[A-Za-z][\w'’-]*")
_ENGLISH_PRONOUNS = (
    (re.compile(r"(?<=the user )(.*?)\bmy own\b", re.IGNORECASE), r"\1their own"),
    (re.compile(r"\bmy own\b", re.IGNORECASE), "the user's own"),
    (
        re.compile(
            r"\byou (?=(?:told|said|asked|suggested|recommended|advised|gave|explained|mentioned|promised)\b)",
            re.IGNORECASE,
        ),
        "the assistant ",
    ),
    (re.compile(r"\b(?:my|our)\b", re.IGNORECASE), "the user's"),
    (re.compile(r"\b(?:mine|ours)\b(?! (?:shaft|field))", re.IGNORECASE), "the user's"),
    (re.compile(r"\b(?:myself|ourselves)\b", re.IGNORECASE), "themselves"),
    (re.compile(r"\b(?<=let )us\b", re.IGNORECASE), "the user and others"),
    (re.compile(r"\bme\b", re.IGNORECASE), "the user"),
)
_PRICE_APART = re.compile(r"[.!]+\s+(?=[\u00a3$\u20ac]\d)")
"""Before what something costs, told as a sentence of its own."""
_US = re.compile(r"\bus\b")
_ALL_OF_US = re.compile(r"\b((?:the|all) (?:two|three|four|five|six)|both|all) of us\b", re.IGNORECASE)
_WITHOUT_VERB = (
    (re.compile(r"^I ((?:first|second|third|fourth|final|last)[- ]year)\b", re.IGNORECASE), "am in"),
    (re.compile(r"^I ((?:(?:never|only|just|already) )?been)\b", re.IGNORECASE), "have"),
    (re.compile(r"^I never (to)\b", re.IGNORECASE), "have never been"),
)
"""What a sentence without "I" leaves out with it, and the verb to put in."""
_LEFT_OUT = {"dropped_have": "have", "dropped_was": "was"}
"""Patterns of the pack for the same, and the verb."""
_AND_ME = re.compile(r"^me and(?= )", re.IGNORECASE)
_YOU_DO = re.compile(r"(?<!\bdo )(?<!\bdid )(?<!\bcan )(?<!\bwill )\byou (\w+)\b", re.IGNORECASE)
_WE = re.compile(r"\bwe(?:['’](re|ve|ll|d))?\b", re.IGNORECASE)
_GROUP = re.compile(
    r"^the user and (?-i:[A-Z])"
    r"|\bthe user and (?:\w+ ){1,4}?(?:are|were|have|had|will|go|went|\w+ed)\b|\band the user\b(?!['’])",
    re.IGNORECASE,
)
_OURS = re.compile(r"\b(?:our|ours)\b", re.IGNORECASE)
_PLURAL_SHORT = re.compile(r"(?<=\w)(?<!\bwe)(?<!\byou)(?<!\bthey)(?<!\bI)['’](?P<verb>re|ve)\b", re.IGNORECASE)
_WE_VERBS = {"re": " are", "ve": " have", "ll": " will", "d": " would", None: ""}


def retell(text: str, language: str, *, demand: bool = False, subject: str | None = None) -> str:
    """The statement in the third person, without its closing mark.

    ``demand``: the user asks the assistant to behave so. ``subject``: whom a sentence without one is about,
    the user when not given.
    """
    return RETELLERS[language](text.rstrip("。.!！~～ ,，;；").lstrip(" ,，;；"), demand, subject)


def _retell_chinese(text: str, demand: bool, subject: str | None) -> str:
    words, person = pack("zh"), pack("zh").tables["person"]
    lead = words.matcher("time_lead").match(text)
    told = words.matcher("bare_kin").sub(person["users"], text[lead.end() if lead else 0 :], count=1)
    told = f"{lead[0] if lead else ''}{told}"
    told = _whose_place(told, words)
    for name in ("we_family", "we_both"):
        told = words.matcher(name).sub(person[name], told)
    if shared := words.matcher("we_named").search(told):
        told = f"{told[: shared.end()]}{words.matcher('we').sub(person['they'], told[shared.end() :])}"
    for matcher, replacement in zip(words.matchers("third_me"), _chinese_replacements(person), strict=True):
        told = matcher.sub(replacement, told)
    first, others, rest = told.partition(person["others"])
    told = f"{first}{others}{rest.replace(person['others'], person['they'])}"
    if demand:
        return f"{person['demand']}{words.matcher('second_person').sub(person['assistant'], told)}"
    if words.matcher("owned_head").match(told):
        return f"{subject or person['user']}{told}"
    if words.matcher("own_subject").match(told) or _opens_with_name(told, words) or own_being(told, "zh") is not None:
        return told
    if subject is None and words.matcher("user_later").search(told):
        return told
    return f"{subject or person['user']}{told}"


def _whose_place(told: str, words: Pack) -> str:
    """What is the speaker's by where it is, with the word that joins the two: 用户家的小核桃, 用户店里的洗碗工."""
    person, formal, inside = words.tables["person"], words.tables["formal"], words.tables["inside"]
    told = words.matcher("our_formal").sub(lambda found: f"{person['users']}{formal[found['what']]}", told)
    told = words.matcher("our_home").sub(person["at_home"], told)
    return words.matcher("our_place").sub(
        lambda found: f"{person['user']}{inside.get(found['place'], found['place'])}{person['of']}", told
    )


def _chinese_replacements(person: Mapping[str, str]) -> tuple[str, ...]:
    """One for each pattern of ``third_me``: our X, my own, my X, we, me."""
    return person["users"], person["users"], person["users"], person["others"], person["user"]


def _opens_with_name(text: str, words: Pack) -> bool:
    """Whether the statement has a subject of its own: somebody or something named."""
    from yinji.language.entities import find_entities

    if opening := words.matcher("opens_with_thing").match(text):
        return bool(opening[0])
    named = next(iter(find_entities(text, language="zh")), None)
    if named is None or named.start > 0 or words.tables["person"]["user"] in text[: named.end + 1]:
        return False
    return named.type in ("person", "organisation")


# ----------------------------------------------------------------- English


def _retell_english(text: str, demand: bool, subject: str | None) -> str:
    words, person = pack("en"), pack("en").tables["person"]
    if demand:
        told = re.sub(r"\byour\b", f"{person['assistant']}'s", text, flags=re.IGNORECASE)
        told = _YOU_DO.sub(lambda found: f"{person['assistant']} {_told_of_you(found[1], words)}", told)
        told = re.sub(r"\byou\b", person["assistant"], told, flags=re.IGNORECASE)
        return f"{person['demand']}{_lower_first(_pronouns(told))}"
    text = _AND_ME.sub("the user and", words.matcher("own_me").sub("my ", _in_writing(text, words)))
    if not _has_subject(text, words):
        if subject is None and words.matcher("predicative").match(text):
            text = f"I am {text[:1].lower()}{text[1:]}"
        else:
            text = f"{subject or 'I'} {_lower_first(text)}"
        for name, verb in _LEFT_OUT.items():
            if left := words.matcher(name).match(text):
                text = f"I {verb} {left['rest'].lower()}{text[left.end() :]}"
    for pattern, verb in _WITHOUT_VERB:
        text = pattern.sub(lambda found, verb=verb: f"I {verb} {found[1].lower()}", text)  # type: ignore[misc]
    if words.matcher("bare_kin").match(text):
        text = f"{person['users']} {text[:1].lower()}{text[1:]}"
    text = words.matcher("named_kin").sub(lambda found: f"{person['users']} {found[0].lower()}", text)
    text = _PRICE_APART.sub(", ", text)
    return _upper_first(_spelt_out(_pronouns(_conjugated(text, words)), words))


def _in_writing(text: str, words: Pack) -> str:
    """ "I wanna" as "I want to"; what one other than the user wants takes its "s"."""

    def written(found: re.Match[str]) -> str:
        full = words.tables["as_spoken"][found[0].lower().replace("\u2019", "'")]
        first, _, rest = full.partition(" ")
        alone = words.matcher("one_alone").search(text[: found.start()]) is not None
        return f"{_third(first, text, words)} {rest}" if alone and first else full

    return words.matcher("as_spoken").sub(written, text)


def _spelt_out(told: str, words: Pack) -> str:
    """ "Dad's a joiner" with its verb in full; what only says whose something is stays."""
    told = _PLURAL_SHORT.sub(lambda found: _WE_VERBS[found["verb"].lower()], told)
    told = words.matcher("short_is").sub(_unless_place(" is", words), words.matcher("short_has").sub(" has", told))

    def in_full(found: re.Match[str]) -> str:
        rest = found["rest"].strip()
        if words.matcher("finite_word").search(rest) or not words.matcher("short_before").match(rest):
            return found[0]
        at = found.start("short") - found.start()
        return f"{found[0][:at]} is{found[0][at + len(found['short']) :]}"

    return words.matcher("short_of").sub(in_full, told)


def _unless_place(verb: str, words: Pack) -> Callable[[re.Match[str]], str]:
    """Puts the verb for "'s", which stays as it was said behind a place or an owner ("at St Mary's in May")."""

    def told(found: re.Match[str]) -> str:
        return found[0] if words.matcher("short_behind_place").search(found.string[: found.start()]) else verb

    return told


def _told_of_you(verb: str, words: Pack) -> str:
    known = words.has("verbs", verb) or verb in words.tables["irregular"]
    return _third(verb, "", words) if known else verb


def _has_subject(text: str, words: Pack) -> bool:
    if re.match(r"(?:i|we|they|my|our|it|this|that|there)\b", text, re.IGNORECASE):
        return True
    first = _WORD.match(text)
    if first is not None and (_is_short_form(first[0], words) or words.matcher("named_subject").match(text)):
        return True
    return not any(words.matcher(name).match(text) for name in ("dropped_event", "subjectless", "dropped_being"))


def _is_short_form(word: str, words: Pack) -> bool:
    """Whether it is an abbreviation ("MRI") and no verb that is shouted ("GOT")."""
    return len(word) > 1 and word.isupper() and not words.has("past", word.lower())


def _conjugated(text: str, words: Pack) -> str:
    """Every ``I`` replaced by ``the user`` and its verb, and verbs joined to it by "and", made to agree."""
    pieces, at = [], 0
    for match in _FIRST.finditer(text):
        if match.start() < at:
            continue
        pieces.append(text[at : match.start()])
        form = match[0].lower().replace("’", "'")
        if form == "i" and _is_pair(text, match.end(), words):
            pieces.append("the user")
            at = match.end()
            continue
        verb, at = _agreeing(text, match.end(), form, words)
        pieces.append(f"the user{verb}")
    return "".join(pieces) + text[at:]


def _is_pair(text: str, end: int, words: Pack) -> bool:
    """Whether the text opens with "somebody and I", which takes a plural verb."""
    pair = _PAIR.match(text)
    if pair is None or pair.end() != end:
        return False
    return not words.matcher("has_verb").search(text[: end - len(" and I")])


def _agreeing(text: str, at: int, form: str, words: Pack) -> tuple[str, int]:
    """What follows ``the user`` up to and with the verb, and where the rest of the text goes on."""
    if form == "i'd":
        return (" had" if _is_perfect(text, at, words) else " would"), at
    if form in _BE:
        return f" {_BE[form]}", at
    start = at
    while (word := _WORD.search(text, at)) is not None and not text[at : word.start()].strip():
        low = word[0].lower().replace("’", "'")
        if not words.has("adverbs", low):
            verb = _third(low, text, words)
            joined, end = _joined_verbs(text, word.end(), words) if verb != low else ("", word.end())
            kept = word[0] if verb == low else verb
            return f"{text[start : word.start()]}{kept}{joined}", end
        at = word.end()
    return text[start:at], at


def _is_perfect(text: str, at: int, words: Pack) -> bool:
    """Whether "I'd" is "I had": a participle follows, not a bare verb; what may be either shows it by "already"."""
    lead = words.matcher("would_lead").match(text, at)
    word = _WORD.match(text, lead.end() if lead else at)
    verb = word[0].lower() if word is not None else ""
    if not verb or words.has("would_alone", verb):
        return False
    if words.has("verbs", verb) or words.has("both_tenses", verb):
        return bool(lead and words.matcher("done_by_then").search(lead[0]))
    return words.has("participles", verb) or words.has("past", verb) or (verb.endswith("ed") and len(verb) > 4)


def _third(verb: str, text: str, words: Pack) -> str:
    """The third person singular of a present verb; any other form as it is."""
    irregular = words.tables["irregular"]
    if verb in irregular:
        return irregular[verb]
    if words.has("both_tenses", verb):
        return verb if words.matcher("time_of_past").search(text) else _with_s(verb)
    if any(words.has(name, verb) for name in ("modals", "past", "before_noun")) or not verb.isalpha():
        return verb  # "never after four" has no verb to agree
    if verb.endswith("ed") and not words.has("verbs", verb):
        return verb
    if words.has("verbs", verb) or not (verb.endswith(("ing", "ly", "s")) or words.has("stop", verb)):
        return _with_s(verb)
    return verb


def _with_s(verb: str) -> str:
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else f"{verb}s"


def _joined_verbs(text: str, at: int, words: Pack) -> tuple[str, int]:
    """Verbs that share the subject ("I live here and work there"), made to agree, with what is between."""
    pieces = []
    joint = re.compile(r"((?:(?!\bto\b|[.;!?]).)*?(?:\band|\bbut|,)\s+)(don't|doesn't|[a-z]+)\b", re.IGNORECASE)
    while match := joint.match(text, at):
        verb = match[2].lower()
        if _FIRST.search(match[1]):
            break
        if match[1].rstrip().endswith(",") and words.has("adverbs", verb):
            pieces.append(match[0])
            at = match.end()
            continue
        if not (words.has("verbs", verb) or verb in words.tables["irregular"]):
            break
        if words.has("past", verb) or _noun_follows(match[1]) or (verb == "like" and match[1].rstrip().endswith(",")):
            break
        pieces.append(f"{match[1]}{_third(verb, text, words)}")
        at = match.end()
    return "".join(pieces), at


def _noun_follows(between: str) -> bool:
    """Whether the joint may join nouns ("like hiking and ..."): too little stands between to tell."""
    return len(between.split()) < 3


def _pronouns(text: str) -> str:
    text = _ALL_OF_US.sub(r"\1 of them", text)
    text = _US.sub("them" if _GROUP.search(text) else "the user and others", _together(text))
    for pattern, replacement in _ENGLISH_PRONOUNS:
        text = pattern.sub(replacement, text)
    return text


def _together(text: str) -> str:
    """ "We" is "the user and others" where it comes first, and "they" from then on or once it is said who they are."""
    grouped = bool(_GROUP.search(text))

    def told(found: re.Match[str]) -> str:
        nonlocal grouped
        named, grouped = grouped, True
        return f"{'they' if named else 'the user and others'}{_WE_VERBS[found[1] and found[1].lower()]}"

    first = _WE.search(text)
    if first is not None:
        text = f"{text[: first.end()]}{_OURS.sub('their', text[first.end() :])}"
    return _WE.sub(told, text)


def _upper_first(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lower_first(text: str) -> str:
    """Lower case to begin with, unless the word is a name or an abbreviation."""
    first = _WORD.match(text)
    if first is not None and len(first[0]) > 1 and first[0].isupper() and pack("en").has("past", first[0].lower()):
        return f"{first[0].lower()}{text[first.end() :]}"
    if first is not None and first[0].lower().endswith(("n't", "n\u2019t")):
        return text[:1].lower() + text[1:]
    if first is None or first[0].isupper() or not pack("en").has("not_a_name", first[0].lower()):
        known = first is not None and (
            pack("en").has("verbs", first[0].lower()) or pack("en").has("past", first[0].lower())
        )
        if not known and not (first and first[0].endswith(("ing", "ed"))):
            return text
    return text[:1].lower() + text[1:]


RETELLERS: Mapping[str, Callable[[str, bool, str | None], str]] = {"zh": _retell_chinese, "en": _retell_english}
