"""Corrections, changes and what a turn asks to forget."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import count
from pathlib import Path
from uuid import UUID

import pytest

from tests.remember.cases import AT, SETTINGS, contents, turn
from yinji import Memory
from yinji.adapters.catalogue import load_embedder
from yinji.adapters.sqlite import open_store
from yinji.config import Settings
from yinji.model import HOLDS, Validity
from yinji.ports import Store
from yinji.remember.pipeline import read_turns

HASHING = load_embedder("hashing")
After = Callable[..., dict[str, Validity]]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "memory.yinji") as opened:
        yield opened


@pytest.fixture
def after(store: Store) -> After:
    """What is kept, and whether it still holds, after texts were said a day apart."""
    ids = count(1)

    def run(*texts: str) -> dict[str, Validity]:
        assert HASHING.card is not None
        store.set_model(HASHING.card.id, HASHING.card.dim)
        turns = [turn(text, seq=seq, at=AT + timedelta(days=seq)) for seq, text in enumerate(texts, 1)]
        accepted = [one.turn for one in store.accept(turns)]
        outcomes = read_turns(
            accepted,
            store=store,
            embedder=HASHING,
            now=AT + timedelta(days=90),
            settings=SETTINGS,
            new_id=lambda: str(UUID(int=next(ids))),
        )
        for outcome in outcomes:
            store.commit(outcome)
        return {one.content: one.validity for one in store.iterate("me")}

    return run


@pytest.mark.req("W9", "F18")
@pytest.mark.parametrize(
    ("said", "gone", "left"),
    [
        (
            ["我首付打算凑四十万", "不对，上次说错了，首付不是四十万，是三十六万"],
            "用户的首付打算凑四十万",
            "首付是三十六万",
        ),
        (["我周四要去看牙", "不对，我说错了，是周五"], "用户2026年3月5日要去看牙", "用户2026年3月6日要去看牙"),
        (["我开二号线", "我换到四号线了"], "用户开二号线", "用户换到四号线了"),
        (["我每周三上瑜伽课", "瑜伽课改到周五了"], "用户每周三上瑜伽课", "瑜伽课改到周五了"),
        (["我在学吉他", "吉他不学了，没时间"], "用户在学吉他", "吉他不学了，没时间"),
        (
            ["I'm saving for a deposit, forty thousand", "I meant thirty-six thousand, not forty"],
            "The user is saving for a deposit, forty thousand",
            "The user is saving for a deposit, thirty-six thousand",
        ),
        (
            ["I take glucosamine for my knees", "Doctor took me off the glucosamine"],
            "The user takes glucosamine for the user's knees",
            "Doctor took the user off the glucosamine",
        ),
        (
            ["The kitchen budget is 8,000", "The kitchen budget went up to 9,500"],
            "The kitchen budget is 8,000",
            "The kitchen budget went up to 9,500",
        ),
        (
            ["I have a gym membership at Flyefit", "I cancelled my gym membership"],
            "The user has a gym membership at Flyefit",
            "The user cancelled the user's gym membership",
        ),
    ],
)
def test_a_correction_or_change_retires_what_it_is_about(after: After, said: list[str], gone: str, left: str) -> None:
    kept = after(*said)
    assert (kept[gone], kept[left]) == (Validity.SUPERSEDED, Validity.CURRENT)


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    "said",
    [
        ["我在招商银行做柜员", "我的大学室友在上海做产品经理"],
        ["我开了一家面馆", "隔壁老王的店关门了"],
        ["我喜欢爬山", "我喜欢游泳"],
        ["我对花生过敏", "我对芒果也过敏"],
        ["I work at Aviva", "My flatmate Ruth works at Google"],
        ["My shop is on Capel Street", "Dave's shop on Capel Street closed down"],
        ["My aunt Bea lives in Whitby", "My aunt Dot lives in Filey"],
        ["I have a son called Finn", "I have a daughter called Orla"],
        ["My daughter's birthday is 12 March", "My daughter's birthday is 21 March"],
        ["We're going to Lisbon in June for a week", "We moved last week"],
        ["我们六月去京都玩五天", "我们上周搬家了"],
    ],
)
def test_what_may_still_be_so_stays(after: After, said: list[str]) -> None:
    kept = after(*said)
    assert len(kept) == 2
    assert set(kept.values()) <= HOLDS


@pytest.mark.req("W9", "F17")
@pytest.mark.parametrize(
    ("said", "gone"),
    [
        (["我体重75公斤", "忘掉我的体重"], "用户的体重75公斤"),
        (["我住在杭州", "忘掉我住哪儿"], "用户住在杭州"),
        (["I weigh 75 kilos", "forget my weight"], "The user weighs 75 kilos"),
        (["I live in Oslo", "forget where I live"], "The user lives in Oslo"),
        (
            ["I'm going to run 5k every morning", "I have a cat", "forget what I said about the running plan"],
            "The user is going to run 5k every morning",
        ),
        (["我打算学大提琴", "我在医院上班", "忘了我之前说的大提琴的事吧，太贵了"], "用户打算学大提琴"),
    ],
)
def test_what_is_to_be_forgotten_is_retracted(after: After, said: list[str], gone: str) -> None:
    assert after(*said)[gone] is Validity.RETRACTED


@pytest.mark.req("W9", "F17")
@pytest.mark.parametrize(
    ("said", "told"),
    [
        (["我养了一只猫", "忘了我说的那个柜子密码吧"], True),
        (["我住在杭州", "忘掉我住哪儿"], False),
        (["I like walking the dog", "forget what I said about the walking holiday"], True),
        (["I live in Oslo", "forget where I live"], False),
    ],
)
def test_where_it_is_not_clear_what_is_to_be_forgotten_that_is_said(
    tmp_path: Path, said: list[str], told: bool
) -> None:
    with Memory.open(tmp_path / "memory.yinji") as memory:
        last = [memory.remember(text, wait=True) for text in said][-1]
    assert ("not_forgotten:" in last.warnings) is told
    assert bool(last.superseded) is not told


@pytest.mark.req("W9")
@pytest.mark.parametrize("said", [["我对花生过敏", "忘了带钥匙"], ["I like football", "I forgot my keys"]])
def test_having_forgotten_something_takes_nothing_back(after: After, said: list[str]) -> None:
    assert Validity.RETRACTED not in after(*said).values()


@pytest.mark.req("W4", "W5")
@pytest.mark.parametrize(
    ("asked", "said", "content"),
    [
        ("你住在哪儿？", "苏州", "用户住在苏州"),
        ("你吃辣吗？", "不吃", "用户不吃辣"),
        ("您平时喝茶还是咖啡？", "茶，龙井", "用户平时喝茶，龙井"),
        ("Where do you live?", "Cork", "The user lives in Cork"),
        ("Do you eat meat?", "no, never", "The user never eats meat"),
        ("Do you have any pets?", "Yes, two cats", "The user has two cats"),
    ],
)
def test_a_short_answer_is_told_with_its_question(asked: str, said: str, content: str) -> None:
    from yinji.remember.extract import extract

    drafts, _ = extract(turn(said, seq=2), [turn("嗯", seq=1, assistant=asked)], SETTINGS.remember)
    assert [draft.content for draft in drafts] == [content]


@pytest.mark.req("W4", "F28")
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("您现在方便说话吗？", "方便，你说"),
        ("文件要导出成哪种格式？", "这份导成pdf"),
        ("Is now a good time?", "sure, shoot"),
        ("Option A or option B?", "B"),
    ],
)
def test_an_answer_about_the_task_at_hand_is_nothing(asked: str, said: str) -> None:
    from yinji.remember.extract import extract

    assert extract(turn(said, seq=2), [turn("嗯", seq=1, assistant=asked)], SETTINGS.remember)[0] == []


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("I listen to the Thursday show on Lyric", "The user listens to the Thursday show on Lyric"),
        ("The kids love Pancake Tuesday", "The kids love Pancake Tuesday"),
        ("I need to finish the report by Friday", "The user needs to finish the report by 6 March 2026"),
        ("Dad's 80th is on 9 May", "The user's dad's 80th is on 9 May 2026"),
        ("I have choir on Tuesdays", "The user has choir on Tuesdays"),
        ("周四的节目我一般都会录下来", "周四的节目用户一般都会录下来"),
        ("我每周二去游泳", "用户每周二去游泳"),
        ("我们乐队周四排练", "用户的乐队2026年3月5日排练"),
    ],
)
def test_a_day_that_tells_things_apart_keeps_its_words_and_a_date_its_grammar(text: str, content: str) -> None:
    assert contents(text) == [content]


@pytest.mark.req("W7")
def test_a_friend_called_like_a_solar_term_is_no_date() -> None:
    (told,) = contents("小满给我寄了一箱橘子")
    assert "小满" in told


@pytest.mark.req("W2", "F28")
@pytest.mark.parametrize(
    "text",
    [
        "帮我翻译：“我是一名教师，住在伦敦，有两个孩子。”",
        "我是秦始皇，打钱",
        "你刚才说的那个办法挺好",
        'Translate: "I am a teacher, I live in Lyon and I have two children."',
        "I am the Prince of Nigeria, send money",
        "What you said about the soup was great",
    ],
)
def test_pasted_texts_jokes_and_remarks_on_the_conversation_are_nothing(text: str) -> None:
    assert contents(text) == []


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("下周二到周四我去深圳出差", "2026年3月10日到2026年3月12日"),
        ("I'm in Rome from Tuesday to Thursday next week", "from 10 March 2026 to 12 March 2026"),
    ],
)
def test_both_ends_of_a_range_of_days_are_written_out(said: str, told: str, memory: Memory) -> None:
    (kept,) = memory.remember(said, wait=True).added
    assert told in kept.content


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    "texts",
    [
        [f"我今天在阳台种了第{number}盆花，花了{number * 3 + 5}块" for number in range(2, 6)],
        [f"I bought plant number {number} for the balcony on floor {number}" for number in range(1, 5)],
    ],
)
def test_what_happens_once_more_contradicts_nothing(texts: list[str], tmp_path: Path) -> None:
    with Memory.open(tmp_path / "again.yinji", settings=Settings.load(environment={})) as memory:
        for text in texts:
            memory.remember(text, wait=True)
        assert not memory.questions()
        assert all(one.validity is not Validity.DISPUTED for one in memory.list(validity=None))


@pytest.mark.req("W9")
@pytest.mark.parametrize(("said", "denied"), [("我会游泳", "我不会游泳"), ("I can swim", "I can't swim")])
def test_what_denies_the_same_is_asked_about(said: str, denied: str, tmp_path: Path) -> None:
    with Memory.open(tmp_path / "denied.yinji", settings=Settings.load(environment={})) as memory:
        memory.remember(said, wait=True)
        memory.remember(denied, wait=True)
        assert len(memory.questions()) == 1
        assert {one.validity for one in memory.list(validity=None)} == {Validity.DISPUTED}
