"""What is meant to be, was meant to be, or is wished for is told from what is so (SPEC W8)."""

from __future__ import annotations

import pytest

from tests.remember.cases import read
from yinji.model import Draft, Modality, Polarity

PLANNED, WISHED, ASSERTED = Modality.PLANNED, Modality.WISHED, Modality.ASSERTED


def told(text: str) -> Draft:
    """What is made of it; what the rules alone would let go is asked to be remembered."""
    drafts, _ = read(text)
    asked = f"记住{text}" if text > "\u2e80" else f"remember that {text}"
    return (drafts or read(asked)[0])[0]


@pytest.mark.req("W8")
@pytest.mark.parametrize(
    ("text", "modality"),
    [
        ("my brother is selling the boat", PLANNED),
        ("we're not having a Christmas tree this year", PLANNED),
        ("our drummer is leaving after the festival", PLANNED),
        ("I won't be renewing my season ticket", PLANNED),
        ("my aunt is opening a bakery in the old post office", PLANNED),
        ("getting a new boiler fitted", PLANNED),
        ("I have no intention of moving to Slough", PLANNED),
        ("my sister is due back from Nairobi on the 4th", PLANNED),
        ("I'm selling candles online now", ASSERTED),
        ("my son isn't doing well at school", ASSERTED),
        ("my car won't start in the cold", ASSERTED),
        ("my husband is living with his parents", ASSERTED),
        ("下学期我就去教高三了", PLANNED),
        ("退休以后我要去学国画", PLANNED),
        ("婚礼我们不办了", PLANNED),
        ("趁暑假我把驾照考了吧", PLANNED),
        ("等稻子收完我去趟县里配眼镜", PLANNED),
        ("上学期我去教高三了", ASSERTED),
        ("退休以后我胖了十斤", ASSERTED),
        ("烟我五年前就不抽了", ASSERTED),
        ("和面要先放盐，我家一直这样", ASSERTED),
    ],
)
def test_what_will_be_is_a_plan_however_it_is_put_and_what_goes_on_is_none(text: str, modality: Modality) -> None:
    assert told(text).modality is modality


@pytest.mark.req("W8")
@pytest.mark.parametrize(
    ("text", "modality"),
    [
        ("I'd hate to end up living in a basement", WISHED),
        ("I wouldn't say no to a week in Corfu", WISHED),
        ("I've got Machu Picchu on my bucket list", WISHED),
        ("I'd rather my parents didn't move in with us", WISHED),
        ("I have always dreamed of owning a vineyard", WISHED),
        ("my clients don't want red in the logo", ASSERTED),
        ("my risotto wants stirring all the time", ASSERTED),
        ("但愿我妈的手术顺利", WISHED),
        ("我不想跟婆婆住一块儿", WISHED),
        ("我老婆不愿意再搬家了", WISHED),
        ("我一直惦记着去趟敦煌", WISHED),
        ("我从不想家", ASSERTED),
        ("我的梦想基金里存了八千块", WISHED),
        ("我喜欢北方的冬天", ASSERTED),
    ],
)
def test_a_wish_is_no_fact_whatever_word_it_is_put_in(text: str, modality: Modality) -> None:
    assert told(text).modality is modality


@pytest.mark.req("W8")
@pytest.mark.parametrize(
    ("text", "modality"),
    [
        ("I was going to move to Leeds in the spring", PLANNED),
        ("my brother was meant to take over the farm", PLANNED),
        ("I was going to move to Leeds but stayed in York", ASSERTED),
        ("what I meant to say is my sister is a vet", ASSERTED),
        ("我原打算上个月去做近视手术", PLANNED),
        ("我弟本来想学医", PLANNED),
        ("我本来想去读博，后来进了公司", ASSERTED),
        ("我差点就买了那套房子", ASSERTED),
    ],
)
def test_what_was_to_be_is_a_plan_unless_it_is_told_what_came_of_it(text: str, modality: Modality) -> None:
    assert told(text).modality is modality


@pytest.mark.req("W8")
@pytest.mark.parametrize(
    ("text", "polarity"),
    [
        ("drinking games drive me mad", Polarity.NEGATIVE),
        ("my gran disapproves of my tattoos", Polarity.NEGATIVE),
        ("my flatmate objects to incense", Polarity.NEGATIVE),
        ("I've gone off coffee", Polarity.NEGATIVE),
        ("I have no objection to cats", Polarity.POSITIVE),
        ("I wouldn't be without my bicycle", Polarity.POSITIVE),
        ("my husband likes me without make-up", Polarity.POSITIVE),
        ("I passed grade 5 without practising", Polarity.POSITIVE),
        ("我嫌短视频吵", Polarity.NEGATIVE),
        ("我特别反对给孩子报补习班", Polarity.NEGATIVE),
        ("我没那么爱吃甜的", Polarity.NEGATIVE),
        ("我决定不起诉了", Polarity.NEGATIVE),
        ("我不介意再养一只猫", Polarity.POSITIVE),
        ("我这人说一不二", Polarity.POSITIVE),
        ("我爸的手机被厂里没收了", Polarity.POSITIVE),
        ("我家硬盘只剩不到三个G", Polarity.POSITIVE),
    ],
)
def test_dislike_denies_and_a_denial_that_denies_nothing_does_not(text: str, polarity: Polarity) -> None:
    assert told(text).polarity is polarity


@pytest.mark.req("W8")
@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("our striker is serving a three match ban", "the user's striker"),
        ("my supervisor never replies to emails", "the user's supervisor"),
        ("my printer never works on Mondays, I have a ticket open", "user"),
        ("I heard my old aunt has sold her cottage", "the user's old aunt"),
        ("the surveyor says my mum's roof is sound", "the user's mum"),
        ("the dietitian says I'm short of iron", "user"),
        ("my company has 40 people", "user"),
        ("my wife's company has 40 people", "the user's wife's company"),
        ("our team lead has just had her second baby", "the user's team lead"),
        ("我们系主任快退休了", "用户的系主任"),
        ("听说我表哥去年离婚了", "用户的表哥"),
        ("医生说我爷爷肺上有个影子", "用户的爷爷"),
        ("验光师说我左眼散光一百度", "user"),
        ("营养师让我晚上少吃主食", "user"),
        ("我们公司有四十个人", "user"),
        ("我老婆的老板很抠门", "用户的老婆的老板"),
        ("我大侄女拿了省里的奖学金", "用户的大侄女"),
        ("我的手机没有指纹", "user"),
    ],
)
def test_it_is_told_of_who_does_it_and_the_user_s_things_are_the_user_s(text: str, subject: str) -> None:
    assert told(text).subject.lower() == subject.lower()
