"""How near documents are to a question, with the model that ships: a question finds its answer in either language."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from yinji import Memory, Settings
from yinji.build import memory as build
from yinji.filing.nearness import nearness
from yinji.ports import Embedder, Lens

NOTES = [
    "My cat Mochi needs her pills at eight",
    "The garage opens at nine on Mondays",
    "Ann prefers window seats on trains",
    "我周三下午不开会",
    "我家住在里斯本",
    "女儿诺拉今年五岁",
    "喜欢喝乌龙茶",
    "对花生过敏",
]


@pytest.fixture(scope="module")
def notes(e5: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    path = tmp_path_factory.mktemp("notes") / "memory.yinji"
    settings = Settings.load(environment={})
    opened = build(
        path, owner="me", key=None, settings=settings, clock=None, progress=None, readonly=False, embedder=e5
    )
    with opened as memory:
        for number, text in enumerate(NOTES):
            memory.documents("notes").put((), str(number), {"text": text}, fields=["text"])
        yield memory


@pytest.mark.req("S5", "R4")
@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("猫几点吃药？", 0),
        ("车库周一几点开门？", 1),
        ("坐火车喜欢靠窗吗？", 2),
        ("When is there no meeting?", 3),
        ("How old is my daughter?", 5),
        ("What tea do I like?", 6),
        ("我对什么过敏？", 7),
        ("When does the cat need her pills?", 0),
    ],
)
def test_a_question_finds_its_answer_in_either_language(notes: Memory, question: str, wanted: int) -> None:
    assert notes.documents("notes").search(question)[0].document.key == str(wanted)


@pytest.mark.req("S5")
def test_without_a_lens_it_is_the_cosine() -> None:
    vectors = np.eye(3, dtype=np.float32)
    bare = Lens(centres={}, weight=30.0)
    for lens in (None, bare):
        assert nearness(vectors[0], vectors, language="zh", lens=lens).tolist() == [1.0, 0.0, 0.0]
