"""An interrupt may strike anywhere; closing the file must not wait for what was interrupted."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from yinji.adapters.sqlite.connection import READERS, File, Options
from yinji.adapters.sqlite.seats import Seats
from yinji.errors import StoreBusy


@pytest.mark.req("W13", "P2")
def test_a_seat_that_an_interrupt_left_taken_does_not_keep_its_thread_from_closing(tmp_path: Path) -> None:
    file = File(str(tmp_path / "memory.yinji"), Options(busy_s=0.05))
    with file.write() as db:
        db.execute("CREATE TABLE kept (id INTEGER)")
    for _ in range(READERS):
        file._seats.take(0)
    with pytest.raises(StoreBusy), file.read():
        pass
    file.close()
    assert file.closed


@pytest.mark.req("K10")
def test_closing_waits_for_the_reads_of_other_threads(tmp_path: Path) -> None:
    file = File(str(tmp_path / "memory.yinji"), Options())
    with file.write() as db:
        db.execute("CREATE TABLE kept (id INTEGER)")
    reading, go_on, seen = threading.Event(), threading.Event(), []

    def read() -> None:
        with file.read() as db:
            reading.set()
            go_on.wait()
            seen.append(db.execute("SELECT count(*) FROM kept").get)

    reader = threading.Thread(target=read)
    closer = threading.Thread(target=file.close)
    reader.start()
    reading.wait()
    closer.start()
    go_on.set()
    closer.join()
    reader.join()
    assert seen == [0]


@pytest.mark.req("K10")
def test_nobody_gets_in_while_the_seats_are_shut_and_all_may_again_when_they_reopen() -> None:
    seats = Seats(2)
    first = seats.take(0)
    assert first is not None
    assert not seats.shut(0)
    assert seats.take(0) is None
    seats.give(first)
    assert seats.shut(0)
    seats.reopen()
    assert [seats.take(0) is None for _ in range(3)] == [False, False, True]
