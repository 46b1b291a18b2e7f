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

from yinji import shipped
from yinji.language.linear import model, runs, squashed
from yinji.language.script import simplify
from yinji.language.text import HAN, sentences
from yinji.model import Role

Read = Callable[[Sequence[str]], Sequence[float] | None]
"""What layers tuned to it tell of texts, before the logistic function; None where there are no such layers."""

UNLIKELY = 0.05
"""Probability by the words alone below which a passage is not read."""
READ = 32
"""Stretches of one text, at most, that are read."""
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
UNSIGNED = 0.9
"""Probability from which a passage without any of them is one all the same."""
SIGHT = 110
"""Tokens that the tuned layers read at once."""
TOKENS_A_HAN, TOKENS_A_LETTER = 0.7, 0.28
"""How many tokens of multilingual-e5-small a character is on average."""
WHOLE = 400
"""Characters up to which a text is also judged as a whole."""
LONGEST = 20_000
"""Characters that are judged; orders further down are beyond what is read."""
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\U000e0000-\U000e007f]")
_HAN = re.compile(f"[{HAN}]")
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
    words: float
    """What its words add up to."""
    share: float


def attacks(text: str, role: Role, *, point: float, read: Read | None = None) -> tuple[Attack, ...]:
    """The passages of a text from that source that give orders to an agent, in order.

    ``point``: the probability from which a passage is one. ``read``: the embedder's tuned layers; without them words
    alone decide.
    """
    if role is Role.ASSISTANT:
        return tuple(_adopted(text))
    if role is not Role.USER:
        return _in_foreign(text[:LONGEST], point, read)
    return tuple(one for span in _handed_over(text) if (one := _stretch(text, span, point, read)) is not None)


def _stretch(text: str, span: tuple[int, int], point: float, read: Read | None) -> Attack | None:
    """The whole of what was handed over, when something in it is an attack: none of it is the user's own."""
    surest = max(_in_foreign(text[slice(*span)], point, read), key=lambda one: one.share, default=None)
    return surest and replace(surest, start=span[0], end=span[1])


def _in_foreign(text: str, point: float, read: Read | None) -> tuple[Attack, ...]:
    by_words = model("injection")["attack"]
    judged = [
        Passage(start=start, end=end, view=view, words=(total := by_words.total(features(view))), share=squashed(total))
        for start, end in passages(text)
        for view in views(text[start:end])
    ]
    surest: dict[tuple[int, int], Passage] = {}
    for one in _reading(text, judged, read) if read else judged:
        known = surest.get((one.start, one.end))
        if one.share >= point and (known is None or one.share > known.share) and _tells(one):
            surest[(one.start, one.end)] = one
    found = [Attack(start=one.start, end=one.end, share=one.share, signs=signs(one.view)) for one in surest.values()]
    single = [one for one in found if not any(_within(other, one) for other in found if other is not one)]
    return tuple(sorted(single, key=lambda one: one.start))


def _reading(text: str, judged: list[Passage], read: Read) -> list[Passage]:
    """What words alone leave open, judged by what is read of it, too; the likeliest, if there is much."""
    likely = sorted((one for one in judged if one.share >= UNLIKELY), key=lambda one: -one.share)
    spans = stretches(text) if likely else []
    shown = {id(one): _shown(text, spans, one) for one in likely}
    texts = [*dict.fromkeys(part for parts in shown.values() for part in parts)][:READ]
    scores = read(texts) if texts else None
    if scores is None:
        return judged
    told = dict(zip(texts, scores, strict=True))

    def weighed(one: Passage) -> Passage:
        own = [told[part] for part in shown.get(id(one), ()) if part in told]
        return replace(one, share=_together(one.words, max(own))) if own else one

    return [weighed(one) for one in judged]


def _shown(text: str, spans: Sequence[tuple[int, int]], one: Passage) -> list[str]:
    """The stretches of the text that a passage is read in; of what had to be decoded, its own."""
    if one.view.startswith(DECODED):
        plain = readable(one.view)
        return [plain[start:end] for start, end in stretches(plain)]
    return [text[start:end] for start, end in spans if start < one.end and one.start < end]


def _together(words: float, read: float) -> float:
    """The probability by what words and reading add up to (``training/orders.md``)."""
    weights = _weights()
    return squashed(weights["offset"] + weights["words"] * words + weights["read"] * read)


@cache
def _weights() -> Mapping[str, float]:
    return shipped.toml("models/orders.toml")


def _tells(one: Passage) -> bool:
    """Whether a passage shows what orders to an agent show, or is beyond doubt."""
    return one.share >= UNSIGNED or bool(MARKS & {*signs(one.view)})


def _within(inner: Attack, outer: Attack) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def passages(text: str) -> list[tuple[int, int]]:
    """What is judged by itself: every sentence, every two in a row, and a short text as a whole."""
    single = sentences(text)
    spans = dict.fromkeys([*single, *((one[0], two[1]) for one, two in pairwise(single))])
    if single and len(text) <= WHOLE:
        spans[(single[0][0], single[-1][1])] = None
    return list(spans)


def stretches(text: str) -> list[tuple[int, int]]:
    """What the tuned layers read at once: sentences in a row, as many as they have in sight; the next stretch begins in
    the middle of the one before."""
    spans = [piece for span in sentences(text) for piece in _in_sight(text, span)] or [(0, len(text))]
    found, first = list[tuple[int, int]](), 0
    while first < len(spans):
        last = first
        while last + 1 < len(spans) and _length(text[spans[first][0] : spans[last + 1][1]]) <= SIGHT:
            last += 1
        found.append((spans[first][0], spans[last][1]))
        if last + 1 == len(spans):
            break
        first = max(first + 1, (first + last + 1) // 2)
    return found


def _in_sight(text: str, span: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """A sentence, or what is in sight of one without end."""
    start, end = span
    most = max(1, int(SIGHT * (end - start) / max(_length(text[start:end]), 1.0)))
    yield from ((at, min(at + most, end)) for at in range(start, end, most))


def _length(text: str) -> float:
    """About how many tokens it has."""
    han = len(_HAN.findall(text))
    return TOKENS_A_HAN * han + TOKENS_A_LETTER * (len(text) - han)


def readable(view: str) -> str:
    """A view without the sign that it was decoded."""
    return view.removeprefix(DECODED)


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
