"""What a text is made of: its language, its sentences, its index terms, and a key that says when two are the same.

Offsets count characters. Nothing here changes what is shown; folding serves matching only.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache, lru_cache

from yinji.language import segment
from yinji.language.memo import while_reading
from yinji.language.packs import languages, pack, word_set
from yinji.language.script import simplify
from yinji.language.segment import is_word, search_words

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3005\u3007"
KANA_HANGUL = "\u3040-\u30ff\uac00-\ud7af"

_HAN = re.compile(f"[{HAN}]")
_EASTERN = re.compile(f"[{HAN}{KANA_HANGUL}]+")
_RUN = re.compile(
    f"(?P<han>[{HAN}]+)|(?P<syllables>[{KANA_HANGUL}]+)"
    f"|(?P<word>\\w(?:(?:(?![{HAN}{KANA_HANGUL}])[\\w.:@#+-])*(?<=[\\w#+]))?)"
)
_PIECES = re.compile(r"[^\W_]+")
_LATIN_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_NOT_KEY = re.compile(r"[\W_]+")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_POSSESSIVE = re.compile(r"'s\b")
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_SENTENCE_END = re.compile(r"[。！？!?…；]+|[.;]+(?=\s|$)|\.{2,}|\n+")
_ADDRESS = re.compile(r"(?<![a-z])[a-z]{2,16}://[!-~]+")
_CLOSERS = "”’」』）)\"'】》]"
_BULLET = re.compile(r"(?:[-*•·+>#]+|[(（]?\w{1,2}[.)、）](?!\d))\s*")
_CAPS_RUN = re.compile(r"(?:^|[\s(])([A-Za-z](?:\.[A-Za-z])*|[A-Za-z]+)\.$")


def preload() -> None:
    """Loads the dictionary and the stemmer, so that no later call has to wait for them."""
    segment.preload()
    for language in languages():
        terms(pack(language).name)


def detect(text: str) -> str:
    """The language most of the text is written in: ``zh`` or ``en``; ``en`` when nothing tells.

    Characters and words are weighed, particles and pronouns of either language most, so that Chinese full
    of English names is Chinese.
    """
    particles = word_set("zh", "function")
    chinese = sum(1.5 if simplify(char) in particles else 0.5 for char in _HAN.findall(text))
    if not chinese:
        return "en"
    particles = word_set("en", "function")
    english = sum(1.5 if word.lower() in particles else 0.75 for word in _LATIN_WORD.findall(_EASTERN.sub(" ", text)))
    return "zh" if chinese >= english else "en"


# ------------------------------------------------------------------- terms


def terms(text: str) -> tuple[str, ...]:
    """Index terms in order, repeats included.

    Chinese: words, the words inside them and their characters, since two texts may be cut differently;
    a word that the dictionary does not know also gives its character pairs. Else: stems; ``gen-itgc`` whole
    and in parts; numbers and codes whole.
    """
    return tuple(_terms(fold(text)))


@while_reading(4096)
def query_terms(text: str) -> tuple[str, ...]:
    """The terms of a question that say what it is about; all of them when none does."""
    every = terms(text)
    return tuple(term for term in every if not _is_stop(term)) or every


def is_telling(term: str) -> bool:
    """Whether an index term says what a text is about: no particle, and no single Chinese character."""
    return not _is_stop(term) and (len(term) > 1 or not _HAN.match(term))


def fold(text: str) -> str:
    """The text as it is matched: compatibility forms and case folded, traditional characters simplified."""
    return simplify(unicodedata.normalize("NFKC", text).casefold())


def _terms(folded: str) -> Iterator[str]:
    folded = _POSSESSIVE.sub("", _THOUSANDS.sub("", folded.replace("’", "'"))).replace("'", "")
    end_of_word = -1
    for run in _RUN.finditer(folded):
        if run.lastgroup == "han":
            yield from _han_terms(run[0])
            yield from _glued(folded, run.start(), end_of_word)
        elif run.lastgroup == "syllables":
            yield from _pairs(run[0])
        else:
            yield from _word_terms(run[0])
            end_of_word = run.end()


def _han_terms(run: str) -> Iterator[str]:
    for word in search_words(run):
        yield word
        if len(word) > 2 and not is_word(word):
            yield from _pairs(word)
        if len(word) > 1:
            yield from word


def _glued(folded: str, start: int, end_of_word: int) -> Iterator[str]:
    """A word of one letter and one character, such as the name of a disk."""
    if start == end_of_word and is_word(folded[start - 1].upper() + folded[start]):
        yield folded[start - 1 : start + 1]


def _pairs(run: str) -> Iterator[str]:
    if len(run) == 1:
        yield run
    for at in range(len(run) - 1):
        yield run[at : at + 2]


def _word_terms(word: str) -> Iterator[str]:
    yield _stem(word)
    pieces = _PIECES.findall(word)
    if len(pieces) > 1 and not all(piece.isdigit() for piece in pieces):
        yield from map(_stem, pieces)


@lru_cache(maxsize=65536)
def _stem(word: str) -> str:
    if not (word.isalpha() and word.isascii()):
        return word
    with _stemming:  # The stemmer keeps the word in itself: two threads at once get wrong stems, or an error.
        return str(_stemmer()(word))


_stemming = threading.Lock()


@cache
def _stemmer() -> Callable[[str], str]:
    import snowballstemmer

    stem: Callable[[str], str] = snowballstemmer.stemmer("english").stemWord
    return stem


def _is_stop(term: str) -> bool:
    return term in _stop_terms()


@cache
def _stop_terms() -> frozenset[str]:
    stops = {word.replace("'", "") for language in languages() for word in word_set(language, "stop")}
    return frozenset(stops | {_stem(word) for word in stops})


# -------------------------------------------------------------- sentences


def sentences(text: str) -> list[tuple[int, int]]:
    """Where each sentence starts and ends, bullets and blanks around it left out."""
    spans, start = [], 0
    for end in _sentence_ends(text):
        spans.append(_trimmed(text, start, end))
        start = end
    return [(start, end) for start, end in spans if start < end]


AHEAD = 400
"""Characters that are looked at of what a text says ahead of a place: what a piece goes on about was named near it."""


def lead_to(text: str, at: int) -> str:
    """What a text says ahead of a place; of a long one the last sentences."""
    if at <= AHEAD:
        return text[:at]
    near = text[at - AHEAD : at]
    spans = sentences(near)
    return near[spans[1][0] :] if len(spans) > 1 else near


def _sentence_ends(text: str) -> Iterator[int]:
    addresses = [match.span() for match in _ADDRESS.finditer(text)]
    for stop in _SENTENCE_END.finditer(text):
        end = stop.end()
        if stop[0] == "." and _abbreviates(text, stop.start()):
            continue
        if any(start <= stop.start() and end < stop_at for start, stop_at in addresses):
            continue
        while end < len(text) and text[end] in _CLOSERS:
            end += 1
        yield end
    yield len(text)


def _abbreviates(text: str, dot: int) -> bool:
    """Whether the dot belongs to a word such as ``Mr.``, ``e.g.``, an initial, or to a list number."""
    before = _CAPS_RUN.search(text[max(0, dot - 12) : dot + 1])
    if before is None:
        line = text.rfind("\n", 0, dot) + 1
        return text[line:dot].strip().isdigit()
    return pack("en").has("abbreviations", before[1].lower().replace(".", "")) or (
        len(before[1]) == 1 and before[1].isupper() and before[1] != "I"
    )


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    if (bullet := _BULLET.match(text, start, end)) and _numbers(bullet[0]):
        start = bullet.end()
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _numbers(bullet: str) -> bool:
    """Whether what opens a line is a mark or a number, in digits or as a character, and not an initial."""
    return all(char.isnumeric() for char in bullet if char.isalnum())


# ---------------------------------------------------------------- the rest


def content_key(text: str) -> str:
    """Equal for two texts that differ in width, case, script variant, punctuation or spaces alone."""
    key = _NOT_KEY.sub("", fold(text))
    return key or fold(text).strip()


def tidy(text: str) -> tuple[str, int]:
    """The text with what no store can keep (NUL, controls, lone surrogates) made blank, and how many there were.

    The length stays, so offsets do.
    """
    return _UNFIT.subn(" ", text)


def is_blank(text: str) -> bool:
    """Whether nothing is said: no letter, digit or ideograph in it."""
    return not any(char.isalnum() for char in text)
