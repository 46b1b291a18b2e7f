"""Where the clauses of a sentence end, which of them leans on another, and which of them says what it is about.

Clauses are cut by grammar, not by length: at a mark or a conjunction behind which somebody or something does
something, and where a request meets a statement without any mark between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from yinji.language.entities import find_entities
from yinji.language.packs import Pack
from yinji.language.segment import tagged
from yinji.remember.own_subject import joins_subject, own_being


@dataclass(frozen=True, kw_only=True, slots=True)
class Clause:
    """A clause, as offsets into the text it is cut from."""

    start: int
    end: int
    text: str


def clauses(text: str, words: Pack) -> list[Clause]:
    """The clauses in their order; what has no verb of its own stays with what follows it."""
    cut: list[Clause] = []
    begun: int | None = None
    for one in (part for marked in _marked(text, words) for part in _unmarked(marked, words)):
        if begun is not None and not _each_has_subject(text[begun : one.start], one.text, words):
            one = Clause(start=begun, end=one.end, text=text[begun : one.end])  # noqa: PLW2901
        elif begun is not None:
            said = text[begun : one.start].rstrip(EDGES)
            cut.append(Clause(start=begun, end=begun + len(said), text=said))
        opens = _opens(one.text, words) and (not cut or bool(words.matcher("only_time").fullmatch(one.text)))
        begun = one.start if opens else None
        if not opens or one.end == len(text):
            cut.append(one)
    return cut


def _each_has_subject(before: str, said: str, words: Pack) -> bool:
    """Whether what seemed to name only what the clause is of is a statement about somebody else (我妈信佛)."""
    return all(own_being(one, words.language) not in (None, "user") for one in (before, said))


def _opens(text: str, words: Pack) -> bool:
    """Whether it only names what the next clause is of; a request that names what is asked for ends there."""
    return _names_only(text, words) and not words.matcher("command").search(text)


def leans(text: str, words: Pack) -> bool:
    """Whether the clause says nothing without the one before it: a reason, a comment, a mere name, or a verb whose
    object was named there ("周四去拿")."""
    if words.matcher("leans").search(text) or words.matcher("confided").match(text):
        return True
    return _names_only(text, words) or _lacks_object(text, words)


def is_name(text: str, words: Pack) -> bool:
    """Whether nothing is said but a name, which says nothing of itself: "The Tate", 用户的滨江实验小学."""
    said = text.strip(EDGES)
    lead = words.matcher("before_name").match(said)
    at = lead.end() if lead else 0
    if words.matcher("bare_kin").match(said[at:]):
        return False
    return any(one.start == at and one.end == len(said) for one in find_entities(said, language=words.language))


def says_little(text: str, words: Pack) -> bool:
    """Whether nothing is named in the clause but whom it is about: "I don't believe it", 林姐也不信."""
    if words.language == "zh":
        who = words.matcher("person_head").match(text)
        if words.matcher("tells_enough").search(text):
            return False
        return not any(_tells(word, tag, words) for word, tag in _tagged(text[who.end() if who else 0 :]))
    return len(text.split()) <= FEW_WORDS and not words.matcher("tells_enough").search(text)


def head(text: str, words: Pack) -> str:
    """The clause that decides what is said and how: the first that is no mere circumstance."""
    if len(text) < _SHORT:
        return text
    for one in (cut := clauses(text, words))[:-1]:
        if not words.matcher("circumstance").search(one.text):
            return one.text
    return cut[-1].text if cut else text


FEW_WORDS = 3
"""English words of a clause that may be no more than somebody and what they do."""
EDGES = ' ,.!?:;\uff0c\u3002\uff01\uff1f\uff1a\uff1b\u201c\u201d"'
"""Marks around what is said."""
_SHORT = 6
"""Characters that are one clause in any case."""
_NOUNS = frozenset("nmqa")
"""First letters of the parts of speech in which a Chinese statement may end."""
RUN_ON = {"zh": range(10, 121), "en": range(8, 71)}
"""Characters or words without a mark in which several things may be said; what is longer was pasted."""
CONTENT = frozenset({"eng", "m", "i", "l", "j", "s"})
"""Parts of speech beside nouns and verbs that say something."""
DASHES = frozenset({"-", "\u2013", "\u2014", "--"})
NOMINAL = frozenset("nmtqsfuxe")
"""First letters of the parts of speech of which names, numbers and times are made."""
_MARKED_OFF = re.compile(r"[.!?;]|\s[-\u2013\u2014]+\s")
QUOTED = re.compile('\u201c[^\u201d]*\u201d|\u300c[^\u300d]*\u300d|\u300e[^\u300f]*\u300f|"[^"]*"')


def _marked(text: str, words: Pack) -> Iterator[Clause]:
    at, quoted = 0, [match.span() for match in QUOTED.finditer(text)]
    for begin, end in _joints(text, words):
        if any(first < begin < last for first, last in quoted) or begin < at:
            continue
        said = text[at:begin]
        if said.strip() and _says_something(said, words):
            yield Clause(start=at, end=begin, text=said)
            at = end
    if text[at:].strip():
        yield Clause(start=at, end=len(text), text=text[at:])


def _joints(text: str, words: Pack) -> list[tuple[int, int]]:
    """The stretches behind which a clause may begin: by its first words, or because a being does something in it."""
    found = {one.span() for one in words.matcher("clause_split").finditer(text)}
    begun = {start for start, _ in found}
    for one in words.matcher("joint").finditer(text):
        if one.start() not in begun and own_being(text[one.end() :], words.language) is not None:
            found.add(one.span())
    return _between_clauses([one for one in sorted(found) if not _adds_a_name(text, *one, words)], text, words)


def _adds_a_name(text: str, start: int, end: int, words: Pack) -> bool:
    """Whether only a name or a noun stands behind a dash: "a new coin - a 1915-S Barber quarter"."""
    dash = text[start:end].strip()
    return dash in DASHES and not words.matcher("has_verb").search(_MARKED_OFF.split(text[end:])[0])


def _between_clauses(joints: Sequence[tuple[int, int]], text: str, words: Pack) -> list[tuple[int, int]]:
    """Those that do not stand within a subject: "my sister and her fella have bought a pub"."""
    kept, begun = list[tuple[int, int]](), _topic_end(text, words)
    for start, end in joints:
        if not joins_subject(text[begun:], start - begun, words.language):
            kept.append((start, end))
            begun = end
    return kept


def _topic_end(said: str, words: Pack) -> int:
    """Where it goes on behind what only names what it is about ("speaking of bikes, ")."""
    topic = words.matcher("names_topic").match(said)
    return topic.end() if topic else 0


def _says_something(said: str, words: Pack) -> bool:
    said = said[_topic_end(said, words) :]
    if any(words.matcher(name).search(said) for name in ("has_verb", "command")):
        return True
    return own_being(said, words.language) not in (None, "user")


def _unmarked(clause: Clause, words: Pack) -> Iterator[Clause]:
    """The clause, or the request and the statement, or the statements, that run together in it."""
    cut = _joint(clause.text, words)
    parts = _parted(clause, [cut.span()]) if cut else [clause]
    for part in parts:
        yield from _parted(part, _run_on(part.text, words))


def _parted(clause: Clause, cuts: Sequence[tuple[int, int]]) -> list[Clause]:
    """The clause in the parts between those stretches of it."""
    starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(clause.text)]
    return [
        Clause(start=clause.start + start, end=clause.start + end, text=clause.text[start:end])
        for start, end in zip(starts, ends, strict=True)
    ]


def _run_on(text: str, words: Pack) -> list[tuple[int, int]]:
    """Where one statement ends and the next begins in what is said without a mark between them."""
    if (len(text) if words.language == "zh" else len(text.split())) not in RUN_ON[words.language]:
        return []
    found = {one.span("cut") for matcher in words.matchers("run_on") for one in matcher.finditer(text)}
    found |= {(at, at) for at in _begun_anew(text, words)} if words.language == "zh" else set()
    return _apart(sorted(cut for cut in found if not words.matcher("joins_on").search(text[: cut[0]])), text, words)


def _begun_anew(text: str, words: Pack) -> Iterator[int]:
    """Where in a Chinese text somebody or some time stands behind a noun, and something was said before it."""
    at, before, told = 0, "", False
    for word, tag in _tagged(text):
        at = text.index(word, at)
        if told and before[:1] in _NOUNS and words.matcher("begins_next").match(word):
            yield at
            told = False
        told = told or (tag[0] == "v" and not words.has("leads_noun", word))
        at, before = at + len(word), tag


def _apart(cuts: Sequence[tuple[int, int]], text: str, words: Pack) -> list[tuple[int, int]]:
    """Those of the cuts before which something is said since the one before."""
    kept: list[tuple[int, int]] = []
    for start, end in cuts:
        said = text[kept[-1][1] if kept else 0 : start]
        if len(said) >= _SHORT and words.matcher("has_verb").search(said) and text[end:].strip():
            kept.append((start, end))
    return kept


def _names_only(text: str, words: Pack) -> bool:
    """Whether a Chinese clause has no predicate: names, numbers and times alone."""
    if words.language != "zh":
        return False
    if is_name(text, words):
        return True
    if words.matcher("predicate").search(text):
        return False
    return all(tag[0] in NOMINAL for _, tag in _tagged(text))


def _lacks_object(text: str, words: Pack) -> bool:
    """Whether a Chinese clause ends in a verb of one syllable that wants an object and has none."""
    if (
        words.language != "zh"
        or not words.matcher("wants_object").search(text)
        or words.matcher("own_head").match(text)
    ):
        return False
    return _tagged(words.matcher("particle_end").sub("", text))[-1][1] == "v"


def _tells(word: str, tag: str, words: Pack) -> bool:
    if tag[0] == "v":
        return len(word) > 1 and not words.has("light_verb", word)
    return tag[0] == "n" or tag in CONTENT


def _tagged(text: str) -> list[tuple[str, str]]:
    return [(word, tag) for word, tag in tagged(text) if word.strip()] or [(text, "x")]


def _joint(text: str, words: Pack) -> re.Match[str] | None:
    """Where a statement follows a request, or a request a statement, with nothing between them.

    What is said in one breath stays whole: an instruction for good, and a name that the request is about.
    """
    if words.matcher("request").match(text):
        return words.matcher("joint_statement").search(text)
    cut = words.matcher("joint_request").search(text)
    if cut is None or words.matcher("standing").search(text) or _names_only(text[: cut.start()], words):
        return None
    return cut
