"""Each example runs as it stands, against the real library, without a network, in both languages."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ROOT / "examples"
SHOWN = {
    "mem0_client.py": ("", ["ADD The user is allergic to peanuts", "['用户对花生过敏']", "['ADD', 'UPDATE']", "[]"]),
    "langchain_memory.py": (
        "langchain_core",
        ["- The user is allergic to peanuts (", "下午不开会 (", "monday has 4 messages"],
    ),
    "openai_agents_session.py": (
        "agents",
        ["(I was told 2 memories)", "monday has 4 items", "remembered: The user is allergic"],
    ),
    "claude_memory_tool.py": (
        "anthropic",
        ["likes short, friendly answers", "/memories/客户/李雷.md", "escape", "erased: True"],
    ),
    "langgraph_store.py": (
        "langgraph",
        ["My cat Mochi needs her pills at eight", "我家的猫叫年糕，八点要吃药", "erased: True"],
    ),
}
"""By example: the library that it is for, and what it prints."""


@pytest.mark.req("S5", "O12", "F45")
@pytest.mark.parametrize("name", sorted(SHOWN))
def test_an_example_runs_without_a_network(name: str, tmp_path: Path) -> None:
    library, lines = SHOWN[name]
    if library and importlib.util.find_spec(library) is None:
        pytest.skip(f"needs the library {library}, which the test extra brings")
    environment = {one: value for one, value in os.environ.items() if not one.startswith(("YINJI_", "LANG"))} | {
        "YINJI_EMBED__MODEL": "hashing",
        "HOME": str(tmp_path),
        "PYTHONIOENCODING": "utf-8",
    }
    command = [sys.executable, str(Path(__file__).parent / "offline.py"), str(EXAMPLES / name)]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert all(line in done.stdout for line in lines), done.stdout


@pytest.mark.req("S5")
def test_every_example_is_run() -> None:
    assert {one.name for one in EXAMPLES.glob("*.py")} == set(SHOWN)


@pytest.mark.req("S5")
def test_importing_yinji_imports_no_other_framework() -> None:
    others = {"langgraph", "langchain_core", "agents", "mem0", "anthropic", "openai", "httpx"}
    look = f"import sys, yinji, yinji.build, yinji.integrations; print(sorted({others!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.req("S5", "P3")
@pytest.mark.parametrize(
    ("module", "library", "extra"),
    [
        ("langgraph", "langgraph", "langgraph"),
        ("claude", "anthropic", "claude"),
        ("langchain", "langchain_core", "langchain"),
        ("openai_agents", "agents", "openai-agents"),
    ],
)
def test_without_its_library_a_module_says_what_to_install(module: str, library: str, extra: str) -> None:
    hide = f"import sys; sys.modules['{library}'] = None; import yinji.integrations.{module}"
    done = subprocess.run([sys.executable, "-c", hide], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 1
    assert f"pip install 'yinji[{extra}]'" in done.stderr.splitlines()[-1]
