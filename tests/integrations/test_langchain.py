"""Memories as LangChain documents, and a chat's history that remembers."""

from __future__ import annotations

import asyncio
import warnings
from itertools import count
from typing import Any

import pytest

pytest.importorskip("langchain_core.retrievers", reason="needs the extra langchain")

from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.chat_history import InMemoryChatMessageHistory
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from yinji import Memory
from yinji.integrations.langchain import YinjiChatMessageHistory, YinjiRetriever

TEXTS = st.sampled_from(["我住在里斯本", "I live in Lisbon", "ok", "", "两行\nlines"])
PARTS = st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": TEXTS}) | TEXTS, max_size=2)
CALL = {"name": "look", "args": {"q": "天气"}, "id": "call_1", "type": "tool_call"}
MESSAGES = st.one_of(
    st.builds(HumanMessage, content=TEXTS | PARTS, id=st.none() | st.just("h1")),
    st.builds(AIMessage, content=TEXTS, tool_calls=st.just([]) | st.just([CALL])),
    st.builds(ToolMessage, content=TEXTS, tool_call_id=st.just("call_1"), artifact=st.none() | st.just({"n": 1})),
    st.builds(SystemMessage, content=TEXTS),
)
NUMBER = count()


@pytest.mark.req("S5")
@settings(max_examples=50)
@given(batches=st.lists(st.lists(MESSAGES, max_size=4), max_size=4), cleared=st.booleans(), later=st.booleans())
def test_messages_come_back_as_the_in_memory_history_gives_them(
    shared: Memory, batches: list[list[BaseMessage]], cleared: bool, later: bool
) -> None:
    ours = YinjiChatMessageHistory(f"s{next(NUMBER)}", shared)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it tells that LangChain means to replace it
        theirs = InMemoryChatMessageHistory()
    for batch in batches:
        asyncio.run(ours.aadd_messages(batch)) if later else ours.add_messages(batch)
        theirs.add_messages(batch)
    assert ours.messages == theirs.messages
    assert str(ours) == str(theirs)
    if cleared:
        asyncio.run(ours.aclear()) if later else ours.clear()
        assert ours.messages == []


@pytest.mark.req("S5")
@pytest.mark.parametrize(
    ("said", "answer", "question", "wanted"),
    [
        ("我对花生过敏", "记住了", "我对什么过敏？", "花生"),
        ("I am allergic to peanuts", "Noted.", "What am I allergic to?", "peanuts"),
    ],
)
def test_what_a_chat_says_is_remembered_and_recalled_with_its_reasons(
    memory: Memory, said: str, answer: str, question: str, wanted: str
) -> None:
    history = YinjiChatMessageHistory("thread", memory)
    history.add_messages([HumanMessage(said), AIMessage("", tool_calls=[CALL])])
    history.add_messages([ToolMessage("sunny", tool_call_id="call_1"), AIMessage(answer)])
    history.flush()
    retriever = YinjiRetriever(memory=memory, top_k=3)
    (found,) = retriever.invoke(question)
    assert wanted in found.page_content
    assert found.metadata["source"] == said
    assert (found.metadata["session"], found.metadata["said_by"], found.metadata["rank"]) == ("thread", "user", 1)
    assert found.metadata["why"]
    assert abs(sum(found.metadata["factors"].values()) - found.metadata["score"]) < 1e-6
    assert found.id == found.metadata["id"] == memory.list()[0].id
    assert asyncio.run(retriever.ainvoke(question))[0].page_content == found.page_content
    assert [len(one) for one in retriever.batch([question, " "])] == [1, 0]
    assert memory.get(str(found.id)).recalls > 0
    assert memory.stats().turns == 1


@pytest.mark.req("S5", "R1")
def test_a_retriever_that_only_looks_counts_no_use(memory: Memory) -> None:
    memory.remember("I live in Lisbon", wait=True)
    YinjiRetriever(memory=memory, used=False).invoke("Where do I live?")
    assert memory.list()[0].recalls == 0


@pytest.mark.req("S5", "F30", "K3")
def test_a_retriever_answers_for_its_owner_kinds_and_time(memory: Memory) -> None:
    memory.remember("我住在里斯本", owner="李雷", wait=True)
    memory.remember("I lived in Leeds in 2020", wait=True)
    where = YinjiRetriever(memory=memory, owner="李雷").invoke("我住在哪里？")
    assert [one.metadata["owner"] for one in where] == ["李雷"]
    assert YinjiRetriever(memory=memory, owner="nobody").invoke("我住在哪里？") == []
    assert YinjiRetriever(memory=memory, kinds=("preference",)).invoke("Where did I live?") == []
    times = [one.metadata for one in YinjiRetriever(memory=memory, past=True).invoke("Where did I live in 2020?")]
    assert any((one["valid_from"] or "").startswith("2020") for one in times)


@pytest.mark.req("S5")
def test_a_history_may_keep_messages_without_remembering_and_show_the_latest_alone(memory: Memory) -> None:
    history = YinjiChatMessageHistory("s", memory, remember=False, limit=2)
    history.add_messages([HumanMessage("I live in Lisbon"), AIMessage("ok"), HumanMessage("我养猫")])
    history.flush()
    assert [one.content for one in history.messages] == ["ok", "我养猫"]
    assert memory.stats().turns == 0


@pytest.mark.req("S5", "W10", "F34")
def test_a_secret_in_a_message_is_masked_and_a_tool_message_is_not(memory: Memory) -> None:
    history = YinjiChatMessageHistory("s", memory)
    tool: Any = ToolMessage("id 11010519491231002X", tool_call_id="call_1")
    history.add_messages([HumanMessage("身份证号11010519491231002X"), tool, AIMessage("好")])
    shown = [str(one.content) for one in history.messages]
    assert "11010519491231002X" not in shown[0]
    assert shown[1] == tool.content
