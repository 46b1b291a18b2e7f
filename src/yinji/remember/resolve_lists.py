"""The lists that messages hold: of marked items ("1. … 2. …"), of names (《…》和《…》), of joined ones ("A, B or C"),
and of clauses.

How a language marks, joins and ends items is in ``data/lang/pronouns``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from yinji.remember.resolve_features import Scene
from yinji.remember.resolve_tokens import tokens
from yinji.remember.resolve_words import PronounWords, span_of

RANKS = 6
"""Words for places in a list: ``rank_1`` to this."""
MARKED, LETTERED, ANNOUNCED, NAMED, CHOICE, COUNTED, JOINED, RETOLD = range(8, 0, -1)
"""How sure it is that such a run of words is a list of alternatives; of several, the surest is meant."""
RETOLD_LATER = (LETTERED, RETOLD)
"""Marks by which a list is spoken of afterwards: what they stood before first is meant."""
PAIR = 2
APART = 8
"""Characters between two names in quotation marks that stand together."""
SHORT = 5
"""Characters of a Chinese piece that is no more than a thing's name; three times as many of an English one."""
EDGES = " \t\n.,;\u3002\uff0c\uff1b\u3001\\?\uff1f!\uff01:\uff1a"


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """One thing of a list: all that is said of it there, and how it is called."""

    message: int
    start: int
    end: int
    text: str
    sharp: bool = False
    """Whether it is plain where its name starts and ends."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """What a message sets side by side, in order."""

    items: tuple[Item, ...]
    sure: int
    """One of ``MARKED`` to ``RETOLD``."""
    marks: tuple[str, ...] = ()
    """What stands before each ("1", "b"), where something does."""

    @property
    def message(self) -> int:
        return self.items[0].message


def rows(scene: Scene, until: int) -> list[Row]:
    """Every list before a place in the last message, the surest first, of those the latest; what only speaks of an
    earlier one comes last."""
    found: list[Row] = []
    for at, message in enumerate(scene.messages):
        text = message if at < scene.now else message[:until]
        for find in FINDERS:
            found += [
                one
                for one in find(text, at, scene)
                if _is_list(one, text if at == scene.now else "") and not _names_none(one, scene)
            ]
    return sorted(found, key=lambda row: (_is_comment(row, found, scene), -row.sure, _turn(row)))


def _turn(row: Row) -> int:
    return row.message if row.sure in RETOLD_LATER else -row.message


def _is_comment(row: Row, found: Sequence[Row], scene: Scene) -> bool:
    """Whether the assistant says it right after a list of the user's, or weighs two things of its own after the user's
    alternatives; or it takes up what an earlier list has."""
    said = scene.messages[row.message][row.items[0].start : row.items[-1].end].lower()
    return any(
        _answers(row, one, scene) or any(item.text.lower() in said for item in one.items)
        for one in found
        if one.message < row.message and one.sure > JOINED
    )


def _answers(row: Row, asked: Row, scene: Scene) -> bool:
    """Whether the assistant says one in answer to the other, which is the user's."""
    if not scene.assistant[row.message] or scene.assistant[asked.message]:
        return False
    return row.message == asked.message + 1 or (row.sure <= CHOICE <= asked.sure)


def _is_list(row: Row, here: str) -> bool:
    """Whether it is several things, each called something; what leads up to the pronoun is none ("还是前者")."""
    return len(row.items) > 1 and all(one.text for one in row.items) and not (here and row.items[-1].end == len(here))


def _names_none(row: Row, scene: Scene) -> bool:
    """Whether an item only points to another list ("the latter you can dip into")."""
    low = [one.text.lower() for one in row.items]
    return any(one.startswith(word) for one in low for word in scene.words.words["of_two"])


def _apart(items: Sequence[Item], words: PronounWords) -> Sequence[Item]:
    """Without the word that opens all of them ("one with a seat, one with wheels")."""
    opened = [words.matcher("shared_opens").match(one.text) for one in items]
    shared = {one[0].strip() for one in opened if one}
    if len(shared) != 1 or None in opened:
        return items
    (lead,) = shared
    return [replace(one, text=one.text[len(lead) :].strip()) for one in items]


# ------------------------------------------------------------------ marked


def _marked(text: str, at: int, scene: Scene) -> Iterator[Row]:
    """What stands behind "1.", "A", "first", or is called so itself ("plan A")."""
    for name, sure in (("marker", MARKED), ("lettered", LETTERED), ("retold", RETOLD)):
        for style in _styles(name, text, scene.words):
            run = _in_order(style, scene.words)
            items = (replace(one, sharp=True) for one in _behind(run, text, at, scene))
            marks = (one[span_name(one, "rank")].lower() for one in run)
            yield Row(items=tuple(items), sure=sure, marks=tuple(marks))


def _repeated(text: str, at: int, scene: Scene) -> Iterator[Row]:
    """One is this, one is that."""
    for style in _styles("each", text, scene.words):
        items = [
            replace(item, start=mark.start()) for item, mark in zip(_behind(style, text, at, scene), style, strict=True)
        ]
        yield Row(items=tuple(_apart(items, scene.words)), sure=MARKED)


def _styles(name: str, text: str, words: PronounWords) -> Iterator[list[re.Match[str]]]:
    """The matches of each pattern of that name by themselves."""
    found: dict[str, list[re.Match[str]]] = {}
    for match in words.matcher(name).finditer(text):
        style = next(group for group in match.re.groupindex if group.startswith("mark") and match[group])
        found.setdefault(style, []).append(match)
    yield from found.values()


def _in_order(marks: Sequence[re.Match[str]], words: PronounWords) -> list[re.Match[str]]:
    """The marks from the first on that count up."""
    run: list[re.Match[str]] = []
    for match in marks:
        place = rank(match[span_name(match, "rank")], words)
        if place == len(run) + 1:
            run.append(match)
        elif place == 1 and len(run) < 2:
            run = [match]
    return run


def rank(word: str, words: PronounWords) -> int:
    """The place that a word or figure names, from 1; 0 for none."""
    return next((at for at in range(1, RANKS + 1) if words.has(f"rank_{at}", word.lower())), 0)


def span_name(match: re.Match[str], group: str) -> str:
    """The group as it is numbered in the pattern that matched."""
    return next(name for name in match.re.groupindex if name.rstrip("0123456789") == group and match[name])


def _behind(marks: Sequence[re.Match[str]], text: str, at: int, scene: Scene) -> Iterator[Item]:
    """What each mark stands before, up to the next; the last up to where the sentence goes on with something else."""
    ends = [*(one.start() for one in marks), len(text)][1:]
    for match, end in zip(marks, ends, strict=True):
        stop = scene.words.matcher("item_ends").search(text, _opened(match.end(), end, text, scene.words), end)
        item = _item(match.end(), stop.start() if stop else end, at, scene)
        if _is_label(match) and not (item.text and scene.words.matcher("label_told").match(text, match.end(), end)):
            start, last = span_of(match, "label")
            item = Item(message=at, start=start, end=end, text=scene.originals[at][start:last], sharp=True)
        elif scene.words.matcher("priced").fullmatch(text, match.end(), item.end):
            start, last = span_of(match, "mark")
            item = replace(item, start=start, text=scene.originals[at][start:last].strip(EDGES))
        yield item


def _is_label(mark: re.Match[str]) -> bool:
    """Whether it is a name by itself ("plan A")."""
    return any(name.startswith("label") and mark[name] for name in mark.re.groupindex)


# -------------------------------------------------------- named and joined


def _quoted(text: str, at: int, scene: Scene) -> Iterator[Row]:
    """Titles and names in quotation marks, near each other."""
    run: list[Item] = []
    for match in scene.words.matcher("quoted_item").finditer(text):
        if run and match.start() - run[-1].end > APART:
            yield Row(items=tuple(run), sure=NAMED)
            run = []
        start, end = span_of(match, "name")
        run.append(Item(message=at, start=start, end=end, text=scene.originals[at][start:end], sharp=True))
    yield Row(items=tuple(run), sure=NAMED)


def _joined(text: str, at: int, scene: Scene) -> Iterator[Row]:
    """The pieces between "or", "and", and commas of a list."""
    for first, last in _stretches("list_breaks", text, 0, len(text), scene.words):
        joints = [one for one in scene.words.matcher("joint").finditer(text, first, last) if _is_word(one, at, scene)]
        start, joints = _from_first(joints, first, text, scene.words)
        joined, end = _to_last(joints, last, text, scene.words)
        if not joined:
            continue
        items = list(_pieces(joined, start, end, at, scene))
        if _leads(text[start : items[0].end], len(items) - 1, joined[0][0], scene.words):
            items = items[1:]
        sure = _sureness(joined, len(items), text[: text.find(items[0].text.lower(), items[0].start)], scene.words)
        yield Row(items=tuple(_apart(items, scene.words)), sure=sure)


def _from_first(
    joints: Sequence[re.Match[str]], start: int, text: str, words: PronounWords
) -> tuple[int, list[re.Match[str]]]:
    """Where the list starts: behind the last clause before it; and its joints: of "and" and "or" only the latter."""
    comma, chosen = words.matcher("comma"), [one for one in joints if _chooses(one, words)]
    kept = [one for one in joints if not chosen or one in chosen or comma.fullmatch(one[0])]
    for at in range(len(kept) - 2, -1, -1):
        if comma.fullmatch(kept[at][0]) and words.matcher("lead_clause").match(text, kept[at].end()):
            return kept[at].end(), kept[at + 1 :]
    return start, kept


def _chooses(joint: re.Match[str], words: PronounWords) -> bool:
    return words.matcher("choice").fullmatch(joint[0].strip()) is not None


def _to_last(
    joints: Sequence[re.Match[str]], end: int, text: str, words: PronounWords
) -> tuple[Sequence[re.Match[str]], int]:
    """The joints up to the last word among them, or to what says more of it all, behind which a comma ends the list;
    and where it ends."""
    comma = words.matcher("comma")
    more = next((k for k, one in enumerate(joints) if words.matcher("list_closes").match(text, one.end() - 1)), None)
    if more is not None and comma.fullmatch(joints[more][0]):
        joints, end = joints[:more], joints[more].start()
    said = [at for at, one in enumerate(joints) if not comma.fullmatch(one[0])]
    if not said or said[-1] + 1 == len(joints):
        return joints, end
    return joints[: said[-1] + 1], joints[said[-1] + 1].start()


def _is_word(joint: re.Match[str], at: int, scene: Scene) -> bool:
    """Whether a Chinese "and" is one, and no part of another word."""
    if len(joint[0]) > 1 or not joint[0].isalpha():
        return True
    said = tokens(scene.messages[at], scene.model.language)
    return any(one.start == joint.start() and not scene.words.has("never_joint", one.text) for one in said)


def _leads(piece: str, others: int, joint: str, words: PronounWords) -> bool:
    """Whether the first piece before a comma is none, but says what follows ("two films tonight, …")."""
    if not words.matcher("comma").fullmatch(joint):
        return False
    return others in _announced(piece, words) or words.matcher("lead_clause").match(piece.strip()) is not None


def _sureness(joints: Sequence[re.Match[str]], many: int, before: str, words: PronounWords) -> int:
    told = _announced(before, words)
    if many in told:
        return ANNOUNCED
    chosen = any(_chooses(one, words) for one in joints)
    return CHOICE if chosen or told or many > PAIR else JOINED


def _announced(text: str, words: PronounWords) -> list[int]:
    """The numbers of things that a text says there are."""
    return [rank(match[span_name(match, "count")], words) for match in words.matcher("several").finditer(text)]


def _pieces(joints: Sequence[re.Match[str]], start: int, end: int, at: int, scene: Scene) -> Iterator[Item]:
    """What stands between the joints; of the first only what belongs to the list, and of the last. A verb that opens
    the first may be said again before the others."""
    text = scene.messages[at]
    opened = _opening(start, joints, end, text, scene.words)
    lead = opened[span_name(opened, "lead")] if opened else ""
    first = span_of(opened, "item")[0] if opened else start
    last = _after(joints[-1].end(), lead, text)
    spans = [(first, joints[0].start())]
    spans += [(_after(one.end(), lead, text), other.start()) for one, other in pairwise(joints)]
    named = list(_told_alike([*spans, (last, end)], at, scene))
    if named:
        yield replace(named[0], start=start)
        yield from named[1:]
        return
    closed = scene.words.matcher("list_closes").search(text, joints[-1].end() + 1, end)
    yield replace(_called(*spans[0], at, scene, "end" if not opened else ""), start=start)
    for span in spans[1:]:
        yield replace(_item(*span, at, scene), sharp=True)
    yield replace(_called(last, closed.start() if closed else end, at, scene, "start" if not closed else ""), end=end)


def _opening(
    start: int, joints: Sequence[re.Match[str]], end: int, text: str, words: PronounWords
) -> re.Match[str] | None:
    """What leads up to the first piece; no word that the last has inside too ("to Rome in April or Porto in May")."""
    opens = words.matcher("list_opens")
    opened = opens.match(text, start, joints[0].start())
    if opened is None:
        return None
    at, until = span_of(opened, "lead")
    shared = words.matcher("shared_middle").match(text, at - 1)
    inside = shared is not None and text[at - 1 : until + 1] in text[joints[-1].end() + 1 : end]
    return (opens.match(text, start, at) or opened) if inside else opened


def _told_alike(spans: Sequence[tuple[int, int]], at: int, scene: Scene) -> Iterator[Item]:
    """What is named before the word by which something is told of each ("Stripe in Dublin, Spotify in Stockholm")."""
    text = scene.messages[at]
    found = [scene.words.matcher("shared_middle").search(text, start + 1, end) for start, end in spans]
    shared = {one[0].strip() for one in found if one}
    if len(shared) != 1 or None in found:
        return
    items = [
        Item(message=at, start=start, end=end, text=scene.originals[at][start : one.start()].strip(EDGES), sharp=True)
        for (start, end), one in zip(spans, found, strict=True)
        if one
    ]
    if all(_is_name(one, scene) for one in items):
        yield from items


def _is_name(item: Item, scene: Scene) -> bool:
    """Whether it is written as one; a Chinese one is known as a phrase."""
    if scene.model.language == "en":
        return bool(item.text) and all(not word[0].islower() for word in item.text.split())
    return any(one.text == item.text for one in scene.mentions[item.message])


def _after(start: int, lead: str, text: str) -> int:
    said = text[start:].lstrip()
    return len(text) - len(said) + len(lead) if lead and said.startswith(lead) else start


def _called(start: int, end: int, at: int, scene: Scene, side: str) -> Item:
    """The piece; where nothing shows its ``side`` that is open, the phrase that stands at the other."""
    item = _item(start, end, at, scene)
    if len(item.text) <= SHORT * (1 if scene.model.language == "zh" else 3):
        return item
    known = [
        one
        for one in scene.mentions[at]
        if not one.whole and one.kind != "deed" and start <= one.start and one.end <= end
    ]
    if side == "end":
        known = [one for one in known if one.end == end]
    elif side == "start":
        known = [one for one in known if one.start == end - len(scene.messages[at][start:end].lstrip())]
    best = max(known, key=lambda one: one.score, default=None) if side else None
    return item if best is None else replace(item, text=best.text)


# ----------------------------------------------------------------- counted


def _counted(text: str, at: int, scene: Scene) -> Iterator[Row]:
    """As many clauses as were announced, here or in the two messages before; or clauses with an amount each."""
    for match in scene.words.matcher("announced").finditer(text):
        end = scene.words.matcher("sentence_ends").search(text, match.end())
        spans = [*_stretches("clause_breaks", text, match.end(), end.start() if end else len(text), scene.words)]
        yield _clauses(spans, rank(match[span_name(match, "count")], scene.words), at, scene)
    spans = [*_stretches("clause_breaks", text, 0, len(text), scene.words)]
    before = " ".join(scene.messages[max(0, at - PAIR) : at]) if at < scene.now else ""
    yield _clauses(spans if len(spans) > PAIR else (), max(_announced(before, scene.words), default=0), at, scene)
    priced = [span for span in spans if scene.words.matcher("amount").search(text, *span)]
    yield Row(items=tuple(_item(*span, at, scene) for span in priced), sure=COUNTED)


def _clauses(spans: Sequence[tuple[int, int]], wanted: int, at: int, scene: Scene) -> Row:
    """The clauses, if they are as many as wanted."""
    told = spans if len(spans) == wanted else ()
    named = tuple(_told_alike(told, at, scene)) if told else ()
    return Row(items=named or tuple(_item(*span, at, scene) for span in told), sure=ANNOUNCED)


def _told_by_each(text: str, at: int, scene: Scene) -> Iterator[Row]:
    """What one suggests or wants, and what another does, in two clauses."""
    marks = list(scene.words.matcher("told_by").finditer(text))
    yield Row(items=tuple(_behind(marks, text, at, scene)) if len(marks) == PAIR else (), sure=JOINED)


def _stretches(name: str, text: str, start: int, end: int, words: PronounWords) -> Iterator[tuple[int, int]]:
    """What lies between the breaks."""
    for match in words.matcher(name).finditer(text, start, end):
        if text[start : match.start()].strip():
            yield start, match.start()
        start = match.end()
    if text[start:end].strip():
        yield start, end


def _item(start: int, end: int, at: int, scene: Scene) -> Item:
    """The thing as it is called at the head of what is said of it."""
    text, words = scene.messages[at], scene.words
    first = _opened(start, end, text, words)
    told = words.matcher("item_told").search(text, first + 1, end)
    said = scene.originals[at][first : told.start() if told else end].strip(EDGES)
    return Item(message=at, start=start, end=end, text=words.matcher("item_dangles").sub("", said))


def _opened(start: int, end: int, text: str, words: PronounWords) -> int:
    match = words.matcher("item_opens").match(text, start, end)
    return match.end() if match else start


FINDERS = (_marked, _repeated, _quoted, _joined, _counted, _told_by_each)
"""Each finds the lists of a message (text, its number, scene)."""
