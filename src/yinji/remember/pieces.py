"""A sentence in as few pieces as can be told by themselves: whole, or clause by clause.

Clauses stay together while they say one thing of one subject in one way; a change of subject, polarity, modality,
time or slot opens a new piece, and so does a request.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from yinji.config import RememberSettings
from yinji.language import sensitive
from yinji.language.dates import Found, find_times
from yinji.language.packs import Pack, pack
from yinji.model import DropReason, Modality
from yinji.remember.belonging import told_whose
from yinji.remember.clauses import EDGES, Clause, clauses, leans, says_little
from yinji.remember.correct import denied
from yinji.remember.gate import judge, refuse
from yinji.remember.introduction import introductions
from yinji.remember.own_subject import own_being
from yinji.remember.resolve import put_in
from yinji.remember.statement import LAYERS, MEANT, Statement, carried, introduced, is_demand, state, with_subject
from yinji.remember.unowned import is_of_speaker, is_unowned, passes_on

LONGEST = {"zh": 48, "en": 38}
"""Characters or words of a clause group, two short of the limit of a memory: the subject is added."""
APART = frozenset({DropReason.QUESTION, DropReason.COMMAND, DropReason.ACKNOWLEDGEMENT, DropReason.GREETING})
"""A clause that is one of these is told apart from its neighbours."""
UNDIVIDED = frozenset({DropReason.INJECTION, DropReason.GREETING, DropReason.ACKNOWLEDGEMENT, DropReason.FILLER})
WEIGHTY = {"zh": 3, "en": 2}
"""Characters or words of a clause that may say the contrary of the one before it."""
_MARK = re.compile(r"[\uff0c\uff1b\u3002\uff01\uff1f!?;]|[,.](?=\s|$)|\s[-\u2013\u2014]\s")
_MARKS = " ,.;!?-\u2013\u2014\uff0c\uff1b\u3002\uff01\uff1f"


@dataclass(frozen=True, kw_only=True, slots=True)
class Piece:
    """Some neighbouring clauses of a sentence, as offsets into its cleaned text."""

    start: int
    end: int
    text: str
    sure: bool = False
    """One of its clauses is worth keeping, so that the others are kept with it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Sentence:
    """The sentence at hand, when it is said, and what it is judged by."""

    text: str
    words: Pack
    settings: RememberSettings
    at: datetime

    def part(self, start: int, end: int) -> Piece:
        return Piece(start=start, end=end, text=self.text[start:end])

    def joined(self, group: Piece, clause: Clause) -> Piece:
        """The group with the clause behind it, its own words as they were completed."""
        return Piece(start=group.start, end=clause.end, text=f"{group.text}{self.text[group.end : clause.end]}")

    def keeps(self, said: str, *, follows: bool = False) -> bool:
        return judge(said, language=self.words.language, settings=self.settings, follows=follows) is None


@dataclass(frozen=True, kw_only=True, slots=True)
class _Told:
    """A clause with what it says, the subject that it shares with the clause before it put in."""

    clause: Clause
    read: Statement
    named: bool
    """It says itself whom it is about."""
    whole: bool
    """It says so in a clause of its own, and is no mere name."""
    subject: str | None
    """Whom the next clause is about when it does not say."""
    unclear: bool
    """It goes on about a "he" or "it" that stands for nobody named."""
    theirs: bool
    """Whoever it names is theirs who was just brought in, not the speaker's."""
    brought: str | None
    """Whom what is told with it brings in, by what they are called."""
    introduces: bool
    """Somebody without a name is brought in, whom the next clause goes on about."""
    timed: bool
    only_when: bool
    """Nothing is said in it but when, or when not: "9am", "not Wednesdays"."""
    ahead: bool
    """Of a day to come."""
    unowned: bool
    """It does not say whom it is about, and the clause before it does not tell for sure."""
    of_speaker: bool
    """The speaker is surely whom it is about."""
    stands: bool
    """Whether enough is said in it to be told by itself."""
    weighs: bool
    """Whether it is more than a word."""


def pieces(
    text: str, raw: str, language: str, settings: RememberSettings, *, at: datetime, lead: str = ""
) -> list[Piece]:
    """The sentence in as few pieces as can be: whole when it asks nothing, says one thing and is short.

    What would be dropped as a whole is looked at clause by clause, unless its form leaves no hope. ``at``: when it
    is said. ``lead``: the sentence before it, of the same message.
    """
    words = pack(language)

    def _behind(rest: int) -> list[Piece]:
        cut = pieces(text[rest:], raw, language, settings, at=at, lead=lead)
        return [replace(one, start=one.start + rest, end=one.end + rest) for one in cut]

    if told := introductions(text, words):
        own = [Piece(start=one.start, end=one.end, text=one.text, sure=True) for one in told]
        rest = len(text) - len(text[told[-1].end :].lstrip(_MARKS))
        return [*own, *_behind(rest)] if rest < len(text) else own
    if role := words.matcher("speaking_as").match(text):
        told_as = words.tables["introduces"]["being"].format(role["what"])
        return [Piece(start=0, end=role.end("what"), text=told_as, sure=True), *_behind(role.end())]
    cut = told_whose(_completed(_from_news(clauses(text, words), words), words), words, lead=lead)
    if len(cut) == 1 and cut[0].text != text:
        return [Piece(start=cut[0].start, end=len(text), text=cut[0].text)]
    if len(cut) == 1 or words.matcher("asks_back").search(raw) or refuse(raw, language=language) in UNDIVIDED:
        return [Piece(start=0, end=len(text), text=text)]
    if refuse(cut[0].text, language=language) is DropReason.HYPOTHETICAL:
        return [Piece(start=0, end=len(text), text=text)]
    conditional = words.matcher("whole_demand").match(cut[0].text) and is_demand(text, words)
    if conditional or words.matcher("whole").match(cut[0].text):
        return [Piece(start=0, end=len(text), text=text)]
    apart = [one or two for one, two in zip(_asked(cut, words), _given_away(cut, settings, words), strict=True)]
    runs = _runs(cut, apart) if any(apart) or refuse(raw, language=language) is not None else [cut]
    sentence = _Sentence(text=text, words=words, settings=settings, at=at)
    return [piece for run in runs for piece in _hopeful(run, _grouped(run, sentence), sentence)]


def _from_news(cut: list[Clause], words: Pack) -> list[Clause]:
    """The clauses without one that only says that something was told wrong, or decided: it belongs to what is; or from
    whom that is to be kept."""
    if len(cut) > 1 and words.matcher("keeps_from").match(cut[0].text):
        return cut[1:]
    if len(cut) > 1 and any(words.matcher(name).match(cut[0].text) for name in ("correction_only", "announces")):
        return [replace(cut[1], start=cut[0].start), *cut[2:]]
    return cut


def _completed(cut: Sequence[Clause], words: Pack) -> list[Clause]:
    """The clauses; one that shares the speaker with the clause before it is given its "I", so that what it says is
    not taken for a demand."""
    done: list[Clause] = []
    for one in cut:
        if done and (told := denied(done[-1].text, one.text, words)) is not None:
            one = replace(one, text=told)  # noqa: PLW2901
        if done and (why := words.first_match("reason_given", one.text)):
            one = replace(one, text=why["what"])  # noqa: PLW2901
        if words.matcher("own_denial").match(one.text):
            one = replace(one, text=_spoken(one.text, words))  # noqa: PLW2901
        if done and (age := words.matcher("age_of_last").match(one.text)):
            one = replace(one, text=f"{_last_named(done[-1].text, age, words)}{age['rest']}")  # noqa: PLW2901
        if done and _mourns(done[-1].text, one.text, words):
            one = replace(one, text=_spoken(one.text, words))  # noqa: PLW2901
        spoken = done and words.matcher("speaks").match(done[-1].text)
        if spoken and words.matcher("goes_on").match(one.text) and not words.matcher("about_talk").search(one.text):
            one = replace(one, text=_spoken(one.text, words))  # noqa: PLW2901
        done.append(one)
    return done


def _last_named(before: str, age: re.Match[str], words: Pack) -> str:
    """Who is named last before an age, where they may be whom the pronoun means; else the pronoun as it was."""
    last = words.matcher("last_named").search(before)
    pronoun = age["pronoun"]
    if last is None:
        return pronoun
    other = {"she": "kin_male", "he": "kin_female"}.get(pronoun.lower())
    return pronoun if other and words.has(other, last["kin"].lower()) else last["who"]


def _mourns(before: str, text: str, words: Pack) -> bool:
    """Whether it says what a death leaves the speaker with, and not of whom."""
    own = words.matcher("own_head").match(text)
    return not own and bool(words.matcher("died").search(before) and words.matcher("mourns").match(text))


def _spoken(text: str, words: Pack) -> str:
    bare = words.matcher("conjunction").sub("", text)
    blank = "" if words.language == "zh" else " "
    return f"{words.tables['answer']['me']}{blank}{bare[:1].lower()}{bare[1:]}"


def _asked(cut: Sequence[Clause], words: Pack) -> list[bool]:
    """Which clauses ask for something; "but never uses the word" belongs to the request before it."""
    asked: list[bool] = []
    for one in cut:
        asks = bool(words.matcher("request").search(one.text)) or _is_apart(one.text, words.language)
        if asked and not asked[-1] and words.matcher("confided").match(one.text):
            asks = False  # a secret's "don't tell mum" is said to the assistant and is part of it
        if asked and not asked[-1] and words.matcher("such_as").match(one.text):
            asks = False
        asked.append(asks or (bool(asked) and asked[-1] and bool(words.matcher("of_request").match(one.text))))
    return asked


def _given_away(cut: Sequence[Clause], settings: RememberSettings, words: Pack) -> list[bool]:
    """Which clauses are not kept for the secret that stood in them, where the next one says itself whom it is about."""
    rules = sensitive.policy(settings.sensitive_policy)
    behind = [own_being(words.matcher("conjunction").sub("", one.text), words.language) is not None for one in cut[1:]]
    return [sensitive.refused(one.text, rules) and told for one, told in zip(cut, [*behind, True], strict=True)]


def _is_apart(text: str, language: str) -> bool:
    return refuse(text, language=language) in APART


def _runs(cut: Sequence[Clause], asked: Sequence[bool]) -> list[list[Clause]]:
    """Clauses that ask by themselves, the others with their neighbours."""
    runs: list[list[Clause]] = []
    for at, clause in enumerate(cut):
        if at and not asked[at] and not asked[at - 1]:
            runs[-1].append(clause)
        else:
            runs.append([clause])
    return runs


# ------------------------------------------------------------ what goes together


def _grouped(run: Sequence[Clause], sentence: _Sentence) -> list[Piece]:
    """Neighbours together until a group is full or the next clause says something else."""
    words = sentence.words
    last = _told(run[0], None, sentence, None)
    groups = [_whole(run[0])]
    for clause in run[1:]:
        told = _told(clause, last.subject, sentence, last)
        joined = sentence.joined(groups[-1], clause)
        fits = length(joined.text, words.language) <= LONGEST[words.language]
        of_next = clause is not run[-1] and words.matcher("when_next").match(clause.text)
        said = sentence.text[clause.start : clause.end]
        of_last = clause.text != said and words.matcher("age_of_last").match(said)
        apart = bool(of_next or of_last or words.matcher("contrasts").search(joined.text))
        echoes = told.subject == last.subject and words.matcher("echoes").search(joined.text)
        only_begins = bool(words.matcher("when_clause").search(last.clause.text))
        if fits and not apart and (echoes or only_begins or _leans(last, told, words) or _goes_on(last, told, joined)):
            groups[-1] = joined
            head = told if only_begins else last
            brought = introduced(state(joined.text, words.language)) if head.brought is not None else None
            last = replace(head, timed=last.timed or told.timed, stands=last.stands or told.stands, brought=brought)
        else:
            groups.append(_whole(clause))
            last = told
    return groups


def _whole(clause: Clause) -> Piece:
    return Piece(start=clause.start, end=clause.end, text=clause.text)


def _leans(head: _Told, clause: _Told, words: Pack) -> bool:
    """Whether the clause belongs to the one before it whatever it says: it cannot be told without it, or is one more
    thing asked for."""
    said, read = clause.clause.text, clause.read
    demands = head.read.demand and (read.demand or bool(words.matcher("more_demands").match(said)))
    unowned = clause.unowned and not read.demand
    if demands or clause.unclear or unowned or words.matcher("agrees").search(said):
        return True
    if _is_of_another(head, clause, words):
        return False
    if leans(said, words) or clause.only_when:
        return True
    return read.slot is None and not read.certain and not read.demand and says_little(said, words)


def _is_of_another(head: _Told, clause: _Told, words: Pack) -> bool:
    """Whether it tells of somebody else than the clause before it, and gives no reason for that one."""
    if not clause.whole or clause.read.subject == head.read.subject:
        return False
    return words.matcher("subordinate").match(clause.clause.text) is None


def _told(clause: Clause, subject: str | None, sentence: _Sentence, before: _Told | None) -> _Told:
    words, said = sentence.words, with_subject(clause.text, subject, sentence.words)
    if pronoun := words.matcher("pronoun_subject").match(said):
        said = put_in(said, [], words.language, lead=sentence.text[: clause.start])
        pronoun = words.matcher("pronoun_subject").match(said)
    read = state(said, words.language, subject=subject)
    times = find_times(clause.text, at=sentence.at, language=words.language)
    starts = [one.interval.start for one in times if one.date and one.interval.start is not None]
    whole = own_being(clause.text, words.language) is not None
    nobody = is_unowned(clause.text, words) and not (subject and clause.text.startswith(subject))
    brought = introduced(read)
    inherits = before is not None and nobody and subject is None
    return _Told(
        clause=clause,
        read=read,
        named=whole or bool(words.matcher("own_head").match(clause.text)),
        whole=whole,
        subject=carried(read, subject),
        unclear=pronoun is not None,
        theirs=bool(words.matcher("their_own").match(clause.text)),
        brought=brought,
        introduces=brought == "",
        timed=bool(times),
        only_when=_is_only_when(clause.text, times, words),
        ahead=any(start > sentence.at for start in starts),
        unowned=before is not None and nobody and not _passes_on(before, clause, words),
        of_speaker=_is_of_speaker(clause.text, read, words) if before is None or not inherits else before.of_speaker,
        stands=sentence.keeps(clause.text, follows=True),
        weighs=length(clause.text, words.language) >= WEIGHTY[words.language],
    )


def _is_of_speaker(said: str, read: Statement, words: Pack) -> bool:
    return words.tables["person"]["user"] in read.told.lower() and is_of_speaker(said, words)


def _passes_on(before: _Told, clause: Clause, words: Pack) -> bool:
    if before.subject is None or before.brought:
        return bool(before.brought) or before.of_speaker
    return passes_on(before.clause.text, clause.text, words)


def _is_only_when(text: str, times: Sequence[Found], words: Pack) -> bool:
    bare = text
    for one in reversed(times):
        bare = bare[: one.start] + bare[one.end :]
    return bool(times) and not words.matcher("beside_times").sub("", bare).strip(EDGES)


def _goes_on(head: _Told, clause: _Told, joined: Piece) -> bool:
    """Whether the clause says more of the same."""
    if head.introduces and (not clause.named or clause.theirs):
        return True
    before, now = head.read, clause.read
    telling = clause.named or clause.stands
    if before.demand != now.demand:
        return False
    if before.subject != now.subject and telling:
        return False
    if before.polarity != now.polarity and (telling or clause.weighs):
        return False
    if clause.ahead and not head.ahead and (telling or clause.weighs):
        return False
    if now.modality in MEANT and before.modality not in MEANT and clause.weighs:
        return False
    if not clause.stands or not head.stands or not _marked(clause):
        return _keeps_slots(joined, before, now)
    if before.modality != now.modality or (head.timed and clause.timed):
        return False
    if (clause.named or (before.certain and now.certain)) and LAYERS[before.kind] is not LAYERS[now.kind]:
        return False
    return _keeps_slots(joined, before, now)


def _marked(clause: _Told) -> bool:
    """Whether anything in it tells how it is meant; what has nothing is meant as the clause before it."""
    read = clause.read
    modal = read.modality is not Modality.ASSERTED
    return clause.named or clause.timed or read.certain or read.slot is not None or modal


def _keeps_slots(joined: Piece, before: Statement, now: Statement) -> bool:
    """Whether two clauses told together still say what each fills in."""
    if before.slot is not None and now.slot is not None:
        return False
    filled = before.slot or now.slot
    together = state(joined.text, before.language).slot
    return filled is None or (together is not None and together.attribute == filled.attribute)


def length(text: str, language: str) -> int:
    """Characters of a Chinese text, words of an English one."""
    return len(text) if language == "zh" else len(text.split())


# -------------------------------------------------------------- what is kept


def _hopeful(run: Sequence[Clause], groups: Sequence[Piece], sentence: _Sentence) -> list[Piece]:
    """The groups; what would be dropped by itself is kept with the others of its run when one of them is kept, unless
    its form speaks against it."""
    known = [sentence.keeps(group.text) for group in groups]
    whole = sentence.text[run[0].start : run[-1].end]
    if not any(known) and not sentence.keeps(whole) and not any(sentence.keeps(one.text) for one in run):
        return list(groups)
    return [
        piece
        for group, alone in zip(groups, known, strict=True)
        for piece in ([group] if alone else _made_sure(group, run, sentence.words))
    ]


def _made_sure(group: Piece, run: Sequence[Clause], words: Pack) -> list[Piece]:
    """The group as one that is kept with its neighbours; clause by clause when one of them is refused."""
    inside = [one for one in run if group.start <= one.start < group.end]
    if words.matcher("about_talk").search(group.text) and not state(group.text, words.language).demand:
        return [group]
    if any(refuse(one.text, language=words.language) is not None for one in inside):
        return [_whole(one) for one in inside]
    return [replace(group, sure=True)]


# --------------------------------------------------------- beside a request


def spared(piece: Piece, language: str) -> list[Piece]:
    """A piece that asks for something, mark by mark: what does not ask is kept, with neighbours that do not either.

    What leans on the one before it goes with it.
    """
    found: list[Piece] = []
    at, words = 0, pack(language)
    for end in (*(one.end() for one in _MARK.finditer(piece.text)), len(piece.text)):
        said = piece.text[at:end]
        sure = bool(said.strip(_MARKS)) and refuse(said.strip(_MARKS), language=language) is None
        if sure and found and leans(said.strip(_MARKS), words):
            sure = found[-1].sure
        start, at = at, end
        if found and found[-1].sure == sure:
            start = found.pop().start - piece.start
        text = piece.text[start:end].strip()
        found.append(Piece(start=piece.start + start, end=piece.start + end, text=text, sure=sure))
    return [one for one in found if one.text.strip(_MARKS)]
