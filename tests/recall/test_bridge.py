"""From the best hit to the one that answers: people and things that are described, not named (SPEC R13)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from yinji import Memory, Settings
from yinji.recall.bridge import beyond, bridge


@pytest.mark.req("R13", "R6")
@pytest.mark.parametrize(
    ("terms", "asked"),
    [
        ([{"表姐", "警员"}, {"表姐", "28"}, {"上司", "27"}], {"警员", "年龄"}),
        ([{"cousin", "patrol"}, {"cousin", "28"}, {"boss", "27"}], {"patrol", "old"}),
    ],
)
def test_what_the_best_says_beyond_the_question_leads_on(terms: list[set[str]], asked: set[str]) -> None:
    said = beyond(terms[0], asked)
    assert len(said) == 1
    best, linked, other = bridge(said, [said & one for one in terms], 0, 0.5)
    assert linked == 0.5
    assert best == other == 0


@pytest.mark.req("R13")
@pytest.mark.parametrize("shared", ["表姐", "cousin"])
def test_nothing_leads_on_from_a_hit_that_leaves_nothing_open(shared: str) -> None:
    said = frozenset({shared})
    assert bridge(said, [said, said], 0, 0.0) == [0, 0]


@pytest.mark.req("R13")
@pytest.mark.parametrize(("particle", "shared"), [("的", "表姐"), ("the", "cousin")])
def test_particles_lead_nowhere_and_what_few_share_leads_further(particle: str, shared: str) -> None:
    said = beyond([shared, particle, "common"], set())
    assert said == {shared, "common"}
    terms = [{shared, "common"}, {particle}, {"common"}, {"common"}, {shared}]
    _, by_particle, by_common, _, by_rare = bridge(said, [said & one for one in terms], 0, 1.0)
    assert 0 == by_particle < by_common < by_rare


@pytest.mark.req("R13", "R6")
@pytest.mark.parametrize(
    ("told", "question", "answer"),
    [
        (
            ["我表姐是做巡逻警员的", "我上司才27岁呢", "我同事才22岁呢", "我表姐今年28岁了",
             "我叔叔今年62岁", "我爸爸今年47岁"],
            "做巡逻警员的那个人今年几岁？",
            "我表姐今年28岁了",
        ),
        (
            ["My cousin is a glass blower", "My mother is 27", "My aunt is 22", "My cousin is 28", "My uncle is 62",
             "My father is 47"],
            "What age is my relative who works as a glass blower?",
            "My cousin is 28",
        ),
    ],
)  # fmt: skip
def test_a_person_is_found_by_a_description(
    told: list[str], question: str, answer: str, open_memory: Callable[..., Memory]
) -> None:
    plain = Settings.load(environment={})
    memory = open_memory(settings=replace(plain, embed=replace(plain.embed, model="none")))
    memory.import_([{"content": one} for one in told])
    assert [hit.memory.content for hit in memory.recall(question, top_k=2)] == [told[0], answer]
