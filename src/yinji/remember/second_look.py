"""What the gate let go by and may yet change what is known: "got in, Leeds" says little, unless one waits to hear.

The gate judges a sentence by itself. What bears a word of change, correction, doubt or retraction is held out once
more beside what is kept; only what a memory answers to has an effect, the rest stays dropped.
"""

from __future__ import annotations

from collections.abc import Sequence

from yinji.config import RememberSettings
from yinji.language import sensitive
from yinji.language.packs import pack
from yinji.language.text import detect, lead_to
from yinji.model import Draft, Drop, DropReason, Role, Turn
from yinji.remember.belonging import told_after
from yinji.remember.clean import clean, widened
from yinji.remember.drafts import draft
from yinji.remember.features import cues
from yinji.remember.resolve import put_in
from yinji.remember.resolve_rank import Refer
from yinji.remember.statement import state
from yinji.remember.states import may_end

LET_GO = frozenset(
    {
        DropReason.UNCERTAIN,
        DropReason.NOT_WORTH,
        DropReason.TOO_SHORT,
        DropReason.NOT_ABOUT_USER,
        DropReason.FILLER,
        DropReason.QUESTION,
        DropReason.HYPOTHETICAL,
        DropReason.COMMAND,
    }
)
"""Reasons that a memory may overrule."""
TELLING = frozenset({"changed", "ended", "done", "correction", "retract", "hedge", "hearsay", "again", "start", "now"})
"""Cues without which a piece cannot change what is known."""
SHORTEST, LONGEST = 2, 200
"""Characters of a piece that is looked at again."""


def second_look(
    turn: Turn,
    drops: Sequence[Drop],
    before: Sequence[str],
    settings: RememberSettings,
    *,
    every: bool = False,
    refer: Refer | None = None,
) -> list[tuple[Draft, Drop]]:
    """Drafts of the pieces that may answer to a memory, each with the drop it stands for; ``every``: of all pieces."""
    found, policy = [], sensitive.policy(settings.sensitive_policy)
    for drop in drops:
        if drop.role is not Role.USER or drop.reason not in LET_GO or turn.role is not Role.USER:
            continue
        language = detect(drop.text)
        text = clean(widened(drop.text), language).text
        if pack(language).matcher("corrects_nothing").match(text):
            continue
        if SHORTEST <= len(text) <= LONGEST and (every or TELLING & cues(text, language) or may_end(text, language)):
            said = lead_to(turn.user, drop.start)
            text = told_after(text, clean(said, language).text, language)
            read = state(put_in(text, [*before, said], language, refer=refer), language)
            found.append((draft(read, (drop.start, drop.end), turn, replaces=read.replaces, policy=policy), drop))
    return found
