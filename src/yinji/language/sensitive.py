"""What in a text identifies, pays or unlocks, the text with that masked, and whether what is left says anything.

Rules and policy are ``data/sensitive.toml``: a class is masked (``[class]`` keeps its place), dropped (so too, and
the statement is not kept) or only marked.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from yinji.language import sensitive_before
from yinji.language.script import simplify
from yinji.language.sensitive_checks import CHECKS
from yinji.language.sensitive_rules import DROP, MARK, NONE, Policy, Rule, compiled, data, policy
from yinji.language.sensitive_told import LIKELY, told, values

REPEATED = 4
"""Signs that a found value must have to be looked for again in the same text."""
EARLIER = 60
"""Characters before a street in which the names of its places stand."""
WINDOW = 1000
"""Characters that are searched at once."""
MARKS = "\uff01\uff1f"
"""Full-width marks that end a sentence and no password."""
CUTS = ("\n", "\u3002", ". ", "\uff0c", " ")
"""Where a longer text is best divided."""
_RUN = re.compile(r"[!-~]+")
_CELL = re.compile(r"[|,\t]?[ ]*(?P<value>[^|,\t\n]*[^|,\t\s])[ ]*")
"""A cell of a table in Markdown or of separated values."""
_NARROW = str.maketrans(
    {
        **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},
        **{0x1D7CE + at: 0x30 + at % 10 for at in range(50)},
        **{start + at: 0x30 + at for start in (0x660, 0x6F0) for at in range(10)},
        **dict.fromkeys((0x3000, 0xA0, 0x202F, *range(0x2000, 0x2010), *range(0x202A, 0x202F), 0x2060, 0xFEFF), 0x20),
        **dict.fromkeys((*range(0x2010, 0x2016), 0x2212, 0xFE63), 0x2D),
        0xFF61: 0x3002,
    }
)


@dataclass(frozen=True, kw_only=True, slots=True)
class SensitiveSpan:
    """Where something sensitive stands in the text that was given, and what is done about it."""

    type: str
    start: int
    end: int
    action: str
    """``mask``, ``drop`` or ``mark``."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Masked:
    """The text fit to be written down, and all that was found in the original."""

    text: str
    spans: tuple[SensitiveSpan, ...]

    @property
    def masked(self) -> int:
        return sum(span.action != MARK for span in self.spans)


def mask(text: str, rules: Policy | None = None, *, before: Sequence[str] = ()) -> Masked:
    """The text with what the policy masks or drops replaced by ``[type]``; idempotent.

    ``before``: what was said last, latest last, which may tell what a bare value is ("What is the code?" – "4821#").
    """
    rules = rules or policy()
    spans = find(text, rules, before=before)
    left = _replaced(text, spans)
    while left != text:  # a value gone may bring two others closer to their labels
        text, left = left, _replaced(left, find(left, rules))
    return Masked(text=left, spans=spans)


def mask_turn(user: str, assistant: str | None, rules: Policy, *, before: Sequence[str] = ()) -> tuple[str, str | None]:
    """Both messages of a turn masked; what one of them gives away by a label is masked in the other too."""
    said = mask(user, rules, before=before)
    if assistant is None:
        return said.text, None
    answered = mask(assistant, rules, before=(user,))
    given = {user[span.start : span.end]: span for span in said.spans if span.action != MARK}
    own = {assistant[span.start : span.end]: span for span in answered.spans if span.action != MARK}
    return _without(said.text, own), _without(answered.text, given)


def find(text: str, rules: Policy | None = None, *, before: Sequence[str] = ()) -> tuple[SensitiveSpan, ...]:
    """All sensitive spans in order; where classes overlap, that of the earlier rule."""
    rules = rules or policy()
    spans = _found(text, rules)
    if before and not any(span.action != MARK for span in spans) and is_bare(text):
        spans = _found_after(before, text, rules) or spans
    return tuple(sorted(spans, key=lambda span: span.start))


def is_bare(text: str) -> bool:
    """Whether the text is little more than a value, so that what was said before may tell what it is."""
    return sensitive_before.is_bare(_narrow(text, policy()))


def _found(text: str, rules: Policy) -> list[SensitiveSpan]:
    view = _narrow(text, rules)
    spans: list[SensitiveSpan] = []
    _look(view, 0, rules, spans, whole=True)
    for start, end in _windows(view):
        _look(view[start:end], start, rules, spans, whole=False)
    spans += _in_columns(view, spans, rules)
    spans += _by_its_words(view, spans, rules)
    kept = [_without_mark(text, span) for span in spans if span.action != NONE]
    return kept + list(_again(view, kept, spans)) if kept else kept


def _without_mark(text: str, span: SensitiveSpan) -> SensitiveSpan:
    """The span without the full-width mark that ends its sentence, which the rules see as a narrow sign."""
    if text[span.end - 1] in MARKS and text[span.end - 2].isascii() and span.end - span.start > REPEATED:
        return replace(span, end=span.end - 1)
    return span


def _look(view: str, offset: int, rules: Policy, spans: list[SensitiveSpan], *, whole: bool) -> None:
    """Adds what the rules that look at the whole text, or those that look at a stretch of it, find and nobody has."""
    lower, digits = view.lower(), sum(map(str.isdigit, view))
    run = max(map(len, _RUN.findall(view)), default=0) if len(view) >= 16 else 0
    taken = [span for span in spans if offset < span.end and span.start < offset + len(view)]
    for rule in rules.rules:
        if rule.whole is not whole or digits < rule.digits or run < rule.run:
            continue
        if rule.cues and not any(cue in lower for cue in rule.cues):
            continue
        action = rules.actions.get(rule.type, NONE)
        for start, end in sorted(_matches(rule, view), key=lambda found: (found[0], -found[1])):
            one = SensitiveSpan(type=rule.type, start=start + offset, end=end + offset, action=action)
            if all(one.end <= span.start or span.end <= one.start for span in taken):
                taken.append(one)
                spans.append(one)


def _in_columns(view: str, taken: list[SensitiveSpan], rules: Policy) -> Iterator[SensitiveSpan]:
    """The cells of a table below a head that says that they are secrets."""
    if "\n" not in view:
        return
    columns, at = (0, frozenset[int]()), 0
    for line in view.split("\n"):
        cells = list(_CELL.finditer(line))
        named = frozenset(n for n, cell in enumerate(cells) if _column().fullmatch(cell[0]))
        if named and len(cells) > 1:
            columns = (len(cells), named)
        elif len(cells) == columns[0]:
            for cell in (cells[n] for n in columns[1]):
                start, end = at + cell.start("value"), at + cell.end("value")
                if (
                    _RUN.fullmatch(cell["value"])
                    and cell["value"].strip("-:=*")
                    and all(end <= one.start or one.end <= start for one in taken)
                ):
                    yield SensitiveSpan(type="secret", start=start, end=end, action=rules.actions.get("secret", NONE))
        elif len(cells) < 2 and line.strip():
            columns = (0, frozenset())
        at += len(line) + 1


@cache
def _column() -> re.Pattern[str]:
    return re.compile(data()["words"]["column"], re.IGNORECASE)


def _by_its_words(view: str, taken: list[SensitiveSpan], rules: Policy) -> Iterator[SensitiveSpan]:
    """The values that no rule has taken and whose words say that they are secrets or codes."""
    for start, end in values(view):
        if any(start < span.end and span.start < end for span in taken):
            continue
        type, likely = told(view, start, end)
        if likely >= LIKELY:
            yield SensitiveSpan(type=type, start=start, end=end, action=rules.actions.get(type, NONE))


def _windows(view: str) -> Iterator[tuple[int, int]]:
    """Stretches that are searched by themselves, so that a long text takes no longer than its length."""
    start = 0
    while len(view) - start > WINDOW:
        cut = next((end for sign in CUTS if (end := view.rfind(sign, start + WINDOW // 2, start + WINDOW)) > 0), -1)
        end = cut + 1 if cut > 0 else start + WINDOW
        yield start, end
        start = end
    yield start, len(view)


def _matches(rule: Rule, view: str) -> Iterator[tuple[int, int]]:
    check = CHECKS[rule.check] if rule.check else None
    for pattern in map(compiled, rule.patterns):
        group = "value" if "value" in pattern.groupindex else 0
        at = 0
        while match := pattern.search(view, at):
            start, end = match.span(group)
            at = max(end, match.start() + 1)
            if rule.grow:
                start, end = _chinese_edges(view, start, end)
            elif rule.type == "address":
                start, end = _latin_edges(view, start, end)
            if start < end and (check is None or check(view[start:end], view)):
                yield start, end
            elif check is not None:
                at = match.start() + 1  # the next may begin inside of what was no such number


def _again(view: str, kept: list[SensitiveSpan], taken: list[SensitiveSpan]) -> Iterator[SensitiveSpan]:
    """Where a value that its label gave away stands once more, without it."""
    values = {view[span.start : span.end]: span for span in kept if span.action != MARK}
    free = list(taken)
    for value, span in values.items():
        if len(value) < REPEATED or view.count(value) == sum(view.startswith(value, one.start) for one in taken):
            continue
        for match in re.finditer(rf"(?<![0-9A-Za-z]){re.escape(value)}(?![0-9A-Za-z])", view):
            if all(match.end() <= one.start or one.end <= match.start() for one in free):
                again = replace(span, start=match.start(), end=match.end())
                free.append(again)
                yield again


def _found_after(before: Sequence[str], text: str, rules: Policy) -> list[SensitiveSpan]:
    """What a bare value is by what was said before it."""
    found = sensitive_before.by_what_was_said(
        before, _narrow(text, rules), lambda asked: [(one.type, one.start, one.end) for one in _found(asked, rules)]
    )
    return [
        SensitiveSpan(type=type, start=start, end=end, action=rules.actions.get(type, NONE))
        for type, start, end in found
    ]


def _replaced(text: str, spans: tuple[SensitiveSpan, ...]) -> str:
    pieces, at = [], 0
    for span in spans:
        if span.action != MARK:
            pieces += [text[at : span.start], f"[{span.type}]"]
            at = span.end
    return "".join(pieces) + text[at:]


def _without(text: str, values: dict[str, SensitiveSpan]) -> str:
    for value, span in values.items():
        if len(value) >= REPEATED:
            shape = rf"(?<![0-9A-Za-z]){re.escape(value)}(?![0-9A-Za-z])"
            text = re.sub(shape, lambda _, type=span.type: f"[{type}]", text)  # type: ignore[misc]
    return text


def _narrow(text: str, rules: Policy) -> str:
    """The text as rules see it, character for character: full width as ASCII, odd blanks and dashes plain,
    placeholders as NUL."""
    if not text.isascii():
        text = _in_digits(text.translate(_NARROW))
    return _placeholder(rules).sub(lambda found: "\0" * len(found[0]), text) if "[" in text else text


def _in_digits(text: str) -> str:
    """Numbers that are said in Chinese, sign for sign in digits, where they are one's number: "三单元" is "3单元"."""
    said, number, signs = _said()
    text = said.sub(lambda found: found[0].translate(signs), text)
    return number.sub(lambda found: found[0].translate(signs), text)


@cache
def _said() -> tuple[re.Pattern[str], re.Pattern[str], dict[int, int]]:
    words = data()["words"]
    digits = dict(zip(map(ord, words["digits"]), map(ord, "0012345678911"), strict=True))
    return re.compile(words["said_digits"]), re.compile(words["said_number"]), digits


def _placeholder(rules: Policy) -> re.Pattern[str]:
    return _any_of(tuple(rules.actions))


@cache
def _any_of(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\[(?:{'|'.join(names)})\]")


# ---------------------------------------------------------------- addresses


@cache
def _address_words() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    words = data()["address"]
    return re.compile(words["stops"]), re.compile(words["starts"]), re.compile(words["run"])


def _chinese_edges(view: str, start: int, end: int) -> tuple[int, int]:
    """The address with the place names before it, and the code of its town behind it."""
    after = compiled(data()["address"]["zh_after"]).match(view, end)
    return _address_start(view, start), after.end() if after else end


def _address_start(view: str, at: int) -> int:
    """Where the place names in front of a street or building begin: behind the last word that is none."""
    stops, starts, run = _address_words()
    before = view[max(0, at - EARLIER) : at]
    match = run.search(before)
    if match is None:
        return at
    begin = match.start()
    for stop in stops.finditer(before, begin):
        begin = stop.end()
    for named in starts.finditer(before + view[at : at + 2], begin):  # what it looks ahead for may be the street
        if named.end() <= len(before):
            begin = named.start()
            break
    while begin < len(before) and not before[begin].isalnum():
        begin += 1
    return max(0, at - EARLIER) + begin


def _latin_edges(view: str, start: int, end: int) -> tuple[int, int]:
    """The address with the room or house before it, and the town and its code behind it."""
    words = data()["address"]
    before = compiled(words["latin_before"]).search(view, max(0, start - EARLIER), start)
    after = compiled(words["latin_after"]).match(view, end)
    return before.start() if before else start, after.end() if after else end


# ------------------------------------------------------------ what is left


def only_placeholder(text: str, rules: Policy | None = None) -> bool:
    """Whether a masked statement says nothing but that there is such a number: "My card number is [bank_card]"."""
    placeholder = _placeholder(rules or policy())
    if not placeholder.search(text):
        return False
    rest = placeholder.sub(" ", simplify(unicodedata.normalize("NFKC", text)).lower().replace("\u2019", "'"))
    return not any(char.isalnum() for char in _hollow().sub(" ", rest))


def refused(text: str, rules: Policy | None = None) -> bool:
    """Whether a masked statement must not be kept: the policy drops what was in it, or nothing else is left."""
    if "[" not in text:
        return False
    dropped = (rules or policy()).types(DROP)
    return any(f"[{name}]" in text for name in dropped) or only_placeholder(text, rules)


def is_delicate(text: str, rules: Policy | None = None) -> bool:
    """Whether a memory that says this is marked sensitive (SPEC O2): by its topic, or by what is in it."""
    rules = rules or policy()
    if _placeholder(rules).search(text) or topics(text):
        return True
    return any(span.action == MARK for span in find(text, rules))


def topics(text: str) -> tuple[str, ...]:
    """The delicate topics that the text touches: ``health``, ``finance``, ``intimate``, ``belief``."""
    plain = simplify(text).lower().replace("\u2019", "'")
    return tuple(name for name, words in _topics().items() if words.search(plain))


@cache
def _topics() -> dict[str, re.Pattern[str]]:
    listed: dict[str, list[str]] = {}
    for key, words in data()["topics"].items():
        name, _, language = key.rpartition("_")
        chosen = "|".join(map(_word, words.split()))
        listed.setdefault(name, []).append(chosen if language == "zh" else rf"(?<![a-z])(?:{chosen})(?![a-z])")
    return {name: re.compile("|".join(patterns)) for name, patterns in listed.items()}


@cache
def _hollow() -> re.Pattern[str]:
    words = data()["hollow"]
    chinese = "|".join(sorted(map(_word, words["zh"].split()), key=len, reverse=True))
    english = "|".join(sorted(map(_word, words["en"].split()), key=len, reverse=True))
    return re.compile(rf"(?:{chinese})|(?<![a-z'])(?:{english})(?![a-z'])")


def _word(word: str) -> str:
    """A word as a pattern: ``_`` stands for a space, ``*`` at its end for any ending."""
    plain = re.escape(word.rstrip("*").replace("_", " "))
    return f"{plain}[a-z]*" if word.endswith("*") else plain


__all__ = [
    "Masked",
    "Policy",
    "SensitiveSpan",
    "find",
    "is_bare",
    "is_delicate",
    "mask",
    "mask_turn",
    "only_placeholder",
    "policy",
    "refused",
    "topics",
]
