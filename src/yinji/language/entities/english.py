"""Names in English without a model: capitals, where in the sentence they stand, gazetteers, suffixes, words around."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from yinji.language.amounts import find_amounts
from yinji.language.entities.lists import Found, Lists, gazetteer, lists
from yinji.language.time.compose import names_somebody

_TOKEN = re.compile(r"[^\W\d_][\w&-]*(?:['’.](?=[\w])[\w&-]+)*(?:['’](?=\s|$))?|\d[\w-]*")
_POSSESSIVE = re.compile(r"['’]s?$")
_INFLECTED = re.compile(r"(?:ing|ed|ly|tion|ment|ness|able|ful|less|ous)s?$")
_OWNS = re.compile(r"['’]s (?!been|here|not|an?\b|the|going|over|too|just|always|only|so|my|our|coming|come|gone)[a-z]")
"""Behind a word, that somebody has something."""
PAIR = 2
"""Words of a name and of what stands for it."""
_NAMED_BEHIND = re.compile(
    r",|$|['’]s | the [a-z]+ (?:is|was|has|came|said|fixed|will)\b| (?:from|in) [a-z]+ (?!the\b)[a-z]+"
)
"""Behind a word that opens a sentence, what shows that it is a name."""
_ACRONYM = re.compile(r"[A-Z]{2,}s?$")
_CHIP = re.compile(r"(?<![A-Za-z0-9-])(?:[A-Z]{3,}\d{2,}[A-Z0-9]*|[A-Z]{2,}-?\d{4,})(?![A-Za-z0-9-])")


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """Capitalised words in a row, trimmed of those that are no part of a name."""

    start: int
    end: int
    words: tuple[str, ...]
    opens: bool
    """Whether it stands where a sentence begins."""

    @property
    def text(self) -> str:
        return " ".join(self.words)


def find(text: str) -> Iterator[Found]:
    """Everything that may be a name; some overlap."""
    known = lists("en")
    for finder in FINDERS:
        yield from finder(text, known)


MEANT = {"made": "product", "road": "place"}
"""Patterns that are not called by the type of what they find."""


def _patterns(text: str, known: Lists) -> Iterator[Found]:
    for kind, weight in (
        ("code", 90),
        ("project", 88),
        ("amount", 80),
        ("device", 84),
        ("made", 91),
        ("road", 79),
        ("organisation", 92),
    ):
        for matcher in known.matchers_for(kind, text):
            for match in matcher.finditer(text):
                group = "name" if "name" in matcher.groupindex else 0
                if kind == "project" and _is_no_project(match, group, text, known):
                    continue
                yield Found(
                    start=match.start(group),
                    end=match.end(group),
                    type=MEANT.get(kind, kind),
                    weight=weight,
                )
    for match in _CHIP.finditer(text):
        yield Found(start=match.start(), end=match.end(), type="product", weight=50)


def _amounts(text: str, known: Lists) -> Iterator[Found]:
    """Amounts without a unit that only their wording shows, and those in words."""
    for one in find_amounts(text, language="en"):
        yield Found(start=one.start, end=one.end, type="amount", weight=80)


def _is_no_project(match: re.Match[str], group: str | int, text: str, known: Lists) -> bool:
    """Whether what seems to be a project is another name, a day, or an ordinary word that opens a sentence."""
    first = match[group].split(" ")[0]
    if any(known.has(which, first) for which in ("months", "languages", "titles", "capitals", "first_names")):
        return True
    opens = _matches("sentence_start", text[: match.start(group)], known)
    ordinary = group == "name" and opens and known.has("ordinary", first.lower())
    return ordinary or _is_known(match[group], known)


def _is_known(name: str, known: Lists) -> bool:
    """Whether what seems to be a project's name is that of something else."""
    return any(known.has(which, name) for which in ("products", "organisations", "places", "first_names"))


def _known_names(text: str, known: Lists) -> Iterator[Found]:
    for start, end, kind in gazetteer("en").search(text):
        if _is_ordinary_here(text, start, end, kind) or _is_somebody(text, start, end, kind):
            continue
        if kind == "product":
            made = re.search(r"(?<![A-Za-z])([A-Z][\w-]*) $", text[:start])
            begin = made.start(1) if made and known.has("makers", made[1]) else start
            sure = 78 if " " in text[begin:end] else 70
            yield Found(start=begin, end=_versioned(text, end, known), type=kind, weight=sure)
        elif _joined_by_capital(text, start, end):
            yield Found(start=start, end=end, type=kind, weight=48)
        else:
            sure = 78 if " " in text[start:end] else 66 if kind == "place" else 70
            yield Found(start=start, end=end, type=kind, weight=sure)


def _is_somebody(text: str, start: int, end: int, kind: str) -> bool:
    """Whether it is also a first name, and nothing before it speaks for the place or organisation."""
    known = lists("en")
    if not known.has("first_names", text[start:end]):
        return False
    driven = known.matchers("vehicle")[0].search(text) or _matches("owned_before", text[:start], known)
    if kind == "product" and driven:
        return False
    placed = kind == "place" and _matches("place_before", text[:start], known)
    return not placed and not _matches("organisation_before", text[:start], known)


def _joined_by_capital(text: str, start: int, end: int) -> bool:
    """Whether another capitalised word touches it, so that it may be part of a longer name."""
    after = text[end : end + 2]
    before = re.search(r"([A-Z][\w'’-]*) $", text[:start])
    return (len(after) == 2 and after[0] == " " and after[1].isupper()) or before is not None


def _is_ordinary_here(text: str, start: int, end: int, kind: str) -> bool:
    """Whether it opens a sentence as an ordinary word would, and nothing says that it is a name."""
    known, name = lists("en"), text[start:end]
    if " " in name or not known.has("ordinary", name.lower()):
        return False
    if not _matches("sentence_start", text[:start], known):
        return False
    if kind != "place" and _verb_follows(text, end, known):
        return False
    return re.match(r"['’]s |,? (?:and|or|called|vs) ?[A-Z]?| [A-Z\d]", text[end:]) is None


def _versioned(text: str, end: int, known: Lists) -> int:
    match = known.matchers("version")[0].match(text, end)
    return match.end() if match else end


# ------------------------------------------------------- capitalised words


def _capitalised(text: str, known: Lists) -> Iterator[Found]:
    for run in runs(text):
        for part in _split(run, text, known):
            kind, weight = _kind(part, text, known)
            if kind:
                start = _with_title(part.start, text, known) if kind == "person" else part.start
                yield Found(start=start, end=part.end, type=kind, weight=weight)


def runs(text: str) -> Iterator[Run]:
    """Capitalised words in a row, the longest first words of each."""
    known = lists("en")
    row: list[re.Match[str]] = []
    for token in _TOKEN.finditer(text):
        if row and not _continues(text[row[-1].end() : token.start()]):
            yield from _run(row, text, known)
            row = []
        word = token[0]
        if word[0].isupper() or (row and word.lower() in known.words["particles"] and _then_capital(text, token.end())):
            row.append(token)
        elif row:
            yield from _run(row, text, known)
            row = []
    if row:
        yield from _run(row, text, known)


def _continues(between: str) -> bool:
    return between == " " or between in (". ", " & ")


def _then_capital(text: str, at: int) -> bool:
    return text[at : at + 1] == " " and text[at + 1 : at + 2].isupper()


def _run(row: Sequence[re.Match[str]], text: str, known: Lists) -> Iterator[Run]:
    """The row in parts, cut where a full stop is no abbreviation's and at words that are no names."""
    part: list[re.Match[str]] = []
    for token in row:
        stop = part and text[part[-1].end() : token.start()] == ". " and not known.has("dotted", part[-1][0])
        if stop or _is_no_name(token, text, known, first=not part):
            yield from _made_run(part, text, known)
            part = [] if not stop or _is_no_name(token, text, known, first=True) else [token]
            continue
        part.append(token)
    yield from _made_run(part, text, known)


def _is_no_name(token: re.Match[str], text: str, known: Lists, *, first: bool) -> bool:
    word = _POSSESSIVE.sub("", token[0])
    if re.search(r"^I['’]|['’](?:ve|re|ll|d|m)$", token[0]):
        return True
    if known.has("months", word):
        named = word in ("May", "June", "April", "August") and not _matches(
            "place_before", text[: token.start()], known
        )
        shown = _verb_follows(text, token.end(), known)
        return not (named and (shown or names_somebody(text, token.start(), token.start() + len(word), "en")))
    if known.has("languages", word) or known.has("capitals", word) or known.has("capitals", token[0]):
        return True
    low = word.lower()
    if word.isupper() and len(word) > 1:
        return known.has("ordinary", low) or not _in_gazetteers(word, known)
    if not known.has("ordinary", low):
        return False
    opens = _matches("sentence_start", text[: token.start()], known)
    if first and opens:
        named = known.has("first_names", word) or known.has("organisations", word)
        if named and _OWNS.match(text, token.end() - len(token[0]) + len(word)):
            return False
        if (named or known.has("surnames", word)) and re.match(r" [A-Z][a-z]", text[token.end() :]):
            return False
        return not (named and _verb_follows(text, token.end(), known))
    return low in SMALL


SMALL = frozenset(
    [
        "i",
        "the",
        "a",
        "an",
        "my",
        "our",
        "your",
        "his",
        "her",
        "their",
        "this",
        "that",
        "these",
        "those",
        "it",
        "he",
        "she",
        "we",
        "you",
        "they",
        "and",
        "but",
        "or",
        "so",
        "if",
    ]
)


def _in_gazetteers(word: str, known: Lists) -> bool:
    return any(known.has(name, word) for name in ("organisations", "products", "places", "first_names"))


def _made_run(part: Sequence[re.Match[str]], text: str, known: Lists) -> Iterator[Run]:
    if not part:
        return
    words = [token[0] for token in part]
    end = part[-1].end()
    if (mark := _POSSESSIVE.search(words[-1])) and not _is_known(words[-1], known):
        end -= len(mark[0])
        words[-1] = words[-1][: mark.start()]
    opens = _matches("sentence_start", text[: part[0].start()], known)
    yield Run(start=part[0].start(), end=end, words=tuple(words), opens=opens)


def _split(run: Run, text: str, known: Lists) -> Iterator[Run]:
    """The run, or its parts where a possessive inside ends a name."""
    if _is_renamed(run, text, known):
        first = run.start + len(run.words[0])
        yield Run(start=run.start, end=first, words=run.words[:1], opens=run.opens)
        yield Run(start=run.end - len(run.words[1]), end=run.end, words=run.words[1:], opens=False)
        return
    at, start, words = run.start, run.start, []
    whole = run.words[-1] in known.words["organisation_tails"]
    for word in run.words:
        words.append(word)
        end = text.index(word, at) + len(word)
        if (
            not whole
            and (mark := _POSSESSIVE.search(word))
            and word is not run.words[-1]
            and not _is_known(run.text, known)
        ):
            kept = (*words[:-1], word[: mark.start()])
            yield Run(start=start, end=end - len(mark[0]), words=kept, opens=run.opens and start == run.start)
            words, start = [], min(end + 1, run.end)
        at = end
    if words:
        yield Run(start=start, end=run.end, words=tuple(words), opens=run.opens and start == run.start)


def _is_renamed(run: Run, text: str, known: Lists) -> bool:
    """Whether it is somebody and what they are called: "we call Josephine Josie", two names that begin alike."""
    if len(run.words) != PAIR or run.words[0][0] != run.words[1][0]:
        return False
    return not known.has("surnames", run.words[1]) and _matches("called_before", text[: run.start], known)


def _kind(run: Run, text: str, known: Lists) -> tuple[str, int]:
    """Of what type the run is and how sure that is; no type when it is no name."""
    if len(run.text) < 2 or run.text.isdigit():
        return "", 0
    before = text[: run.start]
    last, first = run.words[-1], run.words[0]
    titled = first in known.words["titles"] or _title_before(before, known) or _matches("named", before, known)
    if len(run.words) > 1 and not titled:
        if any(word in known.words["organisation_tails"] for word in run.words[1:]) or first == "University":
            return "organisation", 76
        if last in known.words["place_tails"] or (
            first in known.words["place_heads"] and not known.has("first_names", first)
        ):
            return "place", 74
    if (len(run.words) > 1 and known.has("first_names", first)) or titled:
        return "person", 75
    return _single_kind(run, text, before, known)


def _single_kind(run: Run, text: str, before: str, known: Lists) -> tuple[str, int]:
    word = run.text
    verb = _verb_follows(text, run.end, known)
    person = known.has("first_names", run.words[0]) or known.has("surnames", run.words[-1])
    if run.opens and len(run.words) == 1 and known.has("ordinary", word.lower()) and not verb:
        return ("person", 67) if _OWNS.match(text, run.end) and person else ("", 0)
    if _is_family(word, before, known):
        return "person", 60
    if person:
        placed = known.has("places", word) and _matches("place_before", before, known)
        placed = placed or (len(run.words) == 1 and _matches("within", before, known))
        return ("place", 64) if placed else ("person", 67 if len(run.words) == 1 else 73)
    if _ACRONYM.fullmatch(word):
        return "", 0
    if _is_owned(run, text, before, known):
        return "product", 50
    if _matches("person_before", before, known) and verb:
        return "person", 50
    if _matches("product_before", before, known):
        return "product", 46
    if _matches("organisation_before", before, known) and not verb:
        return "organisation", 46
    project = not verb and not run.opens and known.matchers("project_context")[0].search(text) is not None
    if _matches("place_before", before, known):
        return ("project" if project and not known.has("places", word) else "place"), 46
    if run.opens and len(run.words) == 1 and _INFLECTED.search(word):
        return "", 0
    if before.endswith((" the ", "The ")) or before == "the ":
        return "", 0
    if run.opens and len(run.words) == 1 and not verb and not _NAMED_BEHIND.match(text, run.end):
        return "", 0
    return ("project" if project and not _matches("person_before", before, known) else "person"), 45


def _is_family(word: str, before: str, known: Lists) -> bool:
    """Whether people of one surname are meant: the Hendersons."""
    return bool(re.search(r"\b[Tt]he $", before)) and word[-1] == "s" and known.has("surnames", word[:-1])


def _is_owned(run: Run, text: str, before: str, known: Lists) -> bool:
    """Whether it is a thing: somebody has it or there is one of it, or it is driven or sailed."""
    if len(run.words) > 1 or known.has("places", run.text) or known.matchers("project_context")[0].search(text):
        return False
    vehicle = known.matchers("vehicle")[0].search(text) and re.search(r"(?i:\bthe|\bin|\bon|\baboard)\s$", before)
    return bool(vehicle) or _matches("owned_before", before, known)


def _title_before(before: str, known: Lists) -> bool:
    match = re.search(r"(\w+\.?) $", before)
    return bool(match) and match is not None and match[1] in known.words["titles"]


def _with_title(start: int, text: str, known: Lists) -> int:
    """Where the name starts with the title before it."""
    match = re.search(r"([A-Z]\w*\.?) $", text[:start])
    return match.start(1) if match and match[1] in known.words["titles"] else start


def _verb_follows(text: str, at: int, known: Lists) -> bool:
    return any(one.match(text, at) for one in known.matchers("verb_after"))


def _matches(name: str, before: str, known: Lists) -> bool:
    tail = before[-40:] if name != "sentence_start" else before[-8:]
    return any(one.search(tail) for one in known.matchers(name))


Finder = Callable[[str, Lists], Iterator[Found]]
FINDERS: Sequence[Finder] = (_patterns, _amounts, _known_names, _capitalised)
"""What is looked for."""
