"""Writing the server into a client's configuration: shown first, nothing else in the file touched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.interfaces.conftest import LANGUAGES, Yinji
from yinji.errors import InvalidInput
from yinji.interfaces.mcp_server.clients import Client, clients, entry, with_server, write


@pytest.mark.req("S3")
@pytest.mark.parametrize("name", sorted(clients(Path("home"), Path("here"))))
def test_what_stands_in_a_clients_file_stays(name: str, tmp_path: Path) -> None:
    client = clients(tmp_path / "home", tmp_path / "here")[name]
    assert write(client, with_server(client, entry([]))) is None
    before = json.loads(client.file.read_text(encoding="utf-8"))
    before["主题"] = {"dark": True}
    before[client.key]["other"] = {"command": "other"}
    client.file.write_text(json.dumps(before), encoding="utf-8")
    kept = write(client, with_server(client, entry(["--owner", "ann"])))
    made = json.loads(client.file.read_text(encoding="utf-8"))
    assert (made["主题"], made[client.key]["other"]) == ({"dark": True}, {"command": "other"})
    assert made[client.key]["yinji"]["args"] == ["-m", "yinji", "--owner", "ann", "mcp"]
    assert kept is not None
    assert json.loads(kept.read_text(encoding="utf-8")) == before


@pytest.mark.req("S3", "P3")
@pytest.mark.parametrize("text", ["{", "[]", '{"mcpServers": 3}'])
def test_a_file_that_cannot_be_read_is_left_as_it_is(text: str, tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput):
        with_server(Client(file=file), entry([]))
    assert file.read_text(encoding="utf-8") == text


@pytest.mark.req("S3", "P3")
@LANGUAGES
def test_an_unknown_client_gets_the_nearest_and_nothing_is_written_unasked(yinji: Yinji, lang: str) -> None:
    wrong = yinji("mcp", "install", "claude-desktp", "--lang", lang)
    assert wrong.code == 2
    assert "claude-desktop" in wrong.err
    assert yinji("mcp", "install", "cursor", "--lang", lang).code != 0
