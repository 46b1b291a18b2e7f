"""The words of an English message, classed without a tagger: by lists, endings and capitals."""

from __future__ import annotations

import re
from collections.abc import Iterator

from yinji.remember.resolve_tokens import Token
from yinji.remember.resolve_words import PronounWords, pronoun_words

_WORD = re.compile(
    r"(?P<quoted>(?<=[\"\u201c])[^\"\u201d]{1,40}(?=[\"\u201d]))"
    r"|(?P<title>(?:Mr|Mrs|Ms|Dr|Prof|St)\.(?: [A-Z][\w'-]*)+)"
    r"|(?P<inlaw>(?i:(?:grand)?(?:mother|father|brother|sister|son|daughter)s? in law\b))"
    r"|(?P<word>[A-Za-z\u00c0-\u024f0-9]+(?:[.&+/_\u2019'-][A-Za-z\u00c0-\u024f0-9]+)*(?:\+\+)?)|(?P<mark>[^\s\w])"
)
_ENDS = re.compile("['\u2019]s$", re.IGNORECASE)
_SUFFIXES = (("ly", "adverb"), ("ing", "ing"), ("ed", "ed"))
_SHORTENED = re.compile(r"(?:i|you|we|they|he|she|it|that|there|here|what|who|how|where|let)'[a-z]+$|[a-z]+n't$")
_DESCRIBING = ("ful", "ous", "able", "ible", "ical", "less", "ish", "ive", "est")


def cut(text: str) -> Iterator[Token]:
    """The words in order; "'s" behind a noun is one by itself."""
    words, first = pronoun_words("en"), True
    for match in _WORD.finditer(text):
        kind, start, end = match.lastgroup or "", *match.span()
        if kind != "word":
            first = first or match[0] in ".!?:"
            look = {"quoted": "quoted", "title": "name", "inlaw": "listed"}.get(kind, ".")
            yield Token(start=start, end=end, text=match[0], look=look)
            continue
        owner = _ENDS.search(match[0])
        stem = match[0][: owner.start()] if owner else match[0]
        if owner and not words.has("small", stem.lower()):
            yield Token(start=start, end=start + len(stem), text=stem, look=_look(stem, words, first=first))
            yield Token(start=start + len(stem), end=end, text="'s", look="'s")
        else:
            yield Token(start=start, end=end, text=match[0], look=_look(match[0], words, first=first))
        first = False


def _look(word: str, words: PronounWords, *, first: bool) -> str:
    low = word.lower().replace("\u2019", "'")
    if _SHORTENED.match(low):
        return "small"
    plain = _plain(low, words)
    if words.has("abstract", low):
        return plain
    if word[0].isupper() and word != "I" and not (first and plain):
        return "name" if not first else "name_first"
    if plain:
        return plain
    if any(one.isdigit() for one in word):
        return "number" if low[0].isdigit() else "code"
    if "." in word or "_" in word:
        return "code"
    return "noun" if words.has("never_adverb", low) else _by_ending(low)


def _plain(low: str, words: PronounWords) -> str:
    """The list that a word is in."""
    if words.has("determiners", low):
        return "the" if low in ("the", "a", "an") else "my"
    for name in ("objects", "numbers", "prepositions"):
        if words.has(name, low):
            return name
    if words.has("abstract", low):
        return "abstract_verb" if words.has("verb", low) else "abstract"
    if words.listed(low):
        return "listed_verb" if words.has("verb", low) else "listed"
    if words.has("verb", low) and low.endswith("ing"):
        return "ing"
    if words.has("verb", low):
        return "verb_noun" if words.has("verb_nouns", low) else "verb"
    if words.has("adjectives", low):
        return "adjective"
    return "small" if words.has("small", low) else ""


def _by_ending(low: str) -> str:
    for ending, look in _SUFFIXES:
        if low.endswith(ending) and len(low) > 4:
            return look
    if low.endswith(_DESCRIBING):
        return "adjective"
    return "nouns" if low.endswith("s") and not low.endswith(("ss", "us", "is")) else "noun"
