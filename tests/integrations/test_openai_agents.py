"""Our session for the OpenAI Agents SDK keeps what the SDK's own keeps, and remembers what the user said."""

from __future__ import annotations

import asyncio
from itertools import count
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("agents.memory", reason="needs the extra openai-agents")

from agents import Agent, ModelResponse, RunConfig, Runner, SQLiteSession, Usage, function_tool
from agents.memory import Session, SessionSettings
from agents.models.interface import Model
from hypothesis import given, settings
from hypothesis import strategies as st
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from yinji import Memory
from yinji.integrations.openai_agents import YinjiSession

TEXTS = st.sampled_from(["我住在里斯本", "I live in Lisbon", "ok", "好的", "", "两行\nlines", "emoji 👩‍🚀"])
ITEMS = st.one_of(
    st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant", "system"]), "content": TEXTS}),
    st.fixed_dictionaries(
        {
            "type": st.just("message"),
            "role": st.just("user"),
            "content": st.lists(st.fixed_dictionaries({"type": st.just("input_text"), "text": TEXTS}), max_size=2),
        }
    ),
    st.fixed_dictionaries({"type": st.just("function_call_output"), "call_id": st.just("call_1"), "output": TEXTS}),
    st.just({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAAABo4111111111111111"}),
    st.just({"type": "function_call", "call_id": "call_1", "name": "open", "arguments": '{"password": "hunter2#x!"}'}),
)
OPS = st.one_of(
    st.tuples(st.just("add_items"), st.lists(ITEMS, max_size=4)),
    st.tuples(st.just("add_items"), st.lists(ITEMS, min_size=1, max_size=4)),
    st.tuples(st.just("get_items"), st.none() | st.integers(-1, 6)),
    st.tuples(st.just("pop_item"), st.none()),
    st.tuples(st.just("clear_session"), st.none()),
)
NUMBER = count()


async def follow(session: Any, ops: list[tuple[str, Any]]) -> list[Any]:
    found = []
    for name, argument in ops:
        call = getattr(session, name)
        found += [
            await (call() if name in {"pop_item", "clear_session"} else call(argument)),
            await session.get_items(),
        ]
    return found


@pytest.mark.req("S5")
@settings(max_examples=60)
@given(ops=st.lists(OPS, max_size=8), limit=st.none() | st.integers(1, 3))
def test_random_operations_give_what_the_sqlite_session_gives(
    shared: Memory, ops: list[tuple[str, Any]], limit: int | None
) -> None:
    name, chosen = f"s{next(NUMBER)}", SessionSettings(limit=limit)
    ours = YinjiSession(name, shared, session_settings=chosen)
    theirs = SQLiteSession(name, session_settings=chosen)
    assert asyncio.run(follow(ours, ops)) == asyncio.run(follow(theirs, ops))
    theirs.close()


@pytest.mark.req("S5")
def test_it_is_a_session_of_the_protocol(shared: Memory) -> None:
    assert isinstance(YinjiSession("s", shared), Session)


class Script(Model):
    """A model that answers what it is told to; it keeps what it was given."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.inputs: list[Any] = []

    async def get_response(self, system_instructions: Any, input: Any, *_: Any, **__: Any) -> ModelResponse:
        self.inputs.append(input)
        return ModelResponse(output=[self.answers.pop(0)], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError


def says(text: str) -> ResponseOutputMessage:
    part = ResponseOutputText(text=text, type="output_text", annotations=[])
    return ResponseOutputMessage(id="msg", content=[part], role="assistant", status="completed", type="message")


def calls(name: str, arguments: str) -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(call_id="call_1", name=name, arguments=arguments, type="function_call")


@function_tool
def book(table: str) -> str:
    """Books a table."""
    return f"booked {table}: code 8814-ZK"


@pytest.mark.req("S5")
@pytest.mark.parametrize(
    ("first", "answer", "question", "wanted"),
    [
        ("我对花生过敏，帮我订张桌子", "订好了", "我对什么过敏？", "花生"),
        ("I'm allergic to peanuts, book me a table", "Booked.", "What am I allergic to?", "peanuts"),
    ],
)
def test_a_run_keeps_every_item_and_remembers_the_turn(
    memory: Memory, first: str, answer: str, question: str, wanted: str
) -> None:
    model = Script(calls("book", '{"table": "窗边 window"}'), says(answer), says("🙂"))
    agent = Agent(name="waiter", model=model, tools=[book])
    session = YinjiSession("晚饭 dinner", memory)
    quiet = RunConfig(tracing_disabled=True)

    async def talk() -> list[Any]:
        await Runner.run(agent, first, session=session, run_config=quiet)
        await Runner.run(agent, "谢谢 thanks", session=session, run_config=quiet)
        await session.flush()
        return list(await session.get_items())

    items = asyncio.run(talk())
    told = [one.get("role") or one.get("type") for one in items]
    assert told == ["user", "function_call", "function_call_output", "assistant", "user", "assistant"]
    assert items[2]["output"] == "booked 窗边 window: code 8814-ZK"
    assert len(model.inputs[-1]) == 5
    (kept,) = memory.list()
    assert wanted in kept.content
    assert (kept.sources[0].session, kept.sources[0].app) == ("晚饭 dinner", "openai-agents")
    assert wanted in memory.recall(question)[0].memory.content
    assert memory.stats().turns == 2


@pytest.mark.req("S5", "O5")
def test_taking_items_away_leaves_what_was_remembered_and_an_answerless_message_waits(memory: Memory) -> None:
    session = YinjiSession("s", memory, wait=True)

    async def talk() -> None:
        await session.add_items([{"role": "user", "content": "I live in Lisbon"}])
        assert memory.stats().turns == 0
        await session.add_items([{"role": "assistant", "content": "Nice!"}])
        assert [one.content for one in memory.list()] == ["The user lives in Lisbon"]
        await session.add_items([{"role": "user", "content": "我养了一只猫叫年糕"}])
        await session.flush()
        assert await session.pop_item() == {"role": "user", "content": "我养了一只猫叫年糕"}
        await session.clear_session()
        assert await session.get_items() == []
        assert await session.pop_item() is None

    asyncio.run(talk())
    assert len(memory.list()) == 2


@pytest.mark.req("S5", "W10", "F34")
@pytest.mark.parametrize(
    ("asked", "said", "secret"),
    [
        ("What is the verification code?", "482913", "482913"),
        ("请问验证码是多少？", "482913", "482913"),
        ("", "我的身份证号是11010519491231002X", "11010519491231002X"),
    ],
)
def test_a_secret_that_somebody_says_is_in_no_byte_and_other_items_are_as_they_were(
    memory: Memory, tmp_path: Path, asked: str, said: str, secret: str
) -> None:
    session = YinjiSession("s", memory)
    tool = {"type": "function_call_output", "call_id": "call_1", "output": "token=5f4dcc3b5aa765d61d8327deb882cf99"}
    items: list[Any] = [
        {"role": "assistant", "content": asked},
        {"role": "user", "content": [{"type": "input_text", "text": said}]},
        tool,
        {"role": "assistant", "content": "ok"},
    ]

    async def talk() -> list[Any]:
        await session.add_items(items)
        await session.flush()
        return list(await session.get_items())

    kept = asyncio.run(talk())
    assert kept[2] == tool
    assert secret not in str(kept)
    assert secret.encode() not in b"".join(one.read_bytes() for one in tmp_path.iterdir() if one.is_file())


@pytest.fixture(autouse=True)
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")


@pytest.mark.req("S5", "F30")
def test_sessions_and_owners_see_nothing_of_each_other(memory: Memory) -> None:
    async def talk() -> tuple[list[Any], list[Any]]:
        await YinjiSession("s", memory).add_items([{"role": "user", "content": "mine"}])
        other = await YinjiSession("s/2", memory).get_items()
        return list(other), list(await YinjiSession("s", memory, owner="you").get_items())

    assert asyncio.run(talk()) == ([], [])
