"""Whose a bare "wife", "kids" or "boss" is, and of whom a changed role is told."""

from __future__ import annotations

import pytest

from tests.remember.cases import read


def subjects(text: str) -> list[str]:
    return [draft.subject for draft in read(text)[0]]


@pytest.mark.req("W4", "W6")
@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("我表哥上个月领证了，媳妇是护士", "用户的表哥的老婆"),
        ("我同学离了，女儿跟着她爸", "用户的同学的女儿"),
        ("小赵调去昆明了，老婆还在本地教书", "小赵的老婆"),
        ("邻居老周中风了；儿子连夜从厦门赶回来", "老周的儿子"),
        ("我姐在青岛开民宿。丈夫是当兵的。", "用户的姐的老公"),
        ("我女儿订婚了，男友在银行上班", "用户的女儿的男友"),
        ("我老公最近天天加班，领导盯得很紧", "用户的老公的领导"),
        ("刘姐退休了。她在学国画。女儿在加拿大。", "刘姐的女儿"),
        ("孩子转学了，班主任很年轻", "用户的孩子的班主任"),
        ("my mum's in hospital, consultant says it's pneumonia", "the user's mum's consultant"),
        ("Sue runs a café. She lives in Bath. Husband works nights.", "Sue's husband"),
        ("My cousin got married in June, husband's a plumber", "the user's cousin's husband"),
        ("Priya's on maternity leave, husband works nights", "Priya's husband"),
        ("my flatmate moved out; girlfriend got a job in Bath", "the user's flatmate's girlfriend"),
        ("My sister runs a bakery in Cork. Husband's a fisherman.", "the user's sister's husband"),
        ("my daughter got engaged, boyfriend's in the navy", "the user's daughter's boyfriend"),
        ("My manager separated last year; the kids are with their dad", "the user's manager's children"),
        ("my husband's working late again, boss won't let up", "the user's husband's boss"),
    ],
)
def test_a_bare_noun_is_of_whom_the_clause_before_it_is_about(text: str, subject: str) -> None:
    assert subjects(text)[-1] == subject


@pytest.mark.req("W4", "W6")
@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("我爸退休了，老婆还在上班", "用户的老婆"),
        ("我媳妇出差了，儿子住我妈家", "用户的儿子"),
        ("我女儿发烧了，老公在外地", "用户的老公"),
        ("我表妹生了，老公开车送我去看的她", "用户的老公"),
        ("我同事戒烟了，老公也戒烟了", "用户的老公"),
        ("我明天加班，老婆去接孩子", "用户的老婆"),
        ("姐姐在成都，老公在贵阳", "用户的老公"),
        ("房东人挺好，室友也好相处", "用户的室友"),
        ("我昨天见了老同学，女儿读大学了", "用户的女儿"),
        ("我弟结婚了，我老婆当的伴娘", "用户的老婆"),
        ("my dad's retired, wife's still working", "the user's wife"),
        ("my wife's away, son's got chickenpox", "the user's son"),
        ("my daughter's got a temperature, husband's working in Oslo", "the user's husband"),
        ("My brother's in Cardiff, sister's in Derry, wife's in Bath", "the user's wife"),
        ("Dave's a roofer, my wife's a midwife", "the user's wife"),
        ("Dave's a roofer. I'm a nurse in Hull.", "user"),
    ],
)
def test_what_is_shared_and_what_the_speaker_takes_part_in_is_the_users(text: str, subject: str) -> None:
    assert subjects(text)[-1] == subject


@pytest.mark.req("W4", "W6")
@pytest.mark.parametrize("text", ["我爸退休了，在家种菜", "my sister and her husband moved to Cork"])
def test_what_goes_on_about_one_person_stays_about_them(text: str) -> None:
    assert len(subjects(text)) == 1
    assert subjects(text)[0] in {"用户的爸", "the user's sister"}


@pytest.mark.req("W4", "W6")
@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("换辅导员了，现在是孙老师", "用户的辅导员现在是孙老师"),
        ("换了个教练，现在是周敏", "用户的教练现在是周敏"),
        ("我儿子换班主任了，现在是钱老师", "用户的儿子的班主任现在是钱老师"),
        ("we've a new editor, it's Harriet now", "The user's editor is Harriet now"),
        ("got a new manager, it's Priya now", "The user's manager is Priya now"),
        ("My son has a new teacher, she's called Megan", "The user's son's teacher is Megan now"),
    ],
)
def test_who_fills_a_role_now_is_told_of_the_role_and_not_of_the_user(text: str, content: str) -> None:
    drafts, _ = read(text)
    assert drafts[-1].content == content
    assert drafts[-1].subject != "user"


@pytest.mark.req("W4", "W6")
@pytest.mark.parametrize(("text"), ["换了个手机，现在是华为", "We got a new boiler, it's warm now"])
def test_a_thing_that_changed_is_no_role(text: str) -> None:
    assert not any(draft.content[-5:] == "现在是华为" and "的手机" in draft.content for draft in read(text)[0])
    assert not any(draft.content == "The user's boiler is warm now" for draft in read(text)[0])


@pytest.mark.req("W4", "W6")
@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("小赵的老婆是老师", "小赵的老婆"),
        ("老周的女儿在加拿大读书", "老周的女儿"),
        ("Megan's husband is a diver", "Megan's husband"),
        ("Dave's sister lives in Hull", "Dave's sister"),
    ],
)
def test_somebody_of_a_named_person_is_nobody_of_the_users(text: str, subject: str) -> None:
    assert subjects(text) == [subject]
