"""Nothing that identifies, pays or unlocks is in the file, its log, or what the program logged, by any way in."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.language.test_sensitive_cases import LINES, read
from yinji import Memory, Turn
from yinji.config import Settings
from yinji.errors import InvalidInput
from yinji.language.sensitive import find, policy
from yinji.language.text import content_key

NEVER = frozenset(policy().types("mask", "drop"))
SAID = [read(line) for line in LINES]
SECRETS = sorted({value for _, marked in SAID for kind, value, _ in marked if kind in NEVER and len(value) >= 6})
TEXTS = [text for text, marked in SAID if any(kind in NEVER for kind, _, _ in marked)]


def bytes_of(folder: Path) -> bytes:
    """All files of the store as they lie on the disk: the file itself, -wal, -shm, whatever is beside it."""
    return b"".join(path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file())


def leaked(written: bytes, logged: str) -> list[str]:
    """Which secrets stand there as they were said, or as the store keys and indexes text."""
    both = written + logged.encode("utf-8")
    keys = both.lower()
    found = [value for value in SECRETS if value.encode("utf-8") in both]
    return found + [
        value for value in SECRETS if len(content_key(value)) >= 8 and content_key(value).encode("utf-8") in keys
    ]


def test_there_are_enough_secrets_of_every_class_and_in_both_languages() -> None:
    assert len(SECRETS) >= 60
    assert {one.type for text in TEXTS for one in find(text)} >= NEVER


@pytest.mark.req("W10", "F34", "O12")
def test_what_is_remembered_leaves_no_secret_in_the_file_or_the_log(
    memory: Memory, tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    now = memory._clock()  # the fixture's clock, which stands still
    turns = [Turn(user=text, assistant=f"OK: {text}", at=now, session=f"s{at % 7}") for at, text in enumerate(TEXTS)]
    memory.remember_many(turns, wait=True)
    for text in TEXTS[::9]:
        memory.recall(text)
        memory.context(text)
    told = capfd.readouterr()
    assert b"13812345678" in bytes_of(tmp_path), "what is only marked is there to be found, so the search works"
    assert leaked(bytes_of(tmp_path), caplog.text + told.out + told.err) == []


@pytest.mark.req("W10", "F34", "O9")
def test_what_is_imported_or_edited_leaves_none_either(
    open_memory: Callable[..., Memory], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    (tmp_path / "store").mkdir()
    memory = open_memory("store/memory.yinji")
    source = tmp_path / "memories.jsonl"
    lines = [{"content": f"{text} ({at})", "at": "2026-03-01T10:00:00+08:00"} for at, text in enumerate(TEXTS)]
    source.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), encoding="utf-8")
    assert memory.import_(source).new > 0
    kept = memory.remember("我在杭州的一家公司做后端开发", wait=True).added[0]
    for text in TEXTS[::5]:
        with suppress(InvalidInput):  # Where nothing else is left.
            memory.edit(kept.id, content=f"工作: {text}")
    assert leaked(bytes_of(tmp_path / "store"), caplog.text) == []


@pytest.mark.req("W10", "F34", "O9")
def test_a_full_record_cannot_bring_a_secret_in_through_its_fields(
    open_memory: Callable[..., Memory], tmp_path: Path
) -> None:
    (tmp_path / "store").mkdir()
    memory = open_memory("store/memory.yinji")
    memory.remember("我女儿叫朵朵，在杭州上学，护照明年到期", wait=True)
    exported = tmp_path / "out.jsonl"
    with exported.open("w", encoding="utf-8") as out:
        memory.export(out)
    records = [json.loads(line) for line in exported.read_text(encoding="utf-8").splitlines()]
    for record in records[1:]:
        record["id"] = record["id"][:-6] + "abcdef"
        record["content"] = "用户的银行卡换成了6222021001116245702，旧卡还能用"
        record["slot"] = {"subject": "user", "attribute": "card", "value": "6222021001116245702", "single": True}
        record["entities"] = [{"name": "6222021001116245702", "type": "code", "start": 0, "end": 19}]
    assert memory.import_(records).errors == ()
    assert b"6222021001116245702" not in bytes_of(tmp_path / "store")


@pytest.mark.req("W10", "F34")
@pytest.mark.parametrize(
    ("asked", "value"),
    [
        ("你家的门禁密码是多少？", "774411#"),
        ("把短信验证码发我一下", "930184"),
        ("What is your wifi password?", "mellow-kettle-88"),
        ("Which verification code did you get?", "930184"),
    ],
)
def test_a_value_in_a_turn_of_its_own_is_known_by_what_was_asked(
    memory: Memory, tmp_path: Path, asked: str, value: str
) -> None:
    memory.remember("我想把备忘补全", asked, session="a", seq=0, wait=True)
    first = memory.remember(value, "好的", session="a", seq=1, wait=True)
    again = memory.remember(value, "好的", session="a", seq=1, wait=True)
    assert (first.repeated, again.repeated) == (False, True)
    assert value.encode() not in bytes_of(tmp_path)


@pytest.mark.req("W10", "F34")
@pytest.mark.parametrize("reply", [None, "好的。", "Sure, go ahead."])
@pytest.mark.parametrize(
    ("said", "then"),
    [
        ("wifi密码：", "mellowkettle"),
        ("我家门禁密码给你", "739182"),
        ("wifi密码是hunter2-blue", "打错了，是hunter3-blue"),
        ("银行卡密码是482100", "不对，是482011"),
        ("我的护照号是", "E12894037"),
        ("我家地址是：", "文三路 478号 3-2-501"),
        ("My wifi password is...", "mellowkettle"),
        ("I'll send you the door code next", "739182#"),
        ("the password is hunter2-blue", "sorry, hunter3-blue"),
        ("my pin is 482100", "wait no, 482011"),
        ("my passport number is", "E12894037"),
        ("my address is", "1803 Fennimore"),
    ],
)
def test_a_value_that_follows_in_a_turn_of_its_own_or_corrects_one_is_not_written(
    memory: Memory, tmp_path: Path, said: str, then: str, reply: str | None
) -> None:
    memory.remember(said, reply, session="a", seq=0, wait=True)
    memory.remember(then, reply, session="a", seq=1, wait=True)
    value = max(re.findall(r"[0-9A-Za-z-]{6,}", then), key=len)
    assert value.encode() not in bytes_of(tmp_path)


@pytest.mark.req("W10", "W2")
@pytest.mark.parametrize(
    "text",
    [
        "我的护照号是E12345678",
        "我的银行卡号是6222021001116245702",
        "My card number is 4111111111111111",
        "我的密码是abc12345",
    ],
)
def test_a_statement_that_is_nothing_but_a_number_is_dropped_with_its_reason(memory: Memory, text: str) -> None:
    taken = memory.remember(text, wait=True)
    assert taken.added == ()
    assert [drop.reason.value for drop in taken.drops] == ["sensitive"]
    assert "[" in taken.drops[0].text


@pytest.mark.req("W10", "W4")
@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("我的密码是hunter2-blue，我住在杭州", ["用户住在杭州"]),
        ("门禁密码739182#，我女儿叫朵朵", ["用户的女儿叫朵朵"]),
        ("密码是482100，我在阿里上班", ["用户在阿里上班"]),
        ("my wifi password is hunter2-blue and I live in Leeds", ["The user lives in Leeds"]),
        ("the pin is 482100 and my husband works nights", ["The user's husband works nights"]),
        ("The gate code is 739182# and it never works", []),
    ],
)
def test_what_is_told_beside_a_secret_is_kept_without_it(memory: Memory, text: str, kept: list[str]) -> None:
    assert [one.content for one in memory.remember(text, wait=True).added] == kept


@pytest.mark.req("W10", "O2")
@pytest.mark.parametrize(
    "text",
    [
        "我的手机号是13812345678",
        "我每个月工资两万，存一半",
        "My phone number is 415-555-0132",
        "I was diagnosed with diabetes",
    ],
)
def test_what_is_delicate_is_kept_and_marked(memory: Memory, text: str) -> None:
    (kept,) = memory.remember(text, wait=True).added
    assert kept.sensitivity.value == "sensitive"


@pytest.mark.req("W10", "O2", "O5")
@pytest.mark.parametrize(
    ("said", "edited"),
    [
        ("我喜欢喝乌龙茶", "我的手机号是13812345678"),
        ("我住在苏州", "我确诊了糖尿病"),
        ("I like jasmine tea", "my phone number is 415-555-0132"),
        ("I live in Lisbon", "I was diagnosed with diabetes"),
    ],
)
def test_a_memory_edited_to_something_delicate_is_marked_until_the_edit_is_taken_back(
    memory: Memory, said: str, edited: str
) -> None:
    (kept,) = memory.remember(said, wait=True).added
    assert kept.sensitivity.value == "normal"
    assert memory.edit(kept.id, content=edited).sensitivity.value == "sensitive"
    assert memory.edit(kept.id, importance=0.9).sensitivity.value == "sensitive"
    memory.undo()
    memory.undo()
    assert memory.get(kept.id).sensitivity.value == "normal"


@pytest.mark.req("W10", "O2")
@pytest.mark.parametrize("text", ["我的工号是A12345，在三号楼上班", "My badge is A12345 and I work in Leeds"])
def test_what_ones_own_policy_marks_makes_a_memory_sensitive(tmp_path: Path, text: str) -> None:
    path = tmp_path / "policy.toml"
    rule = "[[rule]]\ntype = \"badge\"\npatterns = ['(?:工号是|badge is )(?P<value>[A-Z]\\d{5})']\n"
    path.write_text(f'[policy]\nbadge = "mark"\n{rule}', encoding="utf-8")
    settings = Settings.load(environment={}).with_values("remember", {"sensitive_policy": str(path)})
    with Memory.open(tmp_path / "own.yinji", settings=settings) as own, Memory.open(tmp_path / "plain.yinji") as plain:
        assert {one.sensitivity.value for one in own.remember(text, wait=True).added} == {"sensitive"}
        assert {one.sensitivity.value for one in plain.remember(text, wait=True).added} == {"normal"}
