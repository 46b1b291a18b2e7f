"""What every call needs: whose memories, the store, the embedder, the clock; and a few looks at them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from yinji.arguments import name
from yinji.config import Settings
from yinji.embedding import EmbedderState, Embedding
from yinji.errors import InvalidInput, MissingOwner, NotFound
from yinji.language import sensitive
from yinji.model import Remembered, Turn
from yinji.ownership.replays import Replays
from yinji.ownership.tokens import Tokens
from yinji.ports import LLM, Clock, Store
from yinji.recall.cache import Answers
from yinji.recall.rerank import Timed
from yinji.remember.reader import Reader
from yinji.review import FeedbackVerdict

SHORTEST_TAIL = 6
USER = "user"


class Desk:
    """Where the calls of :class:`yinji.Memory` work. Its three kinds of calls each have a module that builds on it."""

    def __init__(
        self,
        *,
        store: Store,
        embedding: Embedding,
        settings: Settings,
        owner: str,
        clock: Clock,
        new_id: Callable[[], str],
        stable_id: Callable[[str, datetime | None], str],
        holder: str,
        new_secret: Callable[[], str],
        readonly: bool = False,
        reads: bool = True,
        llm: LLM | None = None,
        reranker: Timed | None = None,
    ) -> None:
        self._store = store
        self._readonly = readonly
        self._embedding = embedding
        self._reranker = reranker
        self._settings = settings
        self._owner = owner
        self._clock = clock
        self._new_id = new_id
        self._stable_id = stable_id
        self._sensitive = sensitive.policy(settings.remember.sensitive_policy)
        self._reader = Reader(
            store, embedding, settings=settings, clock=clock, new_id=new_id, holder=holder, reads=reads, llm=llm
        )
        self.tokens = Tokens(store, clock=clock, new_secret=new_secret)
        self.replays = Replays(store, clock=clock)
        self._answers = Answers()
        self._closed = False
        self._match_model()

    @property
    def path(self) -> str:
        return self._store.path

    @property
    def embedder(self) -> EmbedderState:
        """What turns text into vectors here, and why, if it is not the first choice."""
        return self._embedding.state

    def _whose(self, owner: str | None) -> str:
        whose = self._owner if owner is None else owner
        if not isinstance(whose, str) or not whose.strip():
            raise MissingOwner()
        return name(whose, "The owner")

    def _find(self, id: str, owner: str) -> str:
        """The whole id for a whole id or its last characters. Raises NotFound, InvalidInput when it is not one."""
        tail = id.strip().lower() if isinstance(id, str) else ""
        if len(tail) < SHORTEST_TAIL:
            raise InvalidInput(
                what=f"The id {id!r}",
                problem="it is too short",
                hint=f"Give its last {SHORTEST_TAIL} characters, or all.",
            )
        found = self._store.find(owner, tail, limit=2)
        if not found:
            raise NotFound(what="memory", name=id, nearest="")
        if len(found) > 1:
            raise InvalidInput(what=f"The id {id!r}", problem="several memories end so", hint="Give more of it.")
        return found[0]

    def _note(self, ids: Iterable[str], verdict: FeedbackVerdict, owner: str, at: datetime) -> None:
        """Records what became of memories, without content (SPEC E2)."""
        self._store.add_feedback(owner, [(one, verdict, None) for one in ids], at=at)

    def _became(self, turn: Turn, *, repeated: bool, warnings: tuple[str, ...]) -> Remembered:
        outcome = self._store.outcome_of(turn.owner, turn.id)
        if outcome is None:
            return Remembered(
                turn_id=turn.id, session=turn.session, seq=turn.seq, pending=True, repeated=repeated, warnings=warnings
            )
        added, reinforced, superseded, drops, noted = outcome
        return Remembered(
            turn_id=turn.id,
            session=turn.session,
            seq=turn.seq,
            pending=False,
            repeated=repeated,
            added=tuple(self._store.get(turn.owner, added)),
            reinforced=tuple(self._store.get(turn.owner, reinforced)),
            superseded=tuple(self._store.get(turn.owner, superseded, hidden=True)),
            drops=drops,
            warnings=(*warnings, *noted),
        )

    def _match_model(self) -> None:
        """Vectors of two models are never mixed: a store of another model answers by words (SPEC K6)."""
        card = self._embedding.card
        if card is None:
            return
        kept = self._store.model()
        if kept is not None and kept != (card.id, card.dim):
            self._embedding.give_up(f"the store's vectors are of {kept[0]}, not of {card.id}")
