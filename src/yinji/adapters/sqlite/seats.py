"""How many may read a file at once, and which threads do."""

from __future__ import annotations

import threading


class Seats:
    """A semaphore that knows who holds it.

    An interrupt (Ctrl-C) may strike between taking a seat and the block that gives it back. Such a seat belongs to
    the thread that was interrupted: that same thread, closing the file, must not wait for itself.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._taken: dict[object, int] = {}
        self._shut = False
        self._changed = threading.Condition()

    def take(self, timeout: float) -> object | None:
        """A seat, to be given back; None when none came free in ``timeout`` seconds."""
        with self._changed:
            if not self._changed.wait_for(lambda: not self._shut and len(self._taken) < self._count, timeout):
                return None
            seat = object()
            self._taken[seat] = threading.get_ident()
            return seat

    def give(self, seat: object) -> None:
        with self._changed:
            self._taken.pop(seat, None)
            self._changed.notify_all()

    def shut(self, timeout: float | None = None, *, own: bool = False) -> bool:
        """Lets nobody in any more and waits until all seats are free; False when the time ran out.

        ``own``: without waiting for those of the calling thread.
        """
        me = threading.get_ident() if own else None
        with self._changed:
            self._shut = True
            return self._changed.wait_for(lambda: all(one == me for one in self._taken.values()), timeout)

    def reopen(self) -> None:
        with self._changed:
            self._shut = False
            self._changed.notify_all()
