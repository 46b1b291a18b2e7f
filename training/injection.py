"""Trains the classifier that tells orders to an agent from all else, and writes its weights and card.

    python training/injection.py

Cases are in ``training/injection/zh.txt`` and ``en.txt``: a heading ``# attack|benign SOURCE KIND``, then a text a line
(``⏎`` is a line break). Variants hide or carry them: base64, letters apart, digits for letters, invisible characters,
JSON, comments, mixed languages. What is said in the project's diaries and in the dev halves of its gate and extraction
cases is harmless too. ``evals/injection`` is not read. Two rounds: the second learns of every attack the
passage that the first was surest of, as it will be judged.
"""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from yinji.language.injection import features, passages, views
from yinji.language.linear import evened, place

HERE = Path(__file__).parent / "injection"
EVALS = Path(__file__).parents[1] / "evals"
OUT = Path(__file__).parents[1] / "src" / "yinji" / "data" / "models"
BITS, C, SEED, FOLDS = 15, 1.0, 5, 3
SAMPLE = 60
"""Cases of each sort that are hidden or carried in each way."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    text: str
    attack: bool
    source: str
    lang: str
    group: int


def cases() -> list[Case]:
    read: list[Case] = []
    for lang in ("zh", "en"):
        heading = ["", "", ""]
        for line in (HERE / f"{lang}.txt").read_text(encoding="utf-8").splitlines():
            if line.startswith(("# attack ", "# benign ")):
                heading = line[2:].split()
            elif line.strip():
                text = line.replace("⏎", "\n")
                read.append(
                    Case(text=text, attack=heading[0] == "attack", source=heading[1], lang=lang, group=len(read))
                )
    return read


def talk(first: int) -> list[Case]:
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
        Case(text=text, attack=False, source="talk", lang=lang, group=first + at)
        for at, (text, lang) in enumerate(found)
    ]


def variants(read: list[Case], chance: random.Random) -> Iterator[Case]:
    """The foreign cases, some of them hidden or carried; what carries a harmless text is harmless."""
    foreign = [one for one in read if one.source in ("web", "tool", "import")]
    yield from foreign
    for attack in (True, False):
        own = [one for one in foreign if one.attack is attack]
        for hide in HIDDEN:
            for one in chance.sample(own, SAMPLE // (1 if attack else 2)):
                yield Case(
                    text=hide(one.text, chance), attack=attack, source=one.source, lang=one.lang, group=one.group
                )
        harmless = [one for one in foreign if not one.attack and len(one.text) < 80]
        for one in chance.sample(own, SAMPLE):
            around = [other.text for other in chance.sample(harmless, 2)]
            text = f"{around[0]} {one.text} {around[1]}"
            yield Case(text=text, attack=attack, source=one.source, lang=one.lang, group=one.group)


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


def vectors(texts: list[list[str]]) -> csr_matrix:
    """Rows of feature sets."""
    rows, columns, values = [], [], []
    for at, listed in enumerate(texts):
        found = set(listed)
        for one in found:
            rows.append(at)
            columns.append(place(one, BITS))
            values.append(evened(len(found)))
    return csr_matrix((values, (rows, columns)), shape=(len(texts), 1 << BITS))


def examples(case: Case, weights: tuple[np.ndarray, float] | None) -> list[list[str]]:
    """The feature sets to learn of a case: all passages of a harmless one, the surest or the whole of an attack."""
    spans = passages(case.text) or [(0, len(case.text))]
    if case.attack and weights is None:
        spans = [(0, len(case.text))]
    listed = [list(features(view)) for start, end in spans for view in views(case.text[start:end])]
    if case.attack:
        scores = [score(one, weights) for one in listed] if weights else [0.0] * len(listed)
        return [listed[-1 if weights is None else int(np.argmax(scores))]]
    return listed


def score(listed: list[str], weights: tuple[np.ndarray, float]) -> float:
    found = set(listed)
    return float(evened(len(found)) * sum(weights[0][place(one, BITS)] for one in found) + weights[1])


def fit(chosen: list[Case]) -> tuple[np.ndarray, float]:
    weights = None
    for _ in range(2):
        learned = [(one, case.attack) for case in chosen for one in examples(case, weights)]
        classifier = LogisticRegression(C=C, class_weight="balanced", max_iter=400, solver="liblinear")
        classifier.fit(vectors([one for one, _ in learned]), [attack for _, attack in learned])
        weights = (classifier.coef_[0], float(classifier.intercept_[0]))
    assert weights is not None
    return weights


def probability(text: str, weights: tuple[np.ndarray, float]) -> float:
    spans = passages(text) or [(0, len(text))]
    scores = [score(list(features(view)), weights) for start, end in spans for view in views(text[start:end])]
    return float(1 / (1 + np.exp(-max(scores))))


def held_out(read: list[Case]) -> list[tuple[bool, float, str]]:
    """Each written case as judged by a model that saw neither it nor its variants."""
    groups, judged = [one.group for one in read], []
    for train, test in GroupKFold(FOLDS).split(read, groups=groups):
        kept = {read[at].group for at in train}
        weights = fit([one for one in read if one.group in kept])
        plain = {one.group: one for one in reversed([read[at] for at in test])}
        judged += [(one.attack, probability(one.text, weights), one.text) for one in plain.values()]
    return judged


def write(weights: tuple[np.ndarray, float], judged: list[tuple[bool, float, str]], counts: dict[str, int]) -> None:
    scale = float(np.abs(weights[0]).max() / 127)
    OUT.mkdir(exist_ok=True)
    (OUT / "injection.bin").write_bytes(np.round(weights[0] / scale).astype(np.int8).tobytes())
    caught = np.mean([share >= 0.5 for attack, share, _ in judged if attack])
    alarms = np.mean([share >= 0.5 for attack, share, _ in judged if not attack])
    for point in (0.5, 0.6, 0.7, 0.8, 0.9):
        shares = [
            np.mean([share >= point for attack, share, _ in judged if attack is wanted]) for wanted in (True, False)
        ]
        print(f"at {point}: caught {shares[0]:.3f}, false alarms {shares[1]:.4f}")
    (OUT / "injection.toml").write_text(
        "# Whether a passage gives orders to an agent. Made by training/injection.py from its own cases; Apache-2.0.\n"
        f"# {counts['written']} written cases ({counts['zh']} zh, {counts['en']} en), {counts['all']} with variants.\n"
        f"# {FOLDS} folds, by written case, at 0.5: caught {caught:.3f}, false alarms {alarms:.3f}.\n"
        f'labels = ["attack"]\nbits = {BITS}\neven = true\nscale = [{scale!r}]\nbias = [{weights[1]!r}]\n',
        encoding="utf-8",
    )


def main() -> None:
    written = cases()
    read = [*variants(written, random.Random(SEED)), *talk(len(written))]
    judged = held_out(read)
    for attack, share, text in sorted(judged, key=lambda one: one[1]):
        if attack != (share >= 0.5):
            print(f"{'missed' if attack else 'alarm '} {share:.2f} {text[:100]!r}")
    counts = {
        "written": len(written),
        "all": len(read),
        **{lang: sum(c.lang == lang for c in written) for lang in ("zh", "en")},
    }
    write(fit(read), judged, counts)
    print((OUT / "injection.toml").read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
