"""`yinji remember --explain` shows each stage's decision on a text, and keeps nothing."""

from __future__ import annotations

import pytest

from tests.interfaces.conftest import Yinji

AT = ("--at", "2026-03-02T09:00")


@pytest.mark.req("W2", "W6", "E1")
@pytest.mark.parametrize(
    ("known", "text", "content", "value"),
    [
        ("我住在上海", "上周五我搬到了杭州。帮我查一下快递", "用户搬到了杭州", "杭州"),
        ("I live in Leeds", "I moved to York last Friday. Can you look up the trains?", "York", "york"),
    ],
)
def test_every_stage_is_told_and_nothing_is_changed(
    yinji: Yinji, known: str, text: str, content: str, value: str
) -> None:
    yinji("remember", known, *AT)
    before = yinji("list", "--json").json
    told = yinji("remember", "--explain", text, *AT, "--json").json
    assert yinji("list", "--json").json == before

    kept, dropped = told["pieces"]
    assert (kept["becomes"], kept["rules"], dropped["becomes"]) == ("added", None, "dropped")
    assert dropped["reason"] == dropped["rules"]
    assert dropped["reason"] in ("command", "question")
    assert all(told["text"][one["start"] : one["end"]] == one["text"] for one in told["pieces"])
    assert isinstance(kept["score"], float)
    assert kept["times"][0]["start"].startswith("2026-02-27")
    draft = kept["draft"]
    assert content in draft["content"]
    assert (draft["subject"], draft["polarity"], draft["modality"]) == ("user", "positive", "asserted")
    assert (draft["slot"]["attribute"], draft["slot"]["value"].lower()) == ("residence", value)
    judged = kept["judgements"][0]
    assert (judged["verdict"], judged["sure"]) == ("update", True)
    assert told["retires"] == [judged["memory"]["id"]]


@pytest.mark.req("W2", "W6")
@pytest.mark.parametrize(
    ("lang", "text", "words"),
    [
        ("zh", "李强在上海上班，他不吃香菜", ("记下", "规则", "分类器", "陈述", "否定", "没有记下或改动任何内容")),
        ("en", "My sister Nora hates coriander", ("kept", "rules", "classifier", "statement", "Nothing was kept")),
    ],
)
def test_it_is_told_in_the_users_language(yinji: Yinji, lang: str, text: str, words: tuple[str, ...]) -> None:
    yinji("remember", "ok")
    shown = yinji("remember", "--explain", text, "--lang", lang)
    assert all(word in shown.out + shown.err for word in words)


@pytest.mark.req("W2")
def test_the_same_again_is_told_as_known(yinji: Yinji) -> None:
    yinji("remember", "我对花生过敏", *AT)
    (piece,) = yinji("remember", "--explain", "我对花生过敏", *AT, "--json").json["pieces"]
    assert piece["becomes"] == "reinforced"


@pytest.mark.req("W2")
def test_a_file_is_not_explained(yinji: Yinji) -> None:
    assert yinji("remember", "--explain", "--file", "turns.jsonl").code == 2
