"""The words that values are told with: what sort a memory is of, whether it holds, who may see it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Kind(StrEnum):
    """What sort of statement a memory is."""

    FACT = "fact"
    PREFERENCE = "preference"
    STATE = "state"
    EVENT = "event"
    RELATION = "relation"
    PROCEDURE = "procedure"


class Layer(StrEnum):
    """Which memory system it belongs to; ``core`` is set by the user and never fades."""

    WORKING = "working"
    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"
    CORE = "core"


class Tier(StrEnum):
    """Where a memory is looked for and what that costs."""

    HOT = "hot"
    WARM = "warm"
    COLD = "cold"


class State(StrEnum):
    """How alive a memory is (SPEC L2)."""

    ACTIVE = "active"
    REINFORCED = "reinforced"
    DECAYING = "decaying"
    ARCHIVED = "archived"


class Validity(StrEnum):
    """Whether it still holds."""

    CURRENT = "current"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"
    RETRACTED = "retracted"
    DISPUTED = "disputed"


HOLDS = frozenset({Validity.CURRENT, Validity.DISPUTED})
"""What may be so now: of two that contradict each other both are shown until the user says which is right."""


class Trust(StrEnum):
    """Who said so, from most to least trusted; see :data:`TRUST_ORDER`."""

    USER_EXPLICIT = "user_explicit"
    USER_IMPLIED = "user_implied"
    ASSISTANT = "assistant"
    TOOL = "tool"
    WEB = "web"
    IMPORT = "import"


TRUST_ORDER: Mapping[Trust, int] = {
    Trust.USER_EXPLICIT: 3,
    Trust.USER_IMPLIED: 2,
    Trust.ASSISTANT: 1,
    Trust.TOOL: 0,
    Trust.WEB: 0,
    Trust.IMPORT: 0,
}


class Visibility(StrEnum):
    PRIVATE = "private"
    TEAM = "team"
    PUBLIC = "public"


class Sensitivity(StrEnum):
    NORMAL = "normal"
    SENSITIVE = "sensitive"


class Role(StrEnum):
    """Which half of a turn, or what else, a text comes from."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    WEB = "web"
    IMPORT = "import"


class Polarity(StrEnum):
    POSITIVE = "positive"
    NEGATIVE = "negative"


class Modality(StrEnum):
    """How a statement is meant; only ``asserted`` and ``planned`` ones describe the world."""

    ASSERTED = "asserted"
    PLANNED = "planned"
    WISHED = "wished"
    HYPOTHETICAL = "hypothetical"
    ASKED = "asked"
    QUOTED = "quoted"


class DropReason(StrEnum):
    """Why the gate, or a later stage, did not keep a piece of a turn."""

    EMPTY = "empty"
    FILLER = "filler"
    GREETING = "greeting"
    ACKNOWLEDGEMENT = "acknowledgement"
    COMMAND = "command"
    QUESTION = "question"
    REPEATED = "repeated"
    TOO_SHORT = "too_short"
    NOT_ABOUT_USER = "not_about_user"
    HYPOTHETICAL = "hypothetical"
    UNCERTAIN = "uncertain"
    NOT_WORTH = "not_worth"
    SENSITIVE = "sensitive"
    INJECTION = "injection"
    ASSISTANT = "assistant"
    TOO_LONG = "too_long"
    DUPLICATE = "duplicate"


class Verdict(StrEnum):
    """What a new statement is to one that is already kept (SPEC W9)."""

    UNRELATED = "unrelated"
    COMPATIBLE = "compatible"
    DUPLICATE = "duplicate"
    UPDATE = "update"
    CONFLICT = "conflict"
    RETRACT = "retract"
    UNSURE = "unsure"


class LinkKind(StrEnum):
    SUPERSEDES = "supersedes"
    MERGED_FROM = "merged_from"
    BUILT_FROM = "built_from"
    RELATED = "related"
    CONTRADICTS = "contradicts"
    OVERTAKEN_BY = "overtaken_by"


class Grain(StrEnum):
    SECOND = "second"
    MINUTE = "minute"
    HOUR = "hour"
    PART_OF_DAY = "part_of_day"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"
