"""An OpenAI agent whose sessions are kept in one local file, and whose user is remembered across sessions.

    pip install 'yinji[openai-agents]'
    python examples/openai_agents_session.py

The model is a script here, so that this runs without a key and without a network.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from agents import Agent, Model, ModelResponse, RunConfig, RunContextWrapper, Runner, Usage
from openai.types.responses import ResponseOutputMessage, ResponseOutputText

from yinji import Memory
from yinji.integrations.openai_agents import YinjiSession


class Script(Model):
    """Answers with what it was told of the user."""

    async def get_response(self, system_instructions: str | None, input: Any, *_: Any, **__: Any) -> ModelResponse:
        told = (system_instructions or "").count("<memory ")
        part = ResponseOutputText(text=f"(I was told {told} memories)", type="output_text", annotations=[])
        said = ResponseOutputMessage(id="m", content=[part], role="assistant", status="completed", type="message")
        return ModelResponse(output=[said], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
        raise NotImplementedError


async def main() -> None:
    quiet = RunConfig(tracing_disabled=True)
    with tempfile.TemporaryDirectory() as folder, Memory.open(Path(folder) / "memory.yinji") as memory:

        def instructions(run: RunContextWrapper[str], agent: Agent[str]) -> str:
            return "You are a helpful assistant.\n" + memory.context(run.context).text

        agent: Agent[str] = Agent(name="assistant", model=Script(), instructions=instructions)
        for thread, said in (
            ("monday", "I'm allergic to peanuts"),
            ("monday", "我周三下午不开会"),
            ("friday", "What am I allergic to?"),
            ("friday", "我周三下午能开会吗？"),
        ):
            session = YinjiSession(thread, memory)
            result = await Runner.run(agent, said, context=said, session=session, run_config=quiet)
            await session.flush()
            print(f"{thread}: {said} -> {result.final_output}")
        print("monday has", len(await YinjiSession("monday", memory).get_items()), "items")
        for one in memory.list():
            print("remembered:", one.content)


if __name__ == "__main__":
    asyncio.run(main())
