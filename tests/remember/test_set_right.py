"""What is set right of somebody in passing is told of them, and what was said wrong is not told again."""

from __future__ import annotations

import pytest

from tests.remember.cases import contents


@pytest.mark.req("W4", "W6")
@pytest.mark.parametrize(
    ("before", "text", "content"),
    [
        ("我媳妇比我大两岁", "不对不对，上回我说媳妇比我大两岁，是大三岁", "用户的媳妇比用户大三岁"),
        ("我儿子对虾过敏", "错了，上次我说儿子对虾过敏，是对蟹过敏", "用户的儿子对蟹过敏"),
        ("我姑在三亚养老", "之前我说我姑在三亚养老，其实是在海口养老", "用户的姑在海口养老"),
        ("我弟比我小五岁", "说错了，是小四岁", "用户的弟比用户小四岁"),
        (
            "my husband's two years older than me",
            "sorry, I said my husband's two years older, it's four",
            "four years older",
        ),
        ("my dad's 71", "I told you my dad's 71, he's actually 72", "The user's dad is 72"),
        ("My sister has three kids", "wait, earlier I said my sister has three kids, it's four", "four kids"),
    ],
)
def test_a_correction_in_passing_is_of_the_person_whom_it_quotes(before: str, text: str, content: str) -> None:
    told = contents(text, before)
    assert len(told) == 1
    assert content in told[0]


@pytest.mark.req("W4", "W6")
@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("不是我对芒果过敏，是我媳妇", "用户的媳妇对芒果过敏"),
        ("对芒果过敏的不是我，是我妹", "用户的妹对芒果过敏"),
        ("不是我妈住院了，是我姑", "用户的姑住院了"),
        ("it's not me who's allergic to shellfish, it's my husband", "The user's husband is allergic to shellfish"),
        ("it was my brother who moved to Lisbon, not my cousin", "The user's brother moved to Lisbon"),
    ],
)
def test_what_is_told_of_one_and_not_of_another_is_told_of_the_one(text: str, content: str) -> None:
    assert contents(text) == [content]


@pytest.mark.req("W4", "W6")
def test_who_was_mixed_up_is_exchanged_in_what_was_said() -> None:
    said = contents(
        "Actually it was Oscar who fell off the swing, not Ruby, I mixed them up", "Ruby fell off the swing"
    )
    assert said == ["Oscar fell off the swing"]


@pytest.mark.req("W4", "W6")
@pytest.mark.parametrize(
    "text", ["我说老公做饭，是认真的", "I said my dad's a plumber, it's true", "不是我害羞，我就是喜欢人少"]
)
def test_what_sets_nothing_right_is_left_as_it_was_said(text: str) -> None:
    assert not any(
        one.endswith(("认真的做饭", "a true")) or one.startswith("The user's dad is true") for one in contents(text)
    )


@pytest.mark.req("W6")
@pytest.mark.parametrize("text", ["我弟比我小四岁", "我媳妇比我大两岁"])
def test_how_much_older_somebody_is_is_not_their_age(text: str) -> None:
    from tests.remember.cases import read

    assert not any(draft.slot and draft.slot.attribute == "age" for draft in read(text)[0])
