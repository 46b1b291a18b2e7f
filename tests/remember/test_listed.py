"""What "the second one", "the latter", "option B", "both" pick out of what was set side by side (SPEC W4)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from yinji import Memory
from yinji.remember.resolve import put_in, resolve


def picked(text: str, *before: str) -> str | None:
    language = "zh" if any(one > "\u2e7f" for one in "".join((*before, text))) else "en"
    return next((one.antecedent for one in resolve(text, before, language=language) if one.antecedent), None)


@pytest.mark.req("W4")
@pytest.mark.parametrize(
    ("before", "text", "meant"),
    [
        ("assistant: 1. 快轨，35 块 2. 大巴，20 块 3. 打车，约 120", "赶时间，第一个吧", "快轨"),
        ("assistant: ① 太阳晒 ② 加白醋再漂一遍 ③ 送干洗店", "试试第二个办法", "加白醋再漂一遍"),
        ("assistant: 一、手竿；二、海竿；三、路亚竿", "第三种贵不贵", "路亚竿"),
        ("assistant: 一是提前还贷，二是买理财", "后者算了", "买理财"),
        ("医保：A 职工 B 居民 C 灵活就业", "最后一个怎么交", "灵活就业"),
        ("A 方案发红包，B 方案发水果", "老板偏要前者", "发红包"),
        ("套餐一99元20G，套餐二129元40G", "流量不够，选第二个吧", "套餐二"),
        ("孩子送来三样，一支笔、一块橡皮、一个挂件", "最喜欢第二样", "橡皮"),
        ("assistant: 1. Boots 2. Greenleaf 3. Wellcare", "the second one is on my way", "Greenleaf"),
        ("assistant: a) a whip b) a beachcaster c) a lure rod", "I want distance, the second", "a beachcaster"),
        ("two offers: A is a bank, B is a startup", "mum says take the former", "a bank"),
        ("assistant: First, a whip. Second, a beachcaster. Third, a lure rod.", "the second then", "a beachcaster"),
        ("Plan A takes three weeks and plan B takes five", "the client picked the latter", "plan B"),
        (
            "assistant: Option one: fjords in May. Option two: Canaries in November.",
            "the first, I think",
            "fjords in May",
        ),
    ],
)
def test_what_is_numbered_or_lettered_is_picked_by_its_place(before: str, text: str, meant: str) -> None:
    assert picked(text, before) == meant


@pytest.mark.req("W4")
@pytest.mark.parametrize(
    ("before", "text", "meant"),
    [
        ("三家幼儿园：蓝天、童话、小橡树", "最后一家外教多", "小橡树"),
        ("窗帘盒、石膏线、筒灯，先装哪个", "那先弄第一样", "窗帘盒"),
        ("密室、卡丁车还是飞盘", "中间那个吧", "卡丁车"),
        ("在学Go还是学Rust之间纠结", "我选后者", "Rust"),
        ("同事推荐两个驾校，东风和顺达", "报后面那个", "顺达"),
        ("网名就在“一碗白粥”和“山前有雨”里选", "就第二个吧，听着有文化", "山前有雨"),
        ("周末片：《海街日记》《步履不停》《小森林》", "最后一部吧", "《小森林》"),
        ("选修课有陶艺、击剑、机器人、合唱", "后两门还有名额", "机器人、合唱"),
        ("三个仓管岗位，前台、仓管、客服", "第一个行吗", "前台"),
        ("microwave, oven or air fryer", "keep the last", "air fryer"),
        ("three nurseries: Acorns, Little Feet, Bluebells", "reviews for the last one", "Bluebells"),
        ("Which font: Garamond, Futura or Papyrus", "the middle one", "Futura"),
        ("two films tonight, Amelie or Chocolat?", "the second", "Chocolat"),
        ("weighing FastAPI against Flask", "I know the former already", "FastAPI"),
        ("soups: leek, tomato, chorizo", "the last two have meat", "tomato, chorizo"),
        ("cruise or camping?", "the latter please", "camping"),
    ],
)
def test_what_is_joined_by_words_or_commas_is_picked_by_its_place(before: str, text: str, meant: str) -> None:
    assert picked(text, before) == meant


@pytest.mark.req("W4")
@pytest.mark.parametrize(
    ("before", "text", "meant"),
    [
        ("给新房选窗帘，A 亚麻的，B 绒布的，C 百叶", "客厅我要B，吸光", "绒布的"),
        ("assistant: 1、去科技馆 2、在家做披萨 3、公园捡落叶", "3不花钱", "公园捡落叶"),
        (
            "layout? Plan A: raised beds. Plan B: one big plot. Plan C: wildflowers",
            "my knees say plan A",
            "raised beds",
        ),
        (
            "assistant: a) bug hotels b) salt dough badges c) newspaper bridges",
            "no oven there so b is out",
            "salt dough badges",
        ),
        ("assistant: 1. blot with cold water 2. cover with salt", "did step 1, it's pink", "blot with cold water"),
    ],
)
def test_a_mark_stands_for_what_stood_behind_it(before: str, text: str, meant: str) -> None:
    assert picked(text, before) == meant


@pytest.mark.req("W4")
@pytest.mark.parametrize(
    ("before", "text", "meant"),
    [
        (["去大理还是去西双版纳呢", "assistant: 西双版纳热，大理凉快。"], "那就后者", "大理"),
        (["清油还是牛油", "assistant: 清油清爽还是牛油香，看口味"], "前者吧", "清油"),
        (["三家房东：老周、老吴、老郑", "assistant: 您更在意交通还是安静？"], "第三家太远", "老郑"),
        (["vim or emacs", "assistant: Speed or comfort?"], "the former", "vim"),
    ],
)
def test_a_remark_on_a_list_is_not_the_list(before: list[str], text: str, meant: str) -> None:
    assert picked(text, *before) == meant


@pytest.mark.req("W4")
@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("要不要换个空调", "还是第一个吧"),
        ("窗帘：A 亚麻的，B 绒布的", "我在吃维生素B"),
        ("蓝天、童话、小橡树三家都看了", "前者太远"),
        ("1. 快轨 2. 大巴", "第三个呢"),
        ("明天团建，坐大巴还是地铁", "谁第一个到谁占座"),
        ("上次去大理还是丽江来着", "第一次去的时候下雨了"),
        ("assistant: 1. blot it 2. salt it", "step 4 says rinse"),
        ("tea, coffee or chocolate", "the former is cold"),
        ("red or blue", "saw him the other day"),
        ("cats or dogs", "it was the first time I laughed"),
        ("need a new kettle", "the second one please"),
    ],
)
def test_where_nothing_stands_at_that_place_it_is_left_alone(before: str, text: str) -> None:
    assert picked(text, before) is None


@pytest.mark.req("W4")
def test_what_a_list_says_takes_the_place_of_the_ordinal_in_what_is_kept() -> None:
    assert put_in("我选后者", ["在学Go还是学Rust之间纠结"], "zh") == "我选Rust"
    assert put_in("I picked the latter", ["cruise or camping?"], "en") == "I picked camping"
    assert put_in("客厅定了B", ["窗帘：A 亚麻的，B 绒布的"], "zh") == "客厅定了绒布的"
    assert put_in("第二个孩子上幼儿园了", ["三个孩子：大宝、二宝、三宝"], "zh") == "第二个孩子上幼儿园了"


@pytest.mark.req("W4")
@pytest.mark.parametrize(
    ("before", "message", "told"),
    [
        ("在纠结学Go还是学Rust", "最后我选了后者，已经看完一本书", "选了Rust"),
        ("two job offers: Stripe in Dublin or Spotify in Stockholm", "I accepted the second one", "accepted Spotify"),
    ],
)
def test_a_memory_says_what_was_chosen(
    open_memory: Callable[..., Memory], before: str, message: str, told: str
) -> None:
    memory = open_memory()
    memory.remember(before, session="talk", wait=True)
    kept = memory.remember(message, session="talk", wait=True)
    assert any(told in one.content for one in kept.added), [one.content for one in kept.added]
