"""What the language layer sees in a text: language, times, names, pronouns, sensitive data. Nothing is kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from yinji.errors import InvalidInput
from yinji.interfaces.cli.call import Call, standard_input, typed_at
from yinji.interfaces.cli.entry import DONE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from yinji.interfaces.cli.screen import Screen
    from yinji.interfaces.messages import Messages
    from yinji.language.time.find import Found

STYLES = {"sensitive": "red", "pronoun": "yellow", "time": "green", "entity": "cyan"}
"""Colour of each part; where two overlap in the text, the earlier is shown."""
MARKS = {"sensitive": "!", "pronoun": "=", "time": "@", "entity": "#"}
"""What stands for the colour where there is none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """One thing in the text. ``meaning`` is for programs, ``told`` for people."""

    part: str
    """A key of STYLES."""
    start: int
    end: int
    text: str
    type: str
    meaning: Mapping[str, object]


@dataclass(frozen=True, kw_only=True, slots=True)
class Parsed:
    text: str
    language: str
    at: datetime
    terms: tuple[str, ...]
    clean: str
    masked: str
    topics: tuple[str, ...]
    seen: tuple[Seen, ...]


def parse(call: Call) -> int:
    from datetime import datetime

    from yinji.language.time.conventions import using

    text = _text(call)
    at = call.options.at or datetime.now().astimezone()
    settings = call.settings().remember
    with using(settings.time_conventions):
        parsed = read(text, at=at, context=call.options.context or (), policy=settings.sensitive_policy)
    if call.screen.json:
        call.screen.value(parsed)
    else:
        _show(call.screen, parsed)
    return DONE


def _text(call: Call) -> str:
    """The argument, or standard input where there is none or it is ``-``."""
    given: str | None = call.options.text
    if given in (None, "-") and not typed_at():
        given = standard_input(call.say)
    if given is None or not given.strip():
        raise InvalidInput(what="The text", problem="it is empty", hint="Give a text, or send one in: … | yinji parse")
    return given.strip("\n")


def read(text: str, *, at: datetime, context: Sequence[str], policy: str = "") -> Parsed:
    """All that is seen in a text said at ``at``. ``context``: what was said before it, oldest first."""
    from yinji.language import sensitive
    from yinji.language.text import detect, terms
    from yinji.remember.clean import clean

    language = detect(text)
    rules = sensitive.policy(policy)
    secret = list(_sensitive(text, rules))
    named = [*_pronouns(text, context, language), *_times(text, at, language), *_entities(text, language)]
    found = [one for one in named if all(one.end <= other.start or other.end <= one.start for other in secret)]
    return Parsed(
        text=text,
        language=language,
        at=at,
        terms=terms(text),
        clean=clean(text, language).text,
        masked=sensitive.mask(text, rules).text,
        topics=sensitive.topics(text),
        seen=tuple(sorted([*secret, *found], key=lambda one: (one.start, -one.end))),
    )


def _sensitive(text: str, rules: object) -> Iterator[Seen]:
    from yinji.language import sensitive

    assert isinstance(rules, sensitive.Policy)
    for one in sensitive.find(text, rules):
        yield _seen("sensitive", text, (one.start, one.end), one.type, {"action": one.action})


def _pronouns(text: str, context: Sequence[str], language: str) -> Iterator[Seen]:
    from yinji.remember.resolve import resolve

    for one in resolve(text, context, language=language):
        meaning = {"antecedent": one.antecedent, "why": one.why, "probability": one.probability}
        yield _seen("pronoun", text, (one.start, one.end), "pronoun", meaning)


def _times(text: str, at: datetime, language: str) -> Iterator[Seen]:
    from yinji.language.dates import find_times

    for one in find_times(text, at=at, language=language):
        yield _seen("time", text, (one.start, one.end), str(one.interval.grain), _moment(one))


def _moment(one: Found) -> dict[str, object]:
    first = one.first or one.interval
    return {
        "start": first.start,
        "end": first.end,
        "recurrence": one.interval.recurrence,
        "certainty": round(one.certainty, 2),
        "others": [[other.start, other.end] for other in one.others],
    }


def _entities(text: str, language: str) -> Iterator[Seen]:
    from yinji.language.entities import find_entities

    for one in find_entities(text, language=language):
        yield _seen("entity", text, (one.start, one.end), one.type, {"name": one.name})


def _seen(part: str, text: str, span: tuple[int, int], type: str, meaning: Mapping[str, object]) -> Seen:
    return Seen(part=part, start=span[0], end=span[1], text=text[slice(*span)], type=type, meaning=meaning)


# ------------------------------------------------------------------ showing


def _show(screen: Screen, parsed: Parsed) -> None:
    say = screen.say
    screen.data(_coloured(screen, parsed))
    parts = [part for part in STYLES if any(one.part == part for one in parsed.seen)]
    if parts:
        screen.data("")
        screen.data("  ".join(screen.styled(f"{MARKS[part]} {say(f'parse.{part}')}", STYLES[part]) for part in parts))
        titles = [say(f"column.{name}") for name in ("part", "words", "type", "meaning")]
        screen.rows(titles, (_row(one, say) for one in parsed.seen))
    else:
        screen.note(say("parse.nothing"))
    _facts(screen, parsed)


def _facts(screen: Screen, parsed: Parsed) -> None:
    from yinji.interfaces.cli.show import pairs

    say = screen.say
    facts = [("language", say.term("language", parsed.language)), ("said_at", parsed.at.isoformat(" ", "minutes"))]
    if parsed.clean != parsed.text:
        facts.append(("clean", parsed.clean or say("none")))
    if parsed.masked != parsed.text:
        facts.append(("masked", parsed.masked))
    if parsed.topics:
        facts.append(("topics", ", ".join(say.term("topic", topic) for topic in parsed.topics)))
    pairs(screen, [(say(f"parse.{name}"), value.replace("\n", " ")) for name, value in facts])


def _coloured(screen: Screen, parsed: Parsed) -> str:
    """The text with what was seen coloured; between marks where there are no colours."""
    pieces, at = [], 0
    for one in sorted(_apart(parsed.seen), key=lambda one: one.start):
        pieces.append(parsed.text[at : one.start])
        mark = "" if screen.colours else MARKS[one.part]
        pieces.append(screen.styled(f"[{mark}{one.text}]" if mark else one.text, STYLES[one.part]))
        at = one.end
    return "".join(pieces) + parsed.text[at:]


def _apart(seen: Sequence[Seen]) -> list[Seen]:
    kept: list[Seen] = []
    for part in STYLES:
        for one in seen:
            if one.part == part and all(one.end <= other.start or other.end <= one.start for other in kept):
                kept.append(one)
    return kept


def _row(one: Seen, say: Messages) -> tuple[str, ...]:
    return say(f"parse.{one.part}"), one.text, _type(one, say), _meaning(one, say)


def _type(one: Seen, say: Messages) -> str:
    group = {"sensitive": "sensitive", "entity": "entity", "time": "grain", "pronoun": "parse"}[one.part]
    return say.term(group, one.type)


def _meaning(one: Seen, say: Messages) -> str:
    meaning = one.meaning
    if one.part == "sensitive":
        return say.term("action", meaning["action"])
    if one.part == "pronoun":
        return str(meaning["antecedent"] or say("parse.left_alone"))
    if one.part == "entity":
        return "" if meaning["name"] == one.text else str(meaning["name"])
    ends = " – ".join(_moment_text(meaning[name]) for name in ("start", "end"))
    return f"{ends}  {meaning['recurrence'] or ''}".strip()


def _moment_text(moment: object) -> str:
    from datetime import datetime

    return moment.strftime("%Y-%m-%d %H:%M") if isinstance(moment, datetime) else "…"
