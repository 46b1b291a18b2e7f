"""Which words a pronoun stands for, by the tuned layers: they read the last messages with the pronoun marked, and score
every short run of words as what is meant, and nothing. Learned in ``training/tuned.py``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from yinji.ports import Pointed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from yinji.ports import Span

    Floats = NDArray[np.float32]

LONGEST = 120
"""Tokens of a conversation that are looked at, the last, as in training."""
WIDEST = 10
"""Tokens of a phrase at most."""
MARK, ASSISTANT = "\u25c6", "\u25c7"
"""What stands around the pronoun, and before what the assistant said."""
LOUDNESS = 8.0 / 3
"""By which states are multiplied before they are scored, as in training."""
LEAST, MOST = 1e-3, 12
"""Probability from which a phrase is told, and how many are."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Token:
    id: int
    phrase: Span | None = None
    """Where it stands in the messages, if it may be part of a phrase."""
    asked: bool = False
    """Whether it is of the pronoun."""


def talk(
    messages: Sequence[str],
    spoken: Sequence[bool],
    pronoun: Span,
    placed: Callable[[str], Sequence[tuple[int, int, int]]],
    *,
    opening: Sequence[int],
    closing: int,
) -> list[Token]:
    """The tokens that are looked at. ``spoken``: which messages are the assistant's; the pronoun is in the last."""
    mark, assistant = (_sign(placed, sign) for sign in (MARK, ASSISTANT))
    told: list[Token] = []
    for number, (message, by_assistant) in enumerate(zip(messages, spoken, strict=True)):
        told += [assistant] if by_assistant else []
        _, start, end = pronoun if number == pronoun[0] else (number, len(message), len(message))
        told += _tokens(message, number, 0, start, placed)
        if number == pronoun[0]:
            told += [
                mark,
                *(Token(id=one.id, asked=True) for one in _tokens(message, number, start, end, placed)),
                mark,
            ]
            told += _tokens(message, number, end, len(message), placed)
        told.append(Token(id=closing))
    room = LONGEST - len(opening)
    return [*(Token(id=one) for one in opening), *told[-room:]]


def _sign(placed: Callable[[str], Sequence[tuple[int, int, int]]], sign: str) -> Token:
    return Token(id=placed(sign)[-1][0])


def _tokens(
    message: str, number: int, start: int, end: int, placed: Callable[[str], Sequence[tuple[int, int, int]]]
) -> list[Token]:
    if not message[start:end].strip():
        return []
    return [
        Token(id=id, phrase=(number, start + first, start + last) if last > first else None)
        for id, first, last in placed(message[start:end])
    ]


def pointed(states: Floats, tokens: Sequence[Token], known: Mapping[str, Floats]) -> Pointed:
    """``states`` (tokens, hidden); ``known``: what was learned, ``start``, ``end``, ``both``, ``nothing`` …"""
    import numpy as np

    loud = states * np.float32(LOUDNESS)
    asked = loud[[one.asked for one in tokens]].mean(0)
    starts = gelu(loud @ known["start"] + asked @ known["start_asked"] + known["start_bias"])
    ends = gelu(loud @ known["end"] + asked @ known["end_asked"] + known["end_bias"])
    scores = (starts @ known["start_weights"])[:, None] + (ends @ known["end_weights"])[None]
    scores = np.where(_possible(tokens), scores + starts @ known["both"] @ ends.T, -np.inf)
    nothing = (
        gelu(asked @ known["nothing"] + known["nothing_bias"]) @ known["nothing_weights"] + known["nothing_offset"]
    )
    chances = np.exp(np.append(scores.ravel(), nothing) - max(float(scores.max()), float(nothing)))
    chances /= chances.sum()
    best = np.argsort(-chances[:-1], kind="stable")[:MOST]
    found = [(divmod(int(at), len(tokens)), float(chances[at])) for at in best if chances[at] >= LEAST]
    return Pointed(
        phrases=tuple((_span(tokens[first], tokens[last]), chance) for (first, last), chance in found),
        nothing=float(chances[-1]),
    )


def _possible(tokens: Sequence[Token]) -> NDArray[np.bool_]:
    """(tokens, tokens): which pairs may be the first and the last of a phrase."""
    import numpy as np

    message = np.array([-1 if one.phrase is None else one.phrase[0] for one in tokens])
    length = np.arange(len(tokens))[None] - np.arange(len(tokens))[:, None]
    possible: NDArray[np.bool_] = (
        (message[:, None] == message[None]) & (message >= 0)[:, None] & (length >= 0) & (length < WIDEST)
    )
    return possible


def _span(first: Token, last: Token) -> Span:
    assert first.phrase is not None
    assert last.phrase is not None
    return (first.phrase[0], first.phrase[1], last.phrase[2])


def gelu(values: Floats) -> Floats:
    """By its approximation with the hyperbolic tangent (Hendrycks and Gimpel 2016), as in training."""
    import numpy as np

    bent: Floats = 0.5 * values * (1 + np.tanh(np.sqrt(2 / np.pi) * (values + 0.044715 * values**3)))
    return bent
