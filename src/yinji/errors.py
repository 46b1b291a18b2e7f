"""What can go wrong, and what to do about it.

YinjiError
├── InvalidInput            the caller's argument is not usable
│   ├── InvalidTime         a time without a zone, or not a time
│   ├── MissingOwner        no owner was named
│   └── KeyReused           an idempotency key came again with another body
├── NotFound                no such memory, owner, setting or file (suggests the nearest)
│   └── NothingToUndo       no change is left that could be taken back
├── ConfigError             a settings file or variable is wrong
│   └── ConfigFileError     the settings file as a whole cannot be read
├── StoreError              the file that holds the memories
│   ├── NotAStore           the path is a directory or some other file
│   ├── NewerStore          written by a newer Yinji
│   ├── ReadOnlyStore       the file or its folder cannot be written
│   ├── StoreFull           no space left on the device
│   ├── StoreBusy           another process held the file for too long
│   ├── StoreDamaged        the integrity check failed
│   └── WrongKey            encrypted, and the key is missing or wrong
├── ModelUnavailable        no embedder could be loaded
├── LLMUnavailable          the configured language model gave nothing usable
├── ImportFailed            a file to import is not in a known form
├── NotAllowed              whoever asks may not do that
├── QueueFull               so much waits to be read that nothing more is taken
├── MissingExtra            a part of Yinji that is installed apart is not there
└── Cancelled               the user stopped it; nothing is half done

A message says what happened, to what, and what to do. ``code`` and ``params`` are stable: interfaces
translate by them (``data/messages``). The English sentence is the class's ``template``.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # the command line's --help loads this module, and typing would double its time
    from collections.abc import Iterable
    from typing import ClassVar


class YinjiError(Exception):
    """The root: catch this to catch everything that Yinji raises on purpose."""

    code: ClassVar[str] = "error"
    template: ClassVar[str] = "{problem}"

    def __init__(self, **params: object) -> None:
        self.params = params
        super().__init__(self.template.format_map(_Missing(params)))

    @property
    def message(self) -> str:
        return str(self)


class _Missing(dict[str, object]):
    """Leaves out what a raiser did not say instead of hiding the error behind a KeyError."""

    def __missing__(self, key: str) -> str:
        return ""


NEAR = 0.65
"""From which likeness on (difflib's ratio, 0 to 1) a name is suggested: alise for alice, but no erase for version."""


def meant(name: str, known: Iterable[str], *, after: str = "") -> str:
    """The question whether the likest known name was meant; empty where none is like it in what stands ``after``."""
    from difflib import get_close_matches

    by_rest = {one.removeprefix(after): one for one in known}
    near = get_close_matches(name.removeprefix(after), list(by_rest), n=1, cutoff=NEAR)
    return f"Did you mean {by_rest[near[0]]!r}?" if near else ""


class InvalidInput(YinjiError):
    code = "invalid_input"
    template = "{what} cannot be used: {problem}. {hint}"


class InvalidTime(InvalidInput):
    code = "invalid_time"
    template = (
        "The time {value!r} cannot be used: {problem}. "
        "Give a date and time with a zone, such as 2026-03-01T09:00+08:00."
    )


class MissingOwner(InvalidInput):
    code = "missing_owner"
    template = 'No owner was named. Say whose memory this is: owner="me" in Python, --owner on the command line.'


class KeyReused(InvalidInput):
    code = "key_reused"
    template = (
        "The turn {key!r} was remembered before with other words. Nothing was changed. "
        "Use a new sequence number or key for a new turn."
    )


class NotFound(YinjiError):
    code = "not_found"
    template = "There is no {what} {name!r}.{nearest}"


class NothingToUndo(NotFound):
    code = "nothing_to_undo"
    template = "There is nothing to undo."


class ConfigError(YinjiError):
    code = "config"
    template = "The setting {name!r} in {where} cannot be used: {problem}. {hint}"


class ConfigFileError(ConfigError):
    code = "config_file"
    template = "The settings file {where} cannot be used: {problem}. {hint}"


class StoreError(YinjiError):
    code = "store"
    template = "The store {path} could not be used: {problem}."


class NotAStore(StoreError):
    code = "not_a_store"
    template = "{path} is not a Yinji store: {problem}. Nothing was changed. Name another file with --store."


class NewerStore(StoreError):
    code = "newer_store"
    template = (
        "{path} was written by a newer Yinji (schema {found}; this one knows {known}). "
        "Nothing was changed. Upgrade with: pip install -U yinji"
    )


class ReadOnlyStore(StoreError):
    code = "read_only_store"
    template = (
        "{path} cannot be written: {problem}. "
        "Check the permissions of the file and its folder, or name another with --store."
    )


class StoreFull(StoreError):
    code = "store_full"
    template = (
        "There is no space left for {path}. What was accepted is safe, and is read once there is space. "
        "Free some and do the same again."
    )


class StoreBusy(StoreError):
    code = "store_busy"
    template = "Another process kept {path} busy for more than {seconds} s. Nothing is lost; try again."


class StoreDamaged(StoreError):
    code = "store_damaged"
    template = (
        "{path} is damaged: {problem}. First put a copy of it aside. yinji export > rescued.jsonl writes what can "
        "still be read, for yinji import into a new store; yinji doctor tells more."
    )


class WrongKey(StoreError):
    code = "wrong_key"
    template = (
        "{path} is encrypted and the key is missing or wrong. Nothing was changed. "
        "Give the key: --key-file or YINJI_KEY on the command line, key= in Python."
    )


class ModelUnavailable(YinjiError):
    code = "model_unavailable"
    template = (
        "The embedding model {model} could not be loaded: {problem}. "
        "Words alone are used until it can; yinji doctor tells more."
    )


class LLMUnavailable(YinjiError):
    code = "llm_unavailable"
    template = "The language model could not be used: {problem}. What is built in reads in its place."


class ImportFailed(YinjiError):
    code = "import_failed"
    template = "{path} could not be imported: {problem}. {hint}"


class NotAllowed(YinjiError):
    code = "not_allowed"
    template = "{what} is not allowed: {problem}. {hint}"


class QueueFull(YinjiError):
    code = "queue_full"
    template = "{pending} turns wait to be read, so this one was not taken. Nothing is lost; try again in {seconds} s."


class MissingExtra(YinjiError):
    code = "missing_extra"
    template = "yinji {command} needs more than the base install: pip install 'yinji[{extra}]'"


class Cancelled(YinjiError):
    code = "cancelled"
    template = "Stopped. Nothing is half done."
