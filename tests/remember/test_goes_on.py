"""What a message says of somebody in its second clause, and what somebody else means to do."""

from __future__ import annotations

import pytest

from tests.remember.cases import SETTINGS, contents, read, turn
from yinji.model import DropReason, Kind, Modality, Polarity
from yinji.remember.extract import extract
from yinji.remember.weigh import Weighed


@pytest.mark.req("W8")
@pytest.mark.parametrize(
    ("text", "content", "subject"),
    [
        ("there's a girl in my choir called Ottilie, she's deaf in one ear", "Ottilie is deaf in one ear", "Ottilie"),
        ("我们合唱团有个女生叫林溪，左耳听不见", "林溪左耳听不见", "林溪"),
        ("坐我旁边的女生是学法语的，家在昆明", "坐用户旁边的女生是学法语的，家在昆明", "女生"),
        ("the lodger keeps odd hours and never cooks", "The lodger never cooks", "the lodger"),
    ],
)
def test_a_second_clause_is_of_whom_the_first_is_of(text: str, content: str, subject: str) -> None:
    drafts, _ = read(text)
    assert (drafts[-1].content, drafts[-1].subject) == (content, subject)


@pytest.mark.req("W8")
@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("新来的租客吃素，半夜做饭", "租客"),
        ("教我开车的那个师傅是山东人", "师傅"),
        ("给我做美甲的那个女的是越南人", "女的"),
        ("the woman who does my nails is from Hanoi, has two kids", "the woman"),
        ("我女儿最好的朋友搬去加拿大了", "用户的女儿最好的朋友"),
        ("我女儿班上的老师姓欧阳", "用户的女儿班上的老师"),
        ("小娟吃素", "小娟"),
    ],
)
def test_whoever_is_told_from_others_by_what_they_do_is_whom_it_is_of(text: str, subject: str) -> None:
    drafts, _ = read(text)
    assert {one.subject for one in drafts} == {subject}


@pytest.mark.req("W8")
def test_what_opens_a_clause_owns_what_follows_it() -> None:
    told = contents("her real dad lives in Spain", "my girlfriend moved in last month")
    assert told == ["The user's girlfriend's real dad lives in Spain"]


@pytest.mark.req("W8")
def test_a_clause_of_two_words_with_a_verb_of_its_own_is_told_alone() -> None:
    drafts, _ = read("my brother drives a taxi, works nights, hates mornings")
    assert [one.polarity for one in drafts] == [Polarity.POSITIVE, Polarity.NEGATIVE]
    assert drafts[1].content == "The user's brother hates mornings"


@pytest.mark.req("W6", "W8")
@pytest.mark.parametrize(
    "text",
    [
        "I have to be in Cardiff by Thursday",
        "I need to renew my passport before August",
        "I promised my niece I'd take her to the zoo",
        "八月前我得换护照",
        "考过了我就给自己买辆自行车",
        "总有一天我要开个面包店",
        "我弟过年可能回来",
        "我们说不定搬去大理",
        "奖金一到账我就订去日本的票",
        "我姐开春结婚",
        "I could be moving to Berlin",
        "I'll be 40 in November",
    ],
)
def test_what_is_still_to_be_done_is_a_plan_and_an_event(text: str) -> None:
    drafts, _ = read(text)
    assert [(one.kind, one.modality) for one in drafts] == [(Kind.EVENT, Modality.PLANNED)]


@pytest.mark.req("W6")
@pytest.mark.parametrize("text", ["my sister says she's moving to Leeds", "我同事说她要辞职去新西兰打工"])
def test_a_plan_that_somebody_tells_of_is_an_event_that_is_quoted(text: str) -> None:
    drafts, _ = read(text)
    assert [(one.kind, one.modality) for one in drafts] == [(Kind.EVENT, Modality.QUOTED)]


@pytest.mark.req("W8")
@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("小安跟我说她妈病了", "小安"),
        ("中介跟我讲这房子是满五唯一", "中介"),
        ("医生说我血脂偏高", "user"),
        ("医生说是中度抑郁", "user"),
        ("the teacher told me Leo's bright but lazy", "teacher"),
        ("the estate agent swears it's freehold", "estate agent"),
    ],
)
def test_what_is_not_said_of_the_user_is_of_who_says_it(text: str, subject: str) -> None:
    drafts, _ = read(text)
    assert (drafts[0].subject, drafts[0].modality) == (subject, Modality.QUOTED)


@pytest.mark.req("W8")
@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("咖啡和茶我肯定选茶", "咖啡和茶用户肯定选茶"),
        ("下学期我选了法语", "下学期用户选了法语"),
        ("订个两人桌，我麸质过敏", "用户麸质过敏"),
        ("it'd be great to have a garden", "It'd be great to have a garden"),
        ("not sure but I think my blood pressure's high", "The user thinks the user's blood pressure's high"),
    ],
)
def test_whom_it_is_of_is_named_once(text: str, content: str) -> None:
    drafts, _ = read(text)
    assert [(one.content, one.subject) for one in drafts] == [(content, "user")]


@pytest.mark.req("W2")
@pytest.mark.parametrize("text", ["有钱的话我就买条船", "if I had the money I'd buy a boat"])
def test_what_is_only_supposed_is_not_kept(text: str) -> None:
    assert read(text)[0] == []


@pytest.mark.req("W2")
@pytest.mark.parametrize(
    ("text", "passing"),
    [
        ("I'd love to see the northern lights", False),
        ("I'd like to see your answer", True),
        ("I didn't get the job", False),
        ("I don't get it", True),
        ("I hope we get the flat", False),
        ("I hope we can talk tomorrow", True),
    ],
)
def test_what_is_wished_or_missed_is_told_from_passing_remarks(text: str, passing: bool) -> None:
    _, drops = read(text)
    assert (DropReason.FILLER in {one.reason for one in drops}) is passing


@pytest.mark.req("W2")
def test_several_weeks_are_no_question() -> None:
    assert contents("我腰疼了好几个星期了") == ["用户的腰疼了好几个星期了"]


@pytest.mark.req("W7")
@pytest.mark.parametrize("text", ["房租每月五号交", "my rent is due on the 5th of every month"])
def test_what_is_due_every_month_keeps_its_rule(text: str) -> None:
    drafts, _ = read(text)
    assert drafts[0].valid is not None
    assert drafts[0].valid.recurrence == "FREQ=MONTHLY;BYMONTHDAY=5"


@pytest.mark.req("W2")
@pytest.mark.parametrize("text", ["my wife says I snore", "我老婆说我打呼噜"])
@pytest.mark.parametrize(("score", "kept"), [(-0.18, True), (-0.5, False)])
def test_only_a_clear_opinion_lets_go_what_the_rules_keep(text: str, score: float, kept: bool) -> None:
    opinion = Weighed(spans=((0, len(text)),), scores=(score,), embedded=True, answers=False)
    drafts, _ = extract(turn(text), [], SETTINGS.remember, weighed=opinion)
    assert bool(drafts) is kept


@pytest.mark.req("W2")
@pytest.mark.parametrize(
    "text",
    [
        "The council has announced new restrictions on the ring road",
        "Burns Night is on the 25th",
        "教育局发布了新的中考方案",
    ],
)
def test_what_is_of_the_world_is_not_kept_for_a_slight_opinion(text: str) -> None:
    opinion = Weighed(spans=((0, len(text)),), scores=(0.2,), embedded=True, answers=False)
    assert extract(turn(text), [], SETTINGS.remember, weighed=opinion)[0] == []


@pytest.mark.req("W2")
def test_thinking_it_over_is_no_plan() -> None:
    assert read("嗯我考虑考虑")[0] == []
