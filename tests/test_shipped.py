"""What ships as data is read as its files say it, also from where it is kept ready."""

import tomllib
from importlib.util import cache_from_source
from pathlib import Path

import pytest

from yinji import shipped

FILES = sorted(path.relative_to(shipped.file("lang").parent) for path in shipped.file("lang").parent.rglob("*.toml"))


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(shipped, "_DATA", tmp_path)
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    monkeypatch.setattr("sys.pycache_prefix", None)
    return tmp_path


@pytest.mark.parametrize("path", FILES, ids=str)
def test_every_file_is_read_as_it_is_written_first_and_again(path: Path, data: Path) -> None:
    written = (Path(shipped.__file__).with_name("data") / path).read_text(encoding="utf-8")
    (data / path.name).write_text(written, encoding="utf-8")

    assert shipped.toml(path.name) == tomllib.loads(written)
    assert Path(cache_from_source(str(data / path.name))).is_file()
    assert shipped.toml(path.name) == tomllib.loads(written)


@pytest.mark.parametrize(("before", "after"), [("不吃辣", "爱吃很辣的"), ("tea", "coffee, black")])
def test_a_file_that_changes_is_read_anew(before: str, after: str, data: Path) -> None:
    (data / "rules.toml").write_text(f"likes = '{before}'", encoding="utf-8")
    assert shipped.toml("rules.toml") == {"likes": before}

    (data / "rules.toml").write_text(f"likes = '{after}'", encoding="utf-8")
    assert shipped.toml("rules.toml") == {"likes": after}


def test_what_is_read_may_be_changed_without_changing_what_others_read(data: Path) -> None:
    (data / "rules.toml").write_text("words = ['茶', 'tea']", encoding="utf-8")
    shipped.toml("rules.toml")["words"].clear()

    assert shipped.toml("rules.toml") == {"words": ["茶", "tea"]}


def test_where_nobody_may_write_it_is_read_all_the_same(data: Path) -> None:
    (data / "rules.toml").write_text("words = ['茶', 'tea']", encoding="utf-8")
    (data / "__pycache__").write_text("no folder", encoding="utf-8")

    assert shipped.toml("rules.toml") == {"words": ["茶", "tea"]}
