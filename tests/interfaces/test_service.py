"""Operations by name, for every server door: plain arguments in, plain JSON or an error that tells out."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from typing import Any

import pytest

from yinji import Memory, Recall, Remembered
from yinji.errors import InvalidInput, NotAllowed, NotFound, QueueFull, YinjiError
from yinji.interfaces.operations import GRANTS, OPERATIONS, Identity
from yinji.interfaces.service import Service, told
from yinji.interfaces.wire import from_json, to_json

ME = Identity(owner="me")
SAID = ("我住在杭州西湖区", "I'm allergic to peanuts")


@pytest.fixture
def service(memory: Memory) -> Service:
    return Service(memory, queue_limit=100, retry_after_s=5)


@pytest.mark.req("S1", "P1")
def test_operations_have_the_names_and_parameters_of_the_python_memory() -> None:
    other = {"user": "user_msg", "assistant": "assistant_msg", "entry": "entry_id", "memories": "source"}
    names = {"import": "import_", "feedback": "used", "export": "export"}
    for name, operation in OPERATIONS.items():
        assert operation.grant in GRANTS
        method = inspect.signature(getattr(Memory, names.get(name, name))).parameters
        known = {*method, "used" if name == "feedback" else "ids"}
        assert {other.get(one, one) for one in operation.parameters} <= known, name


@pytest.mark.req("S1")
@pytest.mark.parametrize("text", SAID)
def test_what_comes_back_is_json_whose_parts_are_those_of_the_value(service: Service, text: str) -> None:
    made = service.call("remember", {"user": text, "wait": True}, ME)
    assert json.loads(json.dumps(made)) == made
    outcome = service.memory.outcome(str(made["turn_id"]))
    assert made == to_json(outcome)
    assert from_json(Remembered, made, "it") == outcome
    found = service.value("recall", {"query": text}, ME)
    assert from_json(Recall, to_json(found), "it") == found


Wrong = tuple[str, dict[str, Any], type[YinjiError], str, str]
WRONG: list[Wrong] = [
    ("recal", {}, NotFound, "recall", "recall"),
    ("recall", {}, InvalidInput, "'query' is missing", "缺少 'query'"),
    ("recall", {"query": 3}, InvalidInput, "argument query", "参数 query"),
    ("recall", {"qury": "x"}, InvalidInput, "Did you mean 'query'", "是不是想用 'query'"),
    ("recall", {"query": "x", "kinds": ["facts"]}, InvalidInput, "Did you mean 'fact'", "是不是想用 'fact'"),
    ("recall", {"query": "x", "kinds": "fact"}, InvalidInput, "not a list", "不是列表"),
    ("recall", {"query": "x", "now": "2026-01-01"}, InvalidInput, "no zone", "没有时区"),
    ("recall", {"query": "x", "now": "0001-01-01T00:00+08:00"}, InvalidInput, "out of range", "超出范围"),
    ("recall", {"query": "x", "top_k": 0}, InvalidInput, "from 1 to 100", "1 到 100"),
    ("recall", {"query": "x", "top_k": True}, InvalidInput, "not a whole number", "不是整数"),
    ("recall", {"query": "x", "past": "yes"}, InvalidInput, "not true or false", "不是 true 或 false"),
    ("remember", {"user": ""}, InvalidInput, "out of range", "超出范围"),
    ("remember_many", {"turns": [{"usr": "x"}]}, InvalidInput, "turns[0]", "turns[0]"),
    ("edit", {"id": "abcdef"}, InvalidInput, "nothing to change", "没有要修改"),
    ("forget", {"ids": []}, InvalidInput, "no memory was named", "没有指定记忆"),
    ("erase", {}, InvalidInput, "'owner' is missing", "缺少 'owner'"),
    ("erase", {"owner": "you"}, NotAllowed, "'you' is another owner", "'you' 不是"),
]


@pytest.mark.req("S1", "P3", "F31")
@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_a_wrong_call_is_told_in_both_languages_and_changes_nothing(service: Service, wrong: Wrong) -> None:
    name, arguments, kind, english, chinese = wrong
    service.call("remember", {"user": SAID[0], "wait": True}, ME)
    before = service.memory.stats()
    with pytest.raises(kind) as caught:
        service.call(name, arguments, ME)
    for language, part in (("en", english), ("zh", chinese)):
        error = told(caught.value, language)
        assert part in error.message + error.hint
        assert error.code == caught.value.code
    assert service.memory.stats() == before


@pytest.mark.req("O3", "S1")
@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_needs_its_grant(service: Service, name: str) -> None:
    others = frozenset(GRANTS) - {OPERATIONS[name].grant}
    with pytest.raises(NotAllowed, match=repr(OPERATIONS[name].grant)):
        service.call(name, {}, Identity(owner="me", may=others, name="phone"))


@pytest.mark.req("O3", "O7")
def test_erasing_one_memory_for_good_needs_the_grant_to_erase(service: Service) -> None:
    kept = service.memory.remember(SAID[0], wait=True).added[0]
    careful = Identity(owner="me", may=frozenset({"forget"}))
    with pytest.raises(NotAllowed):
        service.call("forget", {"ids": [kept.id], "hard": True}, careful)
    assert service.call("forget", {"ids": [kept.id]}, careful)["hidden"]


@pytest.mark.req("K4", "F30", "S1")
def test_another_owners_ids_lead_nowhere(service: Service) -> None:
    kept = service.memory.remember(SAID[0], owner="ann", wait=True)
    stranger = Identity(owner="bo")
    memory_id, turn_id = kept.added[0].id, kept.turn_id
    for name, arguments in (
        ("get", {"id": memory_id}),
        ("edit", {"id": memory_id, "content": "x"}),
        ("pin", {"id": memory_id}),
        ("history", {"id": memory_id}),
        ("forget", {"ids": [memory_id]}),
        ("feedback", {"used": [memory_id]}),
        ("why", {"query": "x y", "id": memory_id}),
        ("outcome", {"turn_id": turn_id}),
        ("undo", {"entry": service.memory.history(owner="ann")[0].id}),
        ("undo", {}),
    ):
        with pytest.raises(NotFound):
            service.call(name, arguments, stranger)
    assert not service.call("recall", {"query": SAID[0]}, stranger)["hits"]
    assert not service.call("list", {}, stranger)["memories"]
    assert len(list(service.export(stranger))) == 1
    assert service.memory.get(memory_id, owner="ann") == kept.added[0]


@pytest.mark.req("S2")
def test_a_full_queue_takes_nothing_more_and_still_answers(open_memory: Callable[..., Memory]) -> None:
    service = Service(open_memory(reads=False), queue_limit=2, retry_after_s=7)
    for text in SAID:
        assert service.call("remember", {"user": text}, ME)["pending"]
    assert service.depth() == 2
    with pytest.raises(QueueFull) as caught:
        service.call("remember", {"user": "我换工作了"}, ME)
    assert "7" in told(caught.value, "zh").message
    with pytest.raises(QueueFull):
        service.call("remember_many", {"turns": [{"user": "我换工作了"}]}, ME)
    assert service.call("recall", {"query": SAID[0]}, ME)["pending"] == 2
    reader = open_memory()
    assert reader.flush() == 0
    assert service.call("remember", {"user": "我换工作了"}, ME)["pending"]


@pytest.mark.req("O9", "S1")
def test_an_export_comes_in_again_through_import(service: Service) -> None:
    for text in SAID:
        service.call("remember", {"user": text, "wait": True}, ME)
    lines = [json.loads(line) for line in service.export(ME)]
    assert len(lines) == 3
    assert service.call("import", {"memories": lines}, Identity(owner="bo"))["new"] == 2
    assert service.call("import", {"memories": lines}, Identity(owner="bo"))["unchanged"] == 2


@pytest.mark.req("O3", "F32")
def test_a_tokens_secret_is_nowhere_in_the_store(memory: Memory) -> None:
    token, secret = memory.tokens.add("phone", owner="ann", may=["recall"])
    assert memory.tokens.holder(secret) == token
    assert memory.tokens.holder(secret[:-1]) is None
    assert memory.tokens.holder("") is None
    with pytest.raises(InvalidInput, match="given before"):
        memory.tokens.add("phone", owner="bo", may=["recall"])
    with pytest.raises(NotFound, match="Did you mean 'phone'"):
        memory.tokens.revoke("phon")
    memory.tokens.revoke("phone")
    assert memory.tokens.holder(secret) is None
    assert memory.tokens.required()
    memory.close()
    from pathlib import Path

    assert all(secret.encode() not in path.read_bytes() for path in Path(memory.path).parent.iterdir())
