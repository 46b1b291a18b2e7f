"""Which being a clause itself says that it is about, told by the form of its words: "the boys", 全家, "my three".

Patterns of the pack know how people are spoken of; this knows where a subject ends, so that what is said of somebody
else is not told together with what was said before it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from yinji.language.memo import while_reading
from yinji.language.packs import Pack, pack, word_set

LONGEST_PHRASE = 9
"""Words of a subject, its modifiers counted ("old Mr Petrakis across the landing")."""
_TOKEN = re.compile(r"[\w][\w'’&-]*|[,;:.!?()—–]")
_CLITIC = re.compile(r"(?P<noun>[\w-]+)['’](?P<verb>s|re|ve|ll|d)", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|this|that|an?) ", re.IGNORECASE)
_AND = re.compile(r" (?:and|&) ", re.IGNORECASE)
_PLURAL = re.compile(r"\w{2,}[^\Wsui]s", re.IGNORECASE)
_PAST = re.compile(r"\w{3,}(?<!ne)ed", re.IGNORECASE)


@while_reading(512)
def own_being(text: str, language: str) -> str | None:
    """Who the clause is about in its own words, without what only tells them from others; ``user`` for the speaker
    alone or with others, None where it leaves that out, says "he" or "it", or tells of a thing."""
    words = pack(language)
    lead = words.matcher("before_subject").match(text)
    said = text[lead.end() if lead else 0 :]
    if words.matcher("speaker_subject").match(said):
        return "user"
    if language == "zh":
        being = words.matcher("being_subject").match(said)
        return being["who"] if being is not None else None
    return _english(said, words)


def joins_subject(said: str, joint: int, language: str) -> bool:
    """Whether what stands there joins two who are the subject together, and no clauses."""
    if language != "en" or _AND.match(said, joint) is None:
        return False
    being = own_being(said, language)
    at = said.find(being) if being is not None else -1
    return being is not None and at < joint < at + len(being)


def _english(said: str, words: Pack) -> str | None:
    spans = list(_TOKEN.finditer(said))[: LONGEST_PHRASE + 3]
    tokens = [one[0].replace("’", "'") for one in spans]
    end = _phrase_end(tokens)
    if end == 0:
        return None
    phrase = said[: spans[end - 1].end()]
    clitic = _CLITIC.fullmatch(tokens[end - 1])
    if clitic is not None and end == _clitic_at(tokens):
        phrase = phrase[: -len(clitic["verb"]) - 1]
    named = words.matcher("being_phrase").fullmatch(phrase)
    if named is None:
        return phrase if _are_beings(phrase, words) else None
    if _AND.search(phrase):
        return phrase
    if named["anybody"]:
        return named["anybody"].lower()
    short = f"{named['whose']}{named['head']}" if named["head"] else named["some"] or phrase
    return _ARTICLE.sub("the ", short)


def _are_beings(phrase: str, words: Pack) -> bool:
    """Whether it joins several who are each named: "my sister Ines and her fella"."""
    several = _AND.split(phrase)
    return len(several) > 1 and all(words.matcher("one_of_several").fullmatch(one) for one in several)


def _phrase_end(tokens: Sequence[str]) -> int:
    """How many of the words are the subject; 0 where no verb tells where it ends."""
    end = 0
    for at, token in enumerate(tokens[:LONGEST_PHRASE]):
        word = token.lower()
        if at and _is_finite(at, tokens):
            return end
        if not word[0].isalnum() or _is("bars_subject", word):
            return 0
        if _is("adverbs", word):
            continue
        end = at + 1
        if end == _clitic_at(tokens):
            return end
    return 0


def _clitic_at(tokens: Sequence[str]) -> int:
    """Behind which word "'s", "'re" or "'ve" is the verb; 0 for none."""
    for at, token in enumerate(tokens[:LONGEST_PHRASE]):
        clitic, rest = _CLITIC.fullmatch(token), tokens[at + 1 :]
        if clitic is None or not rest or not rest[0][0].isalnum() or clitic["noun"].lower() == "user":
            continue
        if clitic["verb"] != "s" or _is_predicate(rest):
            return at + 1
    return 0


def _is_predicate(rest: Sequence[str]) -> bool:
    """Whether "'s" before these is a verb: they begin as a predicate does, or no other verb is among them."""
    if _is("behind_clitic", rest[0].lower()) or rest[0].lower().endswith("ing"):
        return True
    mark = next((at for at, one in enumerate(rest) if not one[0].isalnum()), len(rest))
    said = rest[:mark]
    return not any(_is_finite(at, said) for at in range(1, mark)) and not any(map(_CLITIC.fullmatch, said))


def _is_finite(at: int, tokens: Sequence[str]) -> bool:
    """Whether the word is a verb with a subject before it, not a noun and not a participle."""
    word, before = tokens[at].lower(), tokens[at - 1].lower()
    after = tokens[at + 1].lower() if at + 1 < len(tokens) else ""
    if _is("before_noun", before):
        return False
    if _is_auxiliary(word):
        return True
    if before.endswith("'s") or _is_auxiliary(after) or tokens[at][0].isupper():
        return False
    if _is("past", word) or (_PAST.fullmatch(word) and not _is("participles_of_name", word)):
        return after != "by"
    if word.endswith("s"):
        return _is("verbs", _base(word)) or _is("before_noun", after) or _is("objects", after.partition("'")[0])
    return _is("verbs", word) and any(map(_is_plural, tokens[:at]))


def _is_auxiliary(word: str) -> bool:
    return word.endswith("n't") or _is("finite_always", word) or _is("modals", word)


def _is_plural(token: str) -> bool:
    return _PLURAL.fullmatch(token) is not None or _is("plurals", token.lower())


def _is(name: str, word: str) -> bool:
    return word in word_set("en", name)


def _base(verb: str) -> str:
    """ "Carry" for "carries", "watch" for "watches", "live" for "lives"."""
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if verb.endswith(("ches", "shes", "sses", "xes", "zes", "oes")) else verb[:-1]
