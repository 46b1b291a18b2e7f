"""People in Chinese text: surname and title, surname and given name, familiar forms, foreign names, nicknames.

A surname is also an ordinary character and many names are ordinary words, so a candidate gathers evidence: how
common the surname is, whether the characters behind it are given to people, what the segmenter made of it, and
what stands before and after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from yinji.language.entities.lists import Found, lists
from yinji.language.entities.reading import NAME_TAGS, Reading, follows, precedes
from yinji.language.segment import is_word

ENOUGH = 3.0
_HAN = re.compile("[\u4e00-\u9fff]+")


def persons(reading: Reading) -> Iterator[Found]:
    """Stretches that name somebody; the heavier ones are surer."""
    for finder in (_titled, _fond, _familiar, _full, _foreign, _nicknamed):
        yield from finder(reading)


# ------------------------------------------------------ titles, familiar forms


def _titled(reading: Reading) -> Iterator[Found]:
    known, text = lists("zh"), reading.text
    for match in _title().finditer(text):
        doubled = match.start() > 0 and text[match.start() - 1] == match[0][0]
        if (
            doubled
            or known.has("never", match[0])
            or known.matchers("title_never")[0].match(text, match.start("title"))
        ):
            continue
        if (full := _full_before(reading, match.start("title"))) is not None:
            yield Found(start=full, end=match.start("title"), type="person", weight=59)
        else:
            yield Found(start=match.start(), end=match.end(), type="person", weight=58)


def _full_before(reading: Reading, end: int) -> int | None:
    """Where a full name that ends there starts."""
    known, text = lists("zh"), reading.text
    for size in (3, 2):
        start = max(0, end - size)
        name = text[start:end]
        if len(name) < size or not _HAN.fullmatch(name):
            continue
        if size == 3 and known.has("compound_surnames", name[:2]):
            return start
        alone = start == 0 or not _HAN.match(text[start - 1]) or precedes(reading, start) > 0
        likely = known.has("common_surnames", name[0]) and all(known.has("given", char) for char in name[1:])
        spoken = any(known.has("before_name", name[:n]) for n in (1, 2)) or known.has("never", name)
        if alone and likely and not spoken:
            return start
    return None


@cache
def _title() -> re.Pattern[str]:
    known = lists("zh")
    foreign = f"[{''.join(known.words['transliterated'] | known.words['japanese'])}]"
    surname = f"(?:{_either('compound_surnames')}|[{''.join(known.words['surnames'])}])"
    return re.compile(f"(?:{surname}|{foreign}{{2,4}}(?={_either('polite')}))(?P<title>{_either('titles')})")


def _either(name: str) -> str:
    return f"(?:{'|'.join(sorted(lists('zh').words[name], key=len, reverse=True))})"


def _fond(reading: Reading) -> Iterator[Found]:
    """Somebody by one character of their name: 芳姐, 明哥."""
    known, text = lists("zh"), reading.text
    for at in range(len(text) - 1):
        if not known.has("fond_titles", text[at + 1]) or known.matchers("fond_never")[0].match(text, at):
            continue
        likely = known.has("given", text[at]) and not known.has("surnames", text[at]) and not is_word(text[at : at + 2])
        alone = at == 0 or not _HAN.match(text[at - 1]) or precedes(reading, at) > 0
        if likely and alone and not known.matchers("title_never")[0].match(text, at + 1):
            yield Found(start=at, end=at + 2, type="person", weight=56)


def _familiar(reading: Reading) -> Iterator[Found]:
    """Old Zhang, little Li, A-Fang."""
    known, text = lists("zh"), reading.text
    for match in known.matchers("latin_prefix")[0].finditer(text):
        at = match.start()
        name = text[at : at + 2]
        job = max((one for one in known.words["job_before"] if text.endswith(one, 0, at)), key=len, default=None)
        around = max(follows(reading, at + 2), precedes(reading, at)) if len(name) > 1 else 0.0
        surnamed = known.has("common_surnames", name[1:]) and follows(reading, at + 2) > 1
        spoken_of = around > 1 and _is_fond(name) and not known.has("big", name[0])
        if known.has("big", name[0]) and not (surnamed and not is_word(name)):
            continue
        if len(name) < 2 or not (job or spoken_of or surnamed or _is_familiar(name)) or _word_from(text, at):
            continue
        if not known.has("surnames", name[1]) and not known.has("given", name[1]):
            continue
        if job or at in reading.cuts or precedes(reading, at) > 0:
            yield Found(start=at, end=at + 2, type="person", weight=57)


def _is_familiar(name: str) -> bool:
    known = lists("zh")
    if known.has("never_familiar", name):
        return False
    if known.matchers("affectionate")[0].match(name):
        return known.has("given", name[1]) or known.has("surnames", name[1])
    return known.has("common_surnames", name[1])


def _is_fond(name: str) -> bool:
    """Whether the second character is one that children are called by and hardly anything else."""
    known = lists("zh")
    return len(name) > 1 and known.has("given", name[1]) and not known.has("rare_given", name[1])


def _word_from(text: str, at: int) -> bool:
    """Whether a longer ordinary word starts there."""
    return any(is_word(text[at : at + size]) for size in (3, 4) if len(text) >= at + size)


# -------------------------------------------------------------- full names


def _full(reading: Reading) -> Iterator[Found]:
    known, text = lists("zh"), reading.text
    for at in range(len(text) - 1):
        head = 2 if known.has("compound_surnames", text[at : at + 2]) else 1
        if head == 1 and not known.has("surnames", text[at]):
            continue
        ends = [end for end in (at + head + 2, at + head + 1) if end <= len(text) and _HAN.fullmatch(text[at:end])]
        scored = [(_score(reading, at, end, head), end) for end in ends if not known.has("never", text[at:end])]
        if scored and (best := max(scored, key=lambda one: one[0]))[0] >= ENOUGH:
            yield Found(start=at, end=best[1], type="person", weight=46 + min(8, round(best[0])))


def _score(reading: Reading, at: int, end: int, head: int) -> float:
    """The evidence that a surname of ``head`` characters opens a name there."""
    score = _characters(reading.text[at:end], head) + _shape(reading, at, end)
    before, after = precedes(reading, at), follows(reading, end)
    if at not in reading.cuts and before <= 0:
        score -= 1.5
    if end not in reading.cuts and after <= 0:
        score -= 1.5
    if (before > 0 and after > 1) or (before > 1 and after > 0):
        score += 0.6
    return score + before + after


def _characters(name: str, head: int) -> float:
    known, given = lists("zh"), name[head:]
    score = 2.0 if head == 2 else 1.0 if known.has("common_surnames", name[0]) else 0.3
    score += sum(0.3 if known.has("rare_given", one) else 0.8 if known.has("given", one) else -0.7 for one in given)
    if len(given) == 1:
        return score + 0.3
    return score + 0.5 * (given[0] == given[1])


def _shape(reading: Reading, at: int, end: int) -> float:
    """What the segmenter makes of the stretch."""
    tag, name = reading.tags.get((at, end)), reading.text[at:end]
    if tag in NAME_TAGS:
        return -0.5 if lists("zh").has("ordinary", name) else 1.2
    if is_word(name):
        return -0.8
    if tag is not None:
        return 0.3
    if reading.tags.get((at + 1, end)) in NAME_TAGS and reading.tags.get((at, at + 1)) is not None:
        return 0.6  # a surname, and what the dictionary has as somebody's name
    inner = any(one in reading.cuts for one in range(at + 1, end))
    return -0.4 if len(name) > 2 and inner and (is_word(name[1:]) or is_word(name[:2])) else 0.0


# ------------------------------------------------- foreign names, nicknames


def _foreign(reading: Reading) -> Iterator[Found]:
    """Runs of characters that write foreign names, between the edges of words."""
    known = lists("zh")
    for run in _run().finditer(reading.text):
        start, end = _fitted(reading, run.start(), run.end())
        while end - start > 2 and known.has("never_last", reading.text[end - 1]):
            end -= 1
        name = reading.text[start:end]
        if len(name) < 2 or known.has("never", name) or known.has("places", name):
            continue
        if _is_foreign(reading, start, end):
            yield Found(start=start, end=end, type="person", weight=51 if len(name) > 2 else 47)


def _is_foreign(reading: Reading, start: int, end: int) -> bool:
    name = reading.text[start:end]
    around = follows(reading, end) + precedes(reading, start)
    inside = [word for word in reading.within(start, end) if len(word.text) > 1]
    tagged = any(word.tag in NAME_TAGS for word in inside)
    if len(name) == 2:
        return tagged and around > 1.0
    if tagged or len(name) > 3:
        return tagged or not is_word(name)
    return around > 0.8 and not is_word(name) and not any(is_word(word.text) for word in inside)


def _fitted(reading: Reading, start: int, end: int) -> tuple[int, int]:
    """The run without the parts of words that reach beyond it."""
    for word in reading.within(start, end):
        if word.start < start < word.end and word.end - start < 3 and is_word(word.text):
            start = word.end
        if word.start < end < word.end and is_word(word.text) and end - word.start < 2:
            end = word.start
    return start, max(start, end)


@cache
def _run() -> re.Pattern[str]:
    return re.compile(f"[{''.join(lists('zh').words['transliterated'])}]{{2,7}}")


def _nicknamed(reading: Reading) -> Iterator[Found]:
    """Pet names, and other names that the segmenter knows, where the words around speak of somebody."""
    known = lists("zh")
    for word in reading.words:
        if len(word.text) < 2 or known.has("never", word.text) or known.has("ordinary", word.text):
            continue
        around = follows(reading, word.end) + precedes(reading, word.start)
        doubled = len(word.text) == 2 and word.text[0] == word.text[1] and known.has("given", word.text[0])
        doubled = doubled or (known.has("nicknames", word.text) and not is_word(word.text))
        if known.has("nicknames", word.text) or doubled:
            named = known.matchers("called_before")[0].search(reading.text[: word.start])
            joined = known.matchers("beside")[0].match(reading.text, word.end) is not None
            if named or around > (0.8 if doubled or joined else 1.5):
                yield Found(start=word.start, end=word.end, type="person", weight=49)
        elif word.tag in NAME_TAGS and len(word.text) <= 5 and not known.has("tag_never", word.text):
            likely = known.has("surnames", word.text[0]) or _run().fullmatch(word.text) is not None
            if around > (0.8 if likely else 1.3):
                yield Found(start=word.start, end=word.end, type="person", weight=45 if likely else 44)
