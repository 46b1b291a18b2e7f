"""Names in Chinese: the segmenter's words and tags, surnames, gazetteers, and the words around a name.

The text is matched in simplified characters; offsets are those of the text, since folding keeps its length.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from yinji.language.amounts import find_amounts
from yinji.language.entities.lists import Found, Lists, gazetteer, lists
from yinji.language.entities.persons import persons
from yinji.language.entities.reading import Reading, Word
from yinji.language.segment import is_word

STOPS = frozenset("prudycmxq")
"""First letters of tags that no name goes across: preposition, pronoun, particle, adverb, number, mark."""
NOUNS = frozenset("nbjlia")
LONGEST_DISTRICT = 3
"""Characters of a district's name before what it is."""
_FILE = re.compile(r"^[_\d-].*\.[a-z][a-z0-9]{1,4}$")
_LATIN_NAME = re.compile(r"[A-Z][a-z]+(?:[ ][A-Z][a-z]+){0,2}|[A-Z]{2,}\d+[A-Z0-9]*(?![A-Za-z0-9-])")


def find(reading: Reading) -> Iterator[Found]:
    """Everything that may be a name; some overlap."""
    for finder in FINDERS:
        yield from finder(reading, lists("zh"))


def _quoted(reading: Reading, known: Lists) -> Iterator[Found]:
    for matcher in known.matchers("quoted"):
        for match in matcher.finditer(reading.text):
            yield Found(start=match.start(), end=match.end(), type="product", weight=100)


def _patterns(reading: Reading, known: Lists) -> Iterator[Found]:
    for kind, weight in (("code", 90), ("project", 88), ("amount", 80), ("person", 89), ("organisation", 77)):
        for matcher in known.matchers_for(kind, reading.text):
            for match in matcher.finditer(reading.text):
                group = "name" if "name" in matcher.groupindex else 0
                start, end = match.span(group)
                if kind == "code":
                    start = _file_start(reading, start) if _FILE.search(match[0]) else start
                if kind != "project" or not _is_no_project(reading.text[start:end], known):
                    yield Found(start=start, end=end, type=kind, weight=weight)


def _is_no_project(name: str, known: Lists) -> bool:
    """Whether it only says what kind of project, or is the name of a product, a company or a person."""
    english = lists("en")
    listed = any(one.has(which, name) for one in (known, english) for which in ("products", "organisations"))
    return listed or english.has("first_names", name) or _is_generic(name, known, "generic_projects")


def _file_start(reading: Reading, start: int) -> int:
    """A file's name may begin with Chinese words, but not with the verb before them."""
    if reading.text[start].isalpha():
        return start
    for word in reading.before(start):
        if word.tag[0] in "vpruycx" and word.tag != "vn":
            break
        start = word.start
    return start


def _is_generic(text: str, known: Lists, name: str) -> bool:
    return any(
        text == word or (text.startswith(word) and len(text) - len(word) in (2, 3)) for word in known.words[name]
    )


# ----------------------------------------------------------- built of words


def _projects(reading: Reading, known: Lists) -> Iterator[Found]:
    """A name before 项目, 计划 or 工程, or before the number of a phase."""
    for word in reading.words:
        tail = word.text[-2:]
        if not known.matchers("project_tail")[0].fullmatch(tail):
            continue
        start = word.end - 2 if len(word.text) > 2 else _left(reading, word.start, known, verbs=1, most=5)
        if len(word.text) == 2:
            start = _behind_verb(reading, start, word.start)
        name = _without_act(reading.text[word.start if len(word.text) > 2 else start : word.end - 2], known)
        if len(name) > 1 and not any(name.endswith(one) for one in known.words["generic_projects"]):
            end = _phase(reading, word.end)
            yield Found(start=word.end - 2 - len(name), end=end, type="project", weight=87)
    for match in lists("zh").matchers("phase")[0].finditer(reading.text):
        start = _left(reading, match.start(), known, verbs=0, most=4, numbers=True)
        if match.start() - start > 3:
            yield Found(start=start, end=match.end(), type="project", weight=86)


def _behind_verb(reading: Reading, start: int, end: int) -> int:
    """Where the name begins when a verb and a noun stand before the project: what is announced, not the announcing."""
    words = reading.within(start, end)
    named = len(words) > 1 and words[0].tag == "v" and words[1].tag in ("n", "nz", "ns", "nr")
    return words[1].start if named else start


def _without_act(name: str, known: Lists) -> str:
    """Without the verb before it: who takes part in a project is not called so."""
    acts = sorted(known.words["project_acts"], key=len, reverse=True)
    act = next((one for one in acts if len(one) > 1 and name.startswith(one)), "")
    return name[len(act) :]


def _code_names(reading: Reading, known: Lists) -> Iterator[Found]:
    """A word that something is said of as of a project: its phase, its team, that it went live."""
    for at, word in enumerate(reading.words):
        if not _may_name_a_project(word, known):
            continue
        before = reading.words[at - 1] if at else None
        if before is not None and before.tag[0] == "u" and at > 1:
            before = reading.words[at - 2]
        act = before is not None and known.has("project_acts", before.text)
        if not (before is None or act or before.tag[0] in STOPS or known.has("project_told", before.text)):
            continue
        after = reading.text[word.end :]
        if known.matchers("project_after")[0].match(after):
            yield Found(start=word.start, end=word.end, type="project", weight=85)
        elif (
            word.tag == "nz"
            and not known.has("places", word.text)
            and (
                known.matchers("project_after_weak")[0].match(after)
                or (act and known.matchers("project_end")[0].match(after))
            )
        ):
            yield Found(start=word.start, end=word.end, type="project", weight=73)


def _may_name_a_project(word: Word, known: Lists) -> bool:
    if word.tag not in ("n", "nz", "nr", "ns", "i", "nrt", "nrfg") or not 1 < len(word.text) < 5:
        return False
    named = any(known.has(which, word.text) for which in ("products", "organisations", "no_projects", "titles"))
    return not named and word.text[-1] not in known.words["titles"]


def _phase(reading: Reading, end: int) -> int:
    match = lists("zh").matchers("phase")[0].match(reading.text, end)
    return match.end() if match else end


def _left(reading: Reading, at: int, known: Lists, *, verbs: int, most: int, numbers: bool = False) -> int:
    """How far to the left of a place the words can be part of a name."""
    start = at
    for word in reading.before(at):
        letter = word.tag[0]
        is_verb = letter in "vz" and word.tag not in ("vn", "zg") and word.tag != "nz"
        counted = numbers and (word.tag in ("f", "q") or (letter == "m" and len(word.text) < 2))
        if letter in STOPS and word.tag != "eng" and not counted:
            break
        if letter in "tu" or (is_verb and (verbs == 0 or len(word.text) < 2)):
            break
        verbs -= is_verb
        if word.tag == "ns" and at - start > 1 and not known.has("place_tails", reading.text[start:at]) and most == 6:
            break
        if at - word.start > most + 4 * word.text.isascii() or known.has("before_name", word.text):
            break
        start = word.start
    return start


def _organisations(reading: Reading, known: Lists) -> Iterator[Found]:
    """Words before what organisations are called by, unless they only say of what kind it is."""
    for match in _tails("organisation_tails").finditer(reading.text):
        if match.end() not in reading.cuts:
            continue
        begin = next((one.start for one in reading.words if one.start <= match.start() < one.end), match.start())
        start = _left(reading, begin, known, verbs=1, most=8)
        name = reading.text[start : match.start()]
        if len(name) > 1 and not _is_only_generic(name, known, "generic_organisations"):
            if known.has("loose_tails", match[0]) and not _is_proper(reading, start, match.start()):
                continue
            yield Found(start=start, end=match.end(), type="organisation", weight=75)


def _places(reading: Reading, known: Lists) -> Iterator[Found]:
    for match in _tails("place_tails").finditer(reading.text):
        if match.end() not in reading.cuts:
            continue
        begin = next((one.start for one in reading.words if one.start <= match.start() < one.end), match.start())
        start = _left(reading, begin, known, verbs=0, most=6)
        name = reading.text[start : match.start()]
        if (
            len(name) > 1
            and not _is_only_generic(name, known, "generic_places")
            and (_is_proper(reading, start, match.end()) or _may_name_a_place(reading, start, match, known))
        ):
            yield Found(start=start, end=match.end(), type="place", weight=60)
    for word in reading.words:
        listed = word.tag == "ns" and len(word.text) > 1 and is_word(word.text)
        if listed and not known.has("places_never", word.text):
            yield Found(start=word.start, end=word.end, type="place", weight=40)
        if word.tag == "nt" and len(word.text) > 1 and not known.has("never", word.text):
            yield Found(start=word.start, end=word.end, type="organisation", weight=62)


def _may_name_a_place(reading: Reading, start: int, match: re.Match[str], known: Lists) -> bool:
    """Whether ordinary words are one's name: behind what leads to a place, or as parks and roads are called."""
    name = reading.text[start : match.start()]
    if known.has("plain_heads", name):
        return True
    if not known.has("district_tails", match[0]) or len(name) > LONGEST_DISTRICT:
        return False
    nouns = all(word.tag[0] in "nsj" or word.tag == "vn" for word in reading.within(start, match.start()))
    return nouns and bool(known.matchers("district_before")[0].search(reading.text[:start]))


def _is_only_generic(name: str, known: Lists, which: str) -> bool:
    """Whether words that only say of what kind something is make up all of it."""
    endings = (one for one in known.words[which] if name.endswith(one))
    return not name or any(_is_only_generic(name[: -len(one)], known, which) for one in endings)


def _is_proper(reading: Reading, start: int, end: int) -> bool:
    """Whether a part of the stretch is a name of its own, or a word that no dictionary has."""
    inside = [word for word in reading.words if start <= word.start and word.end <= end]
    return any(
        word.tag in ("ns", "nr", "nz", "nrt", "eng", "nt") or (len(word.text) > 1 and not is_word(word.text))
        for word in inside
    )


@cache
def _tails(name: str) -> re.Pattern[str]:
    words = sorted(lists("zh").words[name], key=len, reverse=True)
    return re.compile("|".join(words))


def _devices(reading: Reading, known: Lists) -> Iterator[Found]:
    """A kind of device with its room, its owner or its use before it."""
    for match in known.matchers("device")[0].finditer(reading.text):
        yield Found(start=match.start(), end=match.end(), type="device", weight=84)


def _products(reading: Reading, known: Lists) -> Iterator[Found]:
    """A maker with a model, a known product with its version."""
    for match in _made().finditer(reading.text):
        yield Found(start=match.start(), end=match.end(), type="product", weight=91)
    for start, end, kind in gazetteer("zh").search(reading.text):
        if kind == "product":
            version = _versioned().match(reading.text, end)
            yield Found(start=start, end=version.end() if version else end, type=kind, weight=72)
        elif _is_uncrossed(reading, start, end) and not _is_only_a_word(reading.text, start, end, known):
            aligned = start in reading.cuts and end in reading.cuts
            yield Found(start=start, end=end, type=kind, weight=70 if aligned and kind != "place" else 52)


def _is_only_a_word(text: str, start: int, end: int, known: Lists) -> bool:
    """Whether what a company is called too stands where nothing speaks of one."""
    if not known.has("called_like_words", text[start:end]):
        return False
    led = known.matchers("shop_before")[0].search(text[:start])
    return not led and not known.matchers("shop_after")[0].match(text, end)


def _is_uncrossed(reading: Reading, start: int, end: int) -> bool:
    """Whether no word of the dictionary reaches across an edge of the stretch."""
    crossing = (word for word in reading.words if word.start < start < word.end or word.start < end < word.end)
    return not any(is_word(word.text) for word in crossing)


@cache
def _versioned() -> re.Pattern[str]:
    model = "(?:[ ](?:Pro|Max|Plus|Ultra|Mini|Air|SE|Lite|OLED))*"
    return re.compile(f"{model}{lists('zh').patterns['version'][0]}?{model}")


@cache
def _made() -> re.Pattern[str]:
    makers, nouns = (
        "|".join(sorted(lists("zh").words[name], key=len, reverse=True)) for name in ("makers", "product_nouns")
    )
    model = lists("zh").patterns["model"][0]
    return re.compile(f"(?:{makers})(?:{nouns})?{model}+|(?<![A-Za-z])[A-Z][A-Za-z]+(?:[ ]?(?:{nouns}))[ ]?\\d+\\w*")


def _latin(reading: Reading, known: Lists) -> Iterator[Found]:
    """Capitalised words within Chinese: known first names are people, unknown codes of a chip are products."""
    english = lists("en")
    for match in _LATIN_NAME.finditer(reading.text):
        first = match[0].split(" ")[0]
        start, end = match.span()
        if english.has("first_names", first) or english.has("surnames", first):
            if start and known.matchers("latin_prefix")[0].match(reading.text[start - 1]):
                start -= 1
            yield Found(start=start, end=end, type="person", weight=56)
        elif any(char.isdigit() for char in match[0]) and not known.has("no_models", match[0]):
            yield Found(start=start, end=end, type="product", weight=50)


def _amounts(reading: Reading, known: Lists) -> Iterator[Found]:
    """Amounts without a unit that only their wording shows, and those in words."""
    for one in find_amounts(reading.text, language="zh"):
        yield Found(start=one.start, end=one.end, type="amount", weight=80)


def _people(reading: Reading, known: Lists) -> Iterator[Found]:
    yield from persons(reading)


Finder = Callable[[Reading, Lists], Iterator[Found]]
FINDERS: Sequence[Finder] = (
    _quoted,
    _patterns,
    _projects,
    _code_names,
    _organisations,
    _places,
    _devices,
    _products,
    _latin,
    _amounts,
    _people,
)
"""What is looked for."""
