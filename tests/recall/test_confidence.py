"""Nothing is said where the best of what was found is unlikely to answer (SPEC R2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from tests.recall.test_rank import LIFE_EN, LIFE_ZH
from yinji import Memory, Settings
from yinji.model import Fate
from yinji.recall.confidence import FEATURES, Confidence, confidence

STRICT = Settings.load(environment={})
MODEL = "multilingual-e5-small-q4"
MORE_ZH = [f"用户在{city}住过{n}年" for n, city in enumerate(("武汉", "长沙", "昆明", "大理", "青岛", "西安"), 2)]
MORE_EN = [
    f"The user spent {n} years in {city}" for n, city in enumerate(("Leeds", "Porto", "Cork", "Turin", "Graz"), 2)
]
LIFE = [*LIFE_ZH, *LIFE_EN, *MORE_ZH, *MORE_EN]


def with_strictness(share: float) -> Settings:
    return replace(STRICT, recall=replace(STRICT.recall, strictness=share), embed=replace(STRICT.embed, model="none"))


@pytest.mark.req("R2", "D2")
@pytest.mark.parametrize("model", [MODEL, None])
def test_the_model_that_ships_weighs_known_features_alone_and_is_rising(model: str | None) -> None:
    made = confidence(model)
    assert made is not None
    assert set(made.weights) <= set(FEATURES)
    risks, points = zip(*made.points, strict=True)
    assert list(risks) == sorted(risks)
    assert list(points) == sorted(points)
    assert (risks[0], risks[-1]) == (0, 1)


@pytest.mark.req("R2")
def test_vectors_of_a_model_that_it_does_not_know_are_not_judged() -> None:
    assert confidence("another-model") is None


@pytest.mark.req("R2")
def test_the_point_lies_between_those_that_were_measured() -> None:
    made = Confidence(bias=0, weights={}, points=[(0, 0), (0.1, 0.2), (1, 1)])
    assert made.point(0.05) == pytest.approx(0.1)
    assert made.point(0.55) == pytest.approx(0.6)
    assert made.point(1.0) == 1.0


@pytest.mark.req("R2")
@pytest.mark.parametrize(
    ("answered", "never"),
    [
        ("我的猫年糕几岁了？", "裁缝给阿黛尔的裙子收了多少钱？"),
        ("Who is the user's landlord?", "What did the tailor charge Adele?"),
    ],
)
def test_what_was_never_said_is_answered_with_nothing_and_what_was_said_still_is(
    answered: str, never: str, open_memory: Callable[..., Memory]
) -> None:
    memory = open_memory(settings=with_strictness(0.05))
    memory.import_([{"content": one} for one in LIFE])
    assert memory.recall(answered)
    assert not memory.recall(never)


TOLD_ZH = ["用户对青霉素过敏", "用户的女儿小豆的生日是三月二号", "段鹏跑长途货车"]
TOLD_EN = ["The user is allergic to penicillin", "Maya was born on 2 March", "Dan drives a lorry"]


@pytest.mark.req("R2")
@pytest.mark.parametrize(
    ("told", "question", "answered"),
    [
        (TOLD_ZH, "我的车牌号是多少？", False),
        (TOLD_ZH, "我是什么血型？", False),
        (TOLD_ZH, "段鹏对什么过敏？", False),
        (TOLD_ZH, "我对什么过敏？", True),
        (TOLD_ZH, "小豆的生日是哪天？", True),
        (TOLD_ZH, "给小豆准备什么生日礼物好？", True),
        (["用户的母亲爱听戏，爱吃烙馍", "段鹏跑长途货车"], "我妈过生日，带她吃什么？", True),
        (["用户的母亲爱听戏，爱吃烙馍", "段鹏跑长途货车"], "我妈几号过生日？", False),
        (TOLD_EN, "What is my number plate?", False),
        (TOLD_EN, "What blood type am I?", False),
        (TOLD_EN, "What is Dan allergic to?", False),
        (TOLD_EN, "What am I allergic to?", True),
        (TOLD_EN, "When is Maya's birthday?", True),
        (TOLD_EN, "What is a good birthday present for Maya?", True),
        (["Maya eats no pork", "Dan drives a lorry"], "Cooking for Maya's birthday, what won't she eat?", True),
        (["Maya eats no pork", "Dan drives a lorry"], "What day is Maya's birthday?", False),
    ],
)
def test_an_attribute_that_no_memory_tells_is_not_known_however_few_there_are(
    told: Sequence[str], question: str, answered: bool, open_memory: Callable[..., Memory]
) -> None:
    memory = open_memory(settings=with_strictness(0.01))
    memory.import_([{"content": one} for one in told])
    assert bool(memory.recall(question)) is answered
    everything = open_memory(settings=with_strictness(0.0))
    everything.import_([{"content": one} for one in told])
    assert bool(everything.recall(question)) >= answered


@pytest.mark.req("R2")
@pytest.mark.parametrize(
    ("told", "question", "answered"),
    [
        ("用户是O型血", "我妹妹是什么血型？", False),
        ("用户的妹妹是A型血", "我妹妹是什么血型？", True),
        ("用户的妹妹是A型血", "我是什么血型？", False),
        ("用户的生日是五月三日", "我妈妈的生日是哪天？", False),
        ("用户五月三日给母亲过生日", "我妈妈的生日是哪天？", True),
        ("用户的电话是座机", "房东的电话是多少？", False),
        ("医生说用户对花生过敏", "我对什么过敏？", True),
        ("用户的妈妈说用户对花生过敏", "我对什么过敏？", True),
        ("用户的儿子对花生过敏", "我对什么过敏？", False),
        ("小宝吃鸡蛋会过敏", "我儿子对什么过敏？", True),
        ("The user is blood type O", "What is my sister's blood type?", False),
        ("The user's sister is blood type A", "What is my sister's blood type?", True),
        ("The user's sister is blood type A", "What is my blood type?", False),
        ("The user's birthday is 3 May", "When is Mum's birthday?", False),
        ("The user baked their mother a birthday cake on 3 May", "When is Mum's birthday?", True),
        ("The user's phone number is a landline", "What is my landlord's phone number?", False),
        ("The user's mother says the user is allergic to nuts", "What am I allergic to?", True),
        ("The user's son is allergic to nuts", "What am I allergic to?", False),
        ("Aoife is allergic to nuts", "What is my daughter allergic to?", True),
    ],
)
def test_what_is_known_of_one_is_not_told_of_another(
    told: str, question: str, answered: bool, open_memory: Callable[..., Memory]
) -> None:
    memory = open_memory(settings=with_strictness(0.01))
    memory.import_([{"content": told}])
    assert bool(memory.recall(question)) is answered


@pytest.mark.req("R2", "R10")
@pytest.mark.parametrize(
    ("question", "said"),
    [("用户的护照什么时候到期？", "什么都没说"), ("When is the user's recital?", "nothing is said")],
)
def test_a_strictness_of_all_says_nothing_and_of_none_says_what_it_has(
    question: str, said: str, open_memory: Callable[..., Memory]
) -> None:
    memory = open_memory(settings=with_strictness(1.0))
    memory.import_([{"content": one} for one in LIFE])
    assert not memory.recall(question)
    (first, *_) = memory.recall(question, trace=True).trace
    why = memory.why(question, first.memory.id)
    assert (why.fate, why.stage) == (Fate.DOUBTED, "judge")
    assert said in str(why)
    open_to_all = open_memory(settings=with_strictness(0.0))
    open_to_all.import_([{"content": one} for one in LIFE])
    assert open_to_all.recall(question)


@pytest.mark.req("R2")
@pytest.mark.parametrize("told", [LIFE_ZH[:3], LIFE_EN[:3]])
def test_of_few_memories_none_is_doubted(told: Sequence[str], open_memory: Callable[..., Memory]) -> None:
    memory = open_memory(settings=with_strictness(1.0))
    memory.import_([{"content": one} for one in told])
    assert memory.recall(told[0])
