"""What is done about each class is the user's to say, within what is never kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from yinji.errors import ConfigError
from yinji.language import sensitive


def own(tmp_path: Path, text: str) -> sensitive.Policy:
    path = tmp_path / "policy.toml"
    path.write_text(text, encoding="utf-8")
    return sensitive.policy(str(path))


@pytest.mark.req("W10")
def test_a_file_of_ones_own_masks_what_is_only_marked_otherwise(tmp_path: Path) -> None:
    rules = own(tmp_path, '[policy]\nphone = "mask"\nplate = "drop"\n')
    assert sensitive.mask("我的手机是13812345678", rules).text == "我的手机是[phone]"
    assert sensitive.refused(sensitive.mask("我的车牌是京A12345，停在楼下", rules).text, rules)
    assert (
        sensitive.mask("call 415-555-0132 or mail bob@example.com", rules).text
        == "call [phone] or mail bob@example.com"
    )


@pytest.mark.req("W10")
def test_a_class_of_ones_own_is_masked(tmp_path: Path) -> None:
    rules = own(tmp_path, "[[rule]]\ntype = \"staff\"\npatterns = ['工号(?P<value>\\d{5})']\n")
    once = sensitive.mask("我的工号12345，密码是abc12345", rules).text
    assert once == "我的工号[staff]，密码是[secret]"
    assert sensitive.mask(once, rules).text == once
    assert sensitive.mask("我的工号12345").text == "我的工号12345"


@pytest.mark.req("W10", "P3")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[policy]\nphones = "mask"', "phone"),
        ('[policy]\nphone = "hide"', "drop"),
        ('[policy]\nid_card = "mark"', "never kept"),
        ("[[rule]]\ntype = \"x1\"\npatterns = ['(']", "x1"),
        ("policy = [", "policy.toml"),
    ],
)
def test_a_policy_that_cannot_be_followed_is_refused_by_name(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(ConfigError) as error:
        own(tmp_path, text)
    assert told in str(error.value)


@pytest.mark.req("W10", "P3")
def test_a_policy_that_is_not_there_is_named() -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.toml"):
        sensitive.policy("/nowhere.toml")


@pytest.mark.req("W10")
@pytest.mark.parametrize(
    "text",
    [
        "用户护照号是 [passport]",
        "我的卡号是[bank_card]",
        "用户住在[address]",
        "我妈的身份证号：[id_card]",
        "My card number is [bank_card]",
        "The user's passport number is [passport].",
        "I live at [address]",
    ],
)
def test_a_statement_with_nothing_but_a_placeholder_says_nothing(text: str) -> None:
    assert sensitive.only_placeholder(text)


@pytest.mark.req("W10")
@pytest.mark.parametrize(
    "text",
    ["用户搬到了杭州，住在[address]", "护照2028年到期", "My card [bank_card] expires in May", "我的电话换了", "[todo]"],
)
def test_a_statement_that_says_more_is_left(text: str) -> None:
    assert not sensitive.only_placeholder(text)


@pytest.mark.req("W10", "O2")
@pytest.mark.parametrize(
    ("text", "topics"),
    [
        ("用户有轻度抑郁，在吃药", ("health",)),
        ("用户月薪两万", ("finance",)),
        ("用戶去年離婚了", ("intimate",)),
        ("用户喜欢喝茶", ()),
        ("The user was diagnosed with diabetes", ("health",)),
        ("The user owes the bank money after the mortgage", ("finance",)),
        ("The user is gay", ("intimate",)),
        ("The user likes a trial period", ()),
    ],
)
def test_health_money_and_private_life_are_told_by_their_words(text: str, topics: tuple[str, ...]) -> None:
    assert sensitive.topics(text) == topics
    assert sensitive.is_delicate(text) is bool(topics)


@pytest.mark.req("W10")
@pytest.mark.parametrize(
    ("before", "text", "masked"),
    [
        ("你家wifi密码是多少？", "mimi2019", "[secret]"),
        ("门禁密码是什么呀", "4821#", "[secret]"),
        ("把收到的验证码告诉我", "482913", "[otp]"),
        ("What's the wifi password?", "hunter22", "[secret]"),
        ("Which door code should the cleaner use?", "4821", "[secret]"),
        ("今天走了多少步？", "13800", "13800"),
        ("How many people came?", "4821", "4821"),
    ],
)
def test_a_bare_value_is_what_it_was_asked_for(before: str, text: str, masked: str) -> None:
    assert sensitive.mask(text, before=(before,)).text == masked


@pytest.mark.req("W10")
def test_what_one_message_of_a_turn_gives_away_is_masked_in_the_other() -> None:
    said = sensitive.mask_turn("我的密码是abc12345", "好的，abc12345，记住了", sensitive.policy())
    assert said == ("我的密码是[secret]", "好的，[secret]，记住了")
    told = sensitive.mask_turn("hunter22, got it?", "Your password is hunter22, right?", sensitive.policy())
    assert told == ("[secret], got it?", "Your password is [secret], right?")


@pytest.mark.req("W10")
@pytest.mark.parametrize("piece", ["密码", "1", "门禁1234#", "12 New Street, ", "code 12 ", "路1号", "6222 ", "a@"])
def test_a_message_of_twenty_thousand_signs_is_searched_to_its_end(piece: str) -> None:
    text = (piece * 20_000)[:20_000] + "。我的护照号是E12345678"
    masked = sensitive.mask(text).text
    assert masked.endswith("我的护照号是[passport]")
    assert sensitive.mask(masked).text == masked


@pytest.mark.req("W10")
def test_a_key_of_many_lines_is_masked_whole_in_a_long_text() -> None:
    body = "\n".join("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj" for _ in range(50))
    text = "说明。" * 200 + f"\n-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\n" + "结束。" * 200
    assert sensitive.mask(text).text == "说明。" * 200 + "\n[secret]\n" + "结束。" * 200
