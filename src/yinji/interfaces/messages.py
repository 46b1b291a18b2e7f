"""What Yinji says to people, in their language. The sentences are in ``data/messages``."""

from __future__ import annotations

import os
import sys
from collections.abc import Container, Mapping

from yinji.errors import NEAR, YinjiError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LANGUAGES = ("en", "zh")
_FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", "messages")  # pathlib costs 6 ms


def language_of(environment: Mapping[str, str]) -> str:
    """The user's language by ``YINJI_LANG``, then the locale: ``zh`` for anything Chinese, otherwise ``en``."""
    for variable in ("YINJI_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if named := environment.get(variable):
            return "zh" if named.lower().startswith("zh") else "en"
    return _language_of_system()


def _language_of_system() -> str:
    if sys.platform not in ("win32", "darwin"):
        return "en"
    import locale

    return "zh" if (locale.getlocale()[0] or "").lower().startswith(("zh", "chinese")) else "en"


class Messages:
    """The sentences of one language, by key."""

    def __init__(self, language: str) -> None:
        self.language = language if language in LANGUAGES else "en"
        self.texts = _read(f"{self.language}.json")
        self._known_phrases: dict[str, str] | None = None

    def __call__(self, key: str, /, **params: object) -> str:
        """The sentence with its blanks filled; a key that is not there stands for itself."""
        text = self.texts.get(key, key)
        return text.format_map(_Blank({name: _counted(value) for name, value in params.items()})) if params else text

    def term(self, group: str, value: object) -> str:
        """A value's name: ``term("kind", Kind.FACT)`` is "fact" or its Chinese; an unnamed value is itself."""
        return self.texts.get(f"{group}.{value}", str(value))

    def error(self, error: YinjiError) -> str:
        """The error's sentence; what the raiser said is put into this language where that is known."""
        key = f"error.{error.code}"
        if self.language == "en" or key not in self.texts:
            return error.message.strip()
        told = {name: self.phrase(value) for name, value in error.params.items()}
        for name in ("what", "where"):
            if (value := str(told.get(name, "")))[-1:].isascii() and value[-1:].isalnum():
                told[name] = f"{value} "  # Latin letters keep a space from the characters that go on.
        return self(key, **told).strip()

    def warning(self, text: str) -> str:
        """A warning of the engine, ``code:detail``, as a sentence."""
        code, _, detail = text.partition(":")
        key = f"warning.{code}"
        told = int(detail) if detail.isdecimal() else self.phrase(detail)
        if key not in self.texts:
            return str(self.phrase(text))
        return self(key, detail=self._sentence(told) if isinstance(told, str) else told)

    def _sentence(self, told: str) -> str:
        """An error that came as its English sentence, in this language."""
        from yinji import errors

        kinds = [one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, YinjiError)]
        for kind in kinds if self.language != "en" else ():
            if found := _as_error(kind, told):
                return self.error(found)
        return told

    def phrase(self, value: object) -> object:
        """An English phrase of the engine in this language, blanks included; anything else is left alone."""
        if not isinstance(value, str) or self.language == "en":
            return value
        phrases = self._phrases()
        told = value.strip()
        return phrases[told] if told in phrases else self._filled(told, phrases)

    def _phrases(self) -> dict[str, str]:
        if self._known_phrases is None:
            self._known_phrases = _read(f"{self.language}.phrases.json")
        return self._known_phrases

    def _filled(self, value: str, phrases: dict[str, str]) -> str:
        import re

        for phrase in sorted((one for one in phrases if "{" in one), key=len, reverse=True):  # the one that says most
            pattern = "(.*)".join(map(re.escape, re.split(r"\{\d\}", phrase)))
            if found := re.fullmatch(pattern, value, re.DOTALL):
                return phrases[phrase].format(*(self.phrase(group) for group in found.groups()))
        return value


def _read(name: str) -> dict[str, str]:
    """A JSON object of texts with a pair on each line.

    Read without the json module, which alone takes a sixth of the time of ``yinji --help``; a line with an escape
    other than of a quote or a line's end is left to it. A test compares both.
    """
    with open(os.path.join(_FOLDER, name), encoding="utf-8") as file:
        lines = [line.strip().removesuffix(",") for line in file]
    return dict(_pair(line) for line in lines if line.startswith('"'))


def _pair(line: str) -> tuple[str, str]:
    key, _, text = line[1:-1].partition('": "')
    text = text.replace('\\"', '"').replace("\\n", "\n")
    if "\\" not in text:
        return key, text
    import json

    pair: dict[str, str] = json.loads("{" + line + "}")
    return next(iter(pair.items()))


def _as_error(kind: type[YinjiError], told: str) -> YinjiError | None:
    import re

    if kind.template.startswith("{problem}"):
        return None
    pattern = re.sub(r"\\{(\w+)!r\\}", r"['\"](?P<\1>.*?)['\"]", re.escape(kind.template))
    pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>.*?)", pattern)
    found = re.fullmatch(pattern, told, re.DOTALL)
    return kind(**found.groupdict()) if found else None


def _counted(value: object) -> object:
    return Count(value) if isinstance(value, int) and not isinstance(value, bool) else value


class Count(int):
    """A number that may bring its noun: ``{n:memory|memories}`` is "1 memory" or "3 memories"."""

    def __format__(self, form: str) -> str:
        one, bar, more = form.partition("|")
        return f"{int(self)} {one if self == 1 else more}" if bar else format(int(self), form)


class _Blank(dict[str, "Any"]):
    def __missing__(self, key: str) -> str:
        return ""


def suggestion(say: Messages, name: str, known: list[str], *, never: Container[str] = ()) -> str:
    """`` Did you mean …?`` with the nearest of the known names; empty when none is near, or one of ``never`` is."""
    from difflib import get_close_matches

    near = get_close_matches(name, known, n=1, cutoff=NEAR)
    return say("did_you_mean", name=near[0]) if near and near[0] not in never else ""


def users_language(arguments: list[str]) -> str:
    """``--lang`` wherever it stands among the arguments, else, or where it names none of ours, by the environment."""
    for before, argument in zip(["", *arguments], arguments, strict=False):
        if argument == "--":
            break
        named = argument if before == "--lang" else argument.removeprefix("--lang=")
        if named in LANGUAGES and (before == "--lang" or named != argument):
            return named
    return language_of(os.environ)
