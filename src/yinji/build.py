"""Settings → adapters → Memory: the one file that knows both sides."""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from yinji import engine
from yinji.config import Settings
from yinji.embedding import Embedding
from yinji.errors import InvalidInput, ModelUnavailable, NotAStore, ReadOnlyStore
from yinji.ports import LLM, Clock, Embedder
from yinji.recall.rerank import Timed

FILE_NAME = "memory.yinji"
HOME = "YINJI_HOME"


class Memory(engine.Memory):
    __doc__ = engine.Memory.__doc__

    @classmethod
    def open(
        cls,
        path: str | Path | None = None,
        *,
        owner: str = "me",
        key: str | bytes | None = None,
        settings: Settings | None = None,
        clock: Clock | None = None,
        progress: Callable[[str, float], None] | None = None,
        readonly: bool = False,
        reads: bool = True,
    ) -> Memory:
        """Opens the store at ``path``, or at ``YINJI_HOME`` or in the platform's data folder; makes it if absent.

        ``owner`` is whose memory calls mean that name no other. ``key`` encrypts the file (a passphrase, or 32
        bytes). ``progress`` hears (what, fraction) while a model is made ready. ``reads=False`` leaves the reading of
        accepted turns to another process that has the file open. Raises StoreError.
        """
        return memory(
            path,
            owner=owner,
            key=key,
            settings=settings,
            clock=clock,
            progress=progress,
            readonly=readonly,
            reads=reads,
        )


def store_path(path: str | Path | None = None) -> Path:
    """Where the store is: the path given, or in ``YINJI_HOME``, or in the platform's data folder."""
    if path is not None:
        return Path(path).expanduser()
    if home := os.environ.get(HOME):
        return Path(home).expanduser() / FILE_NAME
    from platformdirs import user_data_path

    return user_data_path("yinji", appauthor=False) / FILE_NAME


def memory(
    path: str | Path | None,
    *,
    owner: str,
    key: str | bytes | None,
    settings: Settings | None,
    clock: Clock | None,
    progress: Callable[[str, float], None] | None,
    readonly: bool,
    reads: bool = True,
    embedder: Embedder | None = None,
) -> Memory:
    """A Memory on the SQLite file at ``path`` with the embedder that the settings name, or the one given."""
    from uuid_utils import uuid7

    from yinji.adapters.sqlite import holder_name, open_store

    if settings is not None and not isinstance(settings, Settings):
        told = f"they are {type(settings).__name__}"
        raise InvalidInput(what="The settings", problem=told, hint="Use Settings.load().")
    chosen = settings or Settings.load()
    now = clock or local_now
    where = store_path(path)
    _make_folder(where, readonly=readonly)
    store = open_store(
        where, key=key, busy_s=chosen.store.busy_s, synchronous=chosen.store.synchronous, readonly=readonly
    )
    try:
        embedding = _embedding(chosen, now, progress, embedder)
        return Memory(
            store=store,
            embedding=embedding,
            settings=chosen,
            owner=owner,
            clock=now,
            new_id=lambda: str(uuid7()),
            stable_id=stable_id,
            holder=holder_name(),
            new_secret=lambda: secrets.token_urlsafe(32),
            readonly=readonly,
            reads=reads,
            llm=_llm(chosen),
            reranker=_reranker(chosen),
        )
    except BaseException:
        store.close()
        raise


def local_now() -> datetime:
    """Now, in the machine's own zone, by name where the machine tells it."""
    return datetime.now(UTC).astimezone()


def stable_id(words: str, at: datetime | None) -> str:
    """A UUIDv7 whose time is ``at`` and whose random part is drawn from ``words``: the same again for the same."""
    moment = 0 if at is None else max(0, int(at.timestamp() * 1000))
    digest = int.from_bytes(hashlib.sha256(f"{words}\0{moment}".encode()).digest()[:10])
    value = (
        (moment & (1 << 48) - 1) << 80 | 0x7 << 76 | (digest >> 62 & 0xFFF) << 64 | 0b10 << 62 | digest & (1 << 62) - 1
    )
    text = f"{value:032x}"
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def _make_folder(where: Path, *, readonly: bool) -> None:
    if readonly or where.parent.is_dir():
        return
    try:
        where.parent.mkdir(parents=True, mode=0o700)
    except FileExistsError as error:
        raise NotAStore(path=where, problem=f"{where.parent} is a file, not a folder") from error
    except OSError as error:
        raise ReadOnlyStore(path=where, problem=error.strerror or str(error)) from error


def _llm(settings: Settings) -> LLM | None:
    """The language model that the settings name; none unless an endpoint is configured."""
    wanted = settings.llm
    if not wanted.endpoint:
        return None
    from yinji.adapters.openai import OpenAIChat

    return OpenAIChat(
        endpoint=wanted.endpoint,
        model=wanted.model,
        key_env=wanted.key_env,
        timeout_s=wanted.timeout_s,
        most_tokens=wanted.most_tokens,
    )


def _reranker(settings: Settings) -> Timed | None:
    """The cross-encoder that the settings name; None when they name none."""
    wanted = settings.recall
    if not wanted.reranker:
        return None
    from yinji.adapters.cross_encoder import CrossEncoder

    folder = Path(wanted.reranker).expanduser()
    return Timed(CrossEncoder(folder, threads=settings.embed.threads), wanted.rerank_ms / 1000)


def _embedding(
    settings: Settings, clock: Clock, progress: Callable[[str, float], None] | None, embedder: Embedder | None
) -> Embedding:
    wanted = settings.embed
    notes: list[str] = []
    if embedder is None and wanted.model != "none":
        from yinji.adapters.catalogue import load_embedder

        try:
            embedder = load_embedder(
                wanted.model, cache=None, threads=wanted.threads, min_free_mb=wanted.min_free_mb, progress=progress
            )
        except ModelUnavailable as error:
            notes.append(str(error))
    elif wanted.model == "none":
        notes.append("the settings ask for words alone")
    return Embedding(embedder, batch=wanted.batch, idle_minutes=wanted.idle_minutes, clock=clock, notes=notes)
