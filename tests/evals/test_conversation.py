"""``yinji.evals.run("conversation", …)``: the whole pipeline, and what each metric means."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.evals.conftest import write_lines
from yinji.evals import conversation
from yinji.evals.data import ConversationSet, Question
from yinji.evals.report import Answer, Report
from yinji.model import (
    Context,
    Fate,
    Hit,
    Kind,
    Layer,
    MemoryEntry,
    PathRank,
    Recall,
    Remembered,
    Role,
    Source,
    Turn,
    Validity,
    Why,
)

pytestmark = pytest.mark.req("E1")

Evaluate = Callable[..., Report]
AT = datetime(2026, 1, 5, tzinfo=UTC)

TURNS = {
    "zh": ("你好", "我对芒果过敏", "我住在成都", "帮我查一下快递", "我搬到上海了", ""),
    "en": ("Hello", "I am allergic to mangoes", "I live in Lisbon", "Set a timer", "I moved to Porto", "  "),
}
ASKED: dict[str, tuple[tuple[str, list[int], str | None], ...]] = {
    "zh": (("我对什么过敏？", [1], "芒果"), ("我现在住在哪里？", [4], "上海"), ("我的狗叫什么名字？", [], None)),
    "en": (
        ("What am I allergic to?", [1], "mangoes"),
        ("Where do I live now?", [4], "Porto"),
        ("What is my dog called?", [], None),
    ),
}


@pytest.fixture
def lives(tmp_path: Path) -> Path:
    for language, said in TURNS.items():
        turns = [
            {
                "id": f"{language}/{at}",
                "owner": language,
                "session": "s",
                "seq": at,
                "at": f"2026-01-{at + 1:02d}T09:00",
                "user": text,
            }
            for at, text in enumerate(said)
        ]
        write_lines(tmp_path / "lives" / language / "turns.jsonl", turns)
        asked: list[Mapping[str, object]] = [
            {
                "id": f"q{at}",
                "owner": language,
                "asked_at": "2026-02-01",
                "text": text,
                "category": "fact",
                "gold": [f"{language}/{one}" for one in gold],
                "answer": answer,
                "stale": [f"{language}/2"] if at == 1 else None,
            }
            for at, (text, gold, answer) in enumerate(ASKED[language])
        ]
        write_lines(tmp_path / "lives" / language / "queries.jsonl", asked)
    return tmp_path / "lives"


def test_every_metric_of_the_specification_is_there(lives: Path, evaluate: Evaluate) -> None:
    report = evaluate("conversation", lives)
    assert {
        "r_at_1", "r_at_5", "r_at_10", "answer_in_1200", "answer_in_720", "stale_shown", "abstained", "recall_lost",
        "memories_per_turn", "context_tokens", "ms_p50", "ms_p95",
    } <= set(report.overall)  # fmt: skip
    assert {"answer_in_1200", "answer_in_720", "stale_shown", "abstained"} <= set(report.floor)
    assert set(report.by["lang"]) == {"zh", "en"}
    assert report.all.interval["abstained"].n == 2
    assert report.all.interval["answer_in_720"].n == 4
    assert report.by["set"]["zh"].overall["memories_per_turn"] <= 2


@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_was_said_is_told_and_turns_without_words_are_counted(
    lives: Path, evaluate: Evaluate, language: str
) -> None:
    report = evaluate("conversation", lives / language)
    first = report.answers[0]
    assert first.values["answer_in_1200"] == first.values["answer_in_720"] == 1.0
    assert first.values["r_at_5"] == 1.0
    assert first.floor["answer_in_1200"] == 1.0
    assert f"{language}: 1 turns without words of the user were left out" in report.warnings


def memory_from(turn: str, content: str, *, validity: Validity = Validity.CURRENT) -> MemoryEntry:
    source = Source(turn_id=turn, session="s", seq=0, role=Role.USER, start=0, end=1, quote="x", at=AT)
    return MemoryEntry(
        id=turn, owner="o", content=content, kind=Kind.FACT, layer=Layer.SEMANTIC, language="zh", importance=0.5,
        confidence=1.0, created_at=AT, updated_at=AT, recorded_at=AT, validity=validity, sources=(source,),
    )  # fmt: skip


class ScriptedMemory:
    """Answers every question with the same memories."""

    def __init__(self, memories: Sequence[MemoryEntry], found: Sequence[MemoryEntry], text: str) -> None:
        self._memories, self._text = memories, text
        self._hits = tuple(
            Hit(memory=one, rank=rank, score=1.0, paths=(), factors={}, why="") for rank, one in enumerate(found, 1)
        )

    def __enter__(self) -> ScriptedMemory:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to close."""

    def remember_many(self, turns: Sequence[Turn], **_: object) -> list[Remembered]:
        return [
            Remembered(turn_id=f"engine-{at}", session=turn.session, seq=turn.seq, pending=False)
            for at, turn in enumerate(turns)
        ]

    def list(self, **_: object) -> list[MemoryEntry]:
        return [*self._memories]

    def recall(self, query: str, *_: object, **__: object) -> Recall:
        return Recall(query=query, hits=self._hits)

    def context(self, query: str, budget: int, **_: object) -> Context:
        return Context(text=self._text, tokens=7, budget=budget, hits=self._hits)

    def why(self, query: str, id: str, *_: object, **__: object) -> Why:
        shown = id in {hit.memory.id for hit in self._hits}
        paths = (PathRank(path="words", rank=3, score=1.0, z=1.0),)
        return Why(query=query, fate=Fate.SHOWN if shown else Fate.BELOW_CUT, why="", stage="cut", rank=9, paths=paths)


OLD, NEW = memory_from("engine-0", "用户住在成都"), memory_from("engine-1", "用户住在上海")
QUESTION = Question(
    id="q",
    owner="o",
    text="住在哪里",
    asked_at=AT,
    gold=(frozenset({"t1"}),),
    answer=("上海",),
    stale=frozenset({"t0"}),
)


def ask(question: Question, memories: Sequence[MemoryEntry], found: Sequence[MemoryEntry], text: str) -> Answer:
    turns = tuple(
        Turn(id=f"t{at}", owner="o", user=said, at=AT) for at, said in enumerate(("我住在成都", "我住在上海"))
    )
    labelled = ConversationSet(name="set", turns=turns, questions=(question,))
    scripted = ScriptedMemory(memories, found, text)
    measured = conversation.measure(labelled, lambda _: scripted, limit=None, progress=lambda *_: None)  # type: ignore[arg-type, return-value]
    return measured.answers[0]


def test_an_outdated_value_counts_as_shown_only_while_it_is_called_current() -> None:
    both = "<m>用户住在上海</m><m>用户住在成都</m>"
    assert ask(QUESTION, [OLD, NEW], [NEW, OLD], both).values["stale_shown"] == 1.0
    retired = replace(OLD, validity=Validity.SUPERSEDED)
    assert ask(QUESTION, [retired, NEW], [NEW], both).values["stale_shown"] == 0.0
    assert ask(QUESTION, [OLD, NEW], [NEW], "<m>用户住在上海</m>").values["stale_shown"] == 0.0


def test_a_memory_that_gold_confirms_is_not_stale() -> None:
    confirmed = replace(OLD, sources=(*OLD.sources, *NEW.sources))
    assert ask(QUESTION, [confirmed], [confirmed], "用户住在成都").values["stale_shown"] == 0.0


def test_a_turn_whose_memory_is_gone_is_not_kept() -> None:
    assert ask(QUESTION, [OLD, NEW], [NEW], "").values["kept"] == 1.0
    assert ask(QUESTION, [OLD], [OLD], "").values["kept"] == 0.0


def test_the_engines_ids_are_taken_back_to_those_of_the_set() -> None:
    answer = ask(QUESTION, [OLD, NEW], [OLD, NEW], "用户住在上海")
    assert (answer.values["r_at_1"], answer.values["r_at_5"], answer.values["mrr"]) == (0.0, 1.0, 0.5)


def test_escaped_text_still_tells_the_answer() -> None:
    question = replace(QUESTION, answer=("R&D <Labs>",))
    assert ask(question, [NEW], [NEW], "works at R&amp;D &lt;Labs&gt;").values["answer_in_720"] == 1.0


def test_a_question_without_an_answer_wants_nothing_recalled() -> None:
    nothing = replace(QUESTION, gold=(), answer=(), stale=frozenset())
    assert ask(nothing, [OLD], [], "<m>用户住在成都</m>").values["abstained"] == 1.0
    assert ask(nothing, [OLD], [OLD], "").values["abstained"] == 0.0
    assert "recall_lost" not in ask(nothing, [OLD], [], "").values


def test_an_answerable_question_that_recalls_nothing_is_lost() -> None:
    assert ask(QUESTION, [NEW], [], "").values["recall_lost"] == 1.0
    assert ask(QUESTION, [NEW], [NEW], "").values["recall_lost"] == 0.0


def test_the_floor_shows_raw_turns_as_they_rank() -> None:
    answer = ask(QUESTION, [], [], "")
    assert answer.floor["r_at_5"] == 1.0
    assert answer.floor["answer_in_720"] == 1.0
    assert answer.floor["stale_shown"] == 1.0
    assert answer.floor["context_tokens"] > 0


@pytest.mark.req("E1", "R10")
def test_each_gold_is_lost_at_one_stage_or_told(lives: Path, evaluate: Evaluate) -> None:
    report = evaluate("conversation", lives)
    for answer in report.answers:
        trails = answer.detail["trails"]
        assert isinstance(trails, list)
        told = sum(one["stage"] == "told" for one in trails) / max(len(trails), 1)
        lost = [value for name, value in answer.values.items() if name.startswith("lost_")]
        assert sum(lost) + told == pytest.approx(1.0 if trails else 0.0)
        assert bool(lost) == ("recall_lost" in answer.values)
    assert {"lost_unwritten", "lost_cut", "brought_vector", "brought_any"} <= set(report.overall)
    for lang, said in (("en", "Where gold is lost"), ("zh", "标准答案在进入")):
        assert said in report.as_table(lang)
        assert said in report.as_markdown(lang)


@pytest.mark.req("E1", "R10")
def test_a_loss_names_the_stage_the_place_and_the_paths_that_brought_it() -> None:
    below = ask(QUESTION, [OLD, NEW], [OLD], "")
    assert below.detail["trails"] == [{"gold": ["t1"], "stage": "cut", "rank": 9, "paths": {"words": 3}}]
    assert (below.values["lost_cut"], below.values["brought_words"], below.values["brought_vector"]) == (1.0, 1.0, 0.0)
    unwritten = ask(QUESTION, [OLD], [OLD], "")
    assert unwritten.detail["trails"] == [{"gold": ["t1"], "stage": "unwritten", "rank": None, "paths": {}}]
    assert ask(QUESTION, [NEW], [NEW], "").detail["trails"][0]["stage"] == "told"  # type: ignore[index]
