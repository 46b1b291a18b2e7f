"""What is over is over though the news does not name it, and what is only off for a while goes on (SPEC W9)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from yinji import Memory

AT = datetime(2026, 3, 2, 10, tzinfo=UTC)


def holds(memory: Memory, before: str, news: str) -> bool:
    """Whether what was said before still holds a month later, after the news."""
    memory.remember(before, at=AT, wait=True)
    (kept,) = memory.list()
    memory.remember(news, at=AT + timedelta(days=30), wait=True)
    return kept.id in {one.id for one in memory.list()}


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    ("before", "news"),
    [
        ("I work at Deliveroo", "they let me go last week"),
        ("I work at Deliveroo", "I've jumped ship to Ocado"),
        ("I work at Deliveroo", "I got made redundant on Friday"),
        ("My grandad lives in Hull", "my grandad passed away on Sunday"),
        ("I've got a dog called Monty", "we lost Monty last week"),
        ("I work full time", "I've gone part-time"),
        ("I play bass in a band", "the band's folded"),
        ("I'm learning Spanish", "I've given up on Spanish"),
        ("My girlfriend Susan studies in Leeds", "We broke up."),
        ("I'm getting engaged to Sam next month", "Sam and I are over"),
        ("I'm pregnant, due around Christmas", "I lost the baby."),
        ("My wife is expecting, due in May", "She had the baby on Sunday, a girl called Ivy"),
        ("Donna's coming to stay in June", "Donna's not coming after all"),
        ("I've booked tickets to Berlin for June", "got a refund on the tickets"),
        ("We've booked a trip to Lisbon for June", "Lisbon fell through"),
        ("我的女朋友叫苏念，在南京读书", "我们分手了。"),
        ("我老婆怀孕了", "孩子没保住。"),
        ("我老婆怀孕了，预产期五月", "我老婆昨天生了，是个女儿"),
        ("清明我去南京看苏念，票买好了", "票退了"),
        ("我打算五月装修新房", "装修先缓一缓"),
        ("我在美团做运营", "上周被裁了"),
        ("我在美团做运营", "我从美团出来了"),
        ("我爷爷住在上海", "我爷爷上周去世了"),
        ("我养了一条狗叫豆豆", "豆豆上周没了"),
        ("我是全职老师", "我转兼职了"),
        ("我在乐队弹贝斯", "乐队散了"),
        ("我每天早上吃舍曲林", "舍曲林停了"),
        ("我每天抽一包烟", "烟戒了"),
        ("我爱吃辣", "我不吃辣"),
        ("We're going to New Zealand in November", "NZ is off"),
        ("I've given up coffee for Lent", "back on coffee"),
        ("I gave up running", "I've started running again"),
        ("My sister Nora broke her wrist last week", "Nora's wrist has healed"),
        ("I sprained my ankle", "ankle's all better"),
        ("I've booked tickets to Oslo for August", "I returned the Oslo tickets"),
        ("我戒烟了", "又抽上烟了"),
        ("我戒咖啡了", "又喝上咖啡了"),
        ("我不喝奶茶了", "又开始喝奶茶了"),
        ("我妈淑珍上周把手腕摔骨折了", "淑珍的手腕全好了"),
        ("我妈上周把手腕摔骨折了", "我妈的手腕好了"),
        ("我把脚扭伤了", "脚好了"),
        ("我住在长沙", "我搬到岳麓区了"),
        ("I live in Berlin", "I moved to Neukölln"),
    ],
)
def test_what_is_over_ends_however_it_is_told(before: str, news: str, memory: Memory) -> None:
    assert not holds(memory, before, news)


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    ("before", "news"),
    [
        ("I work at Deliveroo", "they let my brother go last week"),
        ("I work at Deliveroo", "I got made redundant from Tesco"),
        ("I work at Deliveroo", "I got made redundant in 2019"),
        ("I work full time", "my wife's gone part-time"),
        ("My rent is 1200 a month", "from May my rent goes up to 1400"),
        ("我现在房租每个月一万二", "明年一月起房租涨到一万四"),
        ("My rent is 1200 a month", "from January my rent is 1400"),
        ("我房租每月3000", "从一月起房租涨到3500"),
        ("我住在长沙", "我租在岳麓区"),
        ("I moved to Berlin", "I'm renting in Neukölln"),
        ("I live in Leeds", "I live on Elm Street"),
        ("My sister is pregnant", "I lost the baby"),
        ("I'm off sugar", "back on track with work"),
        ("I've given up coffee for Lent", "back on the biscuits"),
        ("My sister Nora broke her wrist last week", "my wrist has healed"),
        ("I sprained my ankle", "my ankle is much better"),
        ("I've booked tickets to Berlin for July", "I returned the Oslo tickets"),
        ("我戒糖了", "又喝上咖啡了"),
        ("我妈上周把手腕摔骨折了", "我爸的手腕好了"),
        ("我把脚扭伤了", "脚好多了"),
        ("我把脚扭伤了", "那家店的脚本好了"),
        ("我买了七月去北京的票", "昆明的票退了"),
        ("My girlfriend Susan studies in Leeds", "My sister and her boyfriend broke up"),
        ("My partner is called Jo", "we're done with the kitchen"),
        ("My sister lives with her husband in Leeds", "My sister and I are over the moon"),
        ("我妹妹怀孕了", "我老婆生了"),
        ("我老婆怀孕了", "我同事昨天生了"),
        ("我的女朋友叫苏念，在南京读书", "我妹妹他们分手了"),
        ("My sister lives in Leeds", "I've moved out"),
        ("I love coffee", "no coffee for me this week"),
        ("no bullet points in your answers, please", "my new door could stop a bullet"),
        ("I love coffee", "I don't like instant coffee"),
        ("I've got a dog called Monty", "we lost Monty for an hour but found him"),
        ("我在美团做运营", "我同事被裁了"),
        ("我在美团做运营", "差点被裁了"),
        ("我是全职老师", "我老婆转兼职了"),
        ("我住在望京", "我弟搬走了"),
        ("我爱吃辣", "这周先不吃辣了"),
        ("我每天早上跑步", "今天先不跑了"),
        ("我爱吃辣", "我不吃香菜"),
        ("我养了一条狗叫豆豆", "狗粮没了"),
    ],
)
def test_what_is_of_another_or_only_for_a_while_ends_nothing(before: str, news: str, memory: Memory) -> None:
    assert holds(memory, before, news)


@pytest.mark.req("W9")
@pytest.mark.parametrize("said", ["我搬到长沙了，租在岳麓区", "I moved to Berlin. I'm renting in Neukölln."])
def test_the_district_told_with_the_town_leaves_the_town(said: str, memory: Memory) -> None:
    memory.remember(said, at=AT, wait=True)
    assert len(memory.list()) == 2


@pytest.mark.req("W9", "W13")
@pytest.mark.parametrize(
    ("before", "news", "day"),
    [
        ("Our wedding is on 12 September", "the wedding got pushed to the 19th", "19 September 2026"),
        ("Our wedding is on 28 August", "the wedding has been put back to the 4th", "4 September 2026"),
        ("Our wedding is on 12 September", "my meeting got moved to the 19th", "19 April 2026"),
        ("Our wedding is on 12 September", "the wedding got pushed to 19 October", "19 October 2026"),
        ("我们的婚礼定在9月12号", "婚礼推到19号了", "2026年9月19日"),
        ("我们的婚礼定在9月28号", "婚礼推迟到4号", "2026年10月4日"),
        ("我们的婚礼定在9月12号", "会议推到19号", "2026年4月19日"),
    ],
)
def test_what_is_put_off_to_a_day_is_in_its_own_month(before: str, news: str, day: str, memory: Memory) -> None:
    memory.remember(before, at=AT, wait=True)
    told = memory.remember(news, at=AT + timedelta(days=30), wait=True)
    assert [one.content for one in told.added if day in one.content]
