"""What is said in one breath, without marks, in dialect or by voice, is told apart and told of the right person."""

from __future__ import annotations

import pytest

from tests.remember.cases import read
from yinji.model import Modality, Polarity


@pytest.mark.req("W3", "W6")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("我开出租十五年了现在身体不行只跑白班", ["用户开出租十五年了", "用户现在身体不行只跑白班"]),
        ("上个月把车贷还清了下个月打算换手机", ["还清", "换手机"]),
        ("我妈有糖尿病能不能吃西瓜", ["用户的妈有糖尿病"]),
        ("i've been a baker for ten years now i want to open my own place", ["baker", "own place"]),
        ("just finished my degree last month cant find a job", ["degree", "job"]),
        ("I have coeliac disease so no bread no pasta", ["coeliac", "o bread"]),
    ],
)
def test_statements_that_run_together_are_told_apart(text: str, told: list[str]) -> None:
    drafts, _ = read(text)
    assert len(drafts) == len(told)
    assert all(part in one.content for part, one in zip(told, drafts, strict=True))


@pytest.mark.req("W3")
@pytest.mark.parametrize(
    "text",
    [
        "我觉得我妈现在比以前开朗多了",
        "我昨天在楼下超市买的牛奶今天已经坏了",
        "我爸妈都不会用智能手机",
        "the woman who does my nails moved here from Hanoi",
        "Once my daughter starts nursery I'm going back to work",
        "I never thought that my brother was going to make it to university",
    ],
)
def test_what_is_one_statement_stays_one(text: str) -> None:
    assert len(read(text)[0]) == 1


@pytest.mark.req("W2", "W6")
@pytest.mark.parametrize(
    ("text", "subject", "told"),
    [
        ("喂你好，那个我女儿今年上初一", "用户的女儿", "用户的女儿"),
        ("我跟你讲哦我侄女考上护校了", "用户的侄女", "用户的侄女考上护校了"),
        ("许一诺昨天跟我说他要去广州上班", "许一诺", "许一诺"),
        ("听我舅说他们厂要搬到外地去", "用户的舅", "搬到外地"),
        ("阿拉囡囡在交大读书", "用户的囡囡", "交大"),
        ("okay so the thing is my landlord sold the flat", "the user's landlord", "sold the flat"),
        ("me nan's from Barnsley", "the user's nan", "Barnsley"),
        ("nobody told me my form tutor is Mr Okoye now", "the user's form tutor", "Okoye"),
    ],
)
def test_openings_and_dialect_do_not_hide_whom_it_is_about(text: str, subject: str, told: str) -> None:
    (one,) = read(text)[0]
    assert told in one.content
    assert one.subject in {subject, subject.removeprefix("the user's ").title(), "Mr Okoye"}


@pytest.mark.req("W6")
@pytest.mark.parametrize(
    "text",
    [
        "我女儿对鸡蛋不过敏了",
        "我哥从来都不管",
        "公司搞这个，我是一直反对的",
        "my daughter isn't allergic to eggs any more",
        "I've always been against the merger",
        "my brother doesn't eat meat",
        "our stack is Django, nobody on the team likes React",
    ],
)
def test_what_is_denied_by_any_structure_is_negative(text: str) -> None:
    assert read(text)[0][-1].polarity is Polarity.NEGATIVE


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "modality"),
    [
        ("要是能在海边有个小房子就好了", Modality.WISHED),
        ("I wish I could take my parents to Rome next year", Modality.WISHED),
        ("would kill for a garden of my own", Modality.WISHED),
        ("I was told by my boss I'd be made team lead", Modality.QUOTED),
        ("我被通知下周去总部培训", Modality.QUOTED),
        ("taking a year out after my degree", Modality.PLANNED),
    ],
)
def test_wishes_and_what_one_was_told_are_no_facts(text: str, modality: Modality) -> None:
    assert read(text)[0][0].modality is modality


@pytest.mark.req("W8")
@pytest.mark.parametrize(
    ("before", "text", "told"),
    [
        ("最近在减肥，每天早上称体重", "今早77.5", "体重77.5"),
        ("最近在减肥，每天早上称体重", "降到79了！", "体重降到79"),
        ("我爸血压有点高", "昨晚158/95", "用户的爸"),
        ("I weigh myself every day now", "77.5 this morning", "The user's weight is 77.5"),
        ("I'm on a diet, started at 85", "down to 79!", "The user's weight is down to 79"),
        ("my dad's blood pressure is a worry", "158 over 95", "dad's blood pressure is 158 over 95"),
    ],
)
def test_a_bare_number_is_of_what_was_measured_before(before: str, text: str, told: str) -> None:
    (one,) = read(text, before)[0]
    assert told in one.content


@pytest.mark.req("W2")
@pytest.mark.parametrize("text", ["77.5", "42", "12/15", "3.14"])
def test_a_bare_number_of_nothing_says_nothing(text: str) -> None:
    assert read(text, "我家猫叫年糕", "tell me about whales")[0] == []
