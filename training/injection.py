"""Trains the classifier that tells orders to an agent by their words, and writes its weights.

    python training/injection.py [--check]

Cases are in ``training/injection/{zh,en}*.txt``: a heading ``# attack|benign SOURCE KIND``, then a text a line
(``⏎`` is a line break); those of ``….c.txt`` and later are by other hands. Variants hide or carry them: base64,
letters apart, digits for letters, invisible characters, JSON, comments, other texts. What is said in the project's
diaries and in the dev halves of its gate and extraction cases is harmless too. ``evals/injection`` is not read.

Two rounds: the second learns of every attack the passage that the first was surest of, as it will be judged.
``--check`` writes nothing and says what folds give; counterparts in the two languages are always in the same fold.
What is read besides is ``training/orders.py``.
"""

from __future__ import annotations

import argparse
import base64
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from yinji.language.injection import features, passages, views
from yinji.language.linear import LARGEST, evened, place

HERE = Path(__file__).parent / "injection"
EVALS = Path(__file__).parents[1] / "evals"
OUT = Path(__file__).parents[1] / "src" / "yinji" / "data" / "models"
LANGUAGES = ("zh", "en")
HANDS, HELD = ("", ".c", ".d", ".e", ".f"), ".held"
BITS, C, SEED, FOLDS = 15, 1.0, 5, 5
SAMPLE = 60
"""Cases of each sort that are hidden or carried in each way."""
POINTS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    text: str
    attack: bool
    source: str
    lang: str
    hand: str
    group: str
    """Counterparts and variants have the same."""
    plain: bool = True
    """As it was written: no variant."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sheet:
    """Every passage of every case, as it reads."""

    cases: list[Case]
    own: NDArray[np.int64]
    """Which case a passage is of."""
    words: csr_matrix


@dataclass(frozen=True, kw_only=True, slots=True)
class Weights:
    words: Floats
    bias: float


def cases() -> list[Case]:
    return [one for lang in LANGUAGES for hand in HANDS for one in read(lang, hand)]


def held() -> list[Case]:
    """What nothing is learned from."""
    return [one for lang in LANGUAGES for one in read(lang, HELD)]


def read(lang: str, hand: str) -> Iterator[Case]:
    heading, at = ["", "", ""], 0
    for line in (HERE / f"{lang}{hand}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith(("# attack ", "# benign ")):
            heading = line[2:].split()
        elif line.strip():
            text, at = line.replace("⏎", "\n"), at + 1
            attack, source = heading[0] == "attack", heading[1]
            yield Case(text=text, attack=attack, source=source, lang=lang, hand=hand, group=f"{hand}{at}")


def talk() -> list[Case]:
    """What people and assistants say to each other in the project's own made-up diaries: none of it is an attack."""
    found = []
    for lang in ("zh", "en"):
        for line in (EVALS / "diary" / lang / "turns.jsonl").read_text(encoding="utf-8").splitlines():
            turn = json.loads(line)
            found += [(text, lang) for text in (turn["user"], turn.get("assistant")) if text]
        for name in ("gate", "extract"):
            for line in (EVALS / name / f"{lang}.jsonl").read_text(encoding="utf-8").splitlines():
                case = json.loads(line)
                found += [(case["text"], lang)] if case["split"] == "dev" else []
    return [
        Case(text=text, attack=False, source="talk", lang=lang, hand="talk", group=f"talk{at // 10}", plain=False)
        for at, (text, lang) in enumerate(found)
    ]


def variants(written: list[Case], chance: random.Random) -> Iterator[Case]:
    """The foreign cases, some of them hidden or carried; what carries a harmless text is harmless."""
    foreign = [one for one in written if one.source in ("web", "tool", "import")]
    yield from foreign
    for attack in (True, False):
        own = [one for one in foreign if one.attack is attack]
        for hide in HIDDEN:
            for one in chance.sample(own, SAMPLE // (1 if attack else 2)):
                yield made(one, hide(one.text, chance))
        harmless = [one for one in foreign if not one.attack and len(one.text) < 80]
        for one in chance.sample(own, SAMPLE):
            around = [other.text for other in chance.sample(harmless, 2)]
            yield made(one, f"{around[0]} {one.text} {around[1]}")


def made(one: Case, text: str) -> Case:
    return Case(
        text=text, attack=one.attack, source=one.source, lang=one.lang, hand=one.hand, group=one.group, plain=False
    )


HIDDEN = (
    lambda text, chance: base64.b64encode(text.encode()).decode(),
    lambda text, chance: "".join(f"{char}\u200b" for char in text),
    lambda text, chance: " ".join(text.replace(" ", "  ")) if text.isascii() else " ".join(text),
    lambda text, chance: text.translate(str.maketrans("oieas", "013@5")),
    lambda text, chance: f"<!-- {text} -->",
    lambda text, chance: json.dumps({"status": "ok", "note": text}, ensure_ascii=False),
    lambda text, chance: f"12:0{chance.randrange(10)}:11 INFO {text}",
    lambda text, chance: f"## Notes\n\n- {text}\n",
    lambda text, chance: text.upper(),
)


def sheet(chosen: list[Case]) -> Sheet:
    own, texts = [], []
    for at, case in enumerate(chosen):
        for start, end in passages(case.text) or [(0, len(case.text))]:
            for view in views(case.text[start:end]):
                own.append(at)
                texts.append(view)
    return Sheet(cases=chosen, own=np.array(own), words=words([list(features(one)) for one in texts]))


def words(texts: list[list[str]]) -> csr_matrix:
    """Rows of feature sets."""
    rows, columns, values = [], [], []
    for at, listed in enumerate(texts):
        found = set(listed)
        for one in found:
            rows.append(at)
            columns.append(place(one, BITS))
            values.append(evened(len(found)))
    return csr_matrix((values, (rows, columns)), shape=(len(texts), 1 << BITS))


def fit(of: Sheet, chosen: set[int]) -> Weights:
    """Learns of the chosen cases."""
    attack = np.array([of.cases[at].attack for at in of.own])
    mine = np.isin(of.own, list(chosen))
    last = {case: at for at, case in enumerate(of.own)}
    picked = [at for at in np.flatnonzero(mine) if not attack[at] or last[of.own[at]] == at]
    for _ in range(2):
        model = LogisticRegression(C=C, class_weight="balanced", max_iter=400, solver="liblinear")
        model.fit(of.words[picked], attack[picked])
        scores = model.decision_function(of.words)
        picked = surest(of, scores, attack & mine) + [int(at) for at in np.flatnonzero(mine & ~attack)]
    return Weights(words=model.coef_[0], bias=float(model.intercept_[0]))


def surest(of: Sheet, scores: Floats, mine: NDArray[np.bool_]) -> list[int]:
    best: dict[int, int] = {}
    for at in np.flatnonzero(mine):
        case = int(of.own[at])
        if case not in best or scores[at] > scores[best[case]]:
            best[case] = int(at)
    return list(best.values())


def totals(of: Sheet, weights: Weights) -> Floats:
    """For every case, what its surest passage adds up to."""
    most = np.full(len(of.cases), -LARGEST)
    np.maximum.at(most, of.own, of.words @ weights.words + weights.bias)
    return most


def held_out(of: Sheet) -> Floats:
    """Each case as judged by weights that saw neither it nor its counterpart nor a variant."""
    judged = np.zeros(len(of.cases))
    groups = [case.group for case in of.cases]
    for train, test in GroupKFold(FOLDS).split(groups, groups=groups):
        judged[test] = totals(of, fit(of, set(train.tolist())))[test]
    return 1 / (1 + np.exp(-judged))


def tell(of: Sheet, judged: Floats, name: str) -> None:
    for hand in HANDS:
        for lang in ("zh", "en"):
            mine = np.array([one.plain and one.hand == hand and one.lang == lang for one in of.cases])
            attack = np.array([one.attack for one in of.cases])
            shares = [(p, (judged[mine & attack] >= p).mean(), (judged[mine & ~attack] >= p).mean()) for p in POINTS]
            print(name, hand or "a, b", lang, *(f"at {p}: {c:.3f} {a:.3f};" for p, c, a in shares))
    said = np.array([one.hand == "talk" for one in of.cases])
    print(name, "talk", *(f"at {p}: {(judged[said] >= p).mean():.4f};" for p in POINTS))


def write(of: Sheet, weights: Weights) -> None:
    scale = float(np.abs(weights.words).max() / 127)
    (OUT / "injection.bin").write_bytes(np.round(weights.words / scale).astype(np.int8).tobytes())
    counts = {lang: sum(one.plain and one.lang == lang for one in of.cases) for lang in LANGUAGES}
    (OUT / "injection.toml").write_text(
        "# Whether a passage gives orders to an agent, by its words.\n"
        "# Made by training/injection.py from its own cases; Apache-2.0.\n"
        f"# {counts['zh']} zh and {counts['en']} en foreign texts, {len(of.cases)} with variants and talk.\n"
        f'labels = ["attack"]\nbits = {BITS}\neven = true\nscale = [{scale!r}]\nbias = [{weights.bias!r}]\n',
        encoding="utf-8",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    of = sheet([*variants(cases(), random.Random(SEED)), *talk()])
    if check:
        tell(of, held_out(of), "words")
        return
    write(of, fit(of, set(range(len(of.cases)))))
    print((OUT / "injection.toml").read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
