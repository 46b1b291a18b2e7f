"""Trains the classifier that tells what a value is by the words around it, and writes its weights and card.

    python training/told.py [--check]

It learns from sentences with slots in ``training/told/*.txt``, from the dev half of ``evals/sensitive`` and, as
examples of what is neither, from what people say in the public conversations under ``YINJI_EVAL_DATA`` and in half
of the project's own lives and messages, where no word for a lock or a code stands by. Values are drawn anew for each
sentence. ``--check`` writes nothing and says what is found in each lot of ``evals/sensitive`` by
weights that have not seen it, and what is taken in the other half of the lives.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import string
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from yinji.language.linear import place
from yinji.language.sensitive import find
from yinji.language.sensitive_told import features, values

HERE = Path(__file__).parent / "told"
DATA = Path(__file__).parent / "data"
EVALS = Path(__file__).parents[1] / "evals" / "sensitive"
OUT = Path(__file__).parents[1] / "src" / "yinji" / "data" / "models"
LABELS = ("secret", "otp")
KINDS = {
    **dict.fromkeys(("pin", "pw", "key", "combo", "two", "num3"), "secret"),
    **dict.fromkeys(("six", "backup", "caps6"), "otp"),
}
"""What the slots of a sentence hold; the others hold what is neither."""
BITS, C, SEED, DRAWN = 14, 2.0, 7, 24
OTHERS = 30_000
"""Values of public conversations, at most, that are learnt from."""
HELD = "held lives"
WITHOUT_LABELS = ("written", "public", "lives")
_OPENS = re.compile(
    r"pass(?:word|code|phrase)|\bpin\b|\bcodes?\b|\bcomb|lock|alarm|\bsafe\b|wi-?fi|key ?pad|secret|token|\bpwd?\b"
    r"|drive is|starts with|[\u7801\u9501\u4ee4\u67dc\u7981]|\u6697\u53f7|\u5c0f\u7a0b\u5e8f"
)
"""What may speak of a lock or a code: what stands beside it may be a secret, so it is not learned from."""
_CHOICE = re.compile(r"\{([^{}]*)\}")
_SLOT = re.compile(r"<([a-z]+)>")

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, slots=True)
class Example:
    features: frozenset[str]
    label: str
    lot: str
    weight: float = 1.0


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    examples = [*written(), *labelled(), *others(), *(one for one in lives() if one.lot != HELD)]
    if parser.parse_args().check:
        check(examples)
        return
    save([trained(examples, label) for label in LABELS], examples)


# ----------------------------------------------------------------- examples


def written() -> Iterator[Example]:
    """Sentences with slots, each drawn some times."""
    rng = random.Random(SEED)
    for path in sorted(HERE.glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                for _ in range(DRAWN):
                    yield from drawn(line, rng)


def drawn(line: str, rng: random.Random) -> Iterator[Example]:
    while _CHOICE.search(line):
        line = _CHOICE.sub(lambda found: rng.choice(found[1].split("|")), line)
    text, slots, at = "", {}, 0
    for slot in _SLOT.finditer(line):
        text += line[at : slot.start()]
        value = MADE[slot[1]](rng)
        slots[len(text), len(text) + len(value)] = KINDS.get(slot[1], "none")
        text, at = text + value, slot.end()
    text += line[at:]
    for start, end in values(text):
        if label := slots.get((start, end)):
            yield Example(features=frozenset(features(text, start, end)), label=label, lot="written", weight=0.5)


def labelled() -> Iterator[Example]:
    """The dev half of the labelled cases."""
    for path in sorted(EVALS.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["split"] == "dev":
                yield from of_case(row)


def of_case(row: dict[str, object]) -> Iterator[Example]:
    text, spans = str(row["text"]), row["spans"]
    assert isinstance(spans, list)
    parts = str(row["id"]).split("-")
    for start, end in values(text):
        label, touched = "none", [one for one in spans if start < one["end"] and one["start"] < end]
        if any(one.get("optional") or one["type"] not in (*LABELS, "none") for one in touched):
            continue
        if exact := [one for one in touched if (one["start"], one["end"]) == (start, end)]:
            label = exact[0]["type"]
        elif any(one["type"] in LABELS for one in touched):
            continue
        yield Example(
            features=frozenset(features(text, start, end)),
            label=label,
            lot=f"{row['lang']} {parts[2] if len(parts) > 3 else 'first'}",
            weight=2.0,
        )


def others() -> Iterator[Example]:
    """Values of public conversations that no rule takes: neither a secret nor a code."""
    rng, found = random.Random(SEED), []
    for path in sorted(Path(os.environ["YINJI_EVAL_DATA"]).glob("*/**/*.jsonl")):
        if "time" not in path.parts:
            said = list(dict.fromkeys(spoken(path)))
            rng.shuffle(said)
            found += said[:6000]
    rng.shuffle(found)
    count = 0
    for text in found:
        free = [one for one in values(text) if not any(one[0] < s.end and s.start < one[1] for s in find(text))]
        for start, end in free[:6]:
            count += 1
            yield Example(features=frozenset(features(text, start, end)), label="none", lot="public")
        if count > OTHERS:
            return


def lives() -> Iterator[Example]:
    """Values of invented lives and messages in which nothing speaks of locks and codes; every other text is held."""
    for text in lines_of_lives():
        if _OPENS.search(text):
            continue
        lot = HELD if zlib.crc32(text.encode()) % 2 else "lives"
        for start, end in values(text):
            yield Example(features=frozenset(features(text, start, end)), label="none", lot=lot)


def lines_of_lives() -> Iterator[str]:
    for language in ("zh", "en"):
        for sort in ("worlds", "dialogues"):
            for line in (DATA / sort / f"{language}.txt").read_text(encoding="utf-8").splitlines():
                told = line.partition(" ")[2]
                yield told.rpartition(" |")[0] or told
        for line in (DATA / "gate" / f"{language}.jsonl").read_text(encoding="utf-8").splitlines():
            yield json.loads(line)["text"]


def spoken(path: Path) -> Iterator[str]:
    for line in path.read_text(encoding="utf-8").splitlines()[:40000]:
        text = json.loads(line).get("text")
        if isinstance(text, str) and any(sign.isdigit() for sign in text):
            yield text[:1500]


# ------------------------------------------------------------------- values


def number(rng: random.Random, *sizes: int) -> str:
    return "".join(rng.choices(string.digits, k=rng.choice(sizes)))


def pin(rng: random.Random) -> str:
    made = number(rng, 4, 4, 4, 4, 5, 6, 6, 6, 3, 8)
    return rng.choice((made, made, made, made, made + "#", "*" + made + "#", "#" + made, rng.choice("ABC") + made[:4]))


def password(rng: random.Random) -> str:
    word = "".join(rng.choice("bcdfglmnprstz") + rng.choice("aeiou") for _ in range(rng.randint(2, 4)))
    other = "".join(rng.choice("bcdfglmnprstz") + rng.choice("aeiou") for _ in range(rng.randint(2, 3)))
    sign, count = rng.choice("!@#$%&*_-."), number(rng, 1, 2, 2, 3, 4, 4, 8)
    shapes = (
        f"{word}{count}",
        f"{word.title()}{count}",
        f"{word.title()}{sign}{count}",
        f"{word}{sign}{count}",
        f"{word.title()}{count}!",
        f"{word.title()}{other.title()}{sign}{count}",
        f"{word}{other.title()}{count}",
        f"{word}_{other}",
        f"{word}_{other}_{count}",
        f"{word.title()}-{other.title()}-{count}",
        f"{word.title()}.{other.title()}.{count}",
        f"{word[:2]}{count}{other.upper()[:2]}{sign}{number(rng, 2)}",
        f"{count}{word}",
        f"{number(rng, 4)}{word.title()}!",
        number(rng, 6, 8),
        f"{word[:1].upper()}{number(rng, 1)}{word[1:]}{sign}{other[:2]}{number(rng, 1)}",
    )
    return rng.choice(shapes)


def six(rng: random.Random) -> str:
    made = number(rng, 6)
    letters = "".join(rng.choices(string.ascii_uppercase + string.digits, k=rng.choice((4, 5)))) + "7"
    choices = (
        made,
        made,
        made,
        made,
        number(rng, 4),
        number(rng, 5, 8),
        letters,
        f"{made[:3]} {made[3:]}",
        f"{made[:3]}-{made[3:]}",
    )
    return rng.choice((*choices, f"G-{made}", letters))


MODELS = (
    *("WH-1000XM5", "RTX4090", "iPhone15", "Mate60", "X1C", "PS5", "M3", "GTX-1080", "A7R5", "Model3", "RX-78", "C919"),
    *("i9-13900K", "Mi14", "S24Ultra", "Pixel8", "EOS-R6", "AirPods2", "Switch2", "KindleP5", "ES300h", "K40", "V15"),
)


def user(rng: random.Random) -> str:
    word = "".join(rng.choice("bcdfglmnprstz") + rng.choice("aeiou") for _ in range(rng.randint(2, 4)))
    return rng.choice(
        (
            f"{word}{number(rng, 2, 3, 4)}",
            f"{word}_{number(rng, 2)}",
            f"{word.title()}_5G",
            f"{word.title()}{number(rng, 2)}",
            f"x_{word}_x",
        )
    )


def part(rng: random.Random) -> str:
    return rng.choice(string.ascii_uppercase) + rng.choice(("", "A", "X", "-")) + number(rng, 3, 4, 5)


def serial(rng: random.Random) -> str:
    capitals = "".join(rng.choices(string.ascii_uppercase + string.digits, k=rng.choice((8, 10, 12)))) + "7"
    return rng.choice((capitals, f"wx{''.join(rng.choices('0123456789abcdef', k=16))}"))


MADE = {
    "pin": pin,
    "pw": password,
    "six": six,
    "num": lambda rng: number(rng, 3, 4, 4, 4, 5, 6),
    "model": lambda rng: rng.choice(MODELS),
    "user": user,
    "part": part,
    "big": lambda rng: number(rng, 6, 7, 8),
    "date": lambda rng: f"{rng.randint(1950, 2024)}{rng.randint(1, 12):02}{rng.randint(1, 28):02}",
    "web": lambda rng: f"www.{password(rng)[:5].lower().strip('!@#$%&*_-.')}.com",
    "caps": lambda rng: "".join(rng.choices("ABCDEFGHJKLMNPQRSTUVWXYZ23456789", k=rng.choice((4, 4, 5)))),
    "caps6": lambda rng: "".join(rng.choices("ABCDEFGHJKLMNPQRSTUVWXYZ23456789", k=4)) + rng.choice(("7M", "4", "K9")),
    "serial": serial,
    "year": lambda rng: str(rng.randint(1950, 2026)),
    "small": lambda rng: str(rng.randint(2, 31)),
    "two": lambda rng: str(rng.randint(10, 60)),
    "num3": lambda rng: number(rng, 3, 3, 4),
    "combo": lambda rng: "-".join(str(rng.randint(1, 60)) for _ in range(3)),
    "key": lambda rng: "".join(rng.choices(string.ascii_letters + string.digits, k=rng.choice((20, 24, 32, 40)))),
    "backup": lambda rng: f"{number(rng, 4)}-{number(rng, 4)}",
    "hash": lambda rng: "".join(rng.choices("0123456789abcdef", k=7)),
    "coupon": lambda rng: rng.choice(("SAVE", "SPRING", "HELLO", "VIP", "NEW")) + number(rng, 2, 2, 3),
    "file": lambda rng: rng.choice(
        ("report_v2.pdf", "IMG_2041.jpg", "notes-2024.md", "main_3.py", "data_01.csv", "final_v3.docx")
    ),
    "ver": lambda rng: f"{rng.choice(('v', 'V', ''))}{rng.randint(1, 20)}.{rng.randint(0, 30)}.{rng.randint(0, 9)}",
}


# ------------------------------------------------------------------ weights


def matrix(examples: Sequence[Example]) -> csr_matrix:
    rows: list[int] = []
    columns: list[int] = []
    for at, one in enumerate(examples):
        places = {place(feature, BITS) for feature in one.features}
        rows += [at] * len(places)
        columns += places
    return csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(len(examples), 1 << BITS))


def trained(examples: Sequence[Example], label: str, x: csr_matrix | None = None) -> tuple[Floats, float]:
    right = np.array([one.label == label for one in examples])
    weights = np.array([one.weight for one in examples])
    fitted = LogisticRegression(C=C, max_iter=400, solver="liblinear", random_state=SEED)
    fitted.fit(matrix(examples) if x is None else x, right, sample_weight=weights)
    return fitted.coef_[0], float(fitted.intercept_[0])


def save(both: Sequence[tuple[Floats, float]], examples: Sequence[Example]) -> None:
    scales = [float(np.abs(weights).max()) / 127 for weights, _ in both]
    signed = [
        np.round(weights / scale).astype(np.int8).tobytes() for (weights, _), scale in zip(both, scales, strict=True)
    ]
    (OUT / "told.bin").write_bytes(b"".join(signed))
    counts = ", ".join(f"{sum(one.lot == lot for one in examples)} {lot}" for lot in WITHOUT_LABELS)
    card = (
        "# Whether a value is a secret or a code to log in with, by its shape and the words around it.\n"
        f"# Made by training/told.py from {len(examples)} values ({counts}); Apache-2.0.\n"
        f"labels = {json.dumps(LABELS)}\nbits = {BITS}\nscale = {scales}\nbias = {[bias for _, bias in both]}\n"
    )
    (OUT / "told.toml").write_text(card, encoding="utf-8")


# -------------------------------------------------------------------- check


def check(examples: Sequence[Example]) -> None:
    """What is found in each lot by weights from all the others, at some thresholds."""
    lots = sorted({one.lot for one in examples if one.lot not in WITHOUT_LABELS})
    x = matrix(examples)
    for name in sorted({lot.split()[1] for lot in lots}):
        seen = np.array([one.lot.split()[-1] != name for one in examples])
        learnt = [
            trained([one for one, use in zip(examples, seen, strict=True) if use], label, x[seen]) for label in LABELS
        ]
        for lang in ("zh", "en"):
            report(f"{lang} {name}", examples, x, learnt)
    held = [one for one in lives() if one.lot == HELD]
    report(HELD, held, matrix(held), [trained(examples, label, x) for label in LABELS])


def report(lot: str, examples: Sequence[Example], x: csr_matrix, learnt: Sequence[tuple[Floats, float]]) -> None:
    rows = [at for at, one in enumerate(examples) if one.lot == lot]
    if not rows:
        return
    sure = np.stack([1 / (1 + np.exp(-(x[rows] @ weights + bias))) for weights, bias in learnt], axis=1)
    truth = np.array([LABELS.index(examples[at].label) if examples[at].label in LABELS else -1 for at in rows])
    for least in (0.5, 0.7, 0.8, 0.9, 0.95):
        said = np.where(sure.max(axis=1) >= least, sure.argmax(axis=1), -1)
        hit = int(((said == truth) & (truth >= 0)).sum())
        print(lot, least, f"{hit}/{(truth >= 0).sum()} found, {hit}/{(said >= 0).sum()} right")


if __name__ == "__main__":
    main()
