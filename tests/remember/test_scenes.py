"""Each memory is labelled with its scenes; a sentence that spans scenes gives one memory for each (SPEC W11)."""

from collections.abc import Callable

import pytest

from yinji import Memory, Settings
from yinji.errors import ConfigError


@pytest.mark.req("W11")
@pytest.mark.parametrize(
    ("said", "scene"),
    [
        ("我在银行做客户经理", "work"),
        ("我对花生过敏", "life"),
        ("我喜欢周末去爬山", "leisure"),
        ("I work as an accountant at a bank.", "work"),
        ("I'm allergic to peanuts.", "life"),
        ("I love hiking at the weekend.", "leisure"),
    ],
)
def test_a_memory_is_labelled_and_found_by_its_scene(said: str, scene: str, memory: Memory) -> None:
    kept = memory.remember(said, wait=True).added
    assert [one.scenes for one in kept] == [(scene,)]
    assert [hit.memory.id for hit in memory.recall(said, scenes=[scene])] == [kept[0].id]
    others = {"work", "life", "leisure"} - {scene}
    assert not memory.recall(said, scenes=others)


@pytest.mark.req("W11", "W5")
@pytest.mark.parametrize(
    "said",
    ["我在公司负责发票报销，我家养了两只猫", "I manage invoices for a company and I have two cats at home."],
)
def test_a_sentence_that_spans_scenes_is_one_memory_for_each(said: str, memory: Memory) -> None:
    kept = memory.remember(said, wait=True).added
    assert sorted(one.scenes for one in kept) == [("life",), ("work",)]
    assert all(said[one.sources[0].start : one.sources[0].end] == one.sources[0].quote for one in kept)


@pytest.mark.req("W11")
@pytest.mark.parametrize(
    ("said", "defined", "name"),
    [
        ("我的论文导师是何教授", "论文：论文 导师 章节；合唱：合唱 排练", "论文"),
        ("My thesis supervisor is Professor Hall.", "thesis: thesis supervisor; choir: choir rehearsals", "thesis"),
    ],
)
def test_scenes_of_the_users_own_are_defined_by_name_and_words(
    said: str, defined: str, name: str, open_memory: Callable[..., Memory], hashing: Settings
) -> None:
    memory = open_memory("own.yinji", settings=hashing.with_values("remember", {"scenes": defined}))
    (kept,) = memory.remember(said, wait=True).added
    assert name in kept.scenes
    assert memory.recall(said, scenes=[name])


@pytest.mark.req("W11", "P3")
def test_scenes_in_settings_are_text(hashing: Settings) -> None:
    with pytest.raises(ConfigError):
        hashing.with_values("remember", {"scenes": 3})


@pytest.mark.req("W11", "O5")
@pytest.mark.parametrize("said", ["我对花生过敏", "I'm allergic to peanuts."])
def test_the_user_may_give_other_scenes(said: str, memory: Memory) -> None:
    kept = memory.remember(said, wait=True).added[0]
    assert memory.edit(kept.id, scenes=["work", "canteen"]).scenes == ("work", "canteen")
    assert memory.recall(said, scenes=["canteen"])


@pytest.mark.req("W11")
def test_an_amount_is_not_cut_in_two(memory: Memory) -> None:
    said = "home is a narrowboat called Kittiwake, moored in Bristol Marina, six hundred and twelve quid a month"
    kept = memory.remember(said, wait=True).added
    assert any("six hundred and twelve quid" in one.content for one in kept)
