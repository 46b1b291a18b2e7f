"""A memory in mem0's shape: the arguments of 1.x and 2.x, the answers of mem0 itself, nobody else's memories."""

from __future__ import annotations

import ast
import asyncio
import hashlib
import importlib.util
import inspect
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from yinji import Memory as Yinji
from yinji.integrations.mem0 import AsyncMemory, Memory
from yinji.integrations.mem0_client import MemoryClient

FIRST = {
    "add": ["messages", "user_id", "agent_id", "run_id", "metadata", "infer", "memory_type", "prompt"],
    "search": ["query", "user_id", "agent_id", "run_id", "limit", "filters", "threshold", "rerank"],
    "get": ["memory_id"],
    "get_all": ["user_id", "agent_id", "run_id", "filters", "limit"],
    "update": ["memory_id", "data"],
    "delete": ["memory_id"],
    "delete_all": ["user_id", "agent_id", "run_id"],
    "history": ["memory_id"],
    "reset": [],
}
"""The parameters of mem0 1.0.0's Memory."""
SECOND = {
    "add": [*FIRST["add"], "timestamp", "expiration_date"],
    "search": ["query", "top_k", "filters", "threshold", "rerank", "explain", "reference_date", "show_expired"],
    "get": ["memory_id"],
    "get_all": ["filters", "top_k", "show_expired"],
    "update": ["memory_id", "text", "metadata", "expiration_date", "data"],
    "delete": ["memory_id"],
    "delete_all": ["user_id", "agent_id", "run_id"],
    "history": ["memory_id"],
    "reset": [],
    "chat": ["query"],
}
"""Those of 2.2.1's."""
CLIENT = {
    "add": ["messages", "options"],
    "get": ["memory_id"],
    "get_all": ["options"],
    "search": ["query", "options"],
    "update": ["memory_id", "options"],
    "delete": ["memory_id", "delete_linked"],
    "delete_all": ["options"],
    "history": ["memory_id"],
    "users": [],
    "delete_users": ["user_id", "agent_id", "app_id", "run_id"],
    "reset": [],
    "batch_update": ["memories"],
    "batch_delete": ["memories"],
}
"""Those of 2.2.1's MemoryClient."""


def parameters(method: Any) -> list[str]:
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return [name for name, one in inspect.signature(method).parameters.items() if one.kind in kinds and name != "self"]


@pytest.mark.req("S5")
@pytest.mark.parametrize("release", [FIRST, SECOND], ids=["1.x", "2.x"])
@pytest.mark.parametrize("shape", [Memory, AsyncMemory])
def test_every_argument_of_mem0_is_taken(release: dict[str, list[str]], shape: type) -> None:
    for name, wanted in release.items():
        assert set(wanted) <= set(parameters(getattr(shape, name))), name
        assert parameters(getattr(shape, name))[:1] == wanted[:1] or name in {"get_all"}


@pytest.mark.req("S5")
def test_every_argument_of_its_client_is_taken() -> None:
    for name, wanted in CLIENT.items():
        assert parameters(getattr(MemoryClient, name)) == wanted, name


@pytest.mark.req("S5")
@pytest.mark.skipif(importlib.util.find_spec("mem0") is None, reason="compares with the installed mem0ai")
def test_the_tables_above_are_those_of_the_mem0_that_is_installed() -> None:
    """Its source is read, not imported: importing it makes folders and talks to a server."""
    found = importlib.util.find_spec("mem0")
    assert found is not None
    assert found.origin is not None
    folder = Path(found.origin).parent
    for file, name, table in (("memory", "Memory", SECOND), ("client", "MemoryClient", CLIENT)):
        tree = ast.parse((folder / file / "main.py").read_text(encoding="utf-8"))
        (shape,) = (one for one in tree.body if isinstance(one, ast.ClassDef) and one.name == name)
        methods = {one.name: one for one in shape.body if isinstance(one, ast.FunctionDef)}
        for method, wanted in table.items():
            taken = [one.arg for one in (*methods[method].args.args[1:], *methods[method].args.kwonlyargs)]
            assert set(taken) == set(wanted), f"{name}.{method}"


ITEM = {"id", "memory", "hash", "metadata", "created_at", "updated_at"}
"""What mem0 2.2.1 gives of every memory; a search adds the score, ids are there where they were given."""
TOLD = [
    ("ann", "I'm allergic to peanuts", "What am I allergic to?", "peanuts"),
    ("李雷", "我对花生过敏", "我对什么过敏？", "花生"),
]


@pytest.fixture
def mem0(memory: Yinji) -> Iterator[Memory]:
    with Memory(memory) as one:
        yield one


@pytest.mark.req("S5")
@pytest.mark.parametrize(("user", "said", "question", "wanted"), TOLD)
def test_what_is_added_is_found_changed_and_deleted_in_mem0s_words(
    mem0: Memory, user: str, said: str, question: str, wanted: str
) -> None:
    chat = [
        {"role": "user", "content": said},
        {"role": "assistant", "content": "ok"},
        {"role": "system", "content": "x"},
    ]
    (added,) = mem0.add(chat, user_id=user, metadata={"from": "聊天"})["results"]
    assert (added["event"], added["role"]) == ("ADD", "user")
    assert wanted in added["memory"]
    for found in (
        mem0.search(question, user_id=user, limit=3),
        mem0.search(question, filters={"user_id": user}, top_k=3, threshold=0.1, explain=True),
    ):
        (one,) = found["results"]
        assert ITEM | {"user_id", "score"} <= one.keys()
        assert (one["id"], one["user_id"], one["metadata"]) == (added["id"], user, {"from": "聊天"})
        assert 0 < one["score"] < 1
    assert one["score_details"]["why"]
    (listed,) = mem0.get_all(filters={"user_id": user})["results"]
    assert listed | {"score": None} == mem0.get(added["id"])
    assert mem0.update(added["id"], data=f"{said}!") == {"message": "Memory updated successfully!"}
    assert (mem0.get(added["id"]) or {})["memory"] == f"{said}!"
    assert mem0.delete(added["id"]) == {"message": "Memory deleted successfully!"}
    assert mem0.get(added["id"]) is None
    history = mem0.history(added["id"])
    assert [one["event"] for one in history] == ["ADD", "UPDATE", "DELETE"]
    assert (history[1]["new_memory"], history[2]["is_deleted"]) == (f"{said}!", True)
    with pytest.raises(ValueError, match="not found"):
        mem0.delete(added["id"])


@pytest.mark.req("S5")
def test_messages_may_stand_as_they_are_and_say_when_they_were_said(mem0: Memory) -> None:
    said = [{"role": "user", "content": "记一下：A-17 号柜"}, {"role": "assistant", "content": "Noted: A-17"}]
    added = mem0.add(said, user_id="ann", infer=False, timestamp=1_700_000_000)["results"]
    assert [one["memory"] for one in added] == ["记一下：A-17 号柜", "Noted: A-17"]
    kept = mem0.get(added[0]["id"]) or {}
    assert (kept["created_at"], kept["role"]) == ("2023-11-14T22:13:20+00:00", "user")
    steps = mem0.add("First check the warranty", agent_id="shop", memory_type="procedural_memory")["results"]
    assert (mem0.get(steps[0]["id"]) or {})["categories"] == ["procedure"]


@pytest.mark.req("S5", "F30")
def test_a_run_and_an_agent_narrow_what_is_a_users_and_stand_for_themselves_alone(mem0: Memory) -> None:
    mem0.add("I live in Lisbon", user_id="ann", run_id="r1", agent_id="chef")
    mem0.add("我养了一只猫叫年糕", user_id="ann", run_id="r2")
    mem0.add("I speak politely", agent_id="chef", infer=False)
    mem0.add("I live in York", user_id="bob")

    def memories(**ids: str) -> list[str]:
        return sorted(one["memory"] for one in mem0.get_all(filters=ids)["results"])

    assert len(memories(user_id="ann")) == 2
    assert (
        memories(user_id="ann", run_id="r1") == ["The user lives in Lisbon"] == memories(user_id="ann", agent_id="chef")
    )
    assert memories(agent_id="chef") == ["I speak politely"]
    assert memories(run_id="r1") == []
    assert mem0.search("Where do I live?", filters={"user_id": "ann", "run_id": "r2"})["results"] == []
    assert mem0.delete_all(user_id="ann", run_id="r1") == {"message": "Memories deleted successfully!"}
    assert memories(user_id="ann") == ["用户养了一只猫叫年糕"]
    assert memories(user_id="bob") == ["The user lives in York"]


@pytest.mark.req("S5", "F31", "P3")
def test_nothing_is_deleted_or_found_without_a_name_and_nobody_resets_by_accident(mem0: Memory, memory: Yinji) -> None:
    mem0.add("I live in Lisbon", user_id="ann")
    for call in (
        mem0.delete_all,
        lambda: mem0.delete_all(user_id=""),
        lambda: mem0.delete_all(user_id="  "),
        mem0.get_all,
        lambda: mem0.search("x"),
        lambda: mem0.search(" ", user_id="ann"),
        lambda: mem0.search("x", user_id="ann", threshold=2),
        lambda: mem0.add("x"),
        lambda: mem0.add(5, user_id="ann"),
        lambda: mem0.add("x", user_id="a b"),
        lambda: mem0.add("x", user_id="agent:a"),
        lambda: mem0.add("x", user_id="ann", memory_type="other"),
        lambda: mem0.update("01234567"),
        mem0.reset,
        lambda: MemoryClient(memory=memory).delete_users(),
        lambda: MemoryClient(memory=memory).reset(),
    ):
        with pytest.raises(ValueError):  # noqa: PT011 - mem0 raises it bare, too
            call()
    assert len(mem0.get_all(user_id="ann")["results"]) == 1
    Memory(memory, allow_reset=True).reset()
    assert memory.owners() == []


@pytest.mark.req("S5")
@pytest.mark.parametrize(
    ("filters", "wanted"),
    [
        ({"city": "里斯本"}, ["a"]),
        ({"city": {"in": ["里斯本", "York"]}}, ["a", "b"]),
        ({"city": {"nin": ["York"]}}, ["a", "c"]),
        ({"city": "*"}, ["a", "b"]),
        ({"n": {"gte": 2}}, ["b", "c"]),
        ({"n": {"gt": 2, "lt": 9}}, ["c"]),
        ({"city": {"icontains": "yor"}}, ["b"]),
        ({"OR": [{"city": "York"}, {"n": 3}]}, ["b", "c"]),
        ({"NOT": [{"n": {"eq": 1}}]}, ["b", "c"]),
        ({"AND": [{"n": {"ne": 1}}, {"city": {"contains": "Y"}}]}, ["b"]),
        ({"tags": "x"}, ["c"]),
        ({"n": {"gt": "x"}}, []),
    ],
)
def test_filters_ask_what_was_kept_with_a_memory(mem0: Memory, filters: dict[str, Any], wanted: list[str]) -> None:
    for text, kept in (
        ("a", {"city": "里斯本", "n": 1}),
        ("b", {"city": "York", "n": 2}),
        ("c", {"n": 3, "tags": ["x"]}),
    ):
        mem0.add(f"note {text}", user_id="ann", infer=False, metadata=kept)
    found = mem0.get_all(filters={"user_id": "ann", **filters})["results"]
    assert sorted(one["memory"][-1] for one in found) == wanted
    found = mem0.search(
        "note", filters={"AND": [{"user_id": "ann"}], **filters} if "AND" not in filters else filters, user_id="ann"
    )["results"]
    assert sorted(one["memory"][-1] for one in found) == wanted


@pytest.mark.req("S5", "P3")
def test_an_unknown_operator_or_argument_is_named(mem0: Memory, memory: Yinji) -> None:
    mem0.add("x y", user_id="ann", infer=False)
    with pytest.raises(ValueError, match="near"):
        mem0.get_all(filters={"user_id": "ann", "n": {"near": 1}})
    with pytest.raises(TypeError, match="colour"):
        MemoryClient(memory=memory).search("x", user_id="ann", colour="red")


@pytest.mark.req("S5", "L5")
def test_what_has_expired_is_shown_only_when_asked_for(memory: Yinji, clock: Any) -> None:
    mem0 = Memory(memory, clock=clock)
    (one,) = mem0.add("票根 ticket", user_id="ann", infer=False, expiration_date="2026-03-05")["results"]
    assert len(mem0.get_all(user_id="ann")["results"]) == 1
    clock.move(days=7)
    assert mem0.get_all(user_id="ann")["results"] == mem0.search("ticket", user_id="ann")["results"] == []
    (shown,) = mem0.get_all(user_id="ann", show_expired=True)["results"]
    assert shown["expiration_date"] == "2026-03-05"
    mem0.update(one["id"], expiration_date=None)
    assert len(mem0.get_all(user_id="ann")["results"]) == 1


@pytest.mark.req("S5", "O7")
def test_hard_deletes_leave_no_byte_of_the_memory_nor_of_what_was_kept_with_it(memory: Yinji, tmp_path: Path) -> None:
    mem0 = Memory(memory, hard=True)
    mem0.add("对青霉素过敏，在瑞金医院确诊", user_id="ann", infer=False, metadata={"doctor": "瑞金医院皮肤科"})
    mem0.add("keeps bees", user_id="ann", infer=False)
    mem0.delete_all(user_id="ann")
    held = b"".join(one.read_bytes() for one in tmp_path.iterdir() if one.is_file())
    assert "瑞金医院".encode() not in held
    assert mem0.get_all(user_id="ann")["results"] == []


@pytest.mark.req("S5")
def test_the_client_takes_options_and_filters_and_gives_pages(memory: Yinji) -> None:
    client = MemoryClient(api_key="none", memory=memory)
    for number in range(5):
        client.add(f"第{number}条 note", user_id="ann", infer=False, output_format="v1.1")
    client.add([{"role": "user", "content": "我住在里斯本"}], filters={"user_id": "李雷"}, version="v2")
    page = client.get_all(filters={"user_id": "ann"}, page=2, page_size=2)
    assert (page["count"], len(page["results"]), bool(page["next"]), bool(page["previous"])) == (5, 2, True, True)
    (one,) = client.search("我住在哪里？", {"filters": {"user_id": "李雷"}, "top_k": 1})["results"]
    assert client.update(one["id"], "用户住在波尔图")["memory"] == "用户住在波尔图"
    assert client.batch_update([{"memory_id": one["id"], "metadata": {"n": 1}}])["message"]
    assert client.get(one["id"])["metadata"] == {"n": 1}
    assert {(each["name"], each["type"], each["total_memories"]) for each in client.users()["results"]} == {
        ("ann", "user", 5),
        ("李雷", "user", 1),
    }
    client.batch_delete([{"memory_id": each["id"]} for each in page["results"]])
    assert client.get_all(filters={"user_id": "ann"})["count"] == 3
    assert client.delete_users(user_id="ann") == {"message": "Entity deleted successfully."}
    assert memory.owners() == ["李雷"]
    assert client.delete_all(user_id="李雷")["message"]


@pytest.mark.req("S5", "F14")
def test_deleting_what_superseded_may_take_the_superseded_along(memory: Yinji) -> None:
    client = MemoryClient(memory=memory)
    client.add("I live in Leeds", user_id="ann")
    done = client.add("I live in York now", user_id="ann")["results"]
    (new,) = (one for one in done if one["event"] == "ADD")
    assert [one["event"] for one in done] == ["ADD", "DELETE"]
    client.delete(new["id"], delete_linked=True)
    assert memory.list(owner="ann", validity=None) == []


@pytest.mark.req("S5")
def test_the_async_memory_answers_as_the_sync_one(memory: Yinji, mem0: Memory) -> None:
    async def talk() -> Any:
        later = AsyncMemory(memory)
        await later.add("I'm allergic to peanuts", user_id="ann")
        return await later.search("What am I allergic to?", user_id="ann")

    assert asyncio.run(talk()) == mem0.search("What am I allergic to?", filters={"user_id": "ann"})


# ------------------------------------------------------------ beside mem0 itself

USERS = st.sampled_from(["ann", "李雷"])
RUNS = st.none() | st.sampled_from(["r1", "周一"])
AGENTS = st.none() | st.just("chef")
TEXTS = st.sampled_from(["I like tea", "喜欢喝茶", "lives in Lisbon", "住在里斯本", "x"])
CITY = st.sampled_from(["Lisbon", "里斯本"])
METADATA = st.none() | st.fixed_dictionaries({"n": st.integers(0, 3)}, optional={"city": CITY})
CONDITIONS = st.fixed_dictionaries({}, optional={"city": CITY, "n": st.integers(0, 3)})
IDS = st.fixed_dictionaries(
    {"user_id": USERS}, optional={"run_id": st.sampled_from(["r1", "周一"]), "agent_id": st.just("chef")}
)
CALLS = st.one_of(
    st.tuples(st.just("add"), TEXTS, IDS, METADATA),
    st.tuples(st.just("add"), TEXTS, IDS, METADATA),
    st.tuples(st.just("list"), IDS, CONDITIONS),
    st.tuples(st.just("update"), st.integers(0, 9), TEXTS),
    st.tuples(st.just("delete"), st.integers(0, 9)),
    st.tuples(st.just("delete_all"), IDS),
)


class Numbers:
    """An embedder that needs no model."""

    def embed(self, text: str, *_: Any, **__: Any) -> list[float]:
        return [one / 255 for one in hashlib.sha256(text.encode()).digest()[:8]]

    def embed_batch(self, texts: list[str], *_: Any, **__: Any) -> list[list[float]]:
        return [self.embed(one) for one in texts]


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """mem0's own Memory, with its store in a folder and no model: nothing of it goes to the network."""
    if importlib.util.find_spec("mem0") is None:
        pytest.skip("compares with mem0ai, which the test extra brings")
    folder = tmp_path_factory.mktemp("mem0")
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, value in {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(folder), "OPENAI_API_KEY": "none"}.items():
            patch.setenv(name, value)
        from mem0 import Memory as Mem0

        kept = {"provider": "qdrant", "config": {"path": str(folder / "q"), "embedding_model_dims": 8}}
        made = Mem0.from_config({"vector_store": kept, "history_db_path": str(folder / "history.db")})
        made.embedding_model = Numbers()
        yield made
        made.vector_store.client.close()
        made.close()


class Beside:
    """The same calls on both; memories are told apart by the order in which they were added."""

    def __init__(self, memory: Any) -> None:
        self.memory = memory
        self.ids: list[str] = []

    def do(self, name: str, *arguments: Any) -> Any:
        return getattr(self, name)(*arguments)

    def add(self, text: str, ids: dict[str, str], metadata: dict[str, Any] | None) -> Any:
        made = self.memory.add(text, **ids, metadata=metadata, infer=False)["results"]
        self.ids += [one["id"] for one in made]
        return [{name: value for name, value in one.items() if name != "id"} for one in made]

    def list(self, ids: dict[str, str], conditions: dict[str, Any]) -> Any:
        found = self.memory.get_all(filters={**ids, **conditions}, top_k=100)["results"]
        return sorted((self.shape(one) for one in found), key=lambda one: one["number"])

    def shape(self, one: dict[str, Any]) -> dict[str, Any]:
        compared = ("memory", "hash", "metadata", "user_id", "agent_id", "run_id", "role")
        return {"number": self.ids.index(one["id"])} | {name: one[name] for name in compared if name in one}

    def update(self, number: int, text: str) -> Any:
        return self.on(number, lambda memory_id: self.memory.update(memory_id, text))

    def delete(self, number: int) -> Any:
        return self.on(number, self.memory.delete)

    def delete_all(self, ids: dict[str, str]) -> Any:
        return self.memory.delete_all(**ids)

    def on(self, number: int, call: Callable[[str], Any]) -> Any:
        """What a call gives or complains about, what is then to be had, and what it went through."""
        if number >= len(self.ids):
            return None
        memory_id = self.ids[number]
        try:
            told = call(memory_id)
        except ValueError as error:
            told = str(error).replace(memory_id, "")
        one = self.memory.get(memory_id)
        events = [each["event"] for each in self.memory.history(memory_id)]
        return told, one and self.shape(one), events


@pytest.mark.req("S5")
@pytest.mark.filterwarnings("ignore")
@settings(max_examples=25)
@given(calls=st.lists(CALLS, max_size=12))
def test_random_calls_give_what_mem0_itself_gives(shared: Yinji, theirs: Any, calls: list[Any]) -> None:
    for user in ("ann", "李雷"):
        theirs.delete_all(user_id=user)
        Memory(shared).delete_all(user_id=user)
    one, other = Beside(Memory(shared)), Beside(theirs)
    for name, *arguments in calls:
        assert one.do(name, *arguments) == other.do(name, *arguments)


@pytest.mark.req("S5")
@pytest.mark.filterwarnings("ignore")
def test_every_part_of_mem0s_answers_is_in_ours(mem0: Memory, theirs: Any) -> None:
    told = []
    for memory in (mem0, theirs):
        added = memory.add("I like tea", user_id="kim", run_id="r", agent_id="a", infer=False, metadata={"n": 1})[
            "results"
        ][0]
        whose = {"user_id": "kim"}
        found = memory.search("tea", filters=whose)["results"][0]
        listed = memory.get_all(filters=whose)["results"][0]
        told.append([added, found, listed, memory.get(added["id"]), memory.history(added["id"])[0]])
    for ours, wanted in zip(*told, strict=True):
        assert wanted.keys() <= ours.keys()
        assert all(type(ours[name]) is type(wanted[name]) for name in wanted)
