"""What is told in passing while something is asked for stands in sentences of its own (SPEC W5, W6)."""

from __future__ import annotations

import pytest

from tests.remember.cases import read


def kept(text: str) -> list[str]:
    return [one.content for one in read(text)[0]]


@pytest.mark.req("W5", "W6")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "I'm considering a master's degree in robotics, and I was wondering if you could list some programs.",
            ["The user is considering a master's degree in robotics"],
        ),
        (
            "I'm trying to learn more about beekeeping and was wondering if you could recommend a course.",
            ["The user is trying to learn more about beekeeping"],
        ),
        (
            "I've been on a reading streak lately, having finished 15 novels in the past few weeks.",
            ["The user has been on a reading streak lately, having finished 15 novels in the past few weeks"],
        ),
        (
            "I just added a new coin to my collection of old American coins - a 1915-S Barber quarter.",
            ["The user just added a new coin to the user's collection of old American coins - a 1915-S Barber quarter"],
        ),
        (
            "I listen to podcasts on my commute, which is about 45 minutes each way.",
            ["The user listens to podcasts on the user's commute, which is about 45 minutes each way"],
        ),
        ("Which laptop should I get, considering I mostly edit 4K video?", ["The user mostly edits 4K video"]),
        (
            "Are there any perks for me, especially since I've flown 20,000 miles with them this year?",
            ["The user has flown 20,000 miles with them in 2026"],
        ),
        (
            "As a coeliac, what should I order at a Korean place?",
            ["The user is a coeliac"],
        ),
        (
            "Speaking of shopping, my sister and I went to Bath and spent £8 between the two of us.",
            ["Speaking of shopping, the user's sister and the user went to Bath and spent £8 between the two of them"],
        ),
        (
            "I played in a golf tournament, and while I had a blast, I realized I need to work on my swing.",
            [
                "The user played in a golf tournament",
                "While the user had a blast, the user realized the user needs to work on the user's swing",
            ],
        ),
        (
            "I find great deals at TK Maxx, like that designer handbag I got for $200.",
            ["The user finds great deals at TK Maxx, like that designer handbag the user got for $200"],
        ),
        ("As for my sister, she's moving to Oslo.", ["The user's sister is moving to Oslo"]),
        ("And speaking of my dog, he has turned eleven.", ["The user's dog has turned eleven"]),
        ("我最近在尝试新的训练方法，包括游泳和举重。", ["用户最近在尝试新的训练方法，包括游泳和举重"]),
        ("有什么适合我的牛奶吗，毕竟我乳糖不耐受？", ["用户乳糖不耐受"]),
        ("作为一个两岁孩子的妈妈，有什么省时间的健身方法吗？", ["用户是两岁孩子的妈妈"]),
        ("给我推荐几个成都的火锅店呗，我对花生过敏。", ["用户对花生过敏"]),
        ("你看看能上什么高中，我们在苏州。", ["用户等人在苏州"]),
        ("那个小程序我负责，现在还有十几个bug。", ["那个小程序用户负责，现在还有十几个bug"]),
        ("说到我爸，他退休了。", ["用户的爸退休了"]),
        ("我最近在思考明年要不要换一份工作。", ["用户最近在思考2027年要不要换一份工作"]),
        ("我现在用的是iPhone 12，不知道你能不能帮我对比一下两款新手机？", ["用户现在用的是iPhone 12"]),
    ],
)
def test_what_is_told_beside_a_request_is_whole_and_without_it(text: str, told: list[str]) -> None:
    assert kept(text) == told


@pytest.mark.req("W6")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("我外婆上个月走了，最近心里一直很难受。", "用户最近心里一直很难受"),
        ("我外公去世了，享年八十六。", "用户的外公去世了，享年八十六"),
        ("My gran passed away last month, been really low since.", "The user has been really low since"),
        ("My gran passed away, aged 91.", "The user's gran passed away, aged 91"),
    ],
)
def test_grief_is_told_of_who_lives_on(text: str, told: str) -> None:
    assert told in kept(text)


@pytest.mark.req("W6")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I recently put in an offer on a house in Brookside.", "The user recently put in an offer"),
        ("I finished Emma, and before that I read Middlemarch.", "the user read Middlemarch"),
        ("I just set a personal best of 27:12.", "The user just set a personal best of 27:12"),
        ("I put milk in my tea every morning.", "The user puts milk in the user's tea"),
        ("I read before bed every night.", "The user reads before bed"),
        ("I loved the festival I volunteered at last month.", "the festival the user volunteered at in February 2026"),
    ],
)
def test_verbs_that_look_alike_in_both_tenses_agree_by_the_time_that_is_told(text: str, told: str) -> None:
    assert told in " ".join(kept(text))


@pytest.mark.req("W6", "F24")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("calling it Shan's Nail Bar", "The user is calling it Shan's Nail Bar"),
        ("putting my prices up after Easter", "The user is putting the user's prices up after Easter"),
        ("still waiting on the blood results from the hospital", "The user is still waiting on the blood results"),
        ("going to the gym helps my back", "Going to the gym helps the user's back"),
        (
            "split up with Jerome, he's at his brother's in Luton",
            "The user split up with Jerome, he is at his brother's",
        ),
        (
            "my mum has the kids on Mondays cos that's when I'm fully booked",
            "The user's mum has the kids on Mondays cos that's when the user is fully booked",
        ),
        ("found a unit on Portland Road!! £480 a month", "The user found a unit on Portland Road, £480 a month"),
    ],
)
def test_a_clause_that_leaves_out_who_is_doing_something_is_told_of_the_user(text: str, told: str) -> None:
    assert told in " ".join(kept(f"remember that {text}"))


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "month"),
    [
        ("the nursery has asked if my daughter wants full days from June", "June 2026"),
        ("my doctor told me to come back in June", "June 2026"),
        ("my brother told me he quit in December", "December 2025"),
        ("房东说了六月要涨价", "2026年6月"),
        ("我弟说了他十二月去过北京", "2025年12月"),
    ],
)
def test_what_was_said_lies_where_its_own_verb_says_and_not_where_it_was_said(text: str, month: str) -> None:
    asked = f"记住{text}" if text > "\u2e80" else f"remember that {text}"
    assert month in " ".join(kept(asked))


@pytest.mark.req("W2")
@pytest.mark.parametrize(
    "text",
    [
        "I'm also looking for some gift ideas for a graduate.",
        "I'll definitely explore some of those features and tips.",
        "I'll make sure to follow your advice on stretching.",
        "我会按你说的这些方法试试的。",
        "我想问问你有没有类似的剧推荐。",
    ],
)
def test_what_is_only_asked_or_said_of_the_answer_is_not_kept(text: str) -> None:
    assert kept(text) == []
