"""How good the layers that ``training/tuned.py`` learns are on what was held back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from tuned_data import CLASSES, HARMLESS, Asked, Beside
from tuned_feed import Batch, Row, batches

from yinji.evals.coref import answer_key

FALSE = (0.005, 0.01, 0.02, 0.05, 0.1)
"""Shares of what holds on that are taken for over, at which what is found over is told."""
LOST = (0.01, 0.02, 0.05, 0.1)
"""Shares of the questions with an answer that are lost, at which silence on the others is told."""
WRONG = (0.02, 0.03, 0.05, 0.08, 1.0)
"""Shares of pronouns that get something wrong, at which what is right is told."""
LIKELIEST, LEAST = 12, 1e-4
"""Phrases that are looked at, and from which chance."""
OF_SORT = ("more", "lives", "sets", "worlds")
"""Pairs whose curve is told apart; the others have one together."""
TO_SCORE = {"gate": "worth", "answers": "answers"}
"""Heads that say yes or no, by task."""

Scores = NDArray[np.float32]
Found = Mapping[str, Scores]
"""Of one row: classes by head, or of ``point`` the chances."""
Flags = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class Guess:
    """What a pronoun most likely stands for, with how likely that is."""

    chance: float
    right: bool
    nothing: bool
    """Whether it is likelier to stand for nothing."""
    wanted: bool
    """Whether it stands for something."""

    def is_right(self, least: float) -> bool:
        return self.right if self.puts_in(least) else not self.wanted

    def is_wrong(self, least: float) -> bool:
        return self.puts_in(least) and not self.right

    def puts_in(self, least: float) -> bool:
        return self.chance >= least and not self.nothing


def report(aside: Sequence[Row], seen: Callable[[Batch], Found]) -> None:
    """``seen``: the scores of a batch, a row for each of its."""
    told: list[tuple[Row, Found]] = []
    guesses = dict[str, list[Guess]]()
    for batch in batches(aside):
        found = seen(batch)
        for at, row in enumerate(batch.rows):
            own = {head: scores[at] for head, scores in found.items()}
            if row.of.asked:
                guesses.setdefault(f"{row.of.sort} {row.of.language}", []).append(_guess(row, row.of.asked, own))
            else:
                told.append((row, own))
    print("  ".join(_heads(told)))
    for line in (*_ends(told), *_statements(told), *_questions(told), *_pronouns(guesses)):
        print(line, flush=True)


# ------------------------------------------------------------------- heads


def _heads(told: Iterable[tuple[Row, Found]]) -> Iterator[str]:
    """How often each is right."""
    right: dict[str, list[bool]] = {}
    for row, found in told:
        for name, good in _right(row, found):
            right.setdefault(f"{name} {row.of.language}", []).append(good)
    yield from (f"{name} {np.mean(good):.3f} ({len(good)})" for name, good in sorted(right.items()))


def _right(row: Row, found: Found) -> Iterator[tuple[str, bool]]:
    one = row.of
    best = {head: int(scores.argmax()) for head, scores in found.items()}
    if one.task == "relation" and one.weight:
        same = best["relation"] == one.label or (best["relation"] in HARMLESS and one.label in HARMLESS)
        yield f"relation of {one.sort}", same
    elif one.task in TO_SCORE:
        head = TO_SCORE[one.task]
        yield head, bool((found[head][0] > 0) == bool(one.label))
    elif one.task == "statement":
        yield from ((head, best[head] in one.allowed[head]) for head in CLASSES if one.allowed.get(head))


def _ends(told: Iterable[tuple[Row, Found]]) -> Iterator[str]:
    sorts: dict[str, list[tuple[float, bool]]] = {}
    for row, found in told:
        if "ends" in found:
            sort = row.of.sort if row.of.sort in OF_SORT else "others"
            sorts.setdefault(sort, []).append((float(found["ends"][0]), row.of.ends))
    for sort, each in sorted(sorts.items()):
        scores, over = _scores(score for score, _ in each), _flags(over for _, over in each)
        yield f"over, {sort} ({over.sum()} of {len(over)}): {_caught(scores[over], scores[~over], FALSE)}"


def _caught(wanted: Scores, others: Scores, shares: Sequence[float]) -> str:
    """The part of what is wanted that is above so many of the others."""
    if not len(wanted) or not len(others):
        return "nothing to tell"
    return "  ".join(f"{np.mean(wanted > np.quantile(others, 1 - share)):.2f} at {share:.3f}" for share in shares)


# ------------------------------------------------------------------ worlds


def _of_worlds(told: Iterable[tuple[Row, Found]], task: str) -> dict[str, list[list[tuple[Beside, float, bool]]]]:
    """By sort and language, for each statement or question what it is beside, its score, and whether it is wanted."""
    items: dict[tuple[str, tuple[str, str, int]], list[tuple[Beside, float, bool]]] = {}
    head = "answers" if task == "answers" else "ends"
    for row, found in told:
        if row.of.beside and row.of.task == task:
            wanted = bool(row.of.label) if task == "answers" else row.of.ends
            own = items.setdefault((f"{row.of.sort} {row.of.language}", row.of.beside.item), [])
            own.append((row.of.beside, float(found[head][0]), wanted))
    sorts: dict[str, list[list[tuple[Beside, float, bool]]]] = {}
    for (sort, _), own in items.items():
        sorts.setdefault(sort, []).append(own)
    return sorts


def _statements(told: Sequence[tuple[Row, Found]]) -> Iterator[str]:
    """What is found over of what is, where so many of the statements end something that they do not."""
    for sort, items in sorted(_of_worlds(told, "relation").items()):
        over = _scores(max(scores) for own in items if (scores := [score for _, score, ends in own if ends]))
        false = _scores(max(scores) for own in items if (scores := [score for _, score, ends in own if not ends]))
        yield f"{sort}, over ({len(over)}) at statements ({len(items)}) with a false end: " + _caught(
            over, false, FALSE
        )


def _questions(told: Sequence[tuple[Row, Found]]) -> Iterator[str]:
    """How often an answer comes first, and how many questions without one are met with silence."""
    for sort, items in sorted(_of_worlds(told, "answers").items()):
        best = _scores(max(score for _, score, _ in own) for own in items)
        known = _flags(any(right for *_, right in own) for own in items)
        answered = [own for own, has in zip(items, known, strict=True) if has]
        first = np.mean([max(own, key=lambda one: one[1])[2] for own in answered])
        nearest = np.mean([max(own, key=lambda one: one[0].near)[2] for own in answered])
        quiet = _caught(-best[~known], -best[known], LOST)
        yield (
            f"{sort}, an answer first {first:.3f} (by cosine {nearest:.3f}) of {len(answered)}; "
            f"silence on {(~known).sum()} at lost: {quiet}"
        )


# ---------------------------------------------------------------- pronouns


def _guess(row: Row, asked: Asked, found: Found) -> Guess:
    """Wordings that differ in case or an article alone count together."""
    *_, nothing = found["point"]
    chances: dict[str, float] = {}
    for text, chance in _phrases(row, asked, found["point"][:-1]):
        chances[answer_key(text)] = chances.get(answer_key(text), 0.0) + chance
    best = max(chances, key=lambda key: chances[key], default="")
    chance = chances.get(best, 0.0)
    right = best in map(answer_key, asked.meant)
    return Guess(chance=chance, right=right, nothing=bool(nothing > chance), wanted=bool(asked.meant))


def _phrases(row: Row, asked: Asked, chances: Scores) -> Iterator[tuple[str, float]]:
    length = round(len(chances) ** 0.5)
    for at in np.argsort(-chances, kind="stable")[:LIKELIEST]:
        first, last = divmod(int(at), length)
        if chances[at] > LEAST:
            opens, closes = row.talk[first].phrase, row.talk[last].phrase
            assert opens is not None
            assert closes is not None
            yield asked.messages[opens[0]][opens[1] : closes[2]], float(chances[at])


def _pronouns(guesses: Mapping[str, Sequence[Guess]]) -> Iterator[str]:
    """What is right at most where so much is wrong at most."""
    for sort, own in sorted(guesses.items()):
        curve = [
            (np.mean([one.is_right(at / 100) for one in own]), np.mean([one.is_wrong(at / 100) for one in own]))
            for at in range(101)
        ]
        told = (f"{max((good for good, bad in curve if bad <= most), default=0):.3f} at {most}" for most in WRONG)
        yield f"pronouns {sort} ({len(own)}), right at wrong: {'  '.join(told)}"


def _scores(values: Iterable[float]) -> Scores:
    return np.fromiter(values, np.float32)


def _flags(values: Iterable[bool]) -> Flags:
    return np.fromiter(values, np.bool_)
