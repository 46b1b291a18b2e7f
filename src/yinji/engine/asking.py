"""The calls that find memories: recall, context, and why."""

from __future__ import annotations

import builtins
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from yinji.arguments import aware, kinds_of, listed, name, stretch, text, whole
from yinji.engine.desk import Desk
from yinji.errors import InvalidInput, ModelUnavailable, NotFound
from yinji.language.entities import entity_key
from yinji.language.names import may_be_names
from yinji.language.text import detect, is_blank
from yinji.language.time.conventions import using
from yinji.model import HOLDS, Context, Graph, Hit, Interval, MemoryEntry, Query, Recall, Scope, Validity, Why
from yinji.recall import budget as contexts
from yinji.recall.analyse import analyse, questions_in, says_nothing
from yinji.recall.breath import outlasting, said_with
from yinji.recall.fate import why, why_not_written
from yinji.recall.follow_up import in_full
from yinji.recall.gate import Need, asks, need, speaks_of
from yinji.recall.graph import graph
from yinji.recall.named import needs_known
from yinji.recall.newest import overtaken
from yinji.recall.pipeline import Finding, follow
from yinji.recall.read import answered
from yinji.recall.scope import outside
from yinji.remember.discern import referring
from yinji.remember.resolve import put_in
from yinji.review import FeedbackVerdict

if TYPE_CHECKING:
    from yinji.ports import Vector

USER_SAID, ASSISTANT_SAID = "user: ", "assistant: "
WAS_TRUE = HOLDS | {Validity.SUPERSEDED, Validity.EXPIRED}
"""What a question about a stretch of time may be answered with."""


class Asking(Desk):
    """Recalling: a question becomes hits, or text for a prompt; each hit can be asked why."""

    def recall(
        self,
        query: str,
        top_k: int | None = None,
        *,
        owner: str | None = None,
        now: datetime | None = None,
        as_of: datetime | None = None,
        during: Interval | None = None,
        kinds: Iterable[str] | None = None,
        scenes: Iterable[str] | None = None,
        past: bool = False,
        language: str | None = None,
        trace: bool = False,
    ) -> Recall:
        """The memories that answer a question, best first, each with its reasons; empty when none does.

        ``as_of`` answers as was known then, ``during`` with what was true then, ``past=True`` also with what no
        longer holds. ``language`` is that of the reasons; by default the question's. ``trace`` adds all that were
        weighed. Changes nothing. Raises InvalidInput.
        """
        asked = self._asked(
            query,
            owner=owner,
            now=now,
            as_of=as_of,
            during=during,
            kinds=kinds,
            scenes=scenes,
            past=past,
            language=language,
        )
        whose, most = asked.scope.owner, self._most(top_k)
        revision = self._store.revision(whose)
        if not trace and (known := self._answers.get(asked, most, revision)) is not None:
            return replace(known, query=asked.text, pending=self._store.pending(whose), stages_ms={})
        followed, stages, warnings = self._follow(asked, most)
        *_, last = followed.values()
        found = Recall(
            query=asked.text,
            hits=last.hits,
            warnings=warnings,
            pending=self._store.pending(whose),
            stages_ms=stages,
            trace=last.candidates if trace else (),
        )
        if not trace and not warnings:
            self._answers.put(asked, most, revision, found)
        return found

    def why(
        self,
        query: str,
        id: str,
        top_k: int | None = None,
        *,
        owner: str | None = None,
        now: datetime | None = None,
        as_of: datetime | None = None,
        during: Interval | None = None,
        kinds: Iterable[str] | None = None,
        scenes: Iterable[str] | None = None,
        past: bool = False,
        language: str | None = None,
    ) -> Why:
        """Why a memory answers this question, or at which stage it was lost. ``id``: of a memory, or of a turn.

        The other arguments are those of ``recall``, whose answer this explains. Changes nothing, and counts as no
        use. Raises NotFound for what was never written for this owner, or is erased; InvalidInput.
        """
        asked = self._asked(
            query,
            owner=owner,
            now=now,
            as_of=as_of,
            during=during,
            kinds=kinds,
            scenes=scenes,
            past=past,
            language=language,
        )
        whose = asked.scope.owner
        turn = self._store.turn(whose, id)
        if turn is not None:
            became = self._became(turn, repeated=False, warnings=())
            if not (became.added or became.reinforced):
                return why_not_written(asked, became.drops, waiting=became.pending)
            id = (*became.added, *became.reinforced)[0].id
        memory = self._store.get(whose, [self._find(id, whose)], hidden=True)[0]
        followed, _, _ = self._follow(asked, self._most(top_k))
        return why(memory, asked, followed, by=self._store.successor(whose, memory.id))

    def needs_recall(self, message: str, *, context: Iterable[str] = ()) -> Need:
        """Whether memories would make the answer to a message better, and how that was told. Changes nothing.

        ``context``: the conversation before it, oldest first, each line ``user: …`` or ``assistant: …``.
        """
        asked = text(message, "The message")
        lines = listed(context, "context") or ()
        vector = None if is_blank(asked) else self._vector(asked)[0]
        card = self._embedding.card
        return need(
            asked,
            context=lines,
            vector=vector,
            model=card.id if card else None,
            sensitivity=self._settings.recall.sensitivity,
        )

    def context(
        self,
        query: str,
        budget: int | None = None,
        *,
        owner: str | None = None,
        session: str | None = None,
        gate: bool = True,
        format: str | None = None,
        top_k: int | None = None,
        now: datetime | None = None,
        as_of: datetime | None = None,
        count_tokens: Callable[[str], int] | None = None,
        language: str | None = None,
        used: bool = True,
    ) -> Context:
        """Text for a prompt: hard facts first, then what the message recalls, within ``budget`` tokens.

        A message that needs no memory, or has no words, recalls nothing (``needed`` is then False), unless
        ``gate=False``; with ``session`` it is read after what was said before it there, with whom its pronouns stand
        for, and "and my brother?" as the question that it goes on from. Tokens are counted by ``count_tokens``, or by
        the stated estimate. What is shown counts as used (it grows stronger) unless ``used=False``. ``hits`` are the
        recalled ones alone. Raises InvalidInput.
        """
        limits = self._settings.context
        allowed = limits.budget if budget is None else whole(budget, "The budget", least=1)
        form = format or limits.format
        if form not in contexts.FORMS:
            raise InvalidInput(
                what="The format", problem=f"there is no {form!r}", hint=f"Use one of: {', '.join(contexts.FORMS)}."
            )
        moment = aware(now, "now") or self._clock()
        found, wanted = Recall(query=query, hits=()), False
        if not gate or not says_nothing(query):
            before = self._said_before(owner, session)
            asked, most = self._in_full(query, before, moment), top_k or limits.most + limits.brief
            found = self.recall(asked, most, owner=owner, now=moment, as_of=as_of, language=language)
            wanted = not gate or self._wanted(asked, found, before, owner=owner)
        if not wanted:
            found = replace(found, hits=())
        stable = contexts.stable_memories(self._hard_facts(self._whose(owner), as_of), limits.stable)
        context = contexts.pack(
            found.hits,
            stable,
            most=limits.most,
            budget=allowed,
            form=form,
            brief=limits.brief_share,
            fixed=limits.stable_share,
            count=count_tokens or contexts.estimate_tokens,
            warnings=found.warnings,
            needed=wanted,
            besides=self._besides(found.hits, self._whose(owner), as_of),
        )
        if used and context.hits and self._readonly:
            return replace(context, warnings=(*context.warnings, "not_counted:"))
        if used and context.hits:
            self.used([hit.memory.id for hit in context.hits], owner=owner, at=moment)
        return context

    def _in_full(self, message: str, before: Sequence[str], now: datetime) -> str:
        """The message as it would be asked by itself: with whom its pronouns stand for, and with what it leaves out of
        the question that it goes on from."""
        if not before:
            return message
        named = put_in(message, before, detect(message), refer=referring(self._embedding))
        said = [line.removeprefix(USER_SAID) for line in before if line.startswith(USER_SAID)]
        return in_full(named, said, now=now)

    def _wanted(self, query: str, found: Recall, before: Sequence[str], *, owner: str | None) -> bool:
        """Whether a message needs what was found for it."""
        return (
            self.needs_recall(query, context=before).recall
            or self._names_known(query, self._whose(owner))
            or speaks_of(query, [hit.memory.content for hit in found.hits])
            or answered(found.hits, asks=asks(query))
            or needs_known(query, found.hits)
        )

    def graph(
        self, name: str, *, owner: str | None = None, steps: int = 2, as_of: datetime | None = None, limit: int = 50
    ) -> Graph:
        """What hangs together with a name: the memories that hold it, and those that hold what they name, ``steps``
        far. Raises NotFound when no memory holds it, and InvalidInput.
        """
        key = entity_key(text(name, "The name"))
        scope = Scope(owner=self._whose(owner), as_of=aware(as_of, "as_of"))
        found = graph(
            self._store,
            scope,
            key,
            steps=whole(steps, "steps", least=1),
            limit=whole(limit, "limit", least=1),
        )
        if not found.edges:
            raise NotFound(what="name", name=name, nearest="")
        return found

    def used(self, ids: Iterable[str], *, owner: str | None = None, at: datetime | None = None) -> int:
        """Counts that these memories were really used in an answer; how many were known."""
        whose = self._whose(owner)
        known = [self._find(one, whose) for one in ids]
        self._answers.forget(whose)  # what is used grows stronger
        moment = aware(at, "at") or self._clock()
        self._note(known, FeedbackVerdict.USED, whose, moment)
        return self._store.touch(whose, known, at=moment)

    def _asked(
        self,
        query: str,
        *,
        owner: str | None,
        now: datetime | None,
        as_of: datetime | None,
        during: Interval | None,
        kinds: Iterable[str] | None,
        scenes: Iterable[str] | None,
        past: bool,
        language: str | None,
    ) -> Query:
        """A question as the stages take it, its arguments checked."""
        scope = Scope(
            owner=self._whose(owner),
            kinds=kinds_of(kinds),
            scenes=None if scenes is None else frozenset(listed(scenes, "scenes") or ()),
            as_of=aware(as_of, "as_of"),
            during=stretch(during, "during"),
            validity=frozenset(WAS_TRUE if during is not None else HOLDS),
        )
        moment = aware(now, "now") or self._clock()
        with using(self._settings.remember.time_conventions):
            return analyse(text(query, "The question"), scope=scope, now=moment, past=past, language=language)

    def _most(self, top_k: int | None) -> int:
        return self._settings.recall.top_k if top_k is None else whole(top_k, "top_k", least=1)

    def _follow(self, asked: Query, top_k: int) -> tuple[Mapping[str, Finding], dict[str, float], tuple[str, ...]]:
        """What every stage makes of a question, how long each took, and what the asker should know."""
        started = time.perf_counter()
        vector, warnings = self._vector(asked.text)
        finding = Finding(
            query=asked,
            top_k=top_k,
            store=self._store,
            settings=self._settings,
            card=self._embedding.card,
            vector=vector,
            rankings={},
            reranker=self._reranker,
            reader=self._embedding,
        )
        parts = (replace(finding, query=one, vector=self._vector(one.text)[0]) for one in questions_in(asked))
        finding = replace(finding, parts=tuple(parts))
        embedded = (time.perf_counter() - started) * 1000
        followed, took = follow(finding)
        *_, last = followed.values()
        return followed, {"embed": embedded, **took}, (*warnings, *last.warnings)

    def _names_known(self, message: str, owner: str) -> bool:
        """Whether a message names somebody or something that memories name, too."""
        return bool(self._store.mentioning(Scope(owner=owner), may_be_names(message), limit=1))

    def _said_before(self, owner: str | None, session: str | None) -> builtins.list[str]:
        """The latest turns of a session as lines, oldest first; none without a session."""
        if session is None:
            return []
        turns = self._store.recent_turns(
            self._whose(owner), name(session, "The session"), before_seq=None, limit=self._settings.store.turns_kept
        )
        said = [one for turn in turns for one in ((USER_SAID, turn.user), (ASSISTANT_SAID, turn.assistant))]
        return [f"{who}{line}" for who, line in said if line]

    def _vector(self, text: str) -> tuple[Vector | None, tuple[str, ...]]:
        if not self._embedding.available:
            return None, tuple(f"words_only:{note}" for note in self._embedding.state.notes)
        try:
            return self._embedding.query(text), ()
        except ModelUnavailable as error:
            return None, (f"words_only:{error}",)

    def _besides(
        self, hits: Sequence[Hit], owner: str, as_of: datetime | None
    ) -> dict[str, builtins.list[MemoryEntry]]:
        """What was said in the same turn as each hit and holds as it does; what may be outdated is told to be, also
        where only the question tells. Of a turn that is over in part, only what is a hit itself."""
        scope, memories = Scope(owner=owner, as_of=as_of), [hit.memory for hit in hits]
        every = said_with(self._store, replace(scope, as_of=None, validity=None), memories)
        said = {id: [one for one in others if outside(one, scope) is None] for id, others in every.items()}
        linked = overtaken([one for others in said.values() for one in others], scope, self._store)
        doubted = {*linked, *(hit.memory.id for hit in hits if hit.newer)}
        alone = outlasting(memories, every, ()) if as_of is None else frozenset()
        return {
            id: [contexts.outdated(one) if one.id in doubted else one for one in others]
            for id, others in said.items()
            if id not in alone
        }

    def _hard_facts(self, owner: str, as_of: datetime | None) -> builtins.list[MemoryEntry]:
        """What may be outdated is none, but where silence would do more harm."""
        scope = Scope(owner=owner, as_of=as_of)
        facts = self._store.hard_facts(scope)
        doubted = overtaken(facts, scope, self._store)
        return [one for one in facts if one.id not in doubted or one.pinned or contexts.guards(one)]
