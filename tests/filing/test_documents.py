"""What programs keep under names of their own, through Memory.documents."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yinji import Memory, Settings, YinjiError
from yinji.errors import InvalidInput, ReadOnlyStore
from yinji.interfaces.cli import main

NAMES = st.text(max_size=12).filter(lambda text: text.isprintable() or "\x00" in text)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.text(max_size=5), parts, max_size=3),
    max_leaves=8,
)


@pytest.mark.req("S5")
@given(namespace=st.lists(NAMES, max_size=3), key=NAMES, value=st.dictionaries(st.text(max_size=6), JSON, max_size=4))
def test_any_json_under_any_name_comes_back_as_it_was(
    whole: Memory, namespace: list[str], key: str, value: dict[str, object]
) -> None:
    papers = whole.documents("any", mask=False)
    papers.put(namespace, key, value)
    found = papers.get(namespace, key)
    assert found is not None
    assert (found.namespace, found.key, found.value) == (tuple(namespace), key, value)
    target = io.StringIO()
    whole.export(target)
    records = [json.loads(line) for line in target.getvalue().split("\n")[1:-1]]
    assert value in [one["value"] for one in records]
    papers.delete(namespace, key)
    assert papers.get(namespace, key) is None


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, hashing: Settings) -> Memory:
    return Memory.open(tmp_path_factory.mktemp("any") / "memory.yinji", settings=hashing)


@pytest.mark.req("S5", "R4")
@pytest.mark.parametrize(
    ("texts", "query", "wanted"),
    [
        (["周末常去爬山", "养了一只猫叫年糕", "对花生过敏"], "猫叫什么名字", 1),
        (["hikes at weekends", "has a cat called Mochi", "is allergic to peanuts"], "what is the cat called", 1),
    ],
)
def test_documents_are_found_by_meaning_within_a_namespace_and_by_filter(
    memory: Memory, texts: list[str], query: str, wanted: int
) -> None:
    papers = memory.documents("notes")
    for at, text in enumerate(texts):
        papers.put(("user", "a"), f"k{at}", {"text": text, "at": at})
    papers.put(("user", "b"), "other", {"text": texts[wanted]})
    papers.put(("user", "a"), "unseen", {"text": texts[wanted]}, fields=())
    found = papers.search(query, ("user", "a"))
    assert (found[0].document.key, found[-1].document.key, found[-1].score) == (f"k{wanted}", "unseen", None)
    assert [one.document.key for one in papers.search(query, ("user", "a"), where={"at": {"$lt": wanted}})] == ["k0"]
    pages = [papers.search(query, ("user", "a"), limit=1, offset=at)[0].document.key for at in range(4)]
    assert pages == [one.document.key for one in found]


@pytest.mark.req("S5", "R12")
def test_without_an_embedder_words_find_them_with_a_warning_and_vectors_come_later(
    open_memory: Callable[..., Memory], hashing: Settings
) -> None:
    bare = open_memory(settings=hashing.with_values("embed", {"model": "none"}))
    bare.documents("notes").put((), "zh", {"text": "养了一只猫叫年糕"})
    bare.documents("notes").put((), "en", {"text": "the door code changes on Monday"})
    found = bare.documents("notes").search("年糕")
    assert [(one.document.key, one.score) for one in found] == [("zh", 1.0), ("en", None)]
    assert found.warnings[0].startswith("words_only:")
    bare.close()
    found = open_memory().documents("notes").search("年糕")
    assert found.warnings == ()
    assert [one.document.key for one in found if one.score is not None] == ["zh", "en"]


@pytest.mark.req("S5", "W10", "F34")
@pytest.mark.parametrize(
    ("value", "secret"),
    [
        ({"note": "我的身份证号是11010519491231002X"}, "11010519491231002X"),
        ({"note": ["my card is 4111 1111 1111 1111"]}, "4111 1111 1111 1111"),
        ({"login": {"password": "hunter2#x!"}}, "hunter2#x!"),
    ],
)
def test_what_must_never_be_written_down_is_in_no_byte_of_the_file(
    memory: Memory, tmp_path: Path, value: dict[str, object], secret: str
) -> None:
    memory.documents("notes").put((), "k", value)
    assert secret.encode() not in b"".join(one.read_bytes() for one in tmp_path.iterdir() if one.is_file())
    assert secret not in str(memory.documents("notes").get((), "k"))


@pytest.mark.req("S5", "O1")
def test_documents_of_an_encrypted_store_are_in_no_byte_of_its_files(
    open_memory: Callable[..., Memory], tmp_path: Path
) -> None:
    memory = open_memory("locked.yinji", key="correct horse")
    memory.documents("notes").put(("用户",), "k", {"text": "喜欢在瑞金医院门口喝咖啡", "en": "coffee by the harbour"})
    raw = b"".join(one.read_bytes() for one in tmp_path.iterdir() if one.name.startswith("locked"))
    assert "瑞金医院".encode() not in raw
    assert b"coffee by the harbour" not in raw
    memory.close()
    again = open_memory("locked.yinji", key="correct horse").documents("notes").get(("用户",), "k")
    assert again is not None
    assert again.value["en"] == "coffee by the harbour"


@pytest.mark.req("S5", "O9", "F30")
def test_an_export_carries_them_without_loss_and_importing_twice_changes_nothing(
    open_memory: Callable[..., Memory], tmp_path: Path
) -> None:
    one, other = open_memory(), open_memory("other.yinji")
    one.documents("a").put(("甲", "b"), "键", {"text": "喜欢茶", "n": [1, None, {}]}, fields=("text",))
    one.documents("b").put((), "k", {}, fields=())
    one.documents("a", owner="stranger").put((), "k", {"text": "theirs"})
    one.remember("我对花生过敏", wait=True)
    assert one.export(tmp_path / "all.jsonl") == 3
    assert other.import_(tmp_path / "all.jsonl", dry_run=True).new == 3
    assert other.stats().documents == 0
    assert other.import_(tmp_path / "all.jsonl").new == 3
    again = other.import_(tmp_path / "all.jsonl")
    assert (again.new, again.unchanged, again.errors) == (0, 3, ())
    kept, came = (memory.documents("a").get(("甲", "b"), "键") for memory in (one, other))
    assert kept is not None
    assert came is not None
    assert (came.value, came.fields, came.created_at) == (kept.value, kept.fields, kept.created_at)
    assert other.documents("a").search("茶")[0].score is not None


@pytest.mark.req("S5", "O9", "P3")
@pytest.mark.parametrize(
    ("part", "bad", "told"),
    [
        ("namespace", "x", "not a list"),
        ("value", [], "not an object"),
        ("created_at", "soon", "not a time"),
        ("colour", 1, "colour"),
    ],
)
def test_a_bad_document_record_is_named_and_passed_over(memory: Memory, part: str, bad: object, told: str) -> None:
    good = {"collection": "a", "namespace": [], "key": "k", "value": {"text": "x"}}
    done = memory.import_([good | {part: bad}, good])
    assert (done.new, len(done.errors)) == (1, 1)
    assert told in done.errors[0][1]


@pytest.mark.req("S5", "R9")
def test_documents_are_no_memories(memory: Memory) -> None:
    memory.documents("notes").put((), "k", {"text": "I am allergic to peanuts. 我对花生过敏。"})
    assert memory.list() == []
    assert len(memory.recall("What am I allergic to? 我对什么过敏？")) == 0
    assert "peanuts" not in memory.context("What am I allergic to?", gate=False).text


@pytest.mark.req("S5", "P3")
@pytest.mark.parametrize("value", [{"at": {1, 2}}, {"n": float("nan")}, {1: "x"}, ["x"], {"x": "y" and object()}])
def test_what_json_cannot_hold_is_refused_and_nothing_is_kept(memory: Memory, value: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        memory.documents("notes").put((), "k", value)
    assert memory.documents("notes").select() == []


@pytest.mark.req("S5", "P3")
def test_a_value_nested_without_end_is_refused(memory: Memory) -> None:
    value: dict[str, object] = {}
    value["again"] = value
    with pytest.raises(InvalidInput):
        memory.documents("notes").put((), "k", value)


@pytest.mark.req("S5", "P3")
@pytest.mark.parametrize(
    ("namespace", "key"), [("ab", "k"), ((1,), "k"), (("a",), "x" * 5000), (("\ud800",), "k"), ((), None)]
)
def test_names_that_cannot_be_kept_exactly_are_refused(memory: Memory, namespace: object, key: object) -> None:
    with pytest.raises(YinjiError):
        memory.documents("notes").put(namespace, key, {})  # type: ignore[arg-type]


@pytest.mark.req("S5", "R12")
def test_opened_for_reading_only_they_are_found_and_none_is_written(
    open_memory: Callable[..., Memory], hashing: Settings
) -> None:
    bare = open_memory(settings=hashing.with_values("embed", {"model": "none"}))
    bare.documents("notes").put((), "k", {"text": "养了一只猫叫年糕"})
    bare.close()
    reader = open_memory(readonly=True).documents("notes")
    assert [one.document.key for one in reader.search("年糕")] == ["k"]
    with pytest.raises(ReadOnlyStore):
        reader.put((), "k", {})


@pytest.mark.req("S5", "O7", "P2")
@pytest.mark.parametrize(
    ("language", "told"), [("en", ("documents", "kept: 1.")), ("zh", ("文档", "程序保存的文档：1 个"))]
)
def test_the_command_line_counts_them_and_says_that_they_go(
    memory: Memory, tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str, told: tuple[str, str]
) -> None:
    memory.documents("notes").put((), "k", {"text": "养了一只猫叫年糕 and a dog"})
    memory.close()
    store = ["--store", str(tmp_path / "memory.yinji"), "--lang", language]
    assert main([*store, "stats"]) == 0
    assert any(line.split() == [told[0], "1"] for line in capsys.readouterr().out.splitlines())
    assert main([*store, "erase", "--yes"]) == 0
    assert told[1] in capsys.readouterr().out
