"""Whether a sentence is worth keeping, and if not, why (SPEC W2, the rules).

First it looks for reasons to refuse; then it asks for evidence that something lasting is said about the user,
somebody close, or their work. When unsure it does not keep.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from datetime import UTC, datetime

from yinji.config import RememberSettings
from yinji.language import sensitive
from yinji.language.dates import find_times
from yinji.language.entities import find_entities
from yinji.language.memo import while_reading
from yinji.language.packs import Pack, pack
from yinji.language.text import content_key, is_blank, query_terms
from yinji.model import DropReason
from yinji.remember.clean import clean
from yinji.remember.retract import asks_to_forget
from yinji.remember.statement import is_demand, state, strip_openings

STOPS = " ,.!?:;\uff0c\u3002\uff01\uff1f\uff1a\uff1b"
"""Behind a name these show that somebody is only called by it."""
OF_THINGS = frozenset({"time", "port", "version", "database"})
"""Attributes that things have, so that no person need be named."""
PLAIN = ("identity", "plain")
"""Patterns of what is told plainly and lasts."""
TELLING = ("strong_verb", "kind_preference", "kind_relation")
"""Patterns of what is worth knowing."""


def judge(
    sentence: str,
    *,
    language: str,
    settings: RememberSettings,
    seen: Set[str] = frozenset(),
    follows: bool = False,
) -> DropReason | None:
    """Why the sentence is not kept; None when it is.

    ``seen``: keys of what this turn said before. ``follows``: it goes on from a clause that was kept, whose
    subject it shares.
    """
    if sensitive.refused(sentence, sensitive.policy(settings.sensitive_policy)):
        return DropReason.SENSITIVE
    if (reason := refuse(sentence, language=language)) is not None:
        return reason
    text = clean(sentence, language).text
    if content_key(text) in seen:
        return DropReason.REPEATED
    words = pack(language)
    if is_demand(strip_openings(text, words), words) or words.matcher("remember_prefix").match(text):
        return None
    enough = evidence(text, language=language, follows=follows) >= 4 - 2 * settings.sensitivity
    if _is_short(text, language, settings) and not (enough and _is_lasting(text, language)):
        return DropReason.TOO_SHORT
    if enough:
        return None
    about = any(words.matcher(name).search(text) for name in ("me_subject", "other_subject", "project_subject"))
    return DropReason.UNCERTAIN if about else DropReason.NOT_ABOUT_USER


@while_reading(256)
def refuse(sentence: str, *, language: str) -> DropReason | None:
    """The reason that lies in its form: nothing said, a greeting, a question, a command … None when it has none."""
    if is_blank(sentence):
        return DropReason.EMPTY if not sentence.strip() else DropReason.FILLER
    words = pack(language)
    text = clean(sentence, language).text
    if is_blank(text):
        return _small_talk(sentence, words) or DropReason.FILLER
    return next((reason for look in REFUSALS if (reason := look(sentence, text, words)) is not None), None)


def _small_talk(text: str, words: Pack) -> DropReason | None:
    return next((reason for name, reason in SMALL_TALK if words.matcher(name).search(text.strip())), None)


SMALL_TALK = (
    ("corrects_nothing", DropReason.UNCERTAIN),
    ("greeting", DropReason.GREETING),
    ("filler", DropReason.FILLER),
    ("acknowledgement", DropReason.ACKNOWLEDGEMENT),
)


def _look_injection(sentence: str, text: str, words: Pack) -> DropReason | None:
    return DropReason.INJECTION if words.matcher("injection").search(text) else None


def _look_small_talk(sentence: str, text: str, words: Pack) -> DropReason | None:
    return _small_talk(sentence, words) or _small_talk(text, words)


def _look_form(sentence: str, text: str, words: Pack) -> DropReason | None:
    """Questions, commands, suppositions; a standing instruction is neither."""
    if asks_to_forget(text):
        return DropReason.COMMAND
    if words.matcher("asks_back").search(text):
        return DropReason.QUESTION
    if words.matcher("question").search(text) and not words.matcher("not_question").search(text):
        return DropReason.QUESTION
    if remembered := words.matcher("remember_prefix").match(text):
        rest = text[remembered.end() :]
        return DropReason.COMMAND if _only_reminds(remembered[0], rest, words) else _look_form(sentence, rest, words)
    if is_demand(strip_openings(text, words), words):
        return None
    bare = strip_openings(text, words)
    return next(
        (reason for name, reason in FORMS if words.matcher(name).search(bare) and not _is_none(bare, name, words)), None
    )


def _only_reminds(prefix: str, rest: str, words: Pack) -> bool:
    """Whether it asks not to forget something that it only names: "don't forget my mum's birthday"."""
    return bool(words.matcher("reminder").search(prefix) and words.matcher("nothing_said").match(rest))


def _is_none(text: str, name: str, words: Pack) -> bool:
    """Whether it only looks like one: "教我开船的老葛是我干爷爷" asks for nothing, a plain fact is no small talk."""
    told = words.matcher("longed" if name == "hypothetical" else "plain").search(text) is not None
    return told or (name == "command" and words.matcher("not_command").search(text) is not None)


FORMS = (
    ("hypothetical", DropReason.HYPOTHETICAL),
    ("command", DropReason.COMMAND),
    ("ephemeral", DropReason.FILLER),
)

REFUSALS: tuple[Callable[[str, str, Pack], DropReason | None], ...] = (
    _look_injection,
    _look_small_talk,
    _look_form,
)


def is_of_world(said: str, language: str) -> bool:
    """Whether it tells of people or places at large, and not of the user."""
    words, text = pack(language), clean(said, language).text
    return bool(words.matcher("generic_subject").search(text)) and not words.matcher("me_subject").search(text)


def _is_lasting(text: str, language: str) -> bool:
    """Whether even a very short sentence is worth keeping: it fills a slot, or says what somebody likes."""
    told = any(pack(language).matcher(name).search(text) for name in ("kind_preference", *PLAIN))
    return told or state(text, language).slot is not None


def _is_short(text: str, language: str, settings: RememberSettings) -> bool:
    if language == "zh":
        return sum(char.isalnum() for char in text) < settings.min_chars_zh
    return len(text.split()) < settings.min_words_en


@while_reading(256)
def evidence(text: str, *, language: str, follows: bool = False) -> float:
    """How much speaks for keeping a cleaned sentence; 3 is enough at the default sensitivity.

    A slot alone is enough; else somebody it is about (2) and something that makes it worth knowing (1 each).
    """
    words = pack(language)
    read = state(text, language)
    plain = any(words.matcher(name).search(text) for name in PLAIN)
    if not words.matcher("plain").search(text) and (
        words.matcher("generic_subject").search(text) or _opens_with_place(text, words)
    ):
        return 0.0
    score = 2.0 * any(words.matcher(name).search(text) for name in ("me_subject", "other_subject", "project_subject"))
    score = max(score, 2.0 * (follows or _names_somebody(text, words)))
    if not score:
        score += 2.0 * bool(words.matcher("dropped_event").search(text))
    if read.slot is not None and (score or read.slot.attribute.split()[0] in OF_THINGS):
        score += 2.0
    if score and _is_dense(text, words):
        score += 1.0
    score += any(words.matcher(name).search(text) for name in TELLING)
    score += 3.0 * plain
    score += bool(words.matcher("ongoing").search(text))
    score += 0.5 * bool(words.matcher("emotion").search(text))
    score += 0.5 * bool(find_times(text, at=datetime(2000, 1, 3, tzinfo=UTC), language=language))
    score += 0.5 * any(one.type not in ("person",) for one in find_entities(text, language=language))
    score += bool(words.matcher("quantity").search(text)) + 0.5 * bool(words.matcher("is_at").match(text))
    score -= 2.0 * bool(words.matcher("about_talk").search(text))
    return score


def _opens_with_place(text: str, words: Pack) -> bool:
    """Whether it tells of a town or a country, and of nobody."""
    if words.matcher("me_subject").search(text) or words.matcher("dropped_event").search(text):
        return False
    return any(one.type == "place" and one.start == 0 for one in find_entities(text, language=words.language))


def _is_dense(text: str, words: Pack) -> bool:
    """Whether enough of its words carry information."""
    telling = {term for term in query_terms(text) if not (words.has("weak", term) or words.has("stop", term))}
    if words.language == "zh":
        return sum(len(term) > 1 for term in telling) >= 2
    return len({term for term in telling if len(term) > 2}) >= 3


def _names_somebody(text: str, words: Pack) -> bool:
    """Whether a person or an organisation stands where subjects stand."""
    named = find_entities(text, language=words.language)
    subjects = [one for one in named if one.type in ("person", "organisation") and one.start <= 6]
    return any(text[one.end :].lstrip() and text[one.end] not in STOPS.strip() for one in subjects)
