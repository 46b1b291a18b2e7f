"""Settings: defaults < file < environment < arguments, each value checked against its documented range.

``data/defaults.toml`` holds every number with its meaning, range and evidence; the classes here only give
them names and types, and a test checks that both list the same.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints

from yinji import shipped
from yinji.errors import ConfigError, ConfigFileError, meant

ENVIRONMENT_PREFIX = "YINJI_"
LOOK_AT_IT = "Mend that line, or put the file aside: then the defaults hold."


@dataclass(frozen=True, kw_only=True, slots=True)
class StoreSettings:
    busy_s: float
    synchronous: str
    turns_kept: int
    buffer_days: int
    undo_days: int


@dataclass(frozen=True, kw_only=True, slots=True)
class EmbedSettings:
    model: str
    threads: int
    min_free_mb: int
    idle_minutes: float
    batch: int


@dataclass(frozen=True, kw_only=True, slots=True)
class RememberSettings:
    sensitivity: float
    gate_threshold: float
    gate_doubt: float
    gate_veto: float
    gate_unseen: float
    gate_certain: float
    max_chars: int
    min_chars_zh: int
    min_words_en: int
    nominate_limit: int
    update_point: float
    end_point: float
    overtake_point: float
    duplicate_point: float
    conflict_point: float
    retract_point: float
    unsure_point: float
    lease_s: float
    sensitive_policy: str
    injection_point: float
    scene_point: float
    scenes: str
    time_conventions: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RecallSettings:
    sensitivity: float
    top_k: int
    vector_limit: int
    word_limit: int
    weighed: int
    ranker: str
    ranked: int
    weight_vector: float
    weight_words: float
    field_limit: int
    weight_fields: float
    weight_time: float
    strictness: float
    weight_graph: float
    weight_strength: float
    reranker: str
    reranked: int
    rerank_ms: int
    read: int
    read_further: int
    weight_read: float
    weight_repeats: float
    repeats_from: float
    weak_words: float
    other_language: float
    floor_z: float
    few: int
    floor_words: float


@dataclass(frozen=True, kw_only=True, slots=True)
class StrengthSettings:
    decay: float
    recall_gain: float
    form: str
    half_life_days: float


@dataclass(frozen=True, kw_only=True, slots=True)
class ContextSettings:
    budget: int
    most: int
    brief: int
    brief_share: float
    stable: int
    stable_share: float
    format: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ServeSettings:
    port: int
    reader: str
    threads: int
    queue_limit: int
    retry_after_s: int
    body_mb: float
    rate: float
    burst: int
    wait_s: float
    replays: int
    replay_hours: float
    idle_s: float
    upstream: str
    upstream_key_env: str
    upstream_timeout_s: float
    upstream_recall_s: float
    upstream_footer: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class LLMSettings:
    endpoint: str
    model: str
    key_env: str
    timeout_s: float
    daily_calls: int
    most_tokens: int
    known: int
    price_per_call: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """All that can be tuned, by section. ``Settings.load()`` gives the defaults, a file and the environment."""

    store: StoreSettings
    embed: EmbedSettings
    remember: RememberSettings
    recall: RecallSettings
    strength: StrengthSettings
    context: ContextSettings
    serve: ServeSettings
    llm: LLMSettings

    @classmethod
    def load(cls, path: Path | None = None, environment: Mapping[str, str] | None = None) -> Settings:
        """The defaults, overlaid by a TOML file and by ``YINJI_SECTION__NAME`` variables.

        Raises ConfigError for an unknown name, a wrong type or a value out of range.
        """
        sections = _defaults()
        settings = cls(**{name: kind(**_values(name)) for name, kind in get_type_hints(cls).items()})
        if path is not None:
            settings = settings._with_text(_text_of(path), where=str(path))
        for variable, text in (os.environ if environment is None else environment).items():
            section, _, name = variable.removeprefix(ENVIRONMENT_PREFIX).lower().partition("__")
            if variable.startswith(ENVIRONMENT_PREFIX) and name:
                _known(section, sections, where=variable)
                settings = settings.with_values(section, {name: from_text(section, name, text)}, where=variable)
        return settings

    @classmethod
    def read(cls, text: str, *, where: str) -> Settings:
        """The defaults, overlaid by the text of a settings file. Raises ConfigError."""
        return cls.load(environment={})._with_text(text, where=where)

    def _with_text(self, text: str, *, where: str) -> Settings:
        settings = self
        for section, values in _parsed(text, where=where).items():
            _known(section, _defaults(), where=where)
            settings = settings.with_values(section, values, where=where)
        return settings

    def with_values(self, section: str, values: Mapping[str, object], *, where: str = "the arguments") -> Settings:
        """These settings with some values of one section replaced, each checked."""
        known = _defaults()
        _known(section, known, where=where)
        checked = {name: check(section, name, value, where=where) for name, value in values.items()}
        return replace(self, **{section: replace(getattr(self, section), **checked)})


@cache
def _defaults() -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    return shipped.toml("defaults.toml")


def describe() -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    """Section → name → {value, meaning, meaning_zh, range, evidence}, as documented."""
    return _defaults()


def _values(section: str) -> dict[str, Any]:
    return {name: row["value"] for name, row in _defaults()[section].items()}


def _known(name: str, known: Mapping[str, object], *, where: str) -> None:
    if name not in known:
        raise ConfigError(
            name=name, where=where, problem="there is no such setting", hint=meant(name, known) or "See: yinji config"
        )


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        problem = (error.strerror or str(error)) if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ConfigFileError(where=path, problem=problem, hint="") from error


def _parsed(text: str, *, where: str) -> dict[str, dict[str, object]]:
    try:
        read = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigFileError(where=where, problem=_of_toml(str(error)), hint=LOOK_AT_IT) from error
    for name, value in read.items():
        if not isinstance(value, dict):
            raise ConfigError(name=name, where=where, problem="it stands outside a section", hint="See: yinji config")
    return read


def _of_toml(told: str) -> str:
    """``Invalid value (at line 3, column 8)`` with the line in front, which is what one looks for."""
    found = re.fullmatch(r"(.*) \(at line (\d+), column \d+\)", told, re.DOTALL)
    what, line = (found[1], found[2]) if found else (told.removesuffix(" (at end of document)"), "")
    return f"line {line}: {what}" if line else f"at its end: {what}"


def from_text(section: str, name: str, text: str) -> object:
    """The text as the type of the setting's default; text that is not that stays text, which :func:`check` refuses."""
    default = _defaults().get(section, {}).get(name, {}).get("value")
    try:
        if isinstance(default, bool):
            return {"true": True, "1": True, "false": False, "0": False}[text.lower()]
        if isinstance(default, int | float):
            return type(default)(text)
    except (ValueError, KeyError):
        return text
    return text


def check(section: str, name: str, value: object, *, where: str) -> object:
    """The value, made of the default's type; raises ConfigError when it is not that, or out of range."""
    rows = _defaults()[section]
    _known(name, rows, where=where)
    default, allowed = rows[name]["value"], rows[name]["range"]
    if isinstance(default, float) and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    fits = type(value) is type(default)
    if fits and isinstance(value, int | float) and not isinstance(value, bool):
        fits = allowed[0] <= value <= allowed[1]
    elif fits and allowed:
        fits = value in allowed
    if not fits:
        raise ConfigError(
            name=f"{section}.{name}", where=where, problem=f"{value!r} is not allowed", hint=_allowed(default, allowed)
        )
    return value


def _allowed(default: object, allowed: list[Any]) -> str:
    if isinstance(default, bool):
        return "Allowed: true, false."
    if isinstance(default, int | float):
        kind = "whole numbers" if isinstance(default, int) else "numbers"
        return f"Allowed: {kind} from {allowed[0]} to {allowed[1]}."
    return f"Allowed: {', '.join(map(str, allowed))}." if allowed else "Allowed: any text."


def as_table(settings: Settings) -> dict[str, dict[str, object]]:
    """Section → name → value, for showing and for tests."""
    return {
        part.name: {
            one.name: getattr(getattr(settings, part.name), one.name) for one in fields(getattr(settings, part.name))
        }
        for part in fields(settings)
    }
