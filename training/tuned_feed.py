"""Examples as ``training/tuned.py`` feeds them: tokens, batches of about one length, and what is wanted of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from tuned_data import CLASSES, Asked, Example

from yinji.adapters.e5_onnx import _positions
from yinji.adapters.e5_pointing import Token, _possible, talk
from yinji.adapters.e5_tokens import Tokenizer, vocabulary
from yinji.adapters.e5_tuned import cut
from yinji.adapters.e5_weights import Weights, unpacked
from yinji.evals.coref import ARTICLES

LONGEST = 128
"""Tokens of what is no conversation."""
TOKENS = 2000
"""Of a batch at most, with what it is filled up with."""
BESIDE = {"relation": 3, "answers": 4}
"""Memories without effect that a world's statement or question is held beside in one epoch, by task."""
STIRRED, STIRRED_LENGTH = 0.06, 6
"""Noise, from 0 up to this, on how near these memories are and on the length in tokens, so that epochs differ."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """An example in tokens."""

    of: Example
    ids: list[int]
    talk: list[Token]
    """The same tokens with their places, where there is a pronoun."""
    right: frozenset[tuple[int, int]] = frozenset()
    """First and last token of each phrase that it stands for."""


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Rows of one task, filled up to the longest."""

    task: str
    rows: list[Row]

    @property
    def of(self) -> list[Example]:
        return [row.of for row in self.rows]


class Reader:
    """Turns examples into tokens, and tokens into what the first layer reads."""

    def __init__(self, weights: Weights, prefix: str) -> None:
        pieces = weights.pieces()
        self._tokenizer = Tokenizer(vocabulary(pieces))
        self._prefix, self._bos, self._eos = prefix, pieces.bos, pieces.eos
        self._words, self._positions = weights.rows("emb.word", weights.sizes.hidden), _positions(weights)

    def rows(self, examples: Iterable[Example]) -> list[Row]:
        """Without the pronouns that cannot be learned from: their antecedent, or they, are too far back."""
        told = map(self._row, examples)
        return [row for row in told if row.of.asked is None or _is_whole(row)]

    def _row(self, one: Example) -> Row:
        if one.asked is None:
            parts = (self._prefix + one.parts[0], *one.parts[1:])
            ids = cut([self._tokenizer.ids(part) for part in parts], self._bos, self._eos, most=LONGEST)
            return Row(of=one, ids=ids, talk=[])
        asked = one.asked
        tokens = talk(
            asked.messages,
            asked.spoken,
            (len(asked.messages) - 1, asked.start, asked.end),
            self._tokenizer.placed,
            opening=[self._bos, *self._tokenizer.ids(self._prefix.strip())],
            closing=self._eos,
        )
        right = frozenset(_right(asked, tokens))
        return Row(of=one, ids=[token.id for token in tokens], talk=tokens, right=right)

    def fed(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Embeddings (texts, tokens, hidden), and the mask that tells tokens from padding."""
        length = max(len(row.ids) for row in batch.rows)
        ids, mask = np.zeros((len(batch.rows), length), np.int64), np.zeros((len(batch.rows), length), np.float32)
        for at, row in enumerate(batch.rows):
            ids[at, : len(row.ids)], mask[at, : len(row.ids)] = row.ids, 1
        distinct, places = np.unique(ids, return_inverse=True)
        embeds = unpacked(self._words[distinct])[places.reshape(ids.shape)] + self._positions[:length]
        return torch.tensor(embeds, dtype=torch.float32), torch.tensor(mask)


def _is_whole(row: Row) -> bool:
    assert row.of.asked is not None
    found = bool(row.right) == bool(row.of.asked.meant)
    return any(token.asked for token in row.talk) and (found or row.of.held)


def _right(asked: Asked, tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Wherever the antecedent's words stand, but over the pronoun, whatever their case, with an article or without."""
    phrases = [(at, token.phrase) for at, token in enumerate(tokens) if token.phrase]
    firsts = {(number, start): at for at, (number, start, _) in reversed(phrases)}
    lasts = {(number, end): at for at, (number, _, end) in phrases}
    possible = _possible(tokens)
    for number, start, end in _places(asked):
        first, last = firsts.get((number, start)), lasts.get((number, end))
        if first is not None and last is not None and possible[first, last]:
            yield first, last


def _places(asked: Asked) -> Iterator[tuple[int, int, int]]:
    for number, message in enumerate(map(str.lower, asked.messages)):
        for phrase in (one.lower().strip() for one in asked.meant):
            for start in _starts(message, phrase):
                end = start + len(phrase)
                if number == len(asked.messages) - 1 and start < asked.end and asked.start < end:
                    continue
                yield number, start, end
                yield from ((number, start - len(one), end) for one in ARTICLES if message[:start].endswith(one))


def _starts(text: str, phrase: str) -> Iterator[int]:
    at = text.find(phrase)
    while at >= 0:
        yield at
        at = text.find(phrase, at + 1)


# ----------------------------------------------------------------- batches


def sampled(told: Sequence[Row], chance: Random) -> list[Row]:
    """All, but of the memories that a world's statement or question has no effect on, some of the nearest."""
    groups: dict[tuple[str, str, str, int], list[Row]] = {}
    for row in told:
        if row.of.beside and not row.of.beside.touched:
            groups.setdefault((row.of.language, *row.of.beside.item), []).append(row)
    kept = [row for row in told if row.of.beside is None or row.of.beside.touched]
    for own in groups.values():
        kept += sorted(own, key=lambda row: -_near(row) + chance.random() * STIRRED)[: BESIDE[own[0].of.task]]
    return kept


def _near(row: Row) -> float:
    return row.of.beside.near if row.of.beside else 0.0


def batches(told: Sequence[Row], chance: Random | None = None) -> list[Batch]:
    """Rows of one task and about one length together; sampled, and in another order each time, if by chance."""
    by_task: dict[str, list[Row]] = {}
    for row in sampled(told, chance) if chance else told:
        by_task.setdefault(row.of.task, []).append(row)
    found = []
    for task, own in by_task.items():
        own.sort(key=lambda row: len(row.ids) + (chance.random() * STIRRED_LENGTH if chance else 0))
        found += [Batch(task=task, rows=rows) for rows in _filled(own)]
    if chance:
        chance.shuffle(found)
    return found


def _filled(rows: Sequence[Row]) -> Iterator[list[Row]]:
    batch: list[Row] = []
    for row in rows:
        longest = max(len(one.ids) for one in (*batch, row))
        if batch and (len(batch) + 1) * longest > TOKENS:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


# ------------------------------------------------------------------ wanted


def allowed(batch: Batch, head: str) -> Tensor:
    """(texts, classes): which are right; none where nothing is known."""
    found = torch.zeros(len(batch.rows), len(CLASSES[head]))
    for at, one in enumerate(batch.of):
        found[at, list(one.allowed.get(head, ()))] = 1
    return found


def pronouns(batch: Batch) -> tuple[Tensor, Tensor]:
    """Shares of the pronoun's tokens (texts, tokens), and which pairs may open and close a phrase (texts, tokens,
    tokens)."""
    length = max(len(row.ids) for row in batch.rows)
    asked = np.zeros((len(batch.rows), length), np.float32)
    possible = np.zeros((len(batch.rows), length, length), np.bool_)
    for at, row in enumerate(batch.rows):
        own: NDArray[np.bool_] = np.array([token.asked for token in row.talk])
        asked[at, : len(own)] = own / own.sum()
        possible[at, : len(own), : len(own)] = _possible(row.talk)
    return torch.tensor(asked), torch.tensor(possible)


def meant(batch: Batch) -> Tensor:
    """(texts, tokens * tokens + 1): which phrases are right; last, whether none is."""
    length = max(len(row.ids) for row in batch.rows)
    right = torch.zeros(len(batch.rows), length * length + 1)
    for at, row in enumerate(batch.rows):
        right[at, [first * length + last for first, last in row.right]] = 1
        right[at, -1] = not (row.of.asked and row.of.asked.meant)
    return right
