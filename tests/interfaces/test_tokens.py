"""`yinji token`, and what `yinji serve` refuses to begin with."""

from __future__ import annotations

import importlib.util
from datetime import datetime
from typing import Any

import pytest

from tests.conftest import SHANGHAI
from tests.interfaces.conftest import LANGUAGES, Yinji

CHINESE = range(0x4E00, 0x9FFF)


@pytest.mark.req("O3", "S1", "F32")
@LANGUAGES
def test_a_token_is_made_shown_once_listed_and_revoked(yinji: Yinji, lang: str) -> None:
    name = "手机" if lang == "zh" else "phone"
    made = yinji("token", "add", name, "--owner", "ann", "--app", "chat", "--may", "recall,list", "--lang", lang)
    secret = made.out.strip()
    assert secret.startswith("yinji_")
    assert len(secret) > 40
    assert secret not in made.err
    assert any(ord(char) in CHINESE for char in made.err.replace(name, "")) == (lang == "zh")
    listed = yinji("token", "list", "--lang", lang)
    assert listed.out.split("\t")[:3] == [name, "ann", "chat"]
    assert "list, recall" in listed.out
    assert secret not in listed.out + listed.err
    assert yinji("token", "list", "--owner", "bo").out == ""
    again = yinji("token", "add", name, "--lang", lang)
    assert again.code == 2
    assert yinji("token", "revoke", name, "--lang", lang).code == 0
    gone = yinji("token", "revoke", name, "--lang", lang)
    assert gone.code == 3
    assert yinji("token", "list").out == ""


@pytest.mark.req("O3", "P2")
def test_tokens_speak_json(yinji: Yinji) -> None:
    made = yinji("token", "add", "phone", "--may", "all", "--json").json
    assert made["token"].startswith("yinji_")
    assert made["owner"] == "me"
    assert "erase" in made["may"]
    assert [one["name"] for one in yinji("token", "list", "--json").json] == ["phone"]
    assert yinji("token", "add", "usual", "--json").json["may"] == ["recall", "remember"]
    assert yinji("token", "revoke", "phone", "--json").json == {"revoked": "phone"}
    brief = yinji("token", "add", "brief", "--until", "2999-01-01T00:00+08:00", "--json").json
    assert datetime.fromisoformat(brief["until"]) == datetime(2999, 1, 1, tzinfo=SHANGHAI)
    assert "2998-12-31" in yinji("token", "list").out or "2999-01-01" in yinji("token", "list").out
    assert yinji("token", "add", "gone", "--until", "2001-01-01T00:00+08:00").code == 2


@pytest.mark.enable_socket
@pytest.mark.req("P3", "O3")
@LANGUAGES
@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("token", "add"), "yinji token add"),
        (("token", "add", "x", "--may", "recal"), "recall"),
        (("serve", "--host", "0.0.0.0", "--port", "0"), "yinji token add"),
        (("serve", "--port", "99999"), "65535"),
        (("sereve",), "serve"),
    ],
)
def test_what_cannot_be_is_told_with_what_to_do(yinji: Yinji, arguments: tuple[str, ...], hint: str, lang: str) -> None:
    told = yinji(*arguments, "--lang", lang)
    assert told.code == 2
    assert hint in told.err
    assert any(ord(char) in CHINESE for char in told.err) == (lang == "zh")


@pytest.mark.req("P3", "S1")
@LANGUAGES
def test_without_the_extra_serve_says_what_to_install(yinji: Yinji, lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec

    def without(name: str, *rest: Any) -> Any:
        return None if name == "uvicorn" else find(name, *rest)

    monkeypatch.setattr(importlib.util, "find_spec", without)
    told = yinji("serve", "--lang", lang)
    assert told.code == 2
    assert "pip install 'yinji[serve]'" in told.err
    assert any(ord(char) in CHINESE for char in told.err) == (lang == "zh")
