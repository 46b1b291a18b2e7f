"""A LangChain chat whose history is kept in one local file, and whose answers are given what is remembered.

    pip install 'yinji[langchain]'
    python examples/langchain_memory.py

The model is a script here, so that this runs without a key and without a network.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.runnables import RunnableLambda, RunnablePassthrough

from yinji import Memory
from yinji.integrations.langchain import YinjiChatMessageHistory, YinjiRetriever

PROMPT = ChatPromptTemplate.from_messages(
    [("system", "What you remember of the user:\n{memories}"), MessagesPlaceholder("history"), ("human", "{question}")]
)


def show(prompt: Any) -> Any:
    print(prompt.messages[0].content.replace("\n", "\n    "))
    return prompt


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, Memory.open(Path(folder) / "memory.yinji") as memory:
        retriever = YinjiRetriever(memory=memory, top_k=3)
        model = FakeListChatModel(responses=["Noted.", "记住了。", "Peanuts.", "不能。"])
        chain = (
            RunnablePassthrough.assign(
                memories=lambda given: "\n".join(
                    f"- {one.page_content} ({one.metadata['why']})" for one in retriever.invoke(given["question"])
                )
            )
            | PROMPT
            | RunnableLambda(show)
            | model
        )
        for thread, said in (
            ("monday", "I'm allergic to peanuts"),
            ("monday", "我周三下午不开会"),
            ("friday", "What am I allergic to?"),
            ("friday", "我周三下午能开会吗？"),
        ):
            history = YinjiChatMessageHistory(thread, memory)
            answer = chain.invoke({"question": said, "history": history.messages})
            history.add_messages([HumanMessage(said), AIMessage(answer.content)])
            history.flush()
            print(f"{thread}: {said} -> {answer.content}")
        print("monday has", len(YinjiChatMessageHistory("monday", memory).messages), "messages")


if __name__ == "__main__":
    main()
