"""Every block of the documentation runs as it stands."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGES = [*ROOT.glob("README*.md"), *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
SHOWN_ONLY = {"text", "json"}


def blocks(page: Path) -> list[tuple[str, str]]:
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    assert {kind for kind, _ in found} <= {"sh", "python", *SHOWN_ONLY}, page
    return [(kind, text) for kind, text in found if kind not in SHOWN_ONLY and "pip install" not in text]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """``yinji`` on the path, a home of its own, and the embedder that needs no model."""
    programs = tmp_path / "bin"
    programs.mkdir()
    command = programs / "yinji"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m yinji "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    clean = {name: value for name, value in os.environ.items() if not name.startswith("YINJI_")}
    return clean | {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "YINJI_HOME": str(tmp_path / "home"),
        "YINJI_EMBED__MODEL": "hashing",
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "PYTHONIOENCODING": "utf-8",
    }


@pytest.mark.req("P4")
@pytest.mark.skipif(shutil.which("bash") is None, reason="the blocks are for a POSIX shell")
@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_of_a_page_runs(page: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    """Blocks of a page run in order in one folder; its Python blocks are one program, so that later ones go on."""
    folder = tmp_path / "work"
    folder.mkdir()
    program = "\n".join(text for kind, text in blocks(page) if kind == "python")
    scripts = [text for kind, text in blocks(page) if kind == "sh"]
    commands = [["bash", "-euo", "pipefail", "-c", script] for script in scripts]
    if program:
        commands.append([sys.executable, "-W", "error", "-c", program])
    for command in commands:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False)
        assert done.returncode == 0, f"{command[-1]}\n{done.stdout}\n{done.stderr}"


@pytest.mark.req("P4")
def test_the_readme_begins_with_the_two_commands_that_install_and_test() -> None:
    for page in (ROOT / "README.md", ROOT / "README.zh.md"):
        first, second, *_ = [text for kind, text in BLOCK.findall(page.read_text(encoding="utf-8")) if kind == "sh"]
        assert first.endswith("yinji demo\n")
        assert first.count("\n") == second.count("\n") == 1
        assert second.endswith("-m pytest -n auto\n")


@pytest.mark.req("P4")
def test_every_link_between_pages_leads_somewhere() -> None:
    for page in [*PAGES, ROOT / "AGENTS.md", ROOT / "CHANGELOG.md"]:
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


@pytest.mark.req("P4")
@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "how-to").glob("*.md")), ids=lambda page: page.name)
def test_every_how_to_is_there_in_both_languages_and_each_leads_to_the_other(page: Path) -> None:
    chinese = page.name.endswith(".zh.md")
    other = page.name.replace(".zh.md", ".md") if chinese else page.name.replace(".md", ".zh.md")
    text = page.read_text(encoding="utf-8")
    assert f"*([{'English' if chinese else '中文'}]({other}))*" in "\n".join(text.splitlines()[:4])
    index = (ROOT / "docs" / ("README.zh.md" if chinese else "README.md")).read_text(encoding="utf-8")
    assert f"(how-to/{page.name})" in index
    told, said = blocks(page), blocks(page.with_name(other))
    assert [kind for kind, _ in told] == [kind for kind, _ in said]


@pytest.mark.req("P4")
@pytest.mark.parametrize("page", [page for page in PAGES if page.name.endswith(".zh.md")], ids=lambda page: page.name)
def test_a_chinese_page_leads_to_chinese_pages_where_there_are_any(page: Path) -> None:
    for link in re.findall(r"(?<!\[English\])\(([^)#:]+\.md)", page.read_text(encoding="utf-8")):
        if not link.endswith(".zh.md"):
            assert not (page.parent / link.replace(".md", ".zh.md")).exists(), link


@pytest.mark.req("P4")
def test_the_reference_is_what_the_code_says() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "reference.py"), "--check"], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
