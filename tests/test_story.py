"""The main job through the Python door: say, ask, correct, ask, forget, ask."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.conftest import SHANGHAI, StandingClock
from tests.story import STORIES, Story, play
from yinji import Memory, Turn, YinjiError
from yinji.errors import InvalidInput, InvalidTime, KeyReused, MissingOwner, NotFound


@pytest.mark.req("W1", "R1", "W9", "K3", "F15", "F19", "O7", "O8", "P1", "R10", "F37")
@STORIES
def test_what_is_said_is_recalled_corrected_and_forgotten(story: Story, memory: Memory, tmp_path: Path) -> None:
    play(story, memory)
    memory.close()
    for path in tmp_path.iterdir():
        assert story.secret_word.encode() not in path.read_bytes(), path.name


@pytest.mark.req("R9", "R1", "F51")
@STORIES
def test_a_context_is_within_its_budget_and_what_it_shows_counts_as_used(story: Story, memory: Memory) -> None:
    memory.remember_many([Turn(user=text, at=datetime(2026, 3, 1, tzinfo=SHANGHAI)) for text in story.said])
    context = memory.context(story.question, budget=200)
    assert story.before in context.text
    assert context.tokens <= 200
    assert context.text.startswith("<memory_context>")
    assert memory.get(context.hits[0].memory.id).recalls == 1
    memory.context(story.question, used=False)
    memory.recall(story.question)
    assert memory.get(context.hits[0].memory.id).recalls == 1


@pytest.mark.req("W13", "F40")
@STORIES
def test_a_turn_sent_again_changes_nothing_and_its_key_takes_no_other_words(story: Story, memory: Memory) -> None:
    first = memory.remember(story.said[0], session="s", seq=1, wait=True)
    again = memory.remember(story.said[0], session="s", seq=1, wait=True)
    assert again.repeated
    assert [one.id for one in again.added] == [one.id for one in first.added]
    with pytest.raises(KeyReused):
        memory.remember(story.said[1], session="s", seq=1)
    assert memory.stats().memories == len(first.added)


@pytest.mark.req("W1", "W13")
@STORIES
def test_turns_that_nobody_waited_for_are_read_by_the_next_to_open_the_file(
    story: Story, open_memory: Callable[..., Memory]
) -> None:
    first = open_memory()
    taken = [first.remember(text) for text in story.said]
    first.close(flush=False)
    second = open_memory()
    assert second.flush() == 0
    assert all(second.outcome(one.turn_id).added for one in taken)


@pytest.mark.req("F22", "F20", "W9")
@STORIES
def test_the_same_statement_by_every_way_in_is_one_memory(story: Story, memory: Memory) -> None:
    (kept,) = memory.remember(story.said[1], wait=True).added
    memory.remember(story.said[1], session="other", wait=True)
    memory.remember_many([Turn(user=story.said[1], at=datetime(2026, 3, 3, tzinfo=SHANGHAI), session="batch")])
    memory.import_([{"content": kept.content}])
    for _ in range(10):
        memory.remember(memory.recall(story.said[1])[0].memory.content, role="assistant", wait=True)
        memory.remember(kept.content, wait=True)
    assert memory.stats().memories == 1
    assert memory.get(kept.id).confidence == kept.confidence


@pytest.mark.req("O9")
@STORIES
def test_an_export_comes_back_whole_and_importing_it_again_changes_nothing(
    story: Story, memory: Memory, open_memory: Callable[..., Memory], tmp_path: Path
) -> None:
    for text in story.said:
        memory.remember(text, wait=True)
    file = tmp_path / "out.jsonl"
    count = memory.export(file)
    assert count >= len(story.said)
    other = open_memory("other.yinji")
    assert other.import_(file, dry_run=True).new == count
    assert other.import_(file).new == count
    assert other.import_(file).unchanged == count
    assert {one.id: (one.content, one.sources) for one in other.list()} == {
        one.id: (one.content, one.sources) for one in memory.list()
    }
    assert story.before in other.recall(story.question)[0].memory.content


@pytest.mark.req("K4", "F30")
@STORIES
def test_owners_never_see_each_other(story: Story, memory: Memory) -> None:
    (mine,) = memory.remember(story.said[0], owner="ann", wait=True).added
    memory.remember(story.said[1], owner="bo", wait=True)
    assert not memory.recall(story.question, owner="bo") or all(
        hit.memory.owner == "bo" for hit in memory.recall(story.question, owner="bo")
    )
    with pytest.raises(NotFound):
        memory.get(mine.id, owner="bo")
    with pytest.raises(NotFound):
        memory.forget(mine.id, owner="bo")
    assert memory.erase("bo").proved
    assert memory.get(mine.id, owner="ann") == mine
    with pytest.raises(NotFound, match="Did you mean 'ann'"):
        memory.erase("anm")


@pytest.mark.req("P3")
def test_bad_input_is_refused_with_a_sentence_and_changes_nothing(memory: Memory) -> None:
    refused: list[tuple[type[YinjiError], Callable[[], object]]] = [
        (InvalidInput, lambda: memory.remember("")),
        (InvalidInput, lambda: memory.remember(" \n\t　")),
        (InvalidInput, lambda: memory.remember(3)),  # type: ignore[arg-type]
        (InvalidInput, lambda: memory.remember("长" * 1_000_001)),
        (InvalidTime, lambda: memory.remember("我住在杭州", at=datetime(2026, 1, 1))),  # noqa: DTZ001
        (InvalidTime, lambda: memory.recall("where", now="now")),  # type: ignore[arg-type]
        (MissingOwner, lambda: memory.remember("我住在杭州", owner="")),
        (MissingOwner, lambda: memory.recall("哪里", owner=" ")),
        (InvalidInput, lambda: memory.remember("我住在杭州", session="\0")),
        (InvalidInput, lambda: memory.recall("")),
        (InvalidInput, lambda: memory.recall("👍👍")),
        (InvalidInput, lambda: memory.recall("where", top_k=0)),
        (InvalidInput, lambda: memory.context("where", budget=0)),
        (InvalidInput, lambda: memory.context("where", format="html")),
        (InvalidInput, lambda: memory.recall("where", kinds=["facts"])),
        (InvalidInput, lambda: memory.get("1")),
        (NotFound, lambda: memory.get("0123456789")),
        (NotFound, memory.undo),
        (InvalidInput, lambda: memory.forget([])),
    ]
    for kind, call in refused:
        with pytest.raises(kind) as caught:
            call()
        assert str(caught.value).endswith((".", "?", "'"))
        assert "{" not in str(caught.value)
    assert memory.stats().turns == 0


@pytest.mark.req("P3", "W1")
@pytest.mark.parametrize(
    "text", ["我住在\0杭州", "I live in\ud800 Lisbon", "👍👍👍", "。。。", "\u200b我喜欢喝茶\ufeff"]
)
def test_odd_text_is_taken_and_what_was_replaced_is_said(text: str, memory: Memory) -> None:
    result = memory.remember(text, wait=True)
    assert result.added or result.drops
    assert bool(result.warnings) == ("\0" in text or "\ud800" in text)


@pytest.mark.req("W1", "P3")
def test_a_pasted_book_is_taken_and_what_was_not_read_is_said(memory: Memory) -> None:
    text = "我住在杭州。" + "这是一本小说里的一段话，讲的是别人的故事。" * 10_000
    assert len(text) > 200_000
    result = memory.remember(text, wait=True)
    assert "too_long" in {drop.reason for drop in result.drops}
    assert any("杭州" in one.content for one in result.added)


@pytest.mark.req("R12")
def test_without_an_embedder_words_still_answer_and_the_result_says_so(open_memory: Callable[..., Memory]) -> None:
    from yinji import Settings

    memory = open_memory(settings=Settings.load(environment={}).with_values("embed", {"model": "none"}))
    memory.remember("我在云栖科技做后端开发", wait=True)
    found = memory.recall("云栖科技")
    assert found[0].memory.content
    assert any(warning.startswith("words_only") for warning in found.warnings)


@pytest.mark.req("K6", "F39")
def test_a_store_of_another_model_is_never_mixed(open_memory: Callable[..., Memory], clock: StandingClock) -> None:
    from tests.fakes import OtherModel
    from yinji import build

    memory = open_memory()
    memory.remember("I play the cello in a quartet", wait=True)
    memory.close()
    from yinji import Settings

    other = build.memory(
        memory.path, owner="me", key=None, settings=Settings.load(environment={}), clock=clock, progress=None,
        readonly=False, embedder=OtherModel(),
    )  # fmt: skip
    with other:
        found = other.recall("cello")
        assert "cello" in found[0].memory.content
        assert any("words_only" in warning and "hashing" in warning for warning in found.warnings)


@pytest.mark.req("F7", "K5", "F3", "F5")
@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("阿宁住在苏州养了一只猫叫年糕", "年糕"),
        ("我的止损线设在百分之八", "止损"),
        ("我把C盘清理过了，还剩40G", "C盘"),
        ("API配置放在网关的仓库里", "API配置"),
        ("重跑gen-itgc后报表才对得上", "itgc"),
        ("We deploy the billing service with Nomad", "billing"),
    ],
)
def test_a_word_alone_finds_the_memory_that_has_it(said: str, asked: str, memory: Memory) -> None:
    memory.import_([{"content": said}, {"content": "用户每天早上跑步"}, {"content": "The user runs every morning"}])
    assert memory.recall(asked)[0].memory.content == said
    assert memory.recall(said)[0].memory.content == said


@pytest.mark.req("F9", "W1")
def test_the_zone_a_turn_was_said_in_is_kept(memory: Memory) -> None:
    at = datetime(2026, 3, 1, 12, 45, tzinfo=SHANGHAI)
    kept = memory.remember("我换工作了，现在在云栖科技", at=at, wait=True).added[0]
    assert kept.recorded_at == at
    assert kept.recorded_at.isoformat() == "2026-03-01T12:45:00+08:00"
    assert kept.sources[0].at.utcoffset() == timedelta(hours=8)


@pytest.mark.req("K3", "F13")
@STORIES
def test_a_question_about_a_stretch_of_time_gets_what_was_true_then(
    story: Story, memory: Memory, clock: StandingClock
) -> None:
    from yinji import Interval

    memory.remember(story.said[0], wait=True)
    clock.move(days=10)
    then = Interval(start=clock.now, end=clock.now + timedelta(days=3))
    clock.move(days=100)
    memory.remember(story.correction, wait=True)
    assert story.before in memory.recall(story.question, during=then)[0].memory.content
    later = Interval(start=clock.now + timedelta(days=1), end=clock.now + timedelta(days=3))
    assert not any(story.before in hit.memory.content for hit in memory.recall(story.question, during=later))


@pytest.mark.req("L14", "O8")
@STORIES
def test_undo_steps_back_change_by_change(story: Story, memory: Memory) -> None:
    (first,) = memory.remember(story.said[0], wait=True).added
    (second,) = memory.remember(story.said[1], wait=True).added
    undone = memory.undo()
    assert [one.id for one in undone.memories] == [second.id]
    assert undone.memories[0].hidden_at is not None
    assert memory.undo().memory_id == first.id
    assert memory.list() == []
    with pytest.raises(NotFound):
        memory.undo()


@pytest.mark.req("L14", "O8")
@STORIES
def test_undo_takes_back_what_the_user_did_and_never_what_an_app_told(
    story: Story, memory: Memory, clock: StandingClock
) -> None:
    (told,) = memory.remember(story.said[1], app="agent", wait=True).added
    with pytest.raises(InvalidInput, match=r"If that is meant: undo \d+"):
        memory.undo()
    (own,) = memory.remember(story.said[0], session="own", wait=True).added
    clock.move(days=1)
    memory.pin(own.id)
    memory.remember(story.correction, app="agent", session="agent", wait=True)
    assert [one.content for one in memory.undo().memories] == [own.content]
    assert not memory.get(own.id).pinned
    assert memory.get(told.id).hidden_at is None
    line = next(one for one in memory.history(told.id) if one.undoable)
    assert line.app == "agent"
    assert memory.undo(line.id).memories[0].hidden_at is not None


@pytest.mark.req("L14", "O8", "O9")
@STORIES
def test_one_undo_takes_back_all_that_one_command_did(story: Story, memory: Memory, clock: StandingClock) -> None:
    memory.import_([{"content": text} for text in story.said])
    kept = [one.id for one in memory.list()]
    clock.move(hours=1)
    memory.forget(kept[:2])
    clock.move(hours=1)
    assert {one.id for one in memory.undo().memories} == set(kept[:2])
    assert len(memory.list()) == len(kept)
    clock.move(hours=1)
    assert {one.id for one in memory.undo().memories} == set(kept)
    assert memory.list() == []


@pytest.mark.req("W1", "W13", "P3")
def test_a_turn_that_cannot_be_read_yet_is_safe_and_the_result_says_so(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    from yinji.errors import StoreFull

    def full(*_: object, **__: object) -> None:
        raise StoreFull(path=memory.path)

    with monkeypatch.context() as broken:
        broken.setattr("yinji.adapters.sqlite.store.SqliteStore.commit", full)
        result = memory.remember("我住在杭州", wait=True)
    assert result.pending
    assert result.warnings[0].startswith("not_read:")
    assert memory.flush() == 0
    assert memory.outcome(result.turn_id).added


@pytest.mark.req("W9", "K3", "F18")
@STORIES
def test_old_news_that_comes_late_answers_for_its_time_only(story: Story, memory: Memory, clock: StandingClock) -> None:
    then = clock.now
    clock.move(days=60)
    memory.remember(story.correction, wait=True)
    (late,) = memory.remember(story.said[0], session="import", at=then, wait=True).added
    assert late.validity == "superseded"
    now = memory.recall(story.question)
    assert story.after in now[0].memory.content
    assert late.id not in {hit.memory.id for hit in now}
    assert memory.recall(story.question, as_of=then + timedelta(days=5))[0].memory.id == late.id
