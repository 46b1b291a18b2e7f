"""Which statements a turn makes, and what of it is dropped and why.

Sentence by sentence; a sentence is taken apart into clauses when it mixes a fact with a request, says several
things that can change apart, or is too long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field, replace

from yinji.config import RememberSettings
from yinji.language import sensitive
from yinji.language.dates import find_times
from yinji.language.packs import pack
from yinji.language.text import content_key, detect, lead_to, sentences
from yinji.model import Draft, Drop, DropReason, Misstated, Role, Turn
from yinji.remember.answers import answered
from yinji.remember.clauses import is_name
from yinji.remember.clean import Cleaned, clean, unshouted, widened
from yinji.remember.correct import at_once, correct, only_opens, opens
from yinji.remember.drafts import draft
from yinji.remember.gate import is_of_world, judge, refuse
from yinji.remember.let_go import called_off, instead, joke
from yinji.remember.measures import measured
from yinji.remember.pieces import LONGEST, Piece, length, pieces, spared
from yinji.remember.requested import ASKS, asked_for, of_asked, of_request
from yinji.remember.resolve import put_in, said_before
from yinji.remember.resolve_rank import Refer
from yinji.remember.statement import Statement, carried, introduced, state, strip_openings, with_subject
from yinji.remember.together import spelt_out
from yinji.remember.unowned import opens_with_thing, whose_before
from yinji.remember.values import values
from yinji.remember.weigh import DOUBTFUL, Weighed

FAR_TOO_LONG = 3
"""How many times the length of a memory a stretch without any mark may have and still be read."""
NAME_LENGTHS = (2, 3)
"""Characters of a Chinese name."""
RECENT = 3
"""Sentences back of which news may be."""
_MARKS = " ,.;!-\u2013\u2014\uff0c\u3002\uff1b\uff01~\uff5e\u2026"
_STOPS = " .!\u3002\uff01"
_CLOSING = ("\u201d", '"', "\u300d", "\u300f")
_NUMBERED = re.compile(r"(?:(?<=[\s:：])|(?<=\A))\d{1,2}(?:[.)）](?!\d)|、)\s*(?=\S)")
_OPENING = re.compile(r"(?:(?<=[^\u4e00-\u9fff])|(?<=\A))[\u4e00-\u9fff]{4,}")
_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)


@dataclass(kw_only=True, slots=True)
class _Reader:
    """What is known while a turn is read."""

    turn: Turn
    text: str
    """What the turn says, with the marks of its language."""
    settings: RememberSettings
    before: list[str]
    """What was said before the sentence at hand, oldest first."""
    seen: set[str] = field(default_factory=set)
    drafts: list[Draft] = field(default_factory=list)
    drops: list[Drop] = field(default_factory=list)
    announced: bool = False
    """The sentence before said that something said earlier was wrong."""
    corrects: bool = False
    """The piece that is read opens by saying so, though those words were cut off."""
    kept: bool = False
    """A sentence before it in the turn was kept: what goes on from it needs less to speak for it."""
    weighed: Weighed | None = None
    """What the classifier thinks; None leaves it all to the rules."""
    known: Set[str] = frozenset()
    """Names of people whom the owner's memories name."""
    refer: Refer | None = None
    """Tuned layers that are asked what a pronoun stands for."""
    sentence: str = ""
    """The one at hand, cleaned."""
    pasting: bool = False
    """The sentence before belongs to a text that was handed over and goes on."""


def extract(
    turn: Turn,
    recent: Sequence[Turn],
    settings: RememberSettings,
    *,
    weighed: Weighed | None = None,
    known: Set[str] = frozenset(),
    refer: Refer | None = None,
) -> tuple[list[Draft], list[Drop]]:
    """The statements to propose and the pieces that are dropped, both in the order they were said.

    ``recent``: the session's turns before this one, oldest first. Offsets point into ``turn.user``.
    ``weighed``: what the classifier thinks of the turn; without it the rules decide alone. ``known``: those of
    ``may_open`` that are people whom the owner's memories name.
    """
    if turn.role not in (Role.USER, Role.IMPORT):
        return [], [_foreign(turn)]
    reader = _Reader(
        turn=turn,
        text=widened(turn.user),
        settings=settings,
        before=[widened(said) for said in said_before(recent)],
        weighed=weighed,
        known=known,
        refer=refer,
    )
    question = recent[-1].assistant if recent else None
    for start, end in _whole(list(_readable(reader.text, reader)), reader.text):
        if question is None or not _read_answer(question, start, end, reader):
            (_skip if _is_pasted(start, end, reader) else _read_sentence)(start, end, reader)
        reader.before.append(reader.text[start:end])
        question = None
    if turn.assistant and turn.assistant.strip():
        reader.drops.append(
            Drop(text=turn.assistant, reason=DropReason.ASSISTANT, end=len(turn.assistant), role=Role.ASSISTANT)
        )
    if not reader.drafts and not reader.drops:
        _drop(0, len(turn.user), DropReason.FILLER, reader)
    return reader.drafts, reader.drops


def may_open(text: str) -> tuple[str, ...]:
    """What a clause of the text opens with and may be somebody's name; a store tells which is.

    Only of Chinese: an English name shows itself by its capital.
    """
    return tuple(dict.fromkeys(found[0][:length] for found in _OPENING.finditer(text) for length in NAME_LENGTHS))


def _foreign(turn: Turn) -> Drop:
    """Text that is not the user's own is never taken for what the user says."""
    injected = any(pack(language).matcher("injection").search(turn.user) for language in ("zh", "en"))
    reason = DropReason.INJECTION if injected else DropReason.NOT_ABOUT_USER
    return Drop(text=turn.user, reason=reason, end=len(turn.user), role=turn.role)


def _readable(text: str, reader: _Reader) -> Iterator[tuple[int, int]]:
    """The sentences to read: no code blocks, and nothing beyond the longest message."""
    limit = reader.settings.max_chars
    if not text.strip():
        reader.drops.append(Drop(text=text, reason=DropReason.EMPTY, end=len(text)))
        return
    if len(text) > limit:
        reader.drops.append(Drop(text=text[limit:], reason=DropReason.TOO_LONG, start=limit, end=len(text)))
    head = text[:limit]
    for block in _CODE.finditer(head):
        _drop(block.start(), block.end(), DropReason.NOT_ABOUT_USER, reader)
    yield from sentences(_listed(_CODE.sub(_blank, head)))


def _blank(found: re.Match[str]) -> str:
    return "\n" * len(found[0])


def _listed(text: str) -> str:
    """The text with the numbers of a list, which stand within a line as well, as ends of lines."""
    return _NUMBERED.sub(_blank, text) if len(_NUMBERED.findall(text)) > 1 else text


def _drop(start: int, end: int, reason: DropReason, reader: _Reader) -> None:
    reader.drops.append(Drop(text=reader.turn.user[start:end], reason=reason, start=start, end=end))


def _is_pasted(start: int, end: int, reader: _Reader) -> bool:
    """Whether it is somebody else's text that is handed over, or goes on from it up to its closing quote."""
    said = reader.text[start:end]
    if reader.pasting:
        reader.pasting = not said.rstrip(_STOPS).endswith(_CLOSING)
        return True
    opening = pack(detect(said)).matcher("pasted").match(said)
    reader.pasting = opening is not None and not said.rstrip(_STOPS).endswith(_CLOSING)
    return opening is not None


def _skip(start: int, end: int, reader: _Reader) -> None:
    _drop(start, end, DropReason.NOT_ABOUT_USER, reader)


def _whole(spans: Sequence[tuple[int, int]], text: str) -> list[tuple[int, int]]:
    """The sentences, each with the fragments behind it that say nothing by themselves."""
    whole: list[tuple[int, int]] = []
    for start, end in spans:
        words = pack(detect(text[start:end]))
        if whole and words.matcher("fragment").match(text[start:end].rstrip(_STOPS)):
            whole[-1] = (whole[-1][0], end)
        else:
            whole.append((start, end))
    return whole


# --------------------------------------------------------------- sentences


def _read_answer(question: str, start: int, end: int, reader: _Reader) -> bool:
    """Reads the sentence as an answer to the assistant's question; False when it is none that is worth keeping."""
    told = answered(question, reader.text[start:end])
    if told is None or (_wanted(start, end, reader) is False and state(told, detect(told)).slot is None):
        return False
    piece = Piece(start=0, end=end - start, text=told)
    return _read_piece(piece, (start, end), detect(told), reader, replaces=True, sure=True) is not None


def _read_sentence(start: int, end: int, reader: _Reader) -> None:
    raw = reader.text[start:end]
    language = detect(raw)
    cleaned = clean(raw, language)
    cleaned = replace(cleaned, text=unshouted(cleaned.text))
    reader.sentence = cleaned.text
    subject, kept = None, reader.kept
    if cleaned.text and pack(language).matcher("third_dropped").match(cleaned.text):
        subject = _whose(reader, language)
        if subject is None:
            _drop(start, end, DropReason.NOT_ABOUT_USER, reader)
            return
        kept = True
    subject = subject or whose_before(cleaned.text, reader.before, language)
    kept = kept or subject is not None or _of_being(cleaned.text, reader, language)
    if pack(language).matcher("sarcastic").search(raw.strip()):
        _drop(start, end, DropReason.HYPOTHETICAL, reader)
        return
    if not cleaned.text:
        _drop(start, end, refuse(raw, language=language) or DropReason.FILLER, reader)
        return
    announced, reader.announced = reader.announced or opens(raw, language), only_opens(raw, language)
    at = _joking(start, cleaned, reader)
    if at:
        kept = False
    elif (meant := at_once(cleaned.text, language)) is not None:
        piece = Piece(start=0, end=meant.rest, text=meant.text)
        read = _read_piece(piece, _span(piece, start, cleaned), language, reader, follows=True)
        at, kept, subject = meant.rest, read is not None, carried(read) if read is not None else None
    elif (told_up_to := _read_corrected(start, cleaned, language, reader, announced=announced)) is not None:
        at, kept = told_up_to, True
    if at == len(cleaned.text):
        return
    parts = _parts(cleaned, at, (start, end), reader)
    if announced or opens(raw, language):
        parts = [replace(one, sure=one.sure or bool(values(one.text, pack(language)))) for one in parts]
    _read_owned(parts, start, end, language, reader)
    brought: str | None = None
    for number, piece in enumerate(parts):
        span = _span(piece, start, cleaned)
        if of_request(number, parts, language):
            _drop(*span, DropReason.COMMAND, reader)
            continue
        lead, reader.corrects = cleaned.text[: piece.start], not number and opens(raw, language)
        if (asked := asked_for(lead or (reader.before[-1] if reader.before else ""), language)) is not None:
            piece = replace(piece, text=with_subject(piece.text, asked, pack(language)))  # noqa: PLW2901
        piece = replace(piece, text=with_subject(piece.text, brought, pack(language)))  # noqa: PLW2901
        of = None if opens_with_thing(piece.text, language) else subject or of_asked(piece.text, asked, language)
        read = _read_piece(piece, span, language, reader, lead=lead, subject=of, follows=kept, sure=piece.sure)
        reader.corrects = False
        if read is not None:
            subject, kept, brought = carried(read, subject), True, introduced(read)
    reader.kept = kept


def _parts(cleaned: Cleaned, at: int, span: tuple[int, int], reader: _Reader) -> list[Piece]:
    """The pieces of a sentence from there on, ``span`` of the turn; a plan that it drops is none."""
    start, end = span
    raw, said = reader.text[start:end], cleaned.text
    language = detect(raw)
    if (off := called_off(said[at:])) is not None:
        _drop(*_span(Piece(start=at, end=at + off.why, text=""), start, cleaned), DropReason.COMMAND, reader)
        at += off.why
    if not at and (full := _in_full(said, reader, language)):
        return [Piece(start=0, end=len(said), text=full, sure=True)]
    lead = _lead(start, reader)
    found = pieces(said[at:], said[at:] if at else raw, language, reader.settings, at=reader.turn.at, lead=lead)
    parts = [replace(one, start=one.start + at, end=one.end + at) for one in _rescued(found, start, end, reader)]
    return parts if off is None else [instead(one, off.what, language) for one in parts]


def _read_corrected(start: int, cleaned: Cleaned, language: str, reader: _Reader, *, announced: bool) -> int | None:
    """Reads a correction, told again with what is right, and gives where the sentence goes on; None when it is none.

    What else was said in the same breath stands as it was.
    """
    corrected = correct(cleaned.text, reader.before, language, announced=announced)
    if corrected is None:
        return None
    span = _span(Piece(start=0, end=corrected.rest, text=corrected.text), start, cleaned)
    language = detect(corrected.text) if corrected.of is not None else language
    stands, subject, kept = corrected.of.said if corrected.of is not None else "", None, False
    for piece in pieces(corrected.text, corrected.text, language, reader.settings, at=reader.turn.at):
        if piece.text in stands:
            subject = carried(state(piece.text, language, subject=subject), subject)
            continue
        read = _read_piece(piece, span, language, reader, subject=subject, replaces=True, instead=corrected.of)
        if read is not None:
            subject, kept = carried(read, subject), True
    return corrected.rest if kept else None


def _read_owned(parts: Sequence[Piece], start: int, end: int, language: str, reader: _Reader) -> None:
    """Keeps what the user has, where they only ask about it: "does my 2011 Fiesta take E10"."""
    if len(parts) != 1 or refuse(parts[0].text, language=language) not in ASKS or _wanted(start, end, reader) is False:
        return
    words = pack(language)
    found = next((one for matcher in words.matchers("presupposes") if (one := matcher.search(parts[0].text))), None)
    if found is None or reader.weighed is None:
        return
    named = {name: value or "" for name, value in found.groupdict().items()}
    piece = Piece(start=0, end=end - start, text=words.tables["answer"]["owns"].format_map(named))
    _read_piece(piece, (start, end), language, reader, replaces=True, sure=True)


def _whose(reader: _Reader, language: str) -> str | None:
    """Whom the sentence before is about, for one that leaves out its "he" or "she"; None for the user."""
    told = clean(reader.before[-1], language).text if reader.before else ""
    subject = state(told, language).subject if told else "user"
    return None if subject == "user" else subject


def _lead(start: int, reader: _Reader) -> str:
    """What the same message says before, where there is anything."""
    said = lead_to(reader.turn.user, start)
    return said if said.strip() or not reader.before or not said else reader.before[-1]


def _of_being(said: str, reader: _Reader, language: str) -> bool:
    """Whether it goes on with "he" or "she" about somebody whom the sentence before is about."""
    if pack(language).matcher("pronoun_subject").match(said) is None:
        return False
    subject = _whose(reader, language) or ""
    return any(pack(language).matcher(name).search(subject) for name in ("somebody", "being")) or subject.istitle()


def _in_full(said: str, reader: _Reader, language: str) -> str | None:
    """What a reminder tells of, or news and numbers too short to say of what they are; None for anything else."""
    return _reminded(said, reader, language) or _news(said, reader, language) or measured(said, reader.before, language)


def _news(said: str, reader: _Reader, language: str) -> str | None:
    """Short news ("mole's fine!") in full, where what they are of is the user's in one of the last sentences."""
    match = pack(language).matcher("short_news").match(said)
    if match is None:
        return None
    own = re.compile(rf"\b(?:my|our|an?)\s(?:[\w-]+\s)?{re.escape(match['what'])}\b", re.IGNORECASE)
    known = any(own.search(one) for one in reader.before[-RECENT:])
    return f"my {match['what'].lower()} is {match['how'].lower()}" if known else None


def _reminded(said: str, reader: _Reader, language: str) -> str | None:
    """What a request to be reminded tells of, where it says when: "remind me to ring the vet tomorrow" is a plan.

    A timer ("in ten minutes", "at five") is none, and no more is what has no time.
    """
    words = pack(language)
    match = words.first_match("reminded", said)
    if match is None:
        return None
    times = find_times(match["what"], at=reader.turn.at, language=language)
    dated = [one.interval.start for one in times if one.interval.start is not None and not one.interval.recurrence]
    today = reader.turn.at.date()
    if not dated or any(one.astimezone(reader.turn.at.tzinfo).date() == today for one in dated):
        return None
    told = f"{match['what']}{match.groupdict().get('then') or ''}"
    own = any(words.matcher(name).search(told) for name in ("me_subject", "other_subject", "project_subject"))
    return words.tables["answer"]["must of" if own and not match.groupdict().get("to") else "must"].format(it=told)


def _wanted(start: int, end: int, reader: _Reader) -> bool | None:
    """What the classifier says of the sentence; None when it has no opinion."""
    return reader.weighed.wanted(start, end, reader.settings) if reader.weighed is not None else None


def _certain(start: int, end: int, reader: _Reader) -> bool:
    return reader.weighed is not None and reader.weighed.certain(start, end, reader.settings)


def _rescued(parts: list[Piece], start: int, end: int, reader: _Reader) -> list[Piece]:
    """The pieces; where the classifier wants the sentence and the rules would let all of it go for lack of evidence,
    those that nothing speaks against are kept all the same; where it is certain, what stands beside a request too."""
    if not _wanted(start, end, reader):
        return parts
    language = detect(reader.text[start:end])
    reasons = [judge(one.text, language=language, settings=reader.settings, seen=reader.seen) for one in parts]
    if any(one.sure or reason is None for one, reason in zip(parts, reasons, strict=True)):
        return parts
    bare = bool(reader.weighed and reader.weighed.answers) and start == 0
    rescued = DOUBTFUL - {DropReason.TOO_SHORT} if bare else DOUBTFUL  # a bare answer says nothing by itself
    if not any(reason in rescued for reason in reasons) and _certain(start, end, reader):
        return [part for one in parts for part in spared(one, language)]
    return [
        replace(one, sure=reason in rescued and not is_of_world(one.text, language))
        for one, reason in zip(parts, reasons, strict=True)
    ]


def _unwanted(span: tuple[int, int], text: str, language: str, reader: _Reader) -> bool:
    """Whether the classifier lets go what the rules would keep.

    Without an embedding it is wrong too often to; what is ordered to be remembered or resolved is kept, and what is
    plainly told or has a slot, unless it is surely nothing.
    """
    if reader.weighed is None or not reader.weighed.embedded or _wanted(*span, reader) is not False:
        return False
    words, told = pack(language), clean(text, language).text
    if any(words.matcher(name).search(text) for name in ("remember_prefix", "resolves")):
        return False
    if any(one.match(reader.sentence) for one in words.matchers("reminded")):
        return False
    if reader.weighed.nothing(*span, reader.settings):
        return True
    plain = (words.matcher("plain").search(strip_openings(one, words)) for one in (told, reader.sentence))
    return not any(plain) and state(told, language).slot is None


def _joking(start: int, cleaned: Cleaned, reader: _Reader) -> int:
    """Drops what the sentence calls a joke, and gives where it goes on: 0 where it does not."""
    span = joke(cleaned.text)
    if span is None:
        return 0
    if span[0] == 0:
        _unsay(start, reader)
    end = span[1] + len(cleaned.text[span[1] :]) - len(cleaned.text[span[1] :].lstrip(_MARKS))
    _drop(*_span(Piece(start=0, end=end, text=""), start, cleaned), DropReason.HYPOTHETICAL, reader)
    return end


def _unsay(start: int, reader: _Reader) -> None:
    """Drops what the sentence before said: it was a joke."""
    since = max((at for at, _ in sentences(reader.text) if at < start), default=0)
    for one in [one for one in reader.drafts if one.source.start >= since]:
        reader.drafts.remove(one)
        _drop(one.source.start, one.source.end, DropReason.HYPOTHETICAL, reader)


def _known_name(text: str, reader: _Reader, language: str) -> str | None:
    """The name that was given to somebody before, with which the piece goes on about them."""
    words = pack(language)
    told = {one["name"] for said in reader.before for one in words.matcher("known_name").finditer(said)}
    names = sorted(told | reader.known, key=len, reverse=True)
    found = (one for one in names if text.startswith(one) and words.matcher("goes_with_name").match(text[len(one) :]))
    return next(found, None)


def _span(piece: Piece, start: int, cleaned: Cleaned) -> tuple[int, int]:
    """Where the piece stands in the turn."""
    source = cleaned.source(piece.start, piece.end)
    return start + source[0], start + source[1]


def _read_piece(
    piece: Piece,
    span: tuple[int, int],
    language: str,
    reader: _Reader,
    *,
    lead: str = "",
    subject: str | None = None,
    follows: bool = False,
    replaces: bool = False,
    instead: Misstated | None = None,
    sure: bool = False,
) -> Statement | None:
    """Keeps one piece and gives what it says, or drops it.

    ``lead``: what its own sentence says before it. ``subject``: whom it is about when
    it does not say. ``follows``: a piece of its sentence was kept before.
    ``replaces``: it is told in full for what was said; where that is not kept, what was said is looked at.
    ``instead``: what it sets right.
    ``sure``: it was asked for, so that nothing more need speak for it.
    """
    if length(piece.text, language) > FAR_TOO_LONG * LONGEST[language]:
        _drop(*span, DropReason.TOO_LONG, reader)
        return None
    text = with_subject(
        put_in(piece.text, reader.before, language, lead=lead, refer=reader.refer), subject, pack(language)
    )
    text = spelt_out(text, reader.before, language, lead=lead)
    named = _known_name(text, reader, language)
    follows = follows or named is not None
    policy = sensitive.policy(reader.settings.sensitive_policy)
    reason = DropReason.SENSITIVE if sensitive.refused(text, policy) else refuse(text, language=language)
    if not sure:
        reason = judge(text, language=language, settings=reader.settings, seen=reader.seen, follows=follows or replaces)
    if reason is None and not replaces and _unwanted(span, text, language, reader):
        reason = DropReason.NOT_WORTH
    if reason is not None:
        if not replaces:
            _drop(*span, reason, reader)
        return None
    read = state(text[len(named or "") :], language, subject=named or subject)
    if named is not None and named not in read.told:  # somebody of theirs is the subject
        read = state(text, language, subject=subject)
    if is_name(read.told, pack(language)):
        _drop(*span, DropReason.TOO_SHORT, reader)
        return None
    reader.seen.add(content_key(text))
    anew = read.replaces or replaces or reader.corrects
    reader.drafts.append(replace(draft(read, span, reader.turn, replaces=anew, policy=policy), instead=instead))
    return read
