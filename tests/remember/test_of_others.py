"""What is said of somebody else, of a day that somebody is called by, or in passing, stays what it is."""

from __future__ import annotations

import pytest

from tests.remember.cases import contents, read
from yinji.model import DropReason, Kind


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("I met June at the swimming pool", "The user met June at the swimming pool"),
        ("My landlady is called April", "The user's landlady is called April"),
        ("My flatmate June plays the tuba", "The user's flatmate June plays the tuba"),
        ("June is allergic to bees", "June is allergic to bees"),
        ("I got married in June", "The user got married in June 2025"),
        ("I start the new job in April", "The user starts the new job in April 2026"),
        ("我女儿叫小满", "用户的女儿叫小满"),
    ],
)
def test_a_month_that_somebody_is_called_by_is_no_date(text: str, content: str) -> None:
    assert contents(text) == [content]


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("my yoga class used to be Thursday", "The user's yoga class used to be Thursday"),
        ("Cheese on toast and I'm finished for the day", "Cheese on toast and the user is finished for the day"),
    ],
)
def test_a_day_that_is_over_or_no_longer_so_gets_no_date(text: str, content: str) -> None:
    assert contents(text) == [content]


@pytest.mark.req("W8")
@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("my boss Fionnuala is a saint. never shouts, even at noon", "Fionnuala never shouts, even at noon"),
        ("our neighbour Ida is great. always leaves us eggs", "Ida always leaves the user and others eggs"),
        ("my cat Bim is fussy. never eats fish", "Bim never eats fish"),
    ],
)
def test_what_somebody_else_never_does_is_no_standing_instruction(text: str, kept: str) -> None:
    drafts, _ = read(text)
    assert kept in [draft.content for draft in drafts]
    assert Kind.PROCEDURE not in {draft.kind for draft in drafts}


@pytest.mark.req("W8")
@pytest.mark.parametrize(
    "text",
    [
        "my son got expelled, never bring it up with gran",
        "my dad drinks again, please don't mention it to anybody",
        "我表妹怀孕了，先别告诉我妈",
        "我弟弟被开除了，千万别跟家里人说",
        "my sister's getting divorced, don't tell my mum yet",
        "my brother lost his job, keep that to yourself",
        "我姐离婚了，你保密啊",
    ],
)
def test_a_secret_stays_one_statement_with_whom_it_is_kept_from(text: str) -> None:
    drafts, _ = read(text)
    assert [draft.kind is Kind.PROCEDURE for draft in drafts] == [False]


@pytest.mark.req("W8")
@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("先瞒着我妈，我怀孕三个月了", "用户怀孕三个月了"),
        ("先别告诉我姐，我辞职了", "用户辞职了"),
        ("Don't say anything to my boss, but I'm interviewing at Google", "The user is interviewing at Google"),
        ("don't tell my mum, I got a tattoo", "The user got a tattoo"),
    ],
)
def test_a_secret_is_kept_without_whom_it_is_first_said_to_be_kept_from(text: str, content: str) -> None:
    assert [one.content for one in read(text)[0]] == [content]


@pytest.mark.req("W8")
@pytest.mark.parametrize("text", ["never use emojis with me", "don't mention politics to me", "以后别叫我老师"])
def test_what_the_assistant_is_to_do_stays_a_standing_instruction(text: str) -> None:
    assert [draft.kind for draft in read(text)[0]] == [Kind.PROCEDURE]


@pytest.mark.req("W8")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("回答简短点行吗，我上班用手机看", "用户要求：回答简短点行吗"),
        ("能不能说话直接点，我不喜欢绕弯子", "用户要求：说话直接点"),
        ("回复别太长，我眼睛不好", "用户要求：回复别太长"),
        ("用公斤别用斤", "用户要求：用公斤别用斤"),
        ("价格按澳元报", "用户要求：价格按澳元报"),
        ("喊我老李就好", "用户要求：喊用户老李就好"),
        ("讲东西当我五岁小孩那样讲", "用户要求：讲东西当用户五岁小孩那样讲"),
        ("用大白话跟我说", "用户要求：用大白话跟用户说"),
        ("can you keep answers short, I read on my phone", "The user asks: keep answers short"),
        ("could you keep your replies brief", "The user asks: keep the assistant's replies brief"),
        ("short answers please", "The user asks: short answers please"),
        ("metric, no inches", "The user asks: metric, no inches"),
        ("give me temperatures in celsius", "The user asks: give the user temperatures in celsius"),
        ("Mr. Halvorsen will do", "The user asks: Mr. Halvorsen will do"),
        ("explain like i'm 5", "The user asks: explain like i'm 5"),
        ("talk to me like a mate", "The user asks: talk to the user like a mate"),
    ],
)
def test_how_the_assistant_is_to_answer_is_kept_without_a_word_of_always(text: str, told: str) -> None:
    assert read(text)[0][0].content == told
    assert read(text)[0][0].kind is Kind.PROCEDURE


@pytest.mark.req("W2")
@pytest.mark.parametrize(
    "text",
    [
        "回答一下这个",
        "这道题解释简单点",
        "这次回答短一点",
        "这个菜谱用克别用杯",
        "把这段话当我五岁解释一下",
        "用英文写一封邮件",
        "面试回答简短点行吗",
        "叫我过去就行",
        "explain this like I'm 5",
        "explain like I'm 5 how mortgages work",
        "give me a short summary of this",
        "will you keep explanations short in the handout?",
        "use metric for this recipe",
        "sorry, miles not km",
        "Dr. Khan will do the operation",
        "can you keep these answers short",
    ],
)
def test_how_one_answer_is_asked_to_be_is_no_memory(text: str) -> None:
    assert contents(text) == []


@pytest.mark.req("W2")
@pytest.mark.parametrize(
    "text",
    [
        "which company I work for",
        "which bus do I take to work",
        "my daughter plays which instrument",
        "my wife works where",
        "what my landlord is called",
        "I said I was allergic to something",
    ],
)
def test_a_question_without_a_mark_is_no_memory(text: str) -> None:
    drafts, drops = read(text)
    assert (drafts, [drop.reason for drop in drops]) == ([], [DropReason.QUESTION])


@pytest.mark.req("W2")
@pytest.mark.parametrize(
    "text",
    [
        "which one I like best is the blue one",
        "I live where the old mill was",
        "what I love is sailing",
        "my happiest memory is when we moved to Skye",
    ],
)
def test_a_statement_with_a_word_that_asks_is_kept(text: str) -> None:
    assert len(contents(text)) == 1


@pytest.mark.req("W2", "W8")
@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("yeah cos I just LOVE night shifts", 0),
        ("oh great, I just love being on call", 0),
        ("I love unpaid overtime, said nobody ever", 0),
        ("我最爱早起了，才怪", 0),
        ("呵呵，我可太喜欢加班了", 0),
        ("I just love my new bike", 1),
        ("oh great, I love this band", 1),
        ("我很喜欢加班", 1),
    ],
)
def test_what_is_marked_as_sarcasm_is_no_preference(text: str, kept: int) -> None:
    assert len(contents(text)) == kept


@pytest.mark.req("W4", "W8")
@pytest.mark.parametrize(
    ("text", "content"),
    [
        (
            "can you write a card for my colleague Priya? she's leaving for Toronto next month",
            "The user's colleague Priya is leaving for Toronto in April 2026",
        ),
        (
            "write a reference for my lodger Ewa. she's moving to Gdansk in June",
            "The user's lodger Ewa is moving to Gdansk in June 2026",
        ),
        ("帮我写张贺卡给我侄子乐乐，我侄子乐乐下个月满三岁", "用户的侄子乐乐2026年4月满三岁"),
    ],
)
def test_whom_a_request_is_for_is_named_in_what_it_tells_of_them(text: str, content: str) -> None:
    assert content in contents(text)


@pytest.mark.req("W4")
@pytest.mark.parametrize(
    ("before", "text", "kept"),
    [
        ("I've got a mole being checked on Friday", "mole's fine!!", ["The user's mole is fine"]),
        ("we made an offer on a flat, my loan is being looked at", "loan's approved!", ["The user's loan is approved"]),
        ("my scan is on Tuesday", "the scan was clear", ["The user's scan is clear"]),
        ("I like tea", "coffee's fine", []),
        ("my boss is away", "it's fine", []),
    ],
)
def test_short_news_are_told_of_what_they_are_about(before: str, text: str, kept: list[str]) -> None:
    assert contents(text, before) == kept


@pytest.mark.req("W4", "W9")
@pytest.mark.parametrize(
    ("before", "text", "content"),
    [
        ("my son is called Alan", "sorry, it's Allan with two l's", "The user's son is called Allan"),
        ("my dentist is Dr Bell", "no wait, it's Dr Ball with an a", "The user's dentist is Dr Ball"),
        ("I run every Monday", "no sorry, Tuesday", "The user runs every Tuesday"),
        (
            "my uncle Tom is a pilot",
            "wait Tom's my cousin, Tim is my uncle",
            "Tom is the user's cousin, Tim is the user's uncle",
        ),
        ("我新老板叫陈立。", "不对，是陈丽，美丽的丽", "用户的新老板叫陈丽"),
    ],
)
def test_a_corrected_name_is_told_in_full(before: str, text: str, content: str) -> None:
    drafts, _ = read(text, before)
    assert [(draft.content, draft.replaces) for draft in drafts] == [(content, True)]
