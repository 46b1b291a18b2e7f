"""Claude's memory tool on one local file: what Claude notes down is encrypted, searchable and can be erased for good.

    pip install 'yinji[claude]'
    python examples/claude_memory_tool.py

The model is a script here, so that this runs without a key and without a network. With the real one, leave out
``http_client`` and let ANTHROPIC_API_KEY be set.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx2
from anthropic import Anthropic

from yinji import Memory
from yinji.integrations.claude import YinjiMemoryTool

COMMANDS = (
    {"command": "view", "path": "/memories"},
    {"command": "create", "path": "/memories/ann.md", "file_text": "# Ann\n- likes short answers\n"},
    {"command": "create", "path": "/memories/客户/李雷.md", "file_text": "# 李雷\n- 回复要简短\n- 周三下午不开会\n"},
    {"command": "str_replace", "path": "/memories/ann.md", "old_str": "short", "new_str": "short, friendly"},
    {"command": "insert", "path": "/memories/客户/李雷.md", "insert_line": 3, "insert_text": "- 喜欢喝茶"},
    {"command": "view", "path": "/memories/../etc/passwd"},
    {"command": "view", "path": "/memories"},
)


def scripted(answers: Iterator[dict[str, object]]) -> httpx2.Client:
    """A client whose server is the script; it prints what the tool told the model."""

    def answer(request: httpx2.Request) -> httpx2.Response:
        last = json.loads(request.content)["messages"][-1]
        for block in last["content"] if isinstance(last["content"], list) else ():
            print("  tool:", str(block.get("content")).replace("\n", "\n        "))
        return httpx2.Response(200, json=next(answers))

    return httpx2.Client(transport=httpx2.MockTransport(answer))


def script() -> Iterator[dict[str, object]]:
    for number, command in enumerate(COMMANDS):
        print("claude:", json.dumps(command, ensure_ascii=False))
        yield message([{"type": "tool_use", "id": f"toolu_{number}", "name": "memory", "input": command}], "tool_use")
    yield message([{"type": "text", "text": "Noted. 记下了。"}], "end_turn")


def message(content: list[dict[str, object]], reason: str) -> dict[str, object]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude",
        "content": content,
        "stop_reason": reason,
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory.open(Path(folder) / "memory.yinji", key="a passphrase") as memory,
    ):
        tool = YinjiMemoryTool(memory)
        client = Anthropic(api_key="none", http_client=scripted(script()))
        runner = client.beta.messages.tool_runner(
            model="claude-sonnet-5-5",
            max_tokens=1000,
            messages=[{"role": "user", "content": "Remember what matters about us. 记住我们的要点。"}],
            tools=[tool],
        )
        for block in runner.until_done().content:
            print("claude:", getattr(block, "text", ""))
        print("nearest to 周三能开会吗:", tool.files.search("周三能开会吗", limit=1))
        print("erased:", memory.documents("claude").erase().proved)


if __name__ == "__main__":
    main()
