"""Whether a text gives orders to whoever reads it as an agent, and where (SPEC W16).

Signs from ``data/injection.toml`` and a small classifier over words judge each passage, as it stands and as it reads
with what hides it taken away: invisible characters, spelling apart, digits for letters, base64, reversal. The user's
own words are never attacks; what the user hands over is read as what it is, a text from elsewhere.
"""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

from yinji import shipped
from yinji.language.linear import model, runs
from yinji.language.script import simplify
from yinji.language.text import sentences
from yinji.model import Role

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from yinji.ports import Vector

See = Callable[[Sequence[str]], "Sequence[Vector | None]"]
"""The vectors of passages, or none of those that cannot be had."""

UNLIKELY = 0.2
"""Probability by the words alone below which a passage is not looked at with the model."""
SHOWN = 200
"""Characters of a passage that the model is shown."""
LOOKED_AT = 32
"""Passages of one text, at most, that the model is shown."""
MARKS = frozenset(
    {
        "addressee",
        "addressed",
        "override",
        "fake_system",
        "standing",
        "secret",
        "secrecy",
        "of_user",
        "memory",
        "poison",
        "danger",
        "role_play",
        "hidden",
        "decoded",
    }
)
"""Signs of which an order to an agent has at least one; the others only weigh."""
UNSIGNED = 0.95
"""Probability from which a passage without any of them is one all the same."""
WHOLE = 400
"""Characters up to which a text is also judged as a whole."""
LONGEST = 20_000
"""Characters that are judged; orders further down are beyond what is read."""
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\U000e0000-\U000e007f]")
_BASE64 = re.compile(r"[A-Za-z0-9+/]{16,}={0,2}")
_SPACED = re.compile(r"(?:\b\w[ .\-_]{1,6}){4,}\w\b")
_SPACED_HAN = re.compile("(?:[\u4e00-\u9fff][ .\\-_*|]){3,}[\u4e00-\u9fff]")
_LEET = re.compile(r"\b(?=\w*[a-z])(?=\w*[013457@$])[a-z013457@$]{3,}\b")
_LETTERS = str.maketrans("013457@$", "oieastas")
_LOOK_ALIKE = str.maketrans("\u0430\u0435\u043e\u0440\u0441\u0445\u0443\u0456\u03bf\u03b1", "aeopcxyioa")


@dataclass(frozen=True, kw_only=True, slots=True)
class Attack:
    """A passage that addresses an agent: where it stands, how sure that is, and what shows it."""

    start: int
    end: int
    share: float
    signs: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Passage:
    """One reading of a passage, and how sure it is that it gives orders."""

    start: int
    end: int
    view: str
    share: float


def attacks(text: str, role: Role, *, point: float, see: See | None = None) -> tuple[Attack, ...]:
    """The passages of a text from that source that give orders to an agent, in order.

    ``point``: the probability from which a passage is one. ``see`` gives vectors of the default embedder; without it,
    or where it gives none, words alone decide.
    """
    if role is Role.ASSISTANT:
        return tuple(_adopted(text))
    if role is not Role.USER:
        return _in_foreign(text[:LONGEST], point, see)
    return tuple(one for span in _handed_over(text) if (one := _stretch(text, span, point, see)) is not None)


def _stretch(text: str, span: tuple[int, int], point: float, see: See | None) -> Attack | None:
    """The whole of what was handed over, when something in it is an attack: none of it is the user's own."""
    surest = max(_in_foreign(text[slice(*span)], point, see), key=lambda one: one.share, default=None)
    return surest and replace(surest, start=span[0], end=span[1])


def _in_foreign(text: str, point: float, see: See | None) -> tuple[Attack, ...]:
    weigh = model("injection")["attack"].probability
    read = [
        Passage(start=start, end=end, view=view, share=weigh(features(view)))
        for start, end in passages(text)
        for view in views(text[start:end])
    ]
    surest: dict[tuple[int, int], Passage] = {}
    for one in _seen(read, see):
        if one.share >= point and one.share > surest.get((one.start, one.end), NOTHING).share and _tells(one):
            surest[(one.start, one.end)] = one
    found = [Attack(start=one.start, end=one.end, share=one.share, signs=signs(one.view)) for one in surest.values()]
    single = [one for one in found if not any(_within(other, one) for other in found if other is not one)]
    return tuple(sorted(single, key=lambda one: one.start))


NOTHING = Passage(start=0, end=0, view="", share=0.0)


def _seen(read: list[Passage], see: See | None) -> list[Passage]:
    """Judged by words and vector where words alone leave it open; the likeliest, if there are many."""
    likely = sorted((one for one in read if one.share >= UNLIKELY), key=lambda one: -one.share)[:LOOKED_AT]
    if see is None or not likely:
        return read
    judged = {id(one): one for one in read}
    for one, vector in zip(likely, see([readable(one.view) for one in likely]), strict=True):
        if vector is not None:
            besides = float(vector @ _vector_weights())
            share = model("injection")["seen"].probability(features(one.view), besides=besides)
            judged[id(one)] = replace(one, share=share)
    return list(judged.values())


def _tells(one: Passage) -> bool:
    """Whether a passage shows what orders to an agent show, or is beyond doubt."""
    return one.share >= UNSIGNED or bool(MARKS & {*signs(one.view)})


@cache
def _vector_weights() -> NDArray[Any]:
    return shipped.arrays("models/injection.npz")["weights"]


def _within(inner: Attack, outer: Attack) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def passages(text: str) -> list[tuple[int, int]]:
    """What is judged by itself: every sentence, every two in a row, and a short text as a whole."""
    single = sentences(text)
    spans = dict.fromkeys([*single, *((one[0], two[1]) for one, two in pairwise(single))])
    if single and len(text) <= WHOLE:
        spans[(single[0][0], single[-1][1])] = None
    return list(spans)


def readable(view: str) -> str:
    """What a model is shown of a view."""
    return view.removeprefix(DECODED)[:SHOWN]


# ---------------------------------------------------------------- what it says


def features(view: str) -> Iterator[str]:
    """What the classifier weighs of a passage: its words, its signs, and which signs come together."""
    seen = signs(view)
    yield from runs(view)
    yield from (f"sign {one}" for one in seen)
    yield from (f"signs {one} {two}" for one, two in combinations(seen, 2))


def signs(view: str) -> tuple[str, ...]:
    text = simplify(view).lower()
    found = [name for name, pattern in _patterns("signs").items() if pattern.search(text)]
    return (*found, *(["decoded"] if view.startswith(DECODED) else []))


DECODED = "\u2192 "
"""How a view begins that had to be decoded."""


def views(passage: str) -> Iterator[str]:
    """The passage as it reads, and as it reads once what hides its words is taken away."""
    plain = unicodedata.normalize("NFKC", passage)
    yield plain
    bare = _INVISIBLE.sub("", plain).translate(_LOOK_ALIKE)
    joined = _SPACED_HAN.sub(_joined, _SPACED.sub(_joined, bare))
    if joined != plain:
        yield DECODED + joined
    if (read := _LEET.sub(lambda one: one[0].translate(_LETTERS), joined.lower())) != joined.lower():
        yield DECODED + read
    yield from (DECODED + text for text in _decoded(bare))
    if bare.isprintable() and signs(bare) and "hidden" in signs(bare):
        yield DECODED + bare[::-1]


def _joined(spelled: re.Match[str]) -> str:
    words = re.split(r"\s{2,}", spelled[0])
    return " ".join(re.sub(r"[ .\-_*|]", "", word) for word in words)


def _decoded(text: str) -> Iterator[str]:
    for run in _BASE64.findall(text):
        try:
            plain = base64.b64decode(run + "=" * (-len(run) % 4)).decode("utf-8")
        except (binascii.Error, UnicodeDecodeError):
            continue
        if plain.isprintable():
            yield plain


# ---------------------------------------------------------------- who said it


def _handed_over(text: str) -> Iterator[tuple[int, int]]:
    """The stretches of a user's message that are somebody else's text."""
    said: list[tuple[int, int]] = []
    for pattern in _pasted():
        said += [found.span("said") for found in pattern.finditer(text)]
    for start, end in said:
        own = f"{text[:start]} {text[end:]}"
        if not _patterns("user")["about"].search(simplify(own).lower()):
            yield start, end


def _adopted(text: str) -> Iterator[Attack]:
    """Where an assistant takes an order that it read for its own rule."""
    told = simplify(text).lower()
    words = _patterns("assistant")
    if words["read"].search(told) and words["adopts"].search(told) and not words["unless"].search(told):
        yield Attack(start=0, end=len(text), share=1.0, signs=("adopts",))


def floor(text: str) -> bool:
    """The trivial rule, which the eval sets beside this one."""
    return bool(_patterns("floor")["words"].search(simplify(text).lower()))


@cache
def _patterns(section: str) -> Mapping[str, re.Pattern[str]]:
    return {name: re.compile("|".join(rows)) for name, rows in _data()[section].items() if name != "pasted"}


@cache
def _pasted() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(one, re.DOTALL) for one in _data()["user"]["pasted"])


@cache
def _data() -> Mapping[str, Mapping[str, list[str]]]:
    return shipped.toml("injection.toml")
