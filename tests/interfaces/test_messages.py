"""Errors come whole in Chinese: the sentence, and what the engine put into it."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import yinji
from yinji import errors
from yinji.interfaces.messages import Messages

SOURCES = Path(yinji.__file__).parent
PARTS = {"what", "problem", "hint", "nearest"}
NAMES = {"top_k", "seq", "limit", "synchronous", "forget", "yinji eval", "The {0} {1}"}
"""What is called the same in both languages."""
ERRORS = {name for name in dir(errors) if isinstance(getattr(errors, name), type)}


def phrases_in(node: ast.expr) -> Iterator[str]:
    """The texts that an expression may give; blanks of f-strings are numbered."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value.strip()
    elif isinstance(node, ast.JoinedStr):
        blanks = iter(range(len(node.values)))
        parts = (part.value if isinstance(part, ast.Constant) else f"{{{next(blanks)}}}" for part in node.values)
        yield "".join(map(str, parts)).strip()
    elif isinstance(node, ast.IfExp):
        yield from (*phrases_in(node.body), *phrases_in(node.orelse))
    elif isinstance(node, ast.BoolOp):
        yield from (phrase for value in node.values for phrase in phrases_in(value))


def raised_phrases(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ERRORS:
            for keyword in node.keywords:
                if keyword.arg in PARTS:
                    yield from phrases_in(keyword.value)


@pytest.mark.req("P3")
def test_everything_that_an_error_says_is_known_in_chinese() -> None:
    say = Messages("zh")
    paths = [path for path in SOURCES.rglob("*.py") if "cli" not in path.parts or path.name == "arguments.py"]
    said = {phrase for path in paths for phrase in raised_phrases(path)}
    assert len(said) > 50
    worded = {one for one in said if re.search("[A-Za-z]{2}", one)} - NAMES
    unknown = sorted(one for one in worded if not re.search("[一-鿿]", str(say.phrase(one))))
    assert not unknown, "put these into data/messages/zh.phrases.json"


@pytest.mark.req("P3")
def test_blanks_in_phrases_are_translated_too() -> None:
    say = Messages("zh")
    error = errors.InvalidInput(
        what="The kind 'facts'", problem="there is none such", hint="Use one of: a, b. Did you mean 'fact'?"
    )
    assert say.error(error) == "类别 'facts' 无法使用：没有这样的。可用：a, b。是不是想用 'fact'？"
    assert say.warning("replaced:3") == "有 3 个无法保存的字符已替换。"
    assert say.phrase(3) == 3
    assert say.phrase("something new") == "something new"


@pytest.mark.req("P2")
@pytest.mark.parametrize("name", ["en.json", "zh.json", "zh.phrases.json"])
def test_texts_are_read_as_json_reads_them(name: str) -> None:
    from yinji.interfaces import messages

    path = Path(messages.__file__).parent.parent / "data" / "messages" / name
    assert messages._read(name) == json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.req("R10", "P2")
@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_stage_and_factor_of_a_recall_has_a_name(language: str) -> None:
    from yinji.recall.diversify import REPEATS
    from yinji.recall.features import FEATURES
    from yinji.recall.newest import RAISED
    from yinji.recall.pipeline import STAGES
    from yinji.recall.rerank import FACTOR

    named = Messages(language).texts
    assert [one.__name__ for one in STAGES if f"stage.{one.__name__}" not in named] == []
    assert [one for one in (*FEATURES, REPEATS, RAISED, FACTOR, "strength") if f"factor.{one}" not in named] == []


@pytest.mark.req("P3", "W2")
@pytest.mark.parametrize(
    "reason",
    [
        "other words",
        "about something else",
        "learned, 0.40",
        "another residence of user, but said earlier",
        "same diet of user",
        "the contrary, without a word that it changed",
    ],
)
def test_why_two_statements_stand_as_they_do_is_told_in_chinese(reason: str) -> None:
    assert not re.search("[A-Za-z]", str(Messages("zh").phrase(reason)))
