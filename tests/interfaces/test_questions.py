"""The questions of the engine on the command line."""

from __future__ import annotations

import pytest

from tests.interfaces.conftest import Yinji


@pytest.mark.req("L8", "P2")
@pytest.mark.parametrize(
    ("lang", "said", "asks", "nothing"),
    [
        ("zh", ("我的血型是A型", "我的血型是O型"), "以哪个为准", "没有要问的"),
        ("en", ("My blood type is A", "My blood type is O"), "Which is right?", "nothing to ask"),
    ],
)
def test_questions_are_listed_and_answered(
    yinji: Yinji, lang: str, said: tuple[str, str], asks: str, nothing: str
) -> None:
    for text in said:
        yinji("remember", text)
    (question,) = yinji("questions", "--json").json
    assert asks in question["text"]
    assert asks in yinji("questions", "--lang", lang).out
    assert yinji("questions", question["id"]).code != 0
    assert yinji("questions", question["id"], "new").code == 0
    assert nothing in yinji("questions", "--lang", lang).err
