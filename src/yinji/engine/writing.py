"""The calls that take turns in."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, TypedDict

from yinji.arguments import aware, choice, said
from yinji.engine.desk import Desk
from yinji.errors import NotFound, StoreError
from yinji.language.packs import pack
from yinji.model import Judgement, Remembered, Role, Turn
from yinji.ports import Accepted
from yinji.remember import onboarding
from yinji.remember.receive import Reception
from yinji.review import OnboardingQuestion

if TYPE_CHECKING:
    from yinji.config import Settings
    from yinji.ports import Store
    from yinji.remember.book import PassageEmbedder
    from yinji.remember.explain import Explained

IMPORT_BATCH = 256

Progress = Callable[[int, int | None], None]
"""Called with how much is done and how much there is, when that is known."""


class Dry(TypedDict):
    """What a reading that commits nothing works with."""

    store: Store
    embedder: PassageEmbedder | None
    now: datetime
    settings: Settings
    new_id: Callable[[], str]


class Writing(Desk):
    """Remembering: a turn is durable when it is taken, and read in the background."""

    def remember(
        self,
        user_msg: str,
        assistant_msg: str | None = None,
        *,
        owner: str | None = None,
        session: str = "default",
        seq: int | None = None,
        key: str | None = None,
        at: datetime | None = None,
        role: str = "user",
        app: str | None = None,
        wait: bool = False,
    ) -> Remembered:
        """Takes one turn. It is durable when this returns; what is worth keeping is read from it in the background.

        ``seq`` numbers turns within ``session`` and ``key`` is the caller's own idempotency key: the same turn
        again changes nothing, the same key with other words raises KeyReused. ``at`` is when it was said, in the
        speaker's zone. ``wait=True`` returns what became of it. Raises InvalidInput, StoreError.
        """
        turn = Turn(
            user=user_msg,
            assistant=assistant_msg,
            at=at if at is not None else self._clock(),
            session=session,
            seq=-1 if seq is None else seq,
            key=key or "",
            role=choice(Role, role, "role"),
            app=app,
        )
        return self.remember_many([turn], owner=owner, wait=wait)[0]

    def remember_many(
        self,
        turns: Iterable[Turn | Mapping[str, object]],
        *,
        owner: str | None = None,
        wait: bool = True,
        progress: Progress | None = None,
    ) -> builtins.list[Remembered]:
        """Takes a conversation, in order; a turn may be a dict of its parts. Each batch is durable as a whole or not
        taken; a later call with the same turns goes on where this one stopped: repeated turns change nothing.
        """
        whose = self._whose(owner)
        now = self._clock()
        ready = self._reception(whose, now).receive([said(turn, now) for turn in turns])
        accepted: builtins.list[tuple[Accepted, tuple[str, ...]]] = []
        for start in range(0, len(ready), IMPORT_BATCH):
            batch = ready[start : start + IMPORT_BATCH]
            taken = self._store.accept([turn for turn, _ in batch])
            accepted += [(one, warnings) for one, (_, warnings) in zip(taken, batch, strict=True)]
            if any(one.pending for one in taken):
                self._reader.wake()
        unread = self._await([one.turn for one, _ in accepted if one.pending], whose, progress) if wait else ()
        return [
            self._became(one.turn, repeated=one.repeated, warnings=(*warnings, *unread)) for one, warnings in accepted
        ]

    def weigh(
        self, user_msg: str, *, owner: str | None = None, session: str = "default", at: datetime | None = None
    ) -> builtins.list[Judgement]:
        """What a message would be to what is kept, each statement to each memory near it; it changes nothing.

        What is acted on comes first. Raises InvalidInput.
        """
        from yinji.remember.pipeline import weigh_turn

        return weigh_turn(self._received(user_msg, owner, session, at), **self._dry())

    def explain(
        self, user_msg: str, *, owner: str | None = None, session: str = "default", at: datetime | None = None
    ) -> Explained:
        """What each stage decides on a message, piece by piece, and what would become of it; it changes nothing.

        The arguments are those of ``remember``. A language model is not asked. Raises InvalidInput.
        """
        from yinji.remember.explain import explain_turn

        return explain_turn(self._received(user_msg, owner, session, at), **self._dry())

    def onboarding(self, *, owner: str | None = None, language: str | None = None) -> tuple[OnboardingQuestion, ...]:
        """The first questions, in that language or the one most memories are in; ``onboard`` takes the answers."""
        return onboarding.questions(self._tongue(language, owner))

    def onboard(
        self,
        answers: Mapping[str, str],
        *,
        owner: str | None = None,
        language: str | None = None,
        at: datetime | None = None,
        wait: bool = True,
    ) -> builtins.list[Remembered]:
        """Keeps answers to the first questions, by the questions' ids, as core and semantic memories.

        Questions without an answer are skipped; a later answer to the same question replaces the earlier one.
        Raises InvalidInput for a question that there is not.
        """
        whose, moment = self._whose(owner), aware(at, "at") or self._clock()
        given = onboarding.checked(answers, self._tongue(language, owner))
        turns = [onboarding.turn_of(one, at=moment, owner=whose) for one in given]
        return self.remember_many(turns, owner=whose, wait=wait)

    def _tongue(self, language: str | None, owner: str | None) -> str:
        spoken = self._store.stats(self._whose(owner)).by_language
        wanted = language or max(spoken, key=lambda one: spoken[one], default="en")
        return pack(wanted).language

    def flush(self, timeout: float | None = None) -> int:
        """Waits until every accepted turn is read, or ``timeout`` seconds; how many still wait.

        Opened for reading only, it waits for nothing.
        """
        waiting = self._store.pending()
        if not waiting or self._readonly or timeout == 0:
            return waiting
        self._reader.wake()
        self._reader.wait(lambda: not self._store.pending(), timeout)
        return self._store.pending()

    def outcome(self, turn_id: str, *, owner: str | None = None) -> Remembered:
        """What became of a turn that was accepted earlier; ``pending`` while it waits. Raises NotFound."""
        turn = self._store.turn(self._whose(owner), turn_id)
        if turn is None:
            raise NotFound(what="turn", name=turn_id, nearest="")
        return self._became(turn, repeated=False, warnings=())

    def _received(self, user_msg: str, owner: str | None, session: str, at: datetime | None) -> Turn:
        """A message as it would be read, without being taken."""
        whose, now = self._whose(owner), self._clock()
        turn = said(Turn(user=user_msg, at=at if at is not None else now, session=session), now)
        ((ready, _),) = self._reception(whose, now).receive([turn])
        return ready

    def _dry(self) -> Dry:
        """What a reading that commits nothing works with."""
        return {
            "store": self._store,
            "embedder": self._embedding if self._embedding.available else None,
            "now": self._clock(),
            "settings": self._settings,
            "new_id": self._new_id,
        }

    def _reception(self, owner: str, now: datetime) -> Reception:
        return Reception(
            owner=owner,
            store=self._store,
            policy=self._sensitive,
            turns_kept=self._settings.store.turns_kept,
            now=now,
            new_id=self._new_id,
        )

    def _await(self, turns: Sequence[Turn], owner: str, progress: Progress | None) -> tuple[str, ...]:
        """Waits until these are read. They are safe whatever stops the reading, so that is a warning."""
        ids = [turn.id for turn in turns]

        def done() -> bool:
            waiting = self._store.pending(owner, ids)
            if progress is not None:
                progress(len(ids) - waiting, len(ids))
            return not waiting

        if not ids:
            return ()
        try:
            self._reader.wait(done, None)
        except StoreError as error:
            return (f"not_read:{error}",)
        return ()
