"""Whether a message needs memory: triggers, the model, its sensitivity, and what the memories themselves tell."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from yinji import Memory, Settings
from yinji.recall.gate import asks

TRIGGERS = [
    "你还记得我的车牌吗",
    "我之前是不是提过这家店",
    "Do you remember my sister?",
    "did I tell you about the flat?",
]
SMALL_TALK = ["好的，谢谢", "珠穆朗玛峰有多高", "把灯关了", "ok thanks!", "how high is Everest?", "turn off the lights"]
OWN = ["我对什么过敏", "我家狗几岁了", "What am I allergic to?", "how old is my dog?"]


@pytest.mark.req("R2")
@pytest.mark.parametrize("text", TRIGGERS)
def test_an_explicit_trigger_always_recalls(text: str, open_memory: Callable[..., Memory], hashing: Settings) -> None:
    shut = hashing.with_values("recall", {"sensitivity": 0.0})
    told = open_memory(settings=shut).needs_recall(text)
    assert (told.recall, told.by) == (True, "trigger")


@pytest.mark.req("R2")
@pytest.mark.parametrize(("text", "needed"), [*((one, False) for one in SMALL_TALK), *((one, True) for one in OWN)])
def test_small_talk_needs_nothing_and_ones_own_facts_do(
    text: str, needed: bool, open_memory: Callable[..., Memory], hashing: Settings
) -> None:
    middle = hashing.with_values("recall", {"sensitivity": 0.5})
    assert open_memory(settings=middle).needs_recall(text).recall is needed


@pytest.mark.req("R2")
@pytest.mark.parametrize("text", [*SMALL_TALK, *OWN])
def test_the_sensitivity_goes_from_never_to_always(
    text: str, open_memory: Callable[..., Memory], hashing: Settings
) -> None:
    def asked(sensitivity: float) -> bool:
        settings = hashing.with_values("recall", {"sensitivity": sensitivity})
        return open_memory(f"{sensitivity}.yinji", settings=settings).needs_recall(text).recall

    answers = [asked(sensitivity) for sensitivity in (0.0, 0.25, 0.5, 0.75, 1.0)]
    assert answers == sorted(answers)
    assert (answers[0], answers[-1]) == (False, True)


@pytest.mark.req("R2", "R9", "F46")
@pytest.mark.parametrize(
    ("said", "small_talk", "question"),
    [
        ("我同事张伟爱下棋", "谢谢你", "张伟会下什么棋"),
        ("I have a cat called Cinder", "thanks a lot", "How is Cinder?"),
    ],
    ids=["zh", "en"],
)
def test_a_context_recalls_for_what_needs_it_and_for_names_it_knows(
    said: str, small_talk: str, question: str, memory: Memory
) -> None:
    memory.remember(said, wait=True)
    idle = memory.context(small_talk)
    assert (idle.needed, idle.hits) == (False, ())
    assert memory.context(small_talk, gate=False).needed
    assert memory.context(question).needed


@pytest.mark.req("R2", "R3")
@pytest.mark.parametrize(
    ("before", "answer", "follow"),
    [
        ("翻译一下这句话", "好的：The sky is blue.", "再短一点"),
        ("Translate this line", "Done: le ciel est bleu", "a bit shorter"),
    ],
    ids=["zh", "en"],
)
def test_a_message_is_read_after_what_was_said_before_it(before: str, answer: str, follow: str, memory: Memory) -> None:
    memory.remember(before, answer, session="s", wait=True)
    assert not memory.context(follow, session="s").needed


@pytest.mark.req("R9")
@pytest.mark.parametrize(
    ("said", "question", "words"),
    [
        ("我姐姐住在大连，我爸爸在学钢琴", "我姐姐住在哪里", ("大连", "钢琴")),
        (
            "My sister Nora lives in Leeds, and my dad is learning the piano",
            "Where does my sister live?",
            ("Leeds", "piano"),
        ),
    ],
    ids=["zh", "en"],
)
def test_what_was_said_in_the_same_breath_is_told_with_a_memory_where_there_is_room(
    said: str, question: str, words: tuple[str, str], memory: Memory
) -> None:
    kept = memory.remember(said, wait=True).added
    assert len(kept) == 2
    memory.remember("我养了一只猫" if words[0] == "大连" else "I have a cat", wait=True)
    made = memory.context(question, top_k=1)
    assert all(word in made.text for word in words)
    assert made.tokens <= made.budget


@pytest.mark.req("R2")
@pytest.mark.parametrize(
    ("message", "question"),
    [
        ("女儿想不想来西安", True),
        ("那两个老客是干嘛的", True),
        ("去海岛坐船还是坐飞机好", True),
        ("我觉得还是回家吧", False),
        ("对不起，来晚了", False),
        ("they're serving a shellfish tower, what must I skip", True),
        ("the little one's not a fan of what", True),
        ("any word on the tools money", True),
        ("we met, and are happy now", False),
        ("went to Leeds and had lunch", False),
    ],
)
def test_a_question_is_known_without_its_mark_and_wherever_in_the_message_it_stands(
    message: str, question: bool
) -> None:
    assert asks(message) is question
