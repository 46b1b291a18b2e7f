"""From name to memory to name: what hangs together with whom, and the way there."""

from __future__ import annotations

import io
import json

import pytest

from tests.conftest import StandingClock
from yinji import Memory
from yinji.errors import NotFound

CHAINS = pytest.mark.parametrize(
    ("said", "start", "names", "last"),
    [
        (
            ("张工负责灯塔项目", "灯塔项目要等网关服务上线", "网关服务卡在证书上了"),
            "张工",
            ("灯塔",),
            "证书",
        ),
        (
            ("Alice leads Project Atlas", "Project Atlas waits for Kestrel", "Kestrel is blocked by the licence"),
            "Alice",
            ("atlas", "kestrel"),
            "licence",
        ),
    ],
    ids=["zh", "en"],
)


def told(memory: Memory, said: tuple[str, ...]) -> None:
    """The statements with their names marked, so that this is about the graph and not about finding names."""
    names = ("张工", "灯塔", "网关服务", "Alice", "Atlas", "Kestrel")
    found = [[(name, text.index(name)) for name in names if name in text] for text in said]
    memory.import_([{"content": text} for text in said])
    written = io.StringIO()
    memory.export(written)
    memory.erase("me")
    lines = [json.loads(line) for line in written.getvalue().splitlines()]
    for line in lines[1:]:
        (at,) = [at for at, text in enumerate(said) if text == line["content"]]
        line["entities"] = [
            {"name": name, "type": "project", "start": start, "end": start + len(name)} for name, start in found[at]
        ]
    memory.import_(lines[1:])


@pytest.mark.req("K7", "R13")
@CHAINS
def test_names_lead_from_memory_to_memory_and_the_way_is_shown(
    said: tuple[str, ...], start: str, names: tuple[str, ...], last: str, memory: Memory
) -> None:
    told(memory, said)
    near = memory.graph(start, steps=1)
    assert [edge.memory.content for edge in near.edges] == [said[0]]
    far = memory.graph(start, steps=3)
    assert {edge.memory.content for edge in far.edges} == set(said)
    (end,) = [edge for edge in far.edges if last in edge.memory.content]
    assert end.path[0] == start.casefold()
    assert all(any(name in one for one in end.path) for name in names)
    assert [edge.strength for edge in far.edges] == sorted((edge.strength for edge in far.edges), reverse=True)


@pytest.mark.req("K7", "O5")
@CHAINS
def test_a_forgotten_memory_takes_its_edges_along(
    said: tuple[str, ...], start: str, names: tuple[str, ...], last: str, memory: Memory
) -> None:
    told(memory, said)
    middle = next(one for one in memory.list() if one.content == said[1])
    memory.forget([middle.id])
    assert {edge.memory.content for edge in memory.graph(start, steps=3).edges} == {said[0]}
    memory.undo()
    assert len(memory.graph(start, steps=3).edges) == 3
    memory.forget([middle.id], hard=True)
    assert {edge.memory.content for edge in memory.graph(start, steps=3).edges} == {said[0]}


@pytest.mark.req("K7", "K4", "P3")
@CHAINS
def test_a_name_that_this_owner_never_told_is_not_found(
    said: tuple[str, ...], start: str, names: tuple[str, ...], last: str, memory: Memory
) -> None:
    told(memory, said)
    with pytest.raises(NotFound):
        memory.graph(start, owner="ben")
    with pytest.raises(NotFound):
        memory.graph("Zebediah")


@pytest.mark.req("K7", "K3")
@pytest.mark.parametrize(
    ("said", "name"),
    [("我女儿叫朵朵，今年五岁", "朵朵"), ("My daughter is called Nora", "Nora")],
    ids=["zh", "en"],
)
def test_what_is_said_of_a_name_is_in_the_graph_as_of_then(
    said: str, name: str, memory: Memory, clock: StandingClock
) -> None:
    memory.remember(said, wait=True)
    assert memory.graph(name).edges
    before = clock.now
    clock.move(days=-1)
    with pytest.raises(NotFound):
        memory.graph(name, as_of=clock.now)
    assert memory.graph(name, as_of=before).edges
