"""What must not be written down as it was said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yinji.language.sensitive import find, mask

# The identity number is the specimen of GB 11643; the cards are the networks' published test numbers.


@pytest.mark.req("W10", "F34")
@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("我的身份证是11010519491231002X", "我的身份证是[id_card]"),
        ("身份证１１０１０５１９４９１２３１００２Ｘ，别外传", "身份证[id_card]，别外传"),
        ("卡号 4111 1111 1111 1111 记一下", "卡号 [bank_card] 记一下"),
        ("密码是abc12345", "密码是[secret]"),
        ("门禁码：8842#", "门禁码：[secret]"),
        ("验证码 482913，别告诉别人", "验证码 [otp]，别告诉别人"),
        ("护照号E12345678", "护照号[passport]"),
        ("我住在杭州市西湖区文三路478号3栋502室", "我住在[address]"),
        ("my SSN is 078-05-1120", "my SSN is [id_card]"),
        ("card 5555-5555-5555-4444 please", "card [bank_card] please"),
        ("my password is hunter2.", "my password is [secret]."),
        ("the key is sk-proj-abcdEFGH1234567890abcd", "the key is [secret]"),
        ("token ghp_abcdefghijklmnopqrstuvwxyz0123456789", "token [secret]"),
        ("your verification code is 482913", "your verification code is [otp]"),
        ("passport number X12345678", "passport number [passport]"),
        ("I live at 221B Baker Street", "I live at [address]"),
    ],
)
def test_what_identifies_pays_or_unlocks_is_masked(text: str, masked: str) -> None:
    assert mask(text).text == masked


@pytest.mark.req("W10", "F34")
@pytest.mark.parametrize(
    "text",
    [
        "提交是9fceb02d0ae598e95dc970b74767f19372d61af8",
        "身份证11010519491231002Y",
        "订单号 4111111111111112",
        "我住在平江路附近",
        "密码学很有意思",
        "3月1日到3月15日",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "a risk-based approach",
        "the password policy is strict",
        "order 4111111111111112",
        "version 10.2.333.4444",
        "call me at 5",
    ],
)
def test_look_alikes_are_left_alone(text: str) -> None:
    assert mask(text).text == text


@pytest.mark.req("W10")
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("手机13812345678", "phone"),
        ("电话 +86 138-1234-5678", "phone"),
        ("邮箱 li.lei@example.com", "email"),
        ("ring +44 20 7946 0958", "phone"),
        ("(415) 555-0132", "phone"),
        ("mail a@b.co", "email"),
    ],
)
def test_phone_and_mail_are_kept_and_marked(text: str, kind: str) -> None:
    masked = mask(text)
    assert masked.text == text
    assert [span.type for span in masked.spans] == [kind]


@given(st.text(max_size=200))
def test_masking_twice_masks_no_more_and_spans_lie_in_the_text(text: str) -> None:
    once = mask(text).text
    assert mask(once).text == once
    assert all(0 <= span.start < span.end <= len(text) for span in find(text))


@pytest.mark.req("W10", "F34")
@pytest.mark.parametrize(
    ("before", "text"),
    [
        (("密码是[secret]",), "我今年34岁"),
        (("密码是[secret]", "几点到？"), "18:30"),
        (("wifi密码是[secret]",), "我用Python"),
        (("wifi密码是[secret]",), "我的是XPS-9520"),
        (("我的密码是",), "谢谢"),
        (("我家住在",), "杭州"),
        (("the password is [secret]",), "room 302"),
        (("the password is [secret]",), "I'm 34"),
        (("the password is [secret]", "Got it. How much was the ticket?"), "1200"),
        (("my password is",), "never mind"),
        (("I forgot my wifi password.",), "Netgear"),
        (("my address is",), "thanks"),
    ],
)
def test_what_follows_a_secret_and_is_something_else_is_left_alone(before: tuple[str, ...], text: str) -> None:
    assert mask(text, before=before).text == text


@pytest.mark.req("W10", "F34")
@pytest.mark.parametrize(
    ("table", "masked"),
    [
        (
            "| 网站 | 账号 | 密码 |\n|---|---|---|\n| 淘宝 | lily88 | taobao991x |\n| 京东 | lily | jdjdjd |",
            "| 网站 | 账号 | 密码 |\n|---|---|---|\n| 淘宝 | lily88 | [secret] |\n| 京东 | lily | [secret] |",
        ),
        ("密码\nkettleMellow77x", "密码\n[secret]"),
        ("姓名,分数\n莉莉,99", "姓名,分数\n莉莉,99"),
        (
            "site,username,password\nbank,jdoe,Falcon*7712\nmail,jd,sunflower",
            "site,username,password\nbank,jdoe,[secret]\nmail,jd,[secret]",
        ),
        ("Password:\nmellowKettle88x", "Password:\n[secret]"),
        ("password, length matters\nand so, does that", "password, length matters\nand so, does that"),
    ],
)
def test_secrets_below_their_label_are_masked(table: str, masked: str) -> None:
    assert mask(table).text == masked
