"""Changing, hiding, and taking it back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.conformance.store_cases import (
    DAY,
    ME,
    MODEL,
    NOW,
    entry,
    ids,
    new,
    remember,
    source,
    vector,
)
from yinji.errors import InvalidInput, NotFound
from yinji.language.text import content_key
from yinji.model import (
    Entity,
    Fields,
    Kind,
    Mention,
    Modality,
    Polarity,
    Slot,
    Validity,
)
from yinji.ports import Change, Retire, Says, Store


@pytest.mark.req("O5", "L14")
def test_an_edited_memory_is_found_by_its_new_words_only_and_undone_by_its_old(store: Store) -> None:
    before = entry("a", "用户喝美式", sources=(source(1),))
    store.import_memories([new(before, "喝", "美式")], at=NOW)
    wanted = Change(content="用户喝茶", terms=("喝", "茶"), vector=vector("用户喝茶"), kind="fact", scenes=("life",))
    after = store.change("me", "a", wanted, at=NOW + DAY, actor="user", reason="")
    assert (after.content, after.kind, after.scenes, after.updated_at) == ("用户喝茶", Kind.FACT, ("life",), NOW + DAY)
    assert store.words(ME, ["美式"], limit=9).hits == ()
    assert store.by_content("me", content_key("用户喝茶")) == [after]
    assert store.nearest("me", vector("用户喝茶"), model=MODEL, limit=1)[0].score > 0.999
    (line, _) = store.journal("me")
    assert (line.action, line.actor, line.undoable) == ("edited", "user", True)
    store.undo("me", line.id, at=NOW + 2 * DAY, actor="user")
    assert store.get("me", ["a"]) == [replace(before, updated_at=NOW + 2 * DAY)]
    assert store.words(ME, ["茶"], limit=9).hits == ()
    assert store.nearest("me", vector("用户喝美式"), model=MODEL, limit=1)[0].score > 0.999
    assert store.check() == []


@pytest.mark.req("O5")
def test_what_cannot_be_changed_is_refused(store: Store) -> None:
    store.import_memories([new(entry("a"))], at=NOW)
    how: dict[str, Any] = {"at": NOW, "actor": "user", "reason": ""}
    for owner, memory_id in (("me", "b"), ("you", "a")):
        with pytest.raises(NotFound):
            store.change(owner, memory_id, Change(content="x"), **how)
    with pytest.raises(InvalidInput):
        store.change("me", "a", Change(kind="wish"), **how)
    store.hide("me", ["a"], **how)
    with pytest.raises(NotFound):
        store.change("me", "a", Change(importance=1.0), **how)


def pin(store: Store) -> None:
    store.change("me", "a", Change(pinned=True), at=NOW, actor="user", reason="")


def edit(store: Store) -> None:
    store.change("me", "a", Change(importance=1.0), at=NOW, actor="user", reason="")


def hide(store: Store) -> None:
    store.hide("me", ["a"], at=NOW, actor="user", reason="")


def supersede(store: Store) -> None:
    retired = Retire(memory_id="a", validity=Validity.SUPERSEDED, at=NOW, by="b", reason="")
    remember(store, 9, new(entry("b")), retired=(retired,))


@pytest.mark.req("L14", "O8")
@pytest.mark.parametrize(
    ("act", "action", "answer"),
    [
        (pin, "pinned", "undone"),
        (edit, "edited", "undone"),
        (hide, "hidden", "restored"),
        (supersede, "superseded", "undone"),
    ],
)
def test_every_change_can_be_taken_back_once(
    store: Store, act: Callable[[Store], None], action: str, answer: str
) -> None:
    before = entry("a")
    store.import_memories([new(before)], at=NOW)
    act(store)
    line = next(each for each in store.journal("me", memory_id="a") if each.action == action)
    assert line.undoable
    undone = store.undo("me", line.id, at=NOW, actor="user")
    assert (undone.action, undone.memory_id) == (answer, "a")
    assert store.get("me", ["a"]) == [before]
    assert all(memory.links == () for memory in store.iterate("me"))
    assert {hit.id for hit in store.vectors(ME, vector("x"), model=MODEL, limit=9).hits} >= {"a"}
    assert next(each for each in store.journal("me") if each.id == line.id).undone
    with pytest.raises(InvalidInput):
        store.undo("me", line.id, at=NOW, actor="user")


@pytest.mark.req("L14", "O8")
def test_taking_back_what_was_added_hides_it_and_that_can_be_taken_back_too(store: Store) -> None:
    remember(store, 1, new(entry("a")))
    (added,) = store.journal("me")
    hidden = store.undo("me", added.id, at=NOW, actor="user")
    assert store.get("me", ["a"]) == []
    store.undo("me", hidden.id, at=NOW, actor="user")
    assert ids(store.get("me", ["a"])) == ["a"]


@pytest.mark.req("L14")
def test_changes_are_taken_back_in_turn_and_by_their_owner_only(store: Store) -> None:
    store.import_memories([new(entry("a")), new(entry("y", owner="you"))], at=NOW)
    edit(store)
    store.change("me", "a", Change(importance=0.1), at=NOW, actor="user", reason="")
    later, earlier = store.journal("me", memory_id="a", limit=2)
    with pytest.raises(InvalidInput, match="later change"):
        store.undo("me", earlier.id, at=NOW, actor="user")
    for owner in ("you", "nobody"):
        with pytest.raises(NotFound):
            store.undo(owner, later.id, at=NOW, actor="user")
    store.undo("me", later.id, at=NOW, actor="user")
    store.undo("me", earlier.id, at=NOW, actor="user")
    assert store.get("me", ["a"]) == [entry("a")]


@pytest.mark.req("O8", "L14")
def test_a_hidden_memory_is_gone_from_every_read(store: Store) -> None:
    slot = Slot(subject="user", attribute="diet")
    store.import_memories([new(entry("a", slot=slot, pinned=True), "香菜")], at=NOW)
    assert store.hide("me", ["a", "a", "gone"], at=NOW, actor="user", reason="") == 1
    assert store.hide("me", ["a"], at=NOW, actor="user", reason="") == 0
    assert store.get("me", ["a"]) == store.select(ME, limit=None) == store.hard_facts(ME) == []
    assert store.by_slot("me", "user", "diet") == store.by_content("me", content_key("用户不吃香菜")) == []
    assert store.words(ME, ["香菜"], limit=9).hits == store.vectors(ME, vector("x"), model=MODEL, limit=9).hits == ()
    assert store.nearest("me", vector("x"), model=MODEL, limit=9) == []
    assert (store.stats("me").memories, store.stats("me").hidden) == (0, 1)
    assert ids(store.select(replace(ME, hidden=True), limit=None)) == ["a"]


@pytest.mark.req("O5", "K7")
def test_a_memory_is_found_by_the_names_in_its_new_words_and_undone_by_the_old(store: Store) -> None:
    home = Slot(subject="user", attribute="home", value="杭州", single=True)
    before = entry("a", "用户住在杭州", slot=home)
    store.import_memories([new(before)], at=NOW)
    says = Says(
        subject="林夏",
        slot=Slot(subject="林夏", attribute="home", value="苏州", single=True),
        polarity=Polarity.NEGATIVE,
        modality=Modality.PLANNED,
        fields=Fields(place=(Mention(text="苏州", start=4, end=6),)),
        entities=(Entity(name="苏州", type="place", start=4, end=6),),
    )
    after = store.change("me", "a", Change(content="林夏不住苏州", says=says), at=NOW, actor="user", reason="")
    assert (after.subject, after.slot, after.polarity, after.modality) == (
        says.subject,
        says.slot,
        says.polarity,
        says.modality,
    )
    assert (after.fields, after.entities) == (says.fields, says.entities)
    assert store.mentioning(ME, ["苏州"], limit=9) == ["a"]
    assert store.mentioning(ME, ["杭州"], limit=9) == []
    store.undo("me", store.journal("me")[0].id, at=NOW, actor="user")
    assert store.get("me", ["a"]) == [replace(before, updated_at=NOW)]
    assert store.mentioning(ME, ["杭州"], limit=9) == ["a"]
    assert store.mentioning(ME, ["苏州"], limit=9) == []
