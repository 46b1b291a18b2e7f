"""What is asked to be forgotten in everyday words, what only sounds like it, and what is left of it afterwards."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from yinji import Memory
from yinji.errors import InvalidInput
from yinji.model import Remembered, Validity


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "memory.yinji") as opened:
        yield opened


def said(memory: Memory, *texts: str) -> Remembered:
    """What became of the last of them; each is told in a session of its own."""
    return [memory.remember(text, session=str(at), wait=True) for at, text in enumerate(texts)][-1]


def kept(memory: Memory) -> list[str]:
    return [one.content for one in memory.list()]


def exported(memory: Memory) -> str:
    target = io.StringIO()
    memory.export(target)
    return target.getvalue()


@pytest.mark.req("W9", "F17")
@pytest.mark.parametrize(
    "texts",
    [
        ["我妈生日是5月3号", "别忘了我妈生日"],
        ["我周五要交房租", "可别把房租的事忘了"],
        ["我的备用钥匙在蓝碗里", "我老忘带备用钥匙"],
        ["我们去过一次敦煌", "我永远忘不了敦煌"],
        ["My mum's birthday is 3 May", "don't forget my mum's birthday"],
        ["My anniversary is 9 June", "I must not forget my anniversary"],
        ["My spare keys are in the blue bowl", "I always forget my spare keys"],
        ["My passport is in the top drawer", "my husband will forget where my passport is"],
    ],
)
def test_who_is_not_to_forget_takes_nothing_back(memory: Memory, texts: list[str]) -> None:
    last = said(memory, *texts)
    assert (last.superseded, last.warnings) == ((), ())


@pytest.mark.req("W2", "W9")
@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("千万别忘了我对花生过敏", "用户对花生过敏"),
        ("你可别忘了我不吃香菜", "用户不吃香菜"),
        ("don't forget my mum's birthday is 3 May", "The user's mum's birthday is 3 May"),
        ("never forget that I'm allergic to nuts", "The user is allergic to nuts"),
    ],
)
def test_what_is_not_to_be_forgotten_is_kept(memory: Memory, text: str, content: str) -> None:
    assert [one.content for one in said(memory, text).added] == [content]


@pytest.mark.req("W9", "F17")
@pytest.mark.parametrize(
    "texts",
    [
        ["我车牌浙A8K2M6，刚提的小鹏 P7", "把我说的车牌的事忘了吧"],
        ["我欠老张五万块", "欠老张的钱当我没说"],
        ["我的工资是两万三", "工资那条删了吧"],
        ["我在吃抗抑郁药", "抗抑郁药的事就别记了"],
        ["我周三去相亲", "麻烦把相亲的事忘掉"],
        ["My licence plate is AB12 CDE", "forget the plate"],
        ["My licence plate is AB12 CDE", "you can delete the licence plate"],
        ["I'm moving to Spain in spring", "can you forget what I said about Spain?"],
        ["I'm seeing a therapist on Mondays", "act like I never mentioned the therapist"],
        ["I have gout", "scrap what I told you about the gout"],
    ],
)
def test_everyday_words_are_enough_to_have_something_forgotten(memory: Memory, texts: list[str]) -> None:
    last = said(memory, *texts)
    assert {one.validity for one in last.superseded} == {Validity.RETRACTED}
    assert kept(memory) == []


@pytest.mark.req("W9", "F17")
@pytest.mark.parametrize(
    "texts",
    [
        ["我妈也在吃降压药", "把血糖的事忘了吧"],
        ["我妹妹也有乙肝", "忘掉我的乙肝"],
        ["My sister gets panic attacks", "forget my panic attacks"],
        ["I like jazz", "forget the opera tickets"],
        ["I like jazz", "pretend I never told you about the opera"],
    ],
)
def test_where_nothing_is_found_that_is_said(memory: Memory, texts: list[str]) -> None:
    last = said(memory, *texts)
    assert "not_forgotten:" in last.warnings
    assert len(kept(memory)) == 1


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    "texts",
    [
        ["My tests run in CI", "delete the branch"],
        ["I work on the parser", "remove the unused imports"],
        ["我爸不吃辣", "我爸让我别记仇"],
        ["我在写毕业论文", "把论文第三段删掉"],
    ],
)
def test_other_requests_take_nothing_back(memory: Memory, texts: list[str]) -> None:
    last = said(memory, *texts)
    assert (last.superseded, last.warnings) == ((), ())


@pytest.mark.req("W9", "F17")
def test_all_that_was_told_of_a_thing_is_forgotten(memory: Memory) -> None:
    last = said(
        memory,
        "字节面试挂了，二面算法没写出来",
        "约了字节的面试，下周三下午",
        "我在准备考研",
        "把我说的字节面试的事忘了吧，丢人",
    )
    assert len(last.superseded) == 2
    assert kept(memory) == ["用户在准备考研"]
    last = said(
        memory, "I failed the Shell interview", "I have another interview at Shell", "forget the Shell interview"
    )
    assert len(last.superseded) == 2


@pytest.mark.req("W9", "F17")
@pytest.mark.parametrize(
    ("texts", "left"),
    [
        pytest.param(
            ["我体检查出乙肝", "我妹妹也有乙肝", "我说的乙肝的事别记了"],
            "用户的妹妹也有乙肝",
            marks=pytest.mark.xfail(
                reason="the tuned layers see the sister's taken back, too, since they were tuned anew"
            ),
        ),
        (["我在学法语", "我同事小周也在学法语", "把我学法语的事忘了吧"], "用户的同事小周也在学法语"),
        (
            [
                "I had two panic attacks last month",
                "My sister gets panic attacks too",
                "forget what I told you about my panic attacks",
            ],
            "The user's sister gets panic attacks too",
        ),
        (
            ["I take insulin", "My brother takes insulin", "forget my brother's insulin"],
            "The user takes insulin",
        ),
    ],
)
def test_what_is_forgotten_is_of_whom_was_said(memory: Memory, texts: list[str], left: str) -> None:
    assert said(memory, *texts).superseded
    assert kept(memory) == [left]


@pytest.mark.req("W9", "F17", "O9")
@pytest.mark.parametrize(
    ("texts", "word"),
    [
        (["我有惊恐发作", "把我说的惊恐发作忘了吧"], "惊恐"),
        (["I had two panic attacks in May", "forget what I told you about the panic attacks"], "panic"),
    ],
)
def test_what_was_forgotten_is_out_of_the_past_and_of_the_export_and_can_be_brought_back(
    memory: Memory, texts: list[str], word: str
) -> None:
    said(memory, *texts)
    assert word not in exported(memory)
    assert not [one for one in memory.list(validity=None) if word in one.content]
    assert not memory.recall(word, past=True).hits
    memory.undo()
    assert word in exported(memory)
    assert [one.validity for one in memory.list()] == [Validity.CURRENT]


@pytest.mark.req("F17")
@pytest.mark.parametrize(
    "texts", [["我不爱吃甜的", "把那个柜子密码忘了吧"], ["I like jazz", "forget the locker combination"]]
)
def test_undo_takes_nothing_else_back_where_nothing_was_forgotten(memory: Memory, texts: list[str]) -> None:
    said(memory, *texts)
    before = kept(memory)
    with pytest.raises(InvalidInput, match="nothing was forgotten"):
        memory.undo()
    assert kept(memory) == before
