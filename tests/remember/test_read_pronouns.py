"""What a pronoun stands for, read by the tuned layers: all wordings that end at one place are one thing (SPEC W4)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from yinji import Memory, Settings

READING = Settings.load(environment={})


@pytest.mark.req("W4")
@pytest.mark.parametrize(
    ("before", "message", "told"),
    [
        ("我姐下个月要去成都出差", "酒店她自己都订好了，在春熙路", "用户的姐"),
        ("my sister is off to Leeds next month", "she has booked a hotel by the station there", "The user's sister"),
        ("我们新来的产品经理叫周宁，以前在深圳", "周宁说他每天骑车来上班", "周宁"),
        ("Our new designer Priya comes from Cork", "Priya says she cycles to work every day", "Priya"),
    ],
)
def test_the_user_stays_the_owner_of_whom_a_pronoun_means(
    open_memory: Callable[..., Memory], before: str, message: str, told: str
) -> None:
    memory = open_memory(settings=READING)
    memory.remember(before, session="talk", wait=True)
    kept = memory.remember(message, session="talk", wait=True)
    assert any(told in one.content for one in kept.added), [one.content for one in kept.added]
