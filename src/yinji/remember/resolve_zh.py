"""The words of a Chinese message: the segmenter's, with quoted titles and Latin names each as one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from yinji.language.entities.lists import Gazetteer
from yinji.language.entities.reading import Word, read
from yinji.language.segment import is_word
from yinji.remember.resolve_tokens import Token
from yinji.remember.resolve_words import KINDS, PronounWords, pronoun_words

_WHOLE = re.compile(
    '[\u300a\u300c\u201c\u300e\u3010"](?P<quoted>[^\u300b\u300d\u201d\u300f\u3011"]{1,20})[\u300b\u300d\u201d\u300f\u3011"]'
    r"|(?P<latin>[A-Za-z][A-Za-z0-9]*(?:[.+_/#-][A-Za-z0-9]+|\+\+|#)*(?: [A-Z][A-Za-z0-9.]*)*(?: \d+)?)"
)
_CLASSES = frozenset(
    (
        "n",
        "nr",
        "ns",
        "nt",
        "nz",
        "v",
        "vn",
        "a",
        "an",
        "ad",
        "d",
        "r",
        "m",
        "q",
        "p",
        "c",
        "f",
        "t",
        "s",
        "b",
        "i",
        "l",
        "j",
    )
)
_SHORT = {"uj": "de", "ud": "de", "ul": "u", "uz": "u", "ug": "u", "nrt": "nr", "nrfg": "nr", "zg": "z", "mq": "m"}


def cut(text: str) -> Iterator[Token]:
    """The words in order."""
    words, at = pronoun_words("zh"), 0
    spoken = list(_merged([part for one in read(text).words for part in _parted(one, words)], text))
    for match in _WHOLE.finditer(text):
        name = "quoted" if match["quoted"] else "latin"
        start, end = match.span(name)
        if any((one.start < start and end <= one.end) or (one.start <= start and end < one.end) for one in spoken):
            continue  # part of a longer word
        yield from (_token(one, words) for one in spoken if at <= one.start and one.end <= match.start())
        yield Token(start=start, end=end, text=text[start:end], look=name)
        at = match.end()
    yield from (_token(one, words) for one in spoken if at <= one.start)


def _merged(spoken: Sequence[Word], text: str) -> Iterator[Word]:
    """A noun of the lists as one word where the segmenter cut it in several."""
    at = 0
    for start, end, _ in _nouns().search(text):
        inside = [one for one in spoken if start <= one.start and one.end <= end]
        if start < at or len(inside) < 2 or inside[0].start != start or inside[-1].end != end:
            continue
        yield from (one for one in spoken if at <= one.start < start)
        yield Word(start=start, end=end, text=text[start:end], tag="n")
        at = end
    yield from (one for one in spoken if at <= one.start)


@cache
def _nouns() -> Gazetteer:
    words = pronoun_words("zh")
    return Gazetteer({one: kind for kind in KINDS for one in words.words[kind] if len(one) > 1})


def _parted(word: Word, words: PronounWords) -> Iterator[Word]:
    """An unknown word in two, where its first or last character is a verb of its own."""
    text = word.text
    joined = word.tag.startswith("nr") and words.has("name_joiners", text[0])
    if (
        (len(text) > 2 or text[0] in words.words["surname_verb"])
        and len(text) > 1
        and (joined or not is_word(text))
        and not text.isascii()
    ):
        at = (
            1
            if text[0] in words.words["verb_openings"]
            else len(text) - 1
            if text[-1] in words.words["verb_endings"]
            else 0
        )
        if at:
            yield Word(start=word.start, end=word.start + at, text=text[:at], tag="v" if at == 1 else word.tag)
            yield Word(start=word.start + at, end=word.end, text=text[at:], tag="n" if at == 1 else "v")
            return
    yield word


def _token(word: Word, words: PronounWords) -> Token:
    return Token(start=word.start, end=word.end, text=word.text, look=_look(word, words))


def _look(word: Word, words: PronounWords) -> str:
    text, tag = word.text, _SHORT.get(word.tag, word.tag)
    if not text[0].isalnum():
        return "."
    if words.has("moves", text) or words.has("passive", text):
        return "p"
    if tag in ("n", "nr", "v", "vn", "i", "l", "nz", "ns", "z", "s") and words.has("abstract", text):
        return "abstract"
    if text[-1] in words.words["classifiers"] and tag == "m" and len(text) > 1:
        return "count"
    if tag == "q" or (len(text) == 1 and tag != "n" and words.has("classifiers", text)):
        return "q"
    if words.listed(text):
        return "listed" if len(text) > 1 else "listed1"
    if len(text) > 1 and not is_word(text):
        return f"new_{tag[0]}"
    if len(text) == 1 and tag[0] in "nva":
        return "v1" if words.has("verb_openings", text) else f"{tag[0]}1"
    return tag if tag in _CLASSES or tag in ("de", "u", "z") else "other"
