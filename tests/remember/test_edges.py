"""The words that are put in for a pronoun: where they begin, and when somebody is believed to be the only one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from yinji.ports import Pointed, Span
from yinji.remember.resolve import resolve
from yinji.remember.resolve_rank import Refer


def pointing(chances: Mapping[str, float], nothing: float = 0.0) -> Refer:
    """Layers that point to these words, where they were said last."""

    def refer(messages: Sequence[str], assistant: Sequence[bool], pronoun: Span) -> Pointed | None:
        found = []
        for words, chance in chances.items():
            number = max(at for at, one in enumerate(messages) if words in one)
            start = messages[number].rfind(words)
            found.append(((number, start, start + len(words)), chance))
        return Pointed(phrases=tuple(found), nothing=nothing)

    return refer


def meant(text: str, before: Sequence[str], refer: Refer) -> str | None:
    return resolve(text, before, language="en" if text.isascii() else "zh", refer=refer)[0].antecedent


@pytest.mark.req("W4")
@pytest.mark.parametrize(
    ("before", "text", "pointed", "told"),
    [
        ("去年养了只寄居蟹", "它爱换壳", "只寄居蟹", "寄居蟹"),
        ("买了台咖啡机", "它太吵", "台咖啡机", "咖啡机"),
        ("那把伞是我姐的", "她上周丢的", "是我姐", "我姐"),
        ("楼下修鞋的老许不收微信", "他六十了", "的老许", "老许"),
        ("给我爸买了二胡", "他天天拉", "爸", "我爸"),
        ("改玩咖啡拉花了", "它真难", "咖啡拉花", "咖啡拉花"),
        ("gave my dad a fiddle", "he plays it daily", "dad", "my dad"),
        ("our aunt rang", "she is moving", "aunt", "our aunt"),
        ("my sister Ann lives with Bob", "she is forty", "sister Ann", "my sister Ann"),
        ("the army dad show is on", "he is funny", "dad", "dad"),
    ],
)
def test_a_phrase_begins_where_its_name_does_and_a_relative_has_the_user_before_it(
    before: str, text: str, pointed: str, told: str
) -> None:
    assert meant(text, [before], pointing({pointed: 0.99})) == told


@pytest.mark.req("W4")
def test_the_beginning_of_somebodys_name_is_nobody_else() -> None:
    refer = pointing({"司马老师": 0.6, "司马": 0.35})
    assert meant("听说他搬去海南养老了", ["司马老师退休了"], refer) == "司马老师"


@pytest.mark.req("W4")
@pytest.mark.parametrize(
    ("before", "text", "elsewhere"),
    [
        (["user: 推拿师傅四十来岁", "assistant: 手法如何？"], "隔壁老王也去了，他手劲大", "推拿师傅"),
        (["user: two cleaners, Wanda and Zofia", "assistant: Happy?"], "my uncle rang, she is late", "Wanda"),
    ],
)
def test_the_only_person_is_not_put_in_where_the_layers_point_to_others(
    before: list[str], text: str, elsewhere: str
) -> None:
    assert meant(text, before, pointing({elsewhere: 0.5}, nothing=0.4)) is None


@pytest.mark.req("W4")
@pytest.mark.parametrize(
    ("said", "text", "pointed", "told"),
    [
        ("好孩子的折叠车 899 元，昆塔斯的 1280 元。", "前者能上飞机吗", "折叠车", "好孩子的折叠车"),
        ("老李的方案 800 元，小周的 900 元。", "前者好", "方案", "老李的方案"),
    ],
)
def test_what_tells_an_item_of_a_list_from_the_others_belongs_to_it(
    said: str, text: str, pointed: str, told: str
) -> None:
    assert meant(text, ["user: 帮我看看这两个", f"assistant: {said}"], pointing({pointed: 0.9})) == told


@pytest.mark.req("W4")
@pytest.mark.parametrize(
    ("before", "text", "told"),
    [
        ("老师说可以竞选演讲，也可以同学投票", "定了后者", "同学投票"),
        ("要么坐高铁，要么开车", "我选第一个", "坐高铁"),
        ("we could rent a van, or hire movers", "the latter is easier", "hire movers"),
        ("either the blue sofa or the grey armchair", "the former is cheaper", "the blue sofa"),
    ],
)
def test_what_may_be_done_instead_is_a_list_of_two(before: str, text: str, told: str) -> None:
    assert meant(text, [before], pointing({told: 0.6})) == told


@pytest.mark.req("W4")
def test_what_two_people_may_do_is_no_list() -> None:
    assert meant("第一个是谁", ["我可以去，你可以留下"], pointing({}, nothing=0.9)) is None
