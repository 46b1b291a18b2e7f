"""The best candidates are read beside the question (SPEC R2, R6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from tests.conftest import StandingClock
from tests.recall.test_budget import NOW, memory
from yinji import Memory, Settings
from yinji.embedding import Embedding
from yinji.model import Candidate, Scope
from yinji.recall.analyse import analyse
from yinji.recall.outlived import ENDS
from yinji.recall.read import ALONE as UNANSWERED
from yinji.recall.read import FACTOR, HEAD, SURELY, unanswered
from yinji.recall.sought import gives_form

READING = Settings.load(environment={})
ALONE = READING.with_values("recall", {"read": 0})
TOLD = {
    "zh": ("我妹妹在成都当护士", "我妹妹养了两只仓鼠", "张伟喜欢钓鱼", "妈妈的生日是五月三号", "老家的房子在江边"),
    "en": (
        "My sister works as a nurse in Leeds",
        "My sister keeps two hamsters",
        "Martin loves fishing",
        "Mum's birthday is on 3 May",
        "Grandad's house stands by the river",
    ),
}


def told(open_memory: Callable[..., Memory], language: str, settings: Settings = READING) -> Memory:
    memory = open_memory(settings=settings)
    for line in TOLD[language]:
        memory.remember(line, wait=True)
    return memory


@pytest.mark.req("R6")
@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [("zh", "我妹妹做什么工作？", "护士"), ("en", "What does my sister do for a living?", "nurse")],
)
def test_what_was_said_is_read_even_where_its_words_stayed_as_they_were(
    open_memory: Callable[..., Memory], language: str, question: str, answer: str
) -> None:
    hits = told(open_memory, language).recall(question).hits
    assert answer in hits[0].memory.content
    assert all(FACTOR in hit.factors for hit in hits)


@pytest.mark.req("R2")
@pytest.mark.parametrize(
    ("language", "question"), [("zh", "法国的首都是哪里？"), ("en", "What is the capital of France?")]
)
def test_what_reading_finds_unanswered_is_met_with_silence(
    open_memory: Callable[..., Memory], language: str, question: str
) -> None:
    assert not told(open_memory, language).recall(question).hits


@pytest.mark.req("R6", "R12")
@pytest.mark.parametrize("language", ["zh", "en"])
def test_without_reading_the_earlier_stages_answer(open_memory: Callable[..., Memory], language: str) -> None:
    memory = told(open_memory, language, ALONE)
    hits = memory.recall({"zh": "我妹妹做什么工作？", "en": "What does my sister do?"}[language]).hits
    assert hits
    assert not any(FACTOR in hit.factors for hit in hits)


@pytest.mark.req("R2")
@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        ("zh", "谁要钓竿当礼物最合适？", "钓鱼"),
        ("zh", "老屋在什么位置？", "江边"),
        ("en", "Who might be pleased with a new rod and reel?", "fishing"),
        ("en", "Is the old family house near any water?", "river"),
    ],
)
def test_what_reading_finds_answered_is_given_to_a_conversation(
    open_memory: Callable[..., Memory], language: str, question: str, answer: str
) -> None:
    context = told(open_memory, language).context(question)
    assert context.needed
    assert answer in context.text


@pytest.mark.req("R2")
@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("zh", "早上好"),
        ("zh", "换个说法"),
        ("zh", "江边是个好地方"),
        ("en", "Good morning"),
        ("en", "so bored"),
        ("en", "Rivers are nice places"),
    ],
)
def test_a_message_that_asks_nothing_is_not_given_what_is_merely_near(
    open_memory: Callable[..., Memory], language: str, message: str
) -> None:
    assert not told(open_memory, language).context(message).needed


@pytest.mark.req("R2")
@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [("zh", "我妹妹做什么工作？", "护士"), ("en", "What does my sister do for a living?", "nurse")],
)
def test_beside_an_answer_what_surely_is_none_is_left_out(
    open_memory: Callable[..., Memory], language: str, question: str, answer: str
) -> None:
    contents = [hit.memory.content for hit in told(open_memory, language).recall(question).hits]
    assert answer in contents[0]
    assert len(contents) < len(TOLD[language])


@pytest.mark.req("R6", "L8")
@pytest.mark.parametrize(
    ("older", "newer", "question"),
    [
        ("我家猫吃皇家的猫粮", "猫粮从上个月起换成渴望了", "我家的猫现在吃什么猫粮？"),
        (
            "Our cat eats Whiskas",
            "The cat's been on Purina since last month",
            "Which food does our cat eat now?",
        ),
    ],
)
def test_of_two_that_answer_a_question_about_now_the_newer_comes_first(
    open_memory: Callable[..., Memory], clock: StandingClock, older: str, newer: str, question: str
) -> None:
    memory = open_memory(settings=READING)
    memory.remember(older, wait=True)
    clock.move(days=40)
    memory.remember(newer, wait=True)
    hits = memory.recall(question).hits
    assert [hit.memory.sources[0].quote for hit in hits] == [newer, older]


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, str]]:
    """(head, first, second) of every pair that is asked of the tuned layers."""
    pairs: list[tuple[str, str, str]] = []
    discern = Embedding.discern

    def noted(embedding: Embedding, texts: Sequence[Sequence[str]], heads: Sequence[str]) -> object:
        pairs.extend((head, *parts) for head in heads for parts in texts if len(parts) == 2)  # type: ignore[misc]
        return discern(embedding, texts, heads)

    monkeypatch.setattr(Embedding, "discern", noted)
    return pairs


@pytest.mark.req("R2")
@pytest.mark.parametrize(("language", "question"), [("zh", "我的车牌号是多少？"), ("en", "What is my number plate?")])
def test_what_no_memory_can_tell_is_not_read_for(
    open_memory: Callable[..., Memory], language: str, question: str, read: list[tuple[str, str, str]]
) -> None:
    memory = told(open_memory, language)
    read.clear()
    assert not memory.recall(question).hits
    assert not read


@pytest.mark.req("R2")
@pytest.mark.parametrize(
    ("language", "question"), [("zh", "法国的首都是哪里？"), ("en", "What is the capital of France?")]
)
def test_what_is_met_with_silence_is_not_held_beside_each_other(
    open_memory: Callable[..., Memory], language: str, question: str, read: list[tuple[str, str, str]]
) -> None:
    memory = told(open_memory, language)
    read.clear()
    assert not memory.recall(question).hits
    assert {head for head, *_ in read} == {HEAD}


@pytest.mark.req("R3", "L8")
@pytest.mark.parametrize(
    ("said", "question"),
    [
        (
            ("我妹妹在成都当护士", "老家的房子在江边", "张伟喜欢钓鱼"),
            "我妹妹做什么工作？另外，张伟有什么爱好？",
        ),
        (
            ("My sister works as a nurse in Leeds", "Grandad's house stands by the river", "Martin loves fishing"),
            "What does my sister do for a living? Also, what does Martin like to do?",
        ),
    ],
)
def test_answers_to_different_questions_are_not_held_beside_each_other(
    open_memory: Callable[..., Memory],
    clock: StandingClock,
    said: Sequence[str],
    question: str,
    read: list[tuple[str, str, str]],
) -> None:
    memory = open_memory(settings=READING)
    for line in said:
        memory.remember(line, wait=True)
        clock.move(days=1)
    read.clear()
    found = [hit.memory.content for hit in memory.recall(question).hits]
    assert {said[0], said[2]} <= {hit.memory.sources[0].quote for hit in memory.recall(question).hits}, found
    assert not [pair for pair in read if pair[0] == ENDS]


@pytest.mark.req("R2", "R6")
@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        ("zh", "谁要钓竿当礼物最合适？", "钓鱼"),
        ("zh", "老屋在什么位置？", "江边"),
        ("en", "Who might be pleased with a new rod and reel?", "fishing"),
        ("en", "Is the old family house near any water?", "river"),
    ],
)
def test_further_ones_are_read_where_the_best_do_not_answer(
    open_memory: Callable[..., Memory], language: str, question: str, answer: str
) -> None:
    one, more = (ALONE.with_values("recall", {"read": 1, "read_further": further}) for further in (0, 4))
    memory = told(open_memory, language, more)
    assert answer in memory.recall(question).hits[0].memory.content
    assert sum(FACTOR in hit.factors for hit in memory.recall(question, trace=True).trace) > 1
    few = told(open_memory, language, one).recall(question, trace=True)
    assert sum(FACTOR in hit.factors for hit in few.trace) == 1


@pytest.mark.req("R6", "R9")
@pytest.mark.parametrize(
    ("language", "question"), [("zh", "我妹妹做什么工作？"), ("en", "What does my sister do for a living?")]
)
def test_all_that_a_context_asks_for_is_read(open_memory: Callable[..., Memory], language: str, question: str) -> None:
    memory = told(open_memory, language, ALONE.with_values("recall", {"read": 1, "read_further": 8}))
    hits = memory.recall(question, 8).hits
    assert len(hits) > 1
    assert all(FACTOR in hit.factors for hit in hits)


@pytest.mark.req("R3", "R6")
@pytest.mark.parametrize(
    ("language", "one", "many"),
    [
        ("zh", "妹妹和张伟在江边房子里养的宠物叫什么？", "妹妹和张伟在江边房子里养了哪些宠物？"),
        (
            "en",
            "What is the pet of my sister and Martin at the river house called?",
            "Which pets do my sister and Martin keep at the river house?",
        ),
    ],
)
def test_more_are_read_where_several_may_answer_together(
    open_memory: Callable[..., Memory], language: str, one: str, many: str
) -> None:
    memory = told(open_memory, language, ALONE.with_values("recall", {"read": 1, "read_further": 1}))
    single, several = (
        sum(FACTOR in hit.factors for hit in memory.recall(question, 2, trace=True).trace) for question in (one, many)
    )
    assert (single, several) == (2, 4)


@pytest.mark.req("R2", "R6")
@pytest.mark.parametrize(
    ("said", "question", "day"),
    [
        ("我的钢琴考级改期了。改到十月十八号，地点也换了。", "钢琴考级是几号？", "18"),
        ("My piano exam was put off. It is on 18 October now, in another hall.", "When is the piano exam?", "18"),
    ],
)
def test_a_statement_is_read_with_what_was_said_in_the_same_breath_where_alone_it_does_not_answer(
    open_memory: Callable[..., Memory], said: str, question: str, day: str, read: list[tuple[str, str, str]]
) -> None:
    memory = open_memory(settings=READING)
    memory.remember(said, wait=True)
    parts = [one.content for one in memory.list()]
    read.clear()
    context = memory.context(question)
    assert len(parts) > 1
    assert day in context.text
    assert any(all(part in text for part in parts) for head, _, text in read if head == HEAD)


GIVING = [
    ("我家狗叫什么名字？", "用户的狗叫豆包", "用户每天早上遛狗"),
    ("房东的全名是什么？", "房东叫周建国", "房东去年涨过价"),
    ("我的膝盖手术花了多少钱？", "膝盖手术花了八千块", "用户膝盖又疼，上楼都费劲"),
    ("每个月房租多少？", "房租一个月2400", "用户住在玉林，跟人合租"),
    ("摊位一年租金多少", "摊位一年租金六千", "用户的摊位在市场东头"),
    ("班主任姓啥", "班主任姓邱，叫邱敏", "班主任让家长开会"),
    ("阿婷是哪儿的人", "阿婷是湛江人", "阿婷在琶洲做策划，家里两口人"),
    ("室友老家在哪？", "室友来自漳州", "室友去年搬走了"),
    ("What is my dog called?", "The user's dog is called Biscuit", "the dog sleeps all day"),
    ("What is the name of my dentist?", "The user's dentist is Dr Nowak", "the dentist wants to see the user again"),
    (
        "How much did the knee operation cost?",
        "The knee operation was four thousand pounds",
        "the knee hurts on the stairs",
    ),
    ("What was the rent on the old flat?", "The old flat was £640 a month", "the old flat was damp"),
    ("What did we pay for the piano?", "The piano was £900", "the piano is out of tune"),
    ("Where does Denise come from?", "Denise grew up in Erie", "Denise is a nurse at the hospital"),
    ("Where is my flatmate from?", "The user's flatmate is Portuguese", "the flatmate works at the airport"),
]


@pytest.mark.req("R2")
@pytest.mark.parametrize(("question", "telling", "near"), GIVING)
def test_a_name_a_price_or_where_one_is_from_is_known_by_what_gives_one(question: str, telling: str, near: str) -> None:
    query = analyse(question, scope=Scope(owner="me"), now=NOW, past=False, language=None)
    memories = [memory(one, number, language=query.language) for number, one in enumerate((telling, near))]
    assert gives_form(query, memories) == [True, False]


@pytest.mark.req("R2")
@pytest.mark.parametrize(
    "question", ["我家狗几岁了？", "我在哪里租房？", "谁七月来看过我？", "Where do I rent?", "Who is my dentist?"]
)
def test_what_may_be_told_in_any_words_has_no_form(question: str) -> None:
    query = analyse(question, scope=Scope(owner="me"), now=NOW, past=False, language=None)
    assert not gives_form(query, [memory("用户每天早上遛狗")])


@pytest.mark.req("R2")
@pytest.mark.parametrize(
    ("odds", "given", "silent"),
    [
        ((UNANSWERED - 0.1, UNANSWERED - 1), (), True),
        ((0.5, -3.0), (), False),
        ((0.5, -3.0), (False, True), True),
        ((0.5, -3.0), (False, False), True),
        ((0.5, UNANSWERED), (False, True), False),
        ((SURELY, -3.0), (False, True), False),
        ((), (), False),
    ],
)
def test_silence_is_kept_where_nothing_that_gives_what_is_asked_for_may_answer_and_nothing_surely_does(
    odds: Sequence[float], given: Sequence[bool], silent: bool
) -> None:
    read = [Candidate(memory=memory("a"), score=one, paths=(), factors={FACTOR: one}) for one in odds]
    assert unanswered(read, lambda memories: given) is silent
