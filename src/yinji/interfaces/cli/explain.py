"""``yinji remember --explain``: what each stage decides on a text, piece by piece. Nothing is kept."""

from __future__ import annotations

from yinji.interfaces.cli.show import pairs, short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from yinji.interfaces.cli.screen import Screen
    from yinji.interfaces.messages import Messages
    from yinji.model import Draft, Interval, Judgement
    from yinji.remember.explain import Explained, ExplainedPiece

STYLES = {"added": ("✓", "green"), "reinforced": ("=", "cyan"), "asked": ("?", "yellow"), "dropped": ("·", "dim")}
"""Mark and colour of what becomes of a piece."""


def tell(screen: Screen, explained: Explained) -> None:
    for piece in explained.pieces:
        mark, style = STYLES[piece.becomes]
        became = screen.say(f"explain.{piece.becomes}")
        screen.data(f"{screen.styled(f'{mark} {became}', style)}  {_line(piece.text)}")
        pairs(screen, [(f"  {screen.say(f'explain.{name}')}", value) for name, value in _told(piece, screen.say)])
    screen.note(screen.say("explain.nothing_kept"))
    for warning in explained.warnings:
        screen.note(f"{screen.say('warning')}{screen.say.warning(warning)}")


def _told(piece: ExplainedPiece, say: Messages) -> Iterator[tuple[str, str]]:
    if piece.reason is not None:
        yield "reason", say.term("drop", piece.reason)
    yield (
        "rules",
        f"{say('explain.keep') if piece.rules is None else say.term('drop', piece.rules)} ({piece.evidence:g})",
    )
    if piece.score is not None:
        opinion = {True: "explain.keep", False: "explain.let_go", None: "explain.no_opinion"}[piece.wanted]
        yield "classifier", f"{say(opinion)} ({piece.score:+.2f})"
    for pronoun in piece.pronouns:
        yield "pronoun", f"{pronoun.text} → {pronoun.antecedent or say('parse.left_alone')}"
    for time in piece.times:
        yield "time", f"{time.text} → {_interval(time)}"
    if piece.draft is not None:
        yield from _statement(piece.draft, say)
    for one in piece.judgements:
        yield "verdict", _judged(one, say)


def _statement(draft: Draft, say: Messages) -> Iterator[tuple[str, str]]:
    yield "statement", _line(draft.content)
    fields = (say.term("kind", draft.kind), say.term("polarity", draft.polarity), say.term("modality", draft.modality))
    yield "fields", " · ".join((say.term("subject", draft.subject), *fields))
    if draft.slot is not None:
        yield "slot", f"{say.term('subject', draft.slot.subject)} · {draft.slot.attribute} = {draft.slot.value}"
    if draft.valid is not None:
        yield "holds", _interval(draft.valid)


def _judged(one: Judgement, say: Messages) -> str:
    chance = "" if one.chance == 1.0 else f" {one.chance:.2f}"
    told = say.term("judged", one.verdict) + chance + ("" if one.sure else say("explain.unsure"))
    source = str(say.phrase(one.reason))
    return f"{told}{say('colon')} {short(one.memory.id)} {_line(one.memory.content)} ({source})"


def _interval(one: Interval) -> str:
    ends = " – ".join("…" if end is None else end.strftime("%Y-%m-%d %H:%M") for end in (one.start, one.end))
    return f"{ends}  {one.recurrence or ''}".strip()


def _line(text: str) -> str:
    return " ".join(text.split())
