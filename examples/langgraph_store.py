"""A LangGraph agent with a long-term memory in one local file, in Chinese and English.

    pip install 'yinji[langgraph]'
    python examples/langgraph_store.py

No model is called: the node answers with what the store has for the question.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from yinji import Memory
from yinji.integrations.langgraph import YinjiStore


class State(TypedDict, total=False):
    user: str
    said: str
    answer: str


def listen(state: State, runtime: Runtime[None]) -> State:
    """Keeps what is said under the user's own namespace, and answers questions with the nearest of it."""
    assert runtime.store is not None
    namespace = ("notes", state["user"])
    if state["said"].rstrip().endswith(("?", "？")):
        near = runtime.store.search(namespace, query=state["said"], limit=1)
        return {"answer": near[0].value["text"] if near else "-"}
    runtime.store.put(namespace, str(hash(state["said"])), {"text": state["said"], "kind": "note"})
    return {"answer": "ok"}


def main() -> None:
    builder = StateGraph(State)
    builder.add_node("listen", listen)
    builder.add_edge(START, "listen")
    builder.add_edge("listen", END)
    with tempfile.TemporaryDirectory() as folder, Memory.open(Path(folder) / "memory.yinji") as memory:
        graph = builder.compile(store=YinjiStore(memory, fields=["text"]))
        for user, said in (
            ("ann", "My cat Mochi needs her pills at eight"),
            ("ann", "The garage opens at nine on Mondays"),
            ("李雷", "我家的猫叫年糕，八点要吃药"),
            ("李雷", "车库周一九点开门"),
            ("ann", "When does the cat need her pills?"),
            ("李雷", "猫几点吃药？"),
        ):
            print(f"{user}: {said} -> {graph.invoke({'user': user, 'said': said})['answer']}")
        store = YinjiStore(memory)
        print("namespaces:", store.list_namespaces(prefix=("notes",)))
        print("erased:", memory.documents("langgraph").erase(("notes", "ann")).proved)


if __name__ == "__main__":
    main()
