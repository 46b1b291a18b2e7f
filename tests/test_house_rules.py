"""Conventions that reviews would otherwise have to keep."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

import yinji
from yinji import config

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "src").rglob("*.py"))
MARK = re.compile(r"\breq\(([^)]*)\)")
CHARACTER_RANGES = re.compile("\u4e00-\u9fff|\u3400-\u4dbf|\uf900-\ufaff|\u2e80-\u2fdf")
ID = re.compile(r"\"([A-Z]\d+)\"")


def docstrings(tree: ast.Module) -> set[int]:
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, owners) and node.body and isinstance(node.body[0], ast.Expr)
    }
    after_names = [
        body[i + 1]
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef))
        for body in [node.body]
        for i in range(len(body) - 1)
        if isinstance(body[i], ast.AnnAssign | ast.Assign) and isinstance(body[i + 1], ast.Expr)
    ]
    return found | {id(one.value) for one in after_names}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_code_holds_no_chinese_outside_docstrings(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = docstrings(tree)
    texts = [
        (node.lineno, node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented
    ]
    words = [(line, CHARACTER_RANGES.sub("", text)) for line, text in texts]
    found = [(line, text) for line, text in words if re.search("[\u4e00-\u9fff]", text)]
    assert not found, f"put these into data/: {found}"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_modules_and_functions_stay_readable(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 500, "the module wants to be two"
    long = [
        node.name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno > 60
    ]
    assert not long, f"these functions want to be two: {long}"


def test_the_public_names_are_exactly_what_is_visible() -> None:
    assert set(dir(yinji)) == {*yinji.__all__, "__version__"}
    assert all(getattr(yinji, name) is not None for name in yinji.__all__)


def test_the_version_is_the_same_everywhere() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert yinji.__version__ == declared


def test_every_setting_is_documented_in_both_languages() -> None:
    named = config.as_table(config.Settings.load(environment={}))
    documented = config.describe()
    assert {section: set(values) for section, values in named.items()} == {
        section: set(rows) for section, rows in documented.items()
    }
    for section, rows in documented.items():
        for name, row in rows.items():
            assert set(row) == {"value", "range", "meaning", "meaning_zh", "evidence"}, f"{section}.{name}"
            assert all(row[part] for part in ("meaning", "meaning_zh", "evidence")), f"{section}.{name}"
            config.check(section, name, row["value"], where="defaults")


def test_every_setting_is_used() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES if path.name != "config.py")
    unused = [
        f"{section}.{name}"
        for section, rows in config.describe().items()
        for name in rows
        if not re.search(rf"\.{name}\b", code)
    ]
    assert not unused, f"delete these or use them: {unused}"


def requirements() -> dict[str, dict[str, object]]:
    return tomllib.loads((ROOT / "tests" / "requirements.toml").read_text(encoding="utf-8"))


def marked() -> set[str]:
    files = (ROOT / "tests").rglob("*.py")
    marks = [mark for path in files for mark in MARK.findall(path.read_text(encoding="utf-8"))]
    return {one for mark in marks for one in ID.findall(mark)}


def test_every_requirement_has_a_test_or_is_planned() -> None:
    missing = {name for name, row in requirements().items() if not row.get("planned")} - marked()
    assert not missing, f"no test carries {sorted(missing)}"


def test_every_id_that_a_test_carries_is_a_requirement() -> None:
    assert marked() <= set(requirements())
