"""What is shown, and how: short, in whole words, under its own columns, with the time it was said."""

from __future__ import annotations

import json
import re
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.interfaces.conftest import LANGUAGES, Yinji
from tests.interfaces.test_streams import POSIX, on_a_terminal
from yinji import Memory
from yinji.interfaces.cli.show import SHOWN_DROPS, shortened
from yinji.interfaces.cli.widths import columns
from yinji.interfaces.messages import Messages

STYLE = re.compile(r"\x1b\[[0-9;]*m")
PASTED = {"en": "I like walking by the lake in the evening. ", "zh": "我喜欢在杭州西湖边散步。"}
CHAT = {"en": "ok {n}, thanks! ", "zh": "好的{n}，谢谢！"}
SAID = {"en": "I live in Leeds", "zh": "我住在杭州"}
LONG = {
    "en": "I keep a greenhouse behind the old mill where I grow tomatoes, basil, melons and three sorts of pepper",
    "zh": "我在老磨坊后面搭了一个玻璃温室，里面种着番茄、罗勒、甜瓜和三种不同的辣椒，每天傍晚都去浇水施肥",
}


@pytest.mark.req("P3", "W1")
@LANGUAGES
def test_a_pasted_book_that_was_not_kept_is_told_in_a_line(yinji: Yinji, lang: str) -> None:
    book = PASTED[lang] * 4000
    told = yinji("remember", "-", "--lang", lang, stdin=book)
    assert told.code == 0
    assert len(told.out) < 4000
    assert max(columns(line) for line in told.out.splitlines() if "·" in line) < 100
    drops = yinji("remember", "-", "--json", "--session", "b", stdin=book).json["drops"]
    cut = [one for one in drops if one.get("cut")]
    assert cut
    assert all(len(one["text"]) == 500 < one["end"] - one["start"] for one in cut)


@pytest.mark.req("P3")
@LANGUAGES
def test_shortening_takes_no_longer_for_a_longer_text(lang: str) -> None:
    def seconds(text: str) -> float:
        began = time.perf_counter()
        for _ in range(20):
            assert columns(shortened(text, 40)) <= 40
        return time.perf_counter() - began

    seconds(PASTED[lang] * 100)
    short, long = seconds(PASTED[lang] * 100), seconds(PASTED[lang] * 20_000)
    assert long < 50 * short  # 200 times as long a text; by its square it would be 40,000


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("abc", "abc"),
        ("a b\nc   ", "a b c"),
        ("abcdefgh", "abcd…"),
        ("我住在杭州", "我住…"),
        ("我住", "我住"),
        ("", ""),
    ],
)
@pytest.mark.req("P3")
def test_a_text_is_cut_to_its_columns(text: str, shown: str) -> None:
    assert shortened(text, 5) == shown


@pytest.mark.req("P3", "W2")
@LANGUAGES
def test_of_many_pieces_that_were_not_kept_some_are_shown_and_the_rest_counted(yinji: Yinji, lang: str) -> None:
    chat = "".join(CHAT[lang].format(n=at) + "\n" for at in range(60))
    drops = yinji("remember", "-", "--json", stdin=chat).json["drops"]
    assert len(drops) > SHOWN_DROPS
    told = yinji("remember", "-", "--lang", lang, "--session", "other", stdin=chat).out.splitlines()
    assert sum(line.startswith("  ·") for line in told) == SHOWN_DROPS
    assert str(len(drops) - SHOWN_DROPS) in told[-1]


@pytest.mark.req("P3", "W9")
@LANGUAGES
def test_what_is_known_already_is_told_once(yinji: Yinji, lang: str) -> None:
    yinji("remember", SAID[lang])
    told = yinji("remember", SAID[lang], "--session", "other", "--lang", lang).out
    say = Messages(lang)
    assert say("remember.reinforced", n=1) in told
    assert say("remember.drops") not in told


@pytest.mark.req("P2", "K3")
@LANGUAGES
def test_the_time_shown_is_when_it_was_said(yinji: Yinji, lang: str) -> None:
    (kept,) = yinji("remember", SAID[lang], "--at", "2026-01-10T12:00", "--json").json["added"]
    written = datetime.fromisoformat(kept["created_at"]).astimezone().strftime("%Y-%m-%d %H:%M")
    for shown in (yinji("list"), yinji("recall", SAID[lang])):
        assert "2026-01-10 12:00" in shown.out
        assert written not in shown.out
    details = dict(line.split("\t") for line in yinji("show", kept["id"], "--lang", lang).out.splitlines()[1:])
    say = Messages(lang)
    assert details[say("column.said")] == "2026-01-10 12:00"
    assert details[say("column.written")] == written


@pytest.mark.req("P2")
@POSIX
@LANGUAGES
def test_a_terminal_shows_a_long_memory_whole_and_within_its_width(
    yinji: Yinji, environment: dict[str, str], lang: str
) -> None:
    line = json.dumps({"content": LONG[lang]}, ensure_ascii=False)
    assert yinji("import", "-", stdin=line).code == 0
    environment = environment | {"NO_COLOR": "1", "TERM": "xterm", "YINJI_LANG": lang}
    for command in (["list"], ["remember", LONG[lang]]):
        _, shown = on_a_terminal(command, "", environment)
        shown = STYLE.sub("", shown)
        assert max(map(columns, shown.splitlines())) <= 80, shown
        if command == ["list"]:
            assert "…" not in shown
            assert set(LONG[lang]) <= set(shown)


@pytest.mark.req("P2")
@LANGUAGES
def test_a_context_says_when_its_budget_is_too_small(yinji: Yinji, lang: str) -> None:
    yinji("remember", SAID[lang])
    made = yinji("context", SAID[lang], "--budget", "3", "--lang", lang)
    assert not made.out.strip()
    assert "--budget" in made.err
    assert "--budget" not in yinji("context", SAID[lang], "--lang", lang).err


@pytest.mark.req("P2")
def test_one_is_not_told_as_many() -> None:
    say = Messages("en")
    assert say("export.done", n=1, path="x") == "1 memory written to x."
    assert say("export.done", n=3, path="x") == "3 memories written to x."
    assert say.warning("replaced:1").startswith("1 character that")
    assert Messages("zh")("export.done", n=1, path="x") == "已把 1 条记忆写入 x。"


@pytest.mark.req("P1")
def test_a_memory_in_python_tells_its_file_and_owner(tmp_path: Path) -> None:
    from yinji import Settings

    settings = Settings.load(environment={}).with_values("embed", {"model": "none"})
    with Memory.open(tmp_path / "m.yinji", owner="ann", settings=settings, clock=lambda: datetime.now(UTC)) as memory:
        assert repr(memory) == f"Memory({str(tmp_path / 'm.yinji')!r}, owner='ann')"
