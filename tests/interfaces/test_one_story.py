"""One story through every door: what is said, asked, corrected and forgotten is the same whichever way it is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest
from anyio.from_thread import BlockingPortal

from tests.conftest import StandingClock
from tests.interfaces.conftest import Yinji
from tests.interfaces.doors import EVERY_DOOR, Ground, opened, proxy
from tests.interfaces.model import Model
from tests.story import STORIES, Door, Story, play
from yinji import Memory, Settings

Told = Sequence[Sequence[str]]


@pytest.fixture(scope="session")
def in_python(hashing: Settings, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Story], Told]:
    """What the story tells through the Python door."""
    known: dict[str, Told] = {}

    def tell(story: Story) -> Told:
        if story.question not in known:
            with Memory.open(tmp_path_factory.mktemp("python") / "memory.yinji", settings=hashing) as memory:
                known[story.question] = play(story, memory)
        return known[story.question]

    return tell


@pytest.fixture
def ground(
    *,
    memory: Memory,
    clock: StandingClock,
    hashing: Settings,
    portal: BlockingPortal,
    yinji: Yinji,
    environment: Mapping[str, str],
    model: Model,
) -> Ground:
    return Ground(
        memory=memory,
        clock=clock,
        settings=hashing,
        portal=portal,
        yinji=yinji,
        environment=environment,
        model=model,
        opened=ExitStack(),
    )


def answers(told: Told) -> list[list[str]]:
    """The first of each, and what else was there: what a chat was told counts as used, which moves what comes after."""
    return [[*found[:1], *sorted(found[1:])] for found in told]


@pytest.mark.enable_socket
@pytest.mark.req("S1", "S3", "S4", "O11", "P1", "P2", "R9", "F6", "F51")
@STORIES
@EVERY_DOOR
def test_every_door_tells_the_story_that_python_tells(
    story: Story,
    make: Callable[[Ground], Door],
    ground: Ground,
    in_python: Callable[[Story], Told],
    tmp_path: Path,
) -> None:
    with opened(make, ground) as door:
        told, expected = play(story, door), in_python(story)
    if make is proxy:
        told, expected = answers(told), answers(expected)
    assert told == expected
    ground.memory.close()
    for path in filter(Path.is_file, tmp_path.rglob("*")):
        assert story.secret_word.encode() not in path.read_bytes(), path.name
