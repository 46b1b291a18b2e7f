"""Trains the model of what kind a statement is: ``data/models/kinds.npz``; its card is ``kinds.md`` beside this.

    python training/kinds.py [--check]

Kernel ridge regression in closed form, as in ``gate.py``, over single statements: those of ``training/data/extract``
that are there to tune with or to train on, the development half of ``evals/extract``, and the messages of
``training/data/gate`` that make one. ``--check`` prints how often the kind is right on what was not trained on, for the
rules and for the model, instead of writing anything.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from gate import Row, names_of, packed, rows, table

from yinji.adapters.catalogue import load_embedder
from yinji.config import Settings
from yinji.evals.data import Line
from yinji.evals.extract import Case, case_of
from yinji.evals.said import AT, spoken, turns_before
from yinji.model import Draft, Kind, Turn
from yinji.remember import kinds
from yinji.remember.classify import ASSISTANT, Judged, hashed
from yinji.remember.extract import extract
from yinji.remember.kinds import KINDS
from yinji.remember.second_look import second_look

HERE = Path(__file__).parent
WEIGHTS = HERE.parent / "src" / "yinji" / "data" / "models" / "kinds.npz"
LANGUAGES = ("zh", "en")
SCALE, SPREAD, GAMMA, WORDS, RIDGE, DIRECTIONS = 0.4, 8.0, 0.1, 0.7, 1.0, 96
"""By which features, vectors and hashed words are multiplied; how narrow the kernel is; how many directions of the
embedding are looked at."""
OWN = 3
"""How many times a labelled statement counts beside a message of the gate, whose label is the message's."""
LATER = "c"
"""The hand whose messages are passed over: with them the kind is told less well."""
SETTINGS = Settings.load().remember


@dataclass(frozen=True, kw_only=True, slots=True)
class Example:
    draft: Draft
    kinds: frozenset[str]
    weight: int = 1


def labelled(path: Path, split: str) -> Iterator[Example]:
    """The statements that extraction makes of labelled messages, with the kinds that are right for them."""
    for number, row in enumerate(rows(path), 1):
        if row["split"] == split:
            yield from _expected(case_of(Line(path=path, number=number, row=row)))


def _expected(case: Case) -> Iterator[Example]:
    before = turns_before(case.context, case.at)
    drafts, _ = extract(spoken(case.text, case.at, seq=len(before)), before, SETTINGS)
    for one in case.expected:
        said = [draft for draft in drafts if one.is_said(draft.content)]
        if said:
            best = max(said, key=lambda draft: sum(one.fields(draft).values()))
            yield Example(draft=best, kinds=one.kinds, weight=OWN)


def single(path: Path) -> Iterator[Example]:
    """Statements one to a line, each with its kinds behind a tab."""
    for line in path.read_text(encoding="utf-8").splitlines():
        text, _, named = line.partition("\t")
        for one in _made(text, []):
            yield replace(one, kinds=frozenset(named.split(",")), weight=OWN)


def messages(given: list[Row]) -> Iterator[Example]:
    """The messages of the gate that are worth keeping and make one statement."""
    for row in given:
        if not row["keep"] or row.get("hand") == LATER:
            continue
        for one in _made(row["text"], turns_before([_line(said) for said in row["context"]], AT)):
            yield replace(one, kinds=frozenset({row["kind"], *row.get("kind_also", ())}))


def _made(text: str, before: list[Turn]) -> Iterator[Example]:
    """The one statement that a message makes, also where the rules would let it go; none when it makes several."""
    turn = spoken(text, AT, seq=len(before))
    drafts, drops = extract(turn, before, SETTINGS)
    if not drafts and len(drops) == 1:
        drafts = [one for one, _ in second_look(turn, drops, [], SETTINGS, every=True)]
    if len(drafts) == 1:
        yield Example(draft=drafts[0], kinds=frozenset())


def _line(said: str) -> str:
    return said.replace(ASSISTANT, "assistant: ", 1) if said.startswith(ASSISTANT) else said


class Data:
    """Examples of one language, as numbers."""

    def __init__(self, language: str, examples: list[Example]) -> None:
        self.examples = examples
        self.seen = [dict.fromkeys(kinds.features(one.draft), 1.0) for one in examples]
        self.vectors = np.asarray(
            load_embedder("e5-small").embed([one.draft.content for one in examples], purpose="passage"), float
        )
        self.words = WORDS * np.array(
            [hashed(Judged(text=one.draft.content, question=None), language) for one in examples], dtype=float
        )
        self.wanted = np.array([[float(kind in one.kinds) for kind in KINDS] for one in examples])


def train(data: Data) -> dict[str, Any]:
    """The arrays of the model: every example is a landmark, and the labelled ones weigh more."""
    names, mean = names_of(data.seen), data.vectors.mean(0)
    basis = np.linalg.svd(data.vectors - mean, full_matrices=False)[2][:DIRECTIONS].T
    given = np.concatenate([table(data.seen, names) * SCALE, (data.vectors - mean) @ basis * SPREAD], axis=1)
    apart = (given**2).sum(1)[:, None] + (given**2).sum(1)[None] - 2 * given @ given.T
    near = np.exp(-GAMMA * np.maximum(apart, 0)) + data.words @ data.words.T
    penalty = RIDGE * np.diag([1 / one.weight for one in data.examples])
    offset = data.wanted.mean(0)
    weights = np.linalg.solve(near + penalty, data.wanted - offset)
    return {
        "names": "\n".join(names), "scale": SCALE, "mean": mean, "basis": basis, "spread": SPREAD, "gamma": GAMMA,
        "landmarks": given, "weights": weights, "offset": offset, "word_weights": WORDS * data.words.T @ weights,
    }  # fmt: skip


def right(found: list[Kind], data: Data) -> float:
    return float(np.mean([str(kind) in one.kinds for kind, one in zip(found, data.examples, strict=True)]))


def report(language: str, tried: dict[str, Data]) -> None:
    for name, data in tried.items():
        by_model = [
            kinds.in_kinds([one.draft], [vector])[0].kind
            for one, vector in zip(data.examples, data.vectors, strict=True)
        ]
        by_rule = [one.draft.kind for one in data.examples]
        print(f"{language} {name}: {len(by_rule)} statements, rules {right(by_rule, data):.3f}, "
              f"model {right(by_model, data):.3f}")  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    stored: dict[str, Any] = {}
    for language in LANGUAGES:
        own, more = (HERE / "data" / "extract" / f"{language}{name}.jsonl" for name in ("", ".more"))
        dev = HERE.parent / "evals" / "extract" / f"{language}.jsonl"
        if options.check:
            report(language, {one.stem: Data(language, list(labelled(one, "held"))) for one in (own, more)})
            continue
        given = rows(HERE / "data" / "gate" / f"{language}.jsonl")
        listed = single(HERE / "data" / "extract" / f"kinds.{language}.tsv")
        own_tune = [one for path in (own, more) for one in labelled(path, "tune")]
        data = Data(language, [*own_tune, *labelled(dev, "dev"), *listed, *messages(given)])
        stored |= packed(train(data), language)
        print(language, len(data.examples))
    if stored:
        np.savez_compressed(WEIGHTS, **stored)
        print(WEIGHTS.name, WEIGHTS.stat().st_size)
    return 0


if __name__ == "__main__":
    sys.exit(main())
