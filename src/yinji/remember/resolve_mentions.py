"""What a message mentions that a pronoun may stand for: people, places, things, each with its part in the sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from yinji.remember.resolve_words import PronounWords, pronoun_words

THINGS = frozenset(
    ("thing", "animal", "vehicles", "machines", "documents", "software", "medicine", "food", "organisation", "project")
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Mention:
    """A name or noun phrase. ``message`` counts from the oldest; ``same`` is the id of what it names."""

    text: str
    start: int
    end: int
    kind: str
    head: str
    named: bool = False
    gender: str = ""
    """``male``, ``female``, or nothing when it may be either."""
    plural: bool = False
    role: str = "object"
    """``subject``, ``object``, ``moved`` (what is done something with), ``oblique`` or ``owner``."""
    clause: str = ""
    pair: int = -1
    """Those that are joined by "and" or "or" share it; -1 for none."""
    whole: bool = False
    """Stands for all that are joined."""
    message: int = 0
    assistant: bool = False
    same: int = -1

    @property
    def is_thing(self) -> bool:
        return self.kind in THINGS


def mentions(text: str, language: str) -> list[Mention]:
    """The mentions of one message in order, joined ones also as a whole."""
    if language == "zh":
        from yinji.remember.resolve_zh import noun_phrases
    else:
        from yinji.remember.resolve_en import noun_phrases
    found = noun_phrases(text)
    return _joined(found, text, pronoun_words(language))


def _joined(found: Sequence[Mention], text: str, words: PronounWords) -> list[Mention]:
    """Neighbours with a conjunction between them, in one pair, and after them the pair as a whole."""
    made: list[Mention] = []
    run: list[Mention] = []
    for one in found:
        if run and _is_joined(run[-1], one, text, words):
            run.append(one)
            continue
        made += _closed(run, text)
        run = [one]
    return [*made, *_closed(run, text)]


def _is_joined(first: Mention, second: Mention, text: str, words: PronounWords) -> bool:
    between = text[first.end : second.start]
    if not between and first.kind == second.kind == "person" and not (first.named or second.named):
        return True  # relatives in a row
    return _alike(first, second) and words.matcher("conjoined").search(between) is not None


def _alike(first: Mention, second: Mention) -> bool:
    return (first.named and second.named) or (first.kind == "person") == (second.kind == "person")


def _closed(run: Sequence[Mention], text: str) -> Iterator[Mention]:
    if len(run) < 2:
        yield from run
        return
    genders = {one.gender for one in run}
    for one in run:
        yield replace(one, pair=run[0].start, role=run[0].role)
    yield replace(
        run[0],
        text=text[run[0].start : run[-1].end],
        end=run[-1].end,
        plural=True,
        whole=True,
        pair=run[0].start,
        gender=genders.pop() if len(genders) == 1 else "",
    )


def numbered(messages: Sequence[tuple[str, bool]], language: str) -> list[Mention]:
    """The mentions of several messages, oldest first; what is named again keeps its id."""
    made: list[Mention] = []
    for at, (text, assistant) in enumerate(messages):
        for one in mentions(text, language):
            same = next((old.same for old in reversed(made) if _is_again(old, one)), len(made))
            made.append(replace(one, message=at, assistant=assistant, same=same if one.same < 0 else one.same))
    return _renamed(made, messages, language)


def _is_again(old: Mention, new: Mention) -> bool:
    if old.whole or new.whole:
        return old.text == new.text
    first, second = bare(old.text), bare(new.text)
    return first == second or (
        old.kind == new.kind and (first.endswith(second) or second.endswith(first)) and min(len(first), len(second)) > 1
    )


def bare(text: str) -> str:
    """The phrase without its article or owner, in lower case."""
    return _ARTICLE.sub("", text.lower())


_ARTICLE = re.compile(r"^(?:the|a|an|my|your|our|his|her|their|this|that|these|those|some)\s+")


def _renamed(made: list[Mention], messages: Sequence[tuple[str, bool]], language: str) -> list[Mention]:
    """Something and the name it is given in the same message get one id."""
    words, ids = pronoun_words(language), [one.same for one in made]
    for at, one in enumerate(made):
        if one.whole or not at:
            continue
        text = messages[one.message][0]
        before = [
            k
            for k in range(at)
            if (made[k].message == one.message and not made[k].whole and made[k].pair != one.pair)
            or (made[k].message == one.message and one.pair < 0 and not made[k].whole)
        ]
        match = words.matcher("renamed").search(text[: one.start])
        if before and match and (one.named or made[before[-1]].kind == one.kind == "person"):
            first = next((k for k in before if made[k].role == "subject"), before[-1])
            near = before[-1] if made[before[-1]].end >= match.start() - 4 else first
            if made[near].kind == one.kind or one.named:
                ids[at] = ids[near]
    return [replace(one, same=ids[at]) for at, one in enumerate(made)]
