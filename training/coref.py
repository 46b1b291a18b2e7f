"""The weights of ``data/models/coref.json``: which words are a phrase, and which phrase a pronoun stands for.

    python training/coref.py [--write] [--folds 5]

Learns from ``training/data/coref`` (``xx.jsonl``, ``xx.made.jsonl``) and the development half of ``evals/coref``, and
reports five-fold cross-validation on each; the thresholds are the lowest with which cross-validation puts in something
wrong in at most 3 % of all cases.
The test half of ``evals/coref`` is passed over. See coref.md for what came out.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from coref_fit import Signs, fit_phrases, fit_ranks

from yinji.evals.coref import answer_key
from yinji.language.entities import find_entities
from yinji.language.script import simplify
from yinji.remember.resolve import find_pronouns, scene_of
from yinji.remember.resolve_features import Candidate, Pronoun, Scene, signs
from yinji.remember.resolve_listed import KINDS as LISTED
from yinji.remember.resolve_model import Learned, Points, Told
from yinji.remember.resolve_rank import choose
from yinji.remember.resolve_spans import runs
from yinji.remember.resolve_spans import signs as signs_of_run
from yinji.remember.resolve_tokens import tokens

ROOT = Path(__file__).parents[1]
DATA = ROOT / "training" / "data" / "coref"
PARTS = ("other hand", "made", "evals dev")
EVERYDAY = "ordinary"
HELD_TENS = {"more": 5, EVERYDAY: 6}
"""Of which files of pronouns every how manieth ten is held back."""
LATER = "later"
"""Written last, about lists and what is pointed to; half of it, its ``dev``, is learned from."""
UNLEARNED = "same turn"
LANGUAGES = ("zh", "en")
FREE = Points(any=0.0, only=0.0, here=0.0)
UNASKED = Told(own=1.0, told=0.0, listed={}, nothing={}, least=0.0)
PHRASE_PENALTY = 3.0
RANK_PENALTY = 0.8
WRONG_ALLOWED = 0.03
LEAST_ONLY = 0.8
THRESHOLDS = tuple(at / 100 for at in range(50, 100))


@dataclass(frozen=True, kw_only=True)
class Case:
    language: str
    messages: tuple[str, ...]
    """What was said before, each with its speaker."""
    text: str
    start: int
    end: int
    right: frozenset[str]
    part: str
    """``other hand``; ``made`` by whoever wrote the features; the development half of ``evals``; or ``same turn``,
    which is only measured: somebody is named and meant in one message, after messages about others."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What a model gives for a case: ``given`` with ``probability``, when it prefers that to nothing."""

    case: Case
    given: str | None
    probability: float
    why: str = ""

    def is_right(self, least: float, only: float | None = None) -> bool:
        if self.given is None or not self.puts_in(least, only):
            return not self.case.right
        return answer_key(self.given) in self.case.right

    def is_wrong(self, least: float, only: float | None = None) -> bool:
        return self.puts_in(least, only) and not self.is_right(least, only)

    def puts_in(self, least: float, only: float | None) -> bool:
        needed = only if only is not None and self.why == "only_one" else least
        return self.given is not None and self.probability >= needed


def main() -> None:
    asked = _arguments()
    written = {language: _learn(language, asked.folds) for language in LANGUAGES}
    if asked.write:
        target = ROOT / "src" / "yinji" / "data" / "models" / "coref.json"
        target.write_text(json.dumps(written, ensure_ascii=False, indent=0, sort_keys=True) + "\n", encoding="utf-8")


def _learn(language: str, folds: int) -> dict[str, Any]:
    """What is written for a language."""
    cases = all_cases(language)
    answers, examples = cross_validate(cases, folds, language)
    least, only = thresholds(answers)
    model = fit(cases, examples, language)
    print(f"{language}: {len(cases)} cases, thresholds {least}, {only}")
    for part in PARTS:
        _tell(part, [one for one in answers if one.case.part == part], least, only)
    told = (answer(case, model) for case in cases_of(DATA / f"{language}.beside.jsonl", language, UNLEARNED))
    unlearned = [one for one in told if one.why == "named_here"]
    tuned, aside = (_texts(unlearned, part) for part in (0, 1))
    here = lowest(tuned)
    print(f"  from {here} in the {UNLEARNED}, found on the half that is told first")
    for half in (tuned, aside):
        _tell(UNLEARNED, half, here, here)
    return {
        "least": least,
        "least_only": only,
        "least_here": here,
        "spans": _kept(model.spans),
        "ranks": _kept(model.ranks),
    }


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    parser.add_argument("--folds", type=int, default=5)
    return parser.parse_args()


def all_cases(language: str) -> list[Case]:
    """The cases to learn from, in a fixed order."""
    files = (
        DATA / f"{language}.jsonl",
        DATA / f"{language}.made.jsonl",
        ROOT / "evals" / "coref" / f"{language}.jsonl",
    )
    return [one for path, part in zip(files, PARTS, strict=True) for one in cases_of(path, language, part)]


def cases_of(path: Path, language: str, part: str) -> Iterator[Case]:
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row.get("split", "dev") != "dev":
            continue
        gold = [row["antecedent"], *row["antecedent_also"]] if row["antecedent"] else []
        yield Case(
            language=language,
            messages=tuple(row["context"]),
            text=row["text"],
            start=row["pronoun_start"],
            end=row["pronoun_start"] + len(row["pronoun"]),
            right=frozenset(map(answer_key, gold)),
            part=part,
        )


def learned_from(language: str, name: str) -> list[Case]:
    """Of a file all but what is held back."""
    return [case for case, held in zip(_cases(language, name), _held(language, name), strict=True) if not held]


def held_pronouns(language: str, name: str = "more") -> list[Case]:
    return [case for case, held in zip(_cases(language, name), _held(language, name), strict=True) if held]


def _cases(language: str, name: str) -> list[Case]:
    return list(cases_of(file_of(language, name), language, name))


def _held(language: str, name: str) -> list[bool]:
    return list(held(name, rows_of(language, name)))


def held(name: str, rows: Sequence[Mapping[str, Any]]) -> Iterator[bool]:
    """Which are held back of each: tens in their order, every fifth of ``*.more.jsonl``, every sixth of each hand in
    ``*.ordinary.jsonl``; of ``evals`` all."""
    counted: dict[str, int] = {}
    for row in rows:
        hand = row["id"].rpartition("-")[0]
        at = counted[hand] = counted.get(hand, -1) + 1
        yield name == "evals" or (name in HELD_TENS and at // 10 % HELD_TENS[name] == 2)


def file_of(language: str, name: str) -> Path:
    folder = ROOT / "evals" / "coref" if name == "evals" else DATA
    named = name in ("made", "beside", LATER, *HELD_TENS)
    return folder / (f"{language}.{name}.jsonl" if named else f"{language}.jsonl")


def rows_of(language: str, name: str) -> list[dict[str, Any]]:
    told = map(json.loads, file_of(language, name).read_text(encoding="utf-8").splitlines())
    return [row for row in told if row.get("split", "dev") == "dev"]


def cross_validate(cases: Sequence[Case], folds: int, language: str) -> tuple[list[Answer], list[Group]]:
    """An answer to every case from a model that has not seen it; and examples whose phrases were found so too."""
    parts = [[case for at, case in enumerate(cases) if at % folds == fold] for fold in range(folds)]
    finders = [fit_finder([case for other in parts if other is not part for case in other], language) for part in parts]
    examples = [list(groups(part, finder)) for part, finder in zip(parts, finders, strict=True)]
    answers = []
    for fold, (part, finder) in enumerate(zip(parts, finders, strict=True)):
        unseen = [one for at, listed in enumerate(examples) if at != fold for one in listed]
        model = replace(finder, ranks=fit_ranks(unseen, penalty=RANK_PENALTY))
        answers += [answer(case, model) for case in part]
    return answers, [one for listed in examples for one in listed]


def fit(cases: Sequence[Case], examples: Sequence[Group], language: str) -> Learned:
    """The model of all cases; the choosing is learned on phrases that were found without the case at hand."""
    return replace(fit_finder(cases, language), ranks=fit_ranks(examples, penalty=RANK_PENALTY))


# ------------------------------------------------------------------ phrases


def fit_finder(cases: Sequence[Case], language: str) -> Learned:
    """What tells phrases: right are the antecedents, wrong the other runs of words that overlap them."""
    found = [one for case in cases for one in _labelled_runs(case)]
    weights = fit_phrases([signs for signs, _ in found], [right for _, right in found], penalty=PHRASE_PENALTY)
    return Learned(language=language, spans=weights, ranks={}, points=FREE, told=UNASKED)


def _labelled_runs(case: Case) -> Iterator[tuple[Signs, bool]]:
    for message in [*case.messages, case.text] if case.right else []:
        plain = simplify(message.partition(": ")[2] if message is not case.text else message)
        said, named = tokens(plain, case.language), find_entities(plain, language=case.language)
        listed = [(said[first].start, said[after - 1].end, first, after) for first, after in runs(said)]
        if message is case.text:
            listed = [one for one in listed if one[1] <= case.start or case.end <= one[0]]
        right = [one for one in listed if _is_antecedent(plain, one[2], one[1], case)]
        for one in listed:
            if any(one[0] < other[1] and other[0] < one[1] for other in right):
                yield dict.fromkeys(signs_of_run(said, one[2], one[3], named), 1.0), one in right


def _is_antecedent(plain: str, first: int, end: int, case: Case) -> bool:
    """Whether the words are the antecedent, with what may stand before them ("the", "my")."""
    said = tokens(plain, case.language)
    return any(
        answer_key(plain[said[at].start : end]) in case.right
        for at in range(max(0, first - 2), first + 1)
        if all(_opens(said[k].look, said[k].text, case.language) for k in range(at, first))
    )


def _opens(look: str, text: str, language: str) -> bool:
    if language == "en":
        return look in ("the", "my")
    return look in ("q", "count", "m", "r")


# ------------------------------------------------------------------ choosing

Group = list[tuple[Signs, bool]]
"""The signs of every candidate and of nothing, each with whether that is right."""


def groups(cases: Sequence[Case], model: Learned) -> Iterator[Group]:
    for case in cases:
        pronoun, scene = seen(case, model)
        if pronoun is None or pronoun.kind in LISTED:
            continue
        found, each, empty = signs(pronoun, scene)
        marked = [(one, _is_right(candidate, case)) for one, candidate in zip(each, found, strict=True)]
        if found:
            yield [*marked, (empty, not case.right)]


def _is_right(candidate: Candidate, case: Case) -> bool:
    return any(answer_key(said.mention.text) in case.right for said in candidate.said)


def seen(case: Case, model: Learned) -> tuple[Pronoun | None, Scene]:
    found = find_pronouns(case.text, case.language)
    pronoun = next((one for one in found if one.start < case.end and case.start < one.end), None)
    return pronoun, scene_of(case.text, case.messages, model)


def answer(case: Case, model: Learned) -> Answer:
    """What the model prefers, whatever the threshold."""
    pronoun, scene = seen(case, replace(model, points=FREE))
    if pronoun is None:
        return Answer(case=case, given=None, probability=0.0)
    choice = choose(pronoun, scene)
    return Answer(case=case, given=choice.meant, probability=choice.probability, why=choice.why)


# ------------------------------------------------------------------ numbers


def thresholds(answers: Sequence[Answer]) -> tuple[float, float]:
    """The lowest that keep wrong replacements rare enough, the one for the only one possible last."""
    allowed = WRONG_ALLOWED * len(answers)
    least = lowest(answers)
    lower = (at for at in THRESHOLDS if at >= LEAST_ONLY)
    fine = (at for at in lower if sum(one.is_wrong(least, at) for one in answers) <= allowed)
    return least, min(least, next(fine, THRESHOLDS[-1]))


def lowest(answers: Sequence[Answer]) -> float:
    """The lowest probability from which wrong replacements are rare enough."""
    allowed = WRONG_ALLOWED * len(answers)
    return next((at for at in THRESHOLDS if sum(one.is_wrong(at) for one in answers) <= allowed), THRESHOLDS[-1])


def _texts(answers: Sequence[Answer], part: int) -> list[Answer]:
    """Every other text of these, with all that it comes after."""
    place = {text: at for at, text in enumerate(dict.fromkeys(one.case.text for one in answers))}
    return [one for one in answers if place[one.case.text] % 2 == part]


def _tell(name: str, answers: Sequence[Answer], least: float, only: float) -> None:
    right = sum(one.is_right(least, only) for one in answers) / len(answers)
    wrong = sum(one.is_wrong(least, only) for one in answers) / len(answers)
    rows = [f"as set: {right:.3f} right, {wrong:.3f} wrong"]
    for at in (0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95):
        right = sum(one.is_right(at) for one in answers) / len(answers)
        wrong = sum(one.is_wrong(at) for one in answers) / len(answers)
        rows.append(f"{at:.2f}: {right:.3f} right, {wrong:.3f} wrong")
    print(f"  {name} ({len(answers)})\n    " + "\n    ".join(rows))


def _kept(weights: dict[str, float] | Any) -> dict[str, float]:
    """Weights that matter, to three digits."""
    return {name: round(value, 3) for name, value in weights.items() if abs(value) >= 0.01}


if __name__ == "__main__":
    main()
